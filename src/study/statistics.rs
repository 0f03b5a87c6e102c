//! Means over members that differ only in some factors, and the summary of a study.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::member::Status;
use super::merge::Merged;
use super::table::Row;
use crate::record::{SUMMARY_FILE, WriteError, text_hash, write_json};
use crate::scenario::sweep_file::{Sweep, SweepPlot};

/// The mean of a result over some members.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// The values of the factors that distinguish the lines, in RON.
    pub line: Vec<String>,
    /// The value on the horizontal axis.
    pub x: f64,
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean, s/√n with the sample's deviation s; `None` for one member.
    pub error: Option<f64>,
    /// The number of members in the mean.
    pub members: u64,
}

/// The points of a plot: line by line, each from left to right; of a series, one for each result. Members without the
/// result are left out.
pub fn points(sweep: &Sweep, plot: &SweepPlot, rows: &[Row]) -> Vec<Point> {
    let place = |path: &String| sweep.vary.iter().position(|factor| factor.path == *path);
    let lines: Vec<usize> = plot.lines.iter().filter_map(place).collect();
    let results: Vec<usize> = (0..sweep.collect.len()).filter(|&row| sweep.collect[row].is_called(&plot.y)).collect();
    let Some(x) = place(&plot.x) else { return Vec::new() };
    // Sort by the first rows with these values, so that lines are in the order of the design.
    let mut order: Vec<Vec<String>> = Vec::new();
    let mut found: BTreeMap<(usize, u64), (f64, Vec<f64>)> = BTreeMap::new();
    for row in rows {
        let values = row.result.iter().flat_map(|result| results.iter().filter_map(|&y| result.values[y]));
        let mut values = values.filter(|value| value.is_finite()).peekable();
        let (Some(_), Ok(x)) = (values.peek(), row.parameters[x].parse::<f64>()) else { continue };
        let line: Vec<String> = lines.iter().map(|&line| row.parameters[line].clone()).collect();
        let rank = order.iter().position(|other| *other == line).unwrap_or_else(|| {
            order.push(line);
            order.len() - 1
        });
        found.entry((rank, ordered(x))).or_insert((x, Vec::new())).1.extend(values);
    }
    let is_series = sweep.is_series(plot);
    let of_place = |((rank, _), (x, values)): ((usize, u64), (f64, Vec<f64>))| {
        let point = |values: &[f64]| {
            let (mean, error) = mean(values);
            Point { line: order[rank].clone(), x, mean, error, members: values.len() as u64 }
        };
        let size = if is_series { 1 } else { values.len() };
        values.chunks(size).map(point).collect::<Vec<_>>()
    };
    found.into_iter().flat_map(of_place).collect()
}

/// The mean and its standard error.
pub(super) fn mean(values: &[f64]) -> (f64, Option<f64>) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (values.len() > 1).then(|| (squares / (count * (count - 1.0))).sqrt()))
}

/// A whole number with the same order as the floating-point number.
fn ordered(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// The results of a study, in short.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Version of carom.
    pub carom: &'static str,
    /// Title of the sweep.
    pub title: String,
    /// BLAKE3 of the text of the sweep file.
    pub sweep_hash: String,
    /// BLAKE3 of the text of the base scenario.
    pub base_hash: String,
    /// How many members there are.
    pub members: u64,
    /// How many members ended in each way; `lost` are those without a result.
    pub status: BTreeMap<&'static str, u64>,
    /// The points of each plot.
    pub plots: Vec<PlotSummary>,
}

/// The points of a plot.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlotSummary {
    /// The result.
    pub y: String,
    /// The path of the factor to the right.
    pub x: String,
    /// The paths of the factors that distinguish the lines.
    pub lines: Vec<String>,
    /// Means and standard errors.
    pub points: Vec<Point>,
}

impl Summary {
    /// The summary of a study.
    pub fn of(merged: &Merged) -> Self {
        let sweep = &merged.study.sweep;
        let counted = Status::ALL.map(|status| (status.name(), merged.count(status) as u64));
        let plot = |plot: &SweepPlot| PlotSummary {
            y: plot.y.clone(),
            x: plot.x.clone(),
            lines: plot.lines.clone(),
            points: points(sweep, plot, &merged.rows),
        };
        Self {
            carom: env!("CARGO_PKG_VERSION"),
            title: sweep.title.clone(),
            sweep_hash: text_hash(merged.study.text()),
            base_hash: text_hash(merged.study.base_text()),
            members: merged.rows.len() as u64,
            status: counted.into_iter().chain([("lost", merged.lost.len() as u64)]).collect(),
            plots: sweep.plots.iter().map(plot).collect(),
        }
    }

    /// Writes it into a folder, as `summary.json`.
    ///
    /// # Errors
    /// [`WriteError`] when it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), WriteError> {
        write_json(&folder.join(SUMMARY_FILE), self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_error_is_that_of_the_mean() {
        assert_eq!(mean(&[3.0]), (3.0, None));
        let (mean, error) = mean(&[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(mean, 2.5);
        assert!((error.unwrap() - (5.0_f64 / 12.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn bits_in_order_are_numbers_in_order() {
        let numbers = [f64::NEG_INFINITY, -2.0, -1e-300, 0.0, 1e-300, 0.5, 7.0, f64::INFINITY];
        assert!(numbers.windows(2).all(|pair| ordered(pair[0]) < ordered(pair[1])));
        assert_eq!(ordered(-0.0), ordered(0.0));
    }
}
