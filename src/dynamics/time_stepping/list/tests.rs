//! Tests of the list of candidate pairs, against all pairs by brute force.

use super::*;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::dynamics::time_stepping::membership::found;
use crate::dynamics::{Body, Period, Settings, Space, Stepper};
use crate::geometry::Shape;
use crate::motion::SimTime;
use crate::numeric::tolerance::BYSTANDER_REACH;
use crate::random::Random;

const WALL_REACH: f64 = 0.15;

/// Balls and boxes in motion, some of them fixed or of prescribed velocity, above a half-space if there is an open
/// axis. In a small periodic space a body is near several images of another.
fn scene(round: u64, edge: u32, periodic: [bool; 3]) -> Stepper {
    let mut random = Random::new(round);
    let half = 0.5 * f64::from(edge);
    let body = |n: u32| {
        let place = DVec3::new(f64::from(n % edge), f64::from(n / edge % edge), f64::from(n / edge / edge));
        let size = DVec3::new(random.between(0.1, 0.4), random.between(0.1, 0.4), random.between(0.1, 0.4));
        let is_box = random.below(3) == 0;
        let body = if is_box { Body::cuboid(size, 1.0) } else { Body::sphere(size.x, 1.0) };
        let body = body.unwrap().at(place - half + 0.5 + random.vector(0.09)).moving(random.vector(1.0));
        match random.below(8) {
            0 => body.fixed(),
            1 => body.kinematic(),
            _ => body,
        }
    };
    let mut bodies: Vec<Body> = (0..edge * edge * edge).map(body).collect();
    if !periodic[2] {
        bodies.push(Body::plane(DVec3::Z, -half - 0.1).unwrap());
    }
    let periods = periodic.map(|is_periodic| is_periodic.then_some(Period { min: -half, max: half }));
    let settings = Settings {
        gravity: DVec3::new(1.0, 2.0, -3.0),
        space: Space { periods, ..Space::default() },
        ..Settings::default()
    };
    let mut stepper = Stepper::new(settings, &bodies).unwrap();
    // By then some bodies have crossed a periodic boundary.
    stepper.advance(SimTime::from_seconds(0.3), usize::MAX).unwrap();
    stepper
}

/// Makes an island of about five sixths of the free bodies, each with its own reach.
fn island(stepper: &mut Stepper, random: &mut Random, scale: f64) -> (SteppedIsland, Vec<f64>) {
    let sim = &mut stepper.sim;
    let rows = &sim.scene.rows;
    let chosen: Vec<BodyId> = rows.ids().filter(|&id| rows.is_free(id) && random.below(6) > 0).collect();
    found(sim, &chosen).unwrap();
    let island = sim.time_stepping.take(0);
    let reaches =
        island.members.iter().map(|_| [0.01, 0.1, random.between(0.0, 0.25)][random.below(3)] * scale).collect();
    (island, reaches)
}

/// Searches the pairs of all members. Returns the bodies of the contacts whose end was logged.
fn list_all(sim: &mut Simulation, island: &mut SteppedIsland, reaches: &[f64], wall_reach: f64) -> Vec<Pair> {
    let reaches: Vec<Reach> = reaches.iter().map(|&from_now| Reach { from_now, is_new: true }).collect();
    sim.log.events.clear();
    look_for_pairs(sim, 0, island, &reaches, wall_reach);
    island.order_list();
    sim.log.events.drain(..).map(|event| Pair::new(event.a, event.b, [0; 3])).collect()
}

fn sorted(mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.sort_unstable();
    pairs
}

/// A pair that brute force finds, with its height.
struct Expected {
    key: (Pair, u32),
    /// Of two boxes, the gap along one axis, m.
    gap: f64,
    /// The distance of the two, m: larger than the gap where edges of boxes face each other.
    distance: f64,
    /// A pair that is nearer than this has to be listed, m.
    most: f64,
    height: f64,
}

