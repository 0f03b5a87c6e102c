//! The world for its users: named bodies that take commands, answer queries, and can be saved.
//!
//! The dense rows of `dynamics` hold the state. [`Entities`] writes it into the entities of a hecs world of the user's
//! own. The iteration order of hecs is documented as arbitrary, and only the order of the names may affect a result; so
//! nothing is ever read from entities.

mod coarse;
mod command;
mod control;
#[cfg(feature = "hecs")]
mod entities;
mod error;
mod future_names;
mod names;
mod query;
mod schedule;
pub(crate) mod snapshot;
mod tree;

use std::collections::BTreeSet;
use std::fmt;

use crate::dynamics::{
    self, Audit, Balance, Body, BodyId, ContactInfo, Event, Knot, Progress, Settings, State, Stepper, SteppingTotals,
};
use crate::motion::SimTime;
use crate::numeric::tolerance::TIME_MAX;

pub use coarse::Coarse;
pub use command::{Command, Named, Timed};
#[cfg(feature = "hecs")]
pub use entities::{Entities, Name, Position, Spin, Velocity};
pub use error::{CommandError, RunError, SetupError};
pub use future_names::FutureNames;
use names::Names;
pub use query::{Filter, Hit};
pub use snapshot::{History, RestoreError, RewindError, Snapshot};
pub use tree::parent;

/// A way to advance a stepper, until the last argument is true.
type Advance = fn(&mut Stepper, SimTime, usize, &dyn Fn() -> bool) -> Result<Progress, dynamics::RunError>;

