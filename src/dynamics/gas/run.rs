//! The loop: take, move, resolve, predict.

use pulp::{Simd, WithSimd};

use super::balls::TICKS_MAX;
use super::impact::Struck;
use super::{Gas, Neighbours};
use crate::dynamics::BodyId;
use crate::dynamics::error::RunError;
use crate::dynamics::simulation::Simulation;
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
    pub(in crate::dynamics) fn run(&mut self, sim: &mut Simulation, limits: &Limits<'_>) -> Result<End, RunError> {
        sim.scene.rows.records.common.machine.dispatch(Run { gas: self, sim, limits })
    }
}

struct Run<'a> {
    gas: &'a mut Gas,
    sim: &'a mut Simulation,
    limits: &'a Limits<'a>,
}

impl WithSimd for Run<'_> {
    type Output = Result<End, RunError>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Result<End, RunError> {
        let Self { gas, sim, limits: &Limits { target, events_max, stop } } = self;
        while let Some(entry) = gas.calendar.take() {
            if gas.is_large
                && let Neighbours::Lists(lists) = &gas.neighbours
            {
                gas.prefetch(sim, lists);
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
            sim.scene.go_to(time);
            if other == entry.ball {
                let is_inside = gas.can_go_on(sim, other);
                if !is_inside || !gas.renew(simd, &sim.scene, entry.ball) {
                    return Ok(End::Left { is_full: is_inside });
                }
                gas.predict::<S, false>(simd, &sim.scene, entry.ball);
            } else if slot.turn_of_other != gas.slots[other as usize].turn {
                gas.predict::<S, false>(simd, &sim.scene, entry.ball);
                continue;
            } else {
                match gas.strike(sim, entry.ball)? {
                    Struck::Both => {
                        let one = gas.first::<S, true>(simd, &sim.scene, entry.ball);
                        let two = gas.first::<S, true>(simd, &sim.scene, other);
                        gas.conclude::<true>(&sim.scene, entry.ball, &one.0, one.1);
                        gas.conclude::<true>(&sim.scene, other, &two.0, two.1);
                    }
                    Struck::Changed => gas.predict_changed(simd, sim),
                    Struck::Ends => return Ok(End::Left { is_full: false }),
                }
                if sim.log.events.len() >= events_max {
                    return Ok(End::Full);
                }
            }
            if stop() {
                let is_last = gas.calendar.ready().last().is_none_or(|next| next.time() > sim.scene.now);
                return Ok(if is_last { End::Stopped } else { End::Left { is_full: false } });
            }
        }
        sim.scene.now = target.max(sim.scene.now);
        Ok(End::Reached)
    }
}

impl Gas {
    /// Whether a ball is where positions and the clock are exact.
    #[inline(always)]
    fn can_go_on(&self, sim: &Simulation, ball: u32) -> bool {
        let scene = &sim.scene;
        let place = scene.rows.records.get(BodyId(ball)).straight_at(scene.now);
        scene.now.ticks() < TICKS_MAX && scene.settings.space.is_countable(place)
    }

    /// Predicts again all balls in the list of changes. The instructions of the machine are those of the loop, so this
    /// is a part of it.
    #[inline(always)]
    fn predict_changed<S: Simd>(&mut self, simd: S, sim: &mut Simulation) {
        let mut bodies = std::mem::take(&mut sim.to_predict.bodies);
        bodies.sort_unstable();
        bodies.dedup();
        for &id in &bodies {
            self.follow(&sim.scene, id.0);
            let slot = &mut self.slots[id.index()];
            slot.turn = slot.turn.wrapping_add(1);
        }
        bodies.iter().for_each(|id| self.predict::<S, false>(simd, &sim.scene, id.0));
        bodies.clear();
        sim.to_predict.bodies = bodies;
    }
}
