//! The clock: whole ticks of 1/2048 s and a rest.
//!
//! A single `f64` of seconds loses digits in a long run: after 10⁶ s its spacing is 1e-10 s. Two parts keep the
//! resolution of the rest, 2⁻⁶⁴ s at worst (5e-20 s), up to the longest duration, and they do not depend on the
//! timestep. The rest is a floating-point number, so instants within one tick of the start have all its digits: a run
//! may last a nanosecond. The representation of an instant is unique, so equality and order are those of the parts.

mod operators;
mod text;

use std::cmp::Ordering;
use std::hint::select_unpredictable;

use thiserror::Error;

use crate::numeric::exact;
use crate::numeric::tolerance::{TICKS_PER_SECOND, TIME_MAX};
use crate::numeric::whole::floor;

pub use text::ParseTimeError;

/// An instant, in seconds since the start of the run.
///
/// It is written and read as a whole number of ticks, negative before the start, and a rest in the half-open range
/// [0, [`TICK`](Self::TICK)).
///
/// ```
/// use carom::SimTime;
///
/// let time = SimTime::from_seconds(0.5);
/// assert_eq!((time.ticks(), time.rest()), (1024, 0.0));
/// assert_eq!(time.plus(0.25).seconds(), 0.75);
/// // A nanosecond counts even after thirty thousand years.
/// let late = SimTime::from_seconds(1e12);
/// assert_eq!(late.plus(1e-9).since(late), 1e-9);
/// ```
#[derive(Default, Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "(i64, f64)", try_from = "(i64, f64)"))]
pub struct SimTime {
    ticks: i64,
    rest: f64,
}

/// Largest number of ticks that is read, positive or negative. Sums and differences of a few such numbers fit into an
/// `i64`.
const TICKS_MAX: u64 = 1 << 60;

impl SimTime {
    /// The start of the run.
    pub const ZERO: Self = Self { ticks: 0, rest: 0.0 };

    /// The length of a tick, s: a power of two, so that counting in ticks rounds nothing.
    pub const TICK: f64 = 1.0 / TICKS_PER_SECOND;

    /// Later than any instant of a run.
    pub(crate) const NEVER: Self = Self { ticks: 1 << 62, rest: 0.0 };

    /// The instant `seconds` after the start.
    ///
    /// # Panics
    /// When `seconds` is not finite or beyond ±2⁴² (4.4·10¹² s).
    pub fn from_seconds(seconds: f64) -> Self {
        Self::ZERO.plus(seconds)
    }

    /// The instant of these parts: the rest, in seconds, is in [0, [`TICK`](Self::TICK)).
    #[inline]
    pub(crate) fn from_parts(ticks: i64, rest: f64) -> Self {
        debug_assert!((0.0..Self::TICK).contains(&rest), "{rest} s is no rest of a tick");
        Self { ticks, rest }
    }

    /// Whole ticks, rounded towards the past.
    pub const fn ticks(self) -> i64 {
        self.ticks
    }

    /// The remainder after the whole [`ticks`](Self::ticks), s, in [0, [`TICK`](Self::TICK)).
    pub const fn rest(self) -> f64 {
        self.rest
    }

    /// The nearest single number of seconds. Loses digits; for display and plots.
    pub fn seconds(self) -> f64 {
        self.ticks as f64 * Self::TICK + self.rest
    }

    /// The nearest single number of seconds, and the rounding error, s. The instant is exactly their sum.
    ///
    /// ```
    /// use carom::SimTime;
    ///
    /// // A single number has no digits for the second part.
    /// let time = SimTime::from_seconds(1e9).plus(1e-9);
    /// assert_eq!(time.seconds_and_rest(), (1e9, 1e-9));
    /// ```
    pub fn seconds_and_rest(self) -> (f64, f64) {
        // The clock's ticks are below 2⁵³, so the first term is exact.
        exact::sum(self.ticks as f64 * Self::TICK, self.rest)
    }

    /// Seconds from `earlier` to `self`; negative when `self` comes first. Rounded once or twice.
    #[inline]
    pub fn since(self, earlier: Self) -> f64 {
        (self.ticks - earlier.ticks) as f64 * Self::TICK + (self.rest - earlier.rest)
    }

    /// The instant `seconds` later.
    ///
    /// # Panics
    /// When `seconds` is not finite or beyond ±2⁴² (4.4·10¹² s).
    #[must_use]
    #[inline]
    pub fn plus(self, seconds: f64) -> Self {
        assert!(seconds.abs() <= TIME_MAX, "a span of {seconds} s does not fit the clock");
        let ticks = floor(seconds * TICKS_PER_SECOND);
        let rest = self.rest + (seconds - ticks as f64 * Self::TICK);
        // Two remainders below a tick and a rounding error: at most two ticks.
        let carry = floor(rest * TICKS_PER_SECOND);
        Self { ticks: self.ticks + ticks + carry, rest: rest - carry as f64 * Self::TICK }
    }
}

impl PartialEq for SimTime {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for SimTime {}

/// Whole ticks and a remainder that do not form an instant.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error(
    "not a time: {0} ticks of 1/{rate} s and {1} s, of which the second must be from 0 to below a tick and the first no \
     farther than 2^60",
    rate = TICKS_PER_SECOND
)]
pub struct PartsError(i64, f64);

impl From<SimTime> for (i64, f64) {
    fn from(time: SimTime) -> Self {
        (time.ticks, time.rest)
    }
}

impl TryFrom<(i64, f64)> for SimTime {
    type Error = PartsError;

