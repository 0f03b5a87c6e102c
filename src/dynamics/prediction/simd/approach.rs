//! Approach of a ballistic sphere and its neighbours, in vector lanes: pairs that never meet, pairs that may meet, and
//! pairs left undecided.
//!
//! Each pair has the quadratic equation |d + v t| = r₁ + r₂; here are its coefficients and the sign of its
//! discriminant.

use pulp::Simd;

use super::first::{BLOCKS, First, GROUP, NEVER};
use crate::dynamics::BodyId;
use crate::dynamics::body::path_record::{Common, PathRecord, PathRecords, Turn};
use crate::motion::SimTime;
use crate::numeric::lane::{LANES, Lane, Mask, ones};
use crate::numeric::tolerance::{GRAZING_SLACK, TIME_MAX};

/// Limit of squared distance over squared reach, and of squared speed over squared approach speed, up to which rounding
/// is far below the threshold of grazing.
const FAR: f64 = 1_099_511_627_776.0;

/// One bit per neighbour: the ball may meet it, or the pair is left undecided.
#[derive(Clone, Copy)]
pub(super) struct Classified {
    meets: u32,
    asked: u32,
}

/// Coefficients of the quadratic equations of the ball and its neighbours.
#[derive(Clone, Copy)]
pub(super) struct QuadraticCoefficients {
    b: [f64; GROUP],
    c: [f64; GROUP],
    discriminant: [f64; GROUP],
    /// From the epoch of the ball's path to the common epoch, s.
    own_span: [f64; GROUP],
}

impl Classified {
    /// No neighbour.
    pub(super) const NONE: Self = Self { meets: 0, asked: 0 };
}

impl QuadraticCoefficients {
    pub(super) const NONE: Self =
        Self { b: [0.0; GROUP], c: [0.0; GROUP], discriminant: [0.0; GROUP], own_span: [0.0; GROUP] };

    /// Adds the neighbours that the ball meets to `first`, with rows counted from `start`; returns the undecided ones.
    #[inline(always)]
    pub(super) fn first_of(&self, sorted: Classified, start: usize, first: &mut First) -> u32 {
        let Classified { mut meets, mut asked } = sorted;
        while meets != 0 {
            let row = meets.trailing_zeros() as usize;
            meets &= meets - 1;
            let time = self.time(row);
            // The time underflows to 0 if it is too small.
            let told = time > 0.0;
            asked |= u32::from(!told) << row;
            let after = self.own_span[row] + time;
            first.add(if told && time <= TIME_MAX { after } else { NEVER }, start + row, time);
        }
        asked
    }

    /// The time of the meeting with the neighbour in a row, from the common epoch, s.
    #[inline(always)]
    fn time(&self, row: usize) -> f64 {
        self.c[row] / (self.discriminant[row].sqrt() - self.b[row])
    }
}

/// The ball whose first meeting is searched.
pub(super) struct Ball<'a> {
    pub(super) own: &'a PathRecord,
    pub(super) radius: f64,
    /// Time since its path began, s.
    pub(super) age: f64,
    pub(super) records: &'a PathRecords,
}

/// Motion of some neighbours seen from the ball, from the common epoch on.
struct Seen<S: Simd> {
    position: [Lane<S>; 3],
    velocity: [Lane<S>; 3],
    /// From the epoch of the ball's path to the common epoch, s.
    own_span: Lane<S>,
    /// Whether the nearest image is clearly nearer than the others.
    clear: Mask<S>,
    /// Whether the relative speed is not far below the speeds of the two.
    quick: Mask<S>,
}

