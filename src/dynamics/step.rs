//! The step loop: find, move, resolve. The one place that knows the order of events.

use glam::DVec3;

use super::body::pair::Pair;
use super::event::{Event, EventKind};
use super::prediction::pair_event::{Meeting, Passage, Scene};
use super::queue::{Kind, Prediction};
use super::state::{RunError, Stepper};
use super::{BodyId, Response};
use crate::geometry::{Shape, gap, touch_point};
use crate::motion::SimTime;
use crate::numeric::tolerance::TIME_MAX;

/// Most domains that a body may leave at one instant. Each is half as wide again as the one before if it is
/// alone, so this many span any distance.
const DOMAINS_MAX: u32 = 1000;

/// How far a call of [`Stepper::advance`] came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The target is the present.
    Reached,
    /// The event buffer is full; call again after taking the events.
    BufferFull {
        /// The instant of the last event in it, which is the present unless the buffer was full before. More may happen
        /// at it.
        time: SimTime,
    },
}

/// What became of something that was predicted.
enum Outcome {
    /// It does not hold any more.
    Void,
    /// It was an impact of two ballistic spheres, and is done with.
    Done,
    /// It holds, and is to be taken.
    Holds,
}

impl Stepper {
    /// Goes on to `target`, taking every event on the way in order, those at `target` included.
    ///
    /// Stops early when there are `events_max` events or more in the buffer, and says at which instant. Where and how often
    /// one stops changes no event.
    ///
    /// # Errors
    /// [`RunError`]; the world then stands at the event that could not be resolved, and cannot go on.
    pub fn advance(&mut self, target: SimTime, events_max: usize) -> Result<Progress, RunError> {
        let progress = self.pause_at(target, events_max)?;
        self.step += u64::from(progress == Progress::Reached);
        Ok(progress)
    }

