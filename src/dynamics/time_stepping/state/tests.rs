//! Tests of the state as plain data, and worlds for the tests of time steps.

use glam::DVec3;

use super::*;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::time_stepping::island::{Step, StepImpact};
use crate::dynamics::time_stepping::membership::found;
use crate::dynamics::{Body, Friction, FrictionLength, Material, Restitution, Settings, Stepper};
use crate::random::Random;

/// Gravity and a single material.
pub(in crate::dynamics::time_stepping) fn settings(restitution: f64, friction: f64) -> Settings {
    resisting(restitution, friction, 0.0)
}

/// The same with friction against rolling and spinning, m.
pub(in crate::dynamics::time_stepping) fn resisting(restitution: f64, friction: f64, length: f64) -> Settings {
    let mut settings = Settings { gravity: -DVec3::Z * 10.0, ..Settings::default() };
    let (restitution, friction) = (Restitution::new(restitution).unwrap(), Friction::new(friction).unwrap());
    let length = FrictionLength::new(length).unwrap();
    let turning = Material { rolling_friction: length, spinning_friction: length, ..restitution.into() };
    settings.materials.add(Material { friction, ..turning });
    settings
}

/// Balls and boxes of half extent 0.1 m and unequal masses above a floor, between four walls; all have the material
/// of [`settings`].
pub(in crate::dynamics::time_stepping) fn pit(seed: u64, count: u32) -> Vec<Body> {
    let (mut random, material) = (Random::new(seed), crate::dynamics::MaterialId(1));
    let body = |n: u32| {
        let place = DVec3::new(f64::from(n % 3), f64::from(n / 3 % 3), f64::from(n / 9)) * 0.25;
        let mass = 1.0 + random.unit();
        let body = if n % 4 == 3 { Body::cuboid(DVec3::splat(0.1), mass) } else { Body::sphere(0.1, mass) };
        let place = place + DVec3::new(-0.25, -0.25, 0.12) + random.vector(0.02);
        body.unwrap().at(place).moving(random.vector(0.5)).spinning(random.vector(2.0))
    };
    let mut bodies: Vec<Body> = (0..count).map(body).collect();
    let sides = [(DVec3::Z, 0.0), (DVec3::X, -0.4), (-DVec3::X, -0.4), (DVec3::Y, -0.4), (-DVec3::Y, -0.4)];
    bodies.extend(sides.map(|(normal, offset)| Body::plane(normal, offset).unwrap()));
    bodies.into_iter().map(|body| body.made_of(material)).collect()
}

/// A world in which all free bodies are in the island with number 0, before its first step.
pub(in crate::dynamics::time_stepping) fn with_island(settings: Settings, bodies: &[Body]) -> Stepper {
    let mut stepper = Stepper::new(settings, bodies).unwrap();
    found_of_all(&mut stepper);
    stepper
}

/// Puts all free bodies into one island with number 0.
pub(in crate::dynamics::time_stepping) fn found_of_all(stepper: &mut Stepper) {
    let rows = &stepper.sim.scene.rows;
    let free: Vec<BodyId> = rows.ids().filter(|&id| rows.is_free(id)).collect();
    found(&mut stepper.sim, &free).unwrap();
    free.iter().for_each(|&id| stepper.sim.scene.set_due(id, stepper.sim.scene.now));
    stepper.predict_changed();
}

/// A world in the middle of a step of an island.
fn in_a_step() -> Stepper {
    let mut stepper = with_island(settings(0.5, 0.3), &pit(1, 27));
    stepper.advance(SimTime::from_seconds(0.4), usize::MAX).unwrap();
    let island = &stepper.sim.time_stepping.islands[0];
    let end = island.step.as_ref().unwrap().end;
    assert!(!island.members.is_empty() && !island.list.pairs.is_empty());
    // In most steps some body changes its velocity.
    let now = stepper.now().plus(0.5 * end.since(stepper.now()));
    stepper.advance(now, usize::MAX).unwrap();
    assert!(end > stepper.now() && end == stepper.sim.time_stepping.islands[0].step.as_ref().unwrap().end);
    stepper
}

