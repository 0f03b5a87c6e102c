//! Domains change no result, and have the neighbours that they need.

use super::*;
use crate::dynamics::queue::Kind;
use crate::dynamics::state::Stepper;
use crate::dynamics::{Body, Period, Settings};
use crate::numeric::whole::floor;
use crate::random::Random;

/// Balls of about one size among some others, boxes and a sensor, in a space with axes that repeat, end at
/// half-spaces, or are open. One ball in ten is so fast that it leaves an open cell list.
fn scene(round: u32) -> Stepper {
    let mut random = Random::from_state(u64::from(round) + 70);
    let period = Some(Period { min: -6.0, max: 6.0 });
    let periods = [[period; 3], [period, None, period], [None; 3]][round as usize % 3];
    // The balls around these boxes are about as large as the other balls, or larger. In the second case the cells are
    // larger too.
    let half = DVec3::new(0.3, 0.5, 0.4) * if round % 4 < 2 { 0.6 } else { 1.0 };
    let mut bodies: Vec<Body> = (0..512u32)
        .map(|n| {
            let place = DVec3::new(f64::from(n % 8), f64::from(n / 8 % 8), f64::from(n / 64)) * 1.5 - 5.25;
            let pace = if n % 10 == 3 { 8.0 } else { 1.0 };
            let body = match n % 40 {
                7 => Body::cuboid(half, 1.0),
                9 => Body::sphere(0.1, 0.1),
                _ => Body::sphere(0.4 + 0.1 * random.unit(), 1.0),
            };
            body.unwrap().at(place).moving(random.vector(1.0) * pace)
        })
        .collect();
    if round.is_multiple_of(2) {
        bodies.truncate(200);
    }
    if periods[1].is_none() && round % 3 == 1 {
        bodies.extend([(DVec3::Y, -6.0), (-DVec3::Y, -6.0)].map(|(normal, at)| Body::plane(normal, at).unwrap()));
    }
    Stepper::new(Settings { space: Space { periods, ..Space::default() }, ..Settings::default() }, &bodies).unwrap()
}

/// The same without a cell list.
fn without_cell_list(stepper: &Stepper) -> Stepper {
    let mut other = stepper.clone();
    let space = other.sim.scene.settings.space;
    other.sim.broadphase = Broadphase::with_cell_list(None, &other.sim.scene.rows, &space, other.sim.scene.now);
    other.predict_all();
    other
}

/// Checks that all nearby bodies are neighbours, for all pairs and their nearest images.
fn check_neighbours(stepper: &Stepper) {
    let (rows, space) = (&stepper.sim.scene.rows, &stepper.sim.scene.settings.space);
    let ball = |id: BodyId| matches!(rows.shape(id), Shape::Sphere(_)).then(|| rows.shape(id).half_extents().x);
    for id in rows.ids() {
        let known: Vec<BodyId> = stepper.sim.broadphase.pairs(id).map(|pair| pair.other(id)).collect();
        for other in rows.ids().filter(|&other| other != id) {
            let (Some(one), Some(two)) = (ball(id), ball(other)) else { continue };
            let offset =
                rows.path(other).position_at(stepper.sim.scene.now) - rows.path(id).position_at(stepper.sim.scene.now);
            let nearest = DVec3::from_array(std::array::from_fn(|axis| {
                space.periods[axis].map_or(offset[axis], |period| {
                    let length = period.length();
                    offset[axis] - length * floor(offset[axis] / length + 0.5) as f64
                })
            }));
            assert!(nearest.length() > one + two || known.contains(&other), "{id:?} {other:?}");
        }
    }
}

