//! Events: a single one for callbacks, and all of them as a table.

use carom::dynamics;
use carom::record::tables::{EventRow, Events, Table as _};
use carom::world::World;
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::pickle::{Pieces, made, pieces};
use crate::simulation::Simulation;
use crate::tables::{Rows, Table};
use crate::time::fraction;

/// An event at one instant.
#[pyclass(frozen, module = "carom")]
#[derive(Serialize, Deserialize)]
pub(crate) struct Event {
    event: dynamics::Event,
    a: String,
    b: Option<String>,
}

impl Event {
    /// An event of a world, with the names of its bodies.
    pub(crate) fn new(event: dynamics::Event, world: &World) -> Self {
        let name = |id| world.name(id).to_owned();
        Self { event, a: name(event.a), b: event.partner().map(name) }
    }
}

#[pymethods]
impl Event {
    /// The time, s.
    #[getter]
    fn time(&self) -> f64 {
        self.event.time.seconds()
    }

    /// The time, s, as a `fractions.Fraction`.
    #[getter]
    fn time_exact<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(self.event.time, py)
    }

    /// The kind: `impact`, `rest` and so on.
    #[getter]
    fn kind(&self) -> &'static str {
        self.event.kind.name()
    }

    /// Name of the first body.
    #[getter]
    fn a(&self) -> &str {
        &self.a
    }

    /// Name of the second body, if the event has one.
    #[getter]
    fn b(&self) -> Option<&str> {
        self.b.as_deref()
    }

    /// The point of contact, m.
    #[getter]
    fn point(&self) -> (f64, f64, f64) {
        self.event.point.into()
    }

    /// The unit normal at this point, from `a` to `b`.
    #[getter]
    fn normal(&self) -> (f64, f64, f64) {
        self.event.normal.into()
    }

    /// The speed at which the gap closed just before the event, m/s.
    #[getter]
    fn approach_speed(&self) -> f64 {
        self.event.approach_speed
    }

    /// Size of the impulse, N·s.
    #[getter]
    fn impulse(&self) -> f64 {
        self.event.impulse
    }

    /// Kinetic energy turned into heat, J.
    #[getter]
    fn loss(&self) -> f64 {
        self.event.loss
    }

    /// The group of impacts at one instant to which the event belongs, counted from 1. It is 0 if the event is not an
    /// impact.
    #[getter]
    fn group(&self) -> u64 {
        self.event.group
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pieces<'py>> {
        pieces(slf, slf.get())
    }

    #[staticmethod]
    fn _from_bytes(bytes: &[u8]) -> PyResult<Self> {
        made(bytes)
    }

    fn __repr__(&self) -> String {
        let (a, b) = (&self.a, self.b().map_or_else(String::new, |b| format!(" and {b:?}")));
        format!("<carom.Event {} of {a:?}{b} at {} s>", self.kind(), self.time())
    }
}

#[pymethods]
impl Simulation {
    /// All events since the last call, as a table in order of time.
    fn take_events(&self, py: Python<'_>) -> PyResult<Table> {
        self.detached(py, |state| {
            let events = std::mem::take(&mut state.events);
            let world = state.world()?;
            let mut rows = Rows::new(Events::NAME, Events::COLUMNS);
            for event in &events {
                let dynamics::Event { time, kind, point, normal, approach_speed, impulse, loss, group, .. } = *event;
                let (a, b) = (world.name(event.a), event.partner().map(|id| world.name(id)));
                let row = EventRow { time, kind, a, b, point, normal, approach_speed, impulse, loss, group };
                rows.put(|line| Events::put(&row, line));
            }
            rows.finish()
        })
    }

    /// Whether events are kept until `take_events`, and commands that are given at once for plots, films, pages and
    /// exports. If it is false, memory does not grow with the length of the run.
    #[getter]
    fn keep_events(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.lock(py)?.keeps_events)
    }

    #[setter]
    fn set_keep_events(&self, py: Python<'_>, keep: bool) -> PyResult<()> {
        let mut state = self.lock(py)?;
        state.keeps_events = keep;
        if !keep {
            state.events = Vec::new();
        }
        Ok(())
    }
}
