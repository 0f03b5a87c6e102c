//! A draft as a scenario in RON, with a table of its balls and its meshes beside it.

use std::fmt::Write;
use std::path::Path;

use glam::DVec3;

use super::draft::{Ball, Draft, Imported, Load, Surface};
use super::request::ImportFormat;
use super::ron::{number, quoted, triple};
use crate::scenario::MeshFile;
use crate::scenario::text::printable::printable;

/// Most balls that stand in the scenario itself.
const BALLS_MAX: usize = 50;

pub(super) fn write(file: &Path, format: ImportFormat, draft: &Draft, name: Option<&str>) -> Imported {
    let (mut files, mut bodies, mut fill) = (Vec::new(), draft.bodies.clone(), None);
    match name {
        Some(name) if draft.balls.len() > BALLS_MAX || draft.temperature.is_some() && !draft.balls.is_empty() => {
            let table = format!("{name}.csv");
            let heat = draft.temperature.map_or_else(String::new, |temperature| {
                format!(", temperature: {}, zero_momentum: true, seed: 1", number(temperature))
            });
            fill = Some(format!("FromFile(name: \"spheres\", file: {}{heat})", quoted(&table)));
            files.push(MeshFile { name: table, bytes: list(&draft.balls).into_bytes().into() });
        }
        _ => bodies.extend(
            names(&draft.balls).into_iter().zip(&draft.balls).map(|(name, ball)| body(&name, ball, draft.is_planar)),
        ),
    }
    for (row, surface) in draft.meshes.iter().enumerate() {
        let shape = match name {
            Some(name) => {
                let object = format!("{name}_{}.obj", row + 1);
                files.push(MeshFile { name: object.clone(), bytes: obj(surface).into_bytes().into() });
                format!("Mesh(file: {})", quoted(&object))
            }
            None => inline(surface),
        };
        bodies.push(format!("(name: {}, shape: {shape})", quoted(&surface.name)));
    }
    let mut text = head(file, format, draft);
    let _ = writeln!(text, "Scenario(\n    title: {},", quoted(&title(file)));
    text.push_str(if draft.has_gravity { "    gravity: (0, 0, -9.81),\n" } else { "" });
    text.push_str("    timestep: 0.01, duration: 1,\n");
    push_space(&mut text, draft);
    for (field, entries) in [("bodies", bodies), ("fill", fill.into_iter().collect())] {
        if !entries.is_empty() {
            let _ = writeln!(text, "    {field}: [");
            entries.iter().for_each(|entry| text.extend(["        ", entry, ",\n"]));
            text.push_str("    ],\n");
        }
    }
    text.push_str(")\n");
    Imported { text, files, missing: draft.missing.clone() }
}

/// The comment at the beginning.
fn head(file: &Path, format: ImportFormat, draft: &Draft) -> String {
    let source = file.file_name().unwrap_or_default().to_string_lossy();
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!("// Imported by carom {version} from {}, {}.\n", printable(&source), format.words());
    for (title, lines) in [("", &draft.notes), ("// What could not be had:\n", &draft.missing)] {
        if !lines.is_empty() {
            text.extend(["//\n", title]);
            lines.iter().for_each(|line| text.extend(["// - ", &*printable(line), "\n"]));
        }
    }
    text
}

fn title(file: &Path) -> String {
    printable(&file.file_stem().unwrap_or_default().to_string_lossy()).chars().take(200).collect()
}

fn push_space(text: &mut String, draft: &Draft) {
    let _ = match draft.space {
        [None, None, None] if !draft.is_planar => Ok(()),
        [Some(x), Some(y), Some(z)] => {
            let [min, max] = [0, 1].map(|end| triple(DVec3::new(x[end], y[end], z[end])));
            writeln!(text, "    space: Periodic(min: {min}, max: {max}),")
        }
        some => {
            let axes = ["x", "y", "z"].into_iter().zip(some).filter_map(|(axis, ends)| {
                ends.map(|[min, max]| format!("{axis}: ({}, {})", number(min), number(max)))
            });
            let kind = if draft.is_planar { "Planar" } else { "Periodic" };
            writeln!(text, "    space: {kind}({}),", axes.collect::<Vec<_>>().join(", "))
        }
    };
}

