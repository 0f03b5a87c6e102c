//! The step loop: find, move, resolve, predict. Only this file determines the order of events.
//!
//! A prediction is checked when its time comes. A stale prediction is replaced by a new prediction of its body. A valid
//! one is resolved, and everything that the event changed is predicted again.

use super::BodyId;
use super::contact::lifecycle::slide_off;
use super::contact::velocities::settle;
use super::domain::leave_domain;
use super::error::RunError;
use super::gas::Limits;
use super::impact::resolve_impact;
use super::impact::sphere_pair::{SpherePair, resolve_sphere_pair};
use super::log::event::EventKind;
use super::prediction::Predictor;
use super::queue::{Kind, Prediction};
use super::sensor::pass;
use super::simulation::Simulation;
use super::state::Stepper;
use super::time_stepping::step::time_step;
use super::time_stepping::{admit_and_step, count_as_wedged, island_to_settle};
use crate::motion::SimTime;

/// How far a call of [`Stepper::advance`] came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The target is reached.
    Reached,
    /// The event buffer is full; call again after taking the events.
    BufferFull {
        /// The instant of the last event in the buffer, which is the present unless the buffer was full before. More
        /// events may follow at it.
        time: SimTime,
    },
    /// The caller asked to stop; the world can be read, and can go on.
    Stopped {
        /// Whether all events of the present instant are resolved. Only then does a world that continues from a
        /// snapshot have the same bits.
        between_instants: bool,
    },
}

/// Most events of the present instant that are still resolved after the caller asked to stop. One takes microseconds,
/// or about a millisecond in a large group of touching bodies, so the caller waits for at most about a second. More
/// events than this at one instant are rare.
const EVENTS_TO_INSTANT_END: u32 = 1 << 10;

/// Whether a prediction is valid when its time comes.
#[expect(
    clippy::large_enum_variant,
    reason = "it lives on the stack for one event, and nearly all events of balls between walls are the large one"
)]
enum Check {
    /// A path has changed since then, and the prediction would be different now.
    Stale,
    /// It is valid.
    Valid,
    /// It is valid, and is an impact of two ballistic spheres.
    Spheres(SpherePair),
}

impl Stepper {
    /// Advances to `target` and resolves every event on the way in order, those at `target` included.
    ///
    /// Stops early when there are `events_max` events or more in the buffer, and returns the instant. Where and how
    /// often a run stops changes no event.
    ///
    /// # Errors
    /// [`RunError`]; the world is then at the event that could not be resolved, and cannot continue.
    pub fn advance(&mut self, target: SimTime, events_max: usize) -> Result<Progress, RunError> {
        self.advance_until(target, events_max, &|| false)
    }

    /// Advances as [`advance`](Self::advance) does, but asks `stop` after each event, also after those that leave
    /// nothing in the buffer. If it is true, the world stops at the end of the present instant, or sooner if that has
    /// very many events. So a caller can end a long step.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn advance_until(
        &mut self,
        target: SimTime,
        events_max: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Progress, RunError> {
        let progress = self.pause_until(target, events_max, stop)?;
        self.sim.counters.step += u64::from(progress == Progress::Reached);
        Ok(progress)
    }

