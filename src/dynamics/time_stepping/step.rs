//! One tick of the crowd.

use glam::DVec3;

use super::candidates::Throng;
use super::constraints::{Going, Obstacle};
use super::{Given, STRIDE, Touch};
use crate::dynamics::contact::Footing;
use crate::dynamics::solver::Push;
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
        let (throng, going) = loop {
            let tick = self.tick_length();
            let throng = self.gather(tick, fastest);
            let lonely = if first { self.lonely(&throng) } else { Vec::new() };
            first = false;
            if !lonely.is_empty() {
                self.set_free(&lonely)?;
                continue;
            }
            match self.keep_apart(&throng)? {
                Ok(going) => break (throng, going),
                Err(Obstacle::Speed(speed)) => fastest = speed,
                Err(Obstacle::Bystanders(bystanders)) => self.admit(&bystanders),
            }
        };
        self.book_tick(&throng, &going);
        self.go(&throng, &going)?;
        self.keep_touches(&throng, &going);
        self.put_to_rest(&throng)
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
    fn go(&mut self, throng: &Throng, going: &Going) -> Result<(), RunError> {
        let gravity = self.scene.settings.gravity;
        let due = self.now.plus(going.span(throng));
        for (place, &id) in throng.bodies[..throng.free].iter().enumerate() {
            let member = going.solution.members[place];
            let spin = Spin { velocity: member.angular, acceleration: DVec3::ZERO };
            self.begin_path(id, member.linear, DVec3::ZERO, spin)?;
            // Gravity has already given for the whole tick what it gives in the course of it.
            let hold = -gravity / throng.before[place].inverse_mass;
            self.put_footing(id, Footing { outside: hold, ..Footing::none(self.now) });
            self.scene.set_due(id, due);
            self.crowd.paid.set(id, throng.end);
            let (linear, angular) =
                (member.linear - throng.before[place].linear, member.angular - throng.before[place].angular);
            self.crowd.given.set(id, Given { linear, angular, tick: throng.tick });
        }
        for &id in &throng.bodies[..throng.free] {
            self.predict(id);
        }
        Ok(())
    }

    /// Remembers who pushes whom, and tells of those that touched and do no more.
    fn keep_touches(&mut self, throng: &Throng, going: &Going) {
        let old = std::mem::take(&mut self.crowd.touches);
        let mut touches = Vec::with_capacity(old.len());
        let mut pushes = vec![Push::default(); throng.nears.len()];
        for (&row, push) in going.asking.rows.iter().zip(&going.solution.pushes) {
            pushes[row] = Push { normal: push.normal / throng.tick, tangential: push.tangential / throng.tick };
        }
        for (near, push) in throng.nears.iter().zip(pushes) {
            let (pair, part) = (near.pair.absolute(&self.scene.rows), near.part);
            let told = Touch::find(&old, (pair, part)).is_some_and(|touch| touch.told);
            let touch = Touch { pair, part, push, told };
            if push.normal > 0.0 || (touch.told && near.gap <= self.scene.settings.rest_length) {
                touches.push(touch);
            }
        }
        touches.sort_by_key(Touch::key);
        let ended = |touch: &&Touch| touch.told && Touch::find(&touches, touch.key()).is_none();
        let ended: Vec<Touch> = old.iter().filter(ended).copied().collect();
        self.crowd.touches = touches;
        ended.iter().for_each(|touch| self.tell_end(touch));
    }
}
