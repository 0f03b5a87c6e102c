//! How the two loops hand over to each other.

use super::{End, Gas, Limits};
use crate::dynamics::body::moderate;
use crate::dynamics::broadphase::Broadphase;
use crate::dynamics::error::RunError;
use crate::dynamics::queue::Queue;
use crate::dynamics::state::Stepper;
use crate::dynamics::step::Progress;

#[cfg(test)]
impl Stepper {
    /// Leaves all events to the step loop.
    pub(in crate::dynamics) fn without_gas(mut self) -> Self {
        self.pause_gas(u64::MAX);
        self
    }

    /// Hands over to the step loop for some events.
    pub(in crate::dynamics) fn pause_gas(&mut self, events: u64) {
        self.end_gas(false);
        self.turns.wait = events;
    }
}

impl Stepper {
    /// The broad phase of the present.
    pub(in crate::dynamics) fn broadphase(&self) -> &Broadphase {
        let Some(gas) = &self.turns.gas else { return &self.sim.broadphase };
        let scene = &self.sim.scene;
        gas.broadphase.get_or_init(|| Box::new(Broadphase::new(&scene.rows, &scene.settings.space, scene.now)))
    }

    /// Whether the gas loop runs. It begins here, if its turn has come and the world is a gas.
    pub(in crate::dynamics) fn begin_gas(&mut self) -> bool {
        let turns = &mut self.turns;
        if turns.gas.is_none() && turns.wait == 0 {
            turns.gas = Gas::new(&self.sim, turns.plan).map(Box::new);
            turns.wait = if turns.gas.is_none() { self.sim.scene.rows.count().max(1) as u64 } else { 0 };
        }
        turns.gas.is_some()
    }

    /// Advances with the gas loop; `None` if the step loop has to go on.
    pub(in crate::dynamics) fn advance_gas(&mut self, limits: &Limits<'_>) -> Result<Option<Progress>, RunError> {
        let Some(gas) = self.turns.gas.as_mut().filter(|gas| gas.broadphase.get().is_none()) else {
            self.end_gas(false);
            return Ok(None);
        };
        let end = gas.run(&mut self.sim, limits);
        match end {
            Ok(End::Reached) => Ok(Some(Progress::Reached)),
            Ok(End::Full) => {
                let time = self.sim.log.events.last().map_or(self.now(), |last| last.time);
                Ok(Some(Progress::BufferFull { time }))
            }
            Ok(End::Stopped) => Ok(Some(Progress::Stopped { between_instants: true })),
            Ok(End::Left { is_full }) => {
                self.end_gas(is_full);
                Ok(None)
            }
            Err(error) => {
                self.end_gas(false);
                Err(error)
            }
        }
    }

    /// Ends the gas loop, if it runs: the step loop has its broad phase and its queue again. `is_full` if a ball has
    /// too many neighbours.
    pub(in crate::dynamics) fn end_gas(&mut self, is_full: bool) {
        let Some(mut gas) = self.turns.gas.take() else { return };
        let bodies = self.sim.scene.rows.count() as u64;
        let turns = &mut self.turns;
        // A turn costs as much as some events of each ball. Where the loop ends soon, it does not begin soon.
        turns.wait = if gas.resolved < 4 * bodies { bodies.max(2 * turns.waited) } else { bodies };
        (turns.waited, turns.plan) = (turns.wait, gas.next_plan(is_full));
        let scene = &self.sim.scene;
        self.queue = Queue::with_bodies(scene.rows.count());
        self.sim.to_predict.clear();
        let paths = scene.rows.present().map(|id| scene.rows.path(id));
        if !paths.into_iter().all(|path| moderate(path.position) && moderate(path.velocity)) {
            // After an error; the world cannot go on.
            return;
        }
        self.sim.broadphase = match gas.broadphase.take() {
            Some(broadphase) => *broadphase,
            None => Broadphase::new(&scene.rows, &scene.settings.space, scene.now),
        };
        self.predict_all();
    }
}
