//! The text of a file: where it comes from, where in it a value stands, and how it may be shown.

mod dialect;
pub(super) mod locate;
pub(super) mod nearest;
pub mod printable;
pub mod source;
pub(super) mod syntax;
