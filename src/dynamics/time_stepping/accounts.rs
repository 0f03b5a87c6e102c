//! The energy balance of a time step: the work of gravity, impulses and friction, and what is logged and counted.
//!
//! The members move with their velocities for the end of the step. At any instant a step counts as far as it is over:
//! velocities, impulses, work, heat and kinetic energies have changed by that share of their whole change. The heights
//! do the same, so the energy in the balance decreases evenly from that before the step to that after it. If a step is
//! interrupted, its members get the velocities in between, and these have a little less energy: with the share s, each
//! loses another s (1 − s) ½ m |Δv|². No step adds energy, so all heat is positive. A visible impact is logged when the
//! step ends, with its share of the heat.

use super::island::{Change, ListedPair, PairList, Step, StepImpact, SteppedIsland};
use super::problem::StepProblem;
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::{Meeting, Pair};
use crate::dynamics::contact::lifecycle::log_contact;
use crate::dynamics::contact::{Contact, Surface};
use crate::dynamics::error::RunError;
use crate::dynamics::log::audit::Audit;
use crate::dynamics::log::event::{Event, EventKind};
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::solver::SolverBody;
use crate::dynamics::solver::problem::distribute;
use crate::motion::Spin;
use glam::DVec3;

/// The step that begins now with the solution of a problem. Its visible impacts are the rows with a positive
/// restitution in `met`. Counts the step.
pub(super) fn begin_step(sim: &mut Simulation, list: &PairList, problem: &StepProblem, met: &[f64]) -> Step {
    let change = |place: usize| {
        let (before, after) = (problem.before[place], problem.after(place));
        Change { linear: after.linear - before.linear, angular: after.angular - before.angular }
    };
    sim.counters.time_steps.count_step(problem.free);
    let deepest = problem.candidates.iter().map(|candidate| problem.overlap - candidate.gap).fold(0.0, f64::max);
    sim.log.audit.deepest = sim.log.audit.deepest.max(deepest);
    Step {
        end: sim.scene.now.plus(problem.length),
        length: problem.length,
        changes: (0..problem.free).map(change).collect(),
        impulse: problem.impulse_of_walls(),
        work: problem.work_of_walls(),
        impacts: problem.impacts(list, met),
    }
}

/// Ends the present step of an island, if there is one: books the part of it that is over, and gives the members the
/// velocities of this instant.
pub(super) fn end_step(sim: &mut Simulation, island: &mut SteppedIsland) -> Result<(), RunError> {
    let mut heat = sim.scene.add_step(island, &mut sim.log.audit);
    let Some(step) = island.step.take() else { return Ok(()) };
    let (now, left) = (sim.scene.now, step.left(sim.scene.now));
    for (place, &id) in island.members.iter().enumerate() {
        let ahead = sim.scene.member(id, now);
        island.list.moved[place] += ahead.linear * (step.length * (1.0 - left));
        if left > 0.0 {
            let present = ahead.moving(step.at_present(place, [ahead.linear, ahead.angular], now));
            let more = step.kinetic_energy(place, &ahead, now) - present.energy();
            sim.log.audit.contact_heat += more;
            heat += more;
            let spin = Spin { velocity: present.angular, acceleration: DVec3::ZERO };
            sim.begin_path(id, present.linear, DVec3::ZERO, spin)?;
        }
    }
    island.lost = heat;
    log_impacts(sim, &step, 1.0 - left, heat);
    Ok(())
}

/// Logs the visible impacts of a step of which this share is over and that has lost this heat, J.
fn log_impacts(sim: &mut Simulation, step: &Step, over: f64, heat: f64) {
    if over <= 0.0 || step.impacts.is_empty() {
        return;
    }
    sim.counters.groups.begin_instant(sim.scene.now);
    sim.counters.groups.count += 1;
    for impact in &step.impacts {
        let &StepImpact { pair, part, normal, approach_speed, impulse, share } = impact;
        let (meeting, loss) = (Meeting { time: 0.0, normal, part }, heat * share);
        sim.log.audit.dissipated += loss;
        sim.log.audit.contact_heat -= loss;
        let pair = pair.as_seen_from_path(&sim.scene.rows);
        let event = sim.scene.event(pair, EventKind::Impact, &meeting, approach_speed, impulse * over);
        sim.log.add(Event { loss, group: sim.counters.groups.count, ..event });
    }
}

impl Scene {
    /// Adds the part of an island's present step that is over to a balance, all of its heat as heat of lasting
    /// contacts. Returns that heat, J.
    pub(in crate::dynamics) fn add_step(&self, island: &SteppedIsland, audit: &mut Audit) -> f64 {
        let Some(step) = &island.step else { return 0.0 };
        let over = 1.0 - step.left(self.now);
        let fall = self.settings.gravity * step.length;
        let heat = |(place, &id): (usize, &BodyId)| {
            let ahead = self.member(id, self.now);
            step.before(place, &ahead).energy_above(&ahead) + fall.dot(ahead.linear) / ahead.inverse_mass
        };
        let heat = (island.members.iter().enumerate().map(heat).sum::<f64>() + step.work) * over;
        audit.impulse += step.impulse * over;
        audit.work += step.work * over;
        audit.contact_heat += heat;
        heat
    }
}

