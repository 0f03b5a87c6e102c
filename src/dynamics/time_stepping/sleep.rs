//! Sleep: an island that is at rest leaves the time stepping.
//!
//! An island falls asleep when all its members have been slow for long enough; slow means too slow to rise by a rest
//! height. Its bodies get a velocity of exactly zero and lasting contacts. On a lift they get the velocity of the lift.

use glam::DVec3;

use super::accounts::{book_stop, log_member, log_release};
use super::island::{ListedPair, PairList, SteppedIsland};
use super::state::UpdateCount;
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::contact::lifecycle::log_contact;
use crate::dynamics::contact::{Contact, Reaction, is_rest};
use crate::dynamics::error::RunError;
use crate::dynamics::log::event::EventKind;
use crate::dynamics::scene::{NO_ISLAND, Scene};
use crate::dynamics::settings::Settings;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::geometry::{Solid, gap};
use crate::motion::{Path, Spin};
use crate::numeric::tolerance::{GAP_KEPT, SLEEP_FALL};

/// Whether an island falls asleep now: all members have been slow for the time in which a body falls through some
/// diameters, and their gaps are as small as at rest. `carried` is the velocity with which they rest, m/s; a spin
/// counts only where friction resists both rolling and spinning.
pub(super) fn sleeps(sim: &Simulation, island: &mut SteppedIsland, carried: Option<DVec3>) -> bool {
    let Scene { rows, settings, now, .. } = &sim.scene;
    let slow = 2.0 * settings.gravity.length() * settings.rest_height;
    let mut size: f64 = 0.0;
    let is_slow = |&id: &BodyId| {
        size = size.max(rows.shape(id).half_extents().max_element());
        carried.is_some_and(|carried| (rows.path(id).velocity_at(*now) - carried).length_squared() <= slow)
    };
    if !island.members.iter().all(is_slow) || turns_on(&sim.scene, island, slow) {
        island.slow_since = None;
        return false;
    }
    let since = *island.slow_since.get_or_insert(*now);
    now.since(since) >= sim.scene.fall_time(SLEEP_FALL * size) && island.target_gap <= GAP_KEPT * settings.rest_height
}

/// Whether a ball that is pressed against another body still turns, although friction will stop it: the square of its
/// speed at the surface is more than `slow` (m²/s²).
fn turns_on(scene: &Scene, island: &SteppedIsland, slow: f64) -> bool {
    let turns = |id: BodyId| {
        let spin = scene.member(id, scene.now).angular.length_squared();
        spin > 0.0 && spin * scene.rows.shape(id).half_extents().length_squared() > 3.0 * slow
    };
    island.list.pairs.iter().filter(|listed| island.list.force(listed).normal > 0.0).any(|listed| {
        let frictions = scene.frictions(listed.pair);
        frictions.rolling > 0.0 && frictions.spinning > 0.0 && scene.free_of(listed.pair).any(turns)
    })
}

/// Gives bodies at rest exactly the velocity `carried` (m/s), zero unless they are on a lift, and lasting contacts.
pub(super) fn put_to_sleep(sim: &mut Simulation, island: &mut SteppedIsland, carried: DVec3) -> Result<(), RunError> {
    for &id in &island.members {
        stop(sim, id, carried)?;
        // The contacts carry its weight.
        let force = -sim.scene.settings.gravity / sim.scene.rows.inverse_mass(id);
        let power = force.dot(carried);
        sim.put_reaction(id, Reaction { force, outside: force, power, ..Reaction::none(sim.scene.now) });
    }
    dismiss(sim, &island.members, EventKind::Sleep);
    for listed in &island.list.pairs {
        add_resting_contact(sim, listed, island.list.force(listed));
    }
    *island = SteppedIsland::default();
    Ok(())
}

/// Ends the membership of bodies: they sleep, or quit the time stepping.
pub(super) fn dismiss(sim: &mut Simulation, bodies: &[BodyId], kind: EventKind) {
    for &id in bodies {
        sim.scene.stepped_in[id.index()] = NO_ISLAND;
        sim.scene.due.set(id, None);
        sim.time_stepping.updates.set(id, UpdateCount { since: sim.scene.now, ..UpdateCount::NONE });
        sim.to_predict.body(id);
        log_member(sim, kind, id);
    }
}

/// Wakes those of some bodies that sleep.
pub(in crate::dynamics) fn wake_sleepers(sim: &mut Simulation, bodies: &[BodyId]) {
    for &id in bodies {
        if *sim.time_stepping.asleep.get(id) {
            log_member(sim, EventKind::Wake, id);
        }
    }
}

/// Gives a body a velocity without a spin.
fn stop(sim: &mut Simulation, id: BodyId, velocity: DVec3) -> Result<(), RunError> {
    let member = sim.scene.member(id, sim.scene.now);
    book_stop(sim, &member, &member.moving([velocity, DVec3::ZERO]));
    sim.begin_path(id, velocity, DVec3::ZERO, Spin::default())
}

