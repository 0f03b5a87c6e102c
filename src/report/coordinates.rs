//! The indices and the symbols of the coordinates of a scenario.

use crate::scenario::{Axis, Plane2};

/// The horizontal and the vertical coordinate.
pub(super) const fn plane_axes(plane: Plane2) -> [usize; 2] {
    match plane {
        Plane2::XY => [0, 1],
        Plane2::XZ => [0, 2],
        Plane2::YZ => [1, 2],
    }
}

/// The axis along which a plane of two axes is seen.
pub(super) const fn across(axes: [usize; 2]) -> usize {
    3 - axes[0] - axes[1]
}

pub(super) const fn axis_index(axis: Axis) -> usize {
    axis as usize
}

/// The symbol of a coordinate on an axis, as a formula.
pub(super) const fn axis_symbol(axis: usize) -> &'static str {
    ["$x$", "$y$", "$z$"][axis]
}

pub(super) const fn axis_name(axis: usize) -> &'static str {
    ["x", "y", "z"][axis]
}
