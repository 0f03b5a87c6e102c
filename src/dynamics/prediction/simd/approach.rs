//! Approach of a ballistic sphere and its neighbours, in vector lanes: pairs that never meet, pairs that may meet, and
//! pairs left undecided.
//!
//! Each pair has the quadratic equation |d + v t| = r₁ + r₂. This module computes its coefficients, the sign of its
//! discriminant, and its first root.

use pulp::Simd;

use super::first::{FirstLanes, GROUP, NEVER};
use super::quadratic::{FAR, Quadratic, rows, squared};
use crate::dynamics::BodyId;
use crate::dynamics::body::path_record::{Common, PathRecord, PathRecords, Turn};
use crate::motion::SimTime;
use crate::numeric::lane::{LANES, Lane, Mask, ones};
use crate::numeric::tolerance::{BOUND_FAR, TIME_MAX};

/// The rows of a pass.
const ROWS: [f64; GROUP] = rows();

/// The ball for which the first meeting is searched.
pub(super) struct Ball<'a> {
    pub(super) own: &'a PathRecord,
    pub(super) radius: f64,
    /// Whether it is a ball around a box. Then the ball may meet another body although the box does not.
    pub(super) is_box: bool,
    /// The radius of a ball that the neighbours fit into if they are boxes, m.
    pub(super) around_boxes: f64,
    /// Time since its path began, s.
    pub(super) age: f64,
    pub(super) records: &'a PathRecords,
}

/// Coefficients of the quadratic equations of the ball and the neighbours of one pass.
pub(super) struct Quadratics<S: Simd> {
    b: [f64; GROUP],
    c: [f64; GROUP],
    /// NaN where the ball does not meet the neighbour, or where that is undecided.
    discriminant: [f64; GROUP],
    /// From the epoch of the ball's path to the common epoch, s.
    own_span: [f64; GROUP],
    /// 1 for each undecided pair, 0 for the others.
    undecided: [f64; GROUP],
    any_undecided: Mask<S>,
    any_meets: Mask<S>,
}

/// The distances at which a ball and some neighbours meet.
struct Reach<S: Simd> {
    /// The squared sums of the radii, m².
    squared: Lane<S>,
    /// Whether both are spheres: then they meet at this distance.
    exact: Mask<S>,
    /// Whether one of them is a box, so that this distance is for the ball around it. If the balls do not meet, the
    /// boxes do not meet.
    bound: Mask<S>,
}

/// Motion of some neighbours seen from the ball, from the common epoch on.
struct Seen<S: Simd> {
    position: [Lane<S>; 3],
    velocity: [Lane<S>; 3],
    /// From the epoch of the ball's path to the common epoch, s.
    own_span: Lane<S>,
    /// Whether the relative speed is not far below the speeds of the two.
    quick: Mask<S>,
}

impl<S: Simd> Quadratics<S> {
    #[inline(always)]
    pub(super) fn none(simd: S) -> Self {
        let [b, c, discriminant, own_span, undecided] = [[0.0; GROUP]; 5];
        let none = Mask::none(simd);
        Self { b, c, discriminant, own_span, undecided, any_undecided: none, any_meets: none }
    }

    /// Adds the meetings with the first `count` neighbours, with rows counted from `start`. Returns whether a pair is
    /// undecided.
    #[inline(always)]
    pub(super) fn solve<const FRESH: bool>(
        &mut self,
        simd: S,
        count: usize,
        start: usize,
        first: &mut FirstLanes<S>,
    ) -> bool {
        let all = |number: f64| Lane::splat(simd, number);
        // In a dilute gas few of the neighbours are met; in a dense gas there are always some.
        let count = if self.any_meets.bits() == 0 { 0 } else { count };
        for part in 0..count.div_ceil(S::F64_LANES) {
            let [b, c, discriminant] = [&self.b, &self.c, &self.discriminant].map(|row| Lane::load(simd, row, part));
            let time = c / (discriminant.sqrt() - b);
            // The time underflows to 0 if it is too small.
            let (may_meet, meets) = (discriminant.up_to(discriminant), all(0.0).below(time));
            self.any_undecided = self.any_undecided | (may_meet & !meets);
            let counts = meets & time.up_to(all(TIME_MAX));
            let after = if FRESH { time } else { Lane::load(simd, &self.own_span, part) + time };
            let rows = Lane::load(simd, &ROWS, part) + all(start as f64);
            first.add(counts.choose(after, all(NEVER)), rows, time);
        }
        let any = self.any_undecided.bits() != 0;
        (self.any_undecided, self.any_meets) = (Mask::none(simd), Mask::none(simd));
        any
    }

    /// Whether the pair of a row is undecided.
    pub(super) fn is_undecided(&self, row: usize) -> bool {
        let &Self { b, c, discriminant, undecided, .. } = &self;
        let may_meet = !discriminant[row].is_nan();
        undecided[row] != 0.0 || may_meet && (c[row] / (discriminant[row].sqrt() - b[row])) <= 0.0
    }
}

