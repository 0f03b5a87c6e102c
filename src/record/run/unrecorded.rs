//! A run that records nothing: for many runs of which only a few numbers are needed.

use super::observers::{Found, Observers};
use super::portion::EVENTS_AT_ONCE;
use crate::dynamics::{Event, Progress};
use crate::motion::SimTime;
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
    let mut observers = Observers::new(scenario, world);
    let outcome = all_steps(scenario, world, &mut observers, &mut see, stop).transpose()?;
    Some((observers.close(world), outcome))
}

fn all_steps(
    scenario: &Scenario,
    world: &mut World,
    observers: &mut Observers<'_>,
    see: &mut impl FnMut(&Event),
    stop: &dyn Fn() -> bool,
) -> Result<Option<()>, RunError> {
    let end = SimTime::from_seconds(scenario.duration);
    let mut steps = 0;
    notes(world, observers, see);
    step_is_done(steps, scenario, world, observers, false);
    while world.now() < end {
        steps += 1;
        let time = SimTime::from_seconds((steps as f64 * scenario.timestep).min(scenario.duration));
        let outcome = go_to(time, world, observers, see, stop);
        if outcome == Ok(None) {
            return Ok(None);
        }
        let is_over = outcome.is_err() || world.now() >= end;
        step_is_done(steps, scenario, world, observers, is_over);
        outcome?;
    }
    Ok(Some(()))
}

fn go_to(
    target: SimTime,
    world: &mut World,
    observers: &mut Observers<'_>,
    see: &mut impl FnMut(&Event),
    stop: &dyn Fn() -> bool,
) -> Result<Option<()>, RunError> {
    loop {
        let progress = world.advance_until(target, EVENTS_AT_ONCE, stop);
        notes(world, observers, see);
        match progress? {
            Progress::BufferFull { .. } => {}
            Progress::Reached => return Ok(Some(())),
            Progress::Stopped { .. } => return Ok(None),
        }
    }
}

fn notes(world: &mut World, observers: &mut Observers<'_>, see: &mut impl FnMut(&Event)) {
    for event in world.take_events() {
        observers.see(&event);
        see(&event);
    }
}

/// Observes gas and energy at the steps at which a run with tables does, and at the end.
fn step_is_done(steps: u64, scenario: &Scenario, world: &World, observers: &mut Observers<'_>, is_over: bool) {
    let record = &scenario.record;
    if is_over || steps.is_multiple_of(record.stride) {
        observers.look(world);
    }
    if is_over || steps.is_multiple_of(record.energy_stride) {
        observers.weigh(world);
    }
    if !is_over {
        observers.begin_means(steps, world);
    }
}
