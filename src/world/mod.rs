//! The world for its users: bodies with names, as entities of an ECS.
//!
//! Only this layer uses hecs. During a step the dense rows of `dynamics` hold the state. hecs receives positions,
//! velocities and spins when a step ends. Its iteration order is documented as arbitrary, and only the order of the
//! names may affect a result. Users add their own components to the same entities and query them as they like.

mod coarse;
mod command;
mod control;
mod entities;
mod error;
mod foresight;
mod history;
mod names;
mod query;
mod snapshot;
mod tree;

use std::collections::BTreeSet;
use std::fmt;

use hecs::Entity;

use crate::dynamics::{
    self, Audit, Balance, Body, BodyId, Event, Knot, Lasting, Progress, Settings, State, Stepper, SteppingTotals,
};
use crate::motion::SimTime;
use crate::numeric::tolerance::TIME_MAX;

pub use coarse::Coarse;
pub use command::{Command, Named, Timed};
pub use error::{CommandError, RunError, SetupError};
pub use foresight::Foresight;
pub use history::{History, RewindError};
use names::Names;
pub use query::{Filter, Hit};
pub use snapshot::{RestoreError, Snapshot};
pub use tree::parent;

/// The name of a body, as a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name(pub String);

/// The place of a body at the end of the last step, m, as a component.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position(pub glam::DVec3);

/// The velocity of a body at the end of the last step, m/s, as a component.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Velocity(pub glam::DVec3);

/// The angular velocity of a body at the end of the last step, rad/s, as a component.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spin(pub glam::DVec3);

/// A way to advance a stepper, until the last argument is true.
type Advance = fn(&mut Stepper, SimTime, usize, &dyn Fn() -> bool) -> Result<Progress, dynamics::RunError>;

/// A world of named bodies. It may be sent to another thread, and several threads may read it at once.
pub struct World {
    stepper: Stepper,
    /// A name is a path whose parts stand between slashes.
    names: Names,
    entities: Vec<Entity>,
    ecs: hecs::World,
    /// The bodies with entities that do not have the present state for good, by id.
    moving: Vec<BodyId>,
    /// The scheduled commands, in the order of their times.
    schedule: Vec<Timed>,
    /// How many of them were carried out.
    done: usize,
    /// Bodies that are to be tracked as soon as they exist.
    awaited: BTreeSet<BodyId>,
}

impl World {
    /// A world with `bodies` at time 0. The order in which they are given does not matter.
    ///
    /// # Errors
    /// [`SetupError`] when two bodies share a name, or overlap although they collide.
    pub fn new<N: Into<String>>(
        settings: Settings,
        bodies: impl IntoIterator<Item = (N, Body)>,
    ) -> Result<Self, SetupError> {
        let mut bodies: Vec<(String, Body)> = bodies.into_iter().map(|(name, body)| (name.into(), body)).collect();
        bodies.sort_by(|x, y| x.0.cmp(&y.0));
        if let Some(twins) = bodies.windows(2).find(|two| two[0].0 == two[1].0) {
            return Err(SetupError::DuplicateName { name: twins[0].0.clone() });
        }
        let (names, bodies): (Vec<_>, Vec<_>) = bodies.into_iter().unzip();
        let stepper = Stepper::new(settings, &bodies)
            .map_err(|error| SetupError::named(error, |id| names[id.index()].clone()))?;
        let mut ecs = hecs::World::new();
        let entities = names.iter().zip(&bodies).enumerate().map(|(row, (name, body))| {
            let (place, velocity, spin) = (Position(body.position), Velocity(body.velocity), Spin(body.spin));
            ecs.spawn((Name(name.clone()), BodyId(row as u32), place, velocity, spin))
        });
        let entities = entities.collect();
        Ok(Self {
            moving: stepper.present().collect(),
            stepper,
            names: Names::new(names),
            entities,
            ecs,
            schedule: Vec::new(),
            done: 0,
            awaited: BTreeSet::new(),
        })
    }

    /// Advances the world by `seconds`, then writes [`Position`], [`Velocity`] and [`Spin`] of each body that has moved
    /// into its entity.
    ///
    /// # Errors
    /// [`RunError::Duration`] when `seconds` is negative or not finite, or when the clock would end; the world is then
    /// unchanged. Any other [`RunError`]: the world is at the event that could not be resolved, and cannot go on.
    pub fn step(&mut self, seconds: f64) -> Result<(), RunError> {
        let fits = (0.0..=TIME_MAX).contains(&seconds) && self.now().seconds() + seconds <= TIME_MAX;
        if !fits {
            return Err(RunError::Duration { seconds });
        }
        self.advance(self.now() + seconds, usize::MAX)?;
        self.sync();
        Ok(())
    }

