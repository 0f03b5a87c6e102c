//! Two bodies, and which periodic image of the second is meant.

use super::rows::Rows;
use super::{BodyId, Space};
use crate::motion::{Relative, SimTime};

/// An unordered pair of bodies written in the one order it has: the smaller id first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) a: BodyId,
    pub(super) b: BodyId,
    /// Periods to add to the path of `b` for the image that is meant.
    pub(super) image: [i32; 3],
}

impl Pair {
    /// The pair of `one` and the image of `other` that lies `image` periods from its path.
    #[inline]
    pub(super) fn new(one: BodyId, other: BodyId, image: [i32; 3]) -> Self {
        if one <= other {
            Self { a: one, b: other, image }
        } else {
            Self { a: other, b: one, image: image.map(|periods| -periods) }
        }
    }

    /// The body of the pair that is not `one`.
    pub(super) fn other(&self, one: BodyId) -> BodyId {
        if self.a == one { self.b } else { self.a }
    }

    /// The motion of `b`'s image seen from `a`, its time counted from `start`.
    ///
    /// Always taken in this order, so that both bodies get the same bits.
    #[inline]
    pub(super) fn motion(&self, rows: &Rows, space: &Space, start: SimTime) -> Relative {
        let mut motion = Relative::between(&rows.paths[self.a.index()], &rows.paths[self.b.index()], start);
        if self.image != [0; 3] {
            motion.position += space.shift(self.image);
        }
        motion
    }

    /// The instant from which both paths hold.
    #[inline]
    pub(super) fn epoch(&self, rows: &Rows) -> SimTime {
        rows.paths[self.a.index()].epoch.max(rows.paths[self.b.index()].epoch)
    }
}
