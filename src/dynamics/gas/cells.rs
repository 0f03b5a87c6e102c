//! Cells, for a gas so dilute that lists of neighbours would be left before they are used: the neighbours of a ball are
//! the balls in the cells around its own.
//!
//! The cell of a ball is its domain. The ball may move beyond the borders of its cell as long as balls in cells that
//! are not adjacent stay out of reach.

use std::collections::BTreeMap;

use glam::DVec3;

use super::balls::Balls;
use super::search::MOST;
use crate::dynamics::Space;

/// Most balls in a cell without an extra list.
const IN_CELL: usize = 7;

/// Shortest edge of a cell, relative to a diameter.
const EDGE_MIN: f64 = 1.2;

/// Gap between balls in cells that are not adjacent, relative to an edge.
const APART: f64 = 1.0 / 1024.0;

/// Mean number of balls in a cell that is larger than they need. With more, each search has more neighbours; with
/// fewer, more moves from cell to cell.
const MEAN: f64 = 0.4;

/// Factor by which the edge grows per step of the search.
const STRIDE: f64 = 1.0625;

/// Largest number of cells along an axis.
const SIZE_MAX: usize = 1 << 10;

/// Bits of the place of a cell along one axis.
const BITS: u32 = 10;

/// No cell.
const NONE: u32 = u32::MAX;

/// The number of balls of a cell with an extra list: more than a search takes.
const FULL: u32 = MOST as u32 + 1;

/// The balls of a cell, and their number, or [`FULL`].
type Row = [u32; IN_CELL + 1];

/// Space for the balls around a ball, and for a whole row after them.
pub(super) const GATHERED: usize = MOST + IN_CELL + 1;

/// The cells, and the cell of each ball.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    rows: Vec<Row>,
    /// The balls for which their cell has no space in its row.
    more: BTreeMap<u32, Vec<u32>>,
    /// The cell of each ball: its places along the axes.
    homes: Vec<u32>,
    /// Number of cells along each axis.
    size: [u32; 3],
    edges: DVec3,
    per_length: [f64; 3],
    /// Largest distance of a ball from the centre of its cell, m.
    pub(super) half: DVec3,
}

impl Cells {
    /// Empty cells; `None` where space is too narrow.
    pub(super) fn new(balls: &Balls, bodies: usize) -> Option<Self> {
        let wanted = MEAN * balls.lengths.into_iter().product::<f64>() / balls.count as f64;
        let mut edge = EDGE_MIN * 2.0 * balls.radius;
        while edge * edge * edge < wanted {
            edge *= STRIDE;
        }
        let sizes = |edge: f64| balls.lengths.map(|length| ((length / edge) as usize).min(SIZE_MAX));
        let size = sizes(edge);
        let edges = DVec3::from_array(std::array::from_fn(|axis| balls.lengths[axis] / size[axis] as f64));
        let half = edges * (1.0 - APART) - balls.radius;
        // Two balls in adjacent cells are less than half a period apart, so their nearest image is the one in these
        // cells.
        let is_clear = (edges + 2.0 * half).cmplt(DVec3::from_array(balls.lengths) * 0.5).all();
        let is_wide = edges.min_element() >= EDGE_MIN * 2.0 * balls.radius && is_clear;
        is_wide.then(|| Self {
            rows: vec![[0; IN_CELL + 1]; size.into_iter().product()],
            more: BTreeMap::new(),
            homes: vec![NONE; bodies],
            size: size.map(|size| size as u32),
            edges,
            per_length: std::array::from_fn(|axis| size[axis] as f64 / balls.lengths[axis]),
            half,
        })
    }

