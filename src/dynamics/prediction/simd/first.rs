//! The first two meetings of a ball with its neighbours, and the number of neighbours per pass.

use std::hint::select_unpredictable;

use crate::numeric::lane::LANES;

/// Blocks of neighbours classified per pass, before the roots are computed.
pub(super) const BLOCKS: usize = 3;

/// Neighbours classified per pass, before the roots are computed.
pub(in crate::dynamics) const GROUP: usize = BLOCKS * LANES;

/// The time of a pair that does not meet.
pub(in crate::dynamics) const NEVER: f64 = f64::INFINITY;

/// The first two meetings of a ball with its neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct First {
    /// Time of the first from the epoch of the ball's path, s; [`NEVER`] if there is none.
    pub(in crate::dynamics) after: f64,
    /// Time of the second from there, s.
    pub(in crate::dynamics) second: f64,
    /// Row of the first neighbour met.
    pub(in crate::dynamics) row: usize,
    /// Time of the first from the common epoch of the two paths, s.
    pub(in crate::dynamics) time: f64,
}

impl First {
    pub(in crate::dynamics) const NONE: Self = Self { after: NEVER, second: NEVER, row: 0, time: 0.0 };

    /// Adds a meeting with a neighbour in a later row. Which is earlier is unpredictable, so the code has no branch.
    #[inline(always)]
    pub(super) fn add(&mut self, after: f64, row: usize, time: f64) {
        let first = after < self.after;
        let later = select_unpredictable(first, self.after, after);
        self.second = select_unpredictable(later < self.second, later, self.second);
        self.after = select_unpredictable(first, after, self.after);
        self.row = select_unpredictable(first, row, self.row);
        self.time = select_unpredictable(first, time, self.time);
    }
}
