//! Instants as decimal text: the fewest digits that read back to the same instant.
//!
//! Two neighbouring rests differ by one ulp, and a decimal fraction means the nearest one. Digits are therefore written
//! until the remainder is less than half an ulp, in integer arithmetic without rounding (Steele & White, *How to print
//! floating-point numbers accurately*, PLDI 1990, the free-format algorithm). Reading first takes the whole ticks from
//! the decimal digits, again without rounding. Only the remainder becomes a floating-point number.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::SimTime;
use crate::numeric::tolerance::TICKS_PER_SECOND;

/// A text that is not an instant.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a time in decimal seconds: `{0}`")]
pub struct ParseTimeError(String);

/// Ticks per second.
const RATE: i64 = TICKS_PER_SECOND as i64;
const _: () = assert!(RATE.count_ones() == 1, "the number of ticks per second is a power of two");

/// Binary places of a fraction of a second that is stored as an integer. Ten times such a fraction still fits into 128
/// bits.
const BITS: u32 = 120;

/// Decimal seconds with every digit that the clock holds; [`FromStr`] reads the same instant back.
///
/// ```
/// use carom::SimTime;
///
/// let time: SimTime = "1000000000.000000001".parse().unwrap();
/// assert_eq!(time, SimTime::from_seconds(1e9).plus(1e-9));
/// assert_eq!(time.to_string(), "1000000000.000000001");
/// ```
impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.ticks.div_euclid(RATE);
        let digits = digits(self.ticks.rem_euclid(RATE), self.rest);
        match (digits.is_empty(), seconds < 0) {
            (true, _) => write!(f, "{seconds}"),
            (false, false) => write!(f, "{seconds}.{digits}"),
            (false, true) => write!(f, "{seconds}+0.{digits}"),
        }
    }
}

/// The decimal places of a fraction of a second, given as whole ticks and a rest.
fn digits(ticks: i64, rest: f64) -> String {
    match (ticks, fixed(rest)) {
        (0, _) => {
            // Rust prints an `f64` without exponent and with the fewest digits that read back to it.
            let text = rest.to_string();
            text.strip_prefix("0.").unwrap_or_default().to_owned()
        }
        (_, Some((rest, half_gap))) => shortest(((ticks as u128) << (BITS - RATE.trailing_zeros())) + rest, half_gap),
        (_, None) => quotient(ticks, rest * TICKS_PER_SECOND),
    }
}

/// A rest as a whole number of 2⁻¹²⁰ s, and half the gap to the nearer of its neighbours; `None` if it has finer
/// digits.
fn fixed(rest: f64) -> Option<(u128, u128)> {
    if rest == 0.0 {
        return Some((0, 0));
    }
    let bits = rest.to_bits();
    // rest = digits · 2^(exponent − 1075)
    let (exponent, digits) = ((bits >> 52) as u32, (bits & ((1 << 52) - 1)) | 1 << 52);
    let shift = (exponent + BITS).checked_sub(1075 + 2)?;
    let is_power = digits == 1 << 52;
    Some((u128::from(digits) << (shift + 2), 1 << (shift + u32::from(!is_power))))
}

/// The fewest decimal digits whose value differs from a fraction by less than half the gap. The fraction and the gap
/// are given as whole numbers of 2⁻¹²⁰.
fn shortest(mut left: u128, mut half_gap: u128) -> String {
    const ONE: u128 = 1 << BITS;
    let mut text = String::new();
    while left > 0 {
        (left, half_gap) = (left * 10, half_gap * 10);
        let digit = (left >> BITS) as u8;
        left &= ONE - 1;
        let (is_near, is_near_next) = (left < half_gap, ONE - left < half_gap);
        let goes_up = is_near_next && (!is_near || left > ONE - left);
        text.push(char::from(b'0' + digit + u8::from(goes_up)));
        if is_near || is_near_next {
            break;
        }
    }
    text
}

