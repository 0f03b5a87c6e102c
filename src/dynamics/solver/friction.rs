//! Friction at a contact: the three relative motions that it resists, and the impulse or couple against each.
//!
//! Slip is resisted by a tangential impulse, rolling and spinning by the two parts of a couple: along the surface and
//! along the normal. The largest size of each is a coefficient times the normal impulse.

use glam::DVec3;

use super::problem::{ContactConstraint, ContactImpulse, FrictionModel, SolverBody};
use crate::dynamics::body::friction::Mode;

impl ContactConstraint {
    /// The angular velocity (acceleration) of b relative to a.
    pub(in crate::dynamics) fn turning(&self, members: &[SolverBody]) -> DVec3 {
        members[self.b].angular - members[self.a].angular
    }

    /// The tangential component of b − a at the contact point.
    pub(in crate::dynamics) fn slip(&self, members: &[SolverBody]) -> DVec3 {
        let all = self.relative(members);
        all - self.normal * (self.normal.dot(all) / self.normal.length_squared())
    }

    /// The motion of b relative to a in one mode: m/s (m/s²) for slip, otherwise rad/s (rad/s²).
    pub(in crate::dynamics) fn motion(&self, members: &[SolverBody], mode: Mode) -> DVec3 {
        match mode {
            Mode::Slip => self.slip(members),
            _ => self.part_of(self.turning(members), mode),
        }
    }

    /// How the motion in one mode changes in a span because the normal turns, m/s² or rad/s². For example, a spinning
    /// ball begins to slip where the normal turns. The array has the contact at the start and at the end of the span;
    /// `self` is the contact in the middle.
    ///
    /// The result is a constant rate that gives the correct mean of the motion (Simpson's rule). So a force that holds
    /// a contact does no work.
    pub(in crate::dynamics) fn drift(
        &self,
        [start, end]: &[Self; 2],
        [members, accelerations]: [&[SolverBody]; 2],
        mode: Mode,
        span: f64,
    ) -> DVec3 {
        let motion =
            |contact: &Self, after: f64| contact.motion(members, mode) + contact.motion(accelerations, mode) * after;
        let (before, middle, after) = (motion(start, 0.0), motion(self, 0.5 * span), motion(end, span));
        let gained = ((middle - before) * 4.0 + (after - before)) / 6.0;
        self.part_of(gained * (2.0 / span) - self.motion(accelerations, mode), mode)
    }

    /// The part of a couple or of an angular velocity that belongs to rolling or to spinning; of another vector the
    /// part along the surface or the normal.
    pub(super) fn part_of(&self, turning: DVec3, mode: Mode) -> DVec3 {
        let along = self.normal * (self.normal.dot(turning) / self.normal.length_squared());
        if mode == Mode::Spinning { along } else { turning - along }
    }

    /// Friction against a motion that goes on along `direction`, which may be that of a normal that has turned since.
    pub(in crate::dynamics) fn kinetic(&self, friction: f64, direction: DVec3, mode: Mode) -> FrictionModel {
        let along = self.part_of(direction, mode);
        let size = along.length();
        if size > 0.0 { FrictionModel::Kinetic { friction, direction: along / size } } else { FrictionModel::None }
    }

    /// The part of an impulse that acts against one mode.
    pub(in crate::dynamics) fn impulse_against(&self, impulse: &ContactImpulse, mode: Mode) -> DVec3 {
        match mode {
            Mode::Slip => impulse.tangential,
            _ => self.part_of(impulse.couple, mode),
        }
    }

    /// Applies an impulse (couple) against one mode to b, and the opposite one to a.
    pub(in crate::dynamics) fn give_against(&self, members: &mut [SolverBody], impulse: DVec3, mode: Mode) {
        if mode == Mode::Slip {
            self.give(members, impulse);
            return;
        }
        for (member, couple) in [(self.a, -impulse), (self.b, impulse)] {
            members[member].angular += couple * members[member].inverse_inertia;
        }
    }

    /// Change of a mode's motion per impulse (couple) against it. Zero: none has an effect.
    pub(in crate::dynamics) fn compliance_against(&self, members: &[SolverBody], mode: Mode) -> f64 {
        let (a, b) = (&members[self.a], &members[self.b]);
        match mode {
            Mode::Slip => {
                let turning = |member: &SolverBody, arm: DVec3| member.inverse_inertia * arm.length_squared();
                a.inverse_mass + b.inverse_mass + turning(a, self.arms[0]) + turning(b, self.arms[1])
            }
            _ => a.inverse_inertia + b.inverse_inertia,
        }
    }

    /// The velocity at the contact point per unit of a mode's motion: 1 for slip, otherwise m.
    pub(in crate::dynamics) fn lever(&self, mode: Mode) -> f64 {
        match mode {
            Mode::Slip => 1.0,
            _ => self.arms[0].length().max(self.arms[1].length()),
        }
    }
}
