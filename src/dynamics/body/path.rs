//! New paths, and what contacts did along the old ones.

use glam::DVec3;

use super::table::Mover;
use crate::dynamics::contact::Reaction;
use crate::dynamics::event::Knot;
use crate::dynamics::state::{RunError, Stepper};
use crate::dynamics::{BodyId, Response};
use crate::geometry::Shape;
use crate::motion::{Path, Spin};

/// How far from the origin a ball's path may begin, in its radius, to be looked at in lanes: farther out, rounding
/// might make a meeting slide that goes visibly deep.
const PLAIN_REACH: f64 = 8_388_608.0;

impl Stepper {
    /// Books what the contacts did, and puts down what they do from now on.
    pub(in crate::dynamics) fn put_reaction(&mut self, body: BodyId, reaction: Reaction) {
        if reaction.is_nonzero() || self.scene.reactions.get(body).is_nonzero() {
            let mut audit = self.audit;
            self.settle_footing(body, &mut audit);
            self.audit = audit;
            self.scene.reactions.set(body, reaction);
        }
    }

    /// Starts a path where the body is at the present.
    pub(in crate::dynamics) fn begin_path(
        &mut self,
        body: BodyId,
        velocity: DVec3,
        acceleration: DVec3,
        spin: Spin,
    ) -> Result<(), RunError> {
        // A ballistic sphere touches nothing.
        if !self.scene.rows.records.is_ballistic_sphere(body) {
            self.put_reaction(body, Reaction { since: self.now, ..*self.scene.reactions.get(body) });
        }
        let here = self.scene.rows.path(body).position_at(self.now);
        let (position, crossed) = self.scene.settings.space.wrap(here);
        self.enter_path(body, &Path { position, velocity, acceleration, epoch: self.now }, crossed, spin)
    }

    /// Starts a path that goes on as the present one, so that nothing is predicted from before the present.
    pub(in crate::dynamics) fn go_on_from_here(&mut self, body: BodyId) -> Result<(), RunError> {
        let path = self.scene.rows.path(body);
        let spin = *self.scene.rows.spins.get(body);
        let turning = Spin { velocity: spin.at(self.now.since(path.epoch)), ..spin };
        self.begin_path(body, path.velocity_at(self.now), path.acceleration, turning)?;
        self.predict(body);
        Ok(())
    }

    /// Starts `path` at the present: the one place where paths change. Every path begins in the periodic cell; to get to its
    /// first position the body is taken back over the periods that it has `crossed`. Those are counted by where it is, not by
    /// what the broadphase has noticed, for it rounds.
    #[inline(always)]
    pub(in crate::dynamics) fn enter_path(
        &mut self,
        body: BodyId,
        path: &Path,
        crossed: [i32; 3],
        spin: Spin,
    ) -> Result<(), RunError> {
        debug_assert_eq!(path.epoch, self.now);
        self.scene.rows.records.set(body, path);
        self.scene.rows.spins.set(body, spin);
        self.check_motion(body, [path.position, path.velocity, path.acceleration], &spin)?;
        self.check_speed(body, path.velocity)?;
        if *self.tracked.get(body) {
            self.knots.push(Knot { body, path: *path });
        }
        self.scene.rows.cross(body, crossed);
        self.broadphase.update_exit(body, path, crossed, &self.scene.settings.space, self.now);
        if !self.scene.rows.records.stays_ballistic_sphere(body, path, PLAIN_REACH) {
            self.refresh_record(body);
        }
        debug_assert_eq!(
            self.scene.rows.records.is_ballistic_sphere(body),
            self.is_plain_ball(body),
            "the line of {body:?}"
        );
        Ok(())
    }

    /// Puts down for predictions what a body's path is, and whether there is something else to take into account.
    pub(in crate::dynamics) fn refresh_record(&mut self, body: BodyId) {
        self.scene.rows.records.set_ballistic_sphere(body, self.is_plain_ball(body));
    }

    fn is_plain_ball(&self, body: BodyId) -> bool {
        let role = self.scene.rows.role(body);
        let path = self.scene.rows.path(body);
        match self.scene.rows.shape(body) {
            Shape::Sphere(radius) => {
                role.mover == Mover::Free
                    && role.response == Response::Collide
                    && path.acceleration == self.scene.settings.gravity
                    && self.scene.rows.records.holds_epoch(body)
                    && path.position.abs().max_element() <= PLAIN_REACH * radius.get()
                    && self.scene.due.get(body).is_none()
                    && self.scene.contacts.of(body).is_empty()
                    && self.broadphase.is_roomy(body, radius.get(), &self.scene.settings.space)
            }
            _ => false,
        }
    }
}