/// A world of named bodies. A world may be sent to another thread, and several threads may read it at once.
///
/// A clone goes on with the same bits. So does a world that serde has written and read, with the feature `serde`, in
/// any format that keeps the bits of an `f64`; only events and knots that were not taken are left behind, bodies are
/// not tracked there, and a removed body is where it was when it came. A [`Snapshot`] is smaller, for one that keeps
/// the bodies and settings itself.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, Settings, World};
///
/// # #[cfg(feature = "serde")] {
/// let ball = Body::sphere(0.5, 1.0).unwrap().moving(DVec3::X);
/// let mut world = World::new(Settings::default(), [("ball", ball)]).unwrap();
/// world.step(0.5).unwrap();
/// let mut loaded: World = serde_json::from_str(&serde_json::to_string(&world).unwrap()).unwrap();
/// world.step(9.5).unwrap();
/// loaded.step(9.5).unwrap();
/// assert_eq!(loaded.snapshot(), world.snapshot());
/// # }
/// ```
#[derive(Clone)]
pub struct World {
    stepper: Stepper,
    /// A name is a path whose parts stand between slashes.
    names: Names,
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
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, SetupError, World};
    ///
    /// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
    /// let world = World::new(Settings::default(), [("b", ball(2.0)), ("a", ball(0.0))]).unwrap();
    /// // Ids follow the names.
    /// assert_eq!(world.ids().map(|id| world.name(id)).collect::<Vec<_>>(), ["a", "b"]);
    /// let inside = World::new(Settings::default(), [("a", ball(0.0)), ("b", ball(0.75))]);
    /// assert!(matches!(inside, Err(SetupError::Overlap { depth: 0.25, .. })));
    /// ```
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
        Ok(Self { stepper, names: Names::new(names), schedule: Vec::new(), done: 0, awaited: BTreeSet::new() })
    }

    /// Advances the world by `seconds`.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    /// let mut world = World::new(settings, [("ball", Body::sphere(0.5, 1.0).unwrap())]).unwrap();
    /// world.step(1.0).unwrap();
    /// assert_eq!(world.position(world.id("ball").unwrap()), DVec3::Z * -5.0);
    /// ```
    ///
    /// # Errors
    /// [`RunError::Duration`] when `seconds` is negative or not finite, or when the clock would end; the world is then
    /// unchanged. Any other [`RunError`]: the world is at the event that could not be resolved, and cannot go on.
    pub fn step(&mut self, seconds: f64) -> Result<(), RunError> {
        let fits = (0.0..=TIME_MAX).contains(&seconds) && self.now().seconds() + seconds <= TIME_MAX;
        if !fits {
            return Err(RunError::Duration { seconds });
        }
        self.advance(self.now() + seconds, usize::MAX).map(|_| ())
    }

    /// Goes on to `target`, or until the event buffer holds `events_max`. Commands
    /// scheduled up to then are carried out on the way, each at its time.
    ///
    /// If the world stops because the buffer is full, the result has the instant of the last event in it, which is the
    /// present. So a run can be measured in events:
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Progress, Settings, SimTime, World};
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
    /// carried out, and cannot go on. At [`RunError::Squeezed`] it is at the instant of the error or before it.
    pub fn advance(&mut self, target: SimTime, events_max: usize) -> Result<Progress, RunError> {
        self.advance_until(target, events_max, &|| false)
    }

    /// Goes on to `target` like [`advance`](Self::advance), but asks `stop` after each event, also after those that
    /// leave nothing in the buffer. If it is true, the world stops at the end of the present instant, or sooner if that
    /// has very many events. So a caller can end a long step, for example at the request of a user. The world can then
    /// be read, and can go on.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Progress, Settings, SimTime, World};
    ///
    /// let ball = Body::sphere(0.5, 1.0).unwrap().moving(DVec3::X);
    /// let wall = Body::plane(-DVec3::X, -1.5).unwrap();
    /// let mut world = World::new(Settings::default(), [("ball", ball), ("wall", wall)]).unwrap();
    /// let end = SimTime::from_seconds(3.0);
    /// let progress = world.advance_until(end, usize::MAX, &|| true).unwrap();
    /// assert!(matches!(progress, Progress::Stopped { .. }) && world.now() < end);
    /// // It goes on as if it had not stopped: 1 m to the wall, and 2 m back.
    /// world.advance_until(end, usize::MAX, &|| false).unwrap();
    /// assert_eq!(world.position(world.id("ball").unwrap()).x, -1.0);
    /// ```
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
            let progress = self.stepper.advance_until(at, events_max, stop).map_err(|error| self.stopped(error))?;
            if progress != Progress::Reached {
                return Ok(progress);
            }
            self.carry_out_next()?;
        }
        last_part(&mut self.stepper, target, events_max, stop).map_err(|error| self.stopped(error))
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
    pub fn ids_issued(&self) -> usize {
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

    /// The settings of the whole world.
    pub fn settings(&self) -> &Settings {
        self.stepper.settings()
    }

    /// A body with its present motion, also one that was removed. The position of a body on a course is here the one
    /// without the displacement, as it was given; [`position`](Self::position) has the place where it is.
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

    /// The lasting contacts, in the order of their bodies. Those of bodies that are advanced by time steps are not
    /// among them, or belong to the last step, since they are found anew in each.
    pub fn contacts(&self) -> Vec<ContactInfo> {
        self.stepper.contacts()
    }

    /// The [contacts](Self::contacts) of one body.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn contacts_of(&self, id: BodyId) -> Vec<ContactInfo> {
        self.stepper.contacts_of(id)
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
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
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

    /// Records all paths of a body from now on, the present one first. When it is removed, the last knot has its place.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let ball = Body::sphere(0.5, 1.0).unwrap().moving(DVec3::X);
    /// let wall = Body::plane(-DVec3::X, -1.5).unwrap();
    /// let mut world = World::new(Settings::default(), [("ball", ball), ("wall", wall)]).unwrap();
    /// world.track(world.id("ball").unwrap());
    /// world.step(3.0).unwrap();
    /// // The path to the wall, and the one back from it.
    /// let paths: Vec<_> = world.take_knots().iter().map(|knot| knot.path).collect();
    /// assert_eq!((paths.len(), paths[1].epoch.seconds(), paths[1].velocity), (2, 1.0, -DVec3::X));
    /// ```
    pub fn track(&mut self, id: BodyId) {
        if self.is_present(id) {
            self.stepper.track(id);
        } else {
            self.awaited.insert(id);
        }
    }

    /// The balance of energy and momentum since the start, and counts of events.
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
