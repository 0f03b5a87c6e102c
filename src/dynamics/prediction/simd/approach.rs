//! Approach of a ballistic sphere and its neighbours, in vector lanes: pairs that never meet, pairs that may meet, and
//! pairs left undecided.
//!
//! Each pair has the quadratic equation |d + v t| = r₁ + r₂; here are its coefficients, the sign of its discriminant,
//! and its first root.

use pulp::Simd;

use super::first::{FirstLanes, GROUP, NEVER};
use crate::dynamics::BodyId;
use crate::dynamics::body::path_record::{Common, PathRecord, PathRecords, Turn};
use crate::motion::SimTime;
use crate::numeric::lane::{LANES, Lane, Mask, ones};
use crate::numeric::tolerance::{GRAZING_SLACK, TIME_MAX};

/// Limit of squared distance over squared reach, and of squared speed over squared approach speed, up to which rounding
/// is far below the threshold of grazing.
const FAR: f64 = 1_099_511_627_776.0;

/// The rows of a block.
const ROWS: [f64; LANES] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

/// The ball for which the first meeting is searched.
pub(super) struct Ball<'a> {
    pub(super) own: &'a PathRecord,
    pub(super) radius: f64,
    /// Time since its path began, s.
    pub(super) age: f64,
    pub(super) records: &'a PathRecords,
    /// Number of its neighbours.
    pub(super) count: usize,
}

/// What is found for the neighbours of a ball.
pub(super) struct Found<S: Simd> {
    pub(super) first: FirstLanes<S>,
    /// Whether a pair of the present pass is undecided, in each lane.
    pub(super) any_undecided: Mask<S>,
    /// 1 for each undecided pair of the present pass, 0 for the others.
    pub(super) undecided: [f64; GROUP],
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

impl<S: Simd> Found<S> {
    #[inline(always)]
    pub(super) fn nothing(simd: S) -> Self {
        Self { first: FirstLanes::none(simd), any_undecided: Mask::none(simd), undecided: [0.0; GROUP] }
    }
}

impl Ball<'_> {
    /// Adds the meetings with a block of neighbours, the first of which has the number `row`. `FRESH` if the path of
    /// the ball begins now: then its own position and all paths of neighbours hold from now on.
    #[inline(always)]
    pub(super) fn meet<S: Simd, const FALLS: bool, const FRESH: bool>(
        &self,
        simd: S,
        ids: &[BodyId; LANES],
        row: usize,
        found: &mut Found<S>,
    ) {
        let others = ids.map(|id| self.records.get(id));
        let (fronts, backs) = (others.map(|line| &line.front), others.map(|line| &line.back));
        for part in 0..LANES / S::F64_LANES {
            let [fronts, backs] = [Lane::columns(simd, &fronts, part), Lane::columns(simd, &backs, part)];
            let (reach_squared, sure) = self.reach_squared(simd, &others, backs[3], part);
            let seen = self.see::<S, FALLS, FRESH>(simd, fronts, backs);
            let rows = Lane::load(simd, &ROWS, part) + Lane::splat(simd, row as f64);
            let listed = rows.below(Lane::splat(simd, self.count as f64));
            let undecided = listed & seen.meet(simd, reach_squared, sure, (rows, listed), &mut found.first);
            found.any_undecided = found.any_undecided | undecided;
            let [no, yes] = [0.0, 1.0].map(|number| Lane::splat(simd, number));
            let (block, _) = found.undecided[row % GROUP..].split_first_chunk_mut().expect("a block of the group");
            undecided.choose(yes, no).store::<LANES>(block, part);
        }
    }

    /// The squared sums of the radii, m², and whether they are known.
    #[inline(always)]
    fn reach_squared<S: Simd>(
        &self,
        simd: S,
        others: &[&PathRecord; LANES],
        tags: Lane<S>,
        part: usize,
    ) -> (Lane<S>, Mask<S>) {
        let same = tags.has_upper_half_of(self.own.tag());
        // Mostly all radii are equal.
        if self.records.has_one_radius() || same.bits() == Mask::<S>::ALL {
            let reach = self.radius + self.radius;
            return (Lane::splat(simd, reach * reach), same);
        }
        let mut radii = [0.0; LANES];
        for lane in 0..LANES {
            radii[lane] = self.records.radius(others[lane]);
        }
        let reach = Lane::splat(simd, self.radius) + Lane::load(simd, &radii, part);
        (reach * reach, !Mask::none(simd))
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
            // Neighbours are near at the present; when their paths began they may have been anywhere.
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
    /// Adds the meetings with the neighbours in some rows, as far as these are `listed`. Returns which pairs are
    /// undecided. `sure` are those with radii that are known.
    #[inline(always)]
    fn meet(
        &self,
        simd: S,
        reach_squared: Lane<S>,
        sure: Mask<S>,
        (rows, listed): (Lane<S>, Mask<S>),
        first: &mut FirstLanes<S>,
    ) -> Mask<S> {
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
        let may_meet = apart & steep & near & self.quick & sure & !never;
        let time = c / (discriminant.sqrt() - b);
        // The time underflows to 0 if it is too small.
        let meets = may_meet & zero.below(time);
        let counts = meets & time.up_to(all(TIME_MAX)) & listed;
        first.add(counts.choose(self.own_span + time, all(NEVER)), rows, time);
        !(meets | never & sure)
    }
}

/// The squared length of a vector.
#[inline(always)]
fn squared<S: Simd>(vector: [Lane<S>; 3]) -> Lane<S> {
    vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]
}
