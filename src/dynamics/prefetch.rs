//! Reading ahead: what the next impacts need comes from memory while the present one is worked on.
//!
//! An impact reads some hundred cache lines, most of them known only from others: a body's slot names its partner, its cell
//! its neighbours. In a world that no cache holds, waiting for them one after another takes more time than the arithmetic.
//! So each event calls for some of what the next four will read, as far as is known by then. Nothing depends on it.

use glam::DVec3;

use super::BodyId;
use super::body::pair::Pair;
use super::broadphase::hash_grid::level::LARGE;
use super::state::Stepper;
use crate::motion::SimTime;

/// Of those that a body is linked to, so many are called for.
const LINKED: usize = 32;

impl Stepper {
    /// Prefetches a part of what each of the next four events will read, the more the sooner it comes.
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

    /// Prefetches the paths of those near to a body, and for who is near to its partner; or for those to whom it comes.
    fn prefetch_second(&mut self, id: BodyId) {
        if let Some(partner) = self.queue.partner(id) {
            self.prefetch_neighbours(id);
            self.parts.broadphase.prefetch_around(partner);
        } else {
            let place = self.place_at_exit(id);
            let come = self.parts.broadphase.gather_ahead(id, &place);
            come.iter().for_each(|&id| self.parts.scene.rows.records.prefetch(id));
        }
    }

    /// Prefetches who is near to a body and for the rows of its partner; or for who is where it comes to.
    fn prefetch_around(&self, id: BodyId) {
        if let Some(partner) = self.queue.partner(id) {
            self.prefetch(partner);
            self.parts.broadphase.prefetch_around(id);
        } else {
            self.parts.broadphase.prefetch_ahead(id, &self.place_at_exit(id));
        }
    }

    /// Where a body leaves its domain, if it goes on as now, m.
    fn place_at_exit(&self, id: BodyId) -> DVec3 {
        let (rows, exit) = (&self.parts.scene.rows, self.parts.broadphase.exit(id));
        let position = rows.path(id).position_at(if exit == SimTime::NEVER { self.parts.scene.now } else { exit });
        position - self.parts.scene.settings.space.shift(self.parts.broadphase.images(id))
    }

    /// Prefetches what an impact of these two needs after it is found to happen: even the second cache is some way off.
    #[inline]
    pub(super) fn prefetch_for_impact(&self, pair: Pair) {
        for id in [pair.a, pair.b] {
            prefetch_index::prefetch_index(&self.parts.counters.work, id.index());
            self.parts.broadphase.prefetch(id);
            self.queue.prefetch(id);
        }
    }

    /// Prefetches the rows of a body.
    fn prefetch(&self, id: BodyId) {
        self.queue.prefetch(id);
        self.parts.scene.rows.prefetch(id);
        self.parts.broadphase.prefetch(id);
        prefetch_index::prefetch_index(&self.parts.counters.work, id.index());
    }

    /// Prefetches the paths of a body's neighbours.
    fn prefetch_neighbours(&mut self, id: BodyId) {
        self.parts.broadphase.look_beside(0, id);
        let (records, broadphase) = (&self.parts.scene.rows.records, &self.parts.broadphase);
        broadphase.neighbour_lists.of(id).iter().take(LINKED).for_each(|neighbour| records.prefetch(neighbour.id));
        broadphase.beside(0).ids().iter().for_each(|&id| records.prefetch(id));
    }
}
