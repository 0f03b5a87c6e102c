//! Errors of the library as exceptions of `carom.errors`, with their details as attributes.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use carom::motion::SimTime;
use carom::record::WriteError;
use carom::record::recording::{Divergence, RecordingError, VerifyError};
use carom::scenario::error_kinds::PlanarFault;
use carom::scenario::{Change, Fault, Parsed, Problem, Problems, ReadError, SettingError};
use carom::study::StudyError;
use carom::world::{CommandError, RestoreError, RunError, SetupError};
use miette::Diagnostic;
use pyo3::exceptions::{PyFileExistsError, PyFileNotFoundError, PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::time::fraction;
use crate::words::{did_you_mean, either, snake};

/// An exception of the class `class` of `carom.errors`, with `fields` as its attributes.
fn exception(class: &str, message: &str, fields: Option<&Bound<'_, PyDict>>, py: Python<'_>) -> PyErr {
    let made = py
        .import("carom.errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call((message,), fields))
        .map(PyErr::from_value);
    made.unwrap_or_else(|error| error)
}

/// A value that has not the form that a scenario wants, at this place.
pub(crate) fn unfit_value(place: &str, words: &str) -> PyErr {
    Python::attach(|py| {
        let fields = PyDict::new(py);
        match fields.set_item("field", place) {
            Ok(()) => exception("ScenarioError", &format!("{place} {words}"), Some(&fields), py),
            Err(error) => error,
        }
    })
}

/// Problems with what was given in Python, without places in a text that the user has not written. `name` makes the
/// name of an argument of the path of a field.
pub(crate) fn given_wrong<'a>(all: impl IntoIterator<Item = &'a Problem>, name: impl Fn(&str) -> String) -> PyErr {
    let made = |problem: &Problem, py: Python<'_>| {
        let (place, help) = (name(&problem.field), python_help(&problem.fault));
        let colon = if place.is_empty() { "" } else { ": " };
        let told = help.as_ref().map_or_else(String::new, |help| format!("\n  help: {help}"));
        let fields = PyDict::new(py);
        fields.set_item("field", &place)?;
        fields.set_item("help", help)?;
        PyResult::Ok((format!("{place}{colon}{}{told}", fault_words(&problem.fault)), fields.unbind()))
    };
    Python::attach(|py| {
        let made = all.into_iter().map(|problem| made(problem, py)).collect::<PyResult<Vec<_>>>()?;
        let each = made.iter().map(|(text, fields)| exception("ScenarioError", text, Some(fields.bind(py)), py));
        let list = PyList::new(py, each.map(|error| error.into_value(py)).collect::<Vec<_>>())?;
        let text: Vec<&str> = made.iter().map(|(text, _)| text.as_str()).collect();
        let fields = made.first().map_or_else(|| Ok(PyDict::new(py)), |(_, fields)| fields.bind(py).copy())?;
        fields.set_item("problems", list)?;
        PyResult::Ok(exception("ScenarioError", &text.join("\n"), Some(&fields), py))
    })
    .unwrap_or_else(|error| error)
}

/// What is wrong, with what was found as it is in Python.
fn fault_words(fault: &Fault) -> String {
    match fault {
        Fault::OutOfRange { allowed, found } => {
            let length = found.strip_prefix("Mm(").and_then(|found| found.strip_suffix(')'));
            format!(
                "must be {allowed}, found {}",
                length.map_or_else(|| found.clone(), |length| format!("{length} mm"))
            )
        }
        Fault::UnknownWord { found, known } => {
            let known: Vec<String> = known.iter().map(|word| snake(word)).collect();
            format!("must be {}, found \"{}\"{}", either(&known), snake(found), did_you_mean(&snake(found), &known))
        }
        fault => fault.to_string(),
    }
}

