//! A loop of its own for a gas: balls in a space with three periods, without gravity and friction.
//!
//! It resolves the same events as the [step loop](super::step), with the same bits, in less time, since it knows that
//! every event is the impact of two balls. Paths, counters and the log are those of the world. Its own are one
//! [slot](Slot) per ball with its next event and its domain, the [calendar](Calendar) of these events, and
//! [lists](Lists) of neighbours or [cells](Cells). The broad phase and the queue of the world rest meanwhile, and are
//! built again afterwards.
//!
//! An impact that is not alone, or that is more than a rebound, is resolved by the general code. The loop ends with the
//! first contact, and with a command. It ends also after a query, since that needs the broad phase. Then the step loop
//! goes on for some events.

mod balls;
mod calendar;
mod cells;
mod impact;
mod lists;
mod prefetch;
mod run;
mod search;
mod slot;
#[cfg(test)]
mod tests;
mod turns;

use std::sync::OnceLock;

use glam::DVec3;
use pulp::{Simd, WithSimd};

use super::broadphase::Broadphase;
use super::broadphase::domain_exit::{leave_time_of_ball, leave_time_of_box};
use super::prediction::earliest::Earliest;
use super::queue::{PairEvent, Prediction};
use super::scene::Scene;
use super::simulation::Simulation;
use super::{BodyId, Settings};
use crate::dynamics::body::pair::Pair;
use crate::motion::SimTime;
use crate::numeric::lane::rounded;
use crate::numeric::tolerance::{DOMAIN_SLACK, TIME_MAX};
use balls::{Balls, TICKS_MAX};
use calendar::{Calendar, Entry};
use cells::{Cells, GATHERED};
use lists::{Lists, NARROW, WIDE};
use search::{Found, MOST, Own};
use slot::Slot;

pub(super) use balls::may_be_gas;
pub(super) use run::{End, Limits};

/// Packing fraction from which there are lists.
const PACKING_OF_LISTS: f64 = 0.36;

/// From this number of balls on, memory is prefetched.
const LARGE: usize = 4096;

/// More balls without lists are left to the step loop: its cells need less memory.
const MOST_IN_CELLS: usize = 20_000;

/// The neighbours of all balls.
#[derive(Debug, Clone)]
enum Neighbours {
    Lists(Lists),
    Cells(Cells),
}

/// The kinds of neighbours, in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Plan {
    #[default]
    Narrow,
    Wide,
    Cells,
    Nothing,
}

impl Plan {
    /// The plan after one that does not fit.
    fn next(self) -> Self {
        match self {
            Self::Narrow => Self::Wide,
            Self::Wide => Self::Cells,
            Self::Cells | Self::Nothing => Self::Nothing,
        }
    }
}

/// The state of the loop. It is a cache: all of it follows from the paths.
#[derive(Debug, Clone)]
pub(super) struct Gas {
    balls: Balls,
    slots: Vec<Slot>,
    neighbours: Neighbours,
    calendar: Calendar,
    plan: Plan,
    /// Events resolved so far.
    pub(super) resolved: u64,
    /// Whether memory is prefetched.
    is_large: bool,
    /// The broad phase of the present, if a query needed it.
    pub(super) broadphase: OnceLock<Box<Broadphase>>,
}

impl Gas {
    /// The loop for a world that is a gas now. `plan` is the first kind of neighbours to try.
    pub(super) fn new(sim: &Simulation, plan: Plan) -> Option<Self> {
        let balls = Balls::of(sim)?;
        let plan = if balls.packing < PACKING_OF_LISTS && plan != Plan::Nothing { Plan::Cells } else { plan };
        let plans = std::iter::successors(Some(plan), |&plan| (plan != Plan::Nothing).then(|| plan.next()));
        plans.into_iter().find_map(|plan| Self::with_plan(sim, &balls, plan))
    }

    fn with_plan(sim: &Simulation, balls: &Balls, plan: Plan) -> Option<Self> {
        let bodies = sim.scene.rows.count();
        let neighbours = match plan {
            Plan::Narrow => Neighbours::Lists(Lists::new(balls, bodies, NARROW)?),
            Plan::Wide => Neighbours::Lists(Lists::new(balls, bodies, WIDE)?),
            Plan::Cells if balls.count <= MOST_IN_CELLS => Neighbours::Cells(Cells::new(balls, bodies)?),
            Plan::Cells | Plan::Nothing => return None,
        };
        let mut gas = Self {
            balls: *balls,
            slots: vec![Slot::EMPTY; bodies],
            neighbours,
            calendar: Calendar::new(Vec::new()),
            plan,
            resolved: 0,
            is_large: balls.count >= LARGE,
            broadphase: OnceLock::new(),
        };
        let machine = sim.scene.rows.records.common.machine;
        machine.dispatch(First { gas: &mut gas, scene: &sim.scene }).then_some(gas)
    }

