//! A history: a world that can go back to any instant that it has been at.
//!
//! Snapshots are kept every so many seconds; another instant is reached from the last one before it by going on as the world
//! did the first time, to the bit. When they become too many every second one is left out and the span between them doubles,
//! so that a run of any length costs no more than so many snapshots, and going back no more than a part of the run.

use thiserror::Error;

use super::{RestoreError, RunError, Snapshot, World};
use crate::motion::SimTime;

/// How many snapshots are kept at most, if nothing else is said.
const SNAPSHOTS_MAX: usize = 64;

/// Snapshots of one world, from its oldest known instant on.
#[derive(Debug, Clone)]
pub struct History {
    /// In the order of their times; never empty.
    kept: Vec<Kept>,
    /// Least span between two of them, s.
    every: f64,
    most: usize,
}

#[derive(Debug, Clone)]
struct Kept {
    snapshot: Snapshot,
    /// Whether going on from an earlier one would lead elsewhere.
    marked: bool,
}

/// Why an instant could not be reached.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum RewindError {
    /// An instant before the history begins.
    #[error("the history begins at {begins} s, so {wanted} s is not known")]
    TooEarly { wanted: SimTime, begins: SimTime },
    /// A world of which this is not the history.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// The way there could not be gone.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl History {
    /// A history of `world` that begins now, with a snapshot at most every `every` seconds.
    pub fn new(world: &World, every: f64) -> Self {
        Self { kept: vec![Kept { snapshot: world.snapshot(), marked: true }], every, most: SNAPSHOTS_MAX }
    }

    /// The same, with at most so many snapshots besides those that are marked; two at least are kept.
    pub fn keeping(self, most: usize) -> Self {
        Self { most: most.max(2), ..self }
    }

    /// When it begins.
    pub fn begins(&self) -> SimTime {
        self.kept[0].snapshot.now()
    }

    /// How many snapshots it has now.
    pub fn count(&self) -> usize {
        self.kept.len()
    }

    /// To be called after each step: keeps a snapshot when it is time for one.
    pub fn note(&mut self, world: &World) {
        if world.now().since(self.kept[self.kept.len() - 1].snapshot.now()) < self.every {
            return;
        }
        self.kept.push(Kept { snapshot: world.snapshot(), marked: false });
        if self.kept.len() > self.most {
            let mut last = false;
            self.kept.retain(|kept| {
                last = kept.marked || !last;
                last
            });
            self.every *= 2.0;
        }
    }

    /// Keeps a snapshot now, whenever the last one was: after a command given by hand, which going on from an earlier one would
    /// not give again. It is never left out.
    pub fn mark(&mut self, world: &World) {
        self.kept.push(Kept { snapshot: world.snapshot(), marked: true });
    }

    /// Takes `world` back to `time`; what is known of later instants is forgotten. Events on the way from the last snapshot
    /// are in the world's buffer.
    ///
    /// # Errors
    /// [`RewindError`] when `time` lies before the history, or when this is not the history of that world.
    pub fn rewind(&mut self, world: &mut World, time: SimTime) -> Result<(), RewindError> {
        let later = self.kept.partition_point(|kept| kept.snapshot.now() <= time);
        let Some(last) = later.checked_sub(1) else {
            return Err(RewindError::TooEarly { wanted: time, begins: self.begins() });
        };
        world.restore(&self.kept[last].snapshot)?;
        self.kept.truncate(later);
        world.advance(time, usize::MAX)?;
        world.sync();
        Ok(())
    }
}