#[test]
fn domains_change_no_result() {
    let mut counts = [0; 3];
    for round in if std::env::var_os("CAROM_THOROUGH").is_some() { 0..18 } else { 0..6 } {
        let mut stepper = scene(round);
        let mut other = without_cell_list(&stepper);
        for step in 1..60 {
            let before: Vec<_> = stepper.sim.scene.rows.ids().map(|id| stepper.sim.broadphase.cell(id)).collect();
            let target = SimTime::from_seconds(0.1 * f64::from(step));
            let [one, two] = [&mut stepper, &mut other].map(|stepper| {
                stepper.advance(target, usize::MAX).unwrap();
                let states: Vec<_> = stepper.sim.scene.rows.ids().map(|id| stepper.state(id)).collect();
                (stepper.take_events(), states)
            });
            assert_eq!(one, two, "round {round}, step {step}");
            check_neighbours(&stepper);
            let after = stepper.sim.scene.rows.ids().map(|id| stepper.sim.broadphase.cell(id));
            for (before, after) in before.into_iter().zip(after) {
                counts[0] += usize::from(before.is_some() && after.is_some() && before != after);
                counts[1] += usize::from(before.is_some() && after.is_none());
                counts[2] += usize::from(before.is_none() && after.is_some());
            }
        }
    }
    // Balls move from cell to cell, leave the cell list where it is empty, and come back.
    assert!(counts[0] > 300 && counts[1] > 30 && counts[2] > 3, "{counts:?}");
}

/// One of the balls in the cells has a cluster of others, far smaller than a cell, in its domain.
#[test]
fn a_ball_with_far_too_many_neighbours_leaves_its_cell_for_good() {
    let place =
        |n: u32, side: u32| DVec3::new(f64::from(n % side), f64::from(n / side % side), f64::from(n / side / side));
    let mut random = Random::from_state(91);
    let large = (0..1000).map(|n| Body::sphere(0.5, 1.0).unwrap().at(place(n, 10) * 5.0));
    let mut bodies: Vec<Body> = large.map(|body| body.moving(random.vector(1.0))).collect();
    let corner = DVec3::splat(21.7);
    bodies.extend((0..512).map(|n| Body::sphere(0.05, 0.1).unwrap().at(corner + place(n, 8) * 0.2)));
    let mut stepper = Stepper::new(Settings::default(), &bodies).unwrap();
    let ids = || (0..1000).map(BodyId);
    let listed = |stepper: &Stepper, id| stepper.sim.broadphase.neighbour_lists.count(id);
    assert!(ids().any(|id| listed(&stepper, id) > NEIGHBOURS_MAX && stepper.sim.broadphase.cell(id).is_some()));
    stepper.advance(SimTime::from_seconds(0.1), usize::MAX).unwrap();
    assert!(ids().all(|id| listed(&stepper, id) <= NEIGHBOURS_MAX));
    assert!(ids().any(|id| stepper.sim.broadphase.cell(id).is_some()));
    check_neighbours(&stepper);
}

/// Most domain exits per body and per body of an event, in worlds that are mostly empty. Without neighbours each domain
/// is 1.5 times as wide as the one before, so a body crosses 10¹⁰ of its radii in 57 domains. It leaves some more where
/// others are near.
const EXITS_MAX: usize = 80;

