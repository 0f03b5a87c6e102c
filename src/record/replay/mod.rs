//! Runs taken again from their recordings: step by step, also as a test, or on from where they stopped.

mod again;
mod check;
pub(super) mod resume;

pub(super) use again::{Again, beginning};
pub use again::{ReplayError, ReplayReport, ScriptError, recorded_scenario, replay};
pub use check::{RecordWhen, ReplayTestError, Replayed, assert_replays, check_replay};
