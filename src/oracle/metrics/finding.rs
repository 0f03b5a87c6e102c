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
pub const METRICS: [Metric; 20] = ALL;

macro_rules! metrics {
    ($($metric:ident: $title:literal, $unit:literal, $meaning:literal;)+) => {
        const ALL: [Metric; 20] = [$(Metric::$metric),+];

        /// Title, unit and meaning of a metric.
        const fn about(metric: Metric) -> [&'static str; 3] {
            match metric {
                $(Metric::$metric => [$title, $unit, $meaning],)+
            }
        }
    };
}

metrics! {
    FirstImpactMissed: "first impacts missed", "",
        "Bodies whose first impact is not in the rows, or not in the log of events, up to half the time to what the body does next.";
    FirstImpactTime: "first impact early or late", "s",
        "How much later than the exact impact the flights before and after it meet, or the log of events has it; negative is early. Where the rows show only a span, the distance from it.";
    ImpactsMissed: "impacts missed", "",
        "Impacts of two bodies that the log of events does not have, from half the time since what they did before to half the time to what they do next. Slow ones, and those of bodies that touch already, need not be there.";
    ImpactsExtra: "extra impacts", "",
        "Impacts of the log of events that are no exact ones.";
    ImpactTime: "impact early or late", "s",
        "How much later than the exact impact the log of events has it; negative is early. The worst.";
    TimeLost: "time lost", "s",
        "How long a body is behind the exact one in the last row in which both fly or roll steadily; negative is ahead.";
    PassedThrough: "passed through", "",
        "Pairs of bodies of which one passed through the other, or left a half-space on the wrong side.";
    Overlap: "deepest overlap", "sizes",
        "The deepest overlap of two bodies in any row.";
    EnergyGained: "energy gained", "",
        "The largest excess over the exact energy, from the row before to the row after, over the largest kinetic energy. Spins do not count.";
    EnergyLost: "energy lost", "",
        "The largest lack of the exact energy, measured in the same way.";
    Momentum: "momentum gained or lost", "",
        "The largest difference of the total momentum from what it must be, over the largest sum of the momenta of all bodies; where no body from outside takes any.";
    Restitution: "restitution off by", "",
        "Separation speed over approach speed of an impact that the rows show alone, less the value of the scene; the worst.";
    Spin: "spin off by", "",
        "The largest difference from the exact spin, as a speed of the surface over the largest speed of the scene, up to the horizon.";
    Slip: "slip of rolling balls", "",
        "How fast the surface of a ball slips on what it rolls on in the exact course, over the largest speed of the scene.";
    RestPlace: "place of rest", "sizes",
        "The distance from the exact place of rest at the end.";
    RestTime: "time of rest", "s",
        "How much later than the exact body a body is slower than 1 mm/s for good.";
    Creep: "creep", "m/s",
        "How fast a body that is at rest in the exact course moves on, over the second half of its rest.";
    PathError: "error against the path", "sizes",
        "The largest distance from the exact place at the same time, up to the horizon.";
    Order: "order of convergence", "",
        "The power of the timestep with which the largest error falls, where one is beyond its limit.";
    Statistics: "means beyond the horizon", "σ",
        "Means of kinetic energy, distance and evenness of speeds beyond the horizon, in standard deviations of exact runs that began an ulp apart.";
}

impl Metric {
    /// The name of its limit in a file of thresholds.
    pub fn name(self) -> &'static str {
        Thresholds::default().fields()[self as usize].0
    }

    /// Its title, a few words.
    pub const fn title(self) -> &'static str {
        about(self)[0]
    }

    /// Its meaning, in a sentence.
    pub const fn meaning(self) -> &'static str {
        about(self)[2]
    }

    /// The unit of its value; empty for counts and ratios.
    pub const fn unit(self) -> &'static str {
        about(self)[1]
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
