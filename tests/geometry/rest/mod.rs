//! Shapes at rest: closest points, intersections and ray casts.

mod casts;
mod closest;
mod meet;
mod one_convention;
