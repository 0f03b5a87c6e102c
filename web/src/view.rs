//! The view: the world at the instant that is looked at.

use std::collections::VecDeque;

use carom::dynamics::{Event, EventKind};
use carom::motion::SimTime;
use carom::scenario::Scenario;
use carom::world::{RestoreError, World};

use crate::clock::Clock;
use crate::front::{Front, Kept, is_meeting};
use crate::walker::Walker;

/// Events that are remembered, the last ones.
const RECENT_MAX: usize = 512;

/// How a slice of the view ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Arrival {
    /// It is still on its way.
    #[default]
    OnTheWay = 0,
    /// It is where it was to go.
    There = 1,
    /// There is no such impact; it is where it was.
    Nowhere = 2,
}

/// Where the view is to go.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Goal {
    Instant(SimTime),
    /// To an instant, or to the first impact on the way there, after the instant from which it went.
    Until {
        from: SimTime,
        until: SimTime,
    },
    /// To the first impact after an instant, from which it went.
    Next(SimTime),
    /// To the last impact before an instant: the last one found on the way there, and the place of the snapshot from
    /// which that way began.
    Previous {
        before: SimTime,
        found: Option<SimTime>,
        from: usize,
    },
    /// Back to an instant, because there is no such impact.
    Return(SimTime),
}

/// The world at the instant that is looked at.
pub(crate) struct View {
    walker: Walker,
    clock: Clock,
    goal: Goal,
    recent: VecDeque<Event>,
    impacts: Impacts,
}

/// Impacts since the view last went back.
#[derive(Debug, Default)]
pub(crate) struct Impacts {
    pub(crate) all: u64,
    pub(crate) of_body: Vec<u64>,
}

impl Impacts {
    fn count(&mut self, event: &Event) {
        self.all += 1;
        for body in std::iter::once(event.a).chain(event.partner()) {
            let row = body.0 as usize;
            self.of_body.resize(self.of_body.len().max(row + 1), 0);
            self.of_body[row] += 1;
        }
    }
}

impl View {
    pub(crate) fn new(world: World, clock: Clock) -> Self {
        Self {
            walker: Walker { world, step: 0 },
            clock,
            goal: Goal::Instant(SimTime::ZERO),
            recent: VecDeque::new(),
            impacts: Impacts::default(),
        }
    }

    pub(crate) fn world(&self) -> &World {
        &self.walker.world
    }

    pub(crate) fn step(&self) -> u64 {
        self.walker.step
    }

    pub(crate) fn impacts(&self) -> &Impacts {
        &self.impacts
    }

    /// The events of late, in order.
    pub(crate) fn recent(&self) -> impl Iterator<Item = &Event> {
        self.recent.iter()
    }

    /// Is to go to an instant.
    pub(crate) fn seek(&mut self, scenario: &Scenario, front: &Front, time: SimTime) -> Result<(), RestoreError> {
        self.goal = Goal::Instant(time);
        let now = self.walker.world.now();
        let (_, kept) = front.last_kept(|snapshot| snapshot.now() <= time);
        if time < now || kept.snapshot.now() > now { self.resume(scenario, kept) } else { Ok(()) }
    }

    /// Is to go on to an instant, but to stop at the first impact on the way.
    pub(crate) fn seek_until(&mut self, scenario: &Scenario, front: &Front, time: SimTime) -> Result<(), RestoreError> {
        let from = self.walker.world.now();
        if time <= from {
            return self.seek(scenario, front, time);
        }
        self.goal = Goal::Until { from, until: time };
        Ok(())
    }

    /// Is to go to the next impact.
    pub(crate) fn seek_next(&mut self) {
        self.goal = Goal::Next(self.walker.world.now());
    }

    /// Is to go to the last impact before the present.
    pub(crate) fn seek_previous(&mut self, scenario: &Scenario, front: &Front) -> Result<(), RestoreError> {
        let before = self.walker.world.now();
        let (from, kept) = front.last_kept(|snapshot| snapshot.now() < before);
        self.goal = Goal::Previous { before, found: None, from };
        self.resume(scenario, kept)
    }