/// All pairs of a member with the images of other bodies within two periods.
fn all_pairs(sim: &Simulation, island: &SteppedIsland, reaches: &[f64]) -> Vec<Expected> {
    let Scene { rows, settings, now, .. } = &sim.scene;
    let up = -settings.gravity / settings.gravity.length();
    let mut all = Vec::new();
    for (place, &id) in island.members.iter().enumerate() {
        for other in rows.ids().filter(|&other| other != id) {
            let there = island.place(other);
            // The member of the larger reach gives the height; of equal ones, the later one.
            if there.is_some_and(|there| (reaches[there], other) > (reaches[place], id)) {
                continue;
            }
            let own = reaches[place];
            let most = match there {
                Some(there) => own + reaches[there],
                None if rows.is_free(other) => {
                    2.0 * own + BYSTANDER_REACH * rows.shape(id).half_extents().max_element()
                }
                None if rows.moves(other) => own + WALL_REACH,
                None => own,
            };
            let is_plane = matches!(rows.shape(other), Shape::Plane(_));
            let far = |axis: usize| if is_plane || settings.space.periods[axis].is_none() { 0..=0 } else { -2..=2 };
            for x in far(0) {
                for (y, z) in far(1).flat_map(|y| far(2).map(move |z| (y, z))) {
                    let pair = Pair::new(id, other, [x, y, z]);
                    let offset = pair.motion(rows, &settings.space, *now).position;
                    let (gap, normal) = sim.scene.gap_of(pair, 0, offset, DVec3::ZERO).unwrap();
                    let outward = if pair.a == id { normal } else { -normal };
                    let support = rows.shape(id).half_extents() * outward;
                    let height = up.dot(rows.path(id).position_at(*now) + support);
                    let distance = match sim.scene.solids(pair, 0) {
                        [Solid::Box(a), Solid::Box(b)] => (offset.abs() - a - b).max(DVec3::ZERO).length(),
                        _ => gap,
                    };
                    all.push(Expected { key: (pair.absolute(rows), 0), gap, distance, most, height });
                }
            }
        }
    }
    all
}

#[test]
fn all_near_pairs_are_listed_from_the_lowest_to_the_highest() {
    let (mut images, mut listed) = (0, 0);
    let (no, yes) = (false, true);
    let spaces =
        [(5, [no; 3]), (5, [yes; 3]), (6, [yes, no, no]), (5, [no, yes, yes]), (2, [yes; 3]), (2, [yes, yes, no])];
    for (round, (edge, periodic)) in spaces.into_iter().cycle().take(24).enumerate() {
        let mut stepper = scene(round as u64, edge, periodic);
        let (mut island, reaches) =
            island(&mut stepper, &mut Random::new(round as u64), if edge < 5 { 3.0 } else { 1.0 });
        let ended = list_all(&mut stepper.sim, &mut island, &reaches, WALL_REACH);
        assert!(ended.is_empty());
        let mut expected = all_pairs(&stepper.sim, &island, &reaches);
        expected.retain(|pair| pair.gap < pair.most);
        expected.sort_by(|x, y| x.height.total_cmp(&y.height).then(x.key.cmp(&y.key)));
        let found: Vec<(Pair, u32)> = island.list.pairs.iter().map(ListedPair::key).collect();
        for pair in &expected {
            let (is_near, key) = (pair.distance < pair.most, pair.key);
            assert!(!is_near || found.contains(&key), "round {round}: {key:?} at {} of {}", pair.distance, pair.most);
        }
        expected.retain(|pair| found.contains(&pair.key));
        let keys: Vec<(Pair, u32)> = expected.iter().map(|pair| pair.key).collect();
        // No pair twice, none that is far, and all in order.
        assert_eq!(found, keys, "round {round}");
        let sorted = sorted(found.iter().map(|key| key.0).collect());
        images += sorted.windows(2).filter(|two| (two[0].a, two[0].b) == (two[1].a, two[1].b)).count();
        listed += found.len();
        // Places and the bodies outside.
        let outside = &island.list.outside;
        assert!(outside.windows(2).all(|two| two[0] < two[1]) && outside.iter().all(|&id| island.place(id).is_none()));
        for of in &island.list.pairs {
            assert_eq!(of.ends.map(|end| island.body(end as usize)), [of.pair.a, of.pair.b]);
        }
        assert_eq!((&island.list.reaches, island.list.moved.len()), (&reaches, reaches.len()));
    }
    assert!(images > 10 && listed > 500, "{images} {listed}");
}

