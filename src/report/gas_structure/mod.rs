//! How the bodies of a gas are placed, and how far they get: one file for each plot.

pub(super) mod displacement;
pub(super) mod radial;
mod rows;