/// The digits of `ticks` and a part of a tick, as seconds: the decimal digits divided by [`RATE`].
fn quotient(ticks: i64, part: f64) -> String {
    let part = part.to_string();
    let digits = part.strip_prefix("0.").unwrap_or_default().bytes().map(|byte| i64::from(byte - b'0'));
    let mut text = String::new();
    let (mut left, mut digits) = (ticks, digits.fuse());
    loop {
        let next = digits.next();
        if left == 0 && next.is_none() {
            return text;
        }
        // The first digit after the decimal point counts tenths of a second, and so on.
        left = left * 10 + next.unwrap_or(0);
        text.push(char::from(b'0' + (left / RATE) as u8));
        left %= RATE;
    }
}

impl FromStr for SimTime {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<Self, ParseTimeError> {
        read(text).ok_or_else(|| ParseTimeError(text.to_owned()))
    }
}

fn read(text: &str) -> Option<SimTime> {
    if text.starts_with('-') && text.contains('.') && !text.contains("+0.") {
        return None;
    }
    let (seconds, digits) = text.split_once("+0.").or_else(|| text.split_once('.')).unwrap_or((text, "0"));
    let seconds: i64 = seconds.parse().ok()?;
    let (ticks, part) = ticks(digits)?;
    // A part that rounds up to a whole tick becomes the next tick.
    let (carry, part) = if part < 1.0 { (0, part) } else { (1, 0.0) };
    let ticks = seconds.checked_mul(RATE)?.checked_add(ticks + carry)?;
    SimTime::try_from((ticks, part / TICKS_PER_SECOND)).ok()
}

/// The whole ticks in these decimal places of a second, and the remaining part of a tick.
fn ticks(digits: &str) -> Option<(i64, f64)> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (mut left, mut carry) = (vec![0; digits.len()], 0);
    for (place, byte) in digits.bytes().enumerate().rev() {
        let product = i64::from(byte - b'0') * RATE + carry;
        left[place] = b'0' + (product % 10) as u8;
        carry = product / 10;
    }
    let left = String::from_utf8(left).ok()?;
    Some((carry, format!("0.{left}").parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn text_reads_back_to_the_same_instant() {
        let seconds = [0.0, 0.1, 12.345, 1e-17, 5e-324, 1e9, -0.25, -7.0, 0.9999999999999999, 1.0 / 3.0, 1e-5];
        let parts = [0.0, 5e-324, 1e-300, 1e-25, 1e-19, 0.1, 0.25, 0.3, 0.5, 0.7, 1.0 - f64::EPSILON / 2.0];
        let given = seconds.map(SimTime::from_seconds).to_vec();
        let made = [-3000, -1, 0, 1, 7, 2047, 2048, 4_096_001, 1 << 50]
            .map(|ticks| parts.map(|part| SimTime::from_parts(ticks, part * SimTime::TICK)));
        let mut random = Random::new(1);
        let drawn =
            (0..20_000).map(|_| SimTime::from_parts(random.below(1 << 14) as i64, random.unit() * SimTime::TICK));
        for time in given.into_iter().chain(made.concat()).chain(drawn) {
            assert_eq!(time.to_string().parse(), Ok(time), "{time} {time:?}");
        }
    }

    #[test]
    fn text_has_no_more_digits_than_it_needs() {
        let rows = [(12.25, "12.25"), (0.5, "0.5"), (3.0, "3"), (-0.25, "-1+0.75"), (-7.0, "-7"), (1e-5, "0.00001")];
        for (seconds, text) in rows {
            assert_eq!(SimTime::from_seconds(seconds).to_string(), text);
        }
        // The clock is finer than the `f64` number of seconds 0.1, which is 5.6e-18 above a tenth.
        assert_eq!(SimTime::from_seconds(0.1).to_string(), "0.10000000000000000555");
        assert_eq!("0.1".parse::<SimTime>().map(|time| time.to_string()), Ok("0.1".to_owned()));
        let lengths = (1..2048).map(|ticks| SimTime::from_parts(ticks, SimTime::TICK / 1.5).to_string().len());
        // At most twenty digits, and "0.".
        assert!(lengths.clone().max() <= Some(22) && lengths.min() > Some(15));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in
            ["", "abc", "1.x", "1.-5", "--1", "1e5", "-0.25", "1.", "99999999999999999999", "9223372036854775807"]
        {
            assert!(text.parse::<SimTime>().is_err(), "{text}");
        }
    }
}
