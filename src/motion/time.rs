//! The clock: whole seconds and a fraction.
//!
//! A single `f64` of seconds loses digits as a run grows longer: after 10⁶ s its grain is 1e-10 s. Two
//! parts keep the grain of the fraction, 2⁻⁵³ s at worst, for 10¹¹ years, and they do not depend on the
//! timestep. The representation of an instant is unique, so equality and order are those of the parts.

use std::cmp::Ordering;
use std::fmt;
use std::hint::select_unpredictable;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::numeric::tolerance::TIME_MAX;
use crate::numeric::whole::floor;

/// An instant, in seconds since the start of the run.
///
/// The fraction is in the half-open range [0, 1); instants before the start have a negative whole part. It is written and
/// read as these two.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(into = "(i64, f64)", try_from = "(i64, f64)")]
pub struct SimTime {
    whole: i64,
    fraction: f64,
}

/// Most whole seconds that are read, to either side: sums and differences of a few of them fit into their type.
const WHOLE_MAX: u64 = 1 << 60;

/// A text that is not an instant.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a time in decimal seconds: `{0}`")]
pub struct ParseTimeError(String);

impl SimTime {
    /// The start of the run.
    pub const ZERO: Self = Self { whole: 0, fraction: 0.0 };

    /// Later than any instant of a run.
    pub(crate) const NEVER: Self = Self { whole: 1 << 62, fraction: 0.0 };

    /// The instant `seconds` after the start.
    ///
    /// # Panics
    /// When `seconds` is not finite or beyond ±2⁵³.
    pub fn from_seconds(seconds: f64) -> Self {
        Self::ZERO.plus(seconds)
    }

    /// The instant of these parts: the fraction is in [0, 1).
    #[inline]
    pub(crate) fn from_parts(whole: i64, fraction: f64) -> Self {
        debug_assert!((0.0..1.0).contains(&fraction), "{fraction} is no fraction of a second");
        Self { whole, fraction }
    }

    /// Whole seconds, rounded towards the past.
    pub const fn whole(self) -> i64 {
        self.whole
    }

    /// The fraction of a second past [`whole`](Self::whole), in [0, 1).
    pub const fn fraction(self) -> f64 {
        self.fraction
    }

    /// The nearest single number of seconds. Loses digits; for display and plots.
    pub fn seconds(self) -> f64 {
        self.whole as f64 + self.fraction
    }

    /// Seconds from `earlier` to `self`; negative when `self` comes first. Rounded once or twice.
    #[inline]
    pub fn since(self, earlier: Self) -> f64 {
        (self.whole - earlier.whole) as f64 + (self.fraction - earlier.fraction)
    }

    /// The instant `seconds` later.
    ///
    /// # Panics
    /// When `seconds` is not finite or beyond ±2⁵³.
    #[inline]
    pub fn plus(self, seconds: f64) -> Self {
        assert!(seconds.abs() <= TIME_MAX, "a span of {seconds} s does not fit the clock");
        let whole = floor(seconds);
        let fraction = self.fraction + (seconds - whole as f64);
        // Two fractions below 1 and a rounding: at most 2.
        let carry = floor(fraction);
        Self { whole: self.whole + whole + carry, fraction: fraction - carry as f64 }
    }
}

impl PartialEq for SimTime {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for SimTime {}

/// Whole seconds and a fraction that are no instant.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error(
    "not a time: {0} s and {1} s, of which the second must be from 0 to below 1 and the first no farther than 2^60"
)]
pub struct PartsError(i64, f64);

impl From<SimTime> for (i64, f64) {
    fn from(time: SimTime) -> Self {
        (time.whole, time.fraction)
    }
}

impl TryFrom<(i64, f64)> for SimTime {
    type Error = PartsError;

    fn try_from((whole, fraction): (i64, f64)) -> Result<Self, PartsError> {
        let sound = whole.unsigned_abs() <= WHOLE_MAX && (0.0..1.0).contains(&fraction);
        // Adding zero turns −0 into 0, or one instant would be written in two ways.
        if sound { Ok(Self { whole, fraction: fraction + 0.0 }) } else { Err(PartsError(whole, fraction)) }
    }
}

impl SimTime {
    /// A whole number in the order of instants: the bits of fractions, which are not negative, are in their order. Which of two
    /// instants is earlier can seldom be guessed, and whole numbers are compared without a branch.
    #[inline(always)]
    fn rank(self) -> i128 {
        i128::from(self.whole) << 64 | i128::from(self.fraction.to_bits())
    }