/// Stops a body that is pressed against others and is too slow to rise by a rest height.
pub(super) fn stop_invisible(sim: &mut Simulation, id: BodyId, list: &PairList) -> Result<(), RunError> {
    let Settings { gravity, rest_height, .. } = sim.scene.settings;
    let is_pressed =
        |listed: &ListedPair| (listed.pair.a == id || listed.pair.b == id) && list.force(listed).normal > 0.0;
    let speed = sim.scene.member(id, sim.scene.now).linear.length();
    let stops = list.pairs.iter().any(is_pressed) && is_rest(speed, gravity.length(), rest_height);
    if stops { stop(sim, id, DVec3::ZERO) } else { Ok(()) }
}

/// Makes a lasting contact of a listed pair if `force`, the force on b (N), is positive and the pair is not edge to
/// edge.
pub(super) fn add_resting_contact(sim: &mut Simulation, listed: &ListedPair, force: ContactImpulse) {
    let seen = listed.pair.as_seen_from_path(&sim.scene.rows);
    if force.normal <= 0.0 || sim.scene.are_edge_to_edge(seen) {
        if listed.is_logged {
            log_release(sim, listed);
        }
        return;
    }
    let normal = sim.scene.normal_of(seen, listed.part);
    let surface = sim.scene.surface(seen, normal, listed.part);
    let contact = Contact::new(listed.pair, listed.part, normal, surface, sim.scene.now, None);
    // In the step the bodies have moved, so its friction is no longer exactly along the surface.
    let tangential = force.tangential.reject_from_normalized(normal);
    let contact = Contact { force: ContactImpulse { tangential, ..force }, ..contact };
    sim.scene.contacts.add(contact, &sim.scene.rows);
    sim.scene.free_of(listed.pair).for_each(|id| sim.scene.rows.records.mark_not_ballistic(id));
    if !listed.is_logged {
        log_contact(sim, EventKind::Rest, &contact);
    }
}

impl Scene {
    /// The velocity with which the members of an island rest, m/s: that of the bodies of prescribed motion that force
    /// them. Along smooth ones they may slide. `None` if there is no such velocity.
    pub(super) fn carried(&self, island: &SteppedIsland) -> Option<DVec3> {
        let walls =
            island.list.pairs.iter().filter(|listed| island.list.force(listed).normal > 0.0).filter_map(|listed| {
                let wall = [listed.pair.a, listed.pair.b].into_iter().find(|&id| !self.rows.is_free(id))?;
                Some((listed, self.rows.path(wall)))
            });
        let carried = walls.clone().map(|(_, path)| path.velocity).find(|&velocity| velocity != DVec3::ZERO);
        let carried = carried.unwrap_or(DVec3::ZERO);
        let stays = |(listed, path): (&ListedPair, Path)| {
            let (passing, pair) = (carried - path.velocity, listed.pair.as_seen_from_path(&self.rows));
            let slides = || self.normal_of(pair, listed.part).dot(passing) == 0.0 && !self.frictions(pair).act();
            path.acceleration == DVec3::ZERO && (passing == DVec3::ZERO || slides())
        };
        walls.clone().all(stays).then_some(carried)
    }

    /// Whether two bodies are boxes with only edges or corners opposite each other. The smallest motion separates them.
    fn are_edge_to_edge(&self, pair: Pair) -> bool {
        let [Solid::Box(a), Solid::Box(b)] = self.solids(pair, 0) else { return false };
        let offset = pair.motion(&self.rows, &self.settings.space, self.now).position;
        (offset.abs() - a - b).cmpge(DVec3::ZERO).bitmask().count_ones() > 1
    }