impl Ball<'_> {
    /// Classifies the first `count` neighbours in at most [`BLOCKS`] blocks, and computes their coefficients.
    #[inline(always)]
    pub(super) fn sort_all<S: Simd, const FALLS: bool>(
        &self,
        simd: S,
        blocks: &[[BodyId; LANES]],
        count: usize,
        approach: &mut QuadraticCoefficients,
    ) -> Classified {
        let mut sorted = Classified::NONE;
        for (block, ids) in (0..BLOCKS).zip(blocks) {
            let here = self.sort::<S, FALLS>(simd, ids, approach, block);
            sorted.meets |= here.meets << (block * LANES);
            sorted.asked |= here.asked << (block * LANES);
        }
        let filled = (1 << count.min(GROUP)) - 1;
        Classified { meets: sorted.meets & filled, asked: sorted.asked & filled }
    }

    /// Classifies a block of neighbours, and computes their coefficients.
    #[inline(always)]
    fn sort<S: Simd, const FALLS: bool>(
        &self,
        simd: S,
        ids: &[BodyId; LANES],
        approach: &mut QuadraticCoefficients,
        block: usize,
    ) -> Classified {
        let others = ids.map(|id| self.records.get(id));
        let (fronts, backs) = (others.map(|line| &line.front), others.map(|line| &line.back));
        let mut sorted = Classified::NONE;
        let parts = LANES / S::F64_LANES;
        for part in 0..parts {
            let [fronts, backs] = [Lane::columns(simd, &fronts, part), Lane::columns(simd, &backs, part)];
            let reach_squared = self.reach_squared(simd, &others, backs[3], part);
            let seen = self.see::<S, FALLS>(simd, fronts, backs);
            let here = seen.sort(simd, reach_squared, approach, block * parts + part);
            sorted.meets |= here.meets << (part * S::F64_LANES);
            sorted.asked |= here.asked << (part * S::F64_LANES);
        }
        sorted
    }

    /// The squared sums of the radii, m².
    #[inline(always)]
    fn reach_squared<S: Simd>(&self, simd: S, others: &[&PathRecord; LANES], tags: Lane<S>, part: usize) -> Lane<S> {
        // Mostly all radii are equal.
        if tags.has_upper_half_of(self.own.tag()).bits() == Mask::<S>::ALL {
            let reach = self.radius + self.radius;
            return Lane::splat(simd, reach * reach);
        }
        let mut radii = [0.0; LANES];
        for lane in 0..LANES {
            radii[lane] = self.records.radius(others[lane]);
        }
        let reach = Lane::splat(simd, self.radius) + Lane::load(simd, &radii, part);
        reach * reach
    }

    #[inline(always)]
    fn see<S: Simd, const FALLS: bool>(&self, simd: S, fronts: [Lane<S>; 4], backs: [Lane<S>; 4]) -> Seen<S> {
        let &Self { own, age, records, .. } = self;
        let Common { turns, gravity, .. } = &records.common;
        let all = |number: f64| Lane::splat(simd, number);
        let zero = all(0.0);
        let ([x, y, z, x_speed], [y_speed, z_speed, rest, tag]) = (fronts, backs);
        let (positions, velocities) = ([x, y, z], [x_speed, y_speed, z_speed]);
        let (own_position, own_velocity) = (own.position(), own.velocity());
        let ticks = tag.ones() - all(ones(own.tag()));
        let later = ticks * all(SimTime::TICK) + (rest - all(own.rest()));
        let own_span = later.at_least_zero();
        let span = (zero - later).at_least_zero();
        let mut clear = zero.up_to(zero);
        let (mut position, mut velocity) = ([zero; 3], [zero; 3]);
        for axis in 0..3 {
            let (from, to) = (all(own_velocity[axis]), velocities[axis]);
            let (mut way, mut own_way) = (to, from);
            let mut v = to - from;
            if FALLS {
                let g = all(gravity[axis]);
                way = to + g * (all(0.5) * span);
                own_way = from + g * (all(0.5) * own_span);
                v = (to + g * span) - (from + g * own_span);
            }
            let other = positions[axis] + way * span;
            let straight = other - (all(own_position[axis]) + own_way * own_span);
            let Turn { length, half } = turns[axis];
            // Neighbours are near at the present; when their paths began they may have been anywhere.
            let present = straight + v * (all(age) - own_span);
            let apart = present.abs();
            let turned = all(half).below(apart);
            let nearest = turned.choose(apart - all(length), apart);
            clear = clear & nearest.up_to(all(half));
            let turn = turned.choose(all(length).signed_as(present), zero);
            (position[axis], velocity[axis]) = (straight - turn, v);
        }
        let own_speed = all(own_velocity.length_squared());
        let a = squared(velocity);
        let quick = if FALLS {
            (own_speed + squared(velocities)).below(all(FAR) * a)
        } else {
            // The other ball's speed is at most the sum of this ball's speed and the relative speed, so this ball's
            // speed is enough.
            (all(8.0 / FAR) * own_speed).below(a)
        };
        Seen { position, velocity, own_span, clear, quick }
    }
}

impl<S: Simd> Seen<S> {
    /// Classifies the neighbours, and stores their coefficients.
    #[inline(always)]
    fn sort(&self, simd: S, reach_squared: Lane<S>, approach: &mut QuadraticCoefficients, part: usize) -> Classified {
        let all = |number: f64| Lane::splat(simd, number);
        let zero = all(0.0);
        let Self { position: d, velocity: v, .. } = self;
        let (distance, a) = (squared(*d), squared(*v));
        let b = d[0] * v[0] + d[1] * v[1] + d[2] * v[2];
        let c = distance - reach_squared;
        let cross = [d[1] * v[2] - v[1] * d[2], d[2] * v[0] - v[2] * d[0], d[0] * v[1] - v[0] * d[1]];
        let widest = reach_squared * a;
        let discriminant = widest - squared(cross);
        let grazing = all(GRAZING_SLACK) * widest;
        let (apart, parts) = (zero.below(c), zero.up_to(b));
        // They separate, or one passes the other. A pair in contact separates for certain only if it does so fast.
        let never = parts & (apart | grazing.below(b * b)) | apart & discriminant.up_to(zero);
        let steep = (grazing + grazing).below(discriminant);
        let near = distance.below(all(FAR) * reach_squared);
        let told = self.clear & (never | apart & steep & near & self.quick);
        b.store(&mut approach.b, part);
        c.store(&mut approach.c, part);
        discriminant.store(&mut approach.discriminant, part);
        self.own_span.store(&mut approach.own_span, part);
        let (told, never) = (told.bits(), never.bits());
        Classified { meets: told & !never, asked: Mask::<S>::ALL & !told }
    }
}

/// The squared length of a vector.
#[inline(always)]
fn squared<S: Simd>(vector: [Lane<S>; 3]) -> Lane<S> {
    vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]
}
