//! What a simulation asks for: what is recorded, measured, drawn and expected, as text.

use carom::scenario::{Fault, Form, Problem};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::errors::unfit_value;
use crate::text::Fields;
use crate::words::shown;
use crate::written::{Place, written};

/// The sections of a scenario that ask for something.
#[derive(Debug, Clone, Default)]
pub(crate) struct Requests {
    record: Option<String>,
    observe: Vec<String>,
    plots: Vec<String>,
    style: Option<String>,
    expect: Vec<String>,
}

/// The same as they are given.
#[derive(Default)]
pub(crate) struct Asked<'a, 'py> {
    pub(crate) record: Option<&'a Bound<'py, PyAny>>,
    pub(crate) observe: Option<&'a Bound<'py, PyAny>>,
    pub(crate) plots: Option<&'a Bound<'py, PyAny>>,
    pub(crate) style: Option<&'a Bound<'py, PyAny>>,
    pub(crate) expect: Option<&'a Bound<'py, PyAny>>,
}

impl Requests {
    /// The texts of what is given.
    pub(crate) fn of(asked: &Asked<'_, '_>) -> PyResult<Self> {
        let one = |form, name, given: Option<&Bound<'_, PyAny>>| {
            given.map(|given| written(form, given, Place::Argument(name))).transpose()
        };
        Ok(Self {
            record: one(Form::Record, "record", asked.record)?,
            observe: several(Form::Observation, "observe", asked.observe)?,
            plots: several(Form::Plot, "plots", asked.plots)?,
            style: one(Form::Style, "style", asked.style)?,
            expect: several(Form::Expectation, "expect", asked.expect)?,
        })
    }

    /// The same with this plot as the only one, and without what does not concern it.
    pub(crate) fn with_plot(&self, plot: &str) -> Self {
        let Self { observe, style, .. } = self.clone();
        Self { record: None, observe, plots: vec![plot.to_owned()], style, expect: Vec::new() }
    }

    /// The same without a style for all plots.
    pub(crate) fn without_style(self) -> Self {
        Self { style: None, ..self }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let Self { record, observe, plots, style, expect } = self;
        record.is_none() && style.is_none() && [observe, plots, expect].iter().all(|list| list.is_empty())
    }

    /// The fields of a scenario, each on a line.
    pub(crate) fn lines(&self) -> Vec<String> {
        let Self { record, observe, plots, style, expect } = self;
        let list = |name: &str, items: &[String]| {
            let lines: String = items.iter().map(|item| format!("        {item},\n")).collect();
            (!items.is_empty()).then(|| format!("    {name}: [\n{lines}    ],\n"))
        };
        let one = |name: &str, text: &Option<String>| text.as_ref().map(|text| format!("    {name}: {text},\n"));
        let all = [
            one("record", record),
            list("observe", observe),
            list("plots", plots),
            one("style", style),
            list("expect", expect),
        ];
        all.into_iter().flatten().collect()
    }

    /// The text of a scenario that has nothing else.
    pub(crate) fn alone(&self) -> String {
        let mut times = Fields::default();
        times.add("timestep", Some("1".to_owned()));
        times.add("duration", Some("1".to_owned()));
        format!("Scenario(\n    {},\n{})\n", times.text(), self.lines().concat())
    }
}

/// A list of things of this form. A word or a dictionary alone is a list of one.
fn several(form: Form, name: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    if given.is_instance_of::<PyString>() || given.is_instance_of::<PyDict>() {
        return Ok(vec![written(form, given, Place::Argument(name))?]);
    }
    let items = given.try_iter().and_then(Iterator::collect::<PyResult<Vec<_>>>);
    let items = items.map_err(|_| unfit_value(name, &format!("must be a list, found {}", shown(given))))?;
    let item =
        |(place, item): (usize, &Bound<'_, PyAny>)| written(form, item, Place::Argument(&format!("{name}[{place}]")));
    items.iter().enumerate().map(item).collect()
}

/// The problems that are none of the bodies, which may come later.
pub(crate) fn known_without_bodies(problems: &[Problem]) -> Vec<&Problem> {
    let awaits = |problem: &&Problem| {
        let names = ["body", "bodies", "paths", "colors", "within"];
        let is_named = names.iter().any(|part| problem.field.contains(part));
        is_named || matches!(problem.fault, Fault::UnknownBody { .. } | Fault::EmptyPrefix { .. })
    };
    // What is not observed because of a body that is not there yet is not missed.
    let is_open = problems.iter().any(|problem| awaits(&problem) && problem.field.starts_with("observe"));
    let follows = |problem: &&Problem| is_open && matches!(problem.fault, Fault::PackingNotObserved);
    problems.iter().filter(|problem| !awaits(problem) && !follows(problem)).collect()
}
