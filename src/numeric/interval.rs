//! Closed intervals of the real line, and small sorted sets of them.
//!
//! A pair of solids overlaps during such a set of times. An interval is closed: in its interior the solids overlap, at
//! its ends they touch. Two intervals of one set may share an end: there the solids separate for an instant, so a new
//! overlap begins.
//!
//! An overlap may be so short that both its ends round to the same number. It is still an overlap, represented by an
//! interval with equal ends. Two longer intervals that only touch have no common interior, so their intersection is
//! empty.

use super::tolerance::INSTANT_SLACK;

/// The closed range [enter, leave]; either end may be infinite.
///
/// ```
/// use carom::numeric::Interval;
///
/// let (early, late) = (Interval { enter: 0.0, leave: 2.0 }, Interval { enter: 1.0, leave: 3.0 });
/// assert_eq!(early.intersection(late), Some(Interval { enter: 1.0, leave: 2.0 }));
/// assert_eq!(early.intersection(Interval { enter: 2.0, leave: 3.0 }), None);
/// assert!(Interval { enter: 2.0, leave: 2.0 }.is_instant() && !early.is_instant());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Where it begins.
    pub enter: f64,
    /// Where it ends; not before `enter`.
    pub leave: f64,
}

impl Interval {
    /// The whole line.
    pub const ALL: Self = Self { enter: f64::NEG_INFINITY, leave: f64::INFINITY };

    /// The common part. Touching intervals have none, unless one of them is an instant.
    #[inline]
    pub fn intersection(self, other: Self) -> Option<Self> {
        let enter = if self.enter > other.enter { self.enter } else { other.enter };
        let leave = if self.leave < other.leave { self.leave } else { other.leave };
        let has_instant = || self.enter == self.leave || other.enter == other.leave;
        (enter < leave || (enter == leave && has_instant())).then_some(Self { enter, leave })
    }

    /// Whether it is so short that its ends cannot be distinguished within rounding error.
    #[inline]
    pub fn is_instant(self) -> bool {
        let length = self.leave - self.enter;
        length <= INSTANT_SLACK * self.enter.abs().max(self.leave.abs()) && length.is_finite()
    }
}

/// Largest number of intervals in one set. The thirteen axes of a box and a triangle, with two intervals each, have an
/// intersection of at most fourteen. The three axes of two boxes have one of at most four, and the path of a ball
/// around a box adds at most one for each edge that it passes. A ball leaves a triangle at most seven times: its
/// distance from a line or from a point has at most one maximum, and there are a face, three edges and three vertices.
const CAPACITY: usize = 14;

/// Up to fourteen intervals, sorted, without common interior.
///
/// ```
/// use carom::numeric::Intervals;
///
/// let mut times = Intervals::one(0.0, 1.0);
/// times.join(1.0, 2.0);
/// times.push(5.0, 6.0);
/// assert_eq!(times.as_slice().len(), 2);
/// let late = times.intersection(&Intervals::one(1.5, 5.5));
/// let found = late.as_slice().iter().map(|part| (part.enter, part.leave));
/// assert_eq!(found.collect::<Vec<_>>(), [(1.5, 2.0), (5.0, 5.5)]);
/// assert!(times.intersection(&Intervals::one(3.0, 4.0)).is_empty());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Intervals {
    items: [Interval; CAPACITY],
    count: usize,
}

impl Intervals {
    /// No interval.
    pub const EMPTY: Self = Self { items: [Interval::ALL; CAPACITY], count: 0 };

    /// The whole line.
    pub const ALL: Self = Self { items: [Interval::ALL; CAPACITY], count: 1 };

    /// The one interval `[enter, leave]`, or none if it ends before it begins.
    #[inline]
    pub fn one(enter: f64, leave: f64) -> Self {
        let mut set = Self::EMPTY;
        set.push(enter, leave);
        set
    }

    /// Appends `[enter, leave]` unless it ends before it begins.
    ///
    /// # Panics
    /// When it begins before the last one ends, or when the set is full.
    #[inline]
    pub fn push(&mut self, enter: f64, leave: f64) {
        if enter < leave || (enter == leave && enter.is_finite()) {
            debug_assert!(self.as_slice().last().is_none_or(|last| last.leave <= enter));
            self.items[self.count] = Interval { enter, leave };
            self.count += 1;
        }
    }

    /// Appends `[enter, leave]`, as one with the last interval if that ends where this begins.
    #[inline]
    pub fn join(&mut self, enter: f64, leave: f64) {
        match self.items[..self.count].last_mut() {
            Some(last) if last.leave == enter => last.leave = last.leave.max(leave),
            _ => self.push(enter, leave),
        }
    }

