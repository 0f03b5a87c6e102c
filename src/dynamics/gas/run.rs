//! The loop: take, move, resolve, predict.

use pulp::{Simd, WithSimd};

use super::balls::TICKS_MAX;
use super::impact::Struck;
use super::{Gas, Neighbours};
use crate::dynamics::BodyId;
use crate::dynamics::error::RunError;
use crate::dynamics::parts::Parts;
use crate::motion::SimTime;

/// Why the loop has returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dynamics) enum End {
    /// The target is reached.
    Reached,
    /// There are as many events in the buffer as the caller wants.
    Full,
    /// The caller asked to stop, and no other event is at the present.
    Stopped,
    /// The general loop has to go on. `is_full` if a ball has too many neighbours.
    Left { is_full: bool },
}

/// How far the loop goes.
pub(in crate::dynamics) struct Limits<'a> {
    pub(in crate::dynamics) target: SimTime,
    pub(in crate::dynamics) events_max: usize,
    pub(in crate::dynamics) stop: &'a dyn Fn() -> bool,
}

impl Gas {
    /// Resolves the events up to the target in order, those at the target included.
    pub(in crate::dynamics) fn run(&mut self, parts: &mut Parts, limits: &Limits<'_>) -> Result<End, RunError> {
        parts.scene.rows.records.common.machine.dispatch(Run { gas: self, parts, limits })
    }
}

struct Run<'a> {
    gas: &'a mut Gas,
    parts: &'a mut Parts,
    limits: &'a Limits<'a>,
}

impl WithSimd for Run<'_> {
    type Output = Result<End, RunError>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Result<End, RunError> {
        let Self { gas, parts, limits: &Limits { target, events_max, stop } } = self;
        while let Some(entry) = gas.calendar.take() {
            if gas.is_large
                && let Neighbours::Lists(lists) = &gas.neighbours
            {
                gas.prefetch(parts, lists);
            }
            let slot = &gas.slots[entry.ball as usize];
            if !slot.has(&entry) {
                continue;
            }
            let time = entry.time();
            if time > target {
                gas.calendar.put_back(entry);
                break;
            }
            let other = slot.other;
            parts.scene.go_to(time);
            if other == entry.ball {
                let is_inside = gas.can_go_on(parts, other);
                if !is_inside || !gas.renew(simd, &parts.scene, entry.ball) {
                    return Ok(End::Left { is_full: is_inside });
                }
                gas.predict::<S, false>(simd, &parts.scene, entry.ball);
            } else if slot.turn_of_other != gas.slots[other as usize].turn {
                gas.predict::<S, false>(simd, &parts.scene, entry.ball);
                continue;
            } else {
                match gas.strike(parts, entry.ball)? {
                    Struck::Both => {
                        let one = gas.first::<S, true>(simd, &parts.scene, entry.ball);
                        let two = gas.first::<S, true>(simd, &parts.scene, other);
                        gas.conclude::<true>(&parts.scene, entry.ball, &one.0, one.1);
                        gas.conclude::<true>(&parts.scene, other, &two.0, two.1);
                    }
                    Struck::Changed => gas.predict_changed(simd, parts),
                    Struck::Ends => return Ok(End::Left { is_full: false }),
                }
                if parts.log.events.len() >= events_max {
                    return Ok(End::Full);
                }
            }
            if stop() {
                let is_last = gas.calendar.ready().last().is_none_or(|next| next.time() > parts.scene.now);
                return Ok(if is_last { End::Stopped } else { End::Left { is_full: false } });
            }
        }
        parts.scene.now = target.max(parts.scene.now);
        Ok(End::Reached)
    }
}

impl Gas {
    /// Whether a ball is where positions and the clock are exact.
    #[inline(always)]
    fn can_go_on(&self, parts: &Parts, ball: u32) -> bool {
        let scene = &parts.scene;
        let place = scene.rows.records.get(BodyId(ball)).straight_at(scene.now);
        scene.now.ticks() < TICKS_MAX && scene.settings.space.is_countable(place)
    }

    /// Predicts again all balls in the list of changes. The instructions of the machine are those of the loop, so this is
    /// a part of it.
    #[inline(always)]
    fn predict_changed<S: Simd>(&mut self, simd: S, parts: &mut Parts) {
        let mut bodies = std::mem::take(&mut parts.changed.bodies);
        bodies.sort_unstable();
        bodies.dedup();
        for &id in &bodies {
            self.follow(&parts.scene, id.0);
            let slot = &mut self.slots[id.index()];
            slot.turn = slot.turn.wrapping_add(1);
        }
        bodies.iter().for_each(|id| self.predict::<S, false>(simd, &parts.scene, id.0));
        bodies.clear();
        parts.changed.bodies = bodies;
    }
}
