//! Meshes in plots of paths: outlines without hidden lines, filled where the mesh covers the picture. The file size is
//! limited, however many triangles the mesh has.

use std::f64::consts::{PI, TAU};
use std::fs;
use std::path::{Path, PathBuf};

use carom::dynamics::Motion;
use carom::geometry::{Mesh, Shape};
use carom::report::draw;
use carom::scenario::{Plane2, Plot, Source, parse};
use glam::DVec3;

use crate::plots::{shapes, with_svg};
use crate::runs::{Run, body, sphere};

const SCENERY: &str = "#E1E1DE";
const SCENERY_EDGE: &str = "#787876";

/// Draws a ball on a straight path and a fixed mesh, seen along all three axes.
fn drawn(name: &str, mesh: &Mesh, position: DVec3, way: [DVec3; 2]) -> PathBuf {
    let plots = [Plane2::XY, Plane2::XZ, Plane2::YZ].map(|plane| Plot::Path { plane, bodies: Vec::new() });
    let mut run = Run::new(name, 1.0, 10, plots.to_vec());
    run.moving("ball", sphere(0.1), DVec3::ZERO, &[(0.0, way[0], way[1] - way[0])]);
    run.still(body("mesh", Shape::Mesh(mesh.clone().into()), Motion::Fixed, position, DVec3::ZERO));
    let folder = run.write(name);
    draw(&run.scenario, &folder, &folder).unwrap();
    folder
}

/// A sheet of `columns` × `rows` squares, each of two triangles. `place` gives the position for a share of the width
/// and of the depth.
fn sheet(columns: u32, rows: u32, place: impl Fn(f64, f64) -> DVec3) -> Mesh {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for row in 0..=rows {
        for column in 0..=columns {
            vertices.push(place(f64::from(column) / f64::from(columns), f64::from(row) / f64::from(rows)));
            if row < rows && column < columns {
                let here = row * (columns + 1) + column;
                let above = here + columns + 1;
                triangles.extend([[here, here + 1, above + 1], [here, above + 1, above]]);
            }
        }
    }
    Mesh::new(&vertices, &triangles).unwrap()
}

fn globe(columns: u32, rows: u32) -> Mesh {
    sheet(columns, rows, |u, v| {
        let (sine, cosine) = ((v - 0.5) * PI).sin_cos();
        let angle = u % 1.0 * TAU;
        DVec3::new(angle.cos() * cosine, angle.sin() * cosine, sine)
    })
}

fn hills(count: u32) -> Mesh {
    sheet(count, count, |u, v| {
        let height = (7.0 * u).sin() * (5.0 * v).cos() + 0.03 * ((311.0 * u).sin() + (373.0 * v).cos());
        DVec3::new(4.0 * u, 4.0 * v, 0.3 * height)
    })
}

/// Area of a polygon, px².
fn area(points: &[(f64, f64)]) -> f64 {
    let next = points.iter().cycle().skip(1);
    0.5 * points.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum::<f64>().abs()
}

/// All areas with the fill colour of fixed bodies. The first is the patch in the legend.
fn patches(folder: &Path, stem: &str) -> Vec<Vec<(f64, f64)>> {
    with_svg(folder, stem, |svg| shapes(svg, "polygon", "fill", SCENERY))
}

/// The area that the mesh covers, px², without the patch in the legend.
fn filled(folder: &Path, stem: &str) -> f64 {
    let patches = patches(folder, stem);
    let legend = patches.first().expect("the legend has a patch");
    patches.iter().map(|patch| area(patch)).sum::<f64>() - area(legend)
}

/// All edges in the drawing, in pixels, without the edge of the patch in the legend.
fn edges(folder: &Path, stem: &str) -> Vec<Vec<(f64, f64)>> {
    let mut lines = with_svg(folder, stem, |svg| shapes(svg, "polyline", "stroke", SCENERY_EDGE));
    lines.remove(0);
    lines
}

fn bytes(folder: &Path, stem: &str) -> u64 {
    fs::metadata(folder.join(format!("{stem}.svg"))).unwrap().len()
}

const STEMS: [&str; 3] = ["path_xy", "path_xz", "path_yz"];

/// A square of this size perpendicular to an axis, at `level` along that axis.
fn square(axis: usize, size: f64, level: f64) -> ([DVec3; 4], [[u32; 3]; 2]) {
    let corner = |u: f64, v: f64| {
        let mut corner = [0.0; 3];
        (corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3]) = (level, u * size, v * size);
        DVec3::from_array(corner)
    };
    ([corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)], [[0, 1, 2], [0, 2, 3]])
}

