//! One run: what it is to do, the loop that does it, and how it goes on after an interruption.

pub(super) mod checkpoint;
pub(super) mod job;
pub(super) mod moments;
pub(super) mod observers;
pub(super) mod portion;
pub(super) mod resume;
pub(super) mod selection;
pub(super) mod start;
mod stepping;
pub(super) mod unrecorded;
