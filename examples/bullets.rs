//! Bullets: balls of 4 mm at 800 m/s through light barriers of 1 mm, which are sensors, into a plate. No event is
//! missed, however thin the barrier and however long the step, and each has its exact instant.
//!
//! `cargo run --release --example bullets`

use std::error::Error;

use carom::glam::DVec3;
use carom::{Body, EventKind, Restitution, Settings, World};

/// m.
const RADIUS: f64 = 0.004;
const HALF: f64 = 0.0005;
const PLATE: f64 = 50.0;
/// m/s.
const SPEED: f64 = 800.0;
const BULLETS: usize = 20;
const BARRIERS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let far = |barrier: usize| 5.0 + 7.0 * barrier as f64;
    let mut settings = Settings::default();
    let lead = settings.materials.add(Restitution::new(0.0)?);
    let mut bodies = vec![("plate".to_owned(), Body::plane(-DVec3::X, -PLATE)?.made_of(lead))];
    for barrier in 0..BARRIERS {
        let sheet = Body::cuboid(DVec3::new(HALF, 2.0, 2.0), 1.0)?.fixed().sensor();
        bodies.push((format!("barrier/{barrier}"), sheet.at(DVec3::X * far(barrier))));
    }
    let mut world = World::new(settings, bodies)?;

    // One bullet every 10 ms; it flies past 13 m in a step.
    for bullet in 0..BULLETS {
        let place = DVec3::Y * (0.01 * bullet as f64 - 0.1);
        let ball = Body::sphere(RADIUS, 0.01)?.at(place).moving(DVec3::X * SPEED).made_of(lead);
        world.spawn(format!("bullet/{bullet:02}"), &ball)?;
        world.step(0.01)?;
    }
    world.step(0.1)?;

    let mut passed = [[0; 2]; BARRIERS];
    let mut hits = 0;
    for event in world.take_events() {
        let (ball, other) =
            if world.name(event.a).starts_with("bullet") { (event.a, event.b) } else { (event.b, event.a) };
        let (name, target) = (world.name(ball), world.name(other));
        let fired = 0.01 * name["bullet/".len()..].parse::<f64>()?;
        let flown = (event.time.seconds() - fired) * SPEED;
        let barrier = || target["barrier/".len()..].parse::<usize>();
        let exact = match event.kind {
            // It touches the sheet, and it has left it.
            EventKind::Enter => far(barrier()?) - HALF - RADIUS,
            EventKind::Leave => far(barrier()?) + HALF + RADIUS,
            // It stays where it hits.
            EventKind::Rest => PLATE - RADIUS,
            other => return Err(format!("{other:?} was not expected").into()),
        };
        assert!((flown - exact).abs() < 1e-9, "{name} {:?} of {target} at {flown} m, not {exact} m", event.kind);
        match event.kind {
            EventKind::Rest => hits += 1,
            kind => passed[barrier()?][usize::from(kind == EventKind::Leave)] += 1,
        }
    }
    println!("{hits} bullets hit the plate; entered and left: {passed:?}");
    assert_eq!((hits, passed), (BULLETS, [[BULLETS; 2]; BARRIERS]));
    Ok(())
}