#[test]
fn a_square_is_filled_and_has_four_edges_and_no_diagonal() {
    let (vertices, triangles) = square(1, 0.5, 0.0);
    let mesh = Mesh::new(&vertices, &triangles).unwrap();
    let folder =
        drawn("square", &mesh, DVec3::new(1.0, 0.0, 2.0), [DVec3::new(-1.0, 0.0, 1.0), DVec3::new(3.0, 0.0, 3.0)]);
    let lines = edges(&folder, "path_xz");
    assert_eq!(lines.len(), 1, "one line all around: {lines:?}");
    assert_eq!(lines[0].len(), 5);
    let (whole, filled) = (area(&lines[0]), filled(&folder, "path_xz"));
    // The error is at most half a pixel along each side, which is about a hundred pixels long.
    assert!(whole > 10_000.0 && (filled / whole - 1.0).abs() < 0.01, "{filled} of {whole}");
    assert_eq!(edges(&folder, "path_xy")[0].len(), 2, "seen from its edge it is a line");
}

/// The first axis points right and the second up, so the viewer is at large z, −y or x: a small square in front of a
/// large one adds an outline, and one behind it does not.
#[test]
fn what_lies_behind_is_hidden() {
    for (stem, axis, near) in [("path_xy", 2, 1.0), ("path_xz", 1, -1.0), ("path_yz", 0, 1.0)] {
        for (level, lines) in [(near, 2), (-near, 1)] {
            let (large, small) = (square(axis, 1.0, 0.0), square(axis, 0.3, 0.5 * level));
            let vertices = [large.0, small.0].concat();
            let triangles = [large.1, small.1.map(|corners| corners.map(|corner| corner + 4))].concat();
            let mesh = Mesh::new(&vertices, &triangles).unwrap();
            let folder = drawn("hidden", &mesh, DVec3::ZERO, [DVec3::splat(-2.0), DVec3::splat(2.0)]);
            assert_eq!(edges(&folder, stem).len(), lines, "{stem} {level}");
        }
    }
}

#[test]
fn a_mesh_before_or_behind_all_motion_is_not_filled() {
    let (vertices, triangles) = square(1, 9.0, 0.0);
    let mesh = Mesh::new(&vertices, &triangles).unwrap();
    let folder = drawn("behind", &mesh, DVec3::ZERO, [DVec3::ZERO, DVec3::new(1.0, 0.0, 1.0)]);
    assert_eq!(patches(&folder, "path_xz").len(), 1, "only the patch of the legend");
}

#[test]
fn a_globe_is_a_disc_however_many_triangles_it_has() {
    let way = [DVec3::new(-1.5, 0.2, 0.0), DVec3::new(1.6, 0.0, 0.5)];
    for (columns, rows) in [(48, 24), (400, 200)] {
        let folder = drawn(&format!("globe-{columns}"), &globe(columns, rows), DVec3::new(0.0, 0.0, 1.5), way);
        let outline = edges(&folder, "path_xz");
        let (left, right) = outline.iter().flatten().fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p.0), b.max(p.0)));
        let disc = PI * (0.5 * (right - left)).powi(2);
        let filled = filled(&folder, "path_xz");
        // A polygon of 48 corners has 0.3 % less area than its circle. The pixels add half a percent.
        assert!((filled / disc - 1.0).abs() < 0.01, "{columns}: {filled} of {disc}");
        assert!(STEMS.iter().all(|stem| bytes(&folder, stem) < 100_000), "{columns}");
    }
}

#[test]
fn a_rough_ground_of_a_hundred_thousand_triangles_is_no_blot() {
    let mesh = hills(230);
    assert!(mesh.triangles().len() > 100_000);
    let folder = drawn("hills", &mesh, DVec3::ZERO, [DVec3::new(-0.5, 0.2, 0.0), DVec3::new(2.0, 3.0, 0.5)]);
    for stem in STEMS {
        assert!(bytes(&folder, stem) < 600_000, "{stem} has {} bytes", bytes(&folder, stem));
        assert!(!edges(&folder, stem).is_empty(), "{stem}");
    }
}

#[test]
fn the_shipped_marble_run_is_drawn_from_every_side() {
    let text = "(timestep: 1, duration: 1, bodies: [(shape: Mesh(file: \"meshes/marble_run.obj\"))])";
    let scenario = parse(&Source::new("x.ron", text).in_folder("scenarios")).unwrap().scenario;
    let Shape::Mesh(mesh) = &scenario.bodies[0].shape else { unreachable!() };
    assert!(mesh.facet_count() * 5 < mesh.triangles().len(), "its strips are plane to the last bit");
    let folder = drawn("marble", mesh, DVec3::ZERO, [DVec3::new(0.1, 0.0, 1.7), DVec3::new(0.4, 0.0, 0.1)]);
    for stem in STEMS {
        assert!((5..200).contains(&edges(&folder, stem).len()), "{stem}");
    }
}
