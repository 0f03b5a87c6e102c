//! The spin of a ball: its angular velocity as a polynomial of time. Its orientation has no effect on the motion of a
//! ball.

use glam::DVec3;

/// Angular velocity along a path; time counts from the path's epoch.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spin {
    /// Angular velocity at the epoch, rad/s, along the axis by the right-hand rule.
    pub velocity: DVec3,
    /// Constant angular acceleration, rad/s².
    pub acceleration: DVec3,
}

impl Spin {
    /// Angular velocity after `t` seconds, rad/s.
    #[inline]
    pub fn at(&self, t: f64) -> DVec3 {
        self.velocity + self.acceleration * t
    }
}
