//! Prefetching: memory for the next events is read while the present one is resolved.
//!
//! An impact reads some hundred cache lines, and most of their addresses come from other lines: the slot of a body has
//! its partner, its cell has its neighbours. In a world larger than the caches, waiting for them one after the other
//! takes longer than the arithmetic. So each event prefetches a part of what the next four will read, as far as the
//! addresses are known. No result depends on it.

use super::BodyId;
use super::body::pair::Pair;
use super::broadphase::hash_grid::level::LARGE;
use super::state::Stepper;

/// Most entries of a neighbour list that are prefetched.
const LINKED: usize = 32;

impl Stepper {
    /// Prefetches data of the next four events, the most for the nearest.
    #[inline]
    pub(super) fn prefetch_next_events(&mut self) {
        if self.count() <= LARGE {
            return;
        }
        let [next, second, third, fourth] = self.queue.soon();
        if let Some(partner) = next.and_then(|next| self.queue.partner(next)) {
            self.prefetch_neighbours(partner);
        }
        if let Some(second) = second {
            self.prefetch_second(second);
        }
        if let Some(third) = third {
            self.prefetch_around(third);
        }
        if let Some(fourth) = fourth {
            self.prefetch(fourth);
        }
    }

    /// Prefetches the paths of a body's neighbours, and the cells around its partner.
    fn prefetch_second(&mut self, id: BodyId) {
        if let Some(partner) = self.queue.partner(id) {
            self.prefetch_neighbours(id);
            self.sim.broadphase.prefetch_around(partner);
        }
    }

    /// Prefetches the cells around a body, and the rows of its partner.
    fn prefetch_around(&self, id: BodyId) {
        if let Some(partner) = self.queue.partner(id) {
            self.prefetch(partner);
            self.sim.broadphase.prefetch_around(id);
        }
    }

    /// Prefetches the data that an impact of these two bodies needs after it is confirmed: even the second-level cache
    /// has latency.
    #[inline]
    pub(super) fn prefetch_for_impact(&self, pair: Pair) {
        for id in [pair.a, pair.b] {
            prefetch_index::prefetch_index(&self.sim.counters.work, id.index());
            self.sim.broadphase.prefetch(id);
            self.queue.prefetch(id);
        }
    }

    /// Prefetches the rows of a body.
    fn prefetch(&self, id: BodyId) {
        self.queue.prefetch(id);
        self.sim.scene.rows.prefetch(id);
        self.sim.broadphase.prefetch(id);
        prefetch_index::prefetch_index(&self.sim.counters.work, id.index());
    }

    /// Prefetches the paths of a body's neighbours.
    fn prefetch_neighbours(&mut self, id: BodyId) {
        self.sim.broadphase.gather_neighbours(id);
        let (records, broadphase) = (&self.sim.scene.rows.records, &self.sim.broadphase);
        broadphase.neighbour_lists.of(id).iter().take(LINKED).for_each(|neighbour| records.prefetch(neighbour.id));
        broadphase.cell_neighbours().ids().iter().for_each(|&id| records.prefetch(id));
    }
}
