//! A span of time in equal parts, each with a bucket for what comes then.

use super::entry::Entry;

/// Of those that a rung is laid out for, one in so many comes after its end.
const LEFT: usize = 8;

/// Entries in a bucket when it is laid out; about as many come before its turn.
const EACH: usize = 32;

/// The buckets.
#[derive(Debug, Clone)]
pub(super) struct Rung {
    /// s.
    start: f64,
    /// The last time that belongs to it, s; −∞ before it is laid out.
    end: f64,
    /// Buckets in a second.
    scale: f64,
    /// How many buckets there are, and the first one whose turn has not come.
    count: usize,
    next: usize,
    /// As many or more.
    buckets: Vec<Vec<Entry>>,
    /// Emptied ones, kept for their room in memory.
    spare: Vec<Vec<Entry>>,
}

impl Default for Rung {
    fn default() -> Self {
        let (buckets, spare) = (Vec::new(), Vec::new());
        Self { start: 0.0, end: f64::NEG_INFINITY, scale: 0.0, count: 0, next: 0, buckets, spare }
    }
}

impl Rung {
    /// Whether a time is not beyond the end.
    #[inline(always)]
    pub(super) fn covers(&self, time: f64) -> bool {
        time <= self.end
    }

    /// Whether the turn of all buckets has come.
    pub(super) fn is_over(&self) -> bool {
        self.next == self.count
    }

    /// The bucket of a time up to the end. A later time is in no earlier bucket.
    #[inline(always)]
    fn bucket(&self, time: f64) -> usize {
        // What is below 0 becomes 0.
        (((time - self.start) * self.scale) as usize).min(self.count - 1)
    }

    /// Puts down an entry for a time up to the end, if the turn of its bucket has not come. Returns whether.
    #[inline(always)]
    pub(super) fn put(&mut self, entry: Entry) -> bool {
        let bucket = self.bucket(entry.time);
        let is_ahead = bucket >= self.next;
        if is_ahead {
            self.buckets[bucket].push(entry);
        }
        is_ahead
    }

    /// Takes what is in the bucket whose turn comes, in no order.
    pub(super) fn take(&mut self) -> Vec<Entry> {
        self.next += 1;
        std::mem::take(&mut self.buckets[self.next - 1])
    }

    /// Keeps the room of a bucket that is empty by now for another one.
    pub(super) fn keep(&mut self, empty: Vec<Entry>) {
        self.spare.push(empty);
    }

    /// All that is in buckets whose turn has not come, up to that of a time.
    pub(super) fn ahead(&self, latest: f64) -> impl Iterator<Item = &Entry> {
        let end = if self.covers(latest) { self.bucket(latest) + 1 } else { self.count };
        self.buckets[self.next..end.max(self.next)].iter().flatten()
    }

    /// Keeps what `holds`.
    pub(super) fn retain(&mut self, mut holds: impl FnMut(&Entry) -> bool) {
        self.buckets[self.next..self.count].iter_mut().for_each(|bucket| bucket.retain(&mut holds));
    }

    /// Begins anew when all buckets are taken: takes most of `entries`, of which there are some, and leaves the last ones.
    pub(super) fn lay_out(&mut self, entries: &mut Vec<Entry>) {
        let most = entries.len() - 1 - entries.len() / LEFT;
        let (sooner, last, _) = entries.select_nth_unstable_by(most, |x, y| x.time.total_cmp(&y.time));
        self.end = last.time;
        self.start = sooner.iter().fold(last.time, |first, entry| first.min(entry.time));
        (self.count, self.next) = (1 + most / EACH, 0);
        let scale = self.count as f64 / (self.end - self.start);
        // All may come at once.
        self.scale = if scale.is_finite() { scale } else { 0.0 };
        self.buckets.resize_with(self.count.max(self.buckets.len()), Vec::new);
        self.buckets.iter_mut().zip(self.spare.drain(..)).for_each(|(bucket, spare)| *bucket = spare);
        let end = self.end;
        for entry in entries.extract_if(.., |entry| entry.time <= end) {
            self.put(entry);
        }
    }
}
