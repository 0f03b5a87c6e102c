//! The rung of the ladder: a span of time in equal parts, with a bucket of entries per part.
//!
//! Entries within the span go into their bucket in constant time, and a bucket is sorted only when its turn comes.

use super::entry::Entry;

/// When the rung is built, the latest 1/8 of the entries stay beyond its end.
const LEFT: usize = 8;

/// Smallest number of entries per bucket when the rung is built. About as many are added before the bucket is taken.
const EACH: usize = 12;

/// Largest number of buckets. Insertions write to the ends of different buckets, and the ends of this many buckets fit
/// into a cache of 1 MB. More entries per bucket take longer to sort, but less time than an access to main memory.
const BUCKETS_MAX: usize = 8192;

/// Entries for which an emptied bucket may keep memory, relative to those per bucket. All bodies of a heap have events
/// at one instant, in one bucket. Without this limit, every bucket would in time have memory for all bodies.
const KEPT: usize = 8;

/// A span of time and its buckets.
#[derive(Debug, Clone)]
pub(super) struct Rung {
    /// Begin of the span, s.
    start: f64,
    /// End of the span (inclusive), s; −∞ before the rung is built.
    end: f64,
    /// Buckets per second.
    scale: f64,
    /// Entries per bucket when the rung was built.
    each: usize,
    /// Number of buckets in use, and the first one not yet taken.
    count: usize,
    next: usize,
    /// `count` buckets or more.
    buckets: Vec<Vec<Entry>>,
    /// Emptied buckets, kept for their memory.
    spare: Vec<Vec<Entry>>,
}

impl Default for Rung {
    fn default() -> Self {
        let (buckets, spare) = (Vec::new(), Vec::new());
        Self { start: 0.0, end: f64::NEG_INFINITY, scale: 0.0, each: EACH, count: 0, next: 0, buckets, spare }
    }
}

impl Rung {
    /// Whether a time is within the span or before it.
    #[inline(always)]
    pub(super) fn covers(&self, time: f64) -> bool {
        time <= self.end
    }

    /// Whether all buckets are taken.
    pub(super) fn is_over(&self) -> bool {
        self.next == self.count
    }

    /// The bucket of a time up to the end. It never decreases with time.
    #[inline(always)]
    fn bucket(&self, time: f64) -> usize {
        // A negative number becomes 0.
        (((time - self.start) * self.scale) as usize).min(self.count - 1)
    }

    /// Inserts an entry with a time up to the end, if its bucket is not yet taken. Returns whether it did.
    #[inline(always)]
    pub(super) fn put(&mut self, entry: Entry) -> bool {
        let bucket = self.bucket(entry.time);
        let is_ahead = bucket >= self.next;
        if is_ahead {
            self.buckets[bucket].push(entry);
        }
        is_ahead
    }

    /// Takes the entries of the next bucket, in no order.
    pub(super) fn take(&mut self) -> Vec<Entry> {
        self.next += 1;
        std::mem::take(&mut self.buckets[self.next - 1])
    }

    /// Keeps the memory of an emptied bucket, unless it is large.
    pub(super) fn keep(&mut self, empty: Vec<Entry>) {
        if empty.capacity() <= KEPT * self.each {
            self.spare.push(empty);
        }
    }

    /// The entries in the buckets not yet taken, up to the bucket of `latest`.
    pub(super) fn ahead(&self, latest: f64) -> impl Iterator<Item = &Entry> {
        let end = if self.covers(latest) { self.bucket(latest) + 1 } else { self.count };
        self.buckets[self.next..end.max(self.next)].iter().flatten()
    }

    /// Keeps the entries for which `holds` is true.
    pub(super) fn retain(&mut self, mut holds: impl FnMut(&Entry) -> bool) {
        self.buckets[self.next..self.count].iter_mut().for_each(|bucket| bucket.retain(&mut holds));
    }

    /// Builds the rung again when all buckets are taken: takes most of `entries`, at least one, and leaves the latest.
    pub(super) fn lay_out(&mut self, entries: &mut Vec<Entry>) {
        let most = entries.len() - 1 - entries.len() / LEFT;
        let (sooner, last, _) = entries.select_nth_unstable_by(most, |x, y| x.time.total_cmp(&y.time));
        self.end = last.time;
        self.start = sooner.iter().fold(last.time, |first, entry| first.min(entry.time));
        self.each = EACH.max(most / BUCKETS_MAX);
        (self.count, self.next) = (1 + most / self.each, 0);
        let scale = self.count as f64 / (self.end - self.start);
        // All times may be equal.
        self.scale = if scale.is_finite() { scale } else { 0.0 };
        self.buckets.resize_with(self.count.max(self.buckets.len()), Vec::new);
        self.buckets.iter_mut().zip(self.spare.drain(..)).for_each(|(bucket, spare)| *bucket = spare);
        let end = self.end;
        for entry in entries.extract_if(.., |entry| entry.time <= end) {
            self.put(entry);
        }
    }
}

#[cfg(test)]
impl Rung {
    /// Entries that all buckets have memory for.
    pub(super) fn capacity(&self) -> usize {
        self.buckets.iter().chain(&self.spare).map(Vec::capacity).sum()
    }
}
