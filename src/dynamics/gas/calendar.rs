//! The calendar of a gas: the next event of each ball, in bins of equal duration.
//!
//! A bin lasts a tick of the clock, times or over a power of two. So the bin of an instant is exact, and all entries of
//! a bin come before those of the next one. The entries of the present bin are sorted; those of later bins are in
//! chunks of a pool (Paul, *A complexity O(1) priority queue for event driven molecular dynamics simulations*, J.
//! Comput. Phys. 221, 2007). When the rate of events changes, for example in a gas that cools, the bins get another
//! duration.

use crate::motion::SimTime;
use crate::numeric::tolerance::TICKS_PER_SECOND;

/// Entries per bin to expect.
const PER_BIN: f64 = 12.0;

/// How many times as many entries as expected, or as few, a round of all bins may have before their duration changes.
const UNEVEN: f64 = 6.0;

/// Smallest and largest number of bins.
const BINS: [usize; 2] = [64, 1 << 20];

/// The bins last from 2⁻³⁰ to 2³⁰ ticks.
const SHIFT_MAX: i32 = 30;

/// Entries per chunk: with its two other numbers a chunk fills a cache line.
const IN_CHUNK: usize = 3;

/// No chunk.
const NONE: u32 = u32::MAX;

/// The time of the next event of a ball.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Entry {
    /// s, beyond the whole ticks.
    pub(super) rest: f64,
    pub(super) ticks: u32,
    pub(super) ball: u32,
}

impl Entry {
    /// An entry of no ball.
    fn at(time: SimTime) -> Self {
        Self { rest: time.rest(), ticks: u32::try_from(time.ticks()).unwrap_or(u32::MAX), ball: u32::MAX }
    }

    #[inline(always)]
    pub(super) fn time(&self) -> SimTime {
        SimTime::from_parts(i64::from(self.ticks), self.rest)
    }

    /// Whether this comes before `other`.
    #[inline(always)]
    fn precedes(&self, other: &Self) -> bool {
        self.ticks < other.ticks || self.ticks == other.ticks && self.precedes_in_tick(other)
    }

    /// The same for two entries of one tick. Remainders are not negative, so their bits have their order.
    #[inline(always)]
    fn precedes_in_tick(&self, other: &Self) -> bool {
        let (rest, other_rest) = (self.rest.to_bits(), other.rest.to_bits());
        rest < other_rest || rest == other_rest && self.ball < other.ball
    }
}

/// A few entries of one bin.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Chunk {
    entries: [Entry; IN_CHUNK],
    count: u32,
    /// The next chunk of the bin, or of the free ones.
    next: u32,
}

/// All entries. An entry is not removed when the ball has a later prediction.
#[derive(Debug, Clone)]
pub(super) struct Calendar {
    /// The first chunk of each bin, by the number of the bin modulo their count.
    bins: Vec<u32>,
    chunks: Vec<Chunk>,
    /// The first chunk that is not used.
    free: u32,
    /// A bin lasts 2^−shift ticks.
    shift: i32,
    /// Bins per second, if there is more than one per tick.
    scale: f64,
    /// Number of the present bin.
    present: u64,
    /// The entries of the present bin, the first one last.
    ready: Vec<Entry>,
    /// Entries beyond all bins.
    far: Vec<Entry>,
    /// Entries in bins and beyond.
    later: usize,
    /// Entries taken out of bins since the bin `since`.
    taken: usize,
    since: u64,
}

impl Calendar {
    /// The calendar of these entries.
    pub(super) fn new(entries: Vec<Entry>) -> Self {
        let [least, most] = BINS;
        let mut calendar = Self {
            bins: vec![NONE; (entries.len() / 2).next_power_of_two().clamp(least, most)],
            chunks: Vec::with_capacity(entries.len() / 2),
            free: NONE,
            shift: 0,
            scale: 0.0,
            present: 0,
            ready: Vec::new(),
            far: Vec::new(),
            later: 0,
            taken: 0,
            since: 0,
        };
        calendar.lay_out(entries);
        calendar
    }

    /// Gives the bins a duration for these entries, which are all that there are, and files them.
    fn lay_out(&mut self, mut entries: Vec<Entry>) {
        self.shift = shift_for(&mut entries);
        self.scale = TICKS_PER_SECOND * (1_u64 << self.shift.max(0)) as f64;
        self.present = entries.iter().map(|entry| self.bin(entry)).min().unwrap_or(0);
        (self.later, self.taken, self.since) = (0, 0, self.present);
        entries.into_iter().for_each(|entry| self.put(entry));
    }

    /// The number of the bin of an entry.
    #[inline(always)]
    fn bin(&self, entry: &Entry) -> u64 {
        if self.shift >= 0 {
            (u64::from(entry.ticks) << self.shift) + (entry.rest * self.scale) as u64
        } else {
            u64::from(entry.ticks) >> -self.shift
        }
    }

    /// Adds an entry.
    #[inline(always)]
    pub(super) fn put(&mut self, entry: Entry) {
        let bin = self.bin(&entry);
        if bin <= self.present {
            self.sort_in(entry);
            return;
        }
        self.later += 1;
        if bin - self.present < self.bins.len() as u64 { self.file(bin, entry) } else { self.far.push(entry) }
    }

    /// Adds an entry to the present bin.
    #[inline(always)]
    fn sort_in(&mut self, entry: Entry) {
        if self.shift >= 0 {
            insert(&mut self.ready, entry, Entry::precedes_in_tick);
        } else {
            insert(&mut self.ready, entry, Entry::precedes);
        }
    }

