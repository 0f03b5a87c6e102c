//! Errors of the library as exceptions of `carom.errors`, with their details as attributes.

use carom::motion::SimTime;
use carom::record::WriteError;
use carom::record::recording::{Divergence, RecordingError, VerifyError};
use carom::scenario::{Change, Parsed, Problem, Problems, ReadError, SettingError};
use carom::study::StudyError;
use carom::world::{CommandError, RestoreError, RunError, SetupError};
use miette::Diagnostic;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::time::fraction;

/// An exception of the class `class` of `carom.errors`, with `fields` as its attributes.
fn exception(class: &str, message: &str, fields: Option<&Bound<'_, PyDict>>, py: Python<'_>) -> PyErr {
    let made = py
        .import("carom.errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call((message,), fields))
        .map(PyErr::from_value);
    made.unwrap_or_else(|error| error)
}

/// An exception without attributes.
fn plain(class: &str, message: &str) -> PyErr {
    Python::attach(|py| exception(class, message, None, py))
}

/// An error of the library that becomes an exception.
pub(crate) trait Raised {
    /// The exception.
    fn raised(self) -> PyErr;
}

impl Raised for Problems {
    fn raised(self) -> PyErr {
        Python::attach(|py| problems(&self, py).unwrap_or_else(|error| error))
    }
}

fn problems(problems: &Problems, py: Python<'_>) -> PyResult<PyErr> {
    let all = PyList::empty(py);
    for problem in problems.list() {
        all.append(
            exception("ScenarioError", &problem.to_string(), Some(&described(problem, py)?), py).into_value(py),
        )?;
    }
    let text: Vec<String> = problems.list().iter().map(told).collect();
    let more = problems.unlisted();
    let more = if more == 0 { String::new() } else { format!("\n... and {more} more") };
    let fields = match problems.list().first() {
        Some(first) => described(first, py)?,
        None => PyDict::new(py),
    };
    fields.set_item("problems", all)?;
    Ok(exception("ScenarioError", &format!("{}{more}", text.join("\n")), Some(&fields), py))
}

fn told(problem: &Problem) -> String {
    match problem.help() {
        Some(help) => format!("{problem}\n  help: {help}"),
        None => problem.to_string(),
    }
}

fn described<'py>(problem: &Problem, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    if problem.setting.is_none() {
        fields.set_item("file", &problem.file)?;
        fields.set_item("line", problem.line)?;
        fields.set_item("column", problem.column)?;
    }
    fields.set_item("field", &problem.field)?;
    fields.set_item("help", problem.help().map(|help| help.to_string()))?;
    Ok(fields)
}

impl Raised for SetupError {
    fn raised(self) -> PyErr {
        plain("ScenarioError", &self.to_string())
    }
}

/// The problem with the world of a scenario, with the lines of the bodies if these are known.
pub(crate) fn misplaced(error: SetupError, parsed: &Parsed) -> PyErr {
    match error {
        SetupError::Overlap { a, b, depth } => parsed.overlap(&a, &b, depth).raised(),
        error => error.raised(),
    }
}

impl Raised for SettingError {
    fn raised(self) -> PyErr {
        Python::attach(|py| {
            let fields = PyDict::new(py);
            let message = format!("{self}\n  help: {}", self.help);
            match fields.set_item("help", &self.help) {
                Ok(()) => exception("ScenarioError", &message, Some(&fields), py),
                Err(error) => error,
            }
        })
    }
}

impl Raised for ReadError {
    fn raised(self) -> PyErr {
        match &self {
            Self::Unreadable { error, .. } if error.kind() == std::io::ErrorKind::NotFound => {
                PyFileNotFoundError::new_err(self.to_string())
            }
            Self::Unreadable { .. } => PyOSError::new_err(self.to_string()),
            _ => plain("ScenarioError", &self.to_string()),
        }
    }
}

impl Raised for WriteError {
    fn raised(self) -> PyErr {
        PyOSError::new_err(format!("{self}: {}", self.source))
    }
}

impl Raised for RunError {
    fn raised(self) -> PyErr {
        plain("RunError", &self.to_string())
    }
}

