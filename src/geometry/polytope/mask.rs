//! The planes of a polytope that still have to be tested.
//!
//! If a box is entirely in front of a plane, so is everything in the box. So a tree of boxes can be traversed with
//! fewer and fewer planes (Assarsson & Möller, *Optimized View Frustum Culling Algorithms for Bounding Boxes*, 2000,
//! "masking").

/// Most planes of one polytope, one bit each.
pub const PLANES_MAX: usize = 32;

/// A set of planes of one polytope, by their rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Mask(u32);

impl Mask {
    /// No plane: nothing cuts, everything is inside.
    pub const EMPTY: Self = Self(0);

    /// The first `count` planes.
    pub(super) fn first(count: usize) -> Self {
        (0..count).fold(Self::EMPTY, Self::with)
    }

    /// This set and plane `row`.
    #[inline]
    pub(super) fn with(self, row: usize) -> Self {
        Self(self.0 | 1 << row)
    }

    /// The planes that belong to both sets.
    #[must_use]
    #[inline]
    #[doc(hidden)]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether the set has no plane.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rows of its planes, in order.
    #[inline]
    pub fn rows(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let row = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (row < PLANES_MAX).then_some(row)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_in_order_and_every_plane_has_one() {
        let mask = Mask::EMPTY.with(31).with(0).with(7);
        assert_eq!(mask.rows().collect::<Vec<_>>(), [0, 7, 31]);
        assert_eq!(Mask::first(PLANES_MAX).rows().count(), PLANES_MAX);
        assert_eq!(Mask::first(3).intersection(mask), Mask::first(1));
        assert!(Mask::first(0).is_empty() && Mask::EMPTY.rows().next().is_none());
    }
}
