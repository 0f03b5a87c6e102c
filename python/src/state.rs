//! The content of a simulation: its origin, its world, its clock, and its events.

use carom::dynamics::Event;
use carom::motion::SimTime;
use carom::record::{Recorder, sealed};
use carom::scenario::Scenario;
use carom::world::{Snapshot, Timed, World};
use pyo3::prelude::*;

use crate::deeds::{Deeds, Given};
use crate::errors::{Raised, refused};
use crate::origin::Origin;
use crate::pickle::Moment;
use crate::recordings::{Claim, Deed};
use crate::traced::Trace;

/// The content of a simulation.
pub(crate) struct State {
    pub(crate) origin: Origin,
    /// `None` until it is needed, and after a body was added.
    pub(crate) made: Option<World>,
    pub(crate) clock: Clock,
    /// The events since they were last taken.
    pub(crate) events: Vec<Event>,
    pub(crate) keeps_events: bool,
    pub(crate) deeds: Deeds,
    /// Whether it was advanced, if only to the events of its first instant.
    pub(crate) has_begun: bool,
    /// The recorder, if each step is recorded.
    pub(crate) recorder: Option<Writing>,
    /// What it has done, for pictures.
    pub(crate) trace: Option<Trace>,
}

/// A recording that is being written.
pub(crate) struct Writing {
    pub(crate) recorder: Recorder,
    /// The instant of its last step.
    pub(crate) noted: SimTime,
    pub(crate) _claim: Claim,
}

/// The times at which the steps of a simulation end.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Clock {
    /// Length of a step, s.
    pub(crate) timestep: f64,
    /// End of the scenario, s. A step ends there too.
    pub(crate) duration: f64,
    /// Number of completed steps.
    pub(crate) steps: u64,
    /// Number of completed whole timesteps.
    grid: u64,
}

impl Clock {
    pub(crate) fn new(scenario: &Scenario) -> Self {
        let Scenario { timestep, duration, .. } = *scenario;
        Self { timestep, duration, steps: 0, grid: 0 }
    }

    /// The same clock at an instant after this number of steps.
    pub(crate) fn at(self, now: SimTime, steps: u64) -> Self {
        let has_come = |grid: u64| SimTime::from_seconds(grid as f64 * self.timestep) <= now;
        let mut grid = (now.seconds() / self.timestep) as u64;
        while has_come(grid + 1) {
            grid += 1;
        }
        while grid > 0 && !has_come(grid) {
            grid -= 1;
        }
        Self { steps, grid, ..self }
    }

    /// The same clock at an instant that `other` shows, which may have steps of another length.
    fn set_to(self, other: Self, now: SimTime) -> Self {
        let is_alike = self.timestep == other.timestep && self.duration == other.duration;
        if is_alike { other } else { self.at(now, other.steps) }
    }

    /// The end of the step that contains `now`, and the clock after it. A run of the scenario ends this step at the
    /// same instant. After the duration, the timesteps continue.
    pub(crate) fn next(self, now: SimTime) -> (SimTime, Self) {
        // The time is counted from the start, so that rounding errors do not accumulate.
        let on_grid = (self.grid + 1) as f64 * self.timestep;
        let steps = self.steps + 1;
        if self.duration < on_grid && now < SimTime::from_seconds(self.duration) {
            return (SimTime::from_seconds(self.duration), Self { steps, ..self });
        }
        (SimTime::from_seconds(on_grid), Self { steps, grid: self.grid + 1, ..self })
    }
}

impl State {
    /// A simulation at its start.
    pub(crate) fn new(origin: Origin, world: Option<World>) -> Self {
        let clock = Clock::new(&origin.scenario);
        Self {
            origin,
            made: world,
            clock,
            events: Vec::new(),
            keeps_events: true,
            deeds: Deeds::default(),
            has_begun: false,
            recorder: None,
            trace: None,
        }
    }

    /// Whether nothing has happened yet and nothing was done at once.
    pub(crate) fn is_at_start(&self) -> bool {
        let is_still = |world: &World| world.now() == SimTime::ZERO;
        !self.has_begun && !self.deeds.has_done() && self.made.as_ref().is_none_or(is_still)
    }

    /// The origin, so that it can be extended. The world is made again afterwards.
    pub(crate) fn changed_origin(&mut self) -> Option<&mut Origin> {
        if !self.origin.is_in_parts() || !self.is_at_start() || self.recorder.is_some() {
            return None;
        }
        (self.made, self.trace) = (None, None);
        self.origin.unsettle();
        Some(&mut self.origin)
    }

    /// The world.
    pub(crate) fn world(&mut self) -> PyResult<&mut World> {
        self.parts().map(|(_, world)| world)
    }

    /// The origin and the world.
    pub(crate) fn parts(&mut self) -> PyResult<(&Origin, &mut World)> {
        let Self { origin, made, deeds, .. } = self;
        let world = match made {
            Some(world) => world,
            none => {
                let mut world = origin.world()?;
                world.schedule_all(deeds.commands(origin)?).map_err(Raised::raised)?;
                none.insert(world)
            }
        };
        Ok((origin, world))
    }

    /// Records what was done, if there is a recorder. The command is one that was carried out at once.
    pub(crate) fn note_deed(&mut self, carried_out: Option<&Timed>, given: &Given) -> PyResult<()> {
        let Some(writing) = &mut self.recorder else { return Ok(()) };
        writing.recorder.note_deed(carried_out, sealed(&Deed::Given(given.clone()))).map_err(Raised::raised)
    }

    /// Goes back to a moment, with the commands that had been given by then, or on to one.
    pub(crate) fn restore(&mut self, moment: &Moment) -> PyResult<()> {
        if self.recorder.is_some() {
            return Err(refused("it is being recorded, and a recording goes forwards: end that first"));
        }
        let Moment { clock, has_begun, deeds, snapshot } = moment;
        if self.deeds.go_on_from(deeds) {
            self.world()?.restore(snapshot).map_err(Raised::raised)?;
        } else {
            self.world()?;
            self.made = Some(resumed(&self.origin, deeds, snapshot)?);
        }
        self.clock = self.clock.set_to(*clock, snapshot.now());
        (self.deeds, self.has_begun) = (deeds.clone(), *has_begun);
        self.events.clear();
        Ok(())
    }

    /// Makes sure that what the scenario asks for is read, for all of its bodies.
    pub(crate) fn settled(&mut self) -> PyResult<()> {
        self.origin.settle()
    }

    /// Another simulation in the same state, with the same future.
    pub(crate) fn twin(&mut self) -> PyResult<Self> {
        let twin = self.world()?.clone();
        Ok(Self {
            clock: self.clock,
            events: self.events.clone(),
            keeps_events: self.keeps_events,
            deeds: self.deeds.clone(),
            has_begun: self.has_begun,
            ..Self::new(self.origin.clone(), Some(twin))
        })
    }
}

/// The world of a simulation of this origin with these deeds, as it was when `snapshot` was taken.
pub(crate) fn resumed(origin: &Origin, deeds: &Deeds, snapshot: &Snapshot) -> PyResult<World> {
    let spawned = deeds.spawned().map(|text| Ok(origin.body(text, SimTime::ZERO)?.0)).collect::<PyResult<Vec<_>>>()?;
    let commands = origin.scenario.commands.iter().cloned().chain(deeds.commands(origin)?);
    let bodies = origin.scenario.bodies.iter().cloned().chain(spawned).map(|named| (named.name, named.body));
    World::resume(origin.scenario.settings.clone(), bodies, commands, snapshot).map_err(Raised::raised)
}
