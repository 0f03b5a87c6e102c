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
pub(super) enum Lens<'a> {
    Flat(Box<Flat<'a>>),
    Slant(Box<Slant>),
}

impl Lens<'_> {
    /// Draws what is behind all bodies.
    pub(super) fn behind(&self, canvas: &mut Canvas) {
        match self {
            Self::Flat(flat) => flat.behind(canvas),
            Self::Slant(slant) => slant.behind(canvas),
        }
    }

    /// Draws bodies and their paths.
    pub(super) fn shot(&self, canvas: &mut Canvas, shot: Shot<'_>) {
        match self {
            Self::Flat(flat) => flat.shot(canvas, shot),
            Self::Slant(slant) => slant.shot(canvas, shot),
        }
    }

    /// Draws the edge over the bodies, and axes if `with_axes` is true.
    pub(super) fn before(&self, canvas: &mut Canvas, with_axes: bool) {
        match self {
            Self::Flat(flat) => flat.before(canvas, with_axes),
            Self::Slant(slant) if with_axes => slant.before(canvas),
            Self::Slant(_) => {}
        }
    }

    /// The place of a point of the world in the picture, pixels; `None` if it is outside.
    pub(super) fn place(&self, point: DVec3) -> Option<DVec2> {
        match self {
            Self::Flat(flat) => flat.place(point),
            Self::Slant(slant) => slant.place(point),
        }
    }

    /// The view with a body at this place in the middle; it is as wide as this one.
    pub(super) fn around(&self, place: DVec3) -> Self {
        match self {
            Self::Flat(flat) => Self::Flat(Box::new(flat.around(place))),
            Self::Slant(slant) => Self::Slant(Box::new(slant.around(place))),
        }
    }
}