/// A world of a few hundred bodies in a large void, and the end of its run, s.
type Void = (&'static str, Stepper, f64);

/// Checks that a world costs by its bodies and events, not by the space that its bodies cross.
fn check_exits((name, mut stepper, end): Void) {
    let (target, mut exits, mut events) = (SimTime::from_seconds(end), 0, 0);
    let most = |stepper: &Stepper, events: usize| EXITS_MAX * (stepper.sim.scene.rows.count() + 2 * events);
    while let Some((_, next)) = stepper.queue.first_until(target) {
        exits += usize::from(next.kind == Kind::Domain);
        stepper.advance(next.time, usize::MAX).unwrap();
        events += stepper.take_events().len();
        // Without an end here, a failure would take minutes.
        assert!(exits <= most(&stepper, events), "{name}: {exits} exits, {events} events at {} s", next.time);
    }
    stepper.advance(target, usize::MAX).unwrap();
    assert!(events > 0, "{name}");
    check_neighbours(&stepper);
}

fn world(bodies: &[Body]) -> Stepper {
    Stepper::new(Settings::default(), bodies).unwrap()
}

/// A bullet at each wall of a row, from 5 km away in all directions across the row.
fn bullets(count: u32) -> Vec<Body> {
    let mut random = Random::from_state(5);
    let wall = Body::cuboid(DVec3::new(5e-6, 4.0, 4.0), 1.0).unwrap().fixed();
    let pair = (0..count).flat_map(|n| {
        let place = DVec3::Y * (10.0 * f64::from(n));
        let across = DVec3 { y: 0.0, ..random.vector(1.0) };
        let direction = across / across.length();
        let bullet = Body::sphere(0.01, 1.0).unwrap().at(place - direction * 5e3).moving(direction * 1e6);
        [wall.clone().at(place), bullet]
    });
    pair.collect()
}

/// Pairs that fly at each other, 10 m from pair to pair, with speeds from `slowest` to 10⁴ times as much, m/s. The
/// fastest meet after `way` metres each. If all pairs meet `together`, the slow ones are close at the start; else all
/// pairs have that way.
fn pairs(count: u32, (slowest, way): (f64, f64), together: bool, body: fn(u32) -> Body) -> Vec<Body> {
    let pair = (0..count).flat_map(|n| {
        let square = f64::from(n * n) / f64::from((count - 1) * (count - 1));
        let speed = slowest * (1.0 + 9999.0 * square * square);
        let start = if together { way * speed / (1e4 * slowest) } else { way } + 0.1;
        let place = DVec3::Z * (10.0 * f64::from(n));
        [-1.0, 1.0].map(|side| body(n).at(place + DVec3::X * (side * start)).moving(DVec3::X * (-side * speed)))
    });
    pair.collect()
}

/// A cube of balls that fly apart, of radii that `radius` gives.
fn burst(side: u32, speed: f64, radius: fn(u32) -> f64) -> Vec<Body> {
    let mut random = Random::from_state(6);
    let ball = |n: u32| {
        let place = [n % side, n / side % side, n / side / side].map(|x| 1.2 * f64::from(x));
        Body::sphere(radius(n), 1.0).unwrap().at(DVec3::from_array(place)).moving(random.vector(speed))
    };
    (0..side * side * side).map(ball).collect()
}

#[test]
fn empty_space_costs_nothing() {
    let ball = |_| Body::sphere(0.01, 1.0).unwrap();
    let cube = |_| Body::cuboid(DVec3::splat(0.01), 1.0).unwrap();
    let mixed = |n: u32| Body::sphere([0.001, 0.01, 0.1, 1.0][n as usize % 4], 1.0).unwrap();
    let fall = Settings { gravity: DVec3::NEG_Z * 9.81, ..Settings::default() };
    let falling = Stepper::new(fall, &pairs(200, (1e2, 1e3), true, ball)).unwrap();
    let mut later = world(&pairs(100, (1e2, 8e3), true, ball));
    for body in pairs(100, (1e2, 8e3), false, ball) {
        let place = body.position + DVec3::Y * 5.0;
        later.spawn(&body.at(place)).unwrap();
    }
    let worlds: [Void; 12] = [
        ("200 bullets", world(&bullets(200)), 0.0166),
        ("1,000 bullets", world(&bullets(1000)), 0.0166),
        ("pairs", world(&pairs(200, (1e2, 8e3), false, ball)), 80.0),
        ("pairs that meet together", world(&pairs(200, (1e2, 8e3), true, ball)), 0.1),
        ("slow pairs", world(&pairs(200, (1e-3, 8.0), true, ball)), 1e6),
        ("boxes", world(&pairs(200, (1e2, 8e3), false, cube)), 80.0),
        ("balls of four sizes", world(&pairs(200, (1e2, 8e3), false, mixed)), 80.0),
        ("falling pairs", falling, 0.1),
        ("bodies that come later", later, 80.0),
        ("a gas that flies apart", world(&burst(8, 1.0, |_| 0.5)), 1e5),
        ("a fast one", world(&burst(8, 1e6, |_| 0.5)), 1.0),
        ("a few large balls among tiny ones", world(&burst(8, 1.0, |n| if n % 10 == 0 { 0.5 } else { 0.02 })), 1e5),
    ];
    worlds.into_iter().for_each(check_exits);
}
