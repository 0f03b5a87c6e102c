//! A platformer room: a hero runs, climbs stairs, rides on a lift and jumps onto a platform from below.
//!
//! `cargo run --release --example platformer_room`

use std::error::Error;

use carom::geometry::{Grid, HalfExtents};
use carom::glam::DVec3;
use carom::{Body, Filter, Settings, SlideOptions, World};

/// The room seen from the side, x to the right and z upwards, in tiles of 1 m.
const MAP: [&str; 5] = [
    "#..............#", //
    "#..............#",
    "#..............#",
    "#..............#",
    "################",
];

/// One frame, s.
const FRAME: f64 = 1.0 / 64.0;
const GRAVITY: f64 = 16.0;

fn room() -> Result<World, Box<dyn Error>> {
    let tiles = Body::grid(Grid::tiles(DVec3::ONE, &MAP)?).at(DVec3::Y * -0.5);
    let mut bodies = vec![("tiles".to_owned(), tiles)];
    for stair in 1..=4 {
        let height = 0.25 * f64::from(stair);
        let place = DVec3::new(3.25 + 0.5 * f64::from(stair), 0.0, 1.0 + 0.5 * height);
        let body = Body::cuboid(DVec3::new(0.25, 0.5, 0.5 * height), 1.0)?.fixed();
        bodies.push((format!("stair {stair}"), body.at(place)));
    }
    let lift = Body::cuboid(DVec3::new(1.0, 0.5, 0.125), 1.0)?.kinematic().moving(DVec3::Z * 0.5);
    bodies.push(("lift".to_owned(), lift.at(DVec3::new(6.5, 0.0, 1.625))));
    let platform = Body::cuboid(DVec3::new(1.0, 0.5, 0.125), 1.0)?.fixed();
    bodies.push(("platform".to_owned(), platform.at(DVec3::new(12.0, 0.0, 2.5))));
    Ok(World::new(Settings::default(), bodies)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = room()?;
    let hero = HalfExtents::new(DVec3::new(0.25, 0.25, 0.5))?;
    let one_way = [(world.id("platform").ok_or("no platform")?, DVec3::Z)];
    let options = SlideOptions { walking: true, step: 0.25, snap: 0.25, one_way: &one_way, ..SlideOptions::default() };
    let (mut place, mut velocity) = (DVec3::new(2.0, 0.0, 1.5), DVec3::ZERO);

    // What the player wants: for so many frames so fast along x, with a jump at the beginning or not.
    let wishes = [
        ("runs up the stairs", 72, 4.0, 0.0),
        ("rides on the lift", 64, 0.0, 0.0),
        ("runs off it", 88, 4.0, 0.0),
        ("jumps onto the platform", 64, 0.0, 9.0),
    ];
    let mut seen = Vec::new();
    for (what, frames, speed, jump) in wishes {
        velocity.z += jump;
        for _ in 0..frames {
            velocity = DVec3::new(speed, 0.0, velocity.z - GRAVITY * FRAME);
            let slide = world.slide(hero, place, velocity * FRAME, FRAME, &Filter::ALL, &options)?;
            (place, velocity.z) = (slide.to, slide.onward.z / FRAME);
            let floor = slide.floor.map_or("the air", |floor| floor.name).to_owned();
            world.step(FRAME)?;
            if seen.last() != Some(&floor) {
                seen.push(floor);
            }
        }
        println!("{what}: at {place}, on {}", seen.last().ok_or("nothing")?);
    }
    assert_eq!(seen.last().map(String::as_str), Some("platform"));
    assert!(
        ["stair 1", "stair 4", "lift", "the air"].iter().all(|&what| seen.iter().any(|floor| floor == what)),
        "{seen:?}"
    );
    Ok(())
}
