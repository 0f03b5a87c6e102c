//! Operators of instants: an instant and a span make an instant, and two instants have a span between them, s.

use std::ops::{Add, AddAssign, Sub};

use super::SimTime;

/// [`SimTime::plus`].
///
/// ```
/// use carom::SimTime;
///
/// let mut time = SimTime::from_seconds(1.5);
/// time += 0.25;
/// assert_eq!(time - SimTime::ZERO, 1.75);
/// assert_eq!(time, SimTime::ZERO + 1.75);
/// ```
///
/// # Panics
/// When the span is not finite or beyond ±2⁴² s.
impl Add<f64> for SimTime {
    type Output = Self;

    fn add(self, seconds: f64) -> Self {
        self.plus(seconds)
    }
}

/// As the sum.
impl AddAssign<f64> for SimTime {
    fn add_assign(&mut self, seconds: f64) {
        *self = self.plus(seconds);
    }
}

/// [`SimTime::since`], s.
impl Sub for SimTime {
    type Output = f64;

    fn sub(self, earlier: Self) -> f64 {
        self.since(earlier)
    }
}
