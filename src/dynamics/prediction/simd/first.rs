//! The first two meetings of a ball with its neighbours, and how many neighbours are looked at at once.

use std::hint::select_unpredictable;

use crate::numeric::lane::LANES;

/// How many blocks of neighbours are sorted before the roots of some are taken.
pub(super) const BLOCKS: usize = 3;

/// How many neighbours are sorted before the roots of some are taken.
pub(in crate::dynamics) const GROUP: usize = BLOCKS * LANES;

/// The time of a pair that does not meet.
pub(in crate::dynamics) const NEVER: f64 = f64::INFINITY;

/// The first two of the meetings of a ball with its neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct First {
    /// s from the beginning of the ball's path; [`NEVER`] if there is none.
    pub(in crate::dynamics) after: f64,
    /// The same of the second.
    pub(in crate::dynamics) second: f64,
    /// Which neighbour is met first.
    pub(in crate::dynamics) row: usize,
    /// When, in s from the later one of the beginnings of the two paths.
    pub(in crate::dynamics) time: f64,
}

impl First {
    pub(in crate::dynamics) const NONE: Self = Self { after: NEVER, second: NEVER, row: 0, time: 0.0 };

    /// One more meeting, with a neighbour in a later row. Which one is earlier cannot be guessed.
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
