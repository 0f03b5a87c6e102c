//! Scenario text: values from Python written in RON. The library reads and checks this text as it does a file.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyMapping, PyString};

use crate::restitution::Restitution;

/// A number with all its digits. When the text is read, it gives the same bits.
pub(crate) fn number(value: f64) -> String {
    format!("{value:?}")
}

/// Three numbers.
pub(crate) fn triple([x, y, z]: [f64; 3]) -> String {
    format!("({x:?}, {y:?}, {z:?})")
}

/// A text in quotation marks.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control.is_control() => quoted.push_str(&format!("\\u{{{:x}}}", u32::from(control))),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// A list of texts.
pub(crate) fn list<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    let items: Vec<String> = items.iter().map(text).collect();
    format!("[{}]", items.join(", "))
}

/// Fields of a RON structure, in order. Missing values are left out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields(String);

impl Fields {
    pub(crate) fn add(&mut self, name: &str, value: Option<String>) {
        if let Some(value) = value {
            let comma = if self.0.is_empty() { "" } else { ", " };
            self.0.push_str(&format!("{comma}{name}: {value}"));
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

/// Most sequences within each other; RON reads few more.
const DEPTH_MAX: usize = 64;

/// A Python value in RON: numbers, texts, `True`, `None`, laws of restitution, and sequences of them: a list is one in
/// RON, too, and all others are tuples. NumPy numbers are accepted.
pub(crate) fn value(given: &Bound<'_, PyAny>) -> PyResult<String> {
    nested(given, DEPTH_MAX)
}

/// A value with at most `depth` sequences within each other.
fn nested(given: &Bound<'_, PyAny>, depth: usize) -> PyResult<String> {
    if given.is_none() {
        return Ok("None".to_owned());
    }
    // A text is a sequence of texts, so one that is not Unicode must not be taken for a sequence.
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(quoted(text.to_str()?));
    }
    if let Ok(truth) = given.cast::<pyo3::types::PyBool>() {
        return Ok(truth.is_true().to_string());
    }
    if given.cast::<pyo3::types::PyInt>().is_ok()
        || given.hasattr("__index__")? && given.getattr("__index__")?.call0().is_ok()
    {
        return Ok(given.call_method0("__index__")?.str()?.to_string());
    }
    if let Ok(real) = given.extract::<f64>() {
        return if real.is_finite() {
            Ok(number(real))
        } else {
            Err(PyValueError::new_err(format!("{real} is no finite number")))
        };
    }
    if let Some(law) = Restitution::law_text(given) {
        return Ok(law);
    }
    if depth == 0 {
        let message = format!("a value has more than {DEPTH_MAX} sequences within each other");
        return Err(PyValueError::new_err(message));
    }
    if given.cast::<PyMapping>().is_ok() {
        return Err(PyTypeError::new_err(format!(
            "{given} has no place in a scenario: give each field by its own path, such as \"record.stride\""
        )));
    }
    let items: Vec<Bound<'_, PyAny>> = given.try_iter().and_then(Iterator::collect).map_err(|_| {
        PyTypeError::new_err(format!(
            "{given} has no place in a scenario: give a number, a text, a law of restitution or a sequence"
        ))
    })?;
    let items: Vec<String> = items.iter().map(|item| nested(item, depth - 1)).collect::<PyResult<_>>()?;
    let (open, close) = if given.cast::<PyList>().is_ok() { ('[', ']') } else { ('(', ')') };
    Ok(format!("{open}{}{close}", items.join(", ")))
}
