//! Snapshots of a world, and worlds that continue from one.

mod history;
#[cfg(feature = "serde")]
mod saved;
#[cfg(feature = "record")]
mod travel;

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use thiserror::Error;

use super::command::{Named, Timed};
use super::names::Names;
use super::{SetupError, World};
use crate::dynamics::{self, Body, BodyId, Settings, Stepper};
use crate::motion::SimTime;

pub use history::{History, RewindError};
#[cfg(feature = "record")]
pub(crate) use travel::Thin;

/// The physical state of a world at one instant, with the names of the bodies that came during the run. serde can write
/// and read it in any format that keeps the bits of an `f64`; all its numbers are finite.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, Settings, World};
///
/// let ball = Body::sphere(0.5, 1.0).unwrap().moving(DVec3::X).spinning(DVec3::Z);
/// let mut world = World::new(Settings::default(), [("ball", ball)]).unwrap();
/// world.step(2.0).unwrap();
/// let snapshot = world.snapshot();
/// assert_eq!((snapshot.now(), snapshot.count()), (world.now(), 1));
/// let id = world.id("ball").unwrap();
/// assert_eq!(snapshot.motions().collect::<Vec<_>>(), [(id, [DVec3::X * 2.0, DVec3::X, DVec3::Z])]);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Snapshot {
    /// Names of the bodies that were not there from the beginning, in the order of their coming.
    spawned: Vec<String>,
    /// How many of the scheduled commands had been carried out.
    commands: usize,
    state: dynamics::Snapshot,
}

/// Why a world cannot continue from a snapshot.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum RestoreError {
    /// Two bodies have the same name.
    #[error("two bodies are called `{name}`")]
    DuplicateName { name: String },
    /// A spawned body is missing among the given ones.
    #[error("the snapshot has a body `{name}` that was not given")]
    Missing { name: String },
    /// Bodies or commands of another run.
    #[error("the snapshot has {found} {what}, this world {here}")]
    OtherRun { what: &'static str, found: usize, here: usize },
    /// One of the bodies is not valid.
    #[error(transparent)]
    Setup(SetupError),
    /// The state does not belong to these bodies.
    #[error(transparent)]
    State(dynamics::RestoreError),
}

impl Snapshot {
    /// The instant at which it was taken.
    pub fn now(&self) -> SimTime {
        self.state.now()
    }

    /// The number of its bodies, with those that were removed.
    pub fn count(&self) -> usize {
        self.state.count()
    }

    /// Position, without wrapping in periodic spaces (m), velocity (m/s) and spin (rad/s) of the present bodies, by id.
    #[doc(hidden)]
    pub fn motions(&self) -> impl Iterator<Item = (BodyId, [DVec3; 3])> {
        self.state.motions()
    }
}