    /// The normal of two bodies at the present.
    pub(super) fn normal_of(&self, pair: Pair, part: u32) -> DVec3 {
        let motion = pair.motion(&self.rows, &self.settings.space, self.now);
        let [a, b] = self.solids(pair, part);
        gap(a, b, motion.position).map_or(DVec3::X, |gap| gap.normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::Body;
    use crate::dynamics::scene::NO_ISLAND;
    use crate::dynamics::time_stepping::state::tests::{pit, settings, with_island};
    use crate::motion::SimTime;

    /// Whether two boxes fall asleep, and whether they count as slow. The arguments are the speed of one box (as a
    /// multiple of the largest speed of slow bodies), for how long it has moved (as a multiple of the time to fall
    /// asleep), and the target gap (as a multiple of the target gap at rest).
    fn falls_asleep([speed, time, target_gap]: [f64; 3]) -> [bool; 2] {
        let sizes = [DVec3::splat(0.1), DVec3::new(0.2, 0.1, 0.4)];
        let boxes = sizes.map(|half| Body::cuboid(half, 1.0).unwrap().at(DVec3::Z * half.x * 10.0));
        let mut sim = with_island(settings(0.0, 0.0), &boxes).sim;
        let Settings { gravity, rest_height, .. } = sim.scene.settings;
        let g = gravity.length();
        let speed = DVec3::new(0.6, 0.0, -0.8) * (speed * (2.0 * g * rest_height).sqrt());
        sim.begin_path(BodyId(1), speed, DVec3::ZERO, Spin::default()).unwrap();
        sim.begin_path(BodyId(0), DVec3::ZERO, DVec3::ZERO, Spin::default()).unwrap();
        let mut island = sim.time_stepping.take(0);
        island.target_gap = target_gap * GAP_KEPT * rest_height;
        assert!(!sleeps(&sim, &mut island, Some(DVec3::ZERO)), "it has not been slow yet");
        // The largest half extent counts.
        sim.scene.go_to(SimTime::from_seconds(time * (2.0 * SLEEP_FALL * 0.4 / g).sqrt()));
        [sleeps(&sim, &mut island, Some(DVec3::ZERO)), island.slow_since == Some(SimTime::ZERO)]
    }

    #[test]
    fn a_slow_island_sleeps_after_a_time_with_the_smallest_target_gap() {
        for (row, expected) in [
            ([0.0, 1.01, 1.0], [true, true]),
            ([0.99, 1.01, 1.0], [true, true]),
            ([1.01, 1.01, 1.0], [false, false]),
            ([0.99, 0.99, 1.0], [false, true]),
            ([0.99, 1.01, 1.01], [false, true]),
            ([0.0, 1.01, 0.0], [true, true]),
            ([100.0, 100.0, 1.0], [false, false]),
        ] {
            assert_eq!(falls_asleep(row), expected, "{row:?}");
        }
    }

    #[test]
    fn bodies_asleep_have_no_velocity_and_lasting_contacts() {
        // Four boxes are as wide as the pit, so that some of them are on the edges of others.
        let (smooth, count) =
            (&[1, 2, 3, 5, 6, 7, 18][if std::env::var_os("CAROM_THOROUGH").is_some() { 0 } else { 5 }..], 27);
        for (seed, friction) in smooth.iter().map(|&seed| (seed, 0.0)).chain([(2, 0.4)]) {
            let bodies = pit(seed, count);
            let mut stepper = with_island(settings(0.3, friction), &bodies);
            let free: Vec<BodyId> = (0..count).map(BodyId).collect();
            let weight: f64 = free.iter().map(|&id| 10.0 / stepper.sim.scene.rows.inverse_mass(id)).sum();
            let awake = |stepper: &crate::dynamics::Stepper| {
                free.iter().any(|id| stepper.sim.scene.stepped_in[id.index()] != NO_ISLAND)
            };
            let mut time = 0.0;
            while awake(&stepper) && time < 60.0 {
                time += 0.05;
                stepper.advance(SimTime::from_seconds(time), usize::MAX).unwrap();
            }
            assert!(!awake(&stepper), "{seed} {friction}");
            // Some have left before: those that are on their own, or in small islands, are advanced by events.
            let asleep: Vec<BodyId> = stepper.sim.time_stepping.sleepers().collect();
            assert!(asleep.len() > 1 && (friction > 0.0 || asleep.len() == 27), "{seed} {friction}: {asleep:?}");
            let rest: Vec<_> = asleep.iter().map(|&id| stepper.state(id)).collect();
            for (id, state) in asleep.iter().zip(&rest) {
                assert_eq!((state.velocity, state.spin), (DVec3::ZERO, DVec3::ZERO), "{seed} {friction}: {id:?}");
                assert!(!stepper.sim.scene.contacts.of(*id).is_empty(), "{seed} {friction}: {id:?}");
            }
            // The floor and the walls carry the whole weight, except for the effect of the velocities left in the last
            // step.
            let is_floor = |contact: &Contact| contact.pair.b == BodyId(count);
            let force = |contact: &Contact| (contact.force.vector(contact.normal)).z;
            let carried: f64 = stepper.sim.scene.contacts.sorted().iter().filter(|of| is_floor(of)).map(force).sum();
            let walls = |contact: &Contact| contact.pair.b > BodyId(count);
            let upheld: f64 = stepper.sim.scene.contacts.sorted().iter().filter(|of| walls(of)).map(force).sum();
            assert!(
                (-carried - upheld - weight).abs() <= 0.01 * weight,
                "{seed} {friction}: {carried} {upheld} {weight}"
            );
            // They stay at rest.
            stepper.advance(SimTime::from_seconds(time + 10.0), usize::MAX).unwrap();
            let later: Vec<_> = asleep.iter().map(|&id| stepper.state(id)).collect();
            assert_eq!(rest, later, "{seed} {friction}");
            assert_eq!(stepper.audit().count(EventKind::Wake), 0, "{seed} {friction}");
        }
    }
}
