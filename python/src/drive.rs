//! Going on: steps and parts of steps, in pieces short enough to look for signals between them.

use std::time::{Duration, Instant};

use carom::dynamics::{BodyId, Event, EventKind, Progress};
use carom::motion::SimTime;
use carom::world::World;
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::state::State;

/// Events taken at once.
const EVENTS_AT_ONCE: u64 = 4096;

/// After so long Python is asked whether there are signals.
const SLICE: Duration = Duration::from_millis(30);

/// How long the computing of a piece should take.
const PIECE: Duration = Duration::from_millis(4);

/// What is to be waited for.
pub(crate) struct Goal {
    /// To go no farther.
    pub(crate) until: Option<SimTime>,
    /// Events that are still to come.
    pub(crate) events: Option<u64>,
    /// Whether to stop after each step.
    pub(crate) each_step: bool,
    /// The events to stop at.
    pub(crate) filters: Vec<Filter>,
}

/// Some events.
#[derive(Debug, Clone)]
pub(crate) struct Filter {
    /// Of this kind, or any.
    pub(crate) kind: Option<EventKind>,
    /// With all of these bodies.
    pub(crate) bodies: Vec<String>,
}

/// Why it stopped.
pub(crate) enum Stop {
    /// The goal is reached.
    Done,
    /// It is time to look for signals.
    Slice,
    /// A step is over.
    Step,
    /// There were events to stop at, each with the filters that let it pass; the world is at their instant.
    Events(Vec<Match>),
}

/// An event to stop at, and the ranks of the filters that let it pass.
pub(crate) type Match = (Event, Vec<usize>);

/// How far to go at once, in simulated time: less where much is computed in little of it.
pub(crate) struct Pace {
    span: f64,
}

impl Default for Pace {
    fn default() -> Self {
        // Of any length: it doubles as long as a piece is quick.
        Self { span: 1e-3 }
    }
}

impl Pace {
    /// After a piece that went as far as `span` in so much time. The next one takes about as long as it should if the
    /// computing goes on like this; after a quiet time a heap may cost a thousand times as much.
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

    /// Whether it is an event of a body that was removed just now.
    fn has_gone(&self, name: &str, event: &Event, world: &World) -> bool {
        [Some(event.a), event.partner()].into_iter().flatten().any(|id| !world.is_present(id) && world.name(id) == name)
    }
}

impl State {
    /// Goes on towards the goal, until there is a reason to stop. It may be called again after any of them.
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

    /// Goes to `target`, or until there are enough events; `is_step` says that a step ends there.
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

    /// Writes down a step, where there is a recorder.
    pub(crate) fn note(&mut self) -> PyResult<()> {
        let Some(mut writing) = self.recorder.take() else { return Ok(()) };
        let world = self.world()?;
        writing.noted = world.now();
        let noted = writing.recorder.note(world);
        self.recorder = Some(writing);
        noted.map_err(Raised::raised)
    }
}
