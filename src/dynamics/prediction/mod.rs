//! Prediction: the first event of a body with its neighbours.
//!
//! Only the first pair event is kept, in the slot of one of the two bodies or of both. For a body with a new path, the
//! events with all its neighbours are predicted; the slots of the neighbours do not change. So a slot may be stale.
//! This is detected when its time comes: the pair then has a different prediction, and the body is predicted again
//! (Lubachevsky, *How to simulate billiards and similar systems*, J. Comput. Phys. 94, 1991, §3, there "advancement").

pub(super) mod cull;
mod driven;
pub(super) mod earliest;
pub(super) mod outline;
pub(super) mod pair_event;
pub(super) mod simd;
pub(super) mod touching;

use std::ops::Range;

use super::BodyId;
use super::body::pair::Pair;
use super::broadphase::Broadphase;
use super::broadphase::neighbour_blocks::NeighbourBlocks;
use super::broadphase::neighbour_lists::Neighbour;
use super::queue::{Kind, PairEvent, Prediction, Queue};
use super::scene::Scene;
use super::to_predict::{Entered, ToPredict};
use crate::motion::SimTime;
use cull::Culling;
use earliest::{Earliest, Seen, TooClose, latest_of_first};
use simd::first::{First, GROUP};
use simd::{Query, first_meetings};

/// The state that predictions depend on, and the queue for them.
pub(super) struct Predictor<'a> {
    pub(super) scene: &'a Scene,
    pub(super) broadphase: &'a mut Broadphase,
    pub(super) queue: &'a mut Queue,
}

