//! Stabilisation: removes small relative velocities at contacts, which would otherwise drift by rounding.
//!
//! Opening too slow to be seen, and slip, rolling and spinning that have ended, are removed from all bodies of an
//! island at once. So a body at rest has a velocity of exactly zero.

use glam::DVec3;

use super::lifecycle::log_contact;
use super::update::{Update, add_impulses};
use super::{Contact, Slip, Surface};
use crate::dynamics::body::friction::Mode;
use crate::dynamics::few::Few;
use crate::dynamics::log::event::EventKind;
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::solver;
use crate::dynamics::solver::{ContactConstraint, FrictionModel, SMOOTH, SolverBody};
use crate::motion::SimTime;
use crate::numeric::tolerance::{DRIFT_COST, HELD_SLIP};

/// The directions of a contact's modes, in the order of [`Mode::ALL`]; `None` while friction holds them.
type Directions = [Option<DVec3>; 3];

/// Removes the remaining opening speeds, and the slip and turning of contacts that friction holds.
///
/// Where that would stop a large motion, the contacts that open end instead: a ball that goes over from one edge to the
/// next slides along two normals that are hardly different.
pub(in crate::dynamics) fn stabilise(sim: &mut Simulation, update: &mut Update) {
    let directions = loop {
        let (mut directions, is_dirty) = drifts(sim, update);
        if !is_dirty || stop_drifts(sim, update, &mut directions) {
            break directions;
        }
        let Update { constraints, members, rounding, .. } = &*update;
        let opens = |&place: &usize| constraints[place].opening(members) > *rounding;
        let opening: Few<usize> = (0..constraints.len()).filter(opens).collect();
        if opening.is_empty() {
            break directions;
        }
        sim.scene.end(update, &opening);
    };
    for (&row, own) in update.island.contacts.iter().zip(directions) {
        record_motion(sim, row, own);
    }
    sim.scene.snap(update);
    update.constraints.iter_mut().for_each(|constraint| constraint.holds = false);
}

/// Marks the motions that are to be removed. Returns the directions of the others, and whether there is anything to
/// remove.
fn drifts(sim: &Simulation, update: &mut Update) -> (Few<Directions>, bool) {
    let Update { island, constraints, members, rounding, .. } = update;
    let mut dirty = false;
    let mut directions: Few<Directions> = Few::with_capacity(constraints.len());
    for (constraint, &row) in constraints.iter_mut().zip(&island.contacts) {
        let (frictions, contact) = (sim.scene.frictions_at(row), sim.scene.contacts.get(row));
        (constraint.holds, constraint.bound) = (true, 0.0);
        dirty |= constraint.opening(members) != 0.0;
        let mut own = Directions::default();
        for mode in Mode::ALL {
            let motion = constraint.motion(members, mode);
            let has_friction = frictions.of(mode) > 0.0;
            let speed = motion.length() * constraint.lever(mode);
            let is_over = speed <= *rounding || contact.stops(mode, sim.scene.now);
            let holds = has_friction && (is_over || (contact.holds_on_curve(mode) && speed <= sim.scene.held_slip()));
            constraint.friction[mode as usize] = if holds { FrictionModel::Bilateral } else { FrictionModel::None };
            dirty |= holds && motion != DVec3::ZERO;
            own[mode as usize] = (has_friction && !holds).then(|| motion / motion.length());
        }
        directions.push(own);
    }
    (directions, dirty)
}

/// Solves for velocities without opening and without motion that friction holds. Contacts that slide or turn
/// nevertheless get a direction. Returns false, and changes no velocity, where small motions would be stopped at the
/// cost of a large one.
fn stop_drifts(sim: &mut Simulation, update: &mut Update, directions: &mut [Directions]) -> bool {
    let Update { constraints, members, fastest, rounding, .. } = update;
    let mut solution = solver::solve(members, constraints);
    if !solution.as_ref().is_ok_and(|found| found.meets(*fastest)) {
        // Motions that nearly contradict each other cannot all be stopped.
        let held: Few<[FrictionModel; 3]> = constraints.iter().map(|constraint| constraint.friction).collect();
        constraints.iter_mut().for_each(|constraint| constraint.friction = SMOOTH);
        solution = solver::solve(members, constraints);
        let after = solution.as_ref().map_or(&*members, |found| &found.members);
        for ((constraint, held), own) in constraints.iter().zip(held).zip(directions) {
            for mode in Mode::ALL.into_iter().filter(|&mode| held[mode as usize] == FrictionModel::Bilateral) {
                let motion = constraint.motion(after, mode);
                let is_seen = motion.length() * constraint.lever(mode) > *rounding;
                own[mode as usize] = is_seen.then(|| motion / motion.length());
            }
        }
    }
    // Where no solution exists, as when two supports separate, nothing is held.
    let Ok(solution) = solution else { return true };
    let change = |(after, before): (&SolverBody, &SolverBody)| (after.linear - before.linear).length();
    let cost = solution.members.iter().zip(&*members).map(change).fold(0.0, f64::max);
    let small = removed(constraints, members);
    let is_left = solution.residual > *rounding && DRIFT_COST * solution.residual > small;
    if is_left || cost > DRIFT_COST * small {
        return false;
    }
    add_impulses(sim, update, &solution.members, &solution.impulses);
    update.members = solution.members;
    true
}

