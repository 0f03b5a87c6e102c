//! The answers of commands for other programs, as JSON.
//!
//! Each command with `--json` has one structure here, with the version [`ANSWER_SCHEMA`]. Lengths are in m, times in s.
//! Fields may be added; a change of what is there raises the version.

use miette::Diagnostic;
use serde::Serialize;

use super::compare::{Bisection, Comparison, Diff, End};
use super::foreign::{Farthest, RowDifference, TableComparison};
use super::recording::{Difference, Divergence};
use super::replay::ReplayReport;
use super::summary::Summary;
use crate::motion::SimTime;
use crate::scenario::{Change, Problem, Problems};

/// Version of the answers.
pub const ANSWER_SCHEMA: u32 = 1;

/// An answer in lines.
pub fn as_json(answer: &impl Serialize) -> String {
    // Writing plain data cannot fail.
    serde_json::to_string_pretty(answer).unwrap_or_default()
}

/// The answer of `carom run`.
#[derive(Debug, Serialize)]
pub struct RunAnswer {
    pub schema: u32,
    /// One for each scenario, in their order.
    pub runs: Vec<RunEntry>,
}

/// One run.
#[derive(Debug, Serialize)]
pub struct RunEntry {
    /// The scenario file, or the folder of a run that was continued.
    pub file: String,
    /// The exit code of this run alone.
    pub exit: u8,
    /// `finished`, `halted`, or `none` if there is no result.
    pub state: &'static str,
    /// Where the results are.
    pub folder: Option<String>,
    /// What `summary.json` has.
    pub summary: Option<Summary>,
}

/// The answer of `carom check`.
#[derive(Debug, Serialize)]
pub struct CheckAnswer {
    pub schema: u32,
    /// Whether all files are valid.
    pub valid: bool,
    pub files: Vec<CheckEntry>,
}

/// One scenario file.
#[derive(Debug, Default, Serialize)]
pub struct CheckEntry {
    pub file: String,
    pub valid: bool,
    pub title: Option<String>,
    /// How many bodies it has, those of generators included.
    pub bodies: Option<usize>,
    pub problems: Vec<ProblemAnswer>,
    pub warnings: Vec<ProblemAnswer>,
}

/// Something that is wrong with a scenario.
#[derive(Debug, Default, Serialize)]
pub struct ProblemAnswer {
    pub message: String,
    pub help: Option<String>,
    /// Line and column from 1; `null` where the problem is not at a place in the file.
    pub line: Option<usize>,
    pub column: Option<usize>,
    /// The path of the field.
    pub field: Option<String>,
}

impl ProblemAnswer {
    /// All listed problems.
    pub fn all(problems: &Problems) -> Vec<Self> {
        problems.list().iter().map(Self::placed).collect()
    }

    fn placed(problem: &Problem) -> Self {
        let is_in_file = problem.setting.is_none();
        Self {
            message: problem.fault.to_string(),
            help: problem.help().map(|help| help.to_string()),
            line: is_in_file.then_some(problem.line),
            column: is_in_file.then_some(problem.column),
            field: Some(problem.field.clone()),
        }
    }

    /// An error without a place.
    pub fn of(error: &dyn Diagnostic) -> Self {
        let help = error.help().map(|help| help.to_string());
        Self { message: error.to_string(), help, line: None, column: None, field: None }
    }
}

/// The answer of `carom replay`.
#[derive(Debug, Serialize)]
pub struct ReplayAnswer {
    pub schema: u32,
    pub same: bool,
    pub title: String,
    /// The first step and the last that were compared, and their times.
    pub steps: [u64; 2],
    pub times: [f64; 2],
    /// The first step that differs.
    pub divergence: Option<DivergenceAnswer>,
    /// The next step with a snapshot, if `divergence` has no difference.
    pub next_snapshot: Option<DivergenceAnswer>,
    /// The errors that ended the recorded run and the new one; `null` for none.
    pub errors: Option<[Option<String>; 2]>,
}

impl From<&ReplayReport> for ReplayAnswer {
    fn from(report: &ReplayReport) -> Self {
        Self {
            schema: ANSWER_SCHEMA,
            same: report.is_same(),
            title: report.title.clone(),
            steps: report.steps,
            times: report.times.map(SimTime::seconds),
            divergence: report.divergence.as_ref().map(Into::into),
            next_snapshot: report.detail.as_ref().map(Into::into),
            errors: report.errors.clone(),
        }
    }
}

/// A step that differs.
#[derive(Debug, Serialize)]
pub struct DivergenceAnswer {
    pub step: u64,
    pub time: f64,
    /// The hash of the recorded state, or of that of the first recording.
    pub recorded: String,
    /// The hash of the other state.
    pub found: String,
    /// The first number that differs; `null` if the step has no snapshot.
    pub difference: Option<Difference>,
}

