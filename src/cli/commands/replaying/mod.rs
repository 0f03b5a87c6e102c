//! Commands that compare a run with another one, step by step.

pub(in crate::cli) mod diff;
pub(in crate::cli) mod replay;
mod tables;
mod words;
