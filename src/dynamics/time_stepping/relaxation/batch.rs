//! Batches of contacts between different bodies: vector lanes relax the contacts of a batch in parallel.
//!
//! A contact is in a later batch than all earlier contacts of its bodies. So a sweep through the batches gives the same
//! bits as a sweep through the contacts one after another, there and back, for every width of the lanes.

use pulp::Simd;

use super::row::{Mover, Row};
use crate::numeric::lane::{LANES, Lane, Rows};

/// The velocity of a body, m/s, and its inverse mass, 1/kg.
pub(super) type Velocity = [f64; 4];

/// As many contacts as the widest register has lanes; no free body is in two of them.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(super) struct Batch {
    normal: [[f64; LANES]; 3],
    /// m/s.
    pub(super) bound: [f64; LANES],
    /// Change of the normal component per impulse, 1/kg.
    compliance: [f64; LANES],
    /// Impulse per change of the normal component, kg.
    inverse_compliance: [f64; LANES],
    /// Impulse along the normal, N·s.
    pub(super) impulse: [f64; LANES],
    /// Least impulse, N·s.
    least: [f64; LANES],
    /// The places of a and b.
    ends: [[u32; LANES]; 2],
}

impl Batch {
    /// A batch without contacts: in all lanes, both bodies are the body at rest at the place `none`.
    fn empty(none: u32) -> Self {
        let zeros = [0.0; LANES];
        Self {
            normal: [zeros; 3],
            bound: zeros,
            compliance: zeros,
            inverse_compliance: zeros,
            impulse: zeros,
            least: zeros,
            ends: [[none; LANES]; 2],
        }
    }

    fn set(&mut self, lane: usize, row: &Row) {
        for (of, component) in self.normal.iter_mut().zip(row.normal.to_array()) {
            of[lane] = component;
        }
        self.bound[lane] = row.bound;
        self.compliance[lane] = 1.0 / row.inverse_compliance;
        self.inverse_compliance[lane] = row.inverse_compliance;
        self.impulse[lane] = row.impulse;
        self.least[lane] = row.least;
        for (of, end) in self.ends.iter_mut().zip(row.ends) {
            of[lane] = end;
        }
    }

    /// Solves each contact alone, for its normal impulse. In each lane, `most` is raised to the change of the opening
    /// if that is larger, m/s.
    #[inline(always)]
    pub(super) fn relax<S: Simd>(&mut self, simd: S, velocities: &mut [Velocity], most: &mut [f64; LANES]) {
        let [mut after_a, mut after_b] = [Rows::default(); 2];
        for part in 0..LANES / S::F64_LANES {
            let [ax, ay, az, a_inverse] = Lane::columns(simd, |lane| &velocities[self.ends[0][lane] as usize], part);
            let [bx, by, bz, b_inverse] = Lane::columns(simd, |lane| &velocities[self.ends[1][lane] as usize], part);
            let [nx, ny, nz] = [0, 1, 2].map(|axis: usize| Lane::load(simd, &self.normal[axis], part));
            let load = |numbers: &[f64; LANES]| Lane::load(simd, numbers, part);
            let opening = nx * (bx - ax) + ny * (by - ay) + nz * (bz - az);
            let before = load(&self.impulse);
            let wanted = before + (load(&self.bound) - opening) * load(&self.inverse_compliance);
            let impulse = wanted.greater(load(&self.least));
            let change = impulse - before;
            impulse.store(&mut self.impulse, part);
            let (to_a, to_b) = (change * a_inverse, change * b_inverse);
            after_a.set([ax - nx * to_a, ay - ny * to_a, az - nz * to_a, a_inverse], part);
            after_b.set([bx + nx * to_b, by + ny * to_b, bz + nz * to_b, b_inverse], part);
            load(most).greater(change.abs() * load(&self.compliance)).store(most, part);
        }
        for lane in 0..LANES {
            velocities[self.ends[0][lane] as usize].copy_from_slice(after_a.row::<S>(lane));
            velocities[self.ends[1][lane] as usize].copy_from_slice(after_b.row::<S>(lane));
        }
    }

    /// Raises each impulse below its smallest value to that value, and gives the difference to the bodies.
    pub(super) fn raise(&mut self, velocities: &mut [Velocity]) {
        for lane in 0..LANES {
            let change = self.least[lane] - self.impulse[lane];
            if change > 0.0 {
                self.impulse[lane] = self.least[lane];
                for (ends, sign) in self.ends.iter().zip([-1.0, 1.0]) {
                    let velocity = &mut velocities[ends[lane] as usize];
                    let speed = sign * change * velocity[3];
                    (0..3).for_each(|axis| velocity[axis] += self.normal[axis][lane] * speed);
                }
            }
        }
    }
}

/// The contacts in batches.
#[derive(Debug, Default)]
pub(super) struct Batches {
    pub(super) batches: Vec<Batch>,
    /// The batch and the lane of each row.
    slots: Vec<(u32, u32)>,
    /// The number of contacts in each batch.
    filled: Vec<u32>,
    /// For each body, the first batch that may contain its next contact.
    next: Vec<u32>,
}

impl Batches {
    /// Puts each contact into the first batch with space that is later than all earlier contacts of its bodies.
    pub(super) fn fill(&mut self, movers: &[Mover], rows: &[Row]) {
        self.batches.clear();
        self.slots.clear();
        self.filled.clear();
        self.next.clear();
        self.next.resize(movers.len(), 0);
        // All batches before this one are full.
        let mut open = 0;
        for row in rows {
            let free = || row.ends.into_iter().map(|end| end as usize).filter(|&end| movers[end].inverse_mass > 0.0);
            let earliest = free().map(|end| self.next[end] as usize).fold(open, usize::max);
            let place = self.with_space(earliest);
            while self.batches.len() <= place {
                self.batches.push(Batch::empty(movers.len() as u32));
                self.filled.push(0);
            }
            let lane = self.filled[place];
            self.batches[place].set(lane as usize, row);
            self.slots.push((place as u32, lane));
            self.filled[place] += 1;
            free().for_each(|end| self.next[end] = place as u32 + 1);
            open = self.with_space(open);
        }
    }

    /// The first batch from this one on that is not full; it may not exist yet.
    fn with_space(&self, mut place: usize) -> usize {
        while self.filled.get(place).is_some_and(|&count| count as usize == LANES) {
            place += 1;
        }
        place
    }

    /// The impulses of the rows, N·s.
    pub(super) fn impulses(&self) -> impl Iterator<Item = f64> {
        self.slots.iter().map(|&(batch, lane)| self.batches[batch as usize].impulse[lane as usize])
    }
}