impl World {
    /// The present physical state: after a step, during a step whose event buffer was full, or between two commands.
    ///
    /// It does not contain events that were not taken yet, or which bodies are tracked.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { spawned: self.names.later().to_vec(), commands: self.done, state: self.stepper.snapshot() }
    }

    /// Goes back to a snapshot of this world: to an earlier instant or, if no bodies have come since but those of
    /// scheduled commands, to a later one. The following run has the same bits as the first time.
    ///
    /// While no body has come, gone or been altered since, only what has changed is computed again. Otherwise, and in a
    /// gas in three periods, the whole world is set up.
    ///
    /// Events and knots that were not taken are dropped; tracked bodies stay tracked. Scheduled commands are carried
    /// out again at their times; other commands must be given again. Ids and names of bodies that came after the
    /// snapshot are used again for those that come next: drop such ids.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    /// let mut world = World::new(settings, [("ball", Body::sphere(0.5, 1.0).unwrap())]).unwrap();
    /// world.step(1.0).unwrap();
    /// let snapshot = world.snapshot();
    /// world.step(1.0).unwrap();
    /// world.restore(&snapshot).unwrap();
    /// assert_eq!(world.now().seconds(), 1.0);
    /// assert_eq!(world.state(world.id("ball").unwrap()).velocity, DVec3::Z * -10.0);
    /// ```
    ///
    /// # Errors
    /// [`RestoreError`] when the snapshot has other bodies than this world, or a state that they cannot have; the world
    /// is then unchanged. A snapshot has neither settings nor shapes, masses and materials: that they are the same is
    /// not checked, as [`restore_from`](Self::restore_from) does.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RestoreError> {
        let (count, newcomers) = (snapshot.state.count(), self.newcomers(snapshot)?);
        let tracked: Vec<BodyId> = self.stepper.tracked().collect();
        if !self.stepper.go_back(&snapshot.state).map_err(|error| self.unfit(error))? {
            let here = (0..self.ids_issued().min(count) as u32).map(|row| self.stepper.given(BodyId(row)));
            let bodies: Vec<Body> = here.chain(newcomers.iter().map(|named| named.body.clone())).collect();
            let restored = Stepper::restore(self.stepper.settings().clone(), &bodies, &snapshot.state);
            self.stepper = restored.map_err(|error| self.unfit(error))?;
        }
        newcomers.into_iter().for_each(|named| self.names.push(named.name));
        self.names.truncate(count);
        self.done = snapshot.commands;
        let awaited = std::mem::take(&mut self.awaited);
        tracked.into_iter().chain(awaited).for_each(|id| self.track(id));
        Ok(())
    }

    /// The bodies of `snapshot` that have not come here yet, in the order of their coming.
    fn newcomers(&self, snapshot: &Snapshot) -> Result<Vec<Named>, RestoreError> {
        let (count, later) = (snapshot.state.count(), self.names.later());
        let (all, scheduled) = (self.ids_issued(), self.schedule.len());
        if snapshot.commands > scheduled {
            let (found, here) = (snapshot.commands, scheduled);
            return Err(RestoreError::OtherRun { what: "commands carried out", found, here });
        }
        let other = RestoreError::OtherRun { what: "bodies", found: count, here: all };
        if count != all - later.len() + snapshot.spawned.len() {
            return Err(other);
        }
        if let Some(name) = snapshot.spawned.iter().zip(later).find(|(theirs, own)| theirs != own) {
            return Err(RestoreError::Missing { name: name.0.clone() });
        }
        let to_come = self.schedule[self.done.min(snapshot.commands)..snapshot.commands].iter();
        let to_come = to_come.filter_map(|timed| timed.command.spawned());
        let to_come: BTreeMap<&str, &Named> = to_come.map(|named| (named.name.as_str(), named)).collect();
        let new = snapshot
            .spawned
            .iter()
            .skip(later.len())
            .map(|name| to_come.get(name.as_str()).map(|&named| named.clone()));
        new.collect::<Option<_>>().ok_or(other)
    }

    /// A world that continues from `snapshot`, which was taken of a world with these settings, bodies and scheduled
    /// commands. The following run has the same bits as in that world.
    ///
    /// `bodies` are those of the beginning, in any order, and those that were spawned without a schedule. Their
    /// positions and motion do not matter. Bodies of `Spawn` commands follow from the commands.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    /// let bodies = [("ball", Body::sphere(0.5, 1.0).unwrap())];
    /// let mut world = World::new(settings.clone(), bodies.clone()).unwrap();
    /// world.step(1.0).unwrap();
    /// let mut second = World::resume(settings, bodies, [], &world.snapshot()).unwrap();
    /// second.step(1.0).unwrap();
    /// assert_eq!(second.position(second.id("ball").unwrap()), DVec3::Z * -20.0);
    /// world.step(1.0).unwrap();
    /// assert_eq!(second.snapshot(), world.snapshot());
    /// ```
    ///
    /// # Errors
    /// [`RestoreError`] when names are used twice or are missing, a body is not valid, or the snapshot is not one of
    /// such a world.
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
        let spawned = schedule[..snapshot.commands].iter().filter_map(|timed| timed.command.spawned());
        let spawned = spawned.map(|named| (named.name.clone(), named.body.clone()));
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
        Ok(Self { stepper, names, schedule, done: snapshot.commands, awaited: BTreeSet::new() })
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
