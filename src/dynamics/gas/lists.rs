//! Neighbour lists, for a gas so dense that a ball collides several times before it has moved far.
//!
//! The domain of a ball is a sphere around a place a little ahead of it, and its list has all balls with domains in
//! reach of its own (Smallenburg, *Efficient event-driven simulations of hard spheres*, Eur. Phys. J. E 45, 22, 2022).
//! A pair is in the lists of both. Candidates come from cells that hold the centres of the domains as 32-bit numbers;
//! the range has a margin for their rounding.

use glam::DVec3;
use prefetch_index::prefetch_index;
use pulp::{Simd, bytemuck};

use super::balls::{Balls, Sizes};
use crate::dynamics::body::path_record::PathRecords;
use crate::dynamics::{BodyId, Space};

/// Space of a narrow list, and of a wide one.
pub(super) const NARROW: usize = 32;
pub(super) const WIDE: usize = 64;

/// Most domains with centres in one cell.
const IN_CELL: usize = 16;

/// Radius of a domain, relative to the mean radius of the balls.
const MARGIN: f64 = 0.5;

/// Distance of the centre of a domain ahead of its ball, relative to the radius of the domain.
const AHEAD: f64 = 0.2;

/// Margin of the range for the rounding of 32-bit centres, relative to the longest period: eight roundings.
const ROUNDING: f64 = 4.0 * f32::EPSILON as f64;

/// A coordinate of no centre.
const FAR: f32 = f32::INFINITY;

/// No cell.
const NONE: u32 = u32::MAX;

/// The centres of the domains in one cell.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Cell {
    places: [[f32; IN_CELL]; 3],
    radii: [f32; IN_CELL],
    balls: [u32; IN_CELL],
}

impl Cell {
    const EMPTY: Self = Self { places: [[FAR; IN_CELL]; 3], radii: [0.0; IN_CELL], balls: [0; IN_CELL] };
}

/// The lists of all balls.
#[derive(Debug, Clone)]
pub(super) struct Lists {
    /// Radius of a domain, m.
    pub(super) margin: f64,
    /// Space of each list.
    space: usize,
    /// The neighbours of each ball, then its own number.
    ids: Vec<u32>,
    counts: Vec<u8>,
    cells: Vec<Cell>,
    filled: Vec<u8>,
    /// The cell of each ball, and its place there.
    places: Vec<(u32, u8)>,
    /// Number of cells along each axis, and cells per metre.
    size: [usize; 3],
    per_length: [f64; 3],
    lengths: [f32; 3],
    /// The distance of two centres of domains in reach of each other without the radii of their balls, m.
    range: f32,
    /// Its square with the radii, where all are equal, m².
    range_squared: f32,
}

impl Lists {
    /// Empty lists with so much space; `None` where space is too narrow.
    pub(super) fn new(balls: &Balls, bodies: usize, space: usize) -> Option<Self> {
        let margin = MARGIN * balls.mean_radius;
        let rounding = ROUNDING * balls.lengths.into_iter().fold(0.0, f64::max);
        let range = 2.0 * margin + rounding;
        let edge = 2.0 * balls.radius + range;
        let size = balls.lengths.map(|length| (length / edge) as usize);
        let cells = size.into_iter().product();
        (size.into_iter().all(|size| size >= 3) && cells <= NONE as usize).then(|| Self {
            margin,
            space,
            ids: (0..bodies as u32).flat_map(|id| std::iter::repeat_n(id, space)).collect(),
            counts: vec![0; bodies],
            cells: vec![Cell::EMPTY; cells],
            filled: vec![0; cells],
            places: vec![(NONE, 0); bodies],
            size,
            per_length: std::array::from_fn(|axis| size[axis] as f64 / balls.lengths[axis]),
            lengths: balls.lengths.map(|length| length as f32),
            range: range as f32,
            range_squared: (edge * edge) as f32,
        })
    }

    /// Whether the lists are narrow.
    #[inline(always)]
    pub(super) fn is_narrow(&self) -> bool {
        self.space == NARROW
    }

