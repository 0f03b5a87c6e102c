//! A pair of bodies, with a periodic image of the second.
//!
//! The smaller id is first, so a pair has one notation and its arithmetic has one order. Both bodies then get the same
//! bits.

use std::hint::select_unpredictable;

use super::path_record::PathRecords;
use super::table::BodyTable;
use crate::dynamics::{BodyId, Space};
use crate::geometry::Shape;
use crate::motion::{Path, Relative, SimTime};
use crate::numeric::lane::rounded;
use glam::DVec3;

/// An unordered pair of bodies, with the smaller id first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct Pair {
    pub(in crate::dynamics) a: BodyId,
    pub(in crate::dynamics) b: BodyId,
    /// Periods to add to the path of `b` to get this image.
    pub(in crate::dynamics) image: [i32; 3],
}

/// When and how two bodies that collide meet. The time is in seconds from the start of their motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct Meeting {
    pub(in crate::dynamics) time: f64,
    /// From `a` to `b`.
    pub(in crate::dynamics) normal: DVec3,
    /// The part of an outline that is met; 0 for other bodies.
    pub(in crate::dynamics) part: u32,
}

impl Pair {
    /// The pair of `one` and the image of `other` that lies `image` periods from its path.
    #[inline]
    pub(in crate::dynamics) fn new(one: BodyId, other: BodyId, image: [i32; 3]) -> Self {
        let ordered = one <= other;
        let sign = if ordered { 1 } else { -1 };
        Self { a: one.min(other), b: one.max(other), image: image.map(|periods| periods * sign) }
    }

    /// The pair of two ballistic spheres that are neighbours at the present, with their nearest images.
    #[inline(always)]
    pub(in crate::dynamics) fn of_nearest(one: BodyId, other: BodyId, records: &PathRecords, now: SimTime) -> Self {
        let offset = records.path(other).position_at(now) - records.path(one).position_at(now);
        let image = |axis: usize| -rounded(offset[axis] * records.common.turns[axis].per_length) as i32;
        Self::new(one, other, [image(0), image(1), image(2)])
    }

    /// The body of the pair that is not `one`.
    #[inline(always)]
    pub(in crate::dynamics) fn other(&self, one: BodyId) -> BodyId {
        select_unpredictable(self.a == one, self.b, self.a)
    }

    /// The motion of `b`'s image seen from `a`, its time counted from `start`.
    ///
    /// The order is always the same, so that both bodies get the same bits.
    #[inline]
    pub(in crate::dynamics) fn motion(&self, rows: &BodyTable, space: &Space, start: SimTime) -> Relative {
        self.motion_of([&rows.path_from(self.a, start), &rows.path_from(self.b, start)], space, start)
    }

    /// The same, given the paths of both.
    #[inline]
    pub(in crate::dynamics) fn motion_of(&self, [a, b]: [&Path; 2], space: &Space, start: SimTime) -> Relative {
        let mut motion = Relative::between(a, b, start);
        motion.position = self.image_offset(motion.position, space);
        motion
    }

    /// The vector from `a` to `b`'s image, where `b` itself lies `offset` from `a`, m.
    #[inline]
    pub(in crate::dynamics) fn image_offset(&self, offset: DVec3, space: &Space) -> DVec3 {
        if self.image == [0; 3] { offset } else { offset + space.shift(self.image) }
    }

    /// The same pair with its image counted through all periods that both bodies have crossed.
    ///
    /// A new path begins in the periodic cell, which changes the number of the image seen from it. The absolute number
    /// does not change, so it identifies contacts and passages, which may last longer than a path. A half-space has
    /// only one image.
    pub(in crate::dynamics) fn absolute(&self, rows: &BodyTable) -> Self {
        self.renumbered(rows, 1)
    }

    /// The pair that has this one as its [`absolute`](Self::absolute).
    pub(in crate::dynamics) fn as_seen_from_path(&self, rows: &BodyTable) -> Self {
        self.renumbered(rows, -1)
    }

    fn renumbered(&self, rows: &BodyTable, sign: i64) -> Self {
        let [a, b] = [self.a.index(), self.b.index()];
        if [self.a, self.b].into_iter().any(|id| matches!(rows.shape(id), Shape::Plane(_))) {
            return Self { image: [0; 3], ..*self };
        }
        let turns = |axis: usize| (sign * (rows.turns[a][axis] - rows.turns[b][axis])) as i32;
        Self { image: std::array::from_fn(|axis| self.image[axis].wrapping_add(turns(axis))), ..*self }
    }

    /// The common epoch of both paths: from this instant on both hold.
    #[inline]
    pub(in crate::dynamics) fn epoch(&self, rows: &BodyTable) -> SimTime {
        rows.since(self.a).max(rows.since(self.b))
    }
}
