//! Timestep and duration: the rules they obey, whether they come from the file or from the command line.

use miette::Diagnostic;
use thiserror::Error;

use super::Scenario;
use super::fault::Fault;
use super::limits::{DURATION_MAX, STEPS_MAX};
use crate::numeric::quantity::is_positive;

/// What a timestep and a duration may be, in words.
pub(super) const SPAN: &str = "a positive finite number of seconds, from 1e-100 to 1e15";

/// Whether `seconds` may be a timestep or a duration.
pub(super) fn is_span(seconds: f64) -> bool {
    is_positive(seconds) && seconds <= DURATION_MAX
}

/// Refuses runs that would not end while anybody waits.
pub(super) fn check_steps(timestep: f64, duration: f64) -> Result<(), Fault> {
    let steps = duration / timestep;
    if steps <= STEPS_MAX { Ok(()) } else { Err(Fault::TooManySteps { steps }) }
}

/// A timestep or a duration from outside the file that the scenario cannot take.
#[derive(Debug, Clone, PartialEq, Error, Diagnostic)]
#[error("--{flag}: {fault}")]
pub struct OverrideError {
    /// `timestep` or `duration`.
    pub flag: &'static str,
    /// What is wrong with it.
    pub fault: Fault,
}

impl Scenario {
    /// The same scenario looked at every `timestep` seconds.
    ///
    /// # Errors
    /// [`OverrideError`] when a file could not say so either.
    pub fn with_timestep(self, timestep: f64) -> Result<Self, OverrideError> {
        check("timestep", timestep, timestep, self.duration)?;
        Ok(Self { timestep, ..self })
    }

    /// The same scenario, `duration` seconds long.
    ///
    /// # Errors
    /// [`OverrideError`] when a file could not say so either.
    pub fn with_duration(self, duration: f64) -> Result<Self, OverrideError> {
        check("duration", duration, self.timestep, duration)?;
        Ok(Self { duration, ..self })
    }
}

fn check(flag: &'static str, value: f64, timestep: f64, duration: f64) -> Result<(), OverrideError> {
    let in_range = if is_span(value) {
        check_steps(timestep, duration)
    } else {
        Err(Fault::OutOfRange { allowed: SPAN, found: value.to_string() })
    };
    in_range.map_err(|fault| OverrideError { flag, fault })
}