    /// The list of a ball, with its own number after its neighbours.
    #[inline(always)]
    pub(super) fn of<const N: usize>(&self, id: u32) -> (&[u32; N], usize) {
        let (lists, _) = self.ids.as_chunks();
        (&lists[id as usize], usize::from(self.counts[id as usize]))
    }

    /// The neighbours of a ball.
    pub(super) fn neighbours(&self, id: u32) -> &[u32] {
        &self.ids[id as usize * self.space..][..usize::from(self.counts[id as usize])]
    }

    /// Prefetches the list of a ball.
    #[inline(always)]
    pub(super) fn prefetch(&self, id: u32) {
        prefetch_index(&self.counts, id as usize);
        let first = id as usize * self.space;
        [first, first + NARROW - 1].into_iter().for_each(|row| prefetch_index(&self.ids, row));
    }

    /// Gives a ball at `place` a domain and a list. Returns the centre of the domain; `None` if a list or a cell is
    /// full.
    #[inline(always)]
    pub(super) fn renew<S: Simd>(
        &mut self,
        simd: S,
        (id, place, velocity): (u32, DVec3, DVec3),
        (records, sizes, space): (&PathRecords, &Sizes, &Space),
    ) -> Option<DVec3> {
        self.leave(id);
        let speed = velocity.length();
        let ahead = if speed > 0.0 { velocity * (AHEAD * self.margin / speed) } else { DVec3::ZERO };
        let center = place + ahead;
        let home = space.within(center).to_array();
        let home: [f64; 3] =
            std::array::from_fn(|axis| home[axis] - space.periods[axis].map_or(0.0, |period| period.min));
        let cell: [usize; 3] =
            std::array::from_fn(|axis| ((home[axis] * self.per_length[axis]) as usize).min(self.size[axis] - 1));
        let radius = match sizes {
            Sizes::Equal { radius, .. } => *radius,
            Sizes::Unlike => records.radius(records.get(BodyId(id))),
        };
        let at = home.map(|x| x as f32);
        let (found, count) = match sizes {
            Sizes::Equal { .. } => self.in_range::<S, false>(simd, id, at, cell, radius as f32),
            Sizes::Unlike => self.in_range::<S, true>(simd, id, at, cell, radius as f32),
        };
        let number = self.number(cell);
        let rank = usize::from(self.filled[number]);
        let fits = count < self.space && rank < IN_CELL;
        let found = found.get(..count).filter(|found| {
            fits && found.iter().all(|&other| usize::from(self.counts[other as usize]) + 1 < self.space)
        })?;
        self.ids[id as usize * self.space..][..count].copy_from_slice(found);
        self.counts[id as usize] = count as u8;
        for &other in found {
            let last = &mut self.counts[other as usize];
            self.ids[other as usize * self.space + usize::from(*last)] = id;
            *last += 1;
        }
        let home = &mut self.cells[number];
        (0..3).for_each(|axis| home.places[axis][rank] = at[axis]);
        (home.radii[rank], home.balls[rank]) = (radius as f32, id);
        self.filled[number] = rank as u8 + 1;
        self.places[id as usize] = (number as u32, rank as u8);
        Some(center)
    }

    fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        x + self.size[0] * (y + self.size[1] * z)
    }

    /// The balls with domains in reach of that of a ball with its centre at `at`, and their number.
    #[inline(always)]
    fn in_range<S: Simd, const UNLIKE: bool>(
        &self,
        simd: S,
        id: u32,
        at: [f32; 3],
        cell: [usize; 3],
        radius: f32,
    ) -> ([u32; WIDE], usize) {
        let (mut found, mut count) = ([id; WIDE], 0);
        let [xs, ys, zs] = [0, 1, 2].map(|axis| self.around(axis, cell[axis]));
        let own_range = simd.splat_f32s(radius + self.range);
        for (z, far_z) in zs {
            let pz = simd.splat_f32s(at[2] + far_z);
            for (y, far_y) in ys {
                let py = simd.splat_f32s(at[1] + far_y);
                for (x, far_x) in xs {
                    let px = simd.splat_f32s(at[0] + far_x);
                    let number = self.number([x, y, z]);
                    let other = &self.cells[number];
                    let [qx, qy, qz] = [0, 1, 2].map(|axis| S::as_simd_f32s(&other.places[axis]).0);
                    let radii = S::as_simd_f32s(&other.radii).0;
                    let parts = usize::from(self.filled[number]).div_ceil(S::F32_LANES);
                    for part in 0..parts.min(IN_CELL / S::F32_LANES) {
                        let [dx, dy, dz] = [(qx, px), (qy, py), (qz, pz)].map(|(q, p)| simd.sub_f32s(q[part], p));
                        let flat = simd.add_f32s(simd.mul_f32s(dx, dx), simd.mul_f32s(dy, dy));
                        let distance = simd.add_f32s(flat, simd.mul_f32s(dz, dz));
                        let range = if UNLIKE {
                            let range = simd.add_f32s(own_range, radii[part]);
                            simd.mul_f32s(range, range)
                        } else {
                            simd.splat_f32s(self.range_squared)
                        };
                        let mut bits = bits(simd, simd.less_than_f32s(distance, range));
                        while bits != 0 {
                            let row = part * S::F32_LANES + bits.trailing_zeros() as usize;
                            found[count % WIDE] = other.balls[row % IN_CELL];
                            count += 1;
                            bits &= bits - 1;
                        }
                    }
                }
            }
        }
        (found, count)
    }

    /// The cell before one along an axis, that cell and the next one, and how far the centre of the domain is moved for
    /// them, m.
    #[inline(always)]
    fn around(&self, axis: usize, cell: usize) -> [(usize, f32); 3] {
        let (size, length) = (self.size[axis], self.lengths[axis]);
        [
            if cell == 0 { (size - 1, length) } else { (cell - 1, 0.0) },
            (cell, 0.0),
            if cell + 1 == size { (0, -length) } else { (cell + 1, 0.0) },
        ]
    }

    /// Removes a ball from its cell and from all lists.
    #[inline(always)]
    fn leave(&mut self, id: u32) {
        let (number, rank) = self.places[id as usize];
        if number == NONE {
            return;
        }
        let count = usize::from(std::mem::take(&mut self.counts[id as usize]));
        let first = id as usize * self.space;
        for row in first..first + count {
            self.drop_one(self.ids[row], id);
            self.ids[row] = id;
        }
        let (cell, rank) = (&mut self.cells[number as usize], usize::from(rank) % IN_CELL);
        self.filled[number as usize] -= 1;
        let last = usize::from(self.filled[number as usize]) % IN_CELL;
        let moved = cell.balls[last];
        for axis in 0..3 {
            cell.places[axis][rank] = cell.places[axis][last];
            cell.places[axis][last] = FAR;
        }
        (cell.balls[rank], cell.radii[rank]) = (moved, cell.radii[last]);
        self.places[moved as usize].1 = rank as u8;
        self.places[id as usize].0 = NONE;
    }

    /// Removes `other` from the list of a ball.
    #[inline(always)]
    fn drop_one(&mut self, id: u32, other: u32) {
        let last = usize::from(self.counts[id as usize]) - 1;
        let list = &mut self.ids[id as usize * self.space..][..self.space];
        // Its row is unpredictable, so all rows are compared, without a branch.
        let row: u32 = (0..).zip(&*list).map(|(row, &listed)| if listed == other { row } else { 0 }).sum();
        list[row as usize] = list[last];
        list[last] = id;
        self.counts[id as usize] = last as u8;
    }
}

/// A bit for each lane, the first one lowest.
#[inline(always)]
fn bits<S: Simd>(simd: S, mask: S::m32s) -> u32 {
    const POWERS: [f32; IN_CELL] = {
        let (mut powers, mut lane) = ([0.0; IN_CELL], 0);
        while lane < IN_CELL {
            powers[lane] = (1_u32 << lane) as f32;
            lane += 1;
        }
        powers
    };
    match *bytemuck::bytes_of(&mask) {
        [bits] => u32::from(bits),
        [low, high] => u32::from(low) | u32::from(high) << 8,
        _ => simd.reduce_sum_f32s(simd.select_f32s(mask, S::as_simd_f32s(&POWERS).0[0], simd.splat_f32s(0.0))) as u32,
    }
}