    /// Adds an entry to a later bin.
    #[inline(always)]
    fn file(&mut self, bin: u64, entry: Entry) {
        let place = bin as usize & (self.bins.len() - 1);
        let first = self.bins[place];
        if let Some(chunk) = self.chunks.get_mut(first as usize)
            && let Some(space) = chunk.entries.get_mut(chunk.count as usize)
        {
            *space = entry;
            chunk.count += 1;
            return;
        }
        let chunk = Chunk { entries: [entry; IN_CHUNK], count: 1, next: first };
        if let Some(unused) = self.chunks.get_mut(self.free as usize) {
            self.bins[place] = std::mem::replace(&mut self.free, unused.next);
            *unused = chunk;
        } else {
            self.bins[place] = self.chunks.len() as u32;
            self.chunks.push(chunk);
        }
    }

    /// Takes the first entry.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<Entry> {
        loop {
            if let Some(entry) = self.ready.pop() {
                return Some(entry);
            }
            if self.later == 0 {
                return None;
            }
            self.begin_bin();
        }
    }

    /// Puts back the entry that was just taken.
    pub(super) fn put_back(&mut self, entry: Entry) {
        self.ready.push(entry);
    }

    /// The entries that come next, as far as they are sorted, the first one last.
    #[inline(always)]
    pub(super) fn ready(&self) -> &[Entry] {
        &self.ready
    }

    /// Whether all entries that are not among the [ready](Self::ready) ones are after `latest`.
    #[inline(always)]
    pub(super) fn ends_after(&self, latest: SimTime) -> bool {
        self.bin(&Entry::at(latest)) <= self.present
    }

    /// Goes to the next bin.
    #[inline(never)]
    fn begin_bin(&mut self) {
        self.present += 1;
        let place = self.present as usize & (self.bins.len() - 1);
        let mut next = std::mem::replace(&mut self.bins[place], NONE);
        while let Some(&chunk) = self.chunks.get(next as usize) {
            for &entry in &chunk.entries[..chunk.count as usize] {
                self.sort_in(entry);
            }
            self.later -= chunk.count as usize;
            self.taken += chunk.count as usize;
            self.chunks[next as usize].next = std::mem::replace(&mut self.free, next);
            next = chunk.next;
        }
        if place == 0 {
            self.begin_round();
        }
    }

    /// Files the entries that were beyond all bins, or all entries anew.
    fn begin_round(&mut self) {
        let (taken, passed) = (self.taken as f64, self.present - self.since);
        let wanted = PER_BIN * passed as f64;
        // The first round may be short, and says little then.
        let is_whole = passed >= self.bins.len() as u64;
        (self.taken, self.since) = (0, self.present);
        if is_whole && (taken * UNEVEN < wanted || taken > UNEVEN * wanted) {
            let entries = self.empty();
            self.lay_out(entries);
            return;
        }
        for entry in std::mem::take(&mut self.far) {
            self.later -= 1;
            self.put(entry);
        }
    }

    /// Takes all entries.
    fn empty(&mut self) -> Vec<Entry> {
        let mut entries = std::mem::take(&mut self.ready);
        entries.append(&mut self.far);
        self.bins.iter().for_each(|&first| entries.extend(self.filed(first)));
        self.bins.fill(NONE);
        self.chunks.clear();
        self.free = NONE;
        entries
    }

    /// The entries of a list of chunks.
    fn filed(&self, first: u32) -> impl Iterator<Item = Entry> {
        let chunks =
            std::iter::successors(self.chunks.get(first as usize), |chunk| self.chunks.get(chunk.next as usize));
        chunks.flat_map(|chunk| chunk.entries[..chunk.count as usize].iter().copied())
    }

    /// The entries no later than `latest`.
    pub(super) fn until(&self, latest: SimTime) -> Vec<Entry> {
        let is_in = |entry: &Entry| entry.time() <= latest;
        let mut found: Vec<Entry> = self.ready.iter().rev().copied().take_while(is_in).collect();
        let end = Entry::at(latest);
        let (mask, count) = (self.bins.len() - 1, self.bins.len() as u64);
        let last = self.bin(&end).min(self.present + count - 1);
        for bin in self.present + 1..=last {
            found.extend(self.filed(self.bins[bin as usize & mask]).filter(is_in));
        }
        if last < self.bin(&end) {
            found.extend(self.far.iter().copied().filter(is_in));
        }
        found
    }
}

/// Inserts an entry into a list with the first one last.
#[inline(always)]
fn insert(sorted: &mut Vec<Entry>, entry: Entry, precedes: impl Fn(&Entry, &Entry) -> bool) {
    sorted.push(entry);
    let mut place = sorted.len() - 1;
    while place > 0 && precedes(&sorted[place - 1], &entry) {
        sorted[place] = sorted[place - 1];
        place -= 1;
    }
    sorted[place] = entry;
}

/// The shift of bins with [`PER_BIN`] entries each, as far as the first quarter of these entries tells.
fn shift_for(entries: &mut [Entry]) -> i32 {
    let seconds = |entry: &Entry| entry.time().seconds();
    let part = entries.len() / 4;
    let Some(first) = entries.iter().map(seconds).reduce(f64::min) else { return 0 };
    let (_, quarter, _) = entries.select_nth_unstable_by(part, |x, y| seconds(x).total_cmp(&seconds(y)));
    let bin = PER_BIN * (seconds(quarter) - first) / part.max(1) as f64;
    let mut shift = -SHIFT_MAX;
    let mut duration = SimTime::TICK * (1_u64 << SHIFT_MAX) as f64;
    while duration > bin && shift < SHIFT_MAX {
        (duration, shift) = (0.5 * duration, shift + 1);
    }
    shift
}
