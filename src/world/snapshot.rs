//! Snapshots of a world, and worlds that go on from one.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use thiserror::Error;

use super::command::{Command, Timed};
use super::names::Names;
use super::{Name, Position, SetupError, Spin, Velocity, World};
use crate::dynamics::{self, Body, BodyId, Settings, Stepper};
use crate::motion::SimTime;

/// The physical state of a world at one instant, with the names of the bodies that came during the run. It can be written
/// and read with serde, in any format that keeps the bits of an `f64`; all its numbers are finite.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Snapshot {
    /// Names of the bodies that were not there from the beginning, in their order.
    spawned: Vec<String>,
    /// How many of the scheduled commands had been carried out.
    commands: usize,
    state: dynamics::Snapshot,
}

/// A snapshot that a world cannot go on from.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum RestoreError {
    /// Two bodies are called the same.
    #[error("two bodies are called `{name}`")]
    DuplicateName { name: String },
    /// A body that was spawned is not among those that were given.
    #[error("the snapshot has a body `{name}` that was not given")]
    Missing { name: String },
    /// Bodies or commands of another run.
    #[error("the snapshot has {found} {what}, this world {here}")]
    OtherRun { what: &'static str, found: usize, here: usize },
    /// One of the bodies cannot be.
    #[error(transparent)]
    Setup(SetupError),
    /// The state is not one of these bodies.
    #[error(transparent)]
    State(dynamics::RestoreError),
}

impl Snapshot {
    /// When it was taken.
    pub fn now(&self) -> SimTime {
        self.state.now()
    }

    /// How many bodies it has, those that were removed included.
    pub fn count(&self) -> usize {
        self.state.count()
    }

    /// Where a body is, counted through all periods (m), how fast it goes (m/s), and how it spins (rad/s).
    ///
    /// # Panics
    /// When there is no such body.
    pub fn motion(&self, id: BodyId) -> [DVec3; 3] {
        self.state.motion(id)
    }
}

