//! The first meeting of a ball with its neighbours, in vector lanes.
//!
//! The arithmetic is that of the [general search](crate::dynamics::prediction::simd), operation by operation, so a
//! meeting has the same bits. It is shorter, since all neighbours are balls without acceleration. Pairs for which
//! rounding decides, and meetings so close in time that the clock decides their order, are left to the caller.

use pulp::Simd;

use super::balls::Sizes;
use crate::dynamics::BodyId;
use crate::dynamics::body::path_record::{PathRecord, PathRecords};
use crate::dynamics::prediction::simd::quadratic::{FAR, Quadratic, rows};
use crate::motion::SimTime;
use crate::numeric::lane::{LANES, Lane, Mask, ones};
use crate::numeric::tolerance::{DOMAIN_SLACK, INSTANT_MAX, TIME_MAX};

/// Most neighbours of one search.
pub(super) const MOST: usize = 64;

const ROWS: [f64; MOST] = rows();

/// The first meeting of a ball.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// Time from the epoch of the ball's path, s; infinite if there is no meeting.
    pub(super) after: f64,
    /// Time from the common epoch of the two paths, s.
    pub(super) time: f64,
    /// Row of the neighbour.
    pub(super) row: usize,
    /// Whether this is the first meeting without doubt. Otherwise the pairs have to be predicted one by one.
    pub(super) is_clear: bool,
}

impl Found {
    /// The pairs have to be predicted one by one.
    pub(super) const UNCLEAR: Self = Self { after: 0.0, time: 0.0, row: 0, is_clear: false };
}

/// The ball for which the first meeting is searched.
pub(super) struct Own<'a> {
    pub(super) record: &'a PathRecord,
    pub(super) records: &'a PathRecords,
    pub(super) sizes: &'a Sizes,
    pub(super) now: SimTime,
}

/// The numbers of the ball and of space, in all lanes.
struct Common<S: Simd> {
    position: [Lane<S>; 3],
    velocity: [Lane<S>; 3],
    /// The epoch of its path: ticks, and s beyond.
    ticks: Lane<S>,
    rest: Lane<S>,
    /// Time since its path began, s.
    age: Lane<S>,
    /// Approach speeds with a square below this are decided pair by pair, m²/s². Distances of neighbours need no such
    /// limit.
    quick: Lane<S>,
    lengths: [Lane<S>; 3],
    per_length: [Lane<S>; 3],
}

/// Motion of some neighbours seen from the ball, from the common epoch on.
struct Seen<S: Simd> {
    position: [Lane<S>; 3],
    velocity: [Lane<S>; 3],
    /// From the epoch of the ball's path to the common epoch, s.
    own_span: Lane<S>,
}

