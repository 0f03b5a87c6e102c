//! Elastic impacts that repeat at one instant without end, because their bodies have no room.
//!
//! If some velocities open all pairs of a group at once, elastic rounds end: each impulse moves the velocities towards
//! such opening ones, and their length does not change, so the changes add up to a finite sum. In the limit only pairs
//! without approach have impulses, and reflections keep the distance to it, so it is reached in a finite number of
//! rounds (compare Vouga, Smith, Kaufman, Tamstorf, Grinspun, *All's Well That Ends Well: Guaranteed Resolution of
//! Simultaneous Rigid Body Impact*, 2017). A pair that no admissible velocity opens has no room: a body exactly between
//! two walls, or a row of bodies. Every end of the rounds has zero approach speed there, and such an end loses energy.
//! After many rounds these pairs have no rebound, like pairs with a restitution just below one.

use glam::DVec3;

use super::constraint::ImpactContact;
use super::instant::rounding_of_time;
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::{Meeting, Pair};
use crate::dynamics::few::{Few, each_once, insert};
use crate::dynamics::log::counters::RepeatedImpact;
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::solver::{self, ContactConstraint, SolverBody};
use crate::numeric::tolerance::{INSTANT_MAX, NEGLIGIBLE, REPEATS_MIN};

/// Counts the elastic ones among the impacts of one round. Those of pairs without room lose their rebound.
pub(super) fn stop_without_room(sim: &mut Simulation, impacts: &mut [ImpactContact]) {
    let mut due: Few<BodyId> = Few::new();
    let mut speed = 0.0_f64;
    for impact in impacts.iter() {
        if sim.scene.restitution(impact.pair).is_elastic() {
            for id in count(sim, impact) {
                insert(&mut due, id);
                speed = speed.max(impact.speed);
            }
        }
    }
    if !due.is_empty() {
        find_without_room(sim, due, NEGLIGIBLE * speed);
    }
    for impact in impacts {
        if impact.rebounds && sim.counters.repeats.is_without_room(impact.pair, impact.meeting.normal) {
            (impact.rebounds, impact.collapse) = (false, true);
        }
    }
}

/// Joins to impacts without room all other recorded pairs without room that free bodies link to them, so that they stop
/// together. Impacts with a rebound of the same bodies wait for the next round.
pub(super) fn join_without_room(sim: &mut Simulation, impacts: &mut Few<ImpactContact>) {
    let Simulation { scene, counters, to_predict, .. } = sim;
    let stuck = |pair: Pair, normal: DVec3| counters.repeats.is_without_room(pair, normal);
    let stopped = impacts.iter().filter(|impact| impact.collapse && stuck(impact.pair, impact.meeting.normal));
    let mut linked: Few<BodyId> = each_once(stopped.flat_map(|impact| scene.free_of(impact.pair)));
    if linked.is_empty() {
        return;
    }
    let rows = linked_rows(scene, &counters.repeats.impacts, &mut linked, |repeated| repeated.is_without_room);
    for repeated in rows.into_iter().map(|row| counters.repeats.impacts[row]) {
        let RepeatedImpact { pair, normal, part, .. } = repeated;
        let is_known = |impact: &ImpactContact| (impact.pair, impact.meeting.normal) == (pair, normal);
        if !impacts.iter().any(is_known) && !scene.involves_time_stepped(pair) {
            impacts.push(scene.stopped_impact(pair, normal, part));
        }
    }
    let shares = |pair: Pair| scene.free_of(pair).any(|id| linked.contains(&id));
    impacts.retain(|impact| {
        let waits = impact.rebounds && shares(impact.pair);
        if waits {
            to_predict.bodies.extend(scene.free_of(impact.pair));
        }
        !waits
    });
    impacts.sort_by_key(|impact| (impact.pair, impact.meeting.part));
}

