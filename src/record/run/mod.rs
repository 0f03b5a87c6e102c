//! One run: what it is to do, and the loop that does it.

pub(super) mod job;
pub(super) mod moments;
pub(super) mod observers;
pub(super) mod portion;
pub(super) mod selection;
pub(super) mod start;
mod stepping;
pub(super) mod unrecorded;
