//! Queries: the bodies that a ray, a moving shape, a point, a box or a polytope meets at the present.
//!
//! Each query searches the grid of the broadphase for domains in reach. A body is in its domain until its domain exit,
//! so no body is missed. The bodies found are tested exactly at their positions. Domains and the order of the grid
//! never change an answer: of equally good answers, the one with the smaller body id is returned, then the smaller
//! primitive, then the smaller periodic image.
//!
//! In a periodic space a query treats every image of a body as a body, except that
//! - [`overlapping`](super::Stepper::overlapping) returns each body once;
//! - [`inside`](super::Stepper::inside) finds bodies only at their positions in the periodic cell;
//! - a ray or a moving shape crosses at most [`BORDERS_MAX`] borders of the cell, so it ends even if it meets nothing
//!   and its `until` is infinite;
//! - a half-space has one image only.
//!
//! A query with a number that is NaN or beyond 1e70, including infinity, finds nothing, unless its documentation allows
//! infinity. A query that starts 2³⁰ periods from the periodic cell, or farther, finds nothing either, unless it is a
//! box that reaches to that cell.

mod nearest;
mod periodic;
mod ray;
mod region;
mod shape_cast;
mod slide;

use std::cmp::Ordering;
use std::ops::Range;

use glam::DVec3;

use super::body::moderate;
use super::body::table::BodyTable;
use super::{BodyId, Layers, Response};
use crate::numeric::quantity::MAGNITUDE_MIN;

pub use nearest::NearHit;
pub use periodic::{ASIDE_MAX, BORDERS_MAX};
pub use ray::RayHit;
pub use region::{Extent, RegionHit};
pub use shape_cast::SweepHit;
pub use slide::{Inside, SLIDE_HITS_MAX, Slide, SlideOptions, SlideShape};

/// Which bodies a query sees.
#[derive(Clone)]
pub struct Sight<'a> {
    /// Only bodies in one of these layers are seen.
    pub layers: Layers,
    /// Whether sensors are seen.
    pub sensors: bool,
    /// Ranges of ids that are not seen; a range may be empty.
    pub hidden: Vec<Range<u32>>,
    /// Only bodies for which this is true are seen. It is asked last, and may be asked several times about a body.
    pub only: Option<&'a dyn Fn(BodyId) -> bool>,
}

impl Sight<'_> {
    /// All bodies except sensors.
    pub const ALL: Self = Self { layers: Layers::ALL, sensors: false, hidden: Vec::new(), only: None };

    #[inline]
    fn sees(&self, id: BodyId, rows: &BodyTable) -> bool {
        if self.hidden.iter().any(|range| range.contains(&id.0)) {
            return false;
        }
        let role = rows.role(id);
        role.layers.meets(self.layers)
            && (self.sensors || role.response == Response::Collide)
            && self.only.is_none_or(|only| only(id))
    }
}

/// All bodies except sensors.
impl Default for Sight<'_> {
    fn default() -> Self {
        Self::ALL
    }
}

/// A point of a body, and the position of that body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// The body.
    pub body: BodyId,
    /// The part of the body: the row of a mesh's triangle in the list that the mesh was made from, the number of
    /// a grid's cell, 0 for other bodies.
    pub primitive: u32,
    /// Position of the body, or of its image that was found, m. Boxes do not rotate, and a rotation of a ball changes
    /// nothing.
    pub position: DVec3,
    /// The point, m, world frame.
    pub point: DVec3,
}

impl Spot {
    /// The point relative to the body's position, m.
    pub fn local(&self) -> DVec3 {
        self.point - self.position
    }
}

/// One image of a body, as a candidate for a query.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    id: BodyId,
    /// Number of periods from the body's position in the periodic cell.
    image: [i32; 3],
    /// Position of the image, m.
    position: DVec3,
}

/// The rank of an answer: the smaller, the better. No two answers have equal ranks.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rank {
    value: f64,
    id: BodyId,
    primitive: u32,
    image: [i32; 3],
}

impl Rank {
    #[inline]
    fn new(value: f64, found: &Candidate, primitive: u32) -> Self {
        Self { value, id: found.id, primitive, image: found.image }
    }

    /// The body, and which of its images.
    fn body(&self) -> (BodyId, [i32; 3]) {
        (self.id, self.image)
    }

    #[inline]
    fn order(&self, other: &Self) -> Ordering {
        let key = |rank: &Self| (rank.id, rank.primitive, rank.image);
        self.value.total_cmp(&other.value).then_with(|| key(self).cmp(&key(other)))
    }
}

/// The best answer so far.
struct Best<T>(Option<(Rank, T)>);

impl<T> Best<T> {
    /// Keeps an answer if it is the best.
    #[inline]
    fn offer(&mut self, rank: Rank, answer: T) {
        if self.0.as_ref().is_none_or(|(best, _)| rank.order(best) == Ordering::Less) {
            self.0 = Some((rank, answer));
        }
    }

    fn answer(self) -> Option<T> {
        self.0.map(|(_, answer)| answer)
    }
}

/// Whether `v` has a length with which a query can compute.
fn is_direction(v: DVec3) -> bool {
    moderate(v) && v.abs().max_element() >= MAGNITUDE_MIN
}
