//! Bodies that are large compared with their neighbours. The search skips thousands of bodies, which changes no event.

use carom::dynamics::{Body, BodyId, EventKind, Settings, Stepper};
use carom::geometry::Mesh;
use carom::motion::SimTime;
use glam::DVec3;

use crate::common::Random;

const STEPS: u32 = 40;

/// Balls of radius 0.05 on a lattice of `wide`³ cells of edge 0.2 around the origin, without those in a cube of half
/// edge `hole`.
fn balls(wide: u32, hole: f64) -> Vec<Body> {
    let mut random = Random::from_state(5);
    let place = |n: u32| DVec3::new(f64::from(n % wide), f64::from(n / wide % wide), f64::from(n / wide / wide));
    let places = (0..wide.pow(3)).map(|n| (place(n) + 0.5 - 0.5 * f64::from(wide)) * 0.2);
    let outside = places.filter(|place| place.abs().max_element() > hole + 0.05);
    outside.map(|place| Body::sphere(0.05, 1.0).unwrap().at(place).moving(random.vector(1.0))).collect()
}

fn room(half: f64) -> impl Iterator<Item = Body> {
    [DVec3::X, DVec3::Y, DVec3::Z]
        .into_iter()
        .flat_map(move |axis| [axis, -axis].map(|n| Body::plane(n, -half).unwrap()))
}

/// A hilly floor with all heights above −0.2 m.
fn floor() -> Body {
    let at = |n: u32| f64::from(n % 21) * 0.3 - 3.0;
    let corner = |n: u32| DVec3::new(at(n), at(n / 21), if n.is_multiple_of(2) { 0.0 } else { -0.1 });
    let squares = (0..400).map(|n| n / 20 * 21 + n % 20);
    let triangles: Vec<_> = squares.flat_map(|a| [[a, a + 1, a + 22], [a, a + 22, a + 21]]).collect();
    Body::mesh(Mesh::new(&(0..441).map(corner).collect::<Vec<_>>(), &triangles).unwrap())
}

/// Worlds in which one body has more neighbours than any ball could have.
fn worlds() -> Vec<(&'static str, Settings, Vec<Body>)> {
    let weightless = Settings::default();
    let heavy = Settings { gravity: DVec3::new(0.0, 0.0, -9.81), ..Settings::default() };
    let cube = |mass: f64| Body::cuboid(DVec3::splat(0.5), mass).unwrap().moving(DVec3::new(0.4, 0.2, 0.1));
    let with = |body: Body, hole: f64| balls(10, hole).into_iter().chain(room(1.0)).chain([body]).collect();
    let raised = balls(8, 0.0).into_iter().map(|ball| Body { position: ball.position + DVec3::Z * 1.2, ..ball });
    vec![
        ("a heavy cube", weightless.clone(), with(cube(1000.0), 0.5)),
        ("a light cube", weightless.clone(), with(cube(1.0), 0.5)),
        ("a falling cube", heavy.clone(), with(cube(100.0), 0.5)),
        ("a large ball", weightless.clone(), with(Body::sphere(0.5, 50.0).unwrap(), 0.5)),
        ("a kinematic cube", weightless.clone(), with(cube(1.0).kinematic(), 0.5)),
        ("a free sensor", weightless, with(cube(1.0).sensor(), 0.0)),
        ("a mesh", heavy, raised.chain([floor()]).collect()),
    ]
}

/// All events of a run, to the bit. With `anew`, a new stepper starts from a snapshot after each step and gets other
/// domains.
fn events(settings: &Settings, bodies: &[Body], anew: bool) -> Vec<String> {
    let mut stepper = Stepper::new(settings.clone(), bodies).unwrap();
    let mut told = Vec::new();
    for step in 1..=STEPS {
        stepper.advance(SimTime::from_seconds(f64::from(step) / 60.0), usize::MAX).unwrap();
        told.extend(stepper.take_events().iter().map(|event| format!("{event:?}")));
        if anew {
            stepper = Stepper::restore(settings.clone(), bodies, &stepper.snapshot()).unwrap();
        }
    }
    told
}

#[test]
fn other_domains_give_the_same_events() {
    for (name, settings, bodies) in worlds() {
        let [once, anew] = [false, true].map(|anew| events(&settings, &bodies, anew));
        assert!(once.len() > 300, "{name}: {} events", once.len());
        let first = once.iter().zip(&anew).find(|(x, y)| x != y);
        assert!(once == anew, "{name}: {first:?}");
    }
}

#[test]
fn a_sensor_that_is_kicked_meets_what_is_in_its_way() {
    let sensor = Body::cuboid(DVec3::splat(0.5), 2.0).unwrap().sensor();
    let ball = Body::sphere(0.25, 1.0).unwrap().at(DVec3::new(1.75, 0.0, 0.0));
    for (row, bodies) in [[sensor.clone(), ball.clone()], [ball, sensor]].into_iter().enumerate() {
        let mut stepper = Stepper::new(Settings::default(), &bodies).unwrap();
        stepper.kick(BodyId(row as u32), DVec3::new(4.0, 0.0, 0.0), DVec3::ZERO).unwrap();
        stepper.advance(SimTime::from_seconds(3.0), usize::MAX).unwrap();
        let told: Vec<_> = stepper.take_events().iter().map(|event| (event.kind, event.time.seconds())).collect();
        // The gap of 1 m closes at 2 m/s. Then the bodies overlap for the sum of their widths, 1.5 m.
        assert_eq!(told, [(EventKind::Enter, 0.5), (EventKind::Leave, 1.25)]);
    }
}