impl Raised for CommandError {
    fn raised(self) -> PyErr {
        plain("CommandError", &self.to_string())
    }
}

impl Raised for RestoreError {
    fn raised(self) -> PyErr {
        plain("SnapshotError", &self.to_string())
    }
}

impl Raised for RecordingError {
    fn raised(self) -> PyErr {
        match &self {
            Self::Io { error, .. } if error.kind() == std::io::ErrorKind::NotFound => {
                PyFileNotFoundError::new_err(self.to_string())
            }
            Self::Io { .. } => PyOSError::new_err(self.to_string()),
            _ => plain("RecordingError", &self.to_string()),
        }
    }
}

/// A recording from which a simulation cannot be made.
pub(crate) fn unfit_recording(error: &impl ToString) -> PyErr {
    plain("RecordingError", &error.to_string())
}

/// A sweep in a folder that cannot be merged, or that a worker could not run.
pub(crate) fn unfit_sweep(message: &str) -> PyErr {
    plain("SweepError", message)
}

/// An operation that is not possible in the present state of a simulation.
pub(crate) fn refused(message: &str) -> PyErr {
    plain("CommandError", message)
}

impl Raised for VerifyError {
    fn raised(self) -> PyErr {
        match self {
            Self::Recording(error) => error.raised(),
            Self::Divergence(found) => diverged(&found, None),
            other => plain("Divergence", &other.to_string()),
        }
    }
}

/// The first step that differs. If it has no snapshot, `detail` is the next step that has one.
pub(crate) fn diverged(first: &Divergence, detail: Option<&Divergence>) -> PyErr {
    Python::attach(|py| divergence(first, detail, py).unwrap_or_else(|error| error))
}

fn divergence(first: &Divergence, detail: Option<&Divergence>, py: Python<'_>) -> PyResult<PyErr> {
    let fields = PyDict::new(py);
    fields.set_item("step", first.step)?;
    fields.set_item("time", first.time.seconds())?;
    fields.set_item("time_exact", fraction(first.time, py)?)?;
    if let Some(found) = first.difference.as_ref().or(detail.and_then(|detail| detail.difference.as_ref())) {
        fields.set_item("body", found.body.as_deref())?;
        fields.set_item("field", &found.field)?;
        fields.set_item("recorded", &found.recorded)?;
        fields.set_item("found", &found.found)?;
        fields.set_item("ulps", found.ulps)?;
    }
    let message = detail.map_or_else(|| first.to_string(), |detail| format!("{first}\n{detail}"));
    Ok(exception("Divergence", &message, Some(&fields), py))
}

/// A divergence with what was changed in the scenario, which is put before its message. Other errors stay as they are.
pub(crate) fn with_changes(error: PyErr, changes: &[Change], py: Python<'_>) -> PyErr {
    let told = || -> PyResult<()> {
        let class = py.import("carom.errors")?.getattr("Divergence")?;
        let value = error.value(py);
        if value.is_instance(&class)? {
            value.setattr("changes", Change::lines(changes))?;
            value.setattr("args", (format!("{}{value}", Change::since_recorded(changes)),))?;
        }
        Ok(())
    };
    told().err().unwrap_or(error)
}

impl Raised for StudyError {
    fn raised(self) -> PyErr {
        match self {
            Self::Unreadable(error) => error.raised(),
            Self::Wrong(problems) => problems.raised(),
            Self::Base(problems) => {
                PyFileNotFoundError::new_err(problems.list().first().map_or_else(String::new, told))
            }
            Self::Setting(error) => error.raised(),
            Self::Write { error } => error.raised(),
            error => {
                let help = error.help().map_or_else(String::new, |help| format!("\n  help: {help}"));
                plain("SweepError", &format!("{error}{help}"))
            }
        }
    }
}

/// The error for a lock that a panic has poisoned.
pub(crate) fn broken() -> PyErr {
    PyRuntimeError::new_err("the simulation was left broken by an earlier failure")
}

/// The error for an instant that is already in the past.
pub(crate) fn no_instant(now: SimTime, wanted: SimTime) -> PyErr {
    refused(&format!("the time is already {now} s: a simulation cannot go on to {wanted} s"))
}
