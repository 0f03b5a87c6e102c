//! The text of a file: its source, the places of values in it, and how to print it safely.

mod dialect;
pub(super) mod files;
pub(super) mod locate;
pub(super) mod nearest;
pub mod printable;
pub mod source;
pub(super) mod syntax;
