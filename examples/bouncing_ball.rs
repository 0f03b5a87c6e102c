//! A ball of restitution 0.8 falls on a floor and bounces: when, and how high.
//!
//! `cargo run --release --example bouncing_ball` prints each impact beside the closed form.

use std::error::Error;

use carom::glam::DVec3;
use carom::{Body, EventKind, Materials, Restitution, Settings, World};

/// m/s².
const GRAVITY: f64 = 9.81;
/// Height of the fall, m.
const HEIGHT: f64 = 1.0;
const RADIUS: f64 = 0.1;
const RESTITUTION: f64 = 0.8;

fn main() -> Result<(), Box<dyn Error>> {
    let mut materials = Materials::default();
    let rubber = materials.add(Restitution::new(RESTITUTION)?);
    let settings = Settings { gravity: DVec3::NEG_Z * GRAVITY, materials, ..Settings::default() };
    let ball = Body::sphere(RADIUS, 0.2)?.at(DVec3::Z * (HEIGHT + RADIUS)).made_of(rubber);
    let floor = Body::plane(DVec3::Z, 0.0)?.made_of(rubber);
    let mut world = World::new(settings, [("ball", ball), ("floor", floor)])?;
    world.step(20.0)?;

    // It falls for √(2h/g). Each later flight is shorter by the restitution.
    let fall = (2.0 * HEIGHT / GRAVITY).sqrt();
    let (mut time, mut flight) = (fall, 2.0 * fall * RESTITUTION);
    println!("impact   time, s    closed form, s   next height, m");
    for (count, event) in world.events().iter().filter(|event| event.kind == EventKind::Impact).enumerate() {
        let height = GRAVITY * flight * flight / 8.0;
        if count < 10 {
            println!("{:>6}   {:.6}   {time:.6}         {height:.6}", count + 1, event.time.seconds());
        }
        assert!((event.time.seconds() - time).abs() < 1e-9, "impact {}", count + 1);
        (time, flight) = (time + flight, flight * RESTITUTION);
    }
    let id = world.id("ball").ok_or("the ball")?;
    let [contact] = world.contacts_of(id)[..] else { return Err("the ball should lie on the floor".into()) };
    println!("It rests since {} s and presses on the floor with {:.4} N.", contact.since, contact.force.length());
    Ok(())
}