impl Scene {
    /// A pair that touches along `normal`, as an impact without rebound.
    fn stopped_impact(&self, pair: Pair, normal: DVec3, part: u32) -> ImpactContact {
        let meeting = Meeting { time: self.now.since(pair.epoch(&self.rows)), normal, part };
        let lasting = self.contacts.between(pair, &self.rows);
        let row = lasting.into_iter().find(|&row| self.contacts.get(row).normal == normal);
        let speed = self.speed_of(pair, &meeting, self.now);
        ImpactContact { pair, meeting, speed, row, rebounds: false, collapse: true }
    }
}

/// The rows of the recorded impacts that free bodies link to `linked`, in ascending order; adds these bodies.
fn linked_rows(
    scene: &Scene,
    impacts: &[RepeatedImpact],
    linked: &mut Few<BodyId>,
    counts: impl Fn(&RepeatedImpact) -> bool,
) -> Few<usize> {
    let mut rows: Few<usize> = Few::new();
    loop {
        let before = rows.len();
        for (row, repeated) in impacts.iter().enumerate().filter(|(_, repeated)| counts(repeated)) {
            if scene.free_of(repeated.pair).any(|id| linked.contains(&id)) && insert(&mut rows, row) {
                for id in scene.free_of(repeated.pair) {
                    insert(linked, id);
                }
            }
        }
        if rows.len() == before {
            return rows;
        }
    }
}

/// Counts an impact for its free bodies, and records it if one of them has many. Returns the bodies for which a search
/// is due: after twice as many impacts as for the last search.
fn count(sim: &mut Simulation, impact: &ImpactContact) -> Few<BodyId> {
    let Simulation { scene, counters, .. } = sim;
    let pair = impact.pair;
    let rounding =
        rounding_of_time(0.0, scene.rows.extent(pair.a) + scene.rows.extent(pair.b), impact.speed).min(INSTANT_MAX);
    counters.repeats.begin_instant(counters.step, scene.now);
    let counts: Few<(BodyId, u32)> =
        scene.free_of(pair).map(|id| (id, counters.repeats.count(id, scene.now, rounding))).collect();
    if counts.iter().any(|&(_, count)| 2 * count >= REPEATS_MIN) {
        counters.repeats.record(pair, impact.meeting.normal, impact.meeting.part);
    }
    let is_due = |count: u32| count >= REPEATS_MIN && count.is_power_of_two();
    counts.into_iter().filter(|&(_, count)| is_due(count)).map(|(id, _)| id).collect()
}

/// Finds the recorded pairs that no velocities open while no other recorded pair closes, among those that free bodies
/// link to the bodies `linked`.
fn find_without_room(sim: &mut Simulation, mut linked: Few<BodyId>, opening: f64) {
    let Simulation { scene, counters, .. } = sim;
    let rows = linked_rows(scene, &counters.repeats.impacts, &mut linked, |_| true);
    let pairs = || rows.iter().map(|&row| counters.repeats.impacts[row]);
    let bodies = each_once(pairs().flat_map(|repeated| [repeated.pair.a, repeated.pair.b]));
    let member = |&id: &BodyId| {
        let member = scene.member(id, scene.now);
        if scene.rows.is_free(id) { member.moving([DVec3::ZERO; 2]) } else { member }
    };
    let members: Few<SolverBody> = bodies.iter().map(member).collect();
    let place = |id: BodyId| bodies.binary_search(&id).expect("every body of a recorded impact is listed");
    let mut constraints: Few<ContactConstraint> = pairs()
        .map(|repeated| {
            let (ends, normal) = ([repeated.pair.a, repeated.pair.b], repeated.normal);
            ContactConstraint::smooth(place(ends[0]), place(ends[1]), normal, scene.arms(ends, normal))
        })
        .collect();
    for (constraint, &row) in rows.iter().enumerate() {
        constraints[constraint].bound = opening;
        let is_stuck = solver::solve(&members, &constraints).is_err();
        counters.repeats.impacts[row].is_without_room |= is_stuck;
        constraints[constraint].bound = 0.0;
    }
}
