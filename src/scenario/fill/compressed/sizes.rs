//! The sizes of the balls of a packing, in the order of the balls.

use super::super::draws::Draws;
use super::super::schema;
use crate::numeric::quantity::is_positive;
use crate::scenario::error_kinds::{Fault, PackingFault};
use crate::scenario::numbers::Range;
use crate::scenario::problem::syntax;
use crate::scenario::problem::{Entry, Report};
use crate::scenario::text::files::Files;
use crate::scenario::text::locate;
use crate::scenario::text::printable::printable;

/// Normal deviates beyond this are drawn again: one in 16,000. The deviation of the sizes is 0.05 % less for it.
const TAIL: f64 = 4.0;

/// A distribution of radii. All of them are relative, or all are in m.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sizes {
    Uniform(f64, f64),
    Normal {
        mean: f64,
        deviation: f64,
    },
    /// The mean and the deviation of the logarithms.
    LogNormal {
        mean: f64,
        deviation: f64,
    },
    /// Radii, and the shares of the balls that have them; the shares add up to 1.
    Shares(Vec<[f64; 2]>),
    /// One after the other, and then from the first again.
    Listed(Vec<f64>),
}

impl Sizes {
    /// Checks the field `sizes`: a range in brackets, or a distribution by its name.
    pub(super) fn check(report: &mut Report<'_>, entry: Entry<'_>, is_given: bool, files: &mut Files) -> Option<Self> {
        const PATH: &str = "sizes";
        let text = entry.value(PATH);
        if !is_given {
            return Some(Self::Uniform(1.0, 1.0));
        }
        if text[locate::start(text)..].starts_with('(') {
            let range: Range = syntax::read_part((entry, PATH), text, report)?;
            return uniform(report, entry, range, ["sizes[0]", "sizes[1]"]);
        }
        match syntax::read_part((entry, PATH), text, report)? {
            schema::Sizes::Equal => Some(Self::Uniform(1.0, 1.0)),
            schema::Sizes::Uniform { min, max } => uniform(report, entry, [min, max], ["sizes.min", "sizes.max"]),
            schema::Sizes::Normal { mean, deviation } => {
                let mean = report.positive(entry, "sizes.mean", mean)?;
                // The smallest size must be well above 0.
                let allowed = "from 0 to a fifth of the mean; beyond that, sizes are `LogNormal`";
                below(report, entry, (deviation, 0.2 * mean), allowed)?;
                Some(Self::Normal { mean, deviation })
            }
            schema::Sizes::LogNormal { mean, deviation } => {
                let mean = report.positive(entry, "sizes.mean", mean)?;
                below(report, entry, (deviation, mean), "from 0 to the mean")?;
                // Johnson, Kotz & Balakrishnan, *Continuous Univariate Distributions*, 2nd ed., 1994, ch. 14.
                let variance = libm::log1p((deviation / mean) * (deviation / mean));
                Some(Self::LogNormal { mean: libm::log(mean) - 0.5 * variance, deviation: variance.sqrt() })
            }
            schema::Sizes::Shares(shares) => Self::shares(report, entry, shares),
            schema::Sizes::FromFile(file) => {
                let bytes = files.read(&file).map_err(Fault::File);
                let radii = bytes.and_then(|bytes| radii(&file, &bytes).map_err(Fault::Packing));
                radii.map(Self::Listed).map_err(|fault| report.add(entry, PATH, fault)).ok()
            }
        }
    }

    fn shares(report: &mut Report<'_>, entry: Entry<'_>, mut shares: Vec<[f64; 2]>) -> Option<Self> {
        for (row, share) in shares.iter().enumerate() {
            for (part, &value) in share.iter().enumerate() {
                report.positive(entry, &format!("sizes[{row}][{part}]"), value)?;
            }
        }
        if shares.is_empty() {
            let allowed = "a radius with its share or more, as in Shares([(1, 0.8), (2, 0.2)])";
            return report.refuse(entry, "sizes", allowed);
        }
        let sum: f64 = shares.iter().map(|[_, share]| share).sum();
        shares.iter_mut().for_each(|[_, share]| *share /= sum);
        Some(Self::Shares(shares))
    }

