//! The slot of a ball: its next event, and its domain.

use glam::DVec3;

use super::calendar::Entry;
use crate::motion::SimTime;

/// No other ball, and no event.
pub(super) const NOBODY: u32 = u32::MAX;

/// The next event of a ball, which is an impact or the exit from its domain, and the domain; one cache line.
///
/// An impact is valid as long as neither path has changed: the ball gets a new event with each new path, and the number
/// of paths of its partner tells whether that has a new one.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Slot {
    /// The time of the event, s beyond the whole ticks.
    pub(super) rest: f64,
    pub(super) ticks: u32,
    /// The partner of the impact; the ball itself for the exit from its domain.
    pub(super) other: u32,
    /// The number of paths of the partner at the prediction.
    pub(super) turn_of_other: u32,
    /// The number of paths of the ball so far.
    pub(super) turn: u32,
    /// The centre of the domain in the coordinates of the path, m.
    pub(super) center: DVec3,
    /// From the common epoch of the two paths to the impact, s.
    pub(super) time: f64,
    /// Whether no other impact of the ball is within the longest instant.
    pub(super) is_isolated: bool,
    /// Whether the impact was predicted by the general code, which also has its normal.
    pub(super) is_exact: bool,
}

impl Slot {
    pub(super) const EMPTY: Self = Self {
        rest: 0.0,
        ticks: u32::MAX,
        other: NOBODY,
        turn_of_other: 0,
        turn: 0,
        center: DVec3::ZERO,
        time: 0.0,
        is_isolated: false,
        is_exact: false,
    };

    /// Whether an entry of the calendar is that of the next event.
    #[inline(always)]
    pub(super) fn has(&self, entry: &Entry) -> bool {
        self.rest == entry.rest && self.ticks == entry.ticks
    }

    /// Sets the time of the event, which has at most 32 bits of ticks.
    #[inline(always)]
    pub(super) fn set_time(&mut self, time: SimTime) {
        (self.rest, self.ticks) = (time.rest(), time.ticks() as u32);
    }
}
