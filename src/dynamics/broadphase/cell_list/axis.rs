//! The cells along one axis: their numbers, and their places in memory.
//!
//! An axis of a periodic space has a whole number of cells per period. An open axis has cells without end; cells a
//! multiple of `count` apart share a place.

use glam::DVec3;

use crate::dynamics::settings::Period;
use crate::numeric::whole::floor;

/// Smallest number of cells per period: with these, only one image of each body is in the cells around another body,
/// and the vector code can distinguish it from the others.
const COUNT_MIN: i64 = 7;

/// Smallest and largest number of places along an open axis.
pub(super) const PLACES_MIN: i64 = 8;
const PLACES_MAX: i64 = 1 << 20;

/// Largest absolute number of a cell.
const NUMBER_MAX: i64 = 1 << 30;

/// The cells along one axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    /// Coordinate where the cell of number 0 begins, m.
    start: f64,
    /// Edge of a cell, m.
    pub(super) edge: f64,
    /// Number of places. Along an open axis it is a power of two, and cells that far apart share a place.
    pub(super) count: i32,
    pub(super) repeats: bool,
    /// From a place to the next one along this axis.
    pub(super) stride: usize,
}

impl Axis {
    /// Cells no shorter than `edge`, a whole number of them per period; `None` if the period is too short. An open axis
    /// gets places for `extent`, m.
    pub(super) fn new(edge: f64, period: Option<Period>, extent: f64) -> Option<Self> {
        let Some(period) = period else {
            let count = floor(extent / edge).saturating_add(1).clamp(PLACES_MIN, PLACES_MAX) as u64;
            let count = count.next_power_of_two() as i32;
            return Some(Self { start: 0.0, edge, count, repeats: false, stride: 0 });
        };
        let count = floor(period.length() / edge);
        let count = i32::try_from(count).ok().filter(|&count| i64::from(count) >= COUNT_MIN)?;
        let edge = period.length() / f64::from(count);
        Some(Self { start: period.min, edge, count, repeats: true, stride: 0 })
    }

    /// The number of the cell that contains a coordinate; `None` if it is too far out. A coordinate of a periodic axis
    /// is in the periodic cell, up to rounding.
    #[inline(always)]
    pub(super) fn number(&self, x: f64) -> Option<i32> {
        let number = floor((x - self.start) / self.edge);
        if self.repeats {
            return Some(number.clamp(0, i64::from(self.count) - 1) as i32);
        }
        (-NUMBER_MAX < number && number < NUMBER_MAX).then_some(number as i32)
    }

    /// The centre of a cell, m.
    #[inline(always)]
    pub(super) fn middle(&self, number: i32) -> f64 {
        self.start + (f64::from(number) + 0.5) * self.edge
    }

    #[inline(always)]
    pub(super) fn place(&self, number: i32) -> usize {
        let row = if self.repeats { number } else { number & (self.count - 1) };
        row as usize * self.stride
    }

    /// The places of the cell before, the cell itself, and the cell after it.
    #[inline(always)]
    pub(super) fn around(&self, number: i32) -> [usize; 3] {
        let (before, behind) = (number - 1, number + 1);
        let before = if self.repeats && before < 0 { self.count - 1 } else { before };
        let behind = if self.repeats && behind == self.count { 0 } else { behind };
        [self.place(before), self.place(number), self.place(behind)]
    }

    /// The number of cells from one cell to another along the shorter way, and the number of periods from there to the
    /// image nearby.
    #[inline(always)]
    pub(super) fn steps(&self, from: i32, to: i32) -> (i32, i8) {
        let steps = to - from;
        match steps {
            _ if !self.repeats => (steps, 0),
            steps if 2 * steps > self.count => (steps - self.count, -1),
            steps if 2 * steps < -self.count => (steps + self.count, 1),
            steps => (steps, 0),
        }
    }

    /// The first and the last cell number of a range of coordinates, such that each place occurs once.
    pub(super) fn range(&self, min: f64, max: f64) -> [i64; 2] {
        let [low, high] = [min, max].map(|x| floor((x - self.start) / self.edge));
        let last = i64::from(self.count) - 1;
        if self.repeats { [low.max(0), high.min(last)] } else { [low, high.min(low.saturating_add(last))] }
    }

