//! What is counted: impacts of a body in a step, groups of impacts, bounces that pile up, and what repeats at one instant.

use super::BodyId;
use crate::motion::SimTime;

/// What has happened to a body of late: what bounds the work of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Work {
    /// The step in which its impacts are counted.
    pub(super) step: u64,
    pub(super) impacts: u32,
    /// The last two different bodies that it met, the last one first.
    pub(super) partners: [BodyId; 2],
    /// The last group of impacts that it was in; they are counted from 1.
    pub(super) group: u64,
}

/// The groups of impacts, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Groups {
    pub(super) count: u64,
    /// The instant of the last one, and how many there were before it: who is in a later group is so now.
    pub(super) instant: SimTime,
    pub(super) before: u64,
}

impl Groups {
    /// Begins to count at this instant, if that is not done.
    #[inline]
    pub(super) fn come_to(&mut self, now: SimTime) {
        if self.instant != now {
            (self.instant, self.before) = (now, self.count);
        }
    }
}

/// How often something happened to bodies at one instant. It is the only thing that is counted and not part of the physical
/// state.
#[derive(Debug, Clone)]
pub(super) struct Repeats {
    instant: SimTime,
    /// By the bodies' ids. They come in that order but for those who come again.
    counts: Vec<(BodyId, u32)>,
}

impl Repeats {
    pub(super) fn none(now: SimTime) -> Self {
        Self { instant: now, counts: Vec::new() }
    }

    /// How often by now.
    pub(super) fn of(&self, body: BodyId, now: SimTime) -> u32 {
        let row = self.counts.binary_search_by_key(&body, |count| count.0);
        row.ok().filter(|_| self.instant == now).map_or(0, |row| self.counts[row].1)
    }

    /// Once more; returns how often by now.
    pub(super) fn count(&mut self, body: BodyId, now: SimTime) -> u32 {
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

impl Work {
    pub(super) const NONE: Self = Self { step: 0, impacts: 0, partners: [BodyId::NOBODY; 2], group: 0 };

    /// The last two different bodies that it met, if there were two, by their ids.
    pub(super) fn supports(&self) -> Option<[BodyId; 2]> {
        let [one, other] = self.partners;
        (other != BodyId::NOBODY).then(|| [one.min(other), one.max(other)])
    }
}

/// Impacts that follow one on another within a rest length.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Flurry {
    /// The last impact of all.
    pub(super) struck: SimTime,
    pub(super) count: u32,
}

impl Flurry {
    pub(super) const NONE: Self = Self { struck: SimTime::ZERO, count: 0 };
}
