//! Whether two solids at rest share points, and how.
//!
//! Solids are closed: to touch is to share points. Balls and discs are decided by squares, without a root, so that what
//! touches on numbers that are exact is found to touch. Where a pair is apart, lacks interior, or is NaN:
//!
//! | pair | apart | touching | NaN or infinite |
//! |---|---|---|---|
//! | two balls or discs | `Apart`, gap > 0 | `Touching`, `TouchingInside` | `Apart`, gap NaN or infinite |
//! | ball and box | `Apart`, gap > 0 | `Touching` | `Apart`, gap NaN or infinite |
//! | two boxes | `None` | a box without interior | `None` |
//!
//! [`gap`](fn@crate::geometry::gap) has the normal and the depth of the shortest way apart for any pair of shapes, and
//! [`sweep`](crate::sweep) the same pairs in motion.

mod aabb;
mod round;

pub use aabb::{SphereAabb, aabb_aabb, sphere_aabb};
pub use round::{Inner, Rounds, circle_circle, sphere_sphere};
