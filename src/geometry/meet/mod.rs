//! Where lines, rays and planes meet, and how they lie to each other if they do not.
//!
//! One file a kind of thing; every way they can lie is a named outcome. How far a decision can be trusted depends on
//! what is given:
//!
//! | decision | by |
//! |---|---|
//! | two lines in the plane are parallel, or coincident | the coefficients as they are, exactly |
//! | two rays or planes are parallel | their directions, within `PARALLEL_SLACK` |
//! | two rays meet; three planes have a point or a line in common | the gap, within `MEETING_SLACK` of the coordinates |
//!
//! A [`Ray`](crate::geometry::Ray)'s direction and a [`Plane`](crate::geometry::Plane)'s normal have as a rule been
//! rounded before they come here, so exact parallelism would be a matter of luck; the coefficients of a
//! [`Line2`](crate::geometry::Line2) are kept as they are given.

mod lines;
mod planes;
mod rays;

pub use lines::{Lines, line2_line2};
pub use planes::{Line, Planes, ThreePlanes, plane_plane, plane_plane_plane};
pub use rays::{Common, Rays, ray_ray};
