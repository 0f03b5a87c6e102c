//! Sweeps: which scenario is run many times, what varies from one run to the next, and what is collected of each.
//!
//! [`read_sweep`] makes a [`Sweep`] of a RON file, checked like a scenario; [`Sweep::settings`] are the values of one member.

mod design;
mod lower;
mod schema;

use serde::Deserialize;

use super::{GasFigure, Setting};
use crate::dynamics::EventKind;
pub use lower::read_sweep;

/// What a sweep file says, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// One line that says what it shows.
    pub title: String,
    /// The scenario, as a path from the folder of the sweep's file.
    pub base: String,
    /// What is the same for all members and other than in that scenario.
    pub set: Vec<Setting>,
    /// What varies.
    pub vary: Vec<Factor>,
    /// How the values are combined.
    pub combine: Combine,
    /// What is collected, in the order of the columns.
    pub collect: Vec<Collected>,
    /// What is drawn; of a file that says nothing, each result over the first factor.
    pub plots: Vec<SweepPlot>,
}

/// How the values of factors are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Combine {
    /// Every value with every other.
    #[default]
    Grid,
    /// The nth value of each with the nth of every other.
    Zip,
    /// As many members, spread evenly over each factor.
    LatinHypercube {
        /// How many, without seeds.
        count: u64,
        /// Which of many such designs.
        seed: u64,
    },
}

/// A value that varies.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    /// Its path in the scenario.
    pub path: String,
    /// Its values, in RON. Of a Latin hypercube the value of each member.
    pub values: Vec<String>,
    /// Whether it only makes runs that are alike in all but chance.
    pub is_seed: bool,
}

impl Factor {
    /// Its values as numbers, if all of them are.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.values.iter().map(|value| value.parse().ok()).collect()
    }
}

/// A result of each member.
#[derive(Debug, Clone, PartialEq)]
pub struct Collected {
    /// Its column.
    pub name: String,
    /// What it is.
    pub measure: Measure,
}

/// What can be collected of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Measure {
    /// How many events of a kind there were, of up to two bodies.
    Count {
        /// Which kind.
        kind: EventKind,
        /// The bodies that such an event must have; empty for any.
        bodies: Vec<String>,
    },
    /// When the nth event of a kind was, s.
    Time {
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
    /// 1 if all expectations of the scenario were met, and 0 otherwise.
    Met,
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
    Rubbed,
    Work,
    EnergyDrift,
    MomentumDrift,
    Deepest,
}

/// A picture of one result, as means with their standard errors.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepPlot {
    /// The result.
    pub y: String,
    /// The path of the factor to the right.
    pub x: String,
    /// The paths of up to two factors of which each pair of values has a line of its own.
    pub lines: Vec<String>,
    /// Whether equal distances to the right are equal ratios.
    pub log_x: bool,
    /// Whether equal distances upwards are equal ratios.
    pub log_y: bool,
    /// What the axes are called, to the right and upwards; their path and name unless it is said.
    pub labels: Option<(String, String)>,
    /// What is drawn beside the results.
    pub reference: Option<Curve>,
}

/// A curve that results are compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What the legend calls it.
    pub label: String,
    /// Its points, in the order in which they are joined.
    pub points: Vec<[f64; 2]>,
}
