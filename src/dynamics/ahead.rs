//! Reading ahead: what the next impacts need comes from memory while the present one is worked on.
//!
//! An impact reads some hundred cache lines, most of them known only from others: a body's slot names its partner, its list
//! its neighbours. In a world that no cache holds, waiting for them one after another takes more time than the arithmetic.
//! So each event calls for some of what the next three will read, as far as is known by then. Nothing depends on it.

use super::BodyId;
use super::broadphase::Broadphase;
use super::pair::Pair;
use super::stepper::Stepper;

/// Bodies whose rows, of some 600 bytes each, fill a cache of 16 MB.
pub(in crate::dynamics) const LARGE: usize = 25_000;

/// Neighbours of a body that are called for.
const NEIGHBOURS: usize = 32;

impl Stepper {
    /// Calls for a part of what the next events will read, and for the rest of what the first one will.
    #[inline]
    pub(super) fn read_ahead(&self, first: BodyId) {
        if self.count() <= LARGE {
            return;
        }
        let Self { queue, broadphase: Broadphase { links, .. }, .. } = self;
        match queue.partner(first) {
            Some(partner) => self.call_neighbours(partner),
            None => links.call_links(first),
        }
        let [next, second, third] = queue.soon();
        if let Some(next) = next {
            match queue.partner(next) {
                Some(partner) => {
                    self.call_neighbours(next);
                    links.call(partner);
                }
                None => links.call_lists_of_neighbours(next),
            }
        }
        if let Some(second) = second {
            links.call(second);
            if let Some(partner) = queue.partner(second) {
                self.call(partner);
            }
        }
        if let Some(third) = third {
            self.call(third);
        }
    }

    /// Calls for what an impact of these two needs after it is found to happen: even the second cache is some way off.
    #[inline]
    pub(super) fn call_for_impact(&self, pair: Pair) {
        for id in [pair.a, pair.b] {
            prefetch_index::prefetch_index(&self.work, id.index());
            prefetch_index::prefetch_index(&self.scene.rows.images, id.index());
            self.broadphase.call(id);
            self.queue.call(id);
        }
    }

    /// Calls for the rows of a body.
    fn call(&self, id: BodyId) {
        self.queue.call(id);
        self.scene.rows.call(id);
        self.broadphase.call(id);
        prefetch_index::prefetch_index(&self.work, id.index());
    }

    /// Calls for the paths of a body's neighbours.
    fn call_neighbours(&self, id: BodyId) {
        let neighbours = self.broadphase.links.of(id);
        neighbours.iter().take(NEIGHBOURS).for_each(|neighbour| self.scene.rows.lines.call(neighbour.id));
    }
}
