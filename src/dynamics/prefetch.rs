//! Reading ahead: what the next impacts need comes from memory while the present one is worked on.
//!
//! An impact reads some hundred cache lines, most of them known only from others: a body's slot names its partner, its cell
//! its neighbours. In a world that no cache holds, waiting for them one after another takes more time than the arithmetic.
//! So each event calls for some of what the next four will read, as far as is known by then. Nothing depends on it.

use glam::DVec3;

use super::BodyId;
use super::body::pair::Pair;
use super::state::Stepper;
use crate::motion::SimTime;

/// Bodies whose rows, of some 350 bytes each, fill a cache of 16 MB.
pub(in crate::dynamics) const LARGE: usize = 50_000;

/// Of those that a body is linked to, so many are called for.
const LINKED: usize = 32;

impl Stepper {
    /// Calls for a part of what each of the next four events will read, the more the sooner it comes.
    #[inline]
    pub(super) fn read_ahead(&mut self) {
        if self.count() <= LARGE {
            return;
        }
        let [next, second, third, fourth] = self.queue.soon();
        if let Some(partner) = next.and_then(|next| self.queue.partner(next)) {
            self.call_neighbours(partner);
        }
        if let Some(second) = second {
            self.call_coming(second);
        }
        if let Some(third) = third {
            self.call_around(third);
        }
        if let Some(fourth) = fourth {
            self.call(fourth);
        }
    }

    /// Calls for the paths of those near to a body, and for who is near to its partner; or for those to whom it comes.
    fn call_coming(&mut self, id: BodyId) {
        if let Some(partner) = self.queue.partner(id) {
            self.call_neighbours(id);
            self.broadphase.call_around(partner);
        } else {
            let place = self.place_at_exit(id);
            let come = self.broadphase.look_ahead(id, &place);
            come.iter().for_each(|&id| self.scene.rows.lines.call(id));
        }
    }

    /// Calls for who is near to a body and for the rows of its partner; or for who is where it comes to.
    fn call_around(&self, id: BodyId) {
        if let Some(partner) = self.queue.partner(id) {
            self.call(partner);
            self.broadphase.call_around(id);
        } else {
            self.broadphase.call_ahead(id, &self.place_at_exit(id));
        }
    }

    /// Where a body leaves its domain, if it goes on as now, m.
    fn place_at_exit(&self, id: BodyId) -> DVec3 {
        let (rows, exit) = (&self.scene.rows, self.broadphase.exit(id));
        let position = rows.path(id).position_at(if exit == SimTime::NEVER { self.now } else { exit });
        position - self.scene.settings.space.shift(self.broadphase.images(id))
    }

    /// Calls for what an impact of these two needs after it is found to happen: even the second cache is some way off.
    #[inline]
    pub(super) fn call_for_impact(&self, pair: Pair) {
        for id in [pair.a, pair.b] {
            prefetch_index::prefetch_index(&self.work, id.index());
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
