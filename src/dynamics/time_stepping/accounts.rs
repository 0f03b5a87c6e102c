//! The books of a tick: what gravity, pushes and friction did, and what of that is told.

use glam::DVec3;

use super::candidates::{CandidatePair, StepProblem};
use super::constraints::StepSolution;
use super::{Given, StepContact};
use crate::dynamics::BodyId;
use crate::dynamics::contact::{Contact, Surface};
use crate::dynamics::event::{Event, EventKind};
use crate::dynamics::prediction::pair_event::Meeting;
use crate::dynamics::solver::SolverBody;
use crate::dynamics::state::{RunError, Stepper};
use crate::motion::Spin;

impl Stepper {
    /// Books a tick, and logs those that met visibly.
    pub(super) fn book_tick(&mut self, problem: &StepProblem, going: &StepSolution) {
        let gravity = self.scene.settings.gravity;
        for (place, before) in problem.before[..problem.free].iter().enumerate() {
            let kick = problem.alone[place].linear - before.linear;
            let mass = 1.0 / before.inverse_mass;
            self.audit.impulse += kick * mass;
            let way = going.solution.pushed[place].linear * problem.tick;
            self.audit.rubbed -= mass * (kick.dot(before.linear + kick * 0.5) - gravity.dot(way));
            if going.held[place] {
                let pushed = going.solution.pushed[place];
                self.book_change(&pushed, &pushed.stopped(), problem.tick);
            }
        }
        self.groups.come_to(self.now);
        self.groups.count += 1;
        let deepest = problem.candidates.iter().map(|near| -near.gap).fold(0.0, f64::max);
        self.audit.deepest = self.audit.deepest.max(deepest);
        for ((&row, constraint), push) in
            going.asking.rows.iter().zip(&going.asking.constraints).zip(&going.solution.pushes)
        {
            let impulse = push.vector(constraint.normal);
            if impulse == DVec3::ZERO {
                continue;
            }
            let near = problem.candidates[row];
            let loss = constraint.loss(impulse, &problem.alone, &going.solution.pushed);
            for (end, push) in [(constraint.a, impulse), (constraint.b, -impulse)] {
                if end >= problem.free {
                    self.audit.work += push.dot(problem.alone[end].linear);
                }
            }
            self.note_outside_impulse(near.pair, impulse);
            let approach = self.approach(problem, &near);
            if self.rebound(problem, &near) > 0.0 {
                self.audit.dissipated += loss;
                self.tell_impact(&near, approach, impulse.length(), loss);
            } else {
                self.audit.rubbed += loss;
            }
        }
    }

    /// Begins a tick before the last one is over.
    pub(super) fn recall_all(&mut self) -> Result<(), RunError> {
        for place in 0..self.crowd.members.len() {
            let id = self.crowd.members[place];
            if *self.crowd.paid.get(id) > self.now {
                let back = self.recall(id);
                let spin = Spin { velocity: back.angular, acceleration: DVec3::ZERO };
                self.begin_path(id, back.linear, DVec3::ZERO, spin)?;
            }
        }
        Ok(())
    }

    /// Takes off what a body of the crowd was given for the part of its tick that is yet to come, and counts its height where
    /// it is now. Returns its motion without that: between those before and after, so that no energy comes of it.
    fn recall(&mut self, id: BodyId) -> SolverBody {
        let member = self.scene.member(id, self.now);
        let left = self.crowd.paid.get(id).since(self.now);
        let Given { linear, angular, tick } = *self.crowd.given.get(id);
        let share = left / tick;
        let back =
            SolverBody { linear: member.linear - linear * share, angular: member.angular - angular * share, ..member };
        self.book_change(&member, &back, left);
        self.crowd.paid.set(id, self.now);
        back
    }

    /// Books that a body whose height counts `ahead` seconds from now moves otherwise, and that its height counts now.
    pub(super) fn book_change(&mut self, from: &SolverBody, to: &SolverBody, ahead: f64) {
        let (mass, way) = (1.0 / from.inverse_mass, from.linear * ahead);
        self.audit.impulse += (to.linear - from.linear) * mass;
        self.audit.rubbed += from.energy() - to.energy() - mass * self.scene.settings.gravity.dot(way);
    }

    fn tell_impact(&mut self, near: &CandidatePair, approach: f64, impulse: f64, loss: f64) {
        let meeting = Meeting { time: 0.0, normal: near.normal, part: near.part };
        let event = self.event(near.pair, EventKind::Impact, &meeting, approach, impulse);
        self.log(Event { loss, group: self.groups.count, ..event });
    }

    /// Tells that two bodies no longer touch.
    pub(super) fn tell_end(&mut self, touch: &StepContact) {
        let seen = touch.pair.as_seen_from_path(&self.scene.rows);
        let normal = self.normal_of(seen, touch.part);
        let contact = Contact::new(touch.pair, touch.part, normal, Surface::Curved, self.now, None);
        self.log_contact(EventKind::Release, &contact);
    }
}