impl From<&Divergence> for DivergenceAnswer {
    fn from(divergence: &Divergence) -> Self {
        let Divergence { step, time, recorded, found, difference } = divergence;
        let (recorded, found) = (recorded.to_string(), found.to_string());
        Self { step: *step, time: time.seconds(), recorded, found, difference: difference.clone() }
    }
}

/// The answer of `carom diff`, `carom bisect` and `carom replay --against`.
#[derive(Debug, Default, Serialize)]
pub struct ComparisonAnswer {
    pub schema: u32,
    /// Whether the runs are the same, to the bit; for `carom diff` the scenarios, too.
    pub same: bool,
    /// What is different between the scenarios.
    pub changes: Vec<Change>,
    /// How many steps both have; `null` if no recordings were compared.
    pub steps: Option<u64>,
    /// The last step of each.
    pub last_steps: Option<[u64; 2]>,
    /// The first step that differs.
    pub divergence: Option<DivergenceAnswer>,
    /// The next step at which both have a snapshot, if `divergence` has no difference.
    pub next_snapshot: Option<DivergenceAnswer>,
    /// The errors that ended the runs.
    pub errors: Option<[Option<String>; 2]>,
    /// The time from which both were run again.
    pub run_again_from: Option<f64>,
    /// The first events that differ, in words.
    pub events: Option<[String; 2]>,
    /// The step in which these are.
    pub events_step: Option<u64>,
    /// Whether each run came to its recorded state again.
    pub reproduced: Option<[bool; 2]>,
    /// When each run ends.
    pub end_times: Option<[f64; 2]>,
    /// The bodies that end differently, the farthest apart first.
    pub ends: Option<Vec<End>>,
}

impl From<&Comparison> for ComparisonAnswer {
    fn from(comparison: &Comparison) -> Self {
        Self {
            schema: ANSWER_SCHEMA,
            same: comparison.is_same(),
            changes: comparison.changes.clone(),
            steps: Some(comparison.steps),
            last_steps: Some(comparison.last),
            divergence: comparison.divergence.as_ref().map(Into::into),
            next_snapshot: comparison.detail.as_ref().map(Into::into),
            errors: Some(comparison.errors.clone()),
            ..Self::default()
        }
    }
}

impl From<&Bisection> for ComparisonAnswer {
    fn from(bisection: &Bisection) -> Self {
        let is_again = bisection.from.is_some();
        Self {
            run_again_from: bisection.from.map(SimTime::seconds),
            events: bisection.events.clone(),
            events_step: bisection.step,
            reproduced: is_again.then_some(bisection.reproduced),
            ..Self::from(&bisection.comparison)
        }
    }
}

impl From<&Diff> for ComparisonAnswer {
    fn from(diff: &Diff) -> Self {
        let answer = diff.bisection.as_ref().map_or_else(Self::default, Self::from);
        Self {
            schema: ANSWER_SCHEMA,
            same: diff.is_same(),
            changes: diff.changes.clone(),
            end_times: diff.ends.as_ref().map(|ends| ends.times.map(SimTime::seconds)),
            ends: diff.ends.as_ref().map(|ends| ends.other.clone()),
            ..answer
        }
    }
}

/// The answer of `carom bisect` for two tables.
#[derive(Debug, Serialize)]
pub struct TableAnswer {
    pub schema: u32,
    pub same: bool,
    /// How many rows both tables have, and how many differ or are in one alone.
    pub rows: usize,
    pub other: usize,
    /// The first row that differs.
    pub first: Option<RowAnswer>,
    /// The body whose places are farthest apart.
    pub farthest: Option<FarthestAnswer>,
}

/// A row that differs.
#[derive(Debug, Serialize)]
pub struct RowAnswer {
    pub time: f64,
    pub body: String,
    /// The first column that differs, and its numbers; `null` if only one table has the row.
    pub column: Option<&'static str>,
    pub values: Option<[f64; 2]>,
    /// The lines in the files, or rows in Parquet, from 1.
    pub places: [Option<u64>; 2],
}

/// A body that has two places at one time.
#[derive(Debug, Serialize)]
pub struct FarthestAnswer {
    pub time: f64,
    pub body: String,
    pub distance: f64,
}

impl From<&TableComparison> for TableAnswer {
    fn from(found: &TableComparison) -> Self {
        let row = |row: &RowDifference| {
            let RowDifference { time, body, column, values, places } = row.clone();
            RowAnswer { time: time.seconds(), body, column, values, places }
        };
        let farthest = |at: &Farthest| {
            let Farthest { time, body, distance } = at.clone();
            FarthestAnswer { time: time.seconds(), body, distance }
        };
        Self {
            schema: ANSWER_SCHEMA,
            same: found.first.is_none(),
            rows: found.rows,
            other: found.other,
            first: found.first.as_ref().map(row),
            farthest: found.farthest.as_ref().map(farthest),
        }
    }
}
