//! Runs taken again from their recordings: step by step, also as a test, or on from where they stopped.

mod check;
mod rerun;
pub(super) mod resume;

pub use check::{RecordWhen, ReplayTestError, Replayed, assert_replays, check_replay};
pub use rerun::{ReplayError, ReplayReport, ScriptError, recorded_scenario, replay};
pub(super) use rerun::{Rerun, beginning};
