//! Prefetching: memory for the next impacts of a gas with lists is read while the present one is resolved. No result
//! depends on it.

use prefetch_index::prefetch_index;

use super::Gas;
use super::lists::Lists;
use crate::dynamics::BodyId;
use crate::dynamics::simulation::Simulation;

impl Gas {
    /// Prefetches data of the next four events, the most for the nearest: most addresses are in other data, so each
    /// event prefetches what the next one needs to know more.
    #[inline(always)]
    pub(super) fn prefetch(&self, sim: &Simulation, lists: &Lists) {
        let mut soon = self.calendar.ready().iter().rev().map(|entry| entry.ball);
        let [first, second, third, fourth] = [(); 4].map(|()| soon.next());
        let others = self.slots.len() as u32;
        let other = |ball: u32| Some(self.slots[ball as usize].other).filter(|&other| other < others);
        let rows = |ball: u32| {
            prefetch_index(&self.slots, ball as usize);
            prefetch_index(&sim.counters.work, ball as usize);
            sim.scene.rows.records.prefetch(BodyId(ball));
            lists.prefetch(ball);
        };
        let paths = |ball: u32| {
            let neighbours = lists.neighbours(ball).iter();
            neighbours.for_each(|&other| sim.scene.rows.records.prefetch(BodyId(other)));
        };
        fourth.into_iter().for_each(rows);
        third.and_then(other).into_iter().for_each(rows);
        second.into_iter().for_each(paths);
        match first.and_then(|ball| Some((ball, other(ball)?))) {
            // It leaves the lists of its neighbours.
            Some((ball, other)) if other == ball => {
                lists.neighbours(ball).iter().for_each(|&other| lists.prefetch(other));
            }
            Some((_, other)) => paths(other),
            None => {}
        }
    }
}
