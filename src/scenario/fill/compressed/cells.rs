//! Cells at least as wide as the largest ball at its final size. A ball can meet only balls in its own cell and in the
//! cells around it.

use glam::DVec3;

use crate::geometry::Aabb;

/// The place of a ball among the cells, counted along each axis.
pub(super) type Cell = [usize; 3];

/// The cells of a box from 0 to `lengths`, and the balls in each.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    /// m.
    pub(super) lengths: DVec3,
    /// Axes along which space repeats. Along each of them there are at least three cells.
    pub(super) endless: [bool; 3],
    counts: [usize; 3],
    members: Vec<Vec<u32>>,
}

impl Cells {
    /// Empty cells, each at least `width` m wide. The number of `balls` limits the number of cells.
    pub(super) fn new(lengths: DVec3, endless: [bool; 3], width: f64, balls: usize) -> Self {
        // Many more cells than balls would only take memory.
        let most = 3 + (2.0 * libm::cbrt(balls as f64)) as usize;
        let counts = [0, 1, 2].map(|axis| ((lengths[axis] / width) as usize).clamp(1, most));
        Self { lengths, endless, counts, members: vec![Vec::new(); counts.iter().product()] }
    }

    /// All cells as boxes, in the order of their numbers.
    pub(super) fn boxes(&self) -> impl Iterator<Item = Aabb> {
        let [xs, ys, zs] = self.counts;
        let width = self.lengths / DVec3::from_array(self.counts.map(|count| count as f64));
        (0..xs * ys * zs).map(move |number| {
            let low = DVec3::new((number % xs) as f64, (number / xs % ys) as f64, (number / (xs * ys)) as f64);
            Aabb { min: low * width, max: (low + 1.0) * width }
        })
    }

    /// The cell of a position.
    pub(super) fn at(&self, position: DVec3) -> Cell {
        [0, 1, 2].map(|axis| {
            let number = position[axis] / self.lengths[axis] * self.counts[axis] as f64;
            (number as usize).min(self.counts[axis] - 1)
        })
    }

    pub(super) fn put(&mut self, id: u32, cell: Cell) {
        let place = self.place(cell);
        self.members[place].push(id);
    }

    pub(super) fn take(&mut self, id: u32, cell: Cell) {
        let place = self.place(cell);
        self.members[place].retain(|&other| other != id);
    }

    /// Calls `visit` with each ball in a cell and in the cells around it.
    pub(super) fn around(&self, cell: Cell, mut visit: impl FnMut(u32)) {
        let [xs, ys, zs] = [0, 1, 2].map(|axis| self.beside(cell, axis));
        for z in zs.into_iter().flatten() {
            for y in ys.into_iter().flatten() {
                for x in xs.into_iter().flatten() {
                    self.members[self.place([x, y, z])].iter().for_each(|&id| visit(id));
                }
            }
        }
    }

    /// The numbers of the previous cell, of the cell itself and of the next cell along an axis.
    fn beside(&self, cell: Cell, axis: usize) -> [Option<usize>; 3] {
        let (number, last, repeats) = (cell[axis], self.counts[axis] - 1, self.endless[axis]);
        let before = if number > 0 { Some(number - 1) } else { repeats.then_some(last) };
        let behind = if number < last { Some(number + 1) } else { repeats.then_some(0) };
        [before, Some(number), behind]
    }

    /// The shift from a ball in the cell `to` to its image next to the cell `from`, m.
    pub(super) fn shift(&self, from: Cell, to: Cell) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|axis| match to[axis] as isize - from[axis] as isize {
            steps if !self.endless[axis] || (-1..=1).contains(&steps) => 0.0,
            steps if steps > 0 => -self.lengths[axis],
            _ => self.lengths[axis],
        }))
    }

    /// Time until a ball at this place reaches the border of its cell along an axis, s. It is infinite if the ball does
    /// not move along the axis, or if it moves towards a wall.
    pub(super) fn stay(&self, cell: Cell, axis: usize, place: f64, speed: f64) -> f64 {
        let ahead = if speed > 0.0 { cell[axis] + 1 } else { cell[axis] };
        let is_end = ahead == 0 || ahead == self.counts[axis];
        if speed == 0.0 || is_end && !self.endless[axis] {
            return f64::INFINITY;
        }
        let border = self.lengths[axis] * (ahead as f64 / self.counts[axis] as f64);
        ((border - place) / speed).max(0.0)
    }

    /// The next cell along an axis, and the shift of a ball that crosses from one end of space to the other, m.
    pub(super) fn next(&self, cell: Cell, axis: usize, speed: f64) -> (Cell, f64) {
        let (mut next, last, length) = (cell, self.counts[axis] - 1, self.lengths[axis]);
        let shift = match (speed > 0.0, cell[axis]) {
            (true, number) if number == last => {
                next[axis] = 0;
                -length
            }
            (true, number) => {
                next[axis] = number + 1;
                0.0
            }
            (false, 0) => {
                next[axis] = last;
                length
            }
            (false, number) => {
                next[axis] = number - 1;
                0.0
            }
        };
        (next, shift)
    }

    /// The number of a cell.
    pub(super) fn place(&self, [x, y, z]: Cell) -> usize {
        (z * self.counts[1] + y) * self.counts[0] + x
    }
}
