//! Numbers on the command line. Each is checked where it is read, and an error is shown with its option.

use glam::DVec3;

use crate::geometry::{HalfExtents, Radius, Ray};
use crate::numeric::quantity::{is_moderate, is_positive};
use crate::numeric::shown;
use crate::numeric::tolerance::TIME_MAX;
use crate::scenario::limits::DURATION_MAX;
use crate::scenario::text::printable::printable;

// The clock reaches beyond the longest run.
const _: () = assert!(DURATION_MAX <= TIME_MAX);

/// The text that clap shows after the option and the value.
type Wrong = String;

/// Any number; its range depends on other arguments.
pub(super) fn number(text: &str) -> Result<f64, Wrong> {
    text.trim().parse().map_err(|_| "a number is wanted, such as 0.5 or 1e-3".to_owned())
}

/// An instant of a run, s.
pub(super) fn instant(text: &str) -> Result<f64, Wrong> {
    let seconds = number(text)?;
    let allowed = (0.0..=DURATION_MAX).contains(&seconds);
    if allowed { Ok(seconds) } else { Err(format!("it must be from 0 to {} s", shown(DURATION_MAX))) }
}

/// A span of time, s.
pub(super) fn span(text: &str) -> Result<f64, Wrong> {
    let seconds = number(text)?;
    let allowed = seconds > 0.0 && seconds <= DURATION_MAX;
    if allowed { Ok(seconds) } else { Err(format!("it must be more than 0 and at most {} s", shown(DURATION_MAX))) }
}

/// A distance, which may be infinite.
pub(super) fn reach(text: &str) -> Result<f64, Wrong> {
    let reach = number(text)?;
    if reach >= 0.0 { Ok(reach) } else { Err("it must be 0 or more; inf is no end at all".to_owned()) }
}

/// A length that may be 0, m.
pub(super) fn length(text: &str) -> Result<f64, Wrong> {
    let length = number(text)?;
    if length >= 0.0 && is_moderate(length) { Ok(length) } else { Err("it must be from 0 to 1e70".to_owned()) }
}

/// A length or a factor that is not 0.
pub(super) fn positive(text: &str) -> Result<f64, Wrong> {
    let value = number(text)?;
    if is_positive(value) { Ok(value) } else { Err("it must be from 1e-70 to 1e70".to_owned()) }
}

/// The edges of a box, m: one for all axes, or three.
pub(super) fn sides(text: &str) -> Result<Numbers<3>, Wrong> {
    let sides = numbers::<1>(text).map(|Numbers([side])| Numbers([side; 3])).or_else(|_| numbers::<3>(text))?;
    if sides.0.into_iter().all(is_positive) { Ok(sides) } else { Err("each must be from 1e-70 to 1e70".to_owned()) }
}

/// The radius of a ball, m.
pub(super) fn radius(text: &str) -> Result<Radius, Wrong> {
    Radius::new(number(text)?).map_err(|error| format!("it must be {}", error.allowed))
}

/// Half the edges of a box, m.
pub(super) fn half_extents(text: &str) -> Result<HalfExtents, Wrong> {
    let Numbers(half) = numbers::<3>(text)?;
    HalfExtents::new(DVec3::from_array(half)).map_err(|error| format!("each must be {}", error.allowed))
}

/// A ray's origin and direction.
pub(super) fn ray(text: &str) -> Result<Numbers<6>, Wrong> {
    let ray = numbers::<6>(text)?;
    if (Ray { origin: ray.vector(0), direction: ray.vector(3) }).has_direction() {
        Ok(ray)
    } else {
        Err("the direction of a ray, its last three numbers, must not be 0, nor shorter than 1.5e-154".to_owned())
    }
}

/// `N` numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Numbers<const N: usize>(pub(super) [f64; N]);

/// `N` numbers, separated by commas or blanks.
pub(super) fn numbers<const N: usize>(text: &str) -> Result<Numbers<N>, Wrong> {
    let words: Vec<&str> = text.split([',', ' ']).filter(|word| !word.is_empty()).collect();
    let example = || (0..N).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let number = |word: &str| {
        let number = word.parse().ok().filter(|&number| is_moderate(number));
        number.ok_or_else(|| {
            format!("`{}` is no number of size at most 1e70; {N} are wanted, such as {}", printable(word), example())
        })
    };
    let numbers: Vec<f64> = words.into_iter().map(number).collect::<Result<_, _>>()?;
    let count = numbers.len();
    let numbers =
        numbers.try_into().map_err(|_| format!("{N} numbers are wanted, such as {}; found {count}", example()));
    numbers.map(Numbers)
}

impl<const N: usize> Numbers<N> {
    /// The three numbers from `first` on.
    pub(super) fn vector(&self, first: usize) -> DVec3 {
        DVec3::from_slice(&self.0[first..first + 3])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_apart_by_commas_or_blanks() {
        assert_eq!(numbers("1,-2.5, 3e1"), Ok(Numbers([1.0, -2.5, 30.0])));
        assert_eq!(numbers("1 2 3"), Ok(Numbers([1.0, 2.0, 3.0])));
        for (text, part) in [("1,2", "found 2"), ("", "found 0"), ("1,x,3", "`x` is no"), ("1,inf,3", "`inf` is no")] {
            let error = numbers::<3>(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