    /// The intervals in order.
    #[inline]
    pub fn as_slice(&self) -> &[Interval] {
        &self.items[..self.count]
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The times that do not belong to the other set.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let mut left = Self::EMPTY;
        for piece in self.as_slice() {
            let mut start = piece.enter;
            for hole in other.as_slice().iter().filter(|hole| hole.leave > piece.enter && hole.enter < piece.leave) {
                if start < hole.enter {
                    left.push(start, hole.enter);
                }
                start = start.max(hole.leave);
            }
            if start < piece.leave {
                left.push(start, piece.leave);
            }
        }
        left
    }

    /// The times that belong to both sets. Two longer intervals that only touch have none.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let mut common = Self::EMPTY;
        let (mut i, mut j) = (0, 0);
        while i < self.count && j < other.count {
            let (a, b) = (self.items[i], other.items[j]);
            // An instant at which two intervals of the other set touch is in both of them, and is added once.
            if let Some(both) = a.intersection(b).filter(|both| common.as_slice().last() != Some(both)) {
                common.push(both.enter, both.leave);
            }
            if a.leave < b.leave { i += 1 } else { j += 1 }
        }
        common
    }
}

impl PartialEq for Intervals {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ends: &[(f64, f64)]) -> Intervals {
        let mut set = Intervals::EMPTY;
        ends.iter().for_each(|&(enter, leave)| set.push(enter, leave));
        set
    }

    #[test]
    fn intersections() {
        let inf = f64::INFINITY;
        let rows = [
            (set(&[(0.0, 2.0)]), set(&[(1.0, 3.0)]), set(&[(1.0, 2.0)])),
            (set(&[(0.0, 2.0)]), set(&[(2.0, 3.0)]), set(&[])),
            (set(&[(-inf, 1.0), (2.0, inf)]), set(&[(0.0, 3.0)]), set(&[(0.0, 1.0), (2.0, 3.0)])),
            (set(&[(0.0, 1.0), (1.0, 2.0)]), Intervals::ALL, set(&[(0.0, 1.0), (1.0, 2.0)])),
            (set(&[(0.0, 4.0)]), set(&[(1.0, 2.0), (3.0, 9.0)]), set(&[(1.0, 2.0), (3.0, 4.0)])),
            (set(&[(0.0, 4.0)]), set(&[(3.0, 3.0), (5.0, 5.0)]), set(&[(3.0, 3.0)])),
            (set(&[(0.0, 3.0)]), set(&[(3.0, 3.0)]), set(&[(3.0, 3.0)])),
            (set(&[(2.0, 2.0)]), set(&[(2.0, 2.0)]), set(&[(2.0, 2.0)])),
            (set(&[(3.0, 3.0)]), set(&[(0.0, 3.0), (3.0, 5.0)]), set(&[(3.0, 3.0)])),
            (set(&[(1.0, 1.0), (3.0, 3.0)]), set(&[(0.0, 3.0), (3.0, 5.0)]), set(&[(1.0, 1.0), (3.0, 3.0)])),
            (Intervals::EMPTY, Intervals::ALL, Intervals::EMPTY),
        ];
        for (a, b, expected) in rows {
            assert_eq!(a.intersection(&b), expected);
            assert_eq!(b.intersection(&a), expected);
        }
    }

    #[test]
    fn what_is_left_without_others() {
        let inf = f64::INFINITY;
        let whole = set(&[(-inf, 2.0), (3.0, 8.0)]);
        let rows = [
            (set(&[]), whole),
            (set(&[(-inf, 1.0)]), set(&[(1.0, 2.0), (3.0, 8.0)])),
            (set(&[(1.0, 4.0), (5.0, 6.0)]), set(&[(-inf, 1.0), (4.0, 5.0), (6.0, 8.0)])),
            (set(&[(2.0, 3.0)]), whole),
            (Intervals::ALL, set(&[])),
        ];
        for (other, expected) in rows {
            assert_eq!(whole.without(&other), expected);
        }
    }

    #[test]
    fn an_instant_is_as_short_as_rounding() {
        let at = |enter: f64, leave: f64| Interval { enter, leave }.is_instant();
        assert!(at(7.0, 7.0) && at(0.0, 0.0) && at(7.0, 7.0_f64.next_up()) && at((-7.0_f64).next_down(), -7.0));
        assert!(!at(1.0, 1.0 + 64.0 * f64::EPSILON) && !at(0.0, 1e-300));
        let inf = f64::INFINITY;
        assert!(!at(-inf, inf) && !at(0.0, inf) && !at(-inf, 0.0));
    }

    #[test]
    fn joining_closes_a_common_end() {
        let mut joined = set(&[(0.0, 1.0)]);
        joined.join(1.0, 2.0);
        joined.join(3.0, 4.0);
        assert_eq!(joined, set(&[(0.0, 2.0), (3.0, 4.0)]));
    }
}
