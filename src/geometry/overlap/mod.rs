//! Whether two solids at rest share points, and how.
//!
//! Solids are closed: touching solids share points. For balls and discs, squares are compared without a square root, so
//! touching is detected exactly if the numbers are exact. Results for pairs that are apart, touch, or contain NaN:
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
