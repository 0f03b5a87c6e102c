//! No verdict depends on how a load is shared.
//!
//! A rigid body on several supports can rest on only some of them: statics does not determine the load on each support,
//! and engines choose it differently. With friction or with balls that turn, this choice affects the motion. Therefore
//! no scene may have contacts with an undetermined share of the load before its horizon: the directions in which the
//! contacts push must be linearly independent.
//!
//! Flush tiles of one material that stand still or move alike are one support: they push at one place of a ball, or a
//! box that does not turn, in one direction, and only the sum of their loads matters.

use std::collections::{BTreeMap, BTreeSet};

use carom::dynamics::{BodyId, MaterialId};
use carom::geometry::gap;
use carom::glam::DVec3;
use carom::motion::SimTime;
use carom::oracle::{Exact, scenes};
use carom::world::World;

/// A direction is linearly dependent if the remainder after orthogonalization is below this share of its length.
const DEPENDENT: f64 = 1e-6;

/// Gap (m) and speed (m/s) up to which bodies are in lasting contact.
const TOUCHING: f64 = 1e-9;

/// The direction in which a contact pushes each free body that takes part in it.
type Push = BTreeMap<BodyId, DVec3>;

/// The lasting contacts, found from positions and velocities alone. The contact list of the engine would contain only
/// the contacts to which the engine gives a load.
fn pushes(world: &World) -> Vec<Push> {
    let ids: Vec<BodyId> = world.ids().collect();
    let pairs = ids.iter().enumerate().flat_map(|(rank, &a)| ids[rank + 1..].iter().map(move |&b| (a, b)));
    let mut supports: BTreeSet<(BodyId, [i64; 6], MaterialId)> = BTreeSet::new();
    let mut is_first = |(a, b): (BodyId, BodyId), normal: DVec3| {
        let (free, other) = if world.body(a).is_free() { (a, b) } else { (b, a) };
        let velocity = world.state(other).velocity;
        let [x, y, z] = if free == a { normal } else { -normal }.to_array();
        let motion = [x, y, z, velocity.x, velocity.y, velocity.z].map(|number| (number / TOUCHING).round() as i64);
        world.body(other).is_free() || supports.insert((free, motion, world.body(other).material))
    };
    let push = |(a, b): (BodyId, BodyId)| {
        let (one, other) = (world.body(a), world.body(b));
        if !one.is_free() && !other.is_free() {
            return None;
        }
        let [from, to] = [a, b].map(|body| world.state(body));
        let gap = gap(one.shape.solid()?, other.shape.solid()?, to.position - from.position)?;
        let speed = (to.velocity - from.velocity).dot(gap.normal);
        let is_lasting = gap.separation.abs() <= TOUCHING && speed.abs() <= TOUCHING;
        let sides = [(a, one, -gap.normal), (b, other, gap.normal)];
        let free = sides.into_iter().filter(|(_, body, _)| body.is_free());
        (is_lasting && is_first((a, b), gap.normal)).then(|| free.map(|(id, _, push)| (id, push)).collect())
    };
    pairs.filter_map(push).collect()
}

fn dot(one: &Push, other: &Push) -> f64 {
    one.iter().filter_map(|(body, push)| Some(push.dot(*other.get(body)?))).sum()
}

/// Whether the forces on the bodies determine the loads of all contacts (Gram–Schmidt process).
fn is_determinate(contacts: &[Push]) -> bool {
    let mut independent: Vec<Push> = Vec::new();
    for contact in contacts {
        let mut left = contact.clone();
        let length = dot(&left, &left).sqrt();
        for known in &independent {
            let share = dot(&left, known);
            known.iter().for_each(|(body, push)| *left.entry(*body).or_default() -= share * *push);
        }
        let rest = dot(&left, &left).sqrt();
        if rest <= DEPENDENT * length {
            return false;
        }
        left.values_mut().for_each(|push| *push /= rest);
        independent.push(left);
    }
    true
}

#[test]
fn no_scene_leaves_open_which_contact_bears_a_load() {
    for scene in scenes() {
        let scenario = scene.scenario().unwrap();
        let horizon = Exact::new(&scenario).unwrap().horizon.until;
        let mut world = scenario.world().unwrap();
        let steps = (horizon / scenario.timestep).floor() as u32;
        for step in 0..=steps {
            world.advance(SimTime::from_seconds(f64::from(step) * scenario.timestep), usize::MAX).unwrap();
            world.take_events();
            let contacts = pushes(&world);
            assert!(is_determinate(&contacts), "{} at {} s: {contacts:?}", scene.name, world.now());
        }
    }
}

/// A test of the check itself: a box on one ball is determinate, a box on two balls is not.
#[test]
fn a_box_on_two_balls_is_found() {
    let scenario = |balls: &str| {
        let text = format!(
            "Scenario(title: \"t\", gravity: (0, 0, -10), timestep: 0.1, duration: 1, bodies: [
                (name: \"floor\", shape: Plane(normal: (0, 0, 1), offset: 0)),
                (name: \"box\", shape: Box(half_extents: (1, 1, 0.1)), mass: 1, position: (0, 0, 0.5)), {balls}])"
        );
        carom::scenario::parse(&carom::scenario::Source::new("t.ron", &text)).unwrap().scenario
    };
    let ball = |name: &str, x: f64| {
        format!("(name: \"{name}\", shape: Sphere(radius: 0.2), mass: 1, position: ({x}, 0, 0.2)),")
    };
    for (balls, wanted) in [(ball("a", 0.0), true), (ball("a", -0.5) + &ball("b", 0.5), false)] {
        let mut world = scenario(&balls).world().unwrap();
        world.advance(SimTime::from_seconds(0.5), usize::MAX).unwrap();
        let contacts = pushes(&world);
        assert!(contacts.len() >= 2, "{contacts:?}");
        assert_eq!(is_determinate(&contacts), wanted, "{contacts:?}");
    }
}
