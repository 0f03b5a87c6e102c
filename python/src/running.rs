//! Steps and runs, with callbacks at events and a check of signals in between.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time;

use carom::dynamics::EventKind;
use carom::motion::SimTime;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::{PyTraverseError, PyVisit};

use crate::construction::Names;
use crate::drive::{Filter, Goal, SLICE, Stop};
use crate::errors::{no_instant, unfit_value};
use crate::events::Event;
use crate::simulation::{Listener, Simulation};
use crate::state::State;
use crate::time::Instant;
use crate::words::{either, meant, shown};

#[pymethods]
impl Simulation {
    /// Advances by one step of the length `timestep`, or by several.
    #[pyo3(signature = (count = 1))]
    fn step(slf: &Bound<'_, Self>, count: u64) -> PyResult<()> {
        let mut left = count;
        let goal = Goal { until: None, events: None, each_step: true, listeners: Vec::new() };
        slf.get().go(slf, goal, |_| {
            let goes_on = left > 0;
            left = left.saturating_sub(1);
            Ok(goes_on)
        })
    }

    /// Advances to an instant, by a number of events, or as long as `while_` returns true for the simulation after each
    /// step.
    #[pyo3(signature = (until = None, *, events = None, while_ = None))]
    fn run(
        slf: &Bound<'_, Self>,
        until: Option<Instant>,
        events: Option<u64>,
        while_: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (py, sim) = (slf.py(), slf.get());
        let mut state = sim.lock(py)?;
        let now = state.world()?.now();
        let until = match (until.map(|until| until.seen_from(now)), events, &while_) {
            (Some(until), ..) if until < now => return Err(no_instant(now, until)),
            (Some(until), ..) => Some(until),
            (None, None, None) => Some(SimTime::from_seconds(state.clock.duration)),
            (None, ..) => None,
        };
        drop(state);
        let goal = Goal { until, events, each_step: while_.is_some(), listeners: Vec::new() };
        sim.go(slf, goal, |sim| while_.as_ref().map_or(Ok(true), |condition| condition.call1((sim,))?.is_truthy()))
    }

    /// Ends `run` as soon as the present callback returns.
    fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the last advance ended by `stop`.
    #[getter]
    fn _is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Calls the decorated function with each event of this kind in which all of these bodies take part.
    #[pyo3(signature = (kind = None, *, bodies = None))]
    fn on(slf: &Bound<'_, Self>, kind: Option<&str>, bodies: Option<Names>) -> PyResult<Decorator> {
        let names = EventKind::ALL.map(EventKind::name);
        let found = |word: &str| {
            let kind = meant(word, &names).and_then(|name| name.parse::<EventKind>().ok());
            kind.ok_or_else(|| unfit_value("kind", &format!("must be {}, found \"{word}\"", either(&names))))
        };
        let kind = kind.map(found).transpose()?;
        Ok(Decorator {
            sim: slf.clone().unbind(),
            filter: Filter { kind, bodies: bodies.map_or_else(Vec::new, Names::all) },
        })
    }

    /// Removes a function that was registered with `on`.
    fn off(&self, function: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut listeners = self.listening()?;
        let place = listeners.iter().position(|listener| listener.function.bind(function.py()).is(function));
        let removed = place.map(|place| listeners.remove(place));
        drop(listeners);
        match removed {
            Some(_) => Ok(()),
            None => Err(PyValueError::new_err(format!("{function} is not called at any event"))),
        }
    }
}

/// What `on` returns. It is a class, so that it lets go of the simulation as soon as Python lets go of it: a function
/// made of a closure does so only at the next call of this package.
#[pyclass(frozen, module = "carom")]
struct Decorator {
    sim: Py<Simulation>,
    filter: Filter,
}

#[pymethods]
impl Decorator {
    fn __call__<'py>(&self, function: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if !function.is_callable() {
            return Err(PyTypeError::new_err(format!("on() is for a function, found {}", shown(&function))));
        }
        let listener = Listener { filter: self.filter.clone(), function: function.clone().unbind() };
        self.sim.get().listening()?.push(Arc::new(listener));
        Ok(function)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.sim)
    }
}

impl Simulation {
    /// Advances to an instant.
    pub(crate) fn go_to(&self, slf: &Bound<'_, Self>, until: SimTime) -> PyResult<()> {
        self.go(slf, Goal::at(until), |_| Ok(true))
    }

    /// Advances towards the goal as long as `goes_on` returns true. It is called at the start and, if the goal requests
    /// it, after each step.
    pub(crate) fn go<'py>(
        &self,
        slf: &Bound<'py, Self>,
        mut goal: Goal,
        mut goes_on: impl FnMut(&Bound<'py, Self>) -> PyResult<bool>,
    ) -> PyResult<()> {
        let py = slf.py();
        let _running = self.begin()?;
        self.detached(py, State::settled)?;
        self.is_stopped.store(false, Ordering::Relaxed);
        if !goes_on(slf)? {
            return Ok(());
        }
        let mut looked = time::Instant::now();
        while !self.is_stopped.load(Ordering::Relaxed) {
            // A callback may add others and take some off.
            goal.listeners = self.listening()?.clone();
            match self.after_others(py, |state, awaited| state.drive(&mut goal, awaited))? {
                Stop::Done => break,
                Stop::Step if !goes_on(slf)? => break,
                Stop::Events(events) => {
                    for (event, listeners) in events {
                        self.tell(&Bound::new(py, event)?, &listeners)?;
                    }
                }
                Stop::Slice | Stop::Step => {}
            }
            if looked.elapsed() > SLICE {
                py.check_signals()?;
                looked = time::Instant::now();
            }
        }
        Ok(())
    }

    /// Calls those functions with an event that are still registered.
    fn tell(&self, event: &Bound<'_, Event>, listeners: &[Arc<Listener>]) -> PyResult<()> {
        for listener in listeners {
            if self.listening()?.iter().any(|known| Arc::ptr_eq(known, listener)) {
                listener.function.bind(event.py()).call1((event,))?;
            }
        }
        Ok(())
    }
}