    /// The kind of neighbours to try next time. `is_full` if the present kind does not fit any more.
    pub(super) fn next_plan(&self, is_full: bool) -> Plan {
        if is_full { self.plan.next() } else { self.plan }
    }

    /// Gives a ball a domain and neighbours. Returns false if its neighbours do not fit.
    #[inline(always)]
    fn renew<S: Simd>(&mut self, simd: S, scene: &Scene, id: u32) -> bool {
        let (records, space) = (&scene.rows.records, &scene.settings.space);
        let record = records.get(BodyId(id));
        let (place, velocity) = (record.straight_at(scene.now), record.velocity());
        let center = match &mut self.neighbours {
            Neighbours::Lists(lists) => lists.renew(simd, (id, place, velocity), (records, &self.balls.sizes, space)),
            Neighbours::Cells(cells) => Some(cells.enter(id, place, space)),
        };
        self.slots[id as usize].center = center.unwrap_or(DVec3::ZERO);
        center.is_some()
    }

    /// The neighbours of a ball; the ball itself may be among them.
    fn neighbours(&self, id: u32) -> Vec<u32> {
        match &self.neighbours {
            Neighbours::Lists(lists) => lists.neighbours(id).to_vec(),
            Neighbours::Cells(cells) => cells.neighbours(id),
        }
    }

    /// Predicts the next event of a ball and files it. `FRESH` if its path begins now.
    #[inline(always)]
    fn predict<S: Simd, const FRESH: bool>(&mut self, simd: S, scene: &Scene, id: u32) {
        let (found, other) = self.first::<S, FRESH>(simd, scene, id);
        self.conclude::<FRESH>(scene, id, &found, other);
    }

    /// The first meeting of a ball, and its partner.
    #[inline(always)]
    fn first<S: Simd, const FRESH: bool>(&self, simd: S, scene: &Scene, id: u32) -> (Found, u32) {
        let records = &scene.rows.records;
        let own = Own { record: records.get(BodyId(id)), records, sizes: &self.balls.sizes, now: scene.now };
        match &self.neighbours {
            Neighbours::Lists(lists) if lists.is_narrow() => {
                let (ids, count) = lists.of::<NARROW>(id);
                let found = own.first::<S, FRESH, NARROW>(simd, ids, count);
                (found, ids[found.row])
            }
            Neighbours::Lists(lists) => {
                let (ids, count) = lists.of::<WIDE>(id);
                let found = own.first::<S, FRESH, WIDE>(simd, ids, count);
                (found, ids[found.row])
            }
            Neighbours::Cells(cells) => {
                let mut gathered = [id; GATHERED];
                let count = cells.gather(id, &mut gathered);
                let Some(ids) = gathered.first_chunk::<MOST>().filter(|_| count <= MOST) else {
                    return (Found::UNCLEAR, id);
                };
                let found = own.first::<S, FRESH, MOST>(simd, ids, count);
                (found, ids[found.row])
            }
        }
    }

    /// Files the first event of a ball: the impact found, or the exit from its domain.
    #[inline(always)]
    fn conclude<const FRESH: bool>(&mut self, scene: &Scene, id: u32, found: &Found, other: u32) {
        if !found.is_clear {
            return self.conclude_exactly(scene, id);
        }
        let record = scene.rows.records.get(BodyId(id));
        let age = if FRESH { 0.0 } else { scene.now.since(record.epoch()) };
        let span = self.stay::<FRESH>(scene, id, age);
        // Domains never change a result, so rounding may decide between the two.
        let is_met = found.after - age <= span;
        let (after, who) = if is_met { (found.time, other) } else { (span, id) };
        let start = if FRESH { scene.now } else { record.epoch().max(scene.rows.records.get(BodyId(other)).epoch()) };
        let start = if FRESH { start } else { SimTime::choose(is_met, start, scene.now) };
        let turn_of_other = self.slots[who as usize].turn;
        let slot = &mut self.slots[id as usize];
        (slot.other, slot.turn_of_other, slot.time, slot.is_isolated, slot.is_exact) =
            (who, turn_of_other, found.time, true, false);
        if after <= TIME_MAX {
            self.file(id, start.plus(after));
        } else {
            slot.ticks = u32::MAX;
        }
    }

    /// How long a ball surely stays in its domain, s. It is less by more than the rounding of this time and of times of
    /// impact: a ball must have its neighbours before it can meet them.
    #[inline(always)]
    fn stay<const FRESH: bool>(&self, scene: &Scene, id: u32, age: f64) -> f64 {
        let record = scene.rows.records.get(BodyId(id));
        let velocity = record.velocity();
        let here = if FRESH { record.position() } else { record.position() + velocity * age };
        let place = here - self.slots[id as usize].center;
        let leave = match &self.neighbours {
            Neighbours::Lists(lists) => leave_time_of_ball(place, velocity, lists.margin),
            Neighbours::Cells(cells) => leave_time_of_box(place, velocity, cells.half),
        };
        let sooner = leave - DOMAIN_SLACK * (SimTime::TICK + leave + age);
        let stay = if sooner > 0.0 { sooner } else { 0.0 };
        if leave <= TIME_MAX { stay } else { f64::INFINITY }
    }

