//! Counters: impacts per body and step, groups of impacts, rapid impacts, repetitions at one instant, and time steps.
//!
//! They bound the work of a step: an event that repeats without end becomes an error or another treatment. The count of
//! time steps is for the summary of a run only.

use glam::DVec3;

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::sparse_column::Column;
use crate::motion::SimTime;
use crate::numeric::tolerance::INSTANT_MAX;

/// All counters.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct Counters {
    /// Steps done.
    pub(in crate::dynamics) step: u64,
    /// Impacts of each body in the current step.
    pub(in crate::dynamics) work: Vec<ImpactCount>,
    /// Domain exits.
    pub(in crate::dynamics) crossings: RepeatCount,
    /// Contact updates.
    pub(in crate::dynamics) updates: RepeatCount,
    /// Rapid impacts of bodies that lose energy.
    pub(in crate::dynamics) flurries: Column<RapidImpacts>,
    pub(in crate::dynamics) groups: GroupCount,
    pub(in crate::dynamics) repeats: Repeats,
    pub(in crate::dynamics) time_steps: TimeStepCount,
}

impl Counters {
    /// The counters of `count` bodies without events.
    pub(in crate::dynamics) fn with_bodies(count: usize, now: SimTime) -> Self {
        Self {
            step: 0,
            work: vec![ImpactCount::NONE; count],
            crossings: RepeatCount::none(now),
            updates: RepeatCount::none(now),
            flurries: Column::new(RapidImpacts::NONE, count),
            groups: GroupCount { count: 0, instant: now, before: 0 },
            repeats: Repeats { step: 0, latest: now, bodies: Vec::new(), impacts: Vec::new() },
            time_steps: TimeStepCount::none(now),
        }
    }
}

/// How much was advanced by time steps so far.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct TimeStepCount {
    /// Number of time steps, each of one island.
    pub(in crate::dynamics) steps: u64,
    /// Largest number of members in one of them.
    pub(in crate::dynamics) largest: u64,
    /// Members of all islands at the present.
    pub(in crate::dynamics) members: u64,
    /// When that number last changed.
    pub(in crate::dynamics) since: SimTime,
    /// Sum over all bodies of their time as members up to then, s.
    pub(in crate::dynamics) body_seconds: f64,
}

impl TimeStepCount {
    pub(in crate::dynamics) const fn none(now: SimTime) -> Self {
        Self { steps: 0, largest: 0, members: 0, since: now, body_seconds: 0.0 }
    }

    /// Counts a time step of an island.
    pub(in crate::dynamics) fn count_step(&mut self, members: usize) {
        self.steps += 1;
        self.largest = self.largest.max(members as u64);
    }

    /// Counts a body that becomes a member at the present.
    pub(in crate::dynamics) fn add_member(&mut self, now: SimTime) {
        self.go_to(now);
        self.members += 1;
    }

    /// Counts a body that is no longer a member.
    pub(in crate::dynamics) fn remove_member(&mut self, now: SimTime) {
        self.go_to(now);
        self.members -= 1;
    }

    /// The sum over all bodies of their time as members up to the present, s.
    pub(in crate::dynamics) fn body_seconds(&self, now: SimTime) -> f64 {
        self.body_seconds + self.members as f64 * now.since(self.since)
    }

    fn go_to(&mut self, now: SimTime) {
        (self.body_seconds, self.since) = (self.body_seconds(now), now);
    }
}

/// The recent impacts of a body: they bound the work of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct ImpactCount {
    /// The step in which its impacts are counted.
    pub(in crate::dynamics) step: u64,
    pub(in crate::dynamics) impacts: u32,
    /// The last two different partners of its impacts, the last one first.
    pub(in crate::dynamics) partners: [BodyId; 2],
    /// The group of its last impact; groups are counted from 1.
    pub(in crate::dynamics) group: u64,
}

/// The groups of impacts, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct GroupCount {
    pub(in crate::dynamics) count: u64,
    /// The instant of the last group, and the number of groups before that instant: a later group belongs to it.
    pub(in crate::dynamics) instant: SimTime,
    pub(in crate::dynamics) before: u64,
}

impl GroupCount {
    /// Begins to count at this instant, if it is a new one.
    #[inline]
    pub(in crate::dynamics) fn begin_instant(&mut self, now: SimTime) {
        if self.instant != now {
            (self.instant, self.before) = (now, self.count);
        }
    }
}

