//! When the steps of a run end: counted from the start, as `carom run` counts them.

use carom::motion::SimTime;
use carom::scenario::Scenario;

/// The steps of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    timestep: f64,
    duration: f64,
    steps: u64,
}

impl Clock {
    pub(crate) fn of(scenario: &Scenario) -> Self {
        let Scenario { timestep, duration, .. } = *scenario;
        let mut clock = Self { timestep, duration, steps: (duration / timestep).ceil() as u64 };
        // The quotient is rounded, so the last step is one of a few.
        while clock.steps > 1 && clock.end_of(clock.steps - 1) >= clock.last() {
            clock.steps -= 1;
        }
        while clock.end_of(clock.steps) < clock.last() {
            clock.steps += 1;
        }
        clock
    }

    /// The end of a step.
    pub(crate) fn end_of(&self, step: u64) -> SimTime {
        SimTime::from_seconds((step as f64 * self.timestep).min(self.duration))
    }

    /// The end of the run.
    pub(crate) fn last(&self) -> SimTime {
        SimTime::from_seconds(self.duration)
    }

    /// An instant of the run, whatever number is given.
    pub(crate) fn instant(&self, seconds: f64) -> SimTime {
        SimTime::from_seconds(if seconds > 0.0 { seconds.min(self.duration) } else { 0.0 })
    }

    /// The number of steps.
    pub(crate) const fn steps(&self) -> u64 {
        self.steps
    }

    /// The length of the run, s.
    pub(crate) const fn duration(&self) -> f64 {
        self.duration
    }
}