#[test]
fn a_list_made_again_is_the_same() {
    for round in 0..8 {
        let mut stepper = scene(round, 5, [round % 2 == 0; 3]);
        let (mut island, reaches) = island(&mut stepper, &mut Random::new(round), 1.0);
        list_all(&mut stepper.sim, &mut island, &reaches, WALL_REACH);
        // Forces and what is logged stay.
        let force = |normal| ContactImpulse { normal, tangential: DVec3::X * normal, ..ContactImpulse::default() };
        island.list.forces = [1.0, 2.0].map(force).into();
        for (n, listed) in island.list.pairs.iter_mut().enumerate() {
            listed.force = [NO_CONTACT, 0, 1][n % 3];
            listed.is_logged = n % 2 == 0;
        }
        let first = island.clone();
        let ended = list_all(&mut stepper.sim, &mut island, &reaches, WALL_REACH);
        assert_eq!((&island, ended), (&first, Vec::new()), "round {round}");
        island.discard_list();
        list_all(&mut stepper.sim, &mut island, &reaches, WALL_REACH);
        assert_eq!(island, first, "round {round}");
        // With smaller reaches, a part of the list remains. The end is logged for each contact that was in the log and
        // is no longer listed.
        let ended = list_all(&mut stepper.sim, &mut island, &vec![0.0; reaches.len()], 0.0);
        let stays = |listed: &&ListedPair| island.list.pairs.iter().any(|other| other.key() == listed.key());
        let (kept, gone): (Vec<&ListedPair>, Vec<&ListedPair>) = first.list.pairs.iter().partition(stays);
        assert_eq!(island.list.pairs.len(), kept.len(), "round {round}");
        for listed in &island.list.pairs {
            let before = kept.iter().find(|other| other.key() == listed.key()).unwrap();
            assert_eq!((listed.force, listed.is_logged), (before.force, before.is_logged));
        }
        let ends = |listed: &&&ListedPair| Pair::new(listed.pair.a, listed.pair.b, [0; 3]);
        let logged: Vec<Pair> = gone.iter().filter(|listed| listed.is_logged).map(|listed| ends(&listed)).collect();
        assert_eq!(sorted(ended), sorted(logged.clone()), "round {round}");
        assert!(logged.len() > 10, "round {round}");
    }
}

#[test]
fn pairs_of_equal_height_have_the_order_of_their_bodies() {
    let place = |n: u32| DVec3::new(f64::from(n * 7 % 5), f64::from(n * 3 % 4), 0.5) * 0.99;
    let mut bodies: Vec<Body> = (0..20).map(|n| Body::sphere(0.4, 1.0).unwrap().at(place(n))).collect();
    bodies.push(Body::plane(DVec3::Z, 0.0).unwrap());
    let settings = Settings { gravity: -DVec3::Z, ..Settings::default() };
    let mut sim = Stepper::new(settings, &bodies).unwrap().sim;
    let free: Vec<BodyId> = (0..20).rev().map(BodyId).collect();
    found(&mut sim, &free).unwrap();
    let mut island = sim.time_stepping.take(0);
    list_all(&mut sim, &mut island, &[0.2; 20], 0.0);
    let is_floor = |listed: &&ListedPair| listed.pair.b == BodyId(20);
    let floor: Vec<u32> = island.list.pairs.iter().take_while(is_floor).map(|listed| listed.pair.a.0).collect();
    assert_eq!(floor, (0..20).collect::<Vec<_>>());
    let above: Vec<Pair> = island.list.pairs[20..].iter().map(|listed| listed.pair).collect();
    assert!(above.len() == 31 && above.is_sorted(), "{above:?}");
}

