//! Advances a simulation by steps and parts of steps, in pieces short enough for a check of signals between them.

use std::time::{Duration, Instant};

use carom::dynamics::{BodyId, Event, EventKind, Progress};
use carom::motion::SimTime;
use carom::world::World;
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::state::State;

/// Maximum number of events per call.
const EVENTS_AT_ONCE: u64 = 4096;

/// After this time, the signals of Python are checked.
const SLICE: Duration = Duration::from_millis(30);

/// The computing time that a piece should take.
const PIECE: Duration = Duration::from_millis(4);

/// Where an advance ends.
pub(crate) struct Goal {
    /// The instant at which it ends, if any.
    pub(crate) until: Option<SimTime>,
    /// The number of events that are still to come, if it is limited.
    pub(crate) events: Option<u64>,
    /// Whether it stops after each step.
    pub(crate) each_step: bool,
    /// The events at which it stops.
    pub(crate) filters: Vec<Filter>,
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
    /// There were events that pass a filter, each with the indices of its filters. The world is at their instant.
    Events(Vec<Match>),
}

/// An event that passes a filter, and the indices of the filters that it passes.
pub(crate) type Match = (Event, Vec<usize>);

/// The simulated time of one piece. It is shorter where more computing time is needed.
pub(crate) struct Pace {
    span: f64,
}

impl Default for Pace {
    fn default() -> Self {
        // An arbitrary initial value: it doubles as long as pieces are quick.
        Self { span: 1e-3 }
    }
}

impl Pace {
    /// Adjusts `span` after a piece that took the time `spent`, so that the next piece takes about [`PIECE`] at the
    /// same speed. After a quiet time, a heap may cost a thousand times as much.
    fn learn(&mut self, spent: Duration) {
        self.span *= (PIECE.as_secs_f64() / spent.as_secs_f64()).clamp(1e-3, 2.0);
    }
}

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
    pub(crate) fn drive(&mut self, goal: &mut Goal, pace: &mut Pace) -> PyResult<Stop> {
        let begun = Instant::now();
        let mut last = begun;
        loop {
            let now = self.world()?.now();
            if goal.until.is_some_and(|until| now >= until) || goal.events == Some(0) {
                return Ok(Stop::Done);
            }
            let (end, after) = self.clock.next(now);
            let target = goal.until.map_or(end, |until| until.min(end));
            let piece = now.plus(pace.span.min(1e9));
            let is_piece = piece > now && piece < target;
            let (progress, matches) =
                self.advance(if is_piece { piece } else { target }, !is_piece && target == end, goal)?;
            let is_whole = progress == Progress::Reached && !is_piece && target == end;
            if is_whole {
                self.clock = after;
                self.note()?;
            }
            let time = Instant::now();
            if is_piece && progress == Progress::Reached || time - last > SLICE {
                pace.learn(time - last);
            }
            last = time;
            if !matches.is_empty() {
                return Ok(Stop::Events(matches));
            }
            if is_whole && goal.each_step {
                return Ok(Stop::Step);
            }
            if time - begun > SLICE {
                return Ok(Stop::Slice);
            }
        }
    }

    /// Advances to `target`, or until there are enough events. `is_step` means that a step ends at `target`.
    fn advance(&mut self, target: SimTime, is_step: bool, goal: &mut Goal) -> PyResult<(Progress, Vec<Match>)> {
        let most = if goal.filters.is_empty() { goal.events.unwrap_or(u64::MAX).min(EVENTS_AT_ONCE) } else { 1 };
        let world = self.world()?;
        let progress =
            if is_step { world.advance(target, most as usize) } else { world.pause_at(target, most as usize) };
        let events = world.take_events();
        let mut matches = Vec::new();
        for event in events.iter().filter(|_| !goal.filters.is_empty()) {
            let accepting = (0..goal.filters.len()).filter(|&rank| goal.filters[rank].accepts(event, world));
            let accepting: Vec<usize> = accepting.collect();
            if !accepting.is_empty() {
                matches.push((*event, accepting));
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
