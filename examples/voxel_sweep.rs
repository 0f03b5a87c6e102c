//! Swept boxes in a world of voxels: how far a box can move, and which block stops it.
//!
//! `cargo run --release --example voxel_sweep`

use std::error::Error;

use carom::geometry::{HalfExtents, Ray, Start};
use carom::glam::DVec3;
use carom::{Body, Filter, Settings, World};

/// The blocks seen from the side, x to the right and z upwards. Each is a cube of 1 m.
const MAP: &str = "
.......#
....##.#
.......#
########";

fn main() -> Result<(), Box<dyn Error>> {
    let mut blocks = Vec::new();
    for (row, line) in MAP.lines().rev().enumerate() {
        for (column, _) in line.chars().enumerate().filter(|&(_, letter)| letter == '#') {
            let center = DVec3::new(column as f64 + 0.5, 0.5, row as f64 + 0.5);
            let block = Body::cuboid(DVec3::splat(0.5), 1.0)?.fixed().at(center);
            blocks.push((format!("block {column},{row}"), block));
        }
    }
    let world = World::new(Settings::default(), blocks)?;

    // A player 1.5 m high stands on the ground, in the middle of the first column; then it ducks.
    let standing = (HalfExtents::new(DVec3::new(0.25, 0.25, 0.75))?, DVec3::new(0.5, 0.5, 1.75));
    let ducking = (HalfExtents::new(DVec3::new(0.25, 0.25, 0.5))?, DVec3::new(0.5, 0.5, 1.5));
    let above = DVec3::new(4.5, 0.5, 6.0);
    let below = DVec3::new(4.5, 0.5, 1.5);
    for (title, (half, origin), direction, wanted) in [
        ("standing, to the right", standing, DVec3::X, ("block 4,2", 3.25)),
        ("ducking, to the right", ducking, DVec3::X, ("block 7,1", 6.25)),
        ("falling from above", (standing.0, above), DVec3::NEG_Z, ("block 4,2", 2.25)),
        ("jumping below the ceiling", (ducking.0, below), DVec3::Z, ("block 4,2", 0.0)),
    ] {
        let ray = Ray { origin, direction };
        let hit = world.cast_box(half, &ray, f64::INFINITY, &Filter::ALL).ok_or("nothing stops it")?;
        let touching = if hit.start == Start::Touching { ", which it touches already" } else { "" };
        println!("{title}: {} stops it after {} m{touching}", hit.name, hit.t);
        // The ground below its feet stops no one: it slides along it.
        assert_eq!((hit.name, hit.t), wanted);
    }
    Ok(())
}