impl Predictor<'_> {
    /// Predicts again what an event changed.
    pub(super) fn predict_changed(&mut self, to_predict: &ToPredict) {
        if let Some(entered) = &to_predict.entered {
            self.predict_entered(entered);
        }
        for &pair in &to_predict.pairs {
            if self.broadphase.are_neighbours(pair) {
                self.predict_pair(pair);
            }
        }
        to_predict.own_events.iter().for_each(|&id| self.queue_earliest(id));
        to_predict.bodies.iter().for_each(|&id| self.predict(id));
    }

    /// Predicts the events of a body with each of its neighbours.
    pub(super) fn predict(&mut self, id: BodyId) {
        let is_ballistic = self.scene.rows.records.is_ballistic_sphere(id);
        if !is_ballistic && !self.is_box_among_balls(id) {
            self.queue.set(id, &self.earliest_of_any(id), self.own_event(id));
            return;
        }
        self.broadphase.gather_neighbours(id);
        let seen = self.meetings(id, self.broadphase.neighbour_lists.of(id), self.broadphase.cell_neighbours());
        if is_ballistic {
            self.conclude(&seen);
        } else {
            self.queue_pair_event(id, seen.pair_event(self.scene));
        }
    }

    /// Predicts the events of a body in a new domain with its new neighbours. Predictions with the other neighbours
    /// remain valid.
    fn predict_entered(&mut self, entered: &Entered) {
        let &Entered { body, ref listed, was_ballistic } = entered;
        if self.scene.rows.records.is_ballistic_sphere(body) {
            if was_ballistic {
                self.predict_new(body, listed.clone());
            } else {
                self.predict(body);
            }
            return;
        }
        self.queue_earliest(body);
        let pairs: Vec<Pair> = self.broadphase.new_pairs(body, listed.clone()).collect();
        for pair in pairs {
            let updates = self.scene.rows.predicts_with(body, pair.other(body));
            if let Some(next) = self.prediction(pair, SimTime::NEVER) {
                self.offer(if updates { body } else { pair.other(body) }, next);
            }
        }
    }

    /// The same for a ballistic sphere on an unchanged path: its new neighbours are the rows `listed` of its neighbour
    /// list, and new ones in the cell list.
    pub(super) fn predict_new(&mut self, id: BodyId, listed: Range<usize>) {
        let seen =
            self.meetings(id, &self.broadphase.neighbour_lists.of(id)[listed], self.broadphase.new_cell_neighbours());
        if seen.is_empty() {
            self.queue_earliest(id);
            return;
        }
        let before = self.queue.pair_event(id);
        let pair_event = seen.pair_event(self.scene).map(|found| PairEvent::first(before, found));
        self.queue_pair_event(id, pair_event);
    }

    /// Predicts the next event of a pair of neighbours.
    pub(super) fn predict_pair(&mut self, pair: Pair) {
        let next = self.prediction(pair, SimTime::NEVER);
        for (id, other) in [(pair.a, pair.b), (pair.b, pair.a)] {
            let pair_event = self.queue.pair_event(id);
            if pair_event.prediction.is_between(pair.a, pair.b) {
                self.predict(id);
            } else if let Some(next) = next
                && self.scene.rows.predicts_with(id, other)
            {
                self.offer(id, next);
            }
        }
    }

    /// The next event of a pair. An event after `latest` may be left out.
    pub(super) fn prediction(&self, pair: Pair, latest: SimTime) -> Option<Prediction> {
        self.scene.predict(pair, latest).map(|(time, kind)| Prediction { time, kind, pair })
    }

    /// Adds a pair event to the slot of a body.
    pub(super) fn offer(&mut self, id: BodyId, next: Prediction) {
        let PairEvent { prediction: before, is_isolated } = self.queue.pair_event(id);
        // A half-space has one image only. Its number changes with the body's domain.
        let same = before.is_between(next.pair.a, next.pair.b) && before.time == next.time;
        let before = PairEvent { prediction: if same { next } else { before }, is_isolated };
        let first = PairEvent::first(before, PairEvent { prediction: next, is_isolated: true });
        self.queue.set(id, &first, self.own_event(id));
    }

    /// Queues the body's pair event again, with its present own event.
    pub(super) fn queue_earliest(&mut self, id: BodyId) {
        self.queue.set(id, &self.queue.pair_event(id), self.own_event(id));
    }

    /// The next own event of a body: domain exit or contact update.
    fn own_event(&self, id: BodyId) -> (SimTime, Kind) {
        let exit = (self.broadphase.exit(id), Kind::Domain);
        self.scene.due.get(id).map_or(exit, |due| exit.min((due, Kind::Settle)))
    }

    /// The first of all pair events that are predicted for a body, computed pair by pair.
    fn earliest_of_any(&self, id: BodyId) -> PairEvent {
        let (rows, culling, mut earliest) = (&self.scene.rows, Culling::new(self.scene, id), Earliest::none(id));
        for pair in self.broadphase.pairs(id) {
            let latest = latest_of_first(earliest.time());
            if !self.scene.are_stepped_together(pair)
                && rows.predicts_with(id, pair.other(id))
                && !culling.is_idle(pair, latest)
            {
                self.prediction(pair, latest).into_iter().for_each(|next| earliest.add(next));
            }
        }
        earliest.pair_event()
    }

    /// Whether a body is a box in free flight with all its neighbours in the cell list. The vector code then finds
    /// neighbours that the box certainly does not meet.
    fn is_box_among_balls(&self, id: BodyId) -> bool {
        self.broadphase.cell(id).is_some()
            && self.scene.rows.driven.is_empty()
            && self.broadphase.neighbour_lists.count(id) == 0
            && self.scene.is_free_box(id)
    }

    /// The first meetings of a ballistic sphere with neighbours of its neighbour list, and with those of the cell list.
    fn meetings(&self, id: BodyId, listed: &[Neighbour], cell_neighbours: NeighbourBlocks<'_>) -> Seen {
        let mut seen = Seen::new(id);
        let pair = |row: usize| self.broadphase.pair_in_cells(id, cell_neighbours.ids()[row]);
        self.add_meetings(&mut seen, cell_neighbours, pair);
        for some in listed.chunks(GROUP) {
            let (mut ids, mut rows, mut count) = ([id; GROUP], [0; GROUP], 0);
            for (row, neighbour) in some.iter().enumerate() {
                if self.scene.rows.records.is_ballistic_sphere(neighbour.id) {
                    (ids[count], rows[count]) = (neighbour.id, row);
                    count += 1;
                } else {
                    self.decide(&mut seen, self.broadphase.pair_listed(id, neighbour), &First::NONE);
                }
            }
            let pair = |row: usize| self.broadphase.pair_listed(id, &some[rows[row]]);
            self.add_meetings(&mut seen, NeighbourBlocks::new(&ids, count), pair);
        }
        seen
    }

    /// Adds the first meetings with `others`. `pair` gives the pair of each row.
    fn add_meetings(&self, seen: &mut Seen, others: NeighbourBlocks<'_>, pair: impl Fn(usize) -> Pair) {
        if others.ids().is_empty() {
            return;
        }
        let records = &self.scene.rows.records;
        let query = Query { own: records.get(seen.id), others, around_boxes: self.broadphase.radius_in_cells() };
        let mut decide = |row: usize, known: &First| self.decide(seen, pair(row), known);
        let first = first_meetings(query, records, self.scene.now, &mut decide);
        seen.add(&first, others.ids());
    }

    /// Queues the first event found for a ballistic sphere, which has no other own event than its domain exit.
    #[inline(never)]
    fn conclude(&mut self, seen: &Seen) {
        if seen.is_clear() {
            // This is nearly always so. In a separate branch the prediction stays in registers.
            let pair_event = PairEvent { prediction: seen.met(self.scene), is_isolated: true };
            self.queue.set(seen.id, &pair_event, (self.broadphase.exit(seen.id), Kind::Domain));
        } else {
            self.queue_pair_event(seen.id, seen.pair_event(self.scene));
        }
    }

    #[inline(always)]
    fn queue_pair_event(&mut self, id: BodyId, pair_event: Result<PairEvent, TooClose>) {
        let pair_event = pair_event.unwrap_or_else(|TooClose| self.earliest_of_any(id));
        self.queue.set(id, &pair_event, self.own_event(id));
    }

    /// Predicts a pair that the vector code does not handle or leaves undecided. `known` has the first meetings that
    /// the vector code has found so far among these neighbours.
    #[cold]
    fn decide(&self, seen: &mut Seen, pair: Pair, known: &First) {
        let known = seen.time_of_first(known, &self.scene.rows.records);
        let undecided = seen.undecided.get_or_insert_with(|| Earliest::none(seen.id));
        let latest = latest_of_first(undecided.time().min(known));
        if !Culling::new(self.scene, seen.id).is_idle(pair, latest) {
            self.prediction(pair, latest).into_iter().for_each(|next| undecided.add(next));
        }
    }
}

#[cfg(test)]
mod tests;
