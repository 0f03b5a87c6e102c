//! A history: a world that can go back to any of its earlier instants.
//!
//! Snapshots are kept at intervals. To reach an instant between them, the world goes on from the last snapshot before
//! it exactly as it did the first time, to the bit. If there are too many snapshots, every second one is dropped and
//! the interval doubles. So a run of any length has a bounded number of snapshots, and going back takes only a part of
//! the run.

use thiserror::Error;

use super::{RestoreError, Snapshot};
use crate::motion::SimTime;
use crate::world::{RunError, World};

/// Default number of snapshots that are kept at most.
const SNAPSHOTS_MAX: usize = 64;

/// Snapshots of one world, from its oldest known instant on.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, History, RewindError, Settings, SimTime, World};
///
/// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
/// let mut world = World::new(settings, [("ball", Body::sphere(0.5, 1.0).unwrap())]).unwrap();
/// let mut history = History::new(&world, 0.5);
/// for _ in 0..8 {
///     world.step(0.25).unwrap();
///     history.note(&world);
/// }
/// assert_eq!((history.begins(), history.count()), (SimTime::ZERO, 5));
/// history.rewind(&mut world, SimTime::from_seconds(1.0)).unwrap();
/// assert_eq!(world.position(world.id("ball").unwrap()), DVec3::Z * -5.0);
/// let before = history.rewind(&mut world, SimTime::from_seconds(-1.0));
/// assert!(matches!(before, Err(RewindError::TooEarly { .. })));
/// ```
#[derive(Debug, Clone)]
pub struct History {
    /// In the order of their times; never empty between two calls.
    kept: Vec<Kept>,
    /// Least time between two of them, s.
    every: f64,
    most: usize,
}

#[derive(Debug, Clone)]
struct Kept {
    snapshot: Snapshot,
    /// Whether the state cannot be reached from an earlier snapshot.
    marked: bool,
}

/// Why an instant could not be reached.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum RewindError {
    /// An instant before the history begins.
    #[error("the history begins at {begins} s, so {wanted} s is not known")]
    TooEarly { wanted: SimTime, begins: SimTime },
    /// The history is that of another world.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// The world could not be advanced to the instant.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl History {
    /// A history of `world` that begins now, with a snapshot at most every `every` seconds.
    pub fn new(world: &World, every: f64) -> Self {
        Self { kept: vec![Kept { snapshot: world.snapshot(), marked: true }], every, most: SNAPSHOTS_MAX }
    }

    /// The same, with at most this many snapshots besides those that are marked; at least two are kept.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, History, Settings, SimTime, World};
    ///
    /// let ball = Body::sphere(0.5, 1.0).unwrap().moving(DVec3::X);
    /// let mut world = World::new(Settings::default(), [("ball", ball)]).unwrap();
    /// let mut history = History::new(&world, 0.25).keeping(4);
    /// for _ in 0..100 {
    ///     world.step(0.25).unwrap();
    ///     history.note(&world);
    /// }
    /// // With few snapshots it still reaches every instant.
    /// assert!(history.count() <= 5);
    /// history.rewind(&mut world, SimTime::from_seconds(3.125)).unwrap();
    /// assert_eq!(world.position(world.id("ball").unwrap()).x, 3.125);
    /// ```
    #[must_use]
    pub fn keeping(self, most: usize) -> Self {
        Self { most: most.max(2), ..self }
    }

    /// The instant at which it begins.
    pub fn begins(&self) -> SimTime {
        self.kept[0].snapshot.now()
    }

    /// How many snapshots it has now.
    pub fn count(&self) -> usize {
        self.kept.len()
    }

    /// To be called after each step: keeps a snapshot when it is time for one.
    pub fn note(&mut self, world: &World) {
        self.forget_later(world);
        let last = self.kept.last().map(|kept| kept.snapshot.now());
        if last.is_some_and(|last| world.now().since(last) < self.every) {
            return;
        }
        self.kept.push(Kept { snapshot: world.snapshot(), marked: last.is_none() });
        if self.kept.iter().filter(|kept| !kept.marked).count() > self.most {
            let mut last = false;
            self.kept.retain(|kept| {
                last = kept.marked || !last;
                last
            });
            self.every *= 2.0;
        }
    }

    /// Keeps a snapshot now, whenever the last one was. It is never dropped to save memory. To be called after a
    /// command that was not scheduled: going on from an earlier snapshot would not repeat it.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, History, Settings, SimTime, World};
    ///
    /// let mut world = World::new(Settings::default(), [("ball", Body::sphere(0.5, 1.0).unwrap())]).unwrap();
    /// let ball = world.id("ball").unwrap();
    /// let mut history = History::new(&world, 10.0);
    /// world.step(1.0).unwrap();
    /// world.kick(ball, DVec3::X).unwrap();
    /// history.mark(&world);
    /// world.step(5.0).unwrap();
    /// // The kick is not lost: it moves for 2 s.
    /// history.rewind(&mut world, SimTime::from_seconds(3.0)).unwrap();
    /// assert_eq!(world.position(ball), DVec3::X * 2.0);
    /// ```
    pub fn mark(&mut self, world: &World) {
        self.forget_later(world);
        self.kept.push(Kept { snapshot: world.snapshot(), marked: true });
    }

    /// Forgets what a world that went back by itself may never come to again.
    fn forget_later(&mut self, world: &World) {
        self.kept.truncate(self.kept.partition_point(|kept| kept.snapshot.now() <= world.now()));
    }

    /// Takes `world` back to `time`, and forgets the later snapshots. The events from the last snapshot up to `time`
    /// are then in the world's buffer.
    ///
    /// # Errors
    /// [`RewindError`] when `time` is before the history, or when this is the history of another world.
    pub fn rewind(&mut self, world: &mut World, time: SimTime) -> Result<(), RewindError> {
        let later = self.kept.partition_point(|kept| kept.snapshot.now() <= time);
        let Some(last) = later.checked_sub(1) else {
            return Err(RewindError::TooEarly { wanted: time, begins: self.begins() });
        };
        world.restore(&self.kept[last].snapshot)?;
        self.kept.truncate(later);
        world.advance(time, usize::MAX)?;
        Ok(())
    }
}
