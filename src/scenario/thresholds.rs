//! How large the errors of a trajectory may be: what `carom oracle judge --thresholds` reads.

use serde::{Deserialize, Serialize};

use super::Source;
use super::problem::error_kinds::Fault;
use super::problem::{Entry, Problems, Report, Site};
use super::text::syntax;

/// The limit of each metric. A value up to the limit passes.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields, rename = "Thresholds")]
pub struct Thresholds {
    /// Bodies whose first impact is missing.
    pub first_impact_missed: f64,
    /// How early or late the first impact of a body is, s.
    pub first_impact_time: f64,
    /// How far a body is behind or ahead of the exact one, s.
    pub time_lost: f64,
    /// Passages through walls and bodies.
    pub passed_through: f64,
    /// Deepest overlap, in sizes of the smallest body.
    pub overlap: f64,
    /// Energy gained, over the largest kinetic energy.
    pub energy_gained: f64,
    /// Energy lost, likewise.
    pub energy_lost: f64,
    /// Momentum gained or lost, over the largest sum of the bodies' momenta.
    pub momentum: f64,
    /// Difference between measured and exact restitution.
    pub restitution: f64,
    /// Distance from the exact place of rest, in sizes of the smallest body.
    pub rest_place: f64,
    /// How early or late a body is at rest, s.
    pub rest_time: f64,
    /// Speed of bodies that should be at rest, m/s.
    pub creep: f64,
    /// Largest distance from the exact path, in sizes of the smallest body.
    pub path_error: f64,
    /// Least order of convergence.
    pub order: f64,
    /// Deviation of means beyond the horizon, in standard deviations of exact runs.
    pub statistics: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            first_impact_missed: 0.0,
            first_impact_time: 1e-3,
            time_lost: 1e-3,
            passed_through: 0.0,
            overlap: 0.01,
            energy_gained: 0.005,
            energy_lost: 0.005,
            momentum: 0.001,
            restitution: 0.005,
            rest_place: 0.01,
            rest_time: 0.02,
            creep: 1e-4,
            path_error: 0.01,
            order: 0.9,
            statistics: 5.0,
        }
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
    if report.is_empty() { Ok(thresholds) } else { Err(report.finish()) }
}

impl Thresholds {
    /// All limits with their names.
    pub const fn fields(&self) -> [(&'static str, f64); 15] {
        [
            ("first_impact_missed", self.first_impact_missed),
            ("first_impact_time", self.first_impact_time),
            ("time_lost", self.time_lost),
            ("passed_through", self.passed_through),
            ("overlap", self.overlap),
            ("energy_gained", self.energy_gained),
            ("energy_lost", self.energy_lost),
            ("momentum", self.momentum),
            ("restitution", self.restitution),
            ("rest_place", self.rest_place),
            ("rest_time", self.rest_time),
            ("creep", self.creep),
            ("path_error", self.path_error),
            ("order", self.order),
            ("statistics", self.statistics),
        ]
    }
}
