//! Friction of a pair of materials: the three relative motions at a contact that it resists, and how much.

use crate::quantity;

quantity!(
    /// Coulomb's coefficient: the largest ratio of the force along a surface to the force into it, 0 or more.
    Friction, "friction", "a number from 0 to 1e6", |mu| (0.0..=1e6).contains(&mu)
);

impl Friction {
    /// No friction: the default.
    pub const NONE: Self = Self(0.0);
}

quantity!(
    /// The largest ratio of the torque that resists rolling, or spinning, to the normal force, m; 0 or more.
    ///
    /// For a ball that rolls it is how far in front of the contact point the normal force acts. For one that spins on
    /// the spot it is the coefficient of friction times a part of the radius of the contact: 3π/16 on elastic bodies
    /// (Johnson, *Contact Mechanics*, 1985, ch. 8 and 9).
    FrictionLength, "friction length", "a length from 0 to 1e6 m", |length| (0.0..=1e6).contains(&length)
);

impl FrictionLength {
    /// No resistance: the default.
    pub const NONE: Self = Self(0.0);
}

/// A relative motion of two bodies in contact that friction resists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dynamics) enum Mode {
    /// The surfaces slide on each other.
    Slip,
    /// The bodies turn relative to each other about an axis along the surface.
    Rolling,
    /// The bodies turn relative to each other about the normal.
    Spinning,
}

impl Mode {
    pub(in crate::dynamics) const ALL: [Self; 3] = [Self::Slip, Self::Rolling, Self::Spinning];
}

/// The friction of a pair of materials: the largest force or torque against each mode, over the normal force.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::dynamics) struct Frictions {
    /// Coulomb's coefficient, no unit.
    pub(in crate::dynamics) sliding: f64,
    /// m.
    pub(in crate::dynamics) rolling: f64,
    /// m.
    pub(in crate::dynamics) spinning: f64,
}

impl Frictions {
    /// Against sliding only.
    #[cfg(test)]
    pub(in crate::dynamics) fn sliding(friction: f64) -> Self {
        Self { sliding: friction, ..Self::default() }
    }

    #[inline]
    pub(in crate::dynamics) fn of(&self, mode: Mode) -> f64 {
        match mode {
            Mode::Slip => self.sliding,
            Mode::Rolling => self.rolling,
            Mode::Spinning => self.spinning,
        }
    }

    /// The others, without that against one mode.
    pub(in crate::dynamics) fn without(mut self, mode: Mode) -> Self {
        match mode {
            Mode::Slip => self.sliding = 0.0,
            Mode::Rolling => self.rolling = 0.0,
            Mode::Spinning => self.spinning = 0.0,
        }
        self
    }

    /// The largest impulses against the modes at this normal impulse, N·s and N·m·s.
    pub(in crate::dynamics) fn times(&self, normal_impulse: f64) -> Self {
        Self {
            sliding: self.sliding * normal_impulse,
            rolling: self.rolling * normal_impulse,
            spinning: self.spinning * normal_impulse,
        }
    }

    /// Whether there is any friction.
    #[inline]
    pub(in crate::dynamics) fn act(&self) -> bool {
        self.sliding > 0.0 || self.resist_turning()
    }

    /// Whether rolling or spinning is resisted.
    #[inline]
    pub(in crate::dynamics) fn resist_turning(&self) -> bool {
        self.rolling > 0.0 || self.spinning > 0.0
    }
}