    /// Goes on to `target` without touching the entities, or until the event buffer holds `events_max`. Commands
    /// scheduled up to then are carried out on the way, each at its time.
    ///
    /// If the world stops because the buffer is full, the result has the instant of the last event in it, which is the
    /// present. So a run can be measured in events:
    ///
    /// ```
    /// use carom::dynamics::{Body, Progress, Settings};
    /// use carom::glam::DVec3;
    /// use carom::motion::SimTime;
    /// use carom::world::World;
    ///
    /// // A ball between two walls, 2 m of way at 1 m/s from one to the other.
    /// let ball = Body::sphere(0.5, 1.0).unwrap().moving(DVec3::X);
    /// let walls = [(DVec3::X, -1.5), (-DVec3::X, -1.5)].map(|(normal, offset)| Body::plane(normal, offset).unwrap());
    /// let bodies = [("ball", ball), ("left", walls[0].clone()), ("right", walls[1].clone())];
    /// let mut world = World::new(Settings::default(), bodies).unwrap();
    /// // The instant of the third event, if it comes within an hour.
    /// let progress = world.advance(SimTime::from_seconds(3600.0), 3).unwrap();
    /// assert_eq!(progress, Progress::BufferFull { time: SimTime::from_seconds(5.0) });
    /// assert_eq!(world.take_events().last().unwrap().time, world.now());
    /// ```
    ///
    /// # Errors
    /// [`RunError`]; the world is then at the event that could not be resolved, or at the command that could not be
    /// carried out, and cannot go on.
    pub fn advance(&mut self, target: SimTime, events_max: usize) -> Result<Progress, RunError> {
        self.advance_until(target, events_max, &|| false)
    }

    /// Goes on to `target` like [`advance`](Self::advance), but asks `stop` after each event, also after those that
    /// leave nothing in the buffer. If it is true, the world stops at the end of the present instant, or sooner if that
    /// has very many events. So a caller can end a long step, for example at the request of a user. The world can then
    /// be read, and can go on.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn advance_until(
        &mut self,
        target: SimTime,
        events_max: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Progress, RunError> {
        self.go_on(target, events_max, stop, Stepper::advance_until)
    }