    /// The same with all sizes multiplied.
    pub(super) fn scaled(&self, scale: f64) -> Self {
        match self {
            Self::Uniform(min, max) => Self::Uniform(scale * min, scale * max),
            Self::Normal { mean, deviation } => Self::Normal { mean: scale * mean, deviation: scale * deviation },
            Self::LogNormal { mean, deviation } => {
                Self::LogNormal { mean: mean + libm::log(scale), deviation: *deviation }
            }
            Self::Shares(shares) => Self::Shares(shares.iter().map(|[size, share]| [scale * size, *share]).collect()),
            Self::Listed(sizes) => Self::Listed(sizes.iter().map(|size| scale * size).collect()),
        }
    }

    /// Whether all balls are equal.
    pub(super) fn are_equal(&self) -> bool {
        match self {
            Self::Uniform(min, max) => min == max,
            Self::Normal { deviation, .. } | Self::LogNormal { deviation, .. } => *deviation == 0.0,
            Self::Shares(shares) => shares.iter().all(|[size, _]| *size == shares[0][0]),
            Self::Listed(sizes) => sizes.iter().all(|size| *size == sizes[0]),
        }
    }

    /// The size of each ball, without end.
    pub(super) fn all(&self, mut draws: Draws) -> impl Iterator<Item = f64> {
        let mut taken = match self {
            Self::Shares(shares) => vec![0.0; shares.len()],
            _ => Vec::new(),
        };
        (0_usize..).map(move |ball| match self {
            Self::Uniform(min, max) => draws.between(*min, *max),
            Self::Normal { mean, deviation } => mean + deviation * moderate(&mut draws),
            Self::LogNormal { mean, deviation } => libm::exp(mean + deviation * moderate(&mut draws)),
            Self::Shares(shares) => {
                // The one that lacks most, so that every number of balls has the shares to within one ball.
                let lacks = |row: usize| shares[row][1] * (ball as f64 + 1.0) - taken[row];
                let row = (1..shares.len()).fold(0, |most, row| if lacks(row) > lacks(most) { row } else { most });
                taken[row] += 1.0;
                shares[row][0]
            }
            Self::Listed(sizes) => sizes[ball % sizes.len()],
        })
    }
}

fn moderate(draws: &mut Draws) -> f64 {
    loop {
        let deviate = draws.normal();
        if deviate.abs() <= TAIL {
            return deviate;
        }
    }
}

fn uniform(report: &mut Report<'_>, entry: Entry<'_>, [min, max]: Range, paths: [&str; 2]) -> Option<Sizes> {
    let min = report.positive(entry, paths[0], min);
    let max = report.positive(entry, paths[1], max);
    let (min, max) = (min?, max?);
    if min > max {
        return report.refuse(entry, "sizes", "the smaller size, then the larger");
    }
    Some(Sizes::Uniform(min, max))
}

fn below(report: &mut Report<'_>, entry: Entry<'_>, (value, most): (f64, f64), allowed: &'static str) -> Option<()> {
    if (0.0..=most).contains(&value) { Some(()) } else { report.refuse(entry, "sizes.deviation", allowed) }
}

/// The radii of a file of diameters.
fn radii(file: &str, bytes: &[u8]) -> Result<Vec<f64>, PackingFault> {
    let mut radii = Vec::new();
    for (row, line) in String::from_utf8_lossy(bytes).lines().enumerate() {
        let numbers = line.split('#').next().unwrap_or_default();
        for word in numbers.split([',', ';', ' ', '\t']).filter(|word| !word.is_empty()) {
            let diameter = word.parse().ok().filter(|&diameter| is_positive(diameter));
            let fault =
                || PackingFault::Diameter { file: file.to_owned(), line: row + 1, found: printable(word).into_owned() };
            radii.push(0.5 * diameter.ok_or_else(fault)?);
        }
    }
    if radii.is_empty() { Err(PackingFault::NoDiameters { file: file.to_owned() }) } else { Ok(radii) }
}