impl World {
    /// The physical state now: after a step, in the middle of one whose event buffer was full, between two commands.
    ///
    /// It holds no events that were not taken yet, not which bodies are tracked, and nothing that users hang on entities.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { spawned: self.names.later().to_vec(), commands: self.done, state: self.stepper.snapshot() }
    }

    /// Goes back to a snapshot of this world: to an earlier instant or, if no body has come since, to a later one. All that
    /// follows has the bits that it had the first time.
    ///
    /// Entities of bodies that came after it go, those of bodies that are there again come anew, with another handle. Events
    /// and knots that were not taken are dropped; bodies that are tracked stay so. Commands that were scheduled are carried out
    /// again in their turn; those that were not have to be given again.
    ///
    /// # Errors
    /// [`RestoreError`] when the snapshot is not one of this world; the world is as it was.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RestoreError> {
        let count = snapshot.state.count();
        let (all, first) = (self.names.all().len(), self.names.all().len() - self.names.later().len());
        if count > all || count != first + snapshot.spawned.len() {
            return Err(RestoreError::OtherRun { what: "bodies", found: count, here: all });
        }
        if let Some(name) = snapshot.spawned.iter().zip(self.names.later()).find(|(theirs, own)| theirs != own) {
            return Err(RestoreError::Missing { name: name.0.clone() });
        }
        if snapshot.commands > self.schedule.len() {
            let (found, here) = (snapshot.commands, self.schedule.len());
            return Err(RestoreError::OtherRun { what: "commands carried out", found, here });
        }
        let bodies: Vec<Body> = (0..count as u32).map(|row| self.stepper.body(BodyId(row))).collect();
        let restored = Stepper::restore(self.stepper.settings().clone(), &bodies, &snapshot.state);
        let stepper = restored.map_err(|error| self.unfit(error))?;
        let tracked: Vec<BodyId> = self.stepper.tracked().collect();
        self.stepper = stepper;
        tracked.into_iter().for_each(|id| self.track(id));
        self.done = snapshot.commands;
        for entity in self.entities.drain(count..) {
            // A user may have despawned it, or it went with its body.
            let _ = self.ecs.despawn(entity);
        }
        self.names.truncate(count);
        self.renew_entities();
        self.sync();
        Ok(())
    }

    /// A world that goes on from `snapshot`, taken of one with these settings, bodies and scheduled commands: all that follows
    /// has the bits that it would have had there.
    ///
    /// `bodies` are those of the beginning, in any order, and those that were spawned by hand; how they move and where they
    /// are does not matter. Bodies of `Spawn` commands are known from these.
    ///
    /// # Errors
    /// [`RestoreError`] when names are given twice or are missing, a body cannot be, or the snapshot is not one of such a world.
    pub fn resume<N: Into<String>>(
        settings: Settings,
        bodies: impl IntoIterator<Item = (N, Body)>,
        commands: impl IntoIterator<Item = Timed>,
        snapshot: &Snapshot,
    ) -> Result<Self, RestoreError> {
        let mut schedule: Vec<Timed> = commands.into_iter().collect();
        schedule.sort_by_key(|timed| timed.at);
        if snapshot.commands > schedule.len() {
            let (found, here) = (snapshot.commands, schedule.len());
            return Err(RestoreError::OtherRun { what: "commands carried out", found, here });
        }
        let spawned = schedule[..snapshot.commands].iter().filter_map(|timed| match &timed.command {
            Command::Spawn(named) => Some((named.name.clone(), named.body.clone())),
            _ => None,
        });
        let mut given: BTreeMap<String, Body> = BTreeMap::new();
        for (name, body) in bodies.into_iter().map(|(name, body)| (name.into(), body)).chain(spawned) {
            if given.insert(name.clone(), body).is_some() {
                return Err(RestoreError::DuplicateName { name });
            }
        }
        let mut later = Vec::with_capacity(snapshot.spawned.len());
        for name in &snapshot.spawned {
            later.push(given.remove_entry(name).ok_or_else(|| RestoreError::Missing { name: name.clone() })?);
        }
        let (first, mut bodies): (Vec<String>, Vec<Body>) = given.into_iter().unzip();
        let mut names = Names::new(first);
        for (name, body) in later {
            names.push(name);
            bodies.push(body);
        }
        if bodies.len() != snapshot.state.count() {
            let (found, here) = (snapshot.state.count(), bodies.len());
            return Err(RestoreError::OtherRun { what: "bodies", found, here });
        }
        let stepper = Stepper::restore(settings, &bodies, &snapshot.state).map_err(|error| unfit(error, &names))?;
        let (entities, ecs, done, awaited) = (Vec::new(), hecs::World::new(), snapshot.commands, BTreeSet::new());
        let mut world = Self { stepper, names, entities, ecs, schedule, done, awaited };
        world.renew_entities();
        Ok(world)
    }

    /// Every body that is present has an entity, the others have none.
    fn renew_entities(&mut self) {
        for row in 0..self.names.all().len() {
            let id = BodyId(row as u32);
            let state = self.stepper.state(id);
            let entity = self.entities.get(row).copied();
            let has_one = entity.is_some_and(|entity| self.ecs.contains(entity));
            let entity = match (entity, has_one, self.stepper.is_present(id)) {
                (Some(entity), true, true) => entity,
                (_, _, true) => {
                    let (place, velocity) = (Position(state.position), Velocity(state.velocity));
                    self.ecs.spawn((Name(self.names.of(id).to_owned()), id, place, velocity, Spin(state.spin)))
                }
                (Some(entity), _, false) => {
                    let _ = self.ecs.despawn(entity);
                    entity
                }
                (None, _, false) => hecs::Entity::DANGLING,
            };
            if row < self.entities.len() {
                self.entities[row] = entity;
            } else {
                self.entities.push(entity);
            }
        }
    }

    fn unfit(&self, error: dynamics::RestoreError) -> RestoreError {
        unfit(error, &self.names)
    }
}

fn unfit(error: dynamics::RestoreError, names: &Names) -> RestoreError {
    match error {
        dynamics::RestoreError::Setup(error) => {
            RestoreError::Setup(SetupError::named(error, |id| names.of(id).to_owned()))
        }
        error => RestoreError::State(error),
    }
}
