//! What is counted: impacts of a body in a step, groups of impacts, bounces that pile up, and what repeats at one instant.

use crate::dynamics::BodyId;
use crate::dynamics::body::sparse_column::Column;
use crate::motion::SimTime;

/// All counts.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct Counters {
    /// Steps that are done.
    pub(in crate::dynamics) step: u64,
    /// Impacts of each body.
    pub(in crate::dynamics) work: Vec<ImpactCount>,
    /// New domains.
    pub(in crate::dynamics) crossings: RepeatCount,
    /// Looks at bodies in touch.
    pub(in crate::dynamics) looks: RepeatCount,
    /// Of bodies that lose energy at impacts.
    pub(in crate::dynamics) flurries: Column<RapidImpacts>,
    pub(in crate::dynamics) groups: GroupCount,
}

impl Counters {
    /// Those of `count` bodies to which nothing has happened.
    pub(in crate::dynamics) fn with_bodies(count: usize, now: SimTime) -> Self {
        Self {
            step: 0,
            work: vec![ImpactCount::NONE; count],
            crossings: RepeatCount::none(now),
            looks: RepeatCount::none(now),
            flurries: Column::new(RapidImpacts::NONE, count),
            groups: GroupCount { count: 0, instant: now, before: 0 },
        }
    }
}

/// What has happened to a body of late: what bounds the work of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct ImpactCount {
    /// The step in which its impacts are counted.
    pub(in crate::dynamics) step: u64,
    pub(in crate::dynamics) impacts: u32,
    /// The last two different bodies that it met, the last one first.
    pub(in crate::dynamics) partners: [BodyId; 2],
    /// The last group of impacts that it was in; they are counted from 1.
    pub(in crate::dynamics) group: u64,
}

/// The groups of impacts, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct GroupCount {
    pub(in crate::dynamics) count: u64,
    /// The instant of the last one, and how many there were before it: who is in a later group is so now.
    pub(in crate::dynamics) instant: SimTime,
    pub(in crate::dynamics) before: u64,
}

impl GroupCount {
    /// Begins to count at this instant, if that is not done.
    #[inline]
    pub(in crate::dynamics) fn come_to(&mut self, now: SimTime) {
        if self.instant != now {
            (self.instant, self.before) = (now, self.count);
        }
    }
}

/// How often something happened to bodies at one instant. It is the only thing that is counted and not part of the physical
/// state.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct RepeatCount {
    instant: SimTime,
    /// By the bodies' ids. They come in that order but for those who come again.
    counts: Vec<(BodyId, u32)>,
}

impl RepeatCount {
    pub(in crate::dynamics) fn none(now: SimTime) -> Self {
        Self { instant: now, counts: Vec::new() }
    }

    /// How often by now.
    pub(in crate::dynamics) fn of(&self, body: BodyId, now: SimTime) -> u32 {
        let row = self.counts.binary_search_by_key(&body, |count| count.0);
        row.ok().filter(|_| self.instant == now).map_or(0, |row| self.counts[row].1)
    }

    /// Once more; returns how often by now.
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

impl ImpactCount {
    pub(in crate::dynamics) const NONE: Self = Self { step: 0, impacts: 0, partners: [BodyId::NOBODY; 2], group: 0 };

    /// The last two different bodies that it met, if there were two, by their ids.
    pub(in crate::dynamics) fn supports(&self) -> Option<[BodyId; 2]> {
        let [one, other] = self.partners;
        (other != BodyId::NOBODY).then(|| [one.min(other), one.max(other)])
    }
}

/// Impacts that follow one on another within a rest length.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct RapidImpacts {
    /// The last impact of all.
    pub(in crate::dynamics) struck: SimTime,
    pub(in crate::dynamics) count: u32,
}

impl RapidImpacts {
    pub(in crate::dynamics) const NONE: Self = Self { struck: SimTime::ZERO, count: 0 };
}