    /// The place of a cell number in a [range](Self::range).
    pub(super) fn place_in_range(&self, number: i64) -> usize {
        (if self.repeats { number } else { number & i64::from(self.count - 1) }) as usize * self.stride
    }
}

/// The numbers of a cell along the axes.
pub(in crate::dynamics) type Numbers = [i32; 3];

/// Whether these steps lead to an adjacent cell, or to none.
#[inline]
pub(super) fn are_near(steps: Numbers) -> bool {
    steps.iter().all(|steps| steps.abs() <= 1)
}

/// Smallest gap, relative to a diameter, between two balls in cells that are not adjacent.
pub(super) const APART: f64 = 1.0 / 256.0;

/// Smallest distance, relative to the edge, that bodies may be beyond the border of their cell.
pub(super) const OVER_MIN: f64 = 1.0 / 64.0;

/// How far balls of this radius may be beyond the border of a cell with this edge, m.
pub(super) fn over(edge: f64, radius: f64) -> f64 {
    (0.5 * (edge - 2.0 * radius * (1.0 + APART))).max(OVER_MIN * edge)
}

#[inline]
pub(super) fn at([x, y, z]: &[Axis; 3], place: DVec3) -> Option<Numbers> {
    Some([x.number(place.x)?, y.number(place.y)?, z.number(place.z)?])
}

#[inline]
pub(super) fn place(axes: &[Axis; 3], cell: Numbers) -> usize {
    FIRST + axes[0].place(cell[0]) + axes[1].place(cell[1]) + axes[2].place(cell[2])
}

/// Rows are stored one after the other, and layers of rows one after the other.
pub(super) fn lay_out(axes: &mut [Axis; 3]) {
    let row = row(axes);
    [axes[0].stride, axes[1].stride, axes[2].stride] = [1, row, row * axes[1].count as usize];
}

/// Number of places, with the twins.
pub(super) fn places(axes: &[Axis; 3]) -> usize {
    row(axes) * axes[1].count as usize * axes[2].count as usize
}

/// Place of the first cell in a row along the first axis. Before it is the twin of the last cell, and behind the last
/// cell the twin of the first, so that the cells around a cell are runs of three.
pub(super) const FIRST: usize = 1;

/// Number of places in a row, with the twins.
pub(super) fn row([x, ..]: &[Axis; 3]) -> usize {
    x.count as usize + 2 * FIRST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_follow_one_another_and_meet_at_the_ends_of_a_period() {
        let period = Some(Period { min: -1.0, max: 7.0 });
        let [open, closed] = [None, period].map(|period| Axis { stride: 1, ..Axis::new(1.1, period, 20.0).unwrap() });
        assert_eq!((closed.count, closed.edge, open.count, open.edge), (7, 8.0 / 7.0, 32, 1.1));
        assert_eq!((closed.around(6), closed.around(0)), ([5, 6, 0], [6, 0, 1]));
        assert_eq!((open.around(-1), open.around(32)), ([30, 31, 0], [31, 0, 1]));
        let ways = [(closed, 6, 0), (closed, 0, 6), (closed, 2, 3), (open, 31, 0)].map(|(axis, a, b)| axis.steps(a, b));
        assert_eq!(ways, [(1, 1), (-1, -1), (1, 0), (-31, 0)]);
        let numbers = [-1.0, -1.1, 7.0, 6.99, f64::NAN].map(|x| closed.number(x));
        assert_eq!(numbers, [0, 0, 6, 6, 0].map(Some));
        let numbers = [-0.1, 0.0, 2.5e9, -1e300, f64::INFINITY].map(|x| open.number(x));
        assert_eq!(numbers, [Some(-1), Some(0), None, None, None]);
        assert_eq!((closed.range(-9.0, 0.5), open.range(-1e300, 1e300)), ([0, 1], [i64::MIN, i64::MIN + 31]));
        assert_eq!(Axis::new(1e-300, None, 1.0).map(|axis| i64::from(axis.count)), Some(PLACES_MAX));
        assert!(Axis::new(1.2, period, 0.0).is_none());
    }
}
