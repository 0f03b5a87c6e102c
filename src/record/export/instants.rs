//! The instants at which an export has frames.

use super::error::ExportError;
use super::request::ExportRequest;
use crate::motion::SimTime;
use crate::scenario::Scenario;

/// Most frames of one export.
const FRAMES_MAX: u64 = 1_000_000;

/// The part of a run that is exported, both ends included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) from: SimTime,
    pub(super) until: SimTime,
}

impl Part {
    /// The requested part, from one number of seconds to another, of a run that came to the instant `reached`.
    pub(super) fn of((first, last): (f64, Option<f64>), reached: SimTime) -> Result<Self, ExportError> {
        let from = SimTime::from_seconds(first);
        let until = last.map_or(reached, |until| SimTime::from_seconds(until).min(reached));
        if from > until {
            let last = last.unwrap_or_else(|| reached.seconds());
            return Err(ExportError::NoTime { from: first, until: last, reached });
        }
        Ok(Self { from, until })
    }

    pub(super) fn has(&self, time: SimTime) -> bool {
        self.from <= time && time <= self.until
    }
}

/// The instants of frames, in order, each once. `steps` is the number of steps of the run, which came to `reached`.
pub(super) fn instants(
    request: &ExportRequest,
    scenario: &Scenario,
    part: Part,
    (steps, reached): (u64, SimTime),
) -> Result<Vec<SimTime>, ExportError> {
    let most = FRAMES_MAX;
    if let Some(every) = request.every {
        let frames = (part.until.since(part.from) / every).floor();
        if frames >= most as f64 {
            return Err(ExportError::TooManyFrames { frames: frames + 1.0, most });
        }
        // Counted from the start, so that rounding errors do not add up.
        let all = (0..=frames as u64 + 1).map(|count| part.from.plus(count as f64 * every));
        return Ok(all.filter(|&time| part.has(time)).collect());
    }
    let record = &scenario.record;
    let step_end = |step: u64| SimTime::from_seconds((step as f64 * scenario.timestep).min(scenario.duration));
    let first = (request.from / scenario.timestep / record.stride as f64).floor() as u64;
    let last = (part.until.seconds() / scenario.timestep / record.stride as f64).ceil() as u64;
    let last = last.min(steps / record.stride);
    let frames = last.saturating_sub(first) + 1;
    if frames > most {
        return Err(ExportError::TooManyFrames { frames: frames as f64, most });
    }
    let recorded = (first..=last).map(|row| step_end(row * record.stride));
    let mut all: Vec<SimTime> = recorded.chain(record.at.iter().copied()).chain([reached]).collect();
    all.retain(|&time| part.has(time));
    all.sort_unstable();
    all.dedup();
    Ok(all)
}
