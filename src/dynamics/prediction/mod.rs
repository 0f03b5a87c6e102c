//! Prediction: the first event of a body with its neighbours.
//!
//! Only the first pair event is kept, in the slot of one of the two bodies or of both. A body with a new path predicts
//! the events with all its neighbours; their slots do not change. So a slot may be stale. That shows when its time
//! comes: the prediction for the pair is a different one by then, and the body is predicted again (Lubachevsky, *How to
//! simulate billiards and similar systems*, J. Comput. Phys. 94, 1991, §3, there "advancement").

pub(super) mod cull;
pub(super) mod mesh;
pub(super) mod pair_event;
pub(super) mod simd;

use std::ops::Range;

use super::BodyId;
use super::body::pair::Pair;
use super::body::path_record::PathRecords;
use super::broadphase::Broadphase;
use super::broadphase::neighbour_lists::Neighbour;
use super::changed::{Changed, Entered};
use super::queue::{Kind, PairEvent, Prediction, Queue};
use super::scene::Scene;
use crate::motion::SimTime;
use crate::numeric::tolerance::{DOMAIN_SLACK, INSTANT_MAX};
use simd::first::{First, GROUP, NEVER};
use simd::{BALLS, NeighbourBlocks, Query, first_of_each};

/// Two meetings are so close that only the clock can tell their order.
struct Close;

/// The state that predictions depend on, and the queue for them.
pub(super) struct Predictor<'a> {
    pub(super) scene: &'a Scene,
    pub(super) broadphase: &'a mut Broadphase,
    pub(super) queue: &'a mut Queue,
}