/// What to do about a fault of something that was given in Python.
fn python_help(fault: &Fault) -> Option<String> {
    let help = match fault {
        Fault::MissingField { field } => return Some(format!("add \"{field}\"")),
        Fault::MassMissing => "give mass=, in kg, or density=, in kg/m³, or motion=\"fixed\"",
        Fault::MassUseless { .. } => "leave it out, or make the body free",
        Fault::FreePlane => "give motion=\"fixed\" or motion=\"kinematic\"",
        Fault::FixedMoves { .. } => "leave the velocity out, or give motion=\"kinematic\"",
        Fault::Course { .. } => {
            "for example motion={\"sine\": {\"axis\": (0, 0, 1), \"amplitude\": 0.01, \"frequency\": 25}}, in m and Hz"
        }
        Fault::UnknownMaterial { nearest: None, .. } => "add it first: sim.material(\"steel\", restitution=0.95)",
        Fault::UnknownLayer { nearest: None, .. } => {
            "name it when the simulation is made: layers=[\"ground\", \"debris\"]"
        }
        Fault::UnknownBody { nearest: None, .. } => "sim.names has all names; \"gas/*\" means all that begin so",
        Fault::GasNotObserved => "give the simulation observe=\"gas\"",
        Fault::UnboundedRegion { .. } => {
            "for example observe={\"packing\": {\"within\": {\"box\": {\"min\": (0, 0, 0), \"max\": (1, 1, 1)}}}}"
        }
        Fault::UnknownWord { .. } => return None,
        Fault::PackingNotObserved => "give the simulation observe=\"packing\"",
        Fault::UnclearCount => "for example {\"impacts\": {\"at_least\": 3, \"at_most\": 7}}",
        Fault::UnclearPeriod => "for example periodic=[(0, 10), None, None]",
        Fault::EmptyPair => "for example sim.pair(\"steel\", \"ice\", friction=0.03)",
        Fault::Planar(PlanarFault::OnlyPlanar { .. }) => "make the simulation with planar=True",
        Fault::Planar(PlanarFault::OffPlane) => "give 0 as the third number",
        other => return other.help(),
    };
    Some(help.to_owned())
}

/// A panic of the library as an exception, with what it says.
pub(crate) fn panicked(panic: &(dyn Any + Send)) -> PyErr {
    let words = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let words = words.unwrap_or("no words");
    PyRuntimeError::new_err(format!("carom has failed, which is a fault of carom: {words}"))
}

/// Does `work` while other Python threads can run. A panic becomes an exception.
pub(crate) fn released<T: Send>(py: Python<'_>, work: impl FnOnce() -> PyResult<T> + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panicked(&*panic))))
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
    match parsed.unmade(error) {
        Ok(problems) => problems.raised(),
        Err(error) => error.raised(),
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

/// An error of the system as `open` raises it: of the class that belongs to its kind, with `errno` and `filename`.
fn of_system(kind: io::ErrorKind, file: &Path, words: String) -> PyErr {
    // These numbers are the same on all systems.
    let number = match kind {
        io::ErrorKind::NotFound => 2,
        io::ErrorKind::PermissionDenied => 13,
        io::ErrorKind::AlreadyExists => 17,
        io::ErrorKind::NotADirectory => 20,
        io::ErrorKind::IsADirectory => 21,
        io::ErrorKind::StorageFull => 28,
        _ => return PyOSError::new_err(words),
    };
    let words = Python::attach(|py| py.import("os")?.call_method1("strerror", (number,))?.extract::<String>());
    words.map_or_else(|error| error, |words| PyOSError::new_err((number, words, file.as_os_str().to_owned())))
}

impl Raised for ReadError {
    fn raised(self) -> PyErr {
        match &self {
            Self::Unreadable { error, path } => of_system(error.kind(), path, self.to_string()),
            Self::NotAFile { path, .. } if path.is_dir() => {
                of_system(io::ErrorKind::IsADirectory, path, self.to_string())
            }
            _ => plain("ScenarioError", &self.to_string()),
        }
    }
}

impl Raised for WriteError {
    fn raised(self) -> PyErr {
        of_system(self.source.kind(), &self.file, format!("{self}: {}", self.source))
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
            Self::Io { error, file } => of_system(error.kind(), file, self.to_string()),
            _ => {
                let help = self.help().map_or_else(String::new, |help| format!("\n  help: {help}"));
                plain("RecordingError", &format!("{self}{help}"))
            }
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
            Self::NotOurs { .. } => PyFileExistsError::new_err(format!("{self}: move it away, or name another folder")),
            Self::NothingThere { .. } => plain("SweepError", &format!("{self}: call run() with this folder first")),
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
