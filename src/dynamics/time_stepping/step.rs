//! One tick of the crowd.

use glam::DVec3;

use super::candidates::StepProblem;
use super::constraints::{Obstacle, StepSolution};
use super::{Given, STRIDE, StepContact};
use crate::dynamics::contact::Reaction;
use crate::dynamics::solver::ContactImpulse;
use crate::dynamics::state::{RunError, Stepper};
use crate::motion::Spin;

impl Stepper {
    /// Gives everybody in the crowd a new velocity, until the next tick.
    pub(in crate::dynamics) fn tick(&mut self) -> Result<(), RunError> {
        self.recall_all()?;
        let joining = std::mem::take(&mut self.crowd.joining);
        self.admit(&joining);
        self.stop_slow()?;
        let (mut fastest, mut first) = (0.0, true);
        let (problem, going) = loop {
            let tick = self.tick_length();
            let problem = self.gather(tick, fastest);
            let lonely = if first { self.lonely(&problem) } else { Vec::new() };
            first = false;
            if !lonely.is_empty() {
                self.set_free(&lonely)?;
                continue;
            }
            match self.keep_apart(&problem)? {
                Ok(going) => break (problem, going),
                Err(Obstacle::Speed(speed)) => fastest = speed,
                Err(Obstacle::Bystanders(bystanders)) => self.admit(&bystanders),
            }
        };
        self.book_tick(&problem, &going);
        self.go(&problem, &going)?;
        self.keep_touches(&problem, &going);
        self.put_to_rest(&problem)
    }

    /// How long the next tick is, s.
    fn tick_length(&self) -> f64 {
        let Some([least, most]) = self.scene.settings.ticks() else { return 0.0 };
        let (mut fastest, mut smallest) = (0.0, f64::INFINITY);
        for &id in &self.crowd.members {
            fastest = f64::max(fastest, self.scene.rows.path(id).velocity_at(self.now).length());
            smallest = f64::min(smallest, self.scene.rows.shape(id).half_extents().min_element());
        }
        (STRIDE * smallest / fastest).clamp(least, most)
    }

    /// Puts everybody on the new way.
    fn go(&mut self, problem: &StepProblem, going: &StepSolution) -> Result<(), RunError> {
        let gravity = self.scene.settings.gravity;
        let due = self.now.plus(going.span(problem));
        for (place, &id) in problem.bodies[..problem.free].iter().enumerate() {
            let member = going.solution.members[place];
            let spin = Spin { velocity: member.angular, acceleration: DVec3::ZERO };
            self.begin_path(id, member.linear, DVec3::ZERO, spin)?;
            // Gravity has already given for the whole tick what it gives in the course of it.
            let hold = -gravity / problem.before[place].inverse_mass;
            self.put_reaction(id, Reaction { outside: hold, ..Reaction::none(self.now) });
            self.scene.set_due(id, due);
            self.crowd.paid.set(id, problem.end);
            let (linear, angular) =
                (member.linear - problem.before[place].linear, member.angular - problem.before[place].angular);
            self.crowd.given.set(id, Given { linear, angular, tick: problem.tick });
        }
        for &id in &problem.bodies[..problem.free] {
            self.predict(id);
        }
        Ok(())
    }

    /// Remembers who pushes whom, and tells of those that touched and do no more.
    fn keep_touches(&mut self, problem: &StepProblem, going: &StepSolution) {
        let old = std::mem::take(&mut self.crowd.touches);
        let mut touches = Vec::with_capacity(old.len());
        let mut pushes = vec![ContactImpulse::default(); problem.candidates.len()];
        for (&row, push) in going.asking.rows.iter().zip(&going.solution.pushes) {
            pushes[row] =
                ContactImpulse { normal: push.normal / problem.tick, tangential: push.tangential / problem.tick };
        }
        for (near, push) in problem.candidates.iter().zip(pushes) {
            let (pair, part) = (near.pair.absolute(&self.scene.rows), near.part);
            let told = StepContact::find(&old, (pair, part)).is_some_and(|touch| touch.told);
            let touch = StepContact { pair, part, push, told };
            if push.normal > 0.0 || (touch.told && near.gap <= self.scene.settings.rest_length) {
                touches.push(touch);
            }
        }
        touches.sort_by_key(StepContact::key);
        let ended = |touch: &&StepContact| touch.told && StepContact::find(&touches, touch.key()).is_none();
        let ended: Vec<StepContact> = old.iter().filter(ended).copied().collect();
        self.crowd.touches = touches;
        ended.iter().for_each(|touch| self.tell_end(touch));
    }
}
