//! A path: one body's position as a polynomial of time, with the instant it starts from.
//!
//! Between impacts a body moves as `p(t) = p₀ + v₀ t + ½ a t²`, with t counted from the path's epoch. A path is
//! replaced only when the motion of the body changes, for example at an impact. Reading the position of a body does not
//! change its path.

use glam::DVec3;

use super::SimTime;

/// The motion of one point.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Path, SimTime};
///
/// let (velocity, acceleration) = (DVec3::new(3.0, 0.0, 10.0), DVec3::Z * -10.0);
/// let path = Path { position: DVec3::ZERO, velocity, acceleration, epoch: SimTime::from_seconds(7.0) };
/// // One second after its epoch it is at the top.
/// let top = SimTime::from_seconds(8.0);
/// assert_eq!((path.position_at(top), path.velocity_at(top)), (DVec3::new(3.0, 0.0, 5.0), DVec3::X * 3.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Path {
    /// Position at the epoch, m, world frame.
    pub position: DVec3,
    /// Velocity at the epoch, m/s.
    pub velocity: DVec3,
    /// Constant acceleration, m/s².
    pub acceleration: DVec3,
    /// The instant at which the polynomial's time is 0.
    pub epoch: SimTime,
}

impl Path {
    /// Position at `time`, m.
    #[inline]
    pub fn position_at(&self, time: SimTime) -> DVec3 {
        let t = time.since(self.epoch);
        self.position + (self.velocity + self.acceleration * (0.5 * t)) * t
    }

    /// Velocity at `time`, m/s.
    #[inline]
    pub fn velocity_at(&self, time: SimTime) -> DVec3 {
        self.velocity + self.acceleration * time.since(self.epoch)
    }
}

/// The motion of `b` as seen from `a`: a polynomial of time. The code that creates it chooses the instant of time 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relative {
    /// Position of `b` minus position of `a` at time 0, m.
    pub position: DVec3,
    /// Velocity of `b` minus velocity of `a` at time 0, m/s.
    pub velocity: DVec3,
    /// Acceleration of `b` minus acceleration of `a`, m/s². Zero for two free bodies in the same gravity.
    pub acceleration: DVec3,
}

impl Relative {
    /// The motion of `b` seen from `a`, its time counted from `start`.
    #[inline]
    pub fn between(a: &Path, b: &Path, start: SimTime) -> Self {
        Self {
            position: b.position_at(start) - a.position_at(start),
            velocity: b.velocity_at(start) - a.velocity_at(start),
            acceleration: b.acceleration - a.acceleration,
        }
    }

    /// Whether the motion is a straight line at constant velocity.
    #[inline]
    #[doc(hidden)]
    pub fn is_straight(&self) -> bool {
        self.acceleration == DVec3::ZERO
    }

    /// Position at `t` seconds, m.
    #[inline]
    pub fn position_at(&self, t: f64) -> DVec3 {
        self.position + (self.velocity + self.acceleration * (0.5 * t)) * t
    }

    /// Velocity at `t` seconds, m/s.
    #[inline]
    pub fn velocity_at(&self, t: f64) -> DVec3 {
        self.velocity + self.acceleration * t
    }

    /// The same motion with its time counted from `t`.
    #[must_use]
    #[inline]
    #[doc(hidden)]
    pub fn from(&self, t: f64) -> Self {
        Self { position: self.position_at(t), velocity: self.velocity_at(t), acceleration: self.acceleration }
    }

    /// An upper bound of the way in `span` seconds from time 0, m.
    #[inline]
    pub(crate) fn way(&self, span: f64) -> f64 {
        (self.velocity.length() + 0.5 * span * self.acceleration.length()) * span
    }

    /// The motion of a point of `b`, `by` from its position, m.
    #[inline]
    pub(crate) fn shifted(&self, by: DVec3) -> Self {
        Self { position: self.position + by, ..*self }
    }

    /// The motion of `a` as seen from `b`.
    #[must_use]
    #[inline]
    #[doc(hidden)]
    pub fn reversed(&self) -> Self {
        Self { position: -self.position, velocity: -self.velocity, acceleration: -self.acceleration }
    }
}
