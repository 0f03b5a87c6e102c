//! The motion of a body: a word, or a course as a dictionary with one entry.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::unfit_value;
use crate::text::{list, number, triple};
use crate::words::{did_you_mean, meant, shown, snake};

/// What there is besides the words.
const COURSES: &str = "{\"sine\": {...}}, {\"polynomial\": {...}} or {\"knots\": [...]}";

/// The text of a motion.
pub(crate) fn motion_text(motion: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(course) = motion.cast::<PyDict>() {
        return course_text(course);
    }
    let words = ["Free", "Fixed", "Kinematic"];
    let word = motion.extract::<String>().ok();
    word.and_then(|word| meant(&word, &words)).map(str::to_owned).ok_or_else(|| {
        let known = words.map(snake);
        let near = motion.extract::<String>().map_or_else(|_| String::new(), |word| did_you_mean(&word, &known));
        let known = known.map(|word| format!("\"{word}\"")).join(", ");
        unfit_value("motion", &format!("is one of {known}, {COURSES}; found {}{near}", shown(motion)))
    })
}

fn course_text(course: &Bound<'_, PyDict>) -> PyResult<String> {
    let mut entries = course.iter();
    let (Some((kind, given)), None) = (entries.next(), entries.next()) else {
        return Err(PyValueError::new_err(format!("a course is one of {COURSES}")));
    };
    let kind: String = kind.extract()?;
    let text = match meant(&kind, &["Sine", "Polynomial", "Knots"]) {
        Some("Knots") => {
            let knots: Vec<(f64, [f64; 3])> = given.extract()?;
            format!("Knots({})", list(&knots, |(time, place)| format!("({}, {})", number(*time), triple(*place))))
        }
        Some(course) => format!("{course}({})", fields(&kind, &given)?),
        None => return Err(PyValueError::new_err(format!("there is no course {kind:?}: give {COURSES}"))),
    };
    Ok(format!("Along({text})"))
}

/// The fields of a course: numbers, an axis, and coefficients. The scenario says which there are.
fn fields(kind: &str, given: &Bound<'_, PyAny>) -> PyResult<String> {
    let given = given.cast::<PyDict>().map_err(|_| PyTypeError::new_err("a course is given as a dictionary"))?;
    let field = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let name: String = name.extract()?;
        let text = match name.as_str() {
            "axis" => value.extract().map(triple),
            "coefficients" => value.extract::<Vec<f64>>().map(|values| list(&values, |value| number(*value))),
            _ => value.extract().map(number),
        };
        let unfit = |error: PyErr| {
            let words = error.value(value.py()).to_string();
            unfit_value(&format!("motion[{kind:?}][{name:?}]"), &format!("{words}, found {}", shown(&value)))
        };
        Ok(format!("{name}: {}", text.map_err(unfit)?))
    };
    Ok(given.iter().map(field).collect::<PyResult<Vec<String>>>()?.join(", "))
}
