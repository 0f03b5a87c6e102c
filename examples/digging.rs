//! Digging in voxels: a ray finds the block that a player looks at, the block is taken away, and what stood on it
//! falls; another block is put before a rolling ball.
//!
//! `cargo run --release --example digging`

use std::error::Error;

use carom::geometry::{Grid, Ray};
use carom::glam::DVec3;
use carom::{Body, EventKind, Filter, Material, Materials, Restitution, Settings, World};

/// Blocks of 1 m: a plain of 32 × 32, four deep, with a hill in its middle.
fn land() -> Result<Grid, Box<dyn Error>> {
    let hill = |x: u32, y: u32| 6 - x.abs_diff(16).max(y.abs_diff(16)).min(6);
    Ok(Grid::voxels(DVec3::ONE, [32, 32, 12], |[x, y, z]| z < 4 + hill(x, y))?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut materials = Materials::default();
    let stuff = materials.add(Material::from(Restitution::new(0.0)?));
    let settings = Settings { gravity: DVec3::Z * -10.0, materials, ..Settings::default() };
    let crate_ = Body::cuboid(DVec3::splat(0.4), 20.0)?.at(DVec3::new(16.5, 16.5, 10.4)).made_of(stuff);
    let ball = Body::sphere(0.25, 1.0)?.at(DVec3::new(2.5, 4.5, 4.25)).moving(DVec3::X * 2.0).made_of(stuff);
    let land = Body::grid(land()?).made_of(stuff);
    let mut world = World::new(settings, [("land", land), ("crate", crate_), ("ball", ball)])?;
    let (land, crate_, ball) = (world.id("land").unwrap(), world.id("crate").unwrap(), world.id("ball").unwrap());
    world.step(0.5)?;
    world.take_events();

    // From the side of the hill the player sees the block below the crate, and digs it out.
    let eye = Ray { origin: DVec3::new(10.0, 16.5, 9.7), direction: DVec3::new(1.0, 0.0, -0.02) };
    let seen = world.cast_ray(&eye, 20.0, &Filter::ALL).ok_or("nothing in sight")?;
    let carom::geometry::Shape::Grid(grid) = world.body(land).shape else { unreachable!("it is one") };
    let block = grid.place_of(seen.spot.primitive);
    println!("the player sees block {block:?} at {:.3} m and digs", seen.t);
    assert_eq!((seen.body, block, seen.normal), (land, [16, 16, 9], -DVec3::X));
    world.set_cell(land, block, false)?;

    // A block before the ball stops it.
    world.set_cell(land, [6, 4, 4], true)?;
    world.step(3.0)?;
    for event in world.take_events() {
        println!("{:.6} s: {:?} of {}", event.time.seconds(), event.kind, world.name(event.a));
    }
    let (fallen, stopped) = (world.state(crate_), world.state(ball));
    println!("the crate stands at {:.3}, the ball at {:.3}", fallen.position, stopped.position);
    assert!((fallen.position.z - 9.4).abs() < 1e-12 && fallen.velocity == DVec3::ZERO);
    assert!((stopped.position - DVec3::new(5.75, 4.5, 4.25)).length() < 1e-12);
    assert!(world.events().iter().all(|event| event.kind != EventKind::Impact));
    Ok(())
}
