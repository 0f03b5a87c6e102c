//! Impacts on the walls of planar worlds, as lengths along them and sines.

use std::f64::consts::PI;

use crate::physics::run;
use crate::values::shapes;

/// What is called `wall`, and a space; discs of radius 0.1 with their places and velocities; of each impact, in the
/// order of the discs, the length along the wall and the sine.
type Row<'a> = (&'a str, &'a str, &'a [([f64; 2], [f64; 2])], &'a [[f64; 2]]);

const OPEN: &str = "Planar()";
const TORUS: &str = "Planar(x: (0, 4), y: (0, 4))";
const RIGHT: [f64; 2] = [1.0, 0.0];
const LEFT: [f64; 2] = [-1.0, 0.0];
const UP: [f64; 2] = [0.0, 1.0];
const DOWN: [f64; 2] = [0.0, -1.0];

fn check(name: &str, rows: &[Row<'_>]) {
    for (place, &(wall, space, discs, wanted)) in rows.iter().enumerate() {
        let disc = |(disc, ([x, y], [u, v])): (usize, &([f64; 2], [f64; 2]))| {
            format!(
                r#"(name: "{disc}", shape: Disc(radius: 0.1), mass: 1, position: ({x}, {y}), velocity: ({u}, {v})),"#
            )
        };
        let discs: String = discs.iter().enumerate().map(disc).collect();
        let text = format!(
            r#"(timestep: 0.5, duration: 4, space: {space}, bodies: [(name: "wall", {wall}), {discs}],
            plots: [BoundaryMap(style: (formats: [Csv]))])"#
        );
        let folder = run(&format!("map-{name}-{place}"), &text);
        let found: Vec<[f64; 2]> = shapes(&folder, "boundary_map")
            .into_iter()
            .filter(|((_, mark), _)| mark.starts_with("dot"))
            .flat_map(|(_, points)| points)
            .collect();
        let is_near =
            |(found, wanted): (&[f64; 2], &[f64; 2])| (0..2).all(|axis| (found[axis] - wanted[axis]).abs() < 1e-9);
        assert_eq!(found.len(), wanted.len(), "{wall}: {found:?}");
        assert!(found.iter().zip(wanted).all(is_near), "{wall}: {found:?}, and not {wanted:?}");
    }
}

#[test]
fn a_polygon_is_laid_out_from_its_first_corner() {
    let upright = [([-1.0, 0.5], RIGHT), ([-0.5, 2.5], [0.5, -0.5])];
    let below = [([0.25, -1.0], UP)];
    check(
        "polygons",
        &[
            ("shape: Polygon(corners: [(0,0), (1,0), (1,2), (0,2)])", OPEN, &below, &[[0.25, 0.0]]),
            // The first corner is written again at the end.
            ("shape: Polygon(corners: [(0,0), (1,0), (1,2), (0,2), (0,0)])", OPEN, &below, &[[0.25, 0.0]]),
            // The first corner is within a straight side.
            ("shape: Polygon(corners: [(0.5,0), (1,0), (1,2), (0,2), (0,0)])", OPEN, &below, &[[5.75, 0.0]]),
            // Counterclockwise and clockwise.
            ("shape: Polygon(corners: [(0,0), (1,0), (1,2), (0,2)])", OPEN, &upright, &[[5.5, 0.0], [4.0, 0.0]]),
            ("shape: Polygon(corners: [(0,0), (0,2), (1,2), (1,0)])", OPEN, &upright, &[[0.5, 0.0], [2.0, 0.0]]),
            (
                "shape: Polygon(corners: [(0,0), (5,0), (5,2), (4,2), (4,1), (1,1), (1,2), (0,2)])",
                OPEN,
                &[
                    ([4.5, 3.0], DOWN),
                    ([0.5, 3.0], DOWN),
                    ([2.5, 2.0], DOWN),
                    ([2.5, -1.0], UP),
                    ([6.0, 0.5], LEFT),
                    ([-1.0, 1.5], RIGHT),
                ],
                &[[7.5, 0.0], [13.5, 0.0], [10.5, 0.0], [2.5, 0.0], [5.5, 0.0], [14.5, 0.0]],
            ),
        ],
    );
}

/// The normals at the tips have the directions (0.8, ±0.6), and at the corner of the box (0.6, 0.8).
#[test]
fn at_a_corner_the_angle_is_from_the_normal_of_the_contact() {
    let tip = 9.04_f64.sqrt();
    let discs = [([1.0, 0.06], LEFT), ([1.5, -0.06], LEFT)];
    check(
        "corners",
        &[
            (
                "shape: Polygon(corners: [(-3,0.2), (-3,-0.2), (0,0)])",
                OPEN,
                &discs,
                &[[0.4 + tip, 0.6], [0.4 + tip, -0.6]],
            ),
            ("shape: Polygon(corners: [(-3,0.2), (0,0), (-3,-0.2)])", OPEN, &discs, &[[tip, -0.6], [tip, 0.6]]),
            ("shape: Box(half_extents: (1,1)), motion: Fixed", OPEN, &[([1.06, 2.0], DOWN)], &[[4.0, -0.6]]),
        ],
    );
}

#[test]
fn across_a_period_a_wall_is_met_at_its_nearest_image() {
    let square = "shape: Polygon(corners: [(-0.5,-0.5), (0.5,-0.5), (0.5,0.5), (-0.5,0.5)])";
    let of = |shape: &str, x: f64| format!("{shape}, position: ({x}, 2)");
    let disc = "shape: Disc(radius: 0.5), motion: Fixed";
    // Also from a place outside of the period.
    let walls = [of(disc, 0.1), of(disc, 8.1), of(square, 0.1), of(square, -3.9)];
    let (level, above) = ([([2.5, 2.0], RIGHT)], [([2.5, 2.25], RIGHT)]);
    let (round, straight) = ([[0.5 * PI, 0.0], [0.0, 0.0]], [[3.25, 0.0], [1.75, 0.0]]);
    check(
        "images",
        &[
            (&walls[0], TORUS, &level, &round),
            (&walls[2], TORUS, &above, &straight),
            (&walls[1], TORUS, &level, &round),
            (&walls[3], TORUS, &above, &straight),
        ],
    );
    // A half-plane has no image: its lengths run through the period.
    let discs = [([0.5, 1.0], DOWN), ([3.5, 1.5], DOWN)];
    let floor = "shape: Plane(normal: (0,1), offset: 0)";
    check("floor", &[(floor, "Planar(x: (0, 4))", &discs, &[[0.0, 0.0], [3.0, 0.0]])]);
}
