//! Advances a simulation by steps and parts of steps, and stops from time to time for a check of signals.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use carom::dynamics::{BodyId, Event, EventKind, Progress};
use carom::motion::SimTime;
use carom::world::World;
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::events;
use crate::simulation::Listener;
use crate::state::State;

/// Maximum number of events per call.
const EVENTS_AT_ONCE: u64 = 4096;

/// After this time, the signals of Python are checked.
pub(crate) const SLICE: Duration = Duration::from_millis(30);

/// The same while other threads wait for the simulation.
const SLICE_AWAITED: Duration = Duration::from_millis(3);

/// Where an advance ends.
pub(crate) struct Goal {
    /// The instant at which it ends, if any.
    pub(crate) until: Option<SimTime>,
    /// The number of events that are still to come, if it is limited.
    pub(crate) events: Option<u64>,
    /// Whether it stops after each step.
    pub(crate) each_step: bool,
    /// It stops at the events of which these are told.
    pub(crate) listeners: Vec<Arc<Listener>>,
}

impl Goal {
    /// An advance to an instant.
    pub(crate) fn at(until: SimTime) -> Self {
        Self { until: Some(until), events: None, each_step: false, listeners: Vec::new() }
    }
}

/// A condition on events.
#[derive(Debug, Clone)]
pub(crate) struct Filter {
    /// The kind of the event; `None` for any kind.
    pub(crate) kind: Option<EventKind>,
    /// All of these bodies take part in the event.
    pub(crate) bodies: Vec<String>,
}

/// Why an advance stopped.
pub(crate) enum Stop {
    /// The goal was reached.
    Done,
    /// It is time to look for signals.
    Slice,
    /// A step ended.
    Step,
    /// There were events of which someone is told. The world is at their instant.
    Events(Vec<Match>),
}

/// An event, and the functions that are called with it.
pub(crate) type Match = (events::Event, Vec<Arc<Listener>>);

impl Filter {
    fn accepts(&self, event: &Event, world: &World) -> bool {
        let has = |name: &String| self.has(world.id(name), event) || self.has_gone(name, event, world);
        self.kind.is_none_or(|kind| kind == event.kind) && self.bodies.iter().all(has)
    }

    fn has(&self, id: Option<BodyId>, event: &Event) -> bool {
        id.is_some_and(|id| event.a == id || event.partner() == Some(id))
    }

    /// Whether the event belongs to a body of this name that was just removed.
    fn has_gone(&self, name: &str, event: &Event, world: &World) -> bool {
        [Some(event.a), event.partner()].into_iter().flatten().any(|id| !world.is_present(id) && world.name(id) == name)
    }
}

impl State {
    /// Advances towards the goal until there is a reason to stop. It may be called again after any of these reasons.
    /// `awaited` is the number of threads that wait.
    pub(crate) fn drive(&mut self, goal: &mut Goal, awaited: &AtomicUsize) -> PyResult<Stop> {
        let begun = Instant::now();
        let is_over = || begun.elapsed() > if awaited.load(Ordering::Relaxed) > 0 { SLICE_AWAITED } else { SLICE };
        loop {
            let now = self.world()?.now();
            if goal.until.is_some_and(|until| now >= until) || goal.events == Some(0) {
                return Ok(Stop::Done);
            }
            let (end, after) = self.clock.next(now);
            let target = goal.until.map_or(end, |until| until.min(end));
            let (progress, matches) = self.advance((target, target == end), goal, &is_over)?;
            let is_whole = progress == Progress::Reached && target == end;
            if is_whole {
                self.clock = after;
                self.note()?;
            }
            if !matches.is_empty() {
                return Ok(Stop::Events(matches));
            }
            if is_whole && goal.each_step {
                return Ok(Stop::Step);
            }
            if is_over() {
                return Ok(Stop::Slice);
            }
        }
    }

    /// Advances to `target`, or until there are enough events, or until `stop` is true, which is asked after each
    /// event. `is_step` means that a step ends at `target`.
    fn advance(
        &mut self,
        (target, is_step): (SimTime, bool),
        goal: &mut Goal,
        stop: &dyn Fn() -> bool,
    ) -> PyResult<(Progress, Vec<Match>)> {
        let most = if goal.listeners.is_empty() { goal.events.unwrap_or(u64::MAX).min(EVENTS_AT_ONCE) } else { 1 };
        self.has_begun = true;
        let world = self.world()?;
        let advance = if is_step { World::advance_until } else { World::pause_until };
        let progress = advance(world, target, most as usize, stop);
        let events = world.take_events();
        let mut matches = Vec::new();
        for event in events.iter().filter(|_| !goal.listeners.is_empty()) {
            let accepting = goal.listeners.iter().filter(|listener| listener.filter.accepts(event, world));
            let accepting: Vec<_> = accepting.cloned().collect();
            if !accepting.is_empty() {
                matches.push((events::Event::new(*event, world), accepting));
            }
        }
        goal.events = goal.events.map(|left| left.saturating_sub(events.len() as u64));
        if self.keeps_events {
            self.keep(events);
        }
        Ok((progress.map_err(Raised::raised)?, matches))
    }

    /// Keeps events until they are taken.
    fn keep(&mut self, events: Vec<Event>) {
        if self.events.is_empty() {
            self.events = events;
        } else {
            self.events.extend(events);
        }
    }

    /// Records a step, if there is a recorder.
    pub(crate) fn note(&mut self) -> PyResult<()> {
        let Some(mut writing) = self.recorder.take() else { return Ok(()) };
        let world = self.world()?;
        writing.noted = world.now();
        let noted = writing.recorder.note(world);
        self.recorder = Some(writing);
        noted.map_err(Raised::raised)
    }
}
