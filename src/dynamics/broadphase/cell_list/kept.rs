//! Kept neighbour lists, for balls so dense that they collide several times before they have moved far.
//!
//! A ball's domain is a sphere around the place where its list was made, and its list has all balls with domains in
//! reach of its own. So a search for impacts reads a dozen ids from one array instead of the ids of 27 cells (Verlet,
//! *Computer "experiments" on classical fluids*, Phys. Rev. 159, 1967; with a list renewed per ball: Smallenburg,
//! *Efficient event-driven simulations of hard spheres*, Eur. Phys. J. E 45, 22, 2022). A pair is in the lists of both.

use glam::DVec3;
use prefetch_index::prefetch_index;

use super::reach::{DomainBall, InReach};
use crate::dynamics::BodyId;
use crate::dynamics::body::path_record::Common;
use crate::dynamics::prediction::simd::{LANES, NeighbourBlocks};

/// Space of a list at first and at most.
const SPACE_FIRST: usize = 2 * LANES;
const SPACE_MAX: usize = 8 * LANES;

/// The lists of all balls.
#[derive(Debug, Clone)]
pub(super) struct KeptLists {
    /// Radius of a domain, m.
    margin: f64,
    common: Common,
    domains: Vec<DomainBall>,
    /// Number of neighbours of each ball.
    counts: Vec<u32>,
    /// `space` ids per ball: its neighbours, followed by copies of its own id.
    ids: Vec<BodyId>,
    space: usize,
    /// The balls found near a ball. The memory is kept for the next search.
    near: Vec<BodyId>,
}

impl KeptLists {
    /// Empty lists for so many bodies, with domains of this radius, m.
    pub(super) fn new(margin: f64, common: &Common, bodies: usize) -> Self {
        let (domains, counts, ids, near) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut lists = Self { margin, common: *common, domains, counts, ids, space: SPACE_FIRST, near };
        (0..bodies).for_each(|_| lists.push_body());
        lists
    }

    /// Adds a body without a list.
    pub(super) fn push_body(&mut self) {
        let id = BodyId(self.counts.len() as u32);
        self.domains.push(DomainBall::new(DVec3::ZERO, 0.0));
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

    /// Prefetches the list of a ball: its length, and both cache lines of the usual number of neighbours.
    #[inline]
    pub(super) fn prefetch(&self, id: BodyId) {
        let first = id.index() * self.space;
        prefetch_index(&self.counts, id.index());
        [first, first + SPACE_FIRST - 1].into_iter().for_each(|row| prefetch_index(&self.ids, row));
    }

    /// Prefetches the data that a new list of a ball needs: the lists that contain it, and the domains of the
    /// `candidates`.
    pub(super) fn prefetch_renewal(&self, id: BodyId, candidates: &[BodyId]) {
        self.of(id).ids().iter().for_each(|&other| self.prefetch(other));
        candidates.iter().for_each(|other| prefetch_index(&self.domains, other.index()));
    }

    /// Removes a ball from all lists, and empties its own.
    pub(super) fn remove(&mut self, id: BodyId) {
        let first = id.index() * self.space;
        for row in first..first + self.counts[id.index()] as usize {
            self.drop_one(self.ids[row], id);
        }
        self.ids[first..first + self.space].fill(id);
        self.counts[id.index()] = 0;
    }

    fn drop_one(&mut self, id: BodyId, other: BodyId) {
        let list = &mut self.ids[id.index() * self.space..][..self.space];
        let last = self.counts[id.index()] as usize - 1;
        // Its row is unpredictable, so all rows are compared, without a branch. The rows after the neighbours have the
        // ball itself.
        let row: u32 = (0..).zip(&*list).map(|(row, &listed)| if listed == other { row } else { 0 }).sum();
        assert!(list[row as usize] == other, "a pair is in both lists");
        list[row as usize] = list[last];
        list[last] = id;
        self.counts[id.index()] = last as u32;
    }

    /// Makes the list of a ball with a new domain and no list: the balls among `candidates` with domains in reach of
    /// its own. If there are too many, lists none and returns false.
    pub(super) fn list(&mut self, id: BodyId, center: DVec3, radius: f64, candidates: NeighbourBlocks<'_>) -> bool {
        self.domains[id.index()] = DomainBall::new(center, radius);
        let mut near = std::mem::take(&mut self.near);
        let Self { domains, common, margin, .. } = &*self;
        let search = InReach { id, domains, turns: &common.turns, margin: *margin, candidates, near: &mut near };
        common.machine.dispatch(search);
        let is_full = !near.iter().all(|&other| self.push(id, other) && self.push(other, id));
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
            let row = id.index() * self.space + *count as usize;
            debug_assert_eq!(self.ids[row], last);
            self.ids[row] = id;
        }
        self.remove(id);
    }

    /// Adds a neighbour to a list. Returns false if the list has its largest length already.
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

    /// Gives all lists more space. Returns false if they have the largest space already.
    #[cold]
    fn widen(&mut self) -> bool {
        if self.space == SPACE_MAX {
            return false;
        }
        let space = self.space + LANES;
        let mut ids = Vec::with_capacity(self.counts.len() * space);
        for (id, list) in (0..).map(BodyId).zip(self.ids.chunks(self.space)) {
            ids.extend_from_slice(list);
            ids.extend_from_slice(&[id; LANES]);
        }
        (self.ids, self.space) = (ids, space);
        true
    }
}
