//! How large the errors of a trajectory may be: what `carom oracle judge --thresholds` reads.

use serde::{Deserialize, Serialize};

use super::Source;
use super::error_kinds::Fault;
use super::problem::syntax;
use super::problem::{Entry, Problems, Report, Site};

/// The limit of each metric of the oracle, in the unit of the metric. A value up to the limit passes.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields, rename = "Thresholds")]
#[expect(missing_docs, reason = "`oracle::Metric::meaning` says what each is")]
pub struct Thresholds {
    pub first_impact_missed: f64,
    pub first_impact_time: f64,
    pub impacts_missed: f64,
    pub impacts_extra: f64,
    pub impact_time: f64,
    pub time_lost: f64,
    pub passed_through: f64,
    pub overlap: f64,
    pub energy_gained: f64,
    pub energy_lost: f64,
    pub momentum: f64,
    pub restitution: f64,
    pub spin: f64,
    pub slip: f64,
    pub rest_place: f64,
    pub rest_time: f64,
    pub creep: f64,
    pub path_error: f64,
    pub order: f64,
    pub statistics: f64,
}

/// The defaults, and all limits with their names.
macro_rules! limits {
    ($($name:ident: $default:expr,)+) => {
        const DEFAULTS: Thresholds = Thresholds { $($name: $default),+ };

        const fn named(limits: &Thresholds) -> [(&'static str, f64); 20] {
            [$((stringify!($name), limits.$name)),+]
        }
    };
}

limits! {
    first_impact_missed: 0.0,
    first_impact_time: 1e-3,
    impacts_missed: 0.0,
    impacts_extra: 0.0,
    impact_time: 1e-3,
    time_lost: 1e-3,
    passed_through: 0.0,
    overlap: 0.01,
    energy_gained: 0.005,
    energy_lost: 0.005,
    momentum: 0.001,
    restitution: 0.005,
    spin: 0.01,
    slip: 0.001,
    rest_place: 0.01,
    rest_time: 0.02,
    creep: 1e-4,
    path_error: 0.01,
    order: 0.9,
    statistics: 5.0,
}

impl Default for Thresholds {
    fn default() -> Self {
        DEFAULTS
    }
}

/// Reads a file of thresholds; a field that it leaves out keeps its default.
///
/// # Errors
/// [`Problems`] when it is not RON, names an unknown field, or has a value that is negative or not finite.
pub fn read_thresholds(source: &Source) -> Result<Thresholds, Problems> {
    let mut report = Report::new(source);
    let entry = Entry { site: Site::Top, text: &source.text };
    if syntax::is_blank(&source.text) {
        report.add(entry, "", Fault::Empty);
        return Err(report.finish());
    }
    let Some(thresholds) = syntax::read::<Thresholds>(entry, &mut report) else { return Err(report.finish()) };
    for (name, value) in thresholds.fields() {
        if !(value.is_finite() && value >= 0.0) {
            report.out_of_range(entry, name, "a number that is not negative");
        }
    }
    report.outcome(Some(thresholds))
}

impl Thresholds {
    /// All limits with their names.
    pub const fn fields(&self) -> [(&'static str, f64); 20] {
        named(self)
    }
}
