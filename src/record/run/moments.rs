//! The chosen instants of a run: where they fall among its steps, and for which one the trajectory has its rows already.

use crate::motion::SimTime;
use crate::world::World;

/// The instants at which the trajectory has rows besides those of recorded steps.
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

    /// Takes up a run that goes on from the present; `recorded` says whether that is a recorded step.
    pub(crate) fn go_on(&mut self, world: &World, recorded: bool) {
        self.written = (recorded || self.is_now(world)).then(|| world.now());
    }

    /// The next chosen instant on the way to `target`, that itself left out.
    pub(crate) fn next(&self, world: &World, target: SimTime) -> Option<SimTime> {
        let now = world.now();
        self.at.get(self.at.partition_point(|&at| at <= now)).copied().filter(|&at| at < target)
    }

    /// Whether the present is chosen.
    pub(crate) fn is_now(&self, world: &World) -> bool {
        self.at.binary_search(&world.now()).is_ok()
    }

    /// Whether the rows of the present are still to be written; they are from here on.
    pub(crate) fn claim(&mut self, world: &World) -> bool {
        self.written.replace(world.now()) != Some(world.now())
    }
}
