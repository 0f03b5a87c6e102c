//! Planar worlds in a scenario: their shapes, and what they do not have.

mod fault;
pub(super) mod shapes;

pub use fault::PlanarFault;
