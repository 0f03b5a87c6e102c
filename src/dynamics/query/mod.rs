//! Queries: what a ray, a shape on its way, a point, a box or a polytope finds among the bodies as they stand now.
//!
//! Each asks the grid of the broadphase whose domains are near. A body is in its domain until it leaves it, so none is
//! missed, and those found are tested exactly where they stand. Neither domains nor the order in which the grid tells
//! of them change an answer: of answers that are equally good the one with the smaller body id counts, then the smaller
//! primitive, then the smaller periodic image.
//!
//! In a periodic space every image of a body is a body to a query, except that
//! - [`overlapping`](Stepper::overlapping) names each body once;
//! - [`inside`](Stepper::inside) looks at bodies only where they stand in the periodic cell;
//! - a ray or a shape on its way is followed through no more than [`BORDERS_MAX`] borders of the cell, so it comes to an
//!   end even if it meets nothing and its `until` is infinite;
//! - a half-space has one image only.
//!
//! A query with a number that is NaN or beyond 1e70, infinite ones included, finds nothing, unless it says that a number
//! may be infinite. Neither does one that starts more than 2³⁰ periods from the periodic cell.

mod nearest;
mod periodic;
mod ray;
mod region;
mod shape_cast;

use std::cmp::Ordering;
use std::ops::Range;

use glam::DVec3;

use super::body::table::BodyTable;
use super::{BodyId, Layers, Response};
use crate::numeric::quantity::{MAGNITUDE_MIN, is_moderate};

pub use nearest::NearHit;
pub use periodic::{ASIDE_MAX, BORDERS_MAX};
pub use ray::RayHit;
pub use region::{Extent, RegionHit};
pub use shape_cast::SweepHit;

/// Which bodies a query sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    /// Those that are in one of these layers.
    pub layers: Layers,
    /// Whether sensors are seen.
    pub sensors: bool,
    /// Ids that are not seen, in ranges any of which may be empty.
    pub hidden: Vec<Range<u32>>,
}

impl Sight {
    /// Everything but sensors.
    pub const ALL: Self = Self { layers: Layers::ALL, sensors: false, hidden: Vec::new() };

    #[inline]
    fn sees(&self, id: BodyId, rows: &BodyTable) -> bool {
        if self.hidden.iter().any(|range| range.contains(&id.0)) {
            return false;
        }
        let role = rows.role(id);
        role.layers.meets(self.layers) && (self.sensors || role.response == Response::Collide)
    }
}

/// Everything but sensors.
impl Default for Sight {
    fn default() -> Self {
        Self::ALL
    }
}

/// A point of a body, and where that body stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// The body.
    pub body: BodyId,
    /// Which part of it: the row of a mesh's triangle in the list that the mesh was made from, 0 for other bodies.
    pub primitive: u32,
    /// Where the body is, or that image of it which is meant, m. A box never turns, and of a ball one does not see it.
    pub position: DVec3,
    /// The point, m, world frame.
    pub point: DVec3,
}

impl Spot {
    /// The point as seen from the body's position, m.
    pub fn local(&self) -> DVec3 {
        self.point - self.position
    }
}

/// One image of a body, as a query comes across it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    id: BodyId,
    /// In periods, from where the body stands in the periodic cell.
    image: [i32; 3],
    /// Where the image stands, m.
    position: DVec3,
}

/// How good an answer is: the better, the less. No two answers are equally good.
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

    #[inline]
    fn order(&self, other: &Self) -> Ordering {
        let key = |rank: &Self| (rank.id, rank.primitive, rank.image);
        self.value.total_cmp(&other.value).then_with(|| key(self).cmp(&key(other)))
    }
}

/// The best answer so far.
struct Best<T>(Option<(Rank, T)>);

impl<T> Best<T> {
    /// Keeps an answer if it is better.
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

fn is_place(v: DVec3) -> bool {
    is_moderate(v.x) && is_moderate(v.y) && is_moderate(v.z)
}

/// Whether `v` has a length that a query can follow.
fn is_direction(v: DVec3) -> bool {
    is_place(v) && v.abs().max_element() >= MAGNITUDE_MIN
}
