//! A world on its way through a run, in slices.

use carom::dynamics::{Event, Progress};
use carom::motion::SimTime;
use carom::scenario::Scenario;
use carom::world::{RestoreError, RunError, Snapshot, World};

use crate::clock::Clock;

/// A world, and how far it is.
pub(crate) struct Walker {
    pub(crate) world: World,
    /// The steps that it has ended.
    pub(crate) step: u64,
}

impl Walker {
    /// The world of a scenario as it goes on from a snapshot, taken when so many steps had ended.
    pub(crate) fn resume(scenario: &Scenario, step: u64, snapshot: &Snapshot) -> Result<Self, RestoreError> {
        let bodies = scenario.bodies.iter().map(|named| (named.name.clone(), named.body.clone()));
        let commands = scenario.commands.iter().cloned();
        Ok(Self { world: World::resume(scenario.settings.clone(), bodies, commands, snapshot)?, step })
    }

    /// Goes on towards `target` by at most one step, or until there are so many events. Where a step ends at the
    /// target, it is ended; where it ends later, the world pauses in it, which changes nothing that comes. Returns the
    /// events, and whether the target is reached.
    pub(crate) fn go(
        &mut self,
        clock: Clock,
        target: SimTime,
        events_max: usize,
    ) -> Result<(Vec<Event>, bool), (Vec<Event>, RunError)> {
        let end = clock.end_of(self.step + 1);
        let ends = self.step < clock.steps() && end <= target;
        let went = if ends { self.world.advance(end, events_max) } else { self.world.pause_at(target, events_max) };
        let events = self.world.take_events();
        let reached = match went {
            Ok(progress) => progress == Progress::Reached,
            Err(error) => return Err((events, error)),
        };
        self.step += u64::from(ends && reached);
        Ok((events, reached && self.world.now() >= target))
    }
}
