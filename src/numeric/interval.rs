//! Closed intervals of the real line, and small sorted sets of them.
//!
//! A pair of solids overlaps during such a set of times. An interval is closed; its interior is where
//! the solids really overlap, its ends are where they touch. Two intervals of one set may share an end:
//! there the solids come apart for an instant, so a new overlap begins.

/// The closed range [enter, leave]; either end may be infinite.
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

    /// The common part, if it is longer than a point. Touching intervals have none.
    #[inline]
    pub fn intersection(self, other: Self) -> Option<Self> {
        let enter = if self.enter > other.enter { self.enter } else { other.enter };
        let leave = if self.leave < other.leave { self.leave } else { other.leave };
        (enter < leave).then_some(Self { enter, leave })
    }
}

/// Most intervals in one set: the thirteen axes of a box and a triangle, of two intervals each, meet in at most
/// fourteen. The three axes of two boxes meet in at most four, and the path of a ball around a box adds at most one for
/// each edge it rounds on the way. A ball loses a triangle at most seven times: its distance from a line or from a point
/// is largest once, and there are a face, three edges and three vertices.
const CAPACITY: usize = 14;

/// Up to fourteen intervals, sorted, none empty, without common interior.
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

    /// The one interval `[enter, leave]`, or none if that has no interior.
    #[inline]
    pub fn one(enter: f64, leave: f64) -> Self {
        let mut set = Self::EMPTY;
        set.push(enter, leave);
        set
    }

    /// Appends `[enter, leave]` unless it has no interior.
    ///
    /// # Panics
    /// When it begins before the last one ends, or when the set is full.
    #[inline]
    pub fn push(&mut self, enter: f64, leave: f64) {
        if enter < leave {
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

    /// The times that belong to both sets, points left out.
    pub fn intersection(&self, other: &Self) -> Self {
        let mut common = Self::EMPTY;
        let (mut i, mut j) = (0, 0);
        while i < self.count && j < other.count {
            let (a, b) = (self.items[i], other.items[j]);
            if let Some(both) = a.intersection(b) {
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
            (Intervals::EMPTY, Intervals::ALL, Intervals::EMPTY),
        ];
        for (a, b, expected) in rows {
            assert_eq!(a.intersection(&b), expected);
            assert_eq!(b.intersection(&a), expected);
        }
    }

    #[test]
    fn joining_closes_a_common_end() {
        let mut joined = set(&[(0.0, 1.0)]);
        joined.join(1.0, 2.0);
        joined.join(3.0, 4.0);
        assert_eq!(joined, set(&[(0.0, 2.0), (3.0, 4.0)]));
    }
}
