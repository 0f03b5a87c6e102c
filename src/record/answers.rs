//! The answers of commands for other programs, as JSON.
//!
//! Each command with `--json` has one structure here, with the version [`ANSWER_SCHEMA`]. Lengths are in m, times in s.
//! Fields may be added; a change of what is there raises the version.

use miette::Diagnostic;
use serde::Serialize;

use super::compare::{Bisection, Comparison, Diff, End};
use super::recording::Divergence;
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

/// The answer of `carom replay`, and of `carom bisect` for two tables.
#[derive(Debug, Serialize)]
pub struct ReportAnswer<'a, T> {
    pub schema: u32,
    pub same: bool,
    #[serde(flatten)]
    pub report: &'a T,
}

impl<'a, T> ReportAnswer<'a, T> {
    /// The answer that has this report.
    pub fn new(same: bool, report: &'a T) -> Self {
        Self { schema: ANSWER_SCHEMA, same, report }
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
    pub divergence: Option<Divergence>,
    /// The next step at which both have a snapshot, if `divergence` has no difference.
    pub next_snapshot: Option<Divergence>,
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
            divergence: comparison.divergence.clone(),
            next_snapshot: comparison.detail.clone(),
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