    fn resume(&mut self, scenario: &Scenario, kept: &Kept) -> Result<(), RestoreError> {
        self.walker = Walker::resume(scenario, kept.step, &kept.snapshot)?;
        self.recent.clear();
        self.impacts = Impacts::default();
        Ok(())
    }

    /// Goes on for one slice.
    pub(crate) fn slice(
        &mut self,
        scenario: &Scenario,
        front: &Front,
        events_max: usize,
    ) -> Result<Arrival, RestoreError> {
        match self.goal {
            Goal::Instant(time) => Ok(self.go(time, events_max).1),
            Goal::Return(time) => Ok(match self.go(time, events_max).1 {
                Arrival::There => Arrival::Nowhere,
                other => other,
            }),
            Goal::Until { from, until } => {
                let (struck, arrival) = self.go(until, 1);
                if let Some(time) = struck.into_iter().find(|&time| time > from) {
                    self.goal = Goal::Instant(time);
                    return Ok(Arrival::OnTheWay);
                }
                Ok(arrival)
            }
            Goal::Next(from) => self.slice_to_next(scenario, front, from),
            Goal::Previous { before, found, from } => {
                let (struck, arrival) = self.go(before, events_max);
                let found = struck.into_iter().rfind(|&time| time < before).or(found);
                self.goal = Goal::Previous { before, found, from };
                if arrival == Arrival::There {
                    self.end_previous(scenario, front, (before, found, from))?;
                }
                Ok(Arrival::OnTheWay)
            }
        }
    }

    /// Goes to one event further, up to the first impact that is later than `from`. All of its instant then happens.
    fn slice_to_next(&mut self, scenario: &Scenario, front: &Front, from: SimTime) -> Result<Arrival, RestoreError> {
        let (struck, arrival) = self.go(self.clock.last(), 1);
        if let Some(time) = struck.into_iter().find(|&time| time > from) {
            self.goal = Goal::Instant(time);
        } else if arrival == Arrival::There {
            self.seek(scenario, front, from)?;
            self.goal = Goal::Return(from);
        }
        Ok(Arrival::OnTheWay)
    }

    /// The way up to an instant was searched for its last impact: goes there, or searches the way before.
    fn end_previous(
        &mut self,
        scenario: &Scenario,
        front: &Front,
        (before, found, from): (SimTime, Option<SimTime>, usize),
    ) -> Result<(), RestoreError> {
        if let Some(found) = found {
            return self.seek(scenario, front, found);
        }
        let Some(earlier) = from.checked_sub(1) else {
            self.goal = Goal::Return(before);
            return Ok(());
        };
        self.goal = Goal::Previous { before, found, from: earlier };
        self.resume(scenario, front.kept(earlier))
    }

    /// Goes on towards an instant. Returns the instants of the impacts on the way. A run that cannot go on is where it
    /// can be.
    fn go(&mut self, target: SimTime, events_max: usize) -> (Vec<SimTime>, Arrival) {
        let (events, there) = match self.walker.go(self.clock, target, events_max) {
            Ok(went) => went,
            Err((events, _)) => (events, true),
        };
        let impacts = || events.iter().filter(|event| event.kind == EventKind::Impact);
        impacts().for_each(|event| self.impacts.count(event));
        let struck = events.iter().filter(|&event| is_meeting(event)).map(|event| event.time).collect();
        let spare = (self.recent.len() + events.len()).saturating_sub(RECENT_MAX);
        self.recent.drain(..spare.min(self.recent.len()));
        let skipped = events.len().saturating_sub(RECENT_MAX);
        self.recent.extend(events.into_iter().skip(skipped));
        (struck, if there { Arrival::There } else { Arrival::OnTheWay })
    }
}