#[test]
fn islands_have_the_order_of_their_first_members() {
    let island = |first: u32| SteppedIsland { members: vec![BodyId(first)], ..SteppedIsland::default() };
    let mut all = TimeStepping::with_bodies(9);
    let numbers = [5, 2, 7].map(|first| all.add(island(first)));
    assert_eq!((numbers, all.numbers()), ([0, 1, 2], vec![1, 0, 2]));
    // An island without members ends, and its number is used again.
    all.take(1);
    all.put(1, SteppedIsland::default());
    assert_eq!((all.numbers(), all.add(island(8))), (vec![0, 2], 1));
    let ids = || (0..9).map(BodyId);
    assert_eq!(all.state(ids()).islands, [5, 7, 8].map(island));
    let rows = BodyTable::new(&pit(1, 27)[..9], &settings(0.5, 0.3), SimTime::ZERO);
    let restored = TimeStepping::from_state(&all.state(ids()), &rows);
    assert_eq!((restored.numbers(), restored.state(ids())), (vec![0, 1, 2], all.state(ids())));
}

/// A part of the expected error message, and the damage to a state that causes it.
type Damage = (&'static str, fn(&mut TimeSteppingState));

fn step(state: &mut TimeSteppingState) -> &mut Step {
    state.islands[0].step.as_mut().unwrap()
}

/// An impact on the floor.
const IMPACT: StepImpact = StepImpact {
    pair: Pair { a: BodyId(0), b: PLANE, image: [0; 3] },
    part: 0,
    normal: DVec3::NEG_Z,
    approach_speed: 1.0,
    impulse: 1.0,
    share: 0.5,
};

const DAMAGES: [Damage; 57] = [
    ("members", |state| state.islands[0].members.clear()),
    ("members", |state| state.islands[0].members.reverse()),
    ("members", |state| *state.islands[0].members.last_mut().unwrap() = BodyId(1_000_000)),
    ("members", |state| *state.islands[0].members.last_mut().unwrap() = PLANE),
    ("members", |state| state.islands[0].members[1] = state.islands[0].members[0]),
    ("members", |state| state.islands.push(state.islands[0].clone())),
    ("changes", |state| step(state).changes.truncate(1)),
    ("reaches", |state| state.islands[0].list.reaches.truncate(1)),
    ("displacements", |state| state.islands[0].list.moved.truncate(1)),
    ("reaches", |state| state.islands[0].list.reaches.clear()),
    ("bodies near", |state| state.islands[0].list.outside.reverse()),
    ("bodies near", |state| state.islands[0].list.outside.push(BodyId(1_000_000))),
    ("bodies near", |state| state.islands[0].list.outside = vec![state.islands[0].members[0]]),
    ("contacts", |state| state.islands[0].list.outside = vec![PLANE]),
    ("contacts", |state| state.islands[0].list.pairs[0].part = 1),
    ("contacts", |state| state.islands[0].list.pairs[0].ends[0] = 1_000_000),
    ("contacts", |state| state.islands[0].list.pairs[0].ends.reverse()),
    ("contacts", |state| state.islands[0].list.pairs[0].pair = Pair { a: PLANE, b: BodyId(28), image: [0; 3] }),
    ("contacts", |state| state.islands[0].list.pairs[0].pair.b = BodyId(1_000_000)),
    ("contacts", |state| state.islands[0].list.pairs[0].force = 1_000_000),
    ("contacts", |state| state.islands[0].list.pairs[0].height = f64::NAN),
    ("contact forces", |state| state.islands[0].list.forces[0].normal = f64::NAN),
    ("contact forces", |state| state.islands[0].list.forces[0].tangential.y = f64::INFINITY),
    ("contact forces", |state| state.islands[0].list.forces[0].couple.z = f64::NAN),
    ("numbers", |state| step(state).changes[0].linear.x = f64::NAN),
    ("numbers", |state| step(state).changes[0].angular.z = f64::INFINITY),
    ("numbers", |state| step(state).length = -1e-3),
    ("numbers", |state| step(state).length = f64::NAN),
    ("numbers", |state| step(state).length = 0.0),
    ("numbers", |state| step(state).length = 1e300),
    ("numbers", |state| step(state).work = f64::NAN),
    ("numbers", |state| step(state).impulse.z = f64::INFINITY),
    ("impacts", |state| step(state).impacts.push(StepImpact { share: f64::NAN, ..IMPACT })),
    ("impacts", |state| step(state).impacts.push(StepImpact { part: 1, ..IMPACT })),
    ("impacts", |state| step(state).impacts.push(StepImpact { normal: DVec3::NAN, ..IMPACT })),
    ("numbers", |state| state.islands[0].length = -1e-3),
    ("numbers", |state| state.islands[0].length = f64::NAN),
    ("numbers", |state| state.islands[0].target_gap = -1e-9),
    ("numbers", |state| state.islands[0].lost = f64::INFINITY),
    ("numbers", |state| state.islands[0].list.reaches[0] = f64::NAN),
    ("numbers", |state| state.islands[0].list.moved[0].y = f64::NAN),
    ("numbers", |state| state.islands[0].blocked = u32::MAX),
    ("numbers", |state| state.updates[0].count = u32::MAX),
    ("numbers", |state| state.updates[0].since = FAR),
    ("numbers", |state| state.updates[0].last = Some(FAR)),
    ("times", |state| step(state).end = SimTime::ZERO),
    ("times", |state| step(state).end = FAR),
    ("times", |state| step(state).end = step(state).end.plus(1.0)),
    ("times", |state| state.islands[0].length = 1e300),
    ("times", |state| state.islands[0].parted = FAR),
    ("times", |state| state.islands[0].parted = SimTime::ZERO.plus(-1.0)),
    ("times", |state| state.islands[0].slow_since = Some(FAR)),
    ("times", |state| state.islands[0].slow_since = Some(SimTime::ZERO.plus(-1.0))),
    ("asleep", |state| state.asleep = vec![BodyId(1_000_000)]),
    ("asleep", |state| state.asleep = vec![PLANE]),
    ("asleep", |state| state.asleep = vec![state.islands[0].members[0]]),
    ("asleep", |state| *state = TimeSteppingState { islands: Vec::new(), asleep: vec![BodyId(1); 2], ..state.clone() }),
];

/// The floor of the pit of 27 bodies.
const PLANE: BodyId = BodyId(27);

/// A time that is outside every step.
const FAR: SimTime = SimTime::NEVER;

#[test]
fn damaged_states_are_refused() {
    let mut stepper = in_a_step();
    stepper.sim.time_stepping.updates.get_mut(BodyId(0)).count = 1;
    let scene = &stepper.sim.scene;
    let (rows, sound) = (&scene.rows, stepper.sim.time_stepping.state(scene.rows.present()));
    let check = |state: &TimeSteppingState| state.check(rows, scene.now, &scene.due);
    assert!(!rows.is_free(PLANE) && rows.is_free(BodyId(26)));
    assert!(sound.islands[0].list.outside.len() > 1 && sound.islands[0].list.pairs.len() > 1);
    assert_eq!(check(&sound), Ok(()));
    let asleep = TimeSteppingState { islands: Vec::new(), asleep: vec![BodyId(1), BodyId(2)], ..sound.clone() };
    assert_eq!(check(&asleep), Ok(()));
    for (row, (what, damage)) in DAMAGES.into_iter().enumerate() {
        let mut state = sound.clone();
        damage(&mut state);
        let message = check(&state).expect_err(what).to_string();
        assert!(message.contains(what), "{row}: {message}");
    }
    let mut state = sound.clone();
    state.updates.pop();
    assert!(check(&state).unwrap_err().to_string().contains("rows of contact updates"));
    // A member that is never due, or due after the end of the present step.
    for time in [None, Some(FAR)] {
        let mut due = scene.due.clone();
        due.set(sound.islands[0].members[1], time);
        let message = sound.check(rows, scene.now, &due).unwrap_err().to_string();
        assert!(message.contains("times of the time stepping"), "{time:?}: {message}");
    }
}
