//! The text of a file: its source, the places of values in it, and how to print it safely.

pub(super) mod dialect;
pub(crate) mod files;
pub(super) mod locate;
pub(super) mod nearest;
pub mod printable;
pub(crate) mod rows;
pub mod source;
