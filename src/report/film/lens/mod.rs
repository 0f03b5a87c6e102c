//! Where a film is seen from: along an axis or obliquely, at one place or with a body in the middle.

mod flat;
mod shot;
mod slant;

use glam::{DVec2, DVec3};

pub(super) use flat::{FILL, Flat};
pub(super) use shot::{Shot, Solid};
pub(super) use slant::Slant;

use crate::report::drawing::Canvas;

/// The view of a picture.
pub(super) trait Lens: Send + Sync {
    /// Draws what is behind all bodies.
    fn behind(&self, canvas: &mut Canvas);

    /// Draws bodies and their paths.
    fn shot(&self, canvas: &mut Canvas, shot: Shot<'_>);

    /// Draws the edge over the bodies, and axes if `with_axes` is true.
    fn before(&self, canvas: &mut Canvas, with_axes: bool);

    /// The place of a point of the world in the picture, pixels; `None` if it is outside.
    fn place(&self, point: DVec3) -> Option<DVec2>;

    /// The view with a body at this place in the middle; it is as wide as this one.
    fn around(&self, place: DVec3) -> Box<dyn Lens + '_>;
}
