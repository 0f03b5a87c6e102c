//! The chosen instants of a run: where they fall among its steps, and whether their rows of the trajectory are already
//! written.

use crate::motion::SimTime;
use crate::world::World;

/// The instants at which the trajectory has rows in addition to those of recorded steps.
#[derive(Debug)]
pub(crate) struct Moments<'a> {
    /// Sorted.
    at: &'a [SimTime],
    /// When rows were last written.
    written: Option<SimTime>,
}

impl<'a> Moments<'a> {
    pub(crate) fn new(at: &'a [SimTime]) -> Self {
        Self { at, written: None }
    }

    /// Continues a run from the present; `recorded` says whether that is a recorded step.
    pub(crate) fn go_on(&mut self, world: &World, recorded: bool) {
        self.written = (recorded || self.is_now(world)).then(|| world.now());
    }

    /// The next chosen instant before `target`.
    pub(crate) fn next(&self, world: &World, target: SimTime) -> Option<SimTime> {
        let now = world.now();
        self.at.get(self.at.partition_point(|&at| at <= now)).copied().filter(|&at| at < target)
    }

    /// Whether the present is a chosen instant.
    pub(crate) fn is_now(&self, world: &World) -> bool {
        self.at.binary_search(&world.now()).is_ok()
    }

    /// Whether the rows of the present are still to be written. Afterwards they count as written.
    pub(crate) fn claim(&mut self, world: &World) -> bool {
        self.written.replace(world.now()) != Some(world.now())
    }
}
