//! The separation of two solids at one instant, and its direction.
//!
//! The separation is the signed gap. A negative value means overlap, by the depth of the shortest way out. For boxes it
//! is measured along the axes: if two boxes miss each other at a corner, the separation is the largest of the gaps
//! along the axes, not the distance of the corners. The sign is that of the Euclidean gap.

mod separation;
mod solids;
pub mod triangle_gap;

pub use separation::Gap;
pub(crate) use separation::{largest, side};
pub use solids::gap;
