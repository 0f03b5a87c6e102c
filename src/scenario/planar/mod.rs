//! Planar worlds in a scenario: their shapes, and what they do not have.

pub(super) mod shapes;
