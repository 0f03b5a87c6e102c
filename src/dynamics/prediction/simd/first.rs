//! The first two meetings of a ball with its neighbours, in vector lanes and as numbers.
//!
//! The second meeting is needed only to decide whether the first is clearly before it; otherwise the pairs are
//! predicted one by one.

use pulp::Simd;

use crate::numeric::lane::{LANES, Lane};

/// Blocks of neighbours per pass, after which undecided pairs are predicted.
pub(super) const BLOCKS: usize = 3;

/// Neighbours per pass.
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
}

/// The first two meetings with the neighbours that each lane has seen.
#[derive(Clone, Copy)]
pub(super) struct FirstLanes<S: Simd> {
    after: Lane<S>,
    second: Lane<S>,
    row: Lane<S>,
    time: Lane<S>,
}

impl<S: Simd> FirstLanes<S> {
    #[inline(always)]
    pub(super) fn none(simd: S) -> Self {
        let [never, zero] = [NEVER, 0.0].map(|number| Lane::splat(simd, number));
        Self { after: never, second: never, row: zero, time: zero }
    }

    /// Adds a meeting with a neighbour in a later row. Which is earlier is unpredictable, so the code has no branch.
    #[inline(always)]
    pub(super) fn add(&mut self, after: Lane<S>, row: Lane<S>, time: Lane<S>) {
        let first = after.below(self.after);
        let later = first.choose(self.after, after);
        self.second = later.below(self.second).choose(later, self.second);
        self.after = first.choose(after, self.after);
        self.row = first.choose(row, self.row);
        self.time = first.choose(time, self.time);
    }

    /// The first two meetings of all lanes. If several meetings are first at the same time, the one in the earliest row
    /// is taken.
    #[inline(always)]
    pub(super) fn first(self) -> First {
        let after = self.after.least();
        let is_first = self.after.up_to(Lane::splat(self.after.simd(), after));
        let [mut row, mut time] = [[0.0; LANES]; 2];
        self.row.store(&mut row, 0);
        self.time.store(&mut time, 0);
        let place = is_first.bits().trailing_zeros() as usize;
        let second = is_first.choose(self.second, self.second.lesser(self.after)).least();
        if is_first.bits().is_power_of_two() || after == NEVER {
            return First { after, second, row: row[place] as usize, time: time[place] };
        }
        let tied = (0..S::F64_LANES).filter(|lane| is_first.bits() >> lane & 1 != 0);
        let place = tied.min_by(|&x, &y| row[x].total_cmp(&row[y])).unwrap_or(place);
        First { after, second: after, row: row[place] as usize, time: time[place] }
    }
}