/// Adds to the balance that a body takes the velocity of what carries it. That gives the impulse, so it does work.
pub(super) fn book_stop(sim: &mut Simulation, from: &SolverBody, to: &SolverBody) {
    let impulse = (to.linear - from.linear) / from.inverse_mass;
    let work = impulse.dot(to.linear);
    sim.log.audit.impulse += impulse;
    sim.log.audit.work += work;
    sim.log.audit.contact_heat += from.energy_above(to) + work;
}

/// Logs that a body joins or quits the time stepping, falls asleep or wakes, at its position within the periodic cell,
/// and counts members and bodies asleep.
pub(in crate::dynamics) fn log_member(sim: &mut Simulation, kind: EventKind, id: BodyId) {
    let (scene, now) = (&sim.scene, sim.scene.now);
    match kind {
        EventKind::Join => sim.counters.time_steps.add_member(now),
        EventKind::Quit | EventKind::Sleep => sim.counters.time_steps.remove_member(now),
        _ => {}
    }
    sim.time_stepping.asleep.set(id, kind == EventKind::Sleep);
    let point = scene.settings.space.within(scene.rows.path(id).position_at(now));
    let meeting = Meeting { time: 0.0, normal: DVec3::ZERO, part: 0 };
    sim.log.add(scene.event_at(Pair::new(id, id, [0; 3]), kind, &meeting, point));
}

/// Logs that two bodies are no longer in contact.
pub(super) fn log_release(sim: &mut Simulation, listed: &ListedPair) {
    let seen = listed.pair.as_seen_from_path(&sim.scene.rows);
    let normal = sim.scene.normal_of(seen, listed.part);
    let contact = Contact::new(listed.pair, listed.part, normal, Surface::Curved, sim.scene.now, None);
    log_contact(sim, EventKind::Release, &contact);
}

impl StepProblem {
    /// The impulse of bodies of prescribed motion on members, N·s.
    fn impulse_of_walls(&self) -> DVec3 {
        let on_members = |row: usize| {
            let [a, b] = self.relaxation.rows[row].ends.map(|end| f64::from((end as usize) < self.free));
            self.impulse(row) * (b - a)
        };
        (0..self.listed.len()).map(on_members).sum()
    }

    /// The work of bodies of prescribed motion, J.
    fn work_of_walls(&self) -> f64 {
        let work = |row: usize| -self.impulse(row).dot(self.wall_velocity(self.listed[row] as usize));
        (0..self.listed.len()).map(work).sum()
    }

    /// The visible impacts: the rows with a positive restitution. The heat of the step is distributed over all rows in
    /// proportion to the energies that their impulses remove.
    fn impacts(&self, list: &PairList, met: &[f64]) -> Vec<StepImpact> {
        if met.iter().all(|&restitution| restitution == 0.0) {
            return Vec::new();
        }
        let mut shares: Vec<f64> = (0..self.listed.len()).map(|row| self.loss(row)).collect();
        distribute(&mut shares, 1.0);
        let impact = |(row, share): (usize, f64)| {
            let place = self.listed[row] as usize;
            let ListedPair { pair, part, .. } = list.pairs[place];
            StepImpact {
                pair,
                part,
                normal: self.candidates[place].normal,
                approach_speed: self.approach_speed(place),
                impulse: self.impulse(row).length(),
                share: share.max(0.0),
            }
        };
        let rows = shares.into_iter().enumerate();
        rows.filter(|&(row, _)| met.get(row).is_some_and(|&restitution| restitution > 0.0)).map(impact).collect()
    }

    /// The energy that the impulse of a row removes, J. By Kelvin's theorem, the work of an impulse is its product with
    /// the mean of the relative velocities before and after.
    fn loss(&self, row: usize) -> f64 {
        let of = &self.relaxation.rows[row];
        let [a, b] = of.ends.map(|end| end as usize);
        let after = |place: usize| if place < self.free { self.after(place) } else { self.before[place] };
        let contact = |place: usize, member: &SolverBody, sign: f64| {
            let radius = self.radii.get(place).copied().unwrap_or(0.0);
            member.at(of.normal * (sign * radius))
        };
        let relative = |before: [SolverBody; 2]| contact(b, &before[1], -1.0) - contact(a, &before[0], 1.0);
        let mean = (relative([self.before[a], self.before[b]]) + relative([after(a), after(b)])) * 0.5;
        let turning = self.before[b].angular - self.before[a].angular + after(b).angular - after(a).angular;
        -self.impulse(row).dot(mean) - self.contact_impulse(row).couple.dot(turning * 0.5)
    }
}
