//! The vector code and single pairs find the same events.

use std::sync::Arc;

use glam::DVec3;

use super::*;
use crate::dynamics::prediction::simd::first::NEVER;
use crate::dynamics::{Body, Period, Settings, Space, Stepper};
use crate::geometry::Mesh;
use crate::numeric::lane::LANES;
use crate::numeric::tolerance::DOMAIN_SLACK;
use crate::random::Random;

/// The number of pairs of ballistic spheres decided by the vector code, and the number it left undecided.
fn compare(stepper: &Stepper) -> [usize; 2] {
    let (rows, mut counts) = (&stepper.sim.scene.rows, [0; 2]);
    for id in rows.ids().filter(|&id| rows.records.is_ballistic_sphere(id)) {
        let own = rows.records.get(id);
        for pair in stepper.sim.broadphase.pairs(id).filter(|pair| rows.records.is_ballistic_sphere(pair.other(id))) {
            let (mut undecided, other) = (false, pair.other(id));
            let (ids, decide) = ([other; LANES], &mut |_: usize, _: &First| undecided = true);
            let query = Query { own, others: NeighbourBlocks::new(&ids, 1), around_boxes: f64::INFINITY };
            let found = first_meetings(query, &rows.records, stepper.sim.scene.now, decide);
            if undecided {
                counts[1] += 1;
                continue;
            }
            let start = own.epoch().max(rows.records.get(other).epoch());
            let in_lane = (found.after < NEVER).then(|| {
                let time = start.plus(found.time);
                assert!((time.since(own.epoch()) - found.after).abs() <= DOMAIN_SLACK * (1.0 + found.after));
                (time, Kind::Impact)
            });
            assert_eq!(in_lane, stepper.sim.scene.predict(pair, SimTime::NEVER), "{id:?} {pair:?}");
            counts[0] += 1;
        }
    }
    counts
}

/// Checks that the event queued for a body is the first of those found pair by pair.
fn check_first(stepper: &mut Stepper, id: BodyId) {
    let mut predictor = stepper.predictor();
    predictor.predict(id);
    let [lanes, single] = [predictor.queue.pair_event(id), predictor.earliest_of_any(id)];
    assert_eq!(lanes.prediction, single.prediction, "{:?} of {id:?}", predictor.scene.rows.shape(id));
}

/// Balls of radius 0.2 to 0.5 in a cube of edge 8 that repeats or is between two half-spaces.
fn gas(round: u32, gravity: f64, repeats: bool) -> Stepper {
    let mut random = Random::from_state(u64::from(round) + 7);
    let period = Some(Period { min: -4.0, max: 4.0 });
    let periods = if repeats { [period; 3] } else { [period, period, None] };
    let settings = Settings {
        gravity: DVec3::new(0.0, 0.0, -gravity),
        space: Space { periods, ..Space::default() },
        ..Settings::default()
    };
    let mut bodies: Vec<Body> = (0..216)
        .map(|n| {
            let cell = DVec3::new(f64::from(n % 6), f64::from(n / 6 % 6), f64::from(n / 36));
            let velocity = if round.is_multiple_of(3) { random.vector(1.0).round() } else { random.vector(1.0) };
            let radius = 0.2 + 0.3 * random.unit();
            let place = (cell - 2.5) * 1.3;
            Body::sphere(radius, radius).unwrap().at(place).moving(velocity)
        })
        .collect();
    if !repeats {
        bodies.extend([(DVec3::Z, -4.5), (-DVec3::Z, -4.5)].map(|(n, at)| Body::plane(n, at).unwrap()));
    }
    Stepper::new(settings, &bodies).unwrap().without_gas()
}

#[test]
fn vector_code_finds_the_same_bits_as_single_pairs() {
    for (round, gravity, repeats) in [(0, 0.0, true), (1, 0.0, true), (2, 1.0, true), (3, 0.0, false), (4, 1.0, false)]
    {
        let mut stepper = gas(round, gravity, repeats);
        let mut counts = [0; 2];
        for step in 1..60 {
            stepper.advance(SimTime::from_seconds(0.07 * f64::from(step)), usize::MAX).unwrap();
            let [looked, undecided] = compare(&stepper);
            counts = [counts[0] + looked, counts[1] + undecided];
        }
        // Grazing, contact and equal velocities are left undecided; in a gas they are rare.
        assert!(counts[0] > 10_000 && counts[1] * 10 < counts[0], "{round}: {counts:?}");
    }
}

/// Balls on a lattice of spacing 1.3 in a periodic cube, and boxes among them that fit into balls of twice their half
/// edges. `radii` are those of two kinds of balls.
fn boxes_among_balls(side: u32, radii: [f64; 2], half: f64, gravity: f64) -> Stepper {
    let mut random = Random::from_state(11);
    let space = Space { periods: [Some(Period { min: 0.0, max: 1.3 * f64::from(side) }); 3], ..Space::default() };
    let bodies: Vec<Body> = (0..side * side * side)
        .map(|n| {
            let cell = [n % side, n / side % side, n / side / side].map(|n| f64::from(n) + 0.5);
            let body = match n % 8 {
                3 => Body::cuboid(DVec3::new(1.0, 1.2, 1.2) * half, 1.0),
                n => Body::sphere(radii[n as usize % 2], 1.0),
            };
            body.unwrap().at(DVec3::from_array(cell) * 1.3).moving(random.vector(1.0))
        })
        .collect();
    Stepper::new(Settings { gravity: DVec3::Z * -gravity, space, ..Settings::default() }, &bodies).unwrap()
}

