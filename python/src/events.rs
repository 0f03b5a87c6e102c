//! Events: one as a callback gets it, all of them as a table.

use carom::dynamics;
use carom::record::tables::{EventRow, Events, Table as _};
use pyo3::prelude::*;

use crate::simulation::Simulation;
use crate::tables::{Rows, Table};
use crate::time::fraction;

/// Something at one instant.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Event {
    sim: Py<Simulation>,
    event: dynamics::Event,
}

impl Event {
    pub(crate) fn new(sim: &Bound<'_, Simulation>, event: dynamics::Event) -> Self {
        Self { sim: sim.clone().unbind(), event }
    }
}

#[pymethods]
impl Event {
    /// When, s.
    #[getter]
    fn time(&self) -> f64 {
        self.event.time.seconds()
    }

    /// When, s, as a `fractions.Fraction`.
    #[getter]
    fn time_exact<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(self.event.time, py)
    }

    /// What: `impact`, `rest` and so on.
    #[getter]
    fn kind(&self) -> &'static str {
        self.event.kind.name()
    }

    /// Name of the first body.
    #[getter]
    fn a(&self, py: Python<'_>) -> PyResult<String> {
        self.name(py, self.event.a)
    }

    /// Name of the second body, if the event has one.
    #[getter]
    fn b(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.event.partner().map(|id| self.name(py, id)).transpose()
    }

    /// Where they touch, m.
    #[getter]
    fn point(&self) -> (f64, f64, f64) {
        self.event.point.into()
    }

    /// Unit normal there, from `a` to `b`.
    #[getter]
    fn normal(&self) -> (f64, f64, f64) {
        self.event.normal.into()
    }

    /// How fast the gap was closing just before, m/s.
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

    /// The group of impacts at one instant that it belongs to, from 1; 0 for what is no impact.
    #[getter]
    fn group(&self) -> u64 {
        self.event.group
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (a, b) = (self.a(py)?, self.b(py)?.map_or_else(String::new, |b| format!(" and {b:?}")));
        Ok(format!("<carom.Event {} of {a:?}{b} at {} s>", self.kind(), self.time()))
    }
}

impl Event {
    fn name(&self, py: Python<'_>, id: dynamics::BodyId) -> PyResult<String> {
        Ok(self.sim.get().lock(py)?.world()?.name(id).to_owned())
    }
}

#[pymethods]
impl Simulation {
    /// All events since the last call, as a table in the order of time.
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

    /// Whether events are kept until `take_events`. Without it a run of any length needs no more memory.
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