    /// Moves a ball to the cell of its present position. Returns the centre of the cell next to that position.
    #[inline(always)]
    pub(super) fn enter(&mut self, id: u32, place: DVec3, space: &Space) -> DVec3 {
        self.leave(id);
        let (home, crossed) = space.wrap(place);
        let shift = space.shift(crossed);
        let (mut cell, mut center) = ([0; 3], DVec3::ZERO);
        for axis in 0..3 {
            let min = space.periods[axis].map_or(0.0, |period| period.min);
            cell[axis] = (((home[axis] - min) * self.per_length[axis]) as u32).min(self.size[axis] - 1);
            center[axis] = min + (f64::from(cell[axis]) + 0.5) * self.edges[axis] + shift[axis];
        }
        let number = self.number(cell);
        let row = &mut self.rows[number as usize];
        let count = row[IN_CELL] as usize;
        if count < IN_CELL {
            (row[count], row[IN_CELL]) = (id, count as u32 + 1);
        } else {
            row[IN_CELL] = FULL;
            self.more.entry(number).or_default().push(id);
        }
        self.homes[id as usize] = cell[0] | cell[1] << BITS | cell[2] << (2 * BITS);
        center
    }

    /// Removes a ball from its cell.
    #[inline(always)]
    fn leave(&mut self, id: u32) {
        let home = self.homes[id as usize];
        if home == NONE {
            return;
        }
        let number = self.number(parts(home));
        let row = &mut self.rows[number as usize];
        if row[IN_CELL] == FULL {
            return self.leave_full(id, number);
        }
        let last = row[IN_CELL] as usize - 1;
        let place = row[..IN_CELL].iter().position(|&other| other == id).unwrap_or(last);
        row[place] = row[last];
        row[IN_CELL] = last as u32;
    }

    /// Removes a ball from a cell with an extra list.
    #[cold]
    fn leave_full(&mut self, id: u32, number: u32) {
        let row = &mut self.rows[number as usize];
        let Some(more) = self.more.get_mut(&number) else { return };
        if let Some(place) = row[..IN_CELL].iter().position(|&other| other == id) {
            more.pop().into_iter().for_each(|moved| row[place] = moved);
        } else {
            more.retain(|&other| other != id);
        }
        if more.is_empty() {
            self.more.remove(&number);
            row[IN_CELL] = IN_CELL as u32;
        }
    }

    fn number(&self, [x, y, z]: [u32; 3]) -> u32 {
        x + self.size[0] * (y + self.size[1] * z)
    }

    /// The cells around that of a ball along each axis, as terms of their numbers.
    #[inline(always)]
    fn around(&self, id: u32) -> [[u32; 3]; 3] {
        let home = parts(self.homes[id as usize]);
        let [x, y, _] = self.size;
        let around = |axis: usize, stride: u32| {
            let (place, last) = (home[axis], self.size[axis] - 1);
            let before = if place == 0 { last } else { place - 1 };
            let after = if place == last { 0 } else { place + 1 };
            [before * stride, place * stride, after * stride]
        };
        [around(0, 1), around(1, x), around(2, x * y)]
    }

    /// Gathers the balls in the cells around that of a ball, with itself. Returns their number; if it is more than
    /// [`MOST`], they are not complete.
    #[inline(always)]
    pub(super) fn gather(&self, id: u32, ids: &mut [u32; GATHERED]) -> usize {
        let mut count = 0;
        let [xs, ys, zs] = self.around(id);
        for z in zs {
            for y in ys {
                for x in xs {
                    let row = &self.rows[(x + y + z) as usize];
                    let space = count.min(MOST);
                    ids[space..space + IN_CELL + 1].copy_from_slice(row);
                    count += row[IN_CELL] as usize;
                }
            }
        }
        count
    }

    /// The balls in the cells around that of a ball, with itself.
    pub(super) fn neighbours(&self, id: u32) -> Vec<u32> {
        let [xs, ys, zs] = self.around(id);
        let mut found = Vec::new();
        for number in zs.iter().flat_map(|&z| ys.iter().flat_map(move |&y| xs.map(|x| x + y + z))) {
            let row = &self.rows[number as usize];
            found.extend_from_slice(&row[..(row[IN_CELL] as usize).min(IN_CELL)]);
            found.extend(self.more.get(&number).into_iter().flatten());
        }
        found
    }
}

/// The places of a cell along the axes.
#[inline(always)]
fn parts(home: u32) -> [u32; 3] {
    let mask = (1 << BITS) - 1;
    [home & mask, home >> BITS & mask, home >> (2 * BITS)]
}
