//! Reading ahead: what the next impacts need comes from memory while the present one is worked on.
//!
//! An impact reads some hundred cache lines, most of them known only from others: a body's slot names its partner, its cell
//! its neighbours. In a world that no cache holds, waiting for them one after another takes more time than the arithmetic.
//! So each event calls for some of what the next three will read, as far as is known by then. Nothing depends on it.

use glam::DVec3;

use super::BodyId;
use super::pair::Pair;
use super::stepper::Stepper;

/// Bodies whose rows, of some 350 bytes each, fill a cache of 16 MB.
pub(in crate::dynamics) const LARGE: usize = 50_000;

/// Of those that a body is linked to, so many are called for.
const LINKED: usize = 32;

impl Stepper {
    /// Calls for a part of what the next events will read, and for the rest of what the first one will.
    #[inline]
    pub(super) fn read_ahead(&mut self, first: BodyId) {
        if self.count() <= LARGE {
            return;
        }
        if let Some(partner) = self.queue.partner(first) {
            self.call_neighbours(partner);
        }
        let [next, second, third] = self.queue.soon();
        if let Some(next) = next {
            match self.queue.partner(next) {
                Some(partner) => {
                    self.call_neighbours(next);
                    self.broadphase.call_around(partner);
                }
                None => {
                    let place = self.place_at_exit(next);
                    let come = self.broadphase.look_ahead(next, &place);
                    come.iter().for_each(|&id| self.scene.rows.lines.call(id));
                }
            }
        }
        if let Some(second) = second {
            match self.queue.partner(second) {
                Some(partner) => {
                    self.call(partner);
                    self.broadphase.call_around(second);
                }
                None => self.broadphase.call_ahead(second, &self.place_at_exit(second)),
            }
        }
        if let Some(third) = third {
            self.call(third);
        }
    }

    /// Where a body leaves its domain, if it goes on as now, m.
    fn place_at_exit(&self, id: BodyId) -> DVec3 {
        let (rows, exit) = (&self.scene.rows, self.broadphase.exit(id));
        let position = rows.path(id).position_at(exit.unwrap_or(self.now));
        position - self.scene.settings.space.shift(rows.images[id.index()])
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
    fn call_neighbours(&mut self, id: BodyId) {
        self.broadphase.look_beside(0, id);
        let (lines, broadphase) = (&self.scene.rows.lines, &self.broadphase);
        broadphase.links.of(id).iter().take(LINKED).for_each(|neighbour| lines.call(neighbour.id));
        broadphase.beside(0).ids().iter().for_each(|&id| lines.call(id));
    }
}
