//! The structure of a gas and the displacements of its bodies: one file for each plot.

pub(super) mod displacement;
pub(super) mod radial;
mod rows;
