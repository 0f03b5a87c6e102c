//! Timestep and duration: the rules they obey, whether they come from the file or from the command line.

use miette::Diagnostic;
use thiserror::Error;

use crate::numeric::shown;
use crate::scenario::Scenario;
use crate::scenario::error_kinds::Fault;
use crate::scenario::limits::{SPAN, STEPS_MAX, is_span};

/// Refuses runs of more steps than [`STEPS_MAX`].
pub(crate) fn check_steps(timestep: f64, duration: f64) -> Result<(), Fault> {
    let steps = duration / timestep;
    if steps <= STEPS_MAX { Ok(()) } else { Err(Fault::TooManySteps { steps }) }
}

/// A timestep or a duration, given outside the file, that the scenario cannot have.
#[derive(Debug, Clone, PartialEq, Error, Diagnostic)]
#[error("--{flag}: {fault}")]
pub struct OverrideError {
    /// `timestep` or `duration`.
    pub flag: &'static str,
    /// What is wrong with it.
    pub fault: Fault,
}

impl Scenario {
    /// Whether the second half of the run begins after this many steps, which are the first to take half the duration.
    /// A run of a single step has no second half, and counts from its beginning.
    ///
    /// The means of a gas are taken over the second half, because a lattice needs time to melt.
    #[doc(hidden)]
    pub fn is_halfway(&self, steps: u64) -> bool {
        if self.timestep >= self.duration {
            return steps == 0;
        }
        // Doubling a number is exact. So if a whole number of steps is the whole run, half of them are half the run.
        let is_beyond = |steps: u64| 2.0 * (steps as f64 * self.timestep) >= self.duration;
        is_beyond(steps) && (steps == 0 || !is_beyond(steps - 1))
    }

    /// The same scenario with another timestep or another duration, s, where one is given.
    ///
    /// # Errors
    /// [`OverrideError`] when a file could not have this value either.
    pub fn with_times(self, timestep: Option<f64>, duration: Option<f64>) -> Result<Self, OverrideError> {
        for (flag, value) in [("timestep", timestep), ("duration", duration)] {
            if let Some(found) = value.filter(|&seconds| !is_span(seconds)) {
                return Err(OverrideError { flag, fault: Fault::OutOfRange { allowed: SPAN, found: shown(found) } });
            }
        }
        let scenario =
            Self { timestep: timestep.unwrap_or(self.timestep), duration: duration.unwrap_or(self.duration), ..self };
        let flag = if timestep.is_some() { "timestep" } else { "duration" };
        check_steps(scenario.timestep, scenario.duration).map_err(|fault| OverrideError { flag, fault })?;
        Ok(scenario)
    }
}
