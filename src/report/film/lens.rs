//! Where a film is seen from: along an axis or obliquely, at one place or with a body in the middle.

use glam::{DVec2, DVec3};

use super::flat::Flat;
use super::slant::Slant;
use crate::dynamics::Period;
use crate::geometry::Shape;
use crate::report::drawing::canvas::Canvas;
use crate::report::drawing::ink::Color;
use crate::report::motion::scene::Prop;
use crate::report::motion::track::Leg;

/// The view of a picture.
pub(super) enum Lens<'a> {
    Flat(Flat<'a>),
    Slant(Slant),
}

/// A free body in a picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solid<'a> {
    pub(super) shape: &'a Shape,
    /// Its place, m.
    pub(super) place: DVec3,
    pub(super) color: Color,
}

/// What a picture shows besides its axes.
#[derive(Default)]
pub(super) struct Shot<'a> {
    /// Bodies that are not free, at their present places.
    pub(super) props: Vec<Prop<'a>>,
    /// Paths behind bodies; later ones cover earlier ones.
    pub(super) trails: Vec<(Vec<Leg>, Color)>,
    pub(super) solids: Vec<Solid<'a>>,
}

impl<'a> Lens<'a> {
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
            Self::Flat(flat) => Self::Flat(flat.around(place)),
            Self::Slant(slant) => Self::Slant(slant.around(place)),
        }
    }
}

/// The periods with the point in the middle of each.
pub(super) fn centred<const N: usize>(periods: [Option<Period>; N], point: [f64; N]) -> [Option<Period>; N] {
    std::array::from_fn(|axis| {
        periods[axis].map(|period| {
            let half = 0.5 * period.length();
            Period { min: point[axis] - half, max: point[axis] + half }
        })
    })
}
