//! The members of a sweep: which values each of them has.
//!
//! Members are numbered from 0, and a member's values depend on its number alone. A grid combines every value with
//! every other, and the last factor changes fastest. A zip combines the first values of all factors, then the second
//! ones. A Latin hypercube of n members divides each factor into n parts that hold one member each (M. McKay, R.
//! Beckman, W. Conover, *A comparison of three methods for selecting values of input variables*, Technometrics 21,
//! 1979). Seeds are not among the factors of a zip or of a hypercube: each of their members is run with every seed.

use super::{Combine, Factor, Sweep};
use crate::numeric::{rounded, shown};
use crate::scenario::fill::draws::{Draws, Purpose};
use crate::scenario::{Setting, SettingError, Source};

impl Sweep {
    /// How many members there are; `None` beyond 2⁶⁴.
    #[doc(hidden)]
    pub fn count(&self) -> Option<u64> {
        self.groups().iter().try_fold(1_u64, |count, group| count.checked_mul(group.1 as u64))
    }

    /// The values of a member, one for each factor, in RON.
    #[doc(hidden)]
    pub fn values(&self, member: u64) -> Vec<&str> {
        let mut values = vec![""; self.vary.len()];
        let mut rest = member as usize;
        for (factors, length) in self.groups().into_iter().rev() {
            let (place, above) = (rest % length, rest / length);
            factors.into_iter().for_each(|factor| values[factor] = &self.vary[factor].values[place]);
            rest = above;
        }
        values
    }

    /// The settings of a member.
    ///
    /// # Errors
    /// [`SettingError`] when the path of a factor is not a path.
    #[doc(hidden)]
    pub fn settings(&self, member: u64) -> Result<Vec<Setting>, SettingError> {
        let varied = self.vary.iter().zip(self.values(member));
        let varied =
            varied.map(|(factor, value)| Setting::new(format!("{} = {value}", factor.label), &factor.path, value));
        self.set.iter().cloned().map(Ok).chain(varied).collect()
    }

    /// Members that have each value that is no number once, beside the first values of the others.
    #[doc(hidden)]
    pub fn probes(&self) -> Vec<u64> {
        let mut stride = 1_u64;
        let mut probes = Vec::new();
        for (factors, length) in self.groups().into_iter().rev() {
            if factors.iter().any(|&factor| self.vary[factor].numbers().is_none()) {
                probes.extend((0..length as u64).map(|place| stride.saturating_mul(place)));
            }
            stride = stride.saturating_mul(length as u64);
        }
        probes
    }

    /// The scenario of a member, made from the base scenario.
    ///
    /// # Errors
    /// [`SettingError`] when a path leads nowhere.
    #[doc(hidden)]
    pub fn scenario(&self, base: &Source, member: u64) -> Result<Source, SettingError> {
        base.with(&self.settings(member)?)
    }

    /// The factors that change together, and how many values they have, in the order of the file.
    fn groups(&self) -> Vec<(Vec<usize>, usize)> {
        let mut groups: Vec<(Vec<usize>, usize)> = Vec::new();
        let mut together: Option<usize> = None;
        for (place, factor) in self.vary.iter().enumerate() {
            let is_alone = self.combine == Combine::Grid || factor.is_seed;
            match together.filter(|_| !is_alone) {
                Some(group) => groups[group].0.push(place),
                None => {
                    together = if is_alone { together } else { Some(groups.len()) };
                    groups.push((vec![place], factor.values.len()));
                }
            }
        }
        groups
    }
}

/// Where the values of a factor come from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Values {
    List(Vec<String>),
    Range { from: f64, to: f64, count: Option<u64>, is_log: bool },
    Seeds { count: u64, first: u64 },
}

impl Values {
    /// How many there are, if that does not depend on the design.
    pub(super) fn count(&self) -> Option<u64> {
        match self {
            Self::List(values) => Some(values.len() as u64),
            Self::Range { count, .. } => *count,
            Self::Seeds { count, .. } => Some(*count),
        }
    }

    /// Whether the last seed would be too large.
    pub(super) fn is_beyond_seeds(&self) -> bool {
        matches!(self, Self::Seeds { count, first } if first.checked_add(count.saturating_sub(1)).is_none())
    }

    /// All of them in order, for a grid or a zip.
    pub(super) fn in_order(&self) -> Vec<String> {
        match self {
            Self::List(values) => values.clone(),
            Self::Range { from, to, count, is_log } => {
                let last = count.unwrap_or(0).saturating_sub(1);
                (0..count.unwrap_or(0)).map(|place| between([*from, *to], place, last, *is_log)).collect()
            }
            Self::Seeds { count, first } => (0..*count).map(|seed| (first + seed).to_string()).collect(),
        }
    }

    /// The values for a hypercube of `count` members, one for each, with random numbers from `draws`.
    pub(super) fn spread(&self, count: u64, draws: &mut Draws) -> Vec<String> {
        let mut parts: Vec<u64> = (0..count).collect();
        for place in (1..parts.len()).rev() {
            parts.swap(place, (draws.unit() * (place + 1) as f64) as usize);
        }
        let share = |part: u64| (part as f64 + draws.unit()) / count as f64;
        parts.into_iter().map(share).map(|share| self.at(share)).collect()
    }

    /// The value at a fraction of the range, from 0 up to, but not including, 1.
    fn at(&self, share: f64) -> String {
        match self {
            Self::List(values) => values[((share * values.len() as f64) as usize).min(values.len() - 1)].clone(),
            Self::Range { from, to, is_log: false, .. } => shown(from + (to - from) * share),
            Self::Range { from, to, is_log: true, .. } => shown(geometric([*from, *to], share)),
            Self::Seeds { first, .. } => first.to_string(),
        }
    }
}

/// The value with the index `place`, from 0 to `last`. The ends are exactly those of the range. Between them 15 digits
/// are kept, so that 0.3 does not become 0.30000000000000004.
fn between([from, to]: [f64; 2], place: u64, last: u64, is_log: bool) -> String {
    let (below, above) = (place as f64, (last - place) as f64);
    match place {
        0 => shown(from),
        _ if place == last => shown(to),
        _ if is_log => rounded(geometric([from, to], below / last as f64), 15),
        _ => rounded((from * above + to * below) / last as f64, 15),
    }
}

/// from^(1 − share) · to^share, by a logarithm that is the same on every machine.
fn geometric([from, to]: [f64; 2], share: f64) -> f64 {
    libm::exp(libm::log(from) * (1.0 - share) + libm::log(to) * share)
}

/// The random numbers of the design with this seed.
pub(super) fn draws(seed: u64) -> Draws {
    Draws::new(seed, Purpose::Designs)
}

/// A factor with its values: spread over a hypercube of so many members, or in order.
pub(super) fn factor(path: &str, label: String, values: &Values, spread: Option<(u64, &mut Draws)>) -> Factor {
    let is_seed = matches!(values, Values::Seeds { .. });
    let values = match spread.filter(|_| !is_seed) {
        Some((count, draws)) => values.spread(count, draws),
        None => values.in_order(),
    };
    Factor { path: path.to_owned(), values, is_seed, label }
}
