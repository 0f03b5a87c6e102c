//! Where lines, rays and planes meet, and their relative position if they do not.
//!
//! One file per kind of object; every possible position is a named outcome. The accuracy of a decision depends on the
//! input:
//!
//! | decision | by |
//! |---|---|
//! | two lines in the plane are parallel, or coincident | the coefficients as they are, exactly |
//! | two rays or planes are parallel | their directions, within `PARALLEL_SLACK` |
//! | two rays meet; three planes share a point or a line | the gap, within `MEETING_SLACK` of the coordinates |
//!
//! The direction of a [`Ray`](crate::geometry::Ray) and the normal of a [`Plane`](crate::geometry::Plane) usually have
//! rounding errors already, so exact parallelism would be a coincidence. The coefficients of a
//! [`Line2`](crate::geometry::Line2) are kept as they are given.

mod lines;
mod planes;
mod rays;

pub use lines::{Lines, line2_line2};
pub use planes::{Line, Planes, ThreePlanes, plane_plane, plane_plane_plane};
pub use rays::{Common, Rays, ray_ray};