    /// Sets the time of the event in the slot of a ball, and puts it on the calendar.
    #[inline(always)]
    fn file(&mut self, id: u32, time: SimTime) {
        let last = SimTime::from_parts(TICKS_MAX, 0.0);
        let slot = &mut self.slots[id as usize];
        if time >= last {
            // The loop ends there.
            (slot.other, slot.rest, slot.ticks) = (id, 0.0, TICKS_MAX as u32);
        } else {
            slot.set_time(time);
        }
        self.calendar.put(Entry { rest: slot.rest, ticks: slot.ticks, ball: id });
    }

    /// The same where rounding decides on a pair, or which of two meetings is first: by the general code, pair by pair.
    #[cold]
    #[inline(never)]
    fn conclude_exactly(&mut self, scene: &Scene, id: u32) {
        let PairEvent { prediction: Prediction { time, pair, .. }, is_isolated } = self.first_of_pairs(scene, id);
        let age = scene.now.since(scene.rows.records.epoch(BodyId(id)));
        let stay = self.stay::<false>(scene, id, age);
        let exit = if stay <= TIME_MAX { scene.now.plus(stay) } else { SimTime::NEVER };
        let other = if time <= exit { pair.other(BodyId(id)).0 } else { id };
        let turn_of_other = self.slots[other as usize].turn;
        let slot = &mut self.slots[id as usize];
        (slot.other, slot.turn_of_other, slot.is_isolated, slot.is_exact) = (other, turn_of_other, is_isolated, true);
        let time = time.min(exit);
        if time == SimTime::NEVER { slot.ticks = u32::MAX } else { self.file(id, time) }
    }

    /// The first event of all pairs of a ball.
    fn first_of_pairs(&self, scene: &Scene, id: u32) -> PairEvent {
        let mut earliest = Earliest::none(BodyId(id));
        for pair in self.pairs(scene, id) {
            let event = scene.predict(pair, SimTime::NEVER);
            event.into_iter().for_each(|(time, kind)| earliest.add(Prediction { time, kind, pair }));
        }
        earliest.pair_event()
    }

    /// The pairs of a ball with its neighbours.
    fn pairs(&self, scene: &Scene, id: u32) -> impl Iterator<Item = Pair> {
        let others = self.neighbours(id).into_iter().filter(move |&other| other != id);
        others.map(move |other| Pair::of_nearest(BodyId(id), BodyId(other), &scene.rows.records, scene.now))
    }

    /// Moves the centre of a domain by whole periods next to its ball, whose path was moved back into the periodic
    /// cell.
    fn follow(&mut self, scene: &Scene, id: u32) {
        let records = &scene.rows.records;
        let center = &mut self.slots[id as usize].center;
        let apart = records.get(BodyId(id)).straight_at(scene.now) - *center;
        for (axis, turn) in records.common.turns.iter().enumerate() {
            center[axis] += rounded(apart[axis] * turn.per_length) * turn.length;
        }
    }
}

/// The gas loop of a world while it runs, and when it begins again.
#[derive(Debug, Clone)]
pub(super) struct Turns {
    gas: Option<Box<Gas>>,
    /// Events of the step loop until the gas loop may begin.
    wait: u64,
    /// How many events the step loop resolved the last time.
    waited: u64,
    /// The kind of neighbours to try next.
    plan: Plan,
}

impl Turns {
    /// The turns in a world with these settings.
    pub(super) fn new(settings: &Settings) -> Self {
        Self { gas: None, wait: if may_be_gas(settings) { 0 } else { u64::MAX }, waited: 0, plan: Plan::default() }
    }

    /// Counts an event of the step loop. Returns whether the gas loop may begin.
    #[inline(always)]
    pub(super) fn is_over(&mut self) -> bool {
        self.wait -= 1;
        self.wait == 0
    }
}

/// The first domains, neighbours and events of all balls. The result is false if the neighbours do not fit.
struct First<'a> {
    gas: &'a mut Gas,
    scene: &'a Scene,
}

impl WithSimd for First<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        let Self { gas, scene } = self;
        if !scene.rows.present().all(|id| gas.renew(simd, scene, id.0)) {
            return false;
        }
        scene.rows.present().for_each(|id| gas.predict::<S, false>(simd, scene, id.0));
        let entries = scene.rows.present().map(|id| (id.0, &gas.slots[id.index()]));
        let entries = entries.filter(|(_, slot)| slot.ticks != u32::MAX);
        gas.calendar =
            Calendar::new(entries.map(|(ball, slot)| Entry { rest: slot.rest, ticks: slot.ticks, ball }).collect());
        true
    }
}
