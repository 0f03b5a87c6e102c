//! Plots by their names: those that a scenario asks for, and all others.

use std::path::{Path, PathBuf};

use carom::report::{self, OtherRun, stems};
use carom::scenario::{Figure, Form};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{Raised, released};
use crate::folder::scenario_of;
use crate::origin::Origin;
use crate::pictures::Picture;
use crate::words::plain;
use crate::written::{Place, check_style, plot_fields, written};

/// Draws a plot of the run in a folder, with the curves of other runs.
#[pyfunction]
#[pyo3(signature = (folder, name, options, beside = Vec::new()))]
pub(crate) fn draw(
    py: Python<'_>,
    folder: PathBuf,
    name: &str,
    options: &Bound<'_, PyDict>,
    beside: Vec<(String, PathBuf)>,
) -> PyResult<Picture> {
    let origin = released(py, || scenario_of(&folder))?;
    let figure = figure(&origin, name, options)?;
    let others =
        |(name, folder): (String, PathBuf)| Ok(OtherRun { name, scenario: scenario_of(&folder)?.scenario, folder });
    released(py, || {
        let others = beside.into_iter().map(others).collect::<PyResult<Vec<_>>>()?;
        drawn(&figure, &origin, &folder, &others)
    })
}

pub(crate) fn drawn(figure: &Figure, origin: &Origin, folder: &Path, others: &[OtherRun]) -> PyResult<Picture> {
    Picture::new(report::Picture::of_run(figure, &origin.scenario, folder, others).map_err(Raised::raised)?)
}

/// The plot `name` with other settings: one that the scenario asks for, or else one of that kind, such as `path_xz`.
pub(crate) fn figure(origin: &Origin, name: &str, options: &Bound<'_, PyDict>) -> PyResult<Figure> {
    let py = options.py();
    let names = stems(&origin.scenario);
    let place = names.iter().position(|stem| plain(stem) == plain(name));
    let kind = place.map_or(name, |place| without_number(&names[place]));
    let fields = plot_fields(kind, &names, py)?;
    let (own, style) = (PyDict::new(py), PyDict::new(py));
    for (key, value) in options.iter() {
        let is_own = fields.contains(&key.extract::<String>()?);
        let part = if is_own { &own } else { &style };
        part.set_item(key, value)?;
    }
    check_style(&style, kind, &fields)?;
    let bodies = own.get_item("bodies")?;
    let (asked, has_bodies) = (chosen(origin, bodies.as_ref(), &style)?, bodies.is_some());
    let has_more = own.keys().iter().any(|key| key.to_string() != "bodies");
    let figure = match place.map(|place| &origin.scenario.plots[place]) {
        Some(known) if !has_more => {
            let bodies = asked.plot.bodies().filter(|bodies| !bodies.is_empty());
            let plot = bodies.map_or_else(|| known.plot.clone(), |bodies| known.plot.clone().of(bodies));
            Figure { plot, style: asked.style.over(&known.style) }
        }
        known => {
            let value = PyDict::new(py);
            value.set_item(kind, own)?;
            let text = written(Form::Plot, &value, Place::Call)?;
            let Figure { mut plot, style } = origin.plot(&text, true, in_call)?;
            // Without other bodies it has those of the plot that the scenario asks for.
            if let Some(bodies) = known.and_then(|known| known.plot.bodies()).filter(|_| !has_bodies) {
                plot = plot.of(bodies);
            }
            Figure { style: asked.style.over(known.map_or(&style, |known| &known.style)), plot }
        }
    };
    if !asked.style.over.is_empty() && !figure.plot.takes_overlays() {
        return Err(PyValueError::new_err("over: nothing can be laid over this plot"));
    }
    Ok(figure)
}

/// Bodies and a style, as a plot that can have all of them.
pub(crate) fn chosen(
    origin: &Origin,
    bodies: Option<&Bound<'_, PyAny>>,
    style: &Bound<'_, PyDict>,
) -> PyResult<Figure> {
    let (value, fields) = (PyDict::new(style.py()), style.copy()?);
    fields.set_item("bodies", bodies)?;
    value.set_item("impacts", fields)?;
    let text = written(Form::Plot, &value, Place::Call)?;
    origin.plot(&text, false, in_call)
}

/// The name of a keyword argument from the path of a field.
fn in_call(field: &str) -> String {
    let field = field.strip_prefix("plots[0]").unwrap_or(field).trim_start_matches('.');
    field.strip_prefix("style.").unwrap_or(field).to_owned()
}

/// The name of the files of a plot without its number among those of its kind.
fn without_number(stem: &str) -> &str {
    match stem.rsplit_once('_') {
        Some((kind, number)) if number.bytes().all(|digit| digit.is_ascii_digit()) => kind,
        _ => stem,
    }
}