/// How often each body had some event at one instant. It is the only counter that is not part of the physical state.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct RepeatCount {
    instant: SimTime,
    /// Sorted by id. Bodies are mostly counted in that order, so most insertions are at the end.
    counts: Vec<(BodyId, u32)>,
}

impl RepeatCount {
    pub(in crate::dynamics) fn none(now: SimTime) -> Self {
        Self { instant: now, counts: Vec::new() }
    }

    /// The count of a body at this instant.
    pub(in crate::dynamics) fn of(&self, body: BodyId, now: SimTime) -> u32 {
        let row = self.counts.binary_search_by_key(&body, |count| count.0);
        row.ok().filter(|_| self.instant == now).map_or(0, |row| self.counts[row].1)
    }

    /// Adds one to the count of a body; returns its count at this instant.
    pub(in crate::dynamics) fn count(&mut self, body: BodyId, now: SimTime) -> u32 {
        if self.instant != now {
            self.instant = now;
            self.counts.clear();
        }
        let counts = &mut self.counts;
        let row = counts.binary_search_by_key(&body, |count| count.0).unwrap_or_else(|row| {
            counts.insert(row, (body, 0));
            row
        });
        counts[row].1 += 1;
        counts[row].1
    }
}

/// Elastic impacts that repeat at one instant, to rounding, within the current step. Like [`RepeatCount`] they are not
/// part of the physical state: a step ends after its last instant.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct Repeats {
    step: u64,
    latest: SimTime,
    /// Sorted by id: the time of the last impact, and how many came before it without a pause.
    bodies: Vec<(BodyId, SimTime, u32)>,
    /// The impacts of bodies with many of them.
    pub(in crate::dynamics) impacts: Vec<RepeatedImpact>,
}

/// An impact of a body that has many at one instant.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct RepeatedImpact {
    pub(in crate::dynamics) pair: Pair,
    pub(in crate::dynamics) normal: DVec3,
    pub(in crate::dynamics) part: u32,
    pub(in crate::dynamics) is_without_room: bool,
}

impl Repeats {
    /// Forgets the impacts of earlier steps and instants.
    pub(in crate::dynamics) fn begin_instant(&mut self, step: u64, now: SimTime) {
        if self.step != step || now.since(self.latest) > INSTANT_MAX {
            self.step = step;
            self.bodies.clear();
            self.impacts.clear();
        }
        self.latest = now;
    }

    /// Counts an impact of a body. An impact more than `rounding` (s) after the last one is the first again.
    pub(in crate::dynamics) fn count(&mut self, body: BodyId, now: SimTime, rounding: f64) -> u32 {
        let row = self.bodies.binary_search_by_key(&body, |count| count.0).unwrap_or_else(|row| {
            self.bodies.insert(row, (body, now, 0));
            row
        });
        let (_, last, count) = &mut self.bodies[row];
        if now.since(*last) > rounding {
            *count = 0;
            self.impacts.retain(|repeated| repeated.pair.a != body && repeated.pair.b != body);
        }
        (*last, *count) = (now, *count + 1);
        *count
    }

    /// Records the impact of a pair with this normal, once.
    pub(in crate::dynamics) fn record(&mut self, pair: Pair, normal: DVec3, part: u32) {
        if self.row(pair, normal).is_none() {
            self.impacts.push(RepeatedImpact { pair, normal, part, is_without_room: false });
        }
    }

    /// Whether the pair has no room along this normal.
    pub(in crate::dynamics) fn is_without_room(&self, pair: Pair, normal: DVec3) -> bool {
        self.row(pair, normal).is_some_and(|row| self.impacts[row].is_without_room)
    }

    fn row(&self, pair: Pair, normal: DVec3) -> Option<usize> {
        self.impacts.iter().position(|repeated| (repeated.pair, repeated.normal) == (pair, normal))
    }
}

impl ImpactCount {
    pub(in crate::dynamics) const NONE: Self = Self { step: 0, impacts: 0, partners: [BodyId::NONE; 2], group: 0 };

    /// The last two different partners of its impacts, by id, if there are two.
    pub(in crate::dynamics) fn supports(&self) -> Option<[BodyId; 2]> {
        let [one, other] = self.partners;
        (other != BodyId::NONE).then(|| [one.min(other), one.max(other)])
    }
}

/// Impacts that follow each other within a rest height.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct RapidImpacts {
    /// The time of the last impact.
    pub(in crate::dynamics) struck: SimTime,
    pub(in crate::dynamics) count: u32,
}

impl RapidImpacts {
    pub(in crate::dynamics) const NONE: Self = Self { struck: SimTime::ZERO, count: 0 };
}
