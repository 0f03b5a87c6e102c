//! How far two solids are apart at one instant, and in which direction.
//!
//! The separation is the signed gap: negative means overlap, by the depth of the shortest way out. For
//! boxes it is measured along the axes: two boxes that miss each other by a corner are apart by the larger
//! of the two gaps, not by the distance of the corners. The sign is that of the Euclidean gap.

mod separation;
mod solids;
pub mod triangle_gap;

pub use separation::Gap;
pub(crate) use separation::{largest, side};
pub use solids::gap;