    /// The one if it is so, else the other, when that cannot be guessed: part by part, for wholes are chosen by a branch.
    #[inline(always)]
    pub(crate) fn choose(is_so: bool, one: Self, other: Self) -> Self {
        let fraction = select_unpredictable(is_so, one.fraction.to_bits(), other.fraction.to_bits());
        Self { whole: select_unpredictable(is_so, one.whole, other.whole), fraction: f64::from_bits(fraction) }
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

/// Decimal seconds with every digit that the clock holds; [`FromStr`] reads the same instant back.
impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rust prints an `f64` without exponent and with the fewest digits that read back to it.
        let fraction = self.fraction.to_string();
        match fraction.strip_prefix("0.") {
            Some(digits) if self.whole >= 0 => write!(f, "{}.{digits}", self.whole),
            Some(digits) => write!(f, "{}+0.{digits}", self.whole),
            None => write!(f, "{}", self.whole),
        }
    }
}

impl FromStr for SimTime {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<Self, ParseTimeError> {
        let error = || ParseTimeError(text.to_owned());
        if text.starts_with('-') && text.contains('.') && !text.contains("+0.") {
            return Err(error());
        }
        let (whole, digits) = text.split_once("+0.").or_else(|| text.split_once('.')).unwrap_or((text, "0"));
        let fraction: f64 = format!("0.{digits}").parse().map_err(|_| error())?;
        let whole = whole.parse().map_err(|_| error())?;
        if (0.0..1.0).contains(&fraction) { Ok(Self { whole, fraction }) } else { Err(error()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_split_into_whole_and_fraction() {
        let rows = [
            (0.25, 0.5, 0, 0.75),
            (0.75, 0.5, 1, 0.25),
            (0.25, -0.5, -1, 0.75),
            (3.5, 1e6, 1_000_003, 0.5),
            (0.5, -0.5, 0, 0.0),
        ];
        for (start, span, whole, fraction) in rows {
            let time = SimTime::from_seconds(start).plus(span);
            assert_eq!((time.whole(), time.fraction()), (whole, fraction), "{start} + {span}");
        }
    }

    #[test]
    fn a_tiny_step_back_does_not_leave_the_range() {
        // 0 − 1e-300 rounds up to a fraction of 1, which belongs to the next second.
        let time = SimTime::from_seconds(-1e-300);
        assert_eq!((time.whole(), time.fraction()), (0, 0.0));
    }

    #[test]
    fn the_grain_does_not_grow_with_time() {
        let late = SimTime::from_seconds(1e12).plus(1e-9);
        assert_eq!(late.since(SimTime::from_seconds(1e12)), 1e-9);
    }

    #[test]
    fn instants_are_in_the_order_of_their_parts() {
        let wholes = [-(1 << 60), -2, -1, 0, 1, 1 << 60];
        let fractions = [0.0, 5e-324, 0.1, 0.5, 0.9999999999999999];
        let all = wholes.map(|whole| fractions.map(|fraction| SimTime::from_parts(whole, fraction))).concat();
        let ranked: Vec<(usize, SimTime)> = all.into_iter().chain([SimTime::NEVER]).enumerate().collect();
        for &(i, x) in &ranked {
            for &(j, y) in &ranked {
                assert_eq!((x.cmp(&y), x == y, x < y, x <= y), (i.cmp(&j), i == j, i < j, i <= j), "{x:?} {y:?}");
                assert_eq!((x > y, x >= y, x.partial_cmp(&y)), (i > j, i >= j, i.partial_cmp(&j)), "{x:?} {y:?}");
                assert_eq!((x.max(y), x.min(y)), (ranked[i.max(j)].1, ranked[i.min(j)].1), "{x:?} {y:?}");
            }
        }
        // A zero is not negative, which would stand behind all others.
        for seconds in [-0.0, -1.0, -1e-300, 0.0] {
            let time = SimTime::from_seconds(seconds).plus(-0.0);
            assert!(time.fraction().is_sign_positive(), "{seconds}");
        }
    }

    #[test]
    fn text_reads_back_to_the_same_instant() {
        for time in [0.0, 0.1, 12.345, 1e-17, 5e-324, 1e9, -0.25, -7.0, 0.9999999999999999] {
            let time = SimTime::from_seconds(time);
            assert_eq!(time.to_string().parse(), Ok(time), "{time}");
        }
        assert_eq!(SimTime::from_seconds(12.25).to_string(), "12.25");
        for text in ["", "abc", "1.x", "1.-5", "--1", "1e5", "-0.25"] {
            assert!(text.parse::<SimTime>().is_err(), "{text}");
        }
    }
}
