//! The impacts of one instant, to rounding: the pairs that meet at the same instant as a first pair.
//!
//! The queue holds the bodies with a predicted event at that instant. An isolated event is the only one of its body
//! within the instant. For a body with an event that is not isolated, all pairs are predicted again.

use super::constraint::ImpactContact;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::few::Few;
use crate::dynamics::prediction::cull::Culling;
use crate::dynamics::queue::{Kind, PairEvent, Queue};
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::motion::SimTime;
use crate::numeric::tolerance::{GROUP_SLACK, INSTANT_MAX};

/// Adds the pairs with an impact at this instant, to rounding.
///
/// A position is exact to some roundings of its coordinates. So a time of impact is exact to these roundings divided by
/// the approach speed, plus some roundings of the span of time it was computed over.
pub(super) fn add_simultaneous(sim: &Simulation, queue: &Queue, impacts: &mut Few<ImpactContact>) {
    let Some(first) = impacts.first() else { return };
    let (pair, rows) = (first.pair, &sim.scene.rows);
    let latest = sim.scene.latest_of(first);
    if !queue.has_other_before(pair, latest) {
        return;
    }
    for id in queue.until(latest) {
        let PairEvent { prediction: first, is_isolated } = queue.pair_event(id);
        if first.time > latest {
            continue;
        }
        if is_isolated {
            add_if_now(&sim.scene, first.pair, pair, latest, impacts);
            continue;
        }
        let culling = Culling::new(&sim.scene, id);
        for other in sim.broadphase.pairs(id) {
            if !culling.is_idle(other, latest) && rows.predicts_with(id, other.other(id)) {
                add_if_now(&sim.scene, other, pair, latest, impacts);
            }
        }
    }
    in_order(impacts);
}

/// Sorts the impacts of one instant by their pairs, each once.
pub(in crate::dynamics) fn in_order(impacts: &mut Few<ImpactContact>) {
    impacts.sort_by_key(|impact| (impact.pair, impact.meeting.part));
    // In a periodic space, the same two bodies may have an impact across two borders of the cell at once.
    impacts.dedup_by(|x, y| (x.pair.a, x.pair.b, x.meeting) == (y.pair.a, y.pair.b, y.meeting));
}

/// Adds the impacts until `latest` of a pair that is not `first`, if they are at this instant to rounding.
pub(in crate::dynamics) fn add_if_now(
    scene: &Scene,
    pair: Pair,
    first: Pair,
    latest: SimTime,
    impacts: &mut Few<ImpactContact>,
) {
    if pair != first && scene.predict(pair, latest).is_some_and(|(time, kind)| kind == Kind::Impact && time <= latest) {
        impacts.extend(scene.impacts(pair, latest).filter(|impact| scene.is_now(impact)));
    }
}

impl Scene {
    /// The end of the instant that begins with a meeting.
    pub(in crate::dynamics) fn latest_of(&self, first: &ImpactContact) -> SimTime {
        self.now.plus(self.rounding_at(first.pair, first.speed).min(INSTANT_MAX))
    }

    /// Rounding of the time of a meeting of two bodies that approach at `speed`, s.
    pub(super) fn rounding_at(&self, pair: Pair, speed: f64) -> f64 {
        let rows = &self.rows;
        rounding_of_time(self.now.since(pair.epoch(rows)), rows.extent(pair.a) + rows.extent(pair.b), speed)
    }

    /// Whether a meeting that is predicted for slightly later is at the present to rounding.
    ///
    /// Bodies that hardly approach now may fall towards each other, so their mean speed on the way counts.
    fn is_now(&self, impact: &ImpactContact) -> bool {
        let ImpactContact { pair, meeting, speed, row, .. } = impact;
        let time = pair.epoch(&self.rows).plus(meeting.time);
        let mean = || 0.5 * (speed + self.speed_of(*pair, meeting, time));
        row.is_some() || time.since(self.now) <= self.rounding_at(*pair, mean())
    }
}

/// Rounding of the time of a meeting, s. It was computed over `span` (s), for two bodies that together reach `extents`
/// (m) from the origin and approach at `speed` (m/s).
#[inline]
pub(in crate::dynamics) fn rounding_of_time(span: f64, extents: f64, speed: f64) -> f64 {
    GROUP_SLACK * (span + extents / speed)
}