    /// Goes on to `target` like [`advance`](Self::advance), but as a part of a step. So the world can be observed on
    /// the way to the end of a step without any effect on the run, also on the count for `impacts_max`, which limits
    /// the impacts of a step.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn pause_at(&mut self, target: SimTime, events_max: usize) -> Result<Progress, RunError> {
        self.pause_until(target, events_max, &|| false)
    }

    /// Goes on to `target` like [`pause_at`](Self::pause_at), and asks `stop` like
    /// [`advance_until`](Self::advance_until).
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn pause_until(
        &mut self,
        target: SimTime,
        events_max: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Progress, RunError> {
        self.go_on(target, events_max, stop, Stepper::pause_until)
    }

    fn go_on(
        &mut self,
        target: SimTime,
        events_max: usize,
        stop: &dyn Fn() -> bool,
        last_part: Advance,
    ) -> Result<Progress, RunError> {
        while let Some(at) = self.schedule.get(self.done).map(|next| next.at).filter(|&at| at <= target) {
            let progress = self
                .stepper
                .advance_until(at, events_max, stop)
                .map_err(|error| RunError::named(error, |id| self.names.of(id).to_owned()))?;
            if progress != Progress::Reached {
                return Ok(progress);
            }
            self.carry_out_next()?;
        }
        last_part(&mut self.stepper, target, events_max, stop)
            .map_err(|error| RunError::named(error, |id| self.names.of(id).to_owned()))
    }

    /// The present instant.
    pub fn now(&self) -> SimTime {
        self.stepper.now()
    }

    /// The number of bodies, without those that were removed.
    pub fn count(&self) -> usize {
        self.stepper.present_count()
    }

    /// The number of bodies so far, with those that were removed: their ids are the numbers below this.
    pub fn rows(&self) -> usize {
        self.stepper.count()
    }

    /// The ids of all present bodies: first those that were there from the beginning, in the order of their names, then
    /// those that came later, in the order of their coming.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> + use<'_> {
        self.stepper.present()
    }

    /// The body called `name`, if there is one now.
    pub fn id(&self, name: &str) -> Option<BodyId> {
        self.names.find(name).filter(|&id| self.is_present(id))
    }

    /// The name of a body, also of one that was removed.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn name(&self, id: BodyId) -> &str {
        self.names.of(id)
    }

    /// The entity of a body; for one that was removed, an entity that no longer exists.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn entity(&self, id: BodyId) -> Entity {
        self.entities[id.index()]
    }

    /// The settings of the whole world.
    pub fn settings(&self) -> &Settings {
        self.stepper.settings()
    }

    /// A body with its present motion, also one that was removed.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn body(&self, id: BodyId) -> Body {
        self.stepper.body(id)
    }

    /// The present state of a body; for one that was removed, its place at that time.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn state(&self, id: BodyId) -> State {
        self.stepper.state(id)
    }

    /// Only the position, m, as in [`state`](Self::state), but faster.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn position(&self, id: BodyId) -> glam::DVec3 {
        self.stepper.position(id)
    }

    /// The entities, to query.
    pub fn ecs(&self) -> &hecs::World {
        &self.ecs
    }

    /// The entities, to add components. Values written into [`Position`], [`Velocity`] and [`Spin`] do not count, and are
    /// overwritten when the body has moved.
    pub fn ecs_mut(&mut self) -> &mut hecs::World {
        &mut self.ecs
    }

    /// The lasting contacts, in the order of their bodies. Contacts between bodies that are advanced by time steps are
    /// not among them: they are found anew in each step.
    pub fn contacts(&self) -> Vec<Lasting> {
        self.stepper.contacts()
    }

    /// The [contacts](Self::contacts) of one body.
    pub fn contacts_of(&self, id: BodyId) -> Vec<Lasting> {
        self.contacts().into_iter().filter(|contact| contact.a == id || contact.b == id).collect()
    }

    /// The events since the last call, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.stepper.take_events()
    }

    /// The events in the buffer, in order: those since they were last taken. They stay there.
    pub fn events(&self) -> &[Event] {
        self.stepper.events()
    }

    /// The events in the buffer in which a body takes part, in order.
    ///
    /// ```
    /// use carom::dynamics::{Body, Settings};
    /// use carom::glam::DVec3;
    /// use carom::world::World;
    ///
    /// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
    /// let bodies = [("cue", ball(0.0).moving(DVec3::X)), ("eight", ball(2.0)), ("nine", ball(4.0))];
    /// let mut world = World::new(Settings::default(), bodies).unwrap();
    /// world.step(5.0).unwrap();
    /// // The cue ball meets the first, and that the second.
    /// assert_eq!(world.events().len(), 2);
    /// assert_eq!(world.events_of(world.id("cue").unwrap()).count(), 1);
    /// assert_eq!(world.events_of(world.id("eight").unwrap()).count(), 2);
    /// ```
    pub fn events_of(&self, id: BodyId) -> impl Iterator<Item = &Event> {
        self.events().iter().filter(move |event| event.a == id || event.b == id)
    }

    /// The knots of tracked bodies since the last call, in order.
    pub fn take_knots(&mut self) -> Vec<Knot> {
        self.stepper.take_knots()
    }

    /// From now on keeps every path that a body begins, with the present one as the first. For a body that comes later,
    /// this begins with its first path. When a body is removed, the last knot has its place.
    pub fn track(&mut self, id: BodyId) {
        if id.index() < self.stepper.count() {
            self.stepper.track(id);
        } else {
            self.awaited.insert(id);
        }
    }

    /// The books up to now.
    pub fn audit(&self) -> Audit {
        self.stepper.audit()
    }

    /// How much was advanced by time steps so far.
    pub fn stepping_totals(&self) -> SteppingTotals {
        self.stepper.stepping_totals()
    }

    /// Energy and momentum now.
    pub fn balance(&self) -> Balance {
        self.stepper.balance()
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (now, bodies, events) = (self.now(), self.count(), self.events().len());
        f.debug_struct("World")
            .field("now", &now)
            .field("bodies", &bodies)
            .field("events", &events)
            .finish_non_exhaustive()
    }
}

const _: () = {
    const fn is_shared_between_threads<T: Send + Sync>() {}
    is_shared_between_threads::<World>();
};
