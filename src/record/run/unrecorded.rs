//! A run that records nothing: for many runs of which only a few numbers are needed.

use super::observers::Observers;
use super::portion::EVENTS_AT_ONCE;
use crate::dynamics::{Event, Progress};
use crate::motion::SimTime;
use crate::record::verdict::Found;
use crate::scenario::Scenario;
use crate::world::{RunError, World};

/// Runs `world`, made from `scenario`, to its end, and passes each event to `see`. It steps as
/// [`run()`](crate::record::run()) does, and finds the same, but leaves no files.
///
/// If a run ends with an error, the findings up to there are returned with it. `None` if `stop` was true on the way: it
/// is asked after each event.
pub fn run_unrecorded(
    scenario: &Scenario,
    world: &mut World,
    mut see: impl FnMut(&Event),
    stop: &dyn Fn() -> bool,
) -> Option<(Found, Result<(), RunError>)> {
    let observers = Observers::new(scenario, world);
    let mut run = Run { scenario, world, observers, see: &mut see, stop };
    let outcome = match run.all_steps() {
        Ok(true) => Ok(()),
        Ok(false) => return None,
        Err(error) => Err(error),
    };
    Some((run.observers.close(run.world), outcome))
}

/// A run that is under way.
struct Run<'a> {
    scenario: &'a Scenario,
    world: &'a mut World,
    observers: Observers<'a>,
    see: &'a mut dyn FnMut(&Event),
    stop: &'a dyn Fn() -> bool,
}

impl Run<'_> {
    /// Takes every step up to the end; false if it is stopped before.
    fn all_steps(&mut self) -> Result<bool, RunError> {
        let Scenario { timestep, duration, .. } = *self.scenario;
        let end = SimTime::from_seconds(duration);
        let mut steps = 0;
        self.take_notes();
        self.step_is_done(steps, false);
        while self.world.now() < end {
            steps += 1;
            let outcome = self.go_to(SimTime::from_seconds((steps as f64 * timestep).min(duration)));
            if outcome == Ok(false) {
                return Ok(false);
            }
            let is_over = outcome.is_err() || self.world.now() >= end;
            self.step_is_done(steps, is_over);
            outcome?;
        }
        Ok(true)
    }

    /// Goes to the end of a step; false if it is stopped before.
    fn go_to(&mut self, target: SimTime) -> Result<bool, RunError> {
        loop {
            let progress = self.world.advance_until(target, EVENTS_AT_ONCE, self.stop);
            self.take_notes();
            match progress? {
                Progress::BufferFull { .. } => {}
                Progress::Reached => return Ok(true),
                Progress::Stopped { .. } => return Ok(false),
            }
        }
    }

    fn take_notes(&mut self) {
        for event in self.world.take_events() {
            self.observers.see(&event);
            (self.see)(&event);
        }
    }

    /// Observes gas and energy at the steps at which a run with tables does, and at the end.
    fn step_is_done(&mut self, steps: u64, is_over: bool) {
        let record = &self.scenario.record;
        if is_over || steps.is_multiple_of(record.stride) {
            self.observers.look(self.world);
        }
        if is_over || steps.is_multiple_of(record.energy_stride) {
            self.observers.weigh(self.world);
        }
        if !is_over {
            self.observers.begin_means(steps, self.world);
        }
    }
}