impl Predictor<'_> {
    /// Predicts again what an event changed.
    pub(super) fn predict_changed(&mut self, changed: &Changed) {
        if let Some(entered) = &changed.entered {
            self.predict_entered(entered);
        }
        for &pair in &changed.pairs {
            if self.broadphase.are_neighbours(pair) {
                self.predict_pair(pair);
            }
        }
        changed.own_events.iter().for_each(|&id| self.queue_earliest(id));
        match changed.bodies[..] {
            [a, b] if a != b => self.predict_both([a, b]),
            ref bodies => bodies.iter().for_each(|&id| self.predict(id)),
        }
    }

    /// Predicts the events of a body with each of its neighbours.
    pub(super) fn predict(&mut self, id: BodyId) {
        if !self.scene.rows.records.is_ballistic_sphere(id) {
            self.queue.set(id, &self.earliest_of_any(id), self.own_event(id));
            return;
        }
        self.broadphase.gather_neighbours(0, id);
        let seen = self.meetings(id, self.broadphase.neighbour_lists.of(id), self.broadphase.cell_neighbours(0));
        self.conclude(&seen);
    }

    /// The same for the two bodies of an impact.
    #[inline]
    pub(super) fn predict_both(&mut self, bodies: [BodyId; 2]) {
        if !bodies.into_iter().all(|id| self.has_only_cell_neighbours(id)) {
            bodies.into_iter().for_each(|id| self.predict(id));
            return;
        }
        (0..BALLS).for_each(|side| self.broadphase.gather_neighbours(side, bodies[side]));
        let mut seen = bodies.map(Seen::new);
        self.add_meetings_of_both(&mut seen);
        seen.iter().for_each(|seen| self.conclude(seen));
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
            if let Some(next) = self.prediction(pair) {
                self.offer(if updates { body } else { pair.other(body) }, next);
            }
        }
    }

    /// The same for a ballistic sphere on an unchanged path: its new neighbours are the rows `listed` of its neighbour
    /// list, and new ones in the cell list.
    pub(super) fn predict_new(&mut self, id: BodyId, listed: Range<usize>) {
        let seen =
            self.meetings(id, &self.broadphase.neighbour_lists.of(id)[listed], self.broadphase.new_cell_neighbours());
        let before = self.queue.pair_event(id);
        let pair_event = seen.pair_event(self.scene).map(|found| PairEvent::first(before, found));
        self.queue_pair_event(id, pair_event);
    }

    /// Predicts the next event of a pair of neighbours.
    pub(super) fn predict_pair(&mut self, pair: Pair) {
        let next = self.prediction(pair);
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

    /// The next event of a pair.
    pub(super) fn prediction(&self, pair: Pair) -> Option<Prediction> {
        self.scene.predict(pair).map(|(time, kind)| Prediction { time, kind, pair })
    }

    /// Adds a pair event to the slot of a body.
    pub(super) fn offer(&mut self, id: BodyId, next: Prediction) {
        let pair_event = self.queue.pair_event(id).prediction;
        // A half-space has one image only. Its number changes with the body's domain.
        let same = pair_event.is_between(next.pair.a, next.pair.b) && pair_event.time == next.time;
        let prediction = if same || next.precedes(&pair_event) { next } else { pair_event };
        self.queue.set(id, &PairEvent { prediction, lone: false }, self.own_event(id));
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

    /// The first of all pair events that a body looks for, pair by pair.
    fn earliest_of_any(&self, id: BodyId) -> PairEvent {
        let rows = &self.scene.rows;
        let (mut first, mut second) = (Prediction::never(id), SimTime::NEVER);
        for pair in self.broadphase.pairs(id).filter(|pair| rows.predicts_with(id, pair.other(id))) {
            // An event later than this is neither the first nor at the same instant.
            let latest = || first.time.plus(4.0 * INSTANT_MAX);
            if first.time != SimTime::NEVER && self.scene.is_idle(pair, self.scene.now, latest()) {
                continue;
            }
            let Some(next) = self.prediction(pair) else { continue };
            let later = if next.precedes(&first) { std::mem::replace(&mut first, next) } else { next };
            second = second.min(later.time);
        }
        let lone = second == SimTime::NEVER || second.since(first.time) > 2.0 * INSTANT_MAX;
        PairEvent { prediction: first, lone }
    }

    /// Whether a body is a ballistic sphere with all its neighbours in the cell list.
    #[inline]
    fn has_only_cell_neighbours(&self, id: BodyId) -> bool {
        self.scene.rows.records.is_ballistic_sphere(id) && self.broadphase.neighbour_lists.count(id) == 0
    }

    /// The first meetings of a ballistic sphere with neighbours of its neighbour list, and with those of the cell list.
    fn meetings(&self, id: BodyId, listed: &[Neighbour], cell_neighbours: NeighbourBlocks<'_>) -> Seen {
        let mut seen = Seen::new(id);
        for some in listed.chunks(GROUP) {
            let mut ids = [id; GROUP];
            ids.iter_mut().zip(some).for_each(|(row, neighbour)| *row = neighbour.id);
            let others = NeighbourBlocks::new(&ids, some.len());
            self.add_meetings(&mut seen, others, |row| self.broadphase.pair_listed(id, &some[row]));
        }
        let pair = |row: usize| self.broadphase.pair_in_cells(id, cell_neighbours.ids()[row]);
        self.add_meetings(&mut seen, cell_neighbours, pair);
        seen
    }

    /// Adds the first meetings with `others`. `pair` gives the pair of each row.
    fn add_meetings(&self, seen: &mut Seen, others: NeighbourBlocks<'_>, pair: impl Fn(usize) -> Pair) {
        if others.ids().is_empty() {
            return;
        }
        let records = &self.scene.rows.records;
        let (queries, mut first) = ([Query { own: records.get(seen.id), others }], [First::NONE; BALLS]);
        let mut decide = |_: usize, row: usize| self.decide(&mut seen.undecided, pair(row));
        first_of_each(&queries, records, self.scene.now, &mut first, &mut decide);
        seen.add(&first[0], others.ids());
    }

    /// The first meetings of each of two such spheres with its neighbours in the cell list.
    #[inline]
    fn add_meetings_of_both(&self, seen: &mut [Seen; BALLS]) {
        let (rows, broadphase) = (&self.scene.rows, &self.broadphase);
        let (cell_neighbours, bodies) =
            ([broadphase.cell_neighbours(0), broadphase.cell_neighbours(1)], [seen[0].id, seen[1].id]);
        let queries = [0, 1].map(|side| Query { own: rows.records.get(bodies[side]), others: cell_neighbours[side] });
        let mut first = [First::NONE; BALLS];
        let mut decide = |side: usize, row: usize| {
            let pair = broadphase.pair_in_cells(bodies[side], cell_neighbours[side].ids()[row]);
            self.decide(&mut seen[side].undecided, pair);
        };
        first_of_each(&queries, &rows.records, self.scene.now, &mut first, &mut decide);
        (0..BALLS).for_each(|side| seen[side].add(&first[side], cell_neighbours[side].ids()));
    }

    /// Queues the first event found for a ballistic sphere.
    #[inline(never)]
    fn conclude(&mut self, seen: &Seen) {
        self.queue_pair_event(seen.id, seen.pair_event(self.scene));
    }

    #[inline(always)]
    fn queue_pair_event(&mut self, id: BodyId, pair_event: Result<PairEvent, Close>) {
        let pair_event = pair_event.unwrap_or_else(|Close| self.earliest_of_any(id));
        self.queue.set(id, &pair_event, self.own_event(id));
    }

    /// Predicts a pair that the vector code leaves undecided.
    #[cold]
    fn decide(&self, undecided: &mut Option<Prediction>, pair: Pair) {
        let next = self.prediction(pair);
        *undecided = next.filter(|next| undecided.is_none_or(|undecided| next.precedes(&undecided))).or(*undecided);
    }
}

/// The first meetings found for a ballistic sphere.
struct Seen {
    id: BodyId,
    /// The first two meetings.
    first: First,
    /// The partner of the first meeting; the ball itself if there is none.
    other: BodyId,
    /// The first event among the pairs that the vector code leaves undecided.
    undecided: Option<Prediction>,
}

impl Seen {
    #[inline(always)]
    fn new(id: BodyId) -> Self {
        Self { id, first: First::NONE, other: id, undecided: None }
    }

    /// Adds the meetings found with the neighbours `some`.
    #[inline(always)]
    fn add(&mut self, found: &First, some: &[BodyId]) {
        let is_first = found.after < self.first.after;
        if is_first {
            self.other = some[found.row];
        }
        let (first, later) = if is_first { (*found, self.first.after) } else { (self.first, found.after) };
        self.first = First { second: first.second.min(later), ..first };
    }

    /// The first pair event, if it is clearly before the second.
    #[inline(always)]
    fn pair_event(&self, scene: &Scene) -> Result<PairEvent, Close> {
        if self.first.is_close() {
            return Err(Close);
        }
        let met = self.met(&scene.rows.records, scene.now);
        let prediction = self.undecided.filter(|undecided| undecided.precedes(&met)).unwrap_or(met);
        debug_assert!(
            prediction.time == SimTime::NEVER
                || scene.predict(prediction.pair) == Some((prediction.time, prediction.kind)),
            "{prediction:?} is not that of a single pair"
        );
        Ok(PairEvent { prediction, lone: self.undecided.is_none() })
    }

    /// The first meeting of those found by the vector code.
    #[inline(always)]
    fn met(&self, records: &PathRecords, now: SimTime) -> Prediction {
        let start = records.get(self.id).epoch().max(records.get(self.other).epoch());
        let meets = self.first.after < NEVER;
        let time = SimTime::choose(meets, start.plus(self.first.time), SimTime::NEVER);
        Prediction { time, kind: Kind::Impact, pair: Pair::of_nearest(self.id, self.other, records, now) }
    }
}

impl PairEvent {
    /// The first of two pair events. It is lone if they are not at one instant.
    fn first(one: Self, other: Self) -> Self {
        let [x, y] = [one.prediction, other.prediction];
        let (first, second) = if y.precedes(&x) { (other, x) } else { (one, y) };
        let apart = second.time.since(first.prediction.time) > 2.0 * INSTANT_MAX;
        Self { lone: first.lone && apart, ..first }
    }
}

impl First {
    /// Whether the clock may order the two otherwise, or see them at one instant. False if there is no second meeting.
    fn is_close(&self) -> bool {
        self.second - self.after <= 2.0 * INSTANT_MAX + DOMAIN_SLACK * self.after
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::dynamics::prediction::simd::LANES;
    use crate::dynamics::random::Random;
    use crate::dynamics::{Body, Period, Settings, Space, Stepper};

    /// The number of pairs of ballistic spheres decided by the vector code, and the number it left undecided.
    fn compare(stepper: &Stepper) -> [usize; 2] {
        let (rows, mut counts) = (&stepper.parts.scene.rows, [0; 2]);
        for id in rows.ids().filter(|&id| rows.records.is_ballistic_sphere(id)) {
            let own = rows.records.get(id);
            for pair in
                stepper.parts.broadphase.pairs(id).filter(|pair| rows.records.is_ballistic_sphere(pair.other(id)))
            {
                let (mut undecided, other, mut first) = (false, pair.other(id), [First::NONE; BALLS]);
                let (ids, decide) = ([other; LANES], &mut |_, _| undecided = true);
                let queries = [Query { own, others: NeighbourBlocks::new(&ids, 1) }];
                first_of_each(&queries, &rows.records, stepper.parts.scene.now, &mut first, decide);
                let [found, _] = first;
                if undecided {
                    counts[1] += 1;
                    continue;
                }
                let start = own.epoch().max(rows.records.get(other).epoch());
                let in_lane = (found.after < NEVER).then(|| {
                    let time = start.plus(found.time);
                    assert!((time.since(own.epoch()) - found.after).abs() <= DOMAIN_SLACK * (1.0 + found.after));
                    (time, Kind::Impact)
                });
                assert_eq!(in_lane, stepper.parts.scene.predict(pair), "{id:?} {pair:?}");
                counts[0] += 1;
            }
        }
        counts
    }

    /// Balls of radius 0.2 to 0.5 in a cube of edge 8 that repeats or is between two half-spaces.
    fn gas(round: u32, gravity: f64, repeats: bool) -> Stepper {
        let mut random = Random::from_state(u64::from(round) + 7);
        let period = Some(Period { min: -4.0, max: 4.0 });
        let periods = if repeats { [period; 3] } else { [period, period, None] };
        let settings =
            Settings { gravity: DVec3::new(0.0, 0.0, -gravity), space: Space { periods }, ..Settings::default() };
        let mut bodies: Vec<Body> = (0..216)
            .map(|n| {
                let cell = DVec3::new(f64::from(n % 6), f64::from(n / 6 % 6), f64::from(n / 36));
                let velocity = if round.is_multiple_of(3) { random.vector(1.0).round() } else { random.vector(1.0) };
                let radius = 0.2 + 0.3 * random.unit();
                let place = (cell - 2.5) * 1.3;
                Body::sphere(radius, radius).unwrap().at(place).moving(velocity)
            })
            .collect();
        if !repeats {
            bodies.extend([(DVec3::Z, -4.5), (-DVec3::Z, -4.5)].map(|(n, at)| Body::plane(n, at).unwrap()));
        }
        Stepper::new(settings, &bodies).unwrap()
    }

    #[test]
    fn vector_code_finds_the_same_bits_as_single_pairs() {
        for (round, gravity, repeats) in
            [(0, 0.0, true), (1, 0.0, true), (2, 1.0, true), (3, 0.0, false), (4, 1.0, false)]
        {
            let mut stepper = gas(round, gravity, repeats);
            let mut counts = [0; 2];
            for step in 1..60 {
                stepper.advance(SimTime::from_seconds(0.07 * f64::from(step)), usize::MAX).unwrap();
                let [looked, undecided] = compare(&stepper);
                counts = [counts[0] + looked, counts[1] + undecided];
            }
            // Grazing, contact and equal velocities are left undecided; in a gas they are rare.
            assert!(counts[0] > 10_000 && counts[1] * 10 < counts[0], "{round}: {counts:?}");
        }
    }

    #[test]
    fn the_queued_event_is_the_first_of_all() {
        let mut stepper = gas(5, 0.0, true);
        for step in 1..60 {
            stepper.advance(SimTime::from_seconds(0.07 * f64::from(step)), usize::MAX).unwrap();
            for id in stepper.parts.scene.rows.ids() {
                let mut predictor = stepper.predictor();
                predictor.predict(id);
                let [lanes, single] = [predictor.queue.pair_event(id), predictor.earliest_of_any(id)];
                assert_eq!(lanes.prediction, single.prediction);
            }
        }
    }
}
