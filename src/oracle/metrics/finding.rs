//! The metrics, and their findings.

use serde::Serialize;

use super::measured::{Measured, Outcome};
use crate::scenario::Thresholds;

/// A quantity that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "`Metric::title` says it")]
#[non_exhaustive]
pub enum Metric {
    FirstImpactMissed,
    FirstImpactTime,
    ImpactsMissed,
    ImpactsExtra,
    ImpactTime,
    TimeLost,
    PassedThrough,
    Overlap,
    EnergyGained,
    EnergyLost,
    Momentum,
    Restitution,
    Spin,
    Slip,
    RestPlace,
    RestTime,
    Creep,
    PathError,
    Order,
    Statistics,
}

/// All metrics, in the order of reports.
pub const METRICS: [Metric; 20] = [
    Metric::FirstImpactMissed,
    Metric::FirstImpactTime,
    Metric::ImpactsMissed,
    Metric::ImpactsExtra,
    Metric::ImpactTime,
    Metric::TimeLost,
    Metric::PassedThrough,
    Metric::Overlap,
    Metric::EnergyGained,
    Metric::EnergyLost,
    Metric::Momentum,
    Metric::Restitution,
    Metric::Spin,
    Metric::Slip,
    Metric::RestPlace,
    Metric::RestTime,
    Metric::Creep,
    Metric::PathError,
    Metric::Order,
    Metric::Statistics,
];

impl Metric {
    /// The name of its limit in a file of thresholds.
    pub fn name(self) -> &'static str {
        Thresholds::default().fields()[self as usize].0
    }

    /// Its title, a few words.
    pub const fn title(self) -> &'static str {
        match self {
            Self::FirstImpactMissed => "first impacts missed",
            Self::FirstImpactTime => "first impact early or late",
            Self::ImpactsMissed => "impacts missed",
            Self::ImpactsExtra => "extra impacts",
            Self::ImpactTime => "impact early or late",
            Self::TimeLost => "time lost",
            Self::PassedThrough => "passed through",
            Self::Overlap => "deepest overlap",
            Self::EnergyGained => "energy gained",
            Self::EnergyLost => "energy lost",
            Self::Momentum => "momentum gained or lost",
            Self::Restitution => "restitution off by",
            Self::Spin => "spin off by",
            Self::Slip => "slip of rolling balls",
            Self::RestPlace => "place of rest",
            Self::RestTime => "time of rest",
            Self::Creep => "creep",
            Self::PathError => "error against the path",
            Self::Order => "order of convergence",
            Self::Statistics => "means beyond the horizon",
        }
    }

    /// Its meaning, in a sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::FirstImpactMissed => {
                "Bodies whose first impact is not in the rows, or not in the log of events, up to half the time to what the body does next."
            }
            Self::FirstImpactTime => {
                "How much later than the exact impact the flights before and after it meet, or the log of events has it; negative is early. Where the rows show only a span, the distance from it."
            }
            Self::ImpactsMissed => {
                "Impacts of two bodies that the log of events does not have, from half the time since what they did before to half the time to what they do next. Slow ones, and those of bodies that touch already, need not be there."
            }
            Self::ImpactsExtra => "Impacts of the log of events that are no exact ones.",
            Self::ImpactTime => {
                "How much later than the exact impact the log of events has it; negative is early. The worst."
            }
            Self::TimeLost => {
                "How far a body is behind the exact one on its path at last, as a time; negative is ahead."
            }
            Self::PassedThrough => {
                "Pairs of bodies of which one passed through the other, or left a half-space on the wrong side."
            }
            Self::Overlap => "The deepest overlap of two bodies in any row.",
            Self::EnergyGained => {
                "The largest excess over the exact energy, from the row before to the row after, over the largest kinetic energy. Spins do not count."
            }
            Self::EnergyLost => "The largest lack of energy, likewise.",
            Self::Momentum => {
                "The largest difference of the total momentum from what it must be, over the largest sum of the momenta of all bodies; where no body from outside takes any."
            }
            Self::Restitution => {
                "Separation speed over approach speed of an impact that the rows show alone, less the value of the scene; the worst."
            }
            Self::Spin => {
                "The largest difference from the exact spin, as a speed of the surface over the largest speed of the scene, up to the horizon."
            }
            Self::Slip => {
                "How fast the surface of a ball slips on what it rolls on in the exact course, over the largest speed of the scene."
            }
            Self::RestPlace => "The distance from the exact place of rest at the end.",
            Self::RestTime => "How much later than the exact body a body is slower than 1 mm/s for good.",
            Self::Creep => {
                "How fast a body that is at rest in the exact course moves on, over the second half of its rest."
            }
            Self::PathError => "The largest distance from the exact place at the same time, up to the horizon.",
            Self::Order => {
                "The power of the timestep with which the largest error falls, where one is beyond its limit."
            }
            Self::Statistics => {
                "Means of kinetic energy, distance and evenness of speeds beyond the horizon, in standard deviations of exact runs that began an ulp apart."
            }
        }
    }

    /// The unit of its value; empty for counts and ratios.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::FirstImpactTime | Self::ImpactTime | Self::TimeLost | Self::RestTime => "s",
            Self::Creep => "m/s",
            Self::Overlap | Self::RestPlace | Self::PathError => "sizes",
            Self::Statistics => "σ",
            _ => "",
        }
    }

    /// Its limit.
    pub fn limit(self, thresholds: &Thresholds) -> f64 {
        thresholds.fields()[self as usize].1
    }

    /// Whether larger values are better.
    pub const fn is_least(self) -> bool {
        matches!(self, Self::Order)
    }
}

/// The result of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Within the limit.
    Pass,
    /// Beyond it.
    Fail,
    /// The scene, or the table, has nothing to judge by.
    NotJudged,
}

/// The value of a metric with its verdict.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The metric.
    pub metric: Metric,
    /// The value; `None` where nothing is judged.
    pub value: Option<f64>,
    /// Its unit.
    pub unit: &'static str,
    /// The limit for the value.
    pub limit: f64,
    /// The result.
    pub verdict: Verdict,
    /// Where and when, or why not.
    pub note: String,
}

impl Finding {
    /// Compares the measured value with the limit.
    pub(in crate::oracle) fn of(metric: Metric, outcome: Outcome, thresholds: &Thresholds) -> Self {
        let (unit, limit) = (metric.unit(), metric.limit(thresholds));
        match outcome {
            Ok(Measured { value, note }) => {
                let is_met = if metric.is_least() { value >= limit } else { value.abs() <= limit };
                let verdict = if is_met { Verdict::Pass } else { Verdict::Fail };
                Self { metric, value: Some(value), unit, limit, verdict, note }
            }
            Err(why) => Self { metric, value: None, unit, limit, verdict: Verdict::NotJudged, note: why.to_owned() },
        }
    }
}