    fn try_from((ticks, rest): (i64, f64)) -> Result<Self, PartsError> {
        let sound = ticks.unsigned_abs() <= TICKS_MAX && (0.0..Self::TICK).contains(&rest);
        // Adding zero turns −0 into 0. Otherwise one instant would have two representations.
        if sound { Ok(Self { ticks, rest: rest + 0.0 }) } else { Err(PartsError(ticks, rest)) }
    }
}

impl SimTime {
    /// An integer in the order of instants: remainders are not negative, so their bits are in the order of their
    /// values. The processor can seldom predict which of two instants is earlier; integers are compared without a
    /// branch.
    #[inline(always)]
    fn rank(self) -> i128 {
        i128::from(self.ticks) << 64 | i128::from(self.rest.to_bits())
    }

    /// `one` if `is_so`, else `other`, for a condition that the processor cannot predict. The two parts are selected
    /// separately, because the compiler selects a whole instant by a branch.
    #[inline(always)]
    pub(crate) fn choose(is_so: bool, one: Self, other: Self) -> Self {
        let rest = select_unpredictable(is_so, one.rest.to_bits(), other.rest.to_bits());
        Self { ticks: select_unpredictable(is_so, one.ticks, other.ticks), rest: f64::from_bits(rest) }
    }
}

impl Ord for SimTime {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::choose(self.rank() > other.rank(), self, other)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self::choose(other.rank() < self.rank(), other, self)
    }
}

impl PartialOrd for SimTime {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    #[inline(always)]
    fn lt(&self, other: &Self) -> bool {
        self.rank() < other.rank()
    }

    #[inline(always)]
    fn le(&self, other: &Self) -> bool {
        self.rank() <= other.rank()
    }

    #[inline(always)]
    fn gt(&self, other: &Self) -> bool {
        self.rank() > other.rank()
    }

    #[inline(always)]
    fn ge(&self, other: &Self) -> bool {
        self.rank() >= other.rank()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_split_into_ticks_and_a_rest() {
        let part = SimTime::TICK / 8.0;
        let rows = [
            (0.25, 0.5, 3 * 512, 0.0),
            (0.75, 0.5, 5 * 512, 0.0),
            (0.25, -0.5, -512, 0.0),
            (3.5, 1e6, 2_048_007_168, 0.0),
            (part, part, 0, 2.0 * part),
            (5.0 * part, 4.0 * part, 1, part),
            (part, -2.0 * part, -1, 7.0 * part),
            (part, -part, 0, 0.0),
        ];
        for (start, span, ticks, rest) in rows {
            let time = SimTime::from_seconds(start).plus(span);
            assert_eq!((time.ticks(), time.rest()), (ticks, rest), "{start} + {span}");
            assert_eq!(time.seconds(), start + span);
        }
    }

    #[test]
    fn a_tiny_step_back_does_not_leave_the_range() {
        // The remainder of 0 − 1e-300 rounds up to a whole tick, so the result is the next tick.
        let time = SimTime::from_seconds(-1e-300);
        assert_eq!((time.ticks(), time.rest()), (0, 0.0));
    }

    #[test]
    fn the_grain_does_not_grow_with_time() {
        let late = SimTime::from_seconds(1e12).plus(1e-9);
        assert_eq!(late.since(SimTime::from_seconds(1e12)), 1e-9);
    }

    #[test]
    fn the_grain_is_that_of_the_last_bit_of_a_tick() {
        let grain = crate::numeric::tolerance::CLOCK_GRAIN;
        for late in [0.0, 0.9, 12.3, 1e9] {
            // The end of a tick, where the rest has the fewest digits.
            let time = SimTime::from_seconds(late).plus(SimTime::TICK);
            let time = SimTime::from_parts(time.ticks(), 0.75 * SimTime::TICK);
            assert_eq!(time.plus(grain).since(time), grain, "{late}");
            assert_eq!(time.plus(0.25 * grain), time, "{late}");
        }
        // Near the start a span keeps its digits however short it is.
        assert_eq!(SimTime::from_seconds(1e-30).plus(1e-40).rest(), 1e-30 + 1e-40);
    }

    #[test]
    fn instants_are_in_the_order_of_their_parts() {
        let ticks = [-(1 << 60), -2, -1, 0, 1, 1 << 60];
        let rests = [0.0, 5e-324, 1e-5, 2e-4, SimTime::TICK.next_down()];
        let all = ticks.map(|ticks| rests.map(|rest| SimTime::from_parts(ticks, rest))).concat();
        let ranked: Vec<(usize, SimTime)> = all.into_iter().chain([SimTime::NEVER]).enumerate().collect();
        for &(i, x) in &ranked {
            for &(j, y) in &ranked {
                assert_eq!((x.cmp(&y), x == y, x < y, x <= y), (i.cmp(&j), i == j, i < j, i <= j), "{x:?} {y:?}");
                assert_eq!((x > y, x >= y, x.partial_cmp(&y)), (i > j, i >= j, i.partial_cmp(&j)), "{x:?} {y:?}");
                assert_eq!((x.max(y), x.min(y)), (ranked[i.max(j)].1, ranked[i.min(j)].1), "{x:?} {y:?}");
            }
        }
        // The remainder is never −0, whose bits would come after all others.
        for seconds in [-0.0, -1.0, -1e-300, 0.0] {
            let time = SimTime::from_seconds(seconds).plus(-0.0);
            assert!(time.rest().is_sign_positive(), "{seconds}");
        }
    }
}
