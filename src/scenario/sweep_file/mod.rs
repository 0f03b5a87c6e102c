//! Sweeps: which scenario is run many times, what varies from one run to the next, and which results are collected.
//!
//! [`read_sweep`] makes a [`Sweep`] of a RON file, checked like a scenario; [`Sweep::settings`] are the values of one
//! member.

mod design;
mod lower;
mod schema;
mod units;

use serde::Deserialize;

use super::{GasFigure, PackingFigure, PlotStyle, Setting};
use crate::dynamics::EventKind;
pub use lower::{read_style, read_sweep, unread_base};

/// The columns of the table of a sweep that are neither factors nor results: the number of the member, how it ended,
/// why, the hash of its final state, and the file of its result.
pub(crate) const COLUMNS: [&str; 5] = ["member", "status", "message", "state_hash", "result"];

/// The checked content of a sweep file.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// One line that describes it.
    pub title: String,
    /// Whether the file gives the title; else it is the name of the file.
    pub is_titled: bool,
    /// The scenario, as a path from the folder of the sweep's file.
    pub base: String,
    /// Settings that all members share and that change the base scenario.
    pub set: Vec<Setting>,
    /// The factors, whose values vary.
    pub vary: Vec<Factor>,
    /// How the values are combined.
    pub combine: Combine,
    /// The results that are collected, in the order of the columns.
    pub collect: Vec<Collected>,
    /// The plots; by default each result over the first factor.
    pub plots: Vec<SweepPlot>,
}

#[cfg(feature = "study")]
impl Sweep {
    /// Whether a plot shows a series: each result by itself.
    pub(crate) fn is_series(&self, plot: &SweepPlot) -> bool {
        self.collect.iter().any(|collected| collected.series.as_ref() == Some(&plot.y))
    }
}

/// How the values of factors are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Combine {
    /// Every value with every other.
    #[default]
    Grid,
    /// The nth value of each with the nth of every other.
    Zip,
    /// Members that are spread evenly over each factor.
    LatinHypercube {
        /// The number of members, not counting the seeds.
        count: u64,
        /// The seed that selects one of many such designs.
        #[serde(default)]
        seed: u64,
    },
}

/// A value that varies.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    /// Its path in the scenario.
    pub path: String,
    /// Its values, in RON; for a Latin hypercube one value for each member.
    pub values: Vec<String>,
    /// Whether it is a seed: runs that differ only in it are repetitions with other random numbers.
    pub is_seed: bool,
    /// Its name in messages: the place in the sweep file, and the path.
    label: String,
}

/// A path as the name of a column. Parquet allows no blanks in it, and none of `;{}()=,`.
fn column(path: &str) -> String {
    let is_unfit = |c: char| c.is_whitespace() || ";{}()=,".contains(c);
    path.chars().map(|c| if is_unfit(c) { '_' } else { c }).collect()
}

impl Factor {
    /// Its column in the table.
    pub fn column(&self) -> String {
        column(&self.path)
    }

    /// Its values as numbers, if all of them are.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.values.iter().map(|value| value.parse().ok()).collect()
    }

    /// Whether all its values are whole numbers, 0 to 2⁶⁴ − 1.
    pub fn is_whole(&self) -> bool {
        self.values.iter().all(|value| value.parse::<u64>().is_ok())
    }
}

/// A result of each member.
#[derive(Debug, Clone, PartialEq)]
pub struct Collected {
    /// Its column.
    pub name: String,
    /// The name that the file gives to all results of its series, if it is one of several.
    pub series: Option<String>,
    /// The quantity.
    pub measure: Measure,
}

impl Collected {
    /// The name that the file gives it.
    pub(super) fn written(&self) -> &str {
        self.series.as_ref().unwrap_or(&self.name)
    }

    /// Whether it or its series has this name.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.written() == name
    }
}

/// A result that can be collected from a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Measure {
    /// How many events of a kind there were, of up to two bodies.
    Count {
        /// Which kind.
        kind: EventKind,
        /// The bodies that such an event must have; empty for any.
        bodies: Vec<String>,
    },
    /// A number of the nth event of a kind.
    Nth {
        /// Which number.
        quantity: EventQuantity,
        /// Which kind.
        kind: EventKind,
        /// Which one, from 1.
        nth: u64,
        /// The bodies that such an event must have; empty for any.
        bodies: Vec<String>,
    },
    /// A number of the final state of a body.
    Final {
        /// Which body.
        body: String,
        /// Which number.
        quantity: Quantity,
    },
    /// A number of the audit.
    Audit(AuditFigure),
    /// A mean of the gas that the scenario observes.
    Gas(GasFigure),
    /// A number of the packing that the scenario observes.
    Packing(PackingFigure),
    /// 1 if all expectations of the scenario were met, and 0 otherwise.
    Met,
}

#[cfg(feature = "study")]
impl Measure {
    /// Whether its values are whole numbers, 0 to 2⁶⁴ − 1.
    pub(crate) const fn is_whole(&self) -> bool {
        matches!(self, Self::Count { .. } | Self::Met)
    }
}

/// A number of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventQuantity {
    /// Its time, s.
    Time,
    /// Its approach speed, m/s.
    ApproachSpeed,
}

/// A number of the state of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Quantity {
    X,
    Y,
    Z,
    VelocityX,
    VelocityY,
    VelocityZ,
    SpinX,
    SpinY,
    SpinZ,
    Speed,
}

/// A number of the audit of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "they are those of the summary of a run")]
pub enum AuditFigure {
    EnergyStart,
    EnergyEnd,
    Dissipated,
    ContactHeat,
    Work,
    EnergyDrift,
    MomentumDrift,
    Deepest,
}

/// A picture of one result, as means with their standard errors, or of a series, as a dot for each result.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepPlot {
    /// The result, or the series.
    pub y: String,
    /// The path of the factor to the right.
    pub x: String,
    /// The paths of up to two factors; each pair of their values has a line of its own.
    pub lines: Vec<String>,
    /// The captions of the horizontal and the vertical axis; by default the path and the name.
    pub labels: Option<(String, String)>,
    /// The units of both axes, which may get a prefix such as µ; by default those that are known.
    pub units: (String, String),
    /// What the values of both axes are multiplied by. What is laid over them is in the products.
    pub scale: [f64; 2],
    /// Whether a frame below shows how far the values are from the first line laid over them.
    pub residuals: Option<Compared>,
    /// How it is drawn.
    pub style: PlotStyle,
}

/// How values are compared with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Compared {
    /// The value less that of the line.
    Absolute,
    /// The same over the value of the line.
    Relative,
}
