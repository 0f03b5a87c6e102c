//! Replays: a run is taken again from its recording, step by step, also as a test.

mod again;
mod check;

pub(super) use again::{Again, beginning, resumed};
pub use again::{ReplayError, ReplayReport, ScriptError, recorded_scenario, replay};
pub use check::{RecordWhen, ReplayTestError, Replayed, assert_replays, check_replay};
