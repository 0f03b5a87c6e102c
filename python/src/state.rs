//! The content of a simulation: its origin, its world, its clock, and its events.

use std::collections::BTreeSet;

use carom::dynamics::Event;
use carom::motion::SimTime;
use carom::record::Recorder;
use carom::scenario::Scenario;
use carom::world::{Command, World};
use pyo3::prelude::*;

use crate::deeds::Deeds;
use crate::errors::Raised;
use crate::origin::Origin;
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

    /// The clock at an instant after this number of steps.
    pub(crate) fn at(scenario: &Scenario, now: SimTime, steps: u64) -> Self {
        let clock = Self::new(scenario);
        let has_come = |grid: u64| SimTime::from_seconds(grid as f64 * clock.timestep) <= now;
        let mut grid = (now.seconds() / clock.timestep) as u64;
        while has_come(grid + 1) {
            grid += 1;
        }
        while grid > 0 && !has_come(grid) {
            grid -= 1;
        }
        Self { steps, grid, ..clock }
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
            recorder: None,
            trace: None,
        }
    }

    /// Whether the simulation is still unchanged.
    pub(crate) fn is_at_start(&self) -> bool {
        let is_still = |world: &World| world.now() == SimTime::ZERO && self.events.is_empty();
        self.clock.steps == 0 && !self.deeds.is_touched && self.made.as_ref().is_none_or(is_still)
    }

    /// The origin, so that it can be extended. The world is made again afterwards.
    pub(crate) fn changed_origin(&mut self) -> Option<&mut Origin> {
        if !self.origin.is_in_parts() || !self.is_at_start() || self.recorder.is_some() {
            return None;
        }
        self.made = None;
        self.origin.unsettle();
        Some(&mut self.origin)
    }

    /// The world.
    pub(crate) fn world(&mut self) -> PyResult<&mut World> {
        match &mut self.made {
            Some(world) => Ok(world),
            none => Ok(none.insert(self.origin.scenario.world().map_err(Raised::raised)?)),
        }
    }

    /// Makes sure that what the scenario asks for is read, for all of its bodies.
    pub(crate) fn settled(&mut self) -> PyResult<()> {
        self.origin.settle()
    }

    /// The world, for a change from Python.
    pub(crate) fn touched(&mut self) -> PyResult<&mut World> {
        self.world()?;
        self.deeds.is_touched = true;
        self.world()
    }

    /// Another simulation in the same state, with the same future.
    pub(crate) fn twin(&mut self) -> PyResult<Self> {
        let world = self.world()?;
        // Bodies that commands added are in the list of commands that were carried out.
        let brought: BTreeSet<&str> = world
            .carried_out()
            .iter()
            .filter_map(|timed| match &timed.command {
                Command::Spawn(named) => Some(named.name.as_str()),
                _ => None,
            })
            .collect();
        let ids = (0..world.rows() as u32).map(carom::dynamics::BodyId);
        let bodies =
            ids.filter(|&id| !brought.contains(world.name(id))).map(|id| (world.name(id).to_owned(), world.body(id)));
        let (settings, commands, snapshot) = (world.settings().clone(), world.scheduled().to_vec(), world.snapshot());
        let twin = World::resume(settings, bodies, commands, &snapshot).map_err(Raised::raised)?;
        Ok(Self {
            clock: self.clock,
            events: self.events.clone(),
            keeps_events: self.keeps_events,
            deeds: self.deeds.clone(),
            ..Self::new(self.origin.clone(), Some(twin))
        })
    }
}