/// The sum of the speeds of opening, slip and turning that are to be removed, m/s.
fn removed(constraints: &[ContactConstraint], members: &[SolverBody]) -> f64 {
    let held = |constraint: &ContactConstraint| {
        let stops = |&mode: &Mode| constraint.friction[mode as usize] == FrictionModel::Bilateral;
        let motion = |mode: Mode| constraint.motion(members, mode).length() * constraint.lever(mode);
        let modes: f64 = Mode::ALL.into_iter().filter(stops).map(motion).sum();
        constraint.opening(members).abs() + modes
    };
    constraints.iter().map(held).sum()
}

/// Records whether a contact slides or turns, and in which direction.
fn record_motion(sim: &mut Simulation, row: u32, directions: Directions) {
    let contact = *sim.scene.contacts.get(row);
    let kept = sim.scene.contacts.get_mut(row);
    kept.struck = None;
    for (slip, along) in kept.slips.iter_mut().zip(directions) {
        slip.along = along;
    }
    match (contact.slip(Mode::Slip).along, directions[Mode::Slip as usize]) {
        (None, Some(_)) if contact.met.is_none() => log_contact(sim, EventKind::Slip, &contact),
        (Some(_), None) => log_contact(sim, EventKind::Stick, &contact),
        _ => {}
    }
}

impl Contact {
    /// Whether friction has held a mode on a curved surface. There it keeps the mean motion over a span at zero, but
    /// not the motion at the end of the span.
    fn holds_on_curve(&self, mode: Mode) -> bool {
        self.surface == Surface::Curved && self.slip(mode).along.is_none() && self.force.normal > 0.0
    }

    /// Whether the motion of a mode ends now. When one mode of the contact ends, the modes that friction has held count
    /// as ended too, so that rounding does not release them.
    fn stops(&self, mode: Mode, now: SimTime) -> bool {
        let ends = |slip: &Slip| slip.ends == Some(now);
        let own = self.slip(mode);
        ends(&own) || (own.along.is_none() && self.has_force && self.slips.iter().any(ends))
    }
}

impl Scene {
    /// The slip that a contact which friction holds may gain on a curved surface, m/s.
    pub(in crate::dynamics) fn held_slip(&self) -> f64 {
        HELD_SLIP * (2.0 * self.settings.gravity.length() * self.settings.rest_height).sqrt()
    }

    /// Makes velocities equal that differ by rounding only. Each body takes the velocity of a body in contact with it,
    /// beginning at the bodies that are not free.
    fn snap(&self, update: &mut Update) {
        let Update { island, constraints, members, rounding, .. } = update;
        let mut known: Few<bool> = (0..members.len()).map(|place| place >= island.free).collect();
        let near = |x: f64, y: f64| (x - y).abs() <= *rounding;
        let mut grows = true;
        while grows {
            grows = false;
            for constraint in constraints.iter() {
                let (from, to) = match (known[constraint.a], known[constraint.b]) {
                    (true, false) => (constraint.a, constraint.b),
                    (false, true) => (constraint.b, constraint.a),
                    _ => continue,
                };
                let radius = constraint.arms[0].abs().max_element().max(constraint.arms[1].abs().max_element());
                let given = members[from].linear;
                let SolverBody { linear, angular, .. } = &mut members[to];
                let rests = (0..3).all(|axis| near(given[axis], linear[axis]));
                for axis in 0..3 {
                    let along = constraint.normal[axis].abs() == 1.0 && near(given[axis], linear[axis]);
                    linear[axis] = if rests || along { given[axis] } else { linear[axis] };
                    angular[axis] = if near(angular[axis] * radius, 0.0) { 0.0 } else { angular[axis] };
                }
                (known[to], grows) = (true, true);
            }
        }
    }
}
