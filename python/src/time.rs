//! Instants: numbers, texts and fractions as input, numbers and fractions as output.

use carom::motion::SimTime;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// Latest accepted instant, s: thirty thousand years.
const SECONDS_MAX: f64 = 1e12;

/// An instant in any accepted form: a number of seconds, a text with all digits, or a `fractions.Fraction`.
pub(crate) struct Instant {
    pub(crate) time: SimTime,
    /// Whether it has all digits: it is no float, to which an instant may have been rounded.
    is_exact: bool,
}

impl Instant {
    /// Whether it may be this instant, rounded to a float.
    pub(crate) fn may_be(&self, time: SimTime) -> bool {
        !self.is_exact && self.time.seconds() == time.seconds()
    }

    /// The same for a simulation at the instant `now`. The float of the present may be less than the present.
    pub(crate) fn seen_from(&self, now: SimTime) -> SimTime {
        if self.may_be(now) { self.time.max(now) } else { self.time }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Instant {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = given.extract::<&str>() {
            let exact = text.parse().map(|time| Self { time, is_exact: true });
            return exact.map_err(|error| PyValueError::new_err(format!("{error}")));
        }
        let given = given.to_owned();
        let py = given.py();
        let seconds: f64 = given
            .extract()
            .map_err(|_| PyTypeError::new_err("a time is a number of seconds, a text of digits or a Fraction"))?;
        if seconds.is_nan() || seconds.abs() > SECONDS_MAX {
            return Err(PyValueError::new_err(format!("a time of {seconds} s is not within 1e12 s of the start")));
        }
        if !given.is_instance(fractions(py)?.as_any())? {
            return Ok(Self { time: SimTime::from_seconds(seconds), is_exact: false });
        }
        let ticks: i64 = given.mul((1.0 / SimTime::TICK) as i64)?.call_method0("__floor__")?.extract()?;
        let rest: f64 = given.sub(fractions(py)?.call1((ticks, (1.0 / SimTime::TICK) as i64))?)?.extract()?;
        // A fraction just below a tick rounds up to the next tick.
        let time =
            if rest < SimTime::TICK { SimTime::try_from((ticks, rest)) } else { SimTime::try_from((ticks + 1, 0.0)) };
        time.map(|time| Self { time, is_exact: true }).map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

fn fractions<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "fractions", "Fraction")
}

/// The instant as a `fractions.Fraction` of seconds, exactly.
pub(crate) fn fraction<'py>(time: SimTime, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
    let class = fractions(py)?;
    class.call1((time.ticks(), (1.0 / SimTime::TICK) as i64))?.add(class.call1((time.rest(),))?)
}
