//! Finds an impact in the rows of a body: the span in which its velocity jumps, and the instant that follows from the
//! flights before and after.

use glam::DVec3;

use crate::motion::SimTime;
use crate::oracle::exact::Moment;

/// Fraction of the exact jump above which a change of velocity belongs to it.
const SHARE: f64 = 0.1;
/// Most spans that one impact may last; engines with soft contacts need several steps.
const SPANS_MAX: usize = 12;

/// The rows of a body.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) times: &'a [SimTime],
    pub(super) moments: &'a [Moment],
    /// Acceleration by gravity, m/s².
    pub(super) gravity: DVec3,
}

/// A jump of velocity, between two rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Jump {
    /// The last row before it.
    pub(super) before: usize,
    /// The first row after it.
    pub(super) after: usize,
    /// The time at which the flights before and after meet, in s after the row before; within the span.
    pub(super) meeting: f64,
}

impl Rows<'_> {
    /// The first jump along `jump`, of at least a tenth of it, from a row on and up to an instant.
    pub(super) fn find(&self, jump: DVec3, from: usize, until: SimTime) -> Option<Jump> {
        let last = self.times.len().saturating_sub(1);
        let before = (from..last).take_while(|&row| self.times[row] <= until).find(|&row| self.is_struck(row, jump))?;
        let after = (before + 1..last)
            .take(SPANS_MAX)
            .find(|&row| !self.is_struck(row, jump))
            .unwrap_or((before + SPANS_MAX).min(last));
        Some(Jump { before, after, meeting: self.meeting(before, after, jump.normalize_or_zero()) })
    }

    /// Whether the velocity jumps between a row and the next.
    fn is_struck(&self, row: usize, jump: DVec3) -> bool {
        let span = self.times[row + 1].since(self.times[row]);
        let change = self.moments[row + 1].velocity - self.moments[row].velocity - self.gravity * span;
        change.dot(jump) > SHARE * jump.length_squared()
    }

    /// The time at which the free fall from the row before and that to the row after have the same position along
    /// `direction`. Their difference is linear in time.
    fn meeting(&self, before: usize, after: usize, direction: DVec3) -> f64 {
        let (from, to) = (self.moments[before], self.moments[after]);
        let span = self.times[after].since(self.times[before]);
        let along = self.gravity.dot(direction);
        let [old, new] = [from, to].map(|moment| moment.velocity.dot(direction));
        let way = (to.position - from.position).dot(direction);
        let time = (new * span - way - 0.5 * along * span * span) / (new - old - along * span);
        time.clamp(0.0, span)
    }

    /// The last row at or before an instant.
    pub(super) fn row_before(&self, time: SimTime) -> usize {
        self.times.partition_point(|&other| other <= time).saturating_sub(1)
    }
}