impl Own<'_> {
    /// The first meeting with one of the `count` first of `ids`, which may include the ball itself. `FRESH` if the path
    /// of the ball begins now.
    #[inline(always)]
    pub(super) fn first<S: Simd, const FRESH: bool, const N: usize>(
        &self,
        simd: S,
        ids: &[u32; N],
        count: usize,
    ) -> Found {
        let all = |number: f64| Lane::splat(simd, number);
        let (never, listed, common) = (all(f64::INFINITY), all(count as f64), self.common(simd, FRESH));
        let (mut afters, mut times, mut undecided, mut least) = ([f64::INFINITY; N], [0.0; N], Mask::none(simd), never);
        let (blocks, _) = ids.as_chunks::<LANES>();
        let parts = count.div_ceil(S::F64_LANES).min(N / S::F64_LANES);
        for part in 0..parts {
            let block = &blocks[part * S::F64_LANES / LANES];
            let part_of_block = part % (LANES / S::F64_LANES);
            let fronts = Lane::columns(simd, |row| &self.records.get(BodyId(block[row])).front, part_of_block);
            let backs = Lane::columns(simd, |row| &self.records.get(BodyId(block[row])).back, part_of_block);
            let reach = self.reach(simd, block, part_of_block);
            let seen = common.see::<FRESH>(fronts, backs);
            let is_listed = Lane::load(simd, &ROWS, part).below(listed);
            let (time, meets, open) = seen.approach(reach, common.quick);
            let after = if FRESH { time } else { seen.own_span + time };
            let after = (meets & is_listed).choose(after, never);
            undecided = undecided | (open & is_listed);
            after.store(&mut afters, part);
            if !FRESH {
                time.store(&mut times, part);
            }
            least = least.lesser(after);
        }
        let after = least.least();
        // Later meetings may be first on the clock, or count as one instant with this one.
        let limit = all(after + (2.0 * INSTANT_MAX + DOMAIN_SLACK * after));
        let mut close = 0_u64;
        for part in 0..parts {
            close |= u64::from(Lane::load(simd, &afters, part).up_to(limit).bits()) << (part * S::F64_LANES);
        }
        let row = close.trailing_zeros() as usize & (N - 1);
        // A time near the end of the clock's range is decided by the general code.
        let is_lone = after == f64::INFINITY || close.is_power_of_two() & (after <= 0.5 * TIME_MAX);
        // Without a meeting the row is of no pair, and its time may be in the past.
        let time = if FRESH | (after == f64::INFINITY) { after } else { times[row] };
        Found { after, time, row, is_clear: is_lone & (undecided.bits() == 0) }
    }

    #[inline(always)]
    fn common<S: Simd>(&self, simd: S, is_fresh: bool) -> Common<S> {
        let &Self { record: own, records, now, .. } = self;
        let all = |number: f64| Lane::splat(simd, number);
        let axes = |numbers: [f64; 3]| numbers.map(all);
        let turns = &records.common.turns;
        Common {
            position: axes(own.position().to_array()),
            velocity: axes(own.velocity().to_array()),
            ticks: all(ones(own.tag())),
            rest: all(own.rest()),
            age: all(if is_fresh { 0.0 } else { now.since(own.epoch()) }),
            quick: all(8.0 / FAR * own.velocity().length_squared()),
            lengths: axes(turns.map(|turn| turn.length)),
            per_length: axes(turns.map(|turn| turn.per_length)),
        }
    }

    /// The squared distances at which the ball meets the neighbours of a block, m².
    #[inline(always)]
    fn reach<S: Simd>(&self, simd: S, block: &[u32; LANES], part: usize) -> Lane<S> {
        match *self.sizes {
            Sizes::Equal { reach_squared, .. } => Lane::splat(simd, reach_squared),
            Sizes::Unlike => {
                let radii = block.map(|id| self.records.radius(self.records.get(BodyId(id))));
                let reach = Lane::splat(simd, self.records.radius(self.record)) + Lane::load(simd, &radii, part);
                reach * reach
            }
        }
    }
}

impl<S: Simd> Common<S> {
    #[inline(always)]
    fn see<const FRESH: bool>(&self, fronts: [Lane<S>; 4], backs: [Lane<S>; 4]) -> Seen<S> {
        let zero = Lane::splat(self.ticks.simd(), 0.0);
        let ([x, y, z, x_speed], [y_speed, z_speed, rest, tag]) = (fronts, backs);
        let (positions, velocities) = ([x, y, z], [x_speed, y_speed, z_speed]);
        let ticks = self.ticks - tag.ones();
        let sooner = ticks * Lane::splat(ticks.simd(), SimTime::TICK) + (self.rest - rest);
        let span = if FRESH { sooner } else { sooner.at_least_zero() };
        let own_span = if FRESH { zero } else { (zero - sooner).at_least_zero() };
        let (mut position, mut velocity) = ([zero; 3], [zero; 3]);
        for axis in 0..3 {
            let (from, to) = (self.velocity[axis], velocities[axis]);
            let v = to - from;
            let other = positions[axis] + to * span;
            let place = if FRESH { self.position[axis] } else { self.position[axis] + from * own_span };
            let straight = other - place;
            // The nearest image at the present, since neighbours are near now.
            let present = if FRESH { straight } else { straight + v * (self.age - own_span) };
            let periods = (present * self.per_length[axis]).rounded();
            (position[axis], velocity[axis]) = (straight - periods * self.lengths[axis], v);
        }
        Seen { position, velocity, own_span }
    }
}

impl<S: Simd> Seen<S> {
    /// The times of meetings, s from the common epoch; which pairs meet; and which are undecided.
    #[inline(always)]
    fn approach(&self, reach_squared: Lane<S>, quick: Lane<S>) -> (Lane<S>, Mask<S>, Mask<S>) {
        let Quadratic { distance, a, b, c, discriminant, grazing } =
            Quadratic::new(self.position, self.velocity, reach_squared);
        let zero = Lane::splat(a.simd(), 0.0);
        let apart = zero.below(c);
        let parts = zero.below(b) & grazing.below(b * b);
        let misses = apart & discriminant.up_to(zero);
        let steep = (grazing + grazing).below(discriminant);
        let approaches = apart & b.below(zero) & steep & quick.below(a);
        let time = c / (discriminant.sqrt() - b);
        // The distance from itself is exactly zero.
        let is_other = zero.below(distance);
        (time, approaches, is_other & !(parts | misses | approaches))
    }
}