impl Ball<'_> {
    /// Finds the coefficients for a block of neighbours. `FRESH` if the path of the ball begins now: then its own
    /// position and all paths of neighbours hold from now on. `left` is the number of neighbours from this block on.
    #[inline(always)]
    pub(super) fn approach<S: Simd, const FALLS: bool, const FRESH: bool>(
        &self,
        simd: S,
        ids: &[BodyId; LANES],
        (block, left): (usize, usize),
        found: &mut Quadratics<S>,
    ) {
        let parts = left.min(LANES).div_ceil(S::F64_LANES);
        let left = Lane::splat(simd, left as f64);
        for part in 0..parts {
            let fronts = Lane::columns(simd, |row| &self.records.get(ids[row]).front, part);
            let backs = Lane::columns(simd, |row| &self.records.get(ids[row]).back, part);
            let reach = self.reach(simd, ids, backs[3], part);
            let listed = Lane::load(simd, &ROWS, part).below(left);
            let seen = self.see::<S, FALLS, FRESH>(simd, fronts, backs);
            seen.approach::<FRESH>(simd, &reach, listed, block * (LANES / S::F64_LANES) + part, found);
        }
    }

    /// The distances at which the ball and some neighbours meet. Neighbours other than spheres and boxes in free flight
    /// have none.
    #[inline(always)]
    fn reach<S: Simd>(&self, simd: S, ids: &[BodyId; LANES], tags: Lane<S>, part: usize) -> Reach<S> {
        let (all, none) = (|number: f64| Lane::splat(simd, number), Mask::none(simd));
        let same = tags.has_upper_half_of(self.own.tag());
        let (has_boxes, one_radius) = (self.records.has_boxes(), self.records.one_radius());
        // Mostly all are balls of one radius.
        if same.bits() == Mask::<S>::ALL && !self.is_box || one_radius.is_some() && !has_boxes {
            let reach = self.radius + self.radius;
            return Reach { squared: all(reach * reach), exact: same, bound: none };
        }
        let (radii, balls) = match one_radius {
            Some(radius) => (all(radius), tags.has_upper_half_of(PathRecord::FIRST_SPHERE)),
            None => {
                let radii = ids.map(|id| self.records.radius(self.records.get(id)));
                let radii = Lane::load(simd, &radii, part);
                (radii, radii.up_to(radii))
            }
        };
        let boxes = if has_boxes { tags.has_upper_half_of(PathRecord::FREE_BOX) } else { none };
        let reach = all(self.radius) + boxes.choose(all(self.around_boxes), radii);
        let (exact, bound) = if self.is_box { (none, boxes | balls) } else { (balls, boxes) };
        Reach { squared: reach * reach, exact, bound }
    }

    #[inline(always)]
    fn see<S: Simd, const FALLS: bool, const FRESH: bool>(
        &self,
        simd: S,
        fronts: [Lane<S>; 4],
        backs: [Lane<S>; 4],
    ) -> Seen<S> {
        let &Self { own, age, records, .. } = self;
        let Common { turns, gravity, .. } = &records.common;
        let all = |number: f64| Lane::splat(simd, number);
        let zero = all(0.0);
        let ([x, y, z, x_speed], [y_speed, z_speed, rest, tag]) = (fronts, backs);
        let (positions, velocities) = ([x, y, z], [x_speed, y_speed, z_speed]);
        let (own_position, own_velocity) = (own.position(), own.velocity());
        let ticks = all(ones(own.tag())) - tag.ones();
        let sooner = ticks * all(SimTime::TICK) + (all(own.rest()) - rest);
        let span = sooner.at_least_zero();
        let own_span = if FRESH { zero } else { (zero - sooner).at_least_zero() };
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
            let own = if FRESH { all(own_position[axis]) } else { all(own_position[axis]) + own_way * own_span };
            let straight = other - own;
            let Turn { length, per_length, .. } = turns[axis];
            // The nearest image is that at the present, since neighbours are near now. When their paths began, they may
            // have been anywhere.
            let present = if FRESH { straight } else { straight + v * (all(age) - own_span) };
            let periods = (present * all(per_length)).rounded();
            (position[axis], velocity[axis]) = (straight - periods * all(length), v);
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
        Seen { position, velocity, own_span, quick }
    }
}

impl<S: Simd> Seen<S> {
    /// Finds the coefficients, and which of the `listed` pairs are undecided.
    #[inline(always)]
    fn approach<const FRESH: bool>(
        &self,
        simd: S,
        reach: &Reach<S>,
        listed: Mask<S>,
        part: usize,
        found: &mut Quadratics<S>,
    ) {
        let all = |number: f64| Lane::splat(simd, number);
        let zero = all(0.0);
        let &Reach { squared: reach_squared, exact, bound } = reach;
        let Quadratic { distance, b, c, discriminant, grazing, .. } =
            Quadratic::new(self.position, self.velocity, reach_squared);
        let (apart, parts) = (zero.below(c), zero.up_to(b));
        // The two separate, or pass each other. A pair in contact certainly separates only if it separates fast.
        let never = parts & (apart | grazing.below(b * b)) | apart & discriminant.up_to(zero);
        let steep = (grazing + grazing).below(discriminant);
        let near = distance.below(all(FAR) * reach_squared);
        let passes = bound & apart & never & distance.below(all(BOUND_FAR * BOUND_FAR) * reach_squared);
        let decided = exact & (never | apart & steep & near & self.quick) | passes;
        let meets = listed & decided & !never;
        let undecided = listed & !decided;
        b.store(&mut found.b, part);
        c.store(&mut found.c, part);
        meets.choose(discriminant, all(f64::NAN)).store(&mut found.discriminant, part);
        if !FRESH {
            self.own_span.store(&mut found.own_span, part);
        }
        undecided.choose(all(1.0), zero).store(&mut found.undecided, part);
        found.any_undecided = found.any_undecided | undecided;
        found.any_meets = found.any_meets | meets;
    }
}