    /// Advances to `target` as [`advance`](Self::advance) does, but as a part of a step: counters per step, such as the
    /// impacts that `impacts_max` limits, continue.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn pause_at(&mut self, target: SimTime, events_max: usize) -> Result<Progress, RunError> {
        self.pause_until(target, events_max, &|| false)
    }

    /// Advances as [`pause_at`](Self::pause_at) does, and asks `stop` as [`advance_until`](Self::advance_until) does.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn pause_until(
        &mut self,
        target: SimTime,
        events_max: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Progress, RunError> {
        loop {
            let limits = Limits { target, events_max, stop };
            let progress = if self.begin_gas() { self.advance_gas(&limits)? } else { self.advance_events(&limits)? };
            if let Some(progress) = progress {
                return Ok(progress);
            }
        }
    }

    /// Advances event by event; `None` if the [gas loop](super::gas) may go on.
    fn advance_events(&mut self, limits: &Limits<'_>) -> Result<Option<Progress>, RunError> {
        let &Limits { target, events_max, stop } = limits;
        let mut to_instant_end = EVENTS_TO_INSTANT_END;
        while let Some((id, next)) = self.queue.first_until(target) {
            self.prefetch_next_events();
            let check = self.check(&next);
            if let Check::Stale = check {
                self.predictor().predict(id);
                debug_assert_ne!(self.queue.pair_event(id).prediction, next, "a stale event is predicted again");
                continue;
            }
            self.sim.scene.go_to(next.time);
            let resolved = self.resolve(id, &next, &check);
            self.predict_changed();
            resolved?;
            let events = &self.sim.log.events;
            if events.len() >= events_max {
                let time = events.last().map_or(next.time, |last| last.time);
                return Ok(Some(Progress::BufferFull { time }));
            }
            if stop() {
                let between_instants = self.queue.first_until(self.sim.scene.now).is_none();
                if between_instants || to_instant_end == 0 {
                    return Ok(Some(Progress::Stopped { between_instants }));
                }
                to_instant_end -= 1;
            }
            if self.turns.is_over() {
                return Ok(None);
            }
        }
        let scene = &mut self.sim.scene;
        scene.go_to(target.max(scene.now));
        Ok(Some(Progress::Reached))
    }

    /// Whether the prediction would be the same now.
    #[inline(always)]
    fn check(&self, next: &Prediction) -> Check {
        let (&Prediction { time, kind, pair }, scene) = (next, &self.sim.scene);
        if kind == Kind::Impact && scene.are_ballistic_spheres(pair) {
            self.prefetch_for_impact(pair);
            return scene.sphere_pair(pair, time).map_or(Check::Stale, Check::Spheres);
        }
        let is_own = matches!(kind, Kind::Domain | Kind::Settle);
        if is_own || scene.predict(pair, time) == Some((time, kind)) { Check::Valid } else { Check::Stale }
    }

    /// Resolves the predicted event of a body.
    #[inline(always)]
    fn resolve(&mut self, id: BodyId, next: &Prediction, check: &Check) -> Result<(), RunError> {
        let (Self { sim, queue, .. }, pair) = (self, next.pair);
        match (next.kind, check) {
            (Kind::Impact, Check::Spheres(met)) if met.is_alone(&sim.scene, queue) => resolve_sphere_pair(sim, met),
            (Kind::Impact, _) => resolve_impact(sim, queue, pair).and_then(|bodies| admit_and_step(sim, &bodies)),
            (Kind::Domain, _) => leave_domain(sim, id),
            (Kind::Release, _) => slide_off(sim, pair),
            (Kind::Enter, _) => pass(sim, pair, EventKind::Enter),
            (Kind::Leave, _) => pass(sim, pair, EventKind::Leave),
            (Kind::Settle, _) => match island_to_settle(sim, id)? {
                Some(island) => {
                    let wedged = settle(sim, id, island)?;
                    count_as_wedged(sim, &wedged);
                    Ok(())
                }
                None => time_step(sim, id),
            },
        }
    }

    /// Predicts again everything that has changed.
    #[inline(always)]
    pub(super) fn predict_changed(&mut self) {
        let Self { sim: Simulation { scene, broadphase, to_predict, .. }, queue, .. } = self;
        Predictor { scene, broadphase, queue }.predict_changed(to_predict);
        to_predict.clear();
    }

    /// The parts of the world that predict and queue.
    #[inline(always)]
    pub(super) fn predictor(&mut self) -> Predictor<'_> {
        let Self { sim: Simulation { scene, broadphase, .. }, queue, .. } = self;
        Predictor { scene, broadphase, queue }
    }
}