#[test]
fn pairs_of_some_members_are_looked_for_and_the_others_stay() {
    let (mut kept, mut new) = (0, 0);
    for round in 0..12 {
        let mut stepper = scene(round, 5, [round % 2 == 0; 3]);
        let mut random = Random::new(round);
        let (mut island, reaches) = island(&mut stepper, &mut random, 1.0);
        list_all(&mut stepper.sim, &mut island, &reaches, WALL_REACH);
        let first = island.list.pairs.clone();
        // Members that keep their reach have not moved, so their reach from now on is the same.
        let from_now: Vec<Reach> = reaches
            .iter()
            .map(|&reach| match random.below(3) {
                0 => Reach { from_now: random.between(0.0, 0.3), is_new: true },
                _ => Reach { from_now: reach, is_new: false },
            })
            .collect();
        look_for_pairs(&mut stepper.sim, 0, &mut island, &from_now, WALL_REACH);
        island.order_list();
        let is_new = |id: BodyId| island.place(id).is_some_and(|place| from_now[place].is_new);
        let has = |list: &[ListedPair], key: (Pair, u32)| list.iter().any(|listed| listed.key() == key);
        for listed in first.iter().filter(|listed| !is_new(listed.pair.a) && !is_new(listed.pair.b)) {
            assert!(has(&island.list.pairs, listed.key()), "round {round}: {listed:?}");
            kept += 1;
        }
        let reaches: Vec<f64> = from_now.iter().map(|reach| reach.from_now).collect();
        for pair in all_pairs(&stepper.sim, &island, &reaches) {
            if (is_new(pair.key.0.a) || is_new(pair.key.0.b)) && pair.distance < pair.most {
                assert!(has(&island.list.pairs, pair.key), "round {round}: {:?} at {}", pair.key, pair.distance);
                new += 1;
            }
        }
        let mut keys: Vec<_> = island.list.pairs.iter().map(ListedPair::key).collect();
        keys.sort_unstable();
        assert!(keys.windows(2).all(|two| two[0] != two[1]) && island.list.pairs.is_sorted_by_key(|pair| pair.height));
    }
    assert!(kept > 200 && new > 300, "{kept} {new}");
}

/// Two cubes of half edge 1: the gaps along the axes, the displacement, and the axis that counts.
#[test]
fn boxes_are_kept_apart_along_the_axis_that_separates_them_best() {
    let (still, v) = (DVec3::ZERO, DVec3::new);
    for (gaps, displacement, axis) in [
        // Face to face, also with an overlap, and with a gap that is about to close.
        (v(-1.0, -1.0, 0.5), still, 2),
        (v(-1.0, -1.0, 0.5), v(0.0, 0.0, -1.0), 2),
        (v(-1.0, -0.2, -0.5), still, 1),
        // Edge to edge, and corner to corner.
        (v(0.3, -1.0, 0.4), still, 2),
        (v(0.6, 0.5, 0.4), still, 0),
        // A box that slides over the other one does not hit its side. A box that falls past does not hit its top.
        (v(0.5, -1.0, 0.4), v(-0.5, 0.0, 0.0), 2),
        (v(0.3, -1.0, 0.4), v(0.0, 0.0, -0.5), 0),
        (v(0.3, -1.0, 0.4), v(-0.4, 0.0, -0.6), 0),
    ] {
        for sides in (0..8).map(|n| DVec3::from_array([1, 2, 4].map(|bit| if n & bit == 0 { 1.0 } else { -1.0 }))) {
            let (gap, normal) = facing(DVec3::splat(2.0), (gaps + 2.0) * sides, displacement * sides);
            assert_eq!(normal, DVec3::AXES[axis] * sides, "{gaps} {displacement}");
            assert!((gap - gaps[axis]).abs() <= 1e-15, "{gaps} {displacement}: {gap}");
        }
    }
}