#[test]
fn boxes_among_balls_are_predicted_as_single_pairs() {
    // In cells, also under gravity, in a dense gas, with boxes larger than the balls, and with balls of two sizes.
    for (side, radii, half, gravity) in [
        (8, [0.45, 0.45], 0.22, 0.0),
        (8, [0.45, 0.45], 0.22, 1.0),
        (11, [0.64, 0.64], 0.32, 0.0),
        (8, [0.4, 0.4], 0.3, 0.0),
        (8, [0.4, 0.4], 0.3, 1.0),
        (8, [0.5, 0.4], 0.3, 0.0),
        (8, [0.5, 0.4], 0.32, 1.0),
    ] {
        let mut stepper = boxes_among_balls(side, radii, half, gravity);
        let mut boxes = 0;
        for step in 1..12 {
            stepper.advance(SimTime::from_seconds(0.05 * f64::from(step)), usize::MAX).unwrap();
            for id in stepper.sim.scene.rows.ids() {
                check_first(&mut stepper, id);
                boxes += usize::from(stepper.predictor().is_box_among_balls(id));
            }
        }
        assert!(boxes > 100, "{boxes} boxes at {radii:?}, {half}");
    }
}

#[test]
fn the_queued_event_is_the_first_of_all() {
    let mut stepper = gas(5, 0.0, true);
    for step in 1..60 {
        stepper.advance(SimTime::from_seconds(0.07 * f64::from(step)), usize::MAX).unwrap();
        for id in stepper.sim.scene.rows.ids() {
            check_first(&mut stepper, id);
        }
    }
}

/// Balls that fall on a mesh with hollows, and on each other.
fn balls_over_a_mesh() -> Stepper {
    let mut random = Random::from_state(5);
    let corners = (0..81).map(|n| DVec3::new(f64::from(n % 9), f64::from(n / 9), random.unit())).collect::<Vec<_>>();
    let cells = (0..72_u32).filter(|n| n % 9 < 8);
    let triangles = cells.flat_map(|n| [[n, n + 1, n + 9], [n + 1, n + 10, n + 9]]).collect::<Vec<_>>();
    let mut bodies = vec![Body::mesh(Arc::new(Mesh::new(&corners, &triangles).unwrap()))];
    bodies.extend((0..64).map(|n| {
        let place = DVec3::new(f64::from(n % 4), f64::from(n / 4 % 4), f64::from(n / 16)) + 1.5;
        Body::sphere(0.4, 1.0).unwrap().at(place).moving(random.vector(1.0))
    }));
    Stepper::new(Settings { gravity: DVec3::Z * -1.0, ..Settings::default() }, &bodies).unwrap()
}

#[test]
fn a_search_in_a_mesh_that_ends_early_finds_the_same_first_event() {
    let mut stepper = balls_over_a_mesh();
    let mut hits = 0;
    for step in 1..40 {
        stepper.advance(SimTime::from_seconds(0.05 * f64::from(step)), usize::MAX).unwrap();
        for id in stepper.sim.scene.rows.ids().skip(1) {
            let mut predictor = stepper.predictor();
            predictor.predict(id);
            let queued = predictor.queue.pair_event(id).prediction;
            let (scene, broadphase) = (predictor.scene, &*predictor.broadphase);
            let whole = |pair: Pair| predictor.prediction(pair, SimTime::NEVER);
            let first = broadphase.pairs(id).filter_map(whole).reduce(|x, y| if y.precedes(&x) { y } else { x });
            assert_eq!(queued, first.unwrap_or(Prediction::never(id)), "step {step}, {id:?}");
            let on_mesh = broadphase.pairs(id).filter(|&pair| scene.has_outline(pair)).filter_map(whole);
            for next in on_mesh.filter(|next| next.kind == Kind::Impact) {
                assert_eq!(scene.predict(next.pair, next.time), Some((next.time, next.kind)));
                assert_eq!(scene.predict(next.pair, next.time.plus(-1e-3)), None);
                hits += 1;
            }
        }
    }
    assert!(hits > 500, "{hits} impacts");
}

/// A contact update of one of two bodies takes no event from before it, where they touch to rounding.
#[test]
fn what_touches_meets_before_the_next_contact_update() {
    let mut random = Random::from_state(5);
    let mut met = 0;
    for _ in 0..2000 {
        let [place, side] = [random.between(0.0, 1.0), random.between(0.1, 0.4)];
        let ball = Body::sphere(0.3, 1.0).unwrap().at(DVec3::Z * (place + side + 0.3)).moving(DVec3::NEG_Z);
        let block = Body::cuboid(DVec3::splat(side), 1.0).unwrap().at(DVec3::Z * place).fixed();
        let settings = Settings { gravity: DVec3::new(3.0, 0.0, 1.0), ..Settings::default() };
        let mut stepper = Stepper::new(settings, &[ball, block]).unwrap();
        let (pair, due) = (Pair::new(BodyId(0), BodyId(1), [0; 3]), SimTime::ZERO.plus(4e-18));
        let first = stepper.sim.scene.predict(pair, SimTime::NEVER).filter(|&(time, _)| time <= due);
        stepper.sim.scene.set_due(BodyId(0), due);
        assert_eq!(
            stepper.sim.scene.predict(pair, SimTime::NEVER).filter(|&(time, _)| time <= due),
            first,
            "{place} {side}"
        );
        met += usize::from(first.is_some());
    }
    assert!(met > 1000, "{met} of 2000 meet");
}
