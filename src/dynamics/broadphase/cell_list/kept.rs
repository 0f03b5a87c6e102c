//! Kept neighbour lists, for balls so dense that they collide several times before they have moved far.
//!
//! A ball's domain is a sphere around the place where its list was made, and its list has all balls with domains in
//! reach of its own. So a search for impacts reads a dozen ids from one array instead of the ids of 27 cells (Verlet,
//! *Computer "experiments" on classical fluids*, Phys. Rev. 159, 1967; with a list renewed per ball: Smallenburg,
//! *Efficient event-driven simulations of hard spheres*, Eur. Phys. J. E 45, 22, 2022). A pair is in the lists of both.

use std::hint::select_unpredictable;

use glam::DVec3;
use prefetch_index::prefetch_index;

use crate::dynamics::BodyId;
use crate::dynamics::body::path_record::Turn;
use crate::dynamics::prediction::simd::{LANES, NeighbourBlocks};
use crate::numeric::tolerance::DOMAIN_SLACK;

/// Space of a list at first and at most.
const SPACE_FIRST: usize = 2 * LANES;
const SPACE_MAX: usize = 8 * LANES;

/// Ids per cache line.
const IN_LINE: usize = 16;

/// Where the domain of a ball is, m, and the radius of the ball, m.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
struct Place {
    center: DVec3,
    radius: f64,
}

/// The lists of all balls.
#[derive(Debug, Clone)]
pub(super) struct KeptLists {
    /// Radius of a domain, m.
    margin: f64,
    turns: [Turn; 3],
    places: Vec<Place>,
    /// Number of neighbours of each ball.
    counts: Vec<u32>,
    /// `space` ids per ball: its neighbours, and behind them ids that are not read.
    ids: Vec<BodyId>,
    space: usize,
    /// The balls found near another, kept for their memory.
    near: Vec<BodyId>,
}

impl KeptLists {
    /// Empty lists for so many bodies, with domains of this radius, m.
    pub(super) fn new(margin: f64, turns: [Turn; 3], bodies: usize) -> Self {
        let (places, counts, ids, near) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut lists = Self { margin, turns, places, counts, ids, space: SPACE_FIRST, near };
        (0..bodies).for_each(|_| lists.push_body());
        lists
    }

    /// Adds a body without a list.
    pub(super) fn push_body(&mut self) {
        let id = BodyId(self.counts.len() as u32);
        self.places.push(Place { center: DVec3::ZERO, radius: 0.0 });
        self.counts.push(0);
        self.ids.extend((0..self.space).map(|_| id));
    }

    /// Radius of a domain, m.
    pub(super) fn margin(&self) -> f64 {
        self.margin
    }

    /// The neighbours of a ball.
    #[inline(always)]
    pub(super) fn of(&self, id: BodyId) -> NeighbourBlocks<'_> {
        let count = self.counts[id.index()] as usize;
        NeighbourBlocks::new(&self.ids[id.index() * self.space..][..self.space], count)
    }

    /// Prefetches the list of a ball.
    #[inline]
    pub(super) fn prefetch(&self, id: BodyId) {
        let first = id.index() * self.space;
        (first..first + SPACE_FIRST).step_by(IN_LINE).for_each(|row| prefetch_index(&self.ids, row));
    }

    /// Removes a ball from all lists, and empties its own.
    pub(super) fn remove(&mut self, id: BodyId) {
        let first = id.index() * self.space;
        for row in first..first + self.counts[id.index()] as usize {
            self.drop_one(self.ids[row], id);
        }
        self.counts[id.index()] = 0;
    }

    fn drop_one(&mut self, id: BodyId, other: BodyId) {
        let count = &mut self.counts[id.index()];
        let list = &mut self.ids[id.index() * self.space..][..*count as usize];
        let row = list.iter().position(|&listed| listed == other).expect("a pair is in both lists");
        list[row] = list[list.len() - 1];
        *count -= 1;
    }

    /// Lists the balls among `candidates` with domains in reach of the new one of a ball, which has no list. Returns
    /// false, and lists none, if these are too many.
    pub(super) fn list(&mut self, id: BodyId, center: DVec3, radius: f64, candidates: &[BodyId]) -> bool {
        self.places[id.index()] = Place { center, radius };
        let mut near = std::mem::take(&mut self.near);
        near.resize(candidates.len() + 1, id);
        let mut count = 0;
        // Which ones are near is unpredictable, so the code has no branch.
        for &other in candidates {
            near[count] = other;
            count += usize::from(self.is_near(id, other));
        }
        let is_full = !near[..count].iter().all(|&other| self.push(id, other) && self.push(other, id));
        self.near = near;
        if is_full {
            self.unlist(id);
        }
        !is_full
    }

    /// Removes a ball from all lists, also from those that it was added to on one side only.
    #[cold]
    fn unlist(&mut self, id: BodyId) {
        let last = self.of(id).ids().last().copied();
        if let Some(last) = last.filter(|&last| !self.of(last).ids().contains(&id)) {
            let count = &mut self.counts[id.index()];
            *count -= 1;
            debug_assert_eq!(self.ids[id.index() * self.space + *count as usize], last);
        }
        self.remove(id);
    }

    /// Whether the domains of two balls are so near that they may meet.
    #[inline(always)]
    fn is_near(&self, id: BodyId, other: BodyId) -> bool {
        let (own, place) = (&self.places[id.index()], &self.places[other.index()]);
        let mut offset = (place.center - own.center).abs();
        for axis in 0..3 {
            let Turn { length, half, .. } = self.turns[axis];
            offset[axis] = select_unpredictable(offset[axis] > half, length - offset[axis], offset[axis]);
        }
        let reach = own.radius + place.radius + 2.0 * self.margin;
        let slack = (own.center.abs().max_element() + place.center.abs().max_element() + reach) * DOMAIN_SLACK;
        offset.length_squared() <= (reach + slack) * (reach + slack)
    }

    /// Adds a neighbour to a list. Returns false if the list is as long as a list may be.
    #[inline(always)]
    fn push(&mut self, id: BodyId, other: BodyId) -> bool {
        let count = self.counts[id.index()] as usize;
        if count == self.space && !self.widen() {
            return false;
        }
        self.ids[id.index() * self.space + count] = other;
        self.counts[id.index()] += 1;
        true
    }

    /// Gives all lists more space, if that is not the most already.
    #[cold]
    fn widen(&mut self) -> bool {
        if self.space == SPACE_MAX {
            return false;
        }
        let space = self.space + LANES;
        let mut ids = Vec::with_capacity(self.counts.len() * space);
        for list in self.ids.chunks(self.space) {
            ids.extend_from_slice(list);
            ids.extend_from_slice(&list[..LANES]);
        }
        (self.ids, self.space) = (ids, space);
        true
    }
}
