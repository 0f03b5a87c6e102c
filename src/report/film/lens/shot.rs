//! What a picture shows besides its axes.

use glam::DVec3;

use crate::dynamics::Period;
use crate::geometry::Shape;
use crate::report::drawing::Color;
use crate::report::motion::props::Prop;
use crate::report::motion::track::Leg;

/// A free body in a picture.
#[derive(Debug, Clone, Copy)]
pub(in crate::report::film) struct Solid<'a> {
    pub(in crate::report::film) shape: &'a Shape,
    /// Its place, m.
    pub(in crate::report::film) place: DVec3,
    pub(in crate::report::film) color: Color,
}

/// What a picture shows besides its axes.
#[derive(Default)]
pub(in crate::report::film) struct Shot<'a> {
    /// Bodies that are not free, at their present places.
    pub(in crate::report::film) props: Vec<Prop<'a>>,
    /// Paths behind bodies; later ones cover earlier ones.
    pub(in crate::report::film) trails: Vec<(Vec<Leg>, Color)>,
    pub(in crate::report::film) solids: Vec<Solid<'a>>,
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
