//! Restitution in Python: a number, or a law of the approach speed.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::text::{list, number};
use crate::words::shown;

/// A table of approach speeds in m/s and the restitution at each: linear in between, constant outside.
#[pyclass(frozen, eq, module = "carom")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BySpeed {
    #[pyo3(get)]
    knots: Vec<(f64, f64)>,
}

#[pymethods]
impl BySpeed {
    #[new]
    fn new(knots: Vec<(f64, f64)>) -> Self {
        Self { knots }
    }

    fn __repr__(&self) -> String {
        format!("BySpeed({})", list(&self.knots, |(speed, e)| format!("({}, {})", number(*speed), number(*e))))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (Vec<(f64, f64)>,)) {
        (slf.get_type().into_any(), (slf.get().knots.clone(),))
    }
}

/// Viscoelastic spheres: 1 - c v^(1/5) at the approach speed v, and not below 0; c in (s/m)^(1/5).
#[pyclass(frozen, eq, module = "carom")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Viscoelastic {
    #[pyo3(get)]
    c: f64,
}

#[pymethods]
impl Viscoelastic {
    #[new]
    fn new(c: f64) -> Self {
        Self { c }
    }

    fn __repr__(&self) -> String {
        format!("Viscoelastic({})", number(self.c))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (f64,)) {
        (slf.get_type().into_any(), (slf.get().c,))
    }
}

/// A power of the speed: max up to the speed v0 in m/s, and max (v0 / v)^exponent above it.
#[pyclass(frozen, eq, module = "carom")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Power {
    #[pyo3(get)]
    v0: f64,
    #[pyo3(get)]
    exponent: f64,
    #[pyo3(get)]
    max: f64,
}

#[pymethods]
impl Power {
    #[new]
    fn new(v0: f64, exponent: f64, max: f64) -> Self {
        Self { v0, exponent, max }
    }

    fn __repr__(&self) -> String {
        format!("Power(v0={}, exponent={}, max={})", number(self.v0), number(self.exponent), number(self.max))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (f64, f64, f64)) {
        let Self { v0, exponent, max } = *slf.get();
        (slf.get_type().into_any(), (v0, exponent, max))
    }
}

/// A number or any of the laws.
pub(crate) enum Restitution<'py> {
    Number(f64),
    BySpeed(Bound<'py, BySpeed>),
    Viscoelastic(Bound<'py, Viscoelastic>),
    Power(Bound<'py, Power>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Restitution<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(law) = given.cast::<BySpeed>() {
            Ok(Self::BySpeed(law.to_owned()))
        } else if let Ok(law) = given.cast::<Viscoelastic>() {
            Ok(Self::Viscoelastic(law.to_owned()))
        } else if let Ok(law) = given.cast::<Power>() {
            Ok(Self::Power(law.to_owned()))
        } else {
            let words = "must be a number, or carom.BySpeed, carom.Viscoelastic or carom.Power";
            let unfit = |_| PyTypeError::new_err(format!("{words}, found {}", shown(&given)));
            given.extract().map(Self::Number).map_err(|error: PyErr| unfit(error))
        }
    }
}

impl Restitution<'_> {
    /// The text of a law, if `given` is one.
    pub(crate) fn law_text(given: &Bound<'_, PyAny>) -> Option<String> {
        match given.extract::<Restitution<'_>>() {
            Ok(Restitution::Number(_)) | Err(_) => None,
            Ok(law) => Some(law.text()),
        }
    }

    /// Its text in the notation of a scenario.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Number(e) => number(*e),
            Self::BySpeed(law) => law.get().__repr__(),
            Self::Viscoelastic(law) => law.get().__repr__(),
            Self::Power(law) => {
                let Power { v0, exponent, max } = law.get();
                format!("Power(v0: {}, exponent: {}, max: {})", number(*v0), number(*exponent), number(*max))
            }
        }
    }
}