/// The names of balls: their types, and their numbers with leading zeros, so that the order of names is theirs.
fn names(balls: &[Ball]) -> Vec<String> {
    let width = balls.len().saturating_sub(1).to_string().len();
    let name = |(row, ball): (usize, &Ball)| match &ball.kind {
        Some(kind) => format!("{kind}/{row:0width$}"),
        None => format!("{row:0width$}"),
    };
    balls.iter().enumerate().map(name).collect()
}

/// A ball as an entry of `bodies`.
fn body(name: &str, ball: &Ball, is_planar: bool) -> String {
    let Ball { radius, load, position, velocity, spin, .. } = ball;
    let load = match load {
        Load::Mass(mass) => format!("mass: {}", number(*mass)),
        Load::Density(density) => format!("density: {}", number(*density)),
    };
    let kind = if is_planar { "Disc" } else { "Sphere" };
    let shape = format!("{kind}(radius: {})", number(*radius));
    let mut text = format!(
        "(name: {}, shape: {shape}, {load}, position: {}",
        quoted(&format!("spheres/{name}")),
        triple(*position)
    );
    let turn = if is_planar { number(spin.z) } else { triple(*spin) };
    for (field, vector, words) in [("velocity", velocity, triple(*velocity)), ("spin", spin, turn)] {
        if *vector != DVec3::ZERO {
            let _ = write!(text, ", {field}: {words}");
        }
    }
    text + ")"
}

/// Balls as a table for `FromFile`. Columns of zeros alone are left out.
fn list(balls: &[Ball]) -> String {
    let has_kinds = balls.iter().any(|ball| ball.kind.is_some());
    let [moves, turns] = [|ball: &Ball| ball.velocity, |ball: &Ball| ball.spin]
        .map(|vector| balls.iter().any(|ball| vector(ball) != DVec3::ZERO));
    let load = if balls.iter().all(|ball| matches!(ball.load, Load::Mass(_))) { "mass" } else { "density" };
    let columns = [(has_kinds, "name"), (true, "x,y,z"), (moves, "vx,vy,vz"), (turns, "wx,wy,wz"), (true, "radius")];
    let mut text: String =
        columns.into_iter().filter(|column| column.0).flat_map(|column| [column.1, ","]).collect::<String>()
            + load
            + "\n";
    for (name, ball) in names(balls).iter().zip(balls) {
        if has_kinds {
            text.extend([name, ","]);
        }
        let vectors = [(true, ball.position), (moves, ball.velocity), (turns, ball.spin)];
        let vectors = vectors.into_iter().filter(|vector| vector.0).flat_map(|vector| vector.1.to_array());
        for value in vectors.chain([ball.radius]) {
            text.extend([&number(value), ","]);
        }
        let (Load::Mass(load) | Load::Density(load)) = ball.load;
        text.extend([&number(load), "\n"]);
    }
    text
}

fn obj(surface: &Surface) -> String {
    let mut text = String::new();
    for vertex in &surface.vertices {
        let [x, y, z] = vertex.to_array().map(number);
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for [a, b, c] in surface.triangles.iter().map(|corners| corners.map(|corner| corner + 1)) {
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    text
}

/// A mesh that is written out.
fn inline(surface: &Surface) -> String {
    let vertices: Vec<String> = surface.vertices.iter().map(|&vertex| triple(vertex)).collect();
    let triangles: Vec<String> = surface.triangles.iter().map(|[a, b, c]| format!("({a}, {b}, {c})")).collect();
    format!("Mesh(vertices: [{}], triangles: [{}])", vertices.join(", "), triangles.join(", "))
}