    /// Goes on to `target` as [`advance`](Self::advance) does, but as a part of a step: what is counted by steps, such as
    /// the impacts that `impacts_max` limits, is counted on.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn pause_at(&mut self, target: SimTime, events_max: usize) -> Result<Progress, RunError> {
        while let Some((id, prediction)) = self.queue.first().filter(|(_, first)| first.time <= target) {
            self.prefetch_next_events();
            match self.validate(&prediction)? {
                Outcome::Void => {
                    self.predict(id);
                    continue;
                }
                Outcome::Done => {}
                Outcome::Holds => self.take(id, prediction)?,
            }
            if self.events.len() >= events_max {
                let time = self.events.last().map_or(self.now, |last| last.time);
                return Ok(Progress::BufferFull { time });
            }
        }
        self.now = target.max(self.now);
        Ok(Progress::Reached)
    }

    /// Goes on to what was predicted, if that is what would be predicted now.
    #[inline(always)]
    fn validate(&mut self, prediction: &Prediction) -> Result<Outcome, RunError> {
        let &Prediction { time, kind, pair } = prediction;
        if kind == Kind::Impact && self.are_ballistic_spheres(pair) {
            let Some(encounter) = self.encounter(pair, time) else { return Ok(Outcome::Void) };
            self.go_to(time);
            let is_done = self.resolve_sphere_pair(&encounter)?;
            return Ok(if is_done { Outcome::Done } else { Outcome::Holds });
        }
        if !matches!(kind, Kind::Domain | Kind::Settle) && self.scene.predict(pair) != Some((time, kind)) {
            return Ok(Outcome::Void);
        }
        self.go_to(time);
        Ok(Outcome::Holds)
    }

    #[inline(always)]
    fn go_to(&mut self, time: SimTime) {
        debug_assert!(time >= self.now, "{time} lies before {}", self.now);
        self.now = time.max(self.now);
    }

    /// Lets happen what was predicted for `id`.
    fn take(&mut self, id: BodyId, prediction: Prediction) -> Result<(), RunError> {
        let pair = prediction.pair;
        match prediction.kind {
            Kind::Domain => self.leave_domain(id),
            Kind::Impact => self.impact(pair),
            Kind::Release => self.slide_off(pair),
            Kind::Enter => self.pass(pair, EventKind::Enter),
            Kind::Leave => self.pass(pair, EventKind::Leave),
            Kind::Settle => self.settle(id),
        }
    }

    /// A body gets a new domain, and other neighbours; what is awaited from those it had still holds.
    fn leave_domain(&mut self, id: BodyId) -> Result<(), RunError> {
        self.check_finite(id)?;
        if !self.scene.settings.space.is_countable(self.scene.rows.path(id).position_at(self.now)) {
            return Err(RunError::TooFar { body: id, time: self.now });
        }
        self.count_domain(id)?;
        let was_ballistic = self.scene.rows.records.is_ballistic_sphere(id);
        let linked = self.broadphase.renew(id, &self.scene.rows, &self.scene.settings.space, self.now);
        self.refresh_record(id);
        if self.scene.rows.records.is_ballistic_sphere(id) {
            if was_ballistic {
                self.predict_new(id, linked);
            } else {
                self.predict(id);
            }
            return Ok(());
        }
        self.queue_earliest(id);
        let pairs: Vec<Pair> = self.broadphase.new_pairs(id, linked).collect();
        for pair in pairs {
            let looks = self.scene.rows.looks_at(id, pair.other(id));
            if let Some(next) = self.prediction(pair) {
                self.offer(if looks { id } else { pair.other(id) }, next);
            }
        }
        Ok(())
    }

    /// A body enters or leaves a sensor: nobody's path changes.
    fn pass(&mut self, pair: Pair, kind: EventKind) -> Result<(), RunError> {
        let inside = kind == EventKind::Enter;
        self.scene.passages.insert(pair.absolute(&self.scene.rows), Passage { inside, since: self.now });
        self.log_passage(pair, kind);
        let owner = if self.scene.rows.owns(pair.a, pair.b) { pair.a } else { pair.b };
        if self.broadphase.are_neighbours(pair) {
            self.predict_pair(pair);
        }
        self.queue_earliest(owner);
        Ok(())
    }

    /// Logs that a body enters or leaves a sensor.
    pub(super) fn log_passage(&mut self, pair: Pair, kind: EventKind) {
        let motion = pair.motion(&self.scene.rows, &self.scene.settings.space, self.now);
        let [a, b] = self.scene.solids(pair, 0);
        let normal = gap(a, b, motion.position).map_or(DVec3::X, |gap| gap.normal);
        let speed = -normal.dot(motion.velocity);
        let meeting = Meeting { time: 0.0, normal, part: 0 };
        let event = self.event(pair, kind, &meeting, speed.abs(), 0.0);
        let sensor_is_a = self.scene.rows.role(pair.a).response == Response::Sense;
        self.log(if sensor_is_a { event.seen_from_b() } else { event });
    }

    /// An event of `pair` at the present, as seen from `pair.a`.
    pub(super) fn event(&self, pair: Pair, kind: EventKind, met: &Meeting, approach_speed: f64, impulse: f64) -> Event {
        let (normal, [a, b]) = (met.normal, self.scene.solids(pair, met.part));
        let pair = self.next_to_cell(pair);
        let position_a = self.scene.rows.wrapped_position(pair.a, &self.scene.settings.space, self.now);
        let position_b = position_a + pair.motion(&self.scene.rows, &self.scene.settings.space, self.now).position;
        let point = touch_point(a, position_a, b, position_b, normal);
        Event { approach_speed, impulse, ..self.event_at(pair, kind, met, point) }
    }

    /// An event of `pair` at the present that takes place at `point`.
    #[inline]
    pub(super) fn event_at(&self, pair: Pair, kind: EventKind, met: &Meeting, point: DVec3) -> Event {
        let Pair { a, b, .. } = pair;
        let (time, normal) = (self.now, met.normal);
        Event { time, kind, a, b, point, normal, approach_speed: 0.0, impulse: 0.0, loss: 0.0, group: 0 }
    }

    /// A pair whose first body is a half-space, with the image of the second that is in the periodic cell now. A half-space
    /// has one image only, and which one is meant would depend on domains.
    fn next_to_cell(&self, pair: Pair) -> Pair {
        let Scene { rows, settings, .. } = &self.scene;
        match rows.shape(pair.a) {
            Shape::Plane(_) => {
                let place = rows.path(pair.b).position_at(self.now);
                Pair { image: settings.space.cell_of(place).map(|periods| -periods), ..pair }
            }
            _ => pair,
        }
    }

    pub(super) fn log(&mut self, event: Event) {
        self.audit.counts[event.kind as usize] += 1;
        // Adding zero turns −0 into 0, which is the same place and direction.
        let (point, normal) = (event.point + DVec3::ZERO, event.normal + DVec3::ZERO);
        self.events.push(Event { point, normal, ..event });
    }

    /// Counts one more impact of `body` in this step.
    #[inline]
    pub(super) fn count_work(&mut self, body: BodyId, partner: BodyId) -> Result<(), RunError> {
        let work = &mut self.work[body.index()];
        if work.step != self.step {
            (work.step, work.impacts) = (self.step, 0);
        }
        work.impacts += 1;
        if work.impacts <= self.scene.settings.impacts_max || !self.scene.rows.is_free(body) {
            return Ok(());
        }
        Err(self.too_many_impacts(body, partner))
    }

    /// Why a body has more impacts in one step than there may be.
    #[cold]
    fn too_many_impacts(&self, body: BodyId, partner: BodyId) -> RunError {
        let work = &self.work[body.index()];
        let supports = work.supports();
        let closes = supports.and_then(|supports| self.closes_in(body, supports));
        match supports.zip(closes) {
            Some((supports, time)) => RunError::Squeezed { body, supports, time },
            None => RunError::Stalled { body, partner, impacts: work.impacts, time: self.now },
        }
    }

    /// When two bodies that no impulse moves, and that come nearer to each other, leave no room for the one between them.
    fn closes_in(&self, body: BodyId, supports: [BodyId; 2]) -> Option<SimTime> {
        let rows = &self.scene.rows;
        if supports.iter().any(|&id| rows.is_free(id)) {
            return None;
        }
        let (mut room, mut speed) = (0.0, 0.0);
        for id in supports {
            let pair = Pair::new(body, id, [0; 3]);
            let offset = pair.motion(rows, &self.scene.settings.space, self.now).position;
            let [a, b] = self.scene.solids(pair, 0);
            let found = gap(a, b, offset)?;
            let inward = if body == pair.a { -found.normal } else { found.normal };
            room += found.separation.max(0.0);
            speed += inward.dot(rows.path(id).velocity_at(self.now));
        }
        let time = room / speed;
        (speed > 0.0 && time < TIME_MAX).then(|| self.now.plus(time))
    }

    /// Counts one more domain that `body` leaves at this instant: one that is faster than the clock can tell never gets
    /// out of the present.
    fn count_domain(&mut self, body: BodyId) -> Result<(), RunError> {
        if self.crossings.count(body, self.now) > DOMAINS_MAX {
            return Err(RunError::TooFast { body, time: self.now });
        }
        Ok(())
    }
}
