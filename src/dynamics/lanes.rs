//! When a plain ball meets its neighbours: many at a time, without a branch.
//!
//! The arithmetic is that of [`sphere_sphere`](crate::sweep::sphere_sphere) for straight motion, operation by operation, so a
//! meeting found here has the same bits; only its time is found, for of all neighbours but one no more is needed. First all
//! neighbours are sorted, side by side, into those that the ball never meets, the few that it may, and those about whom
//! rounding might decide otherwise there (touch, grazing, sliding, distances out of proportion), who are to be asked for.
//! Then the roots of the few are taken, one after the other.

use std::hint::select_unpredictable;

use glam::DVec3;
use pulp::{Simd, WithSimd};

use super::BodyId;
use super::lines::{Common, Line, Lines, Turn};
use super::links::Neighbour;
use crate::motion::SimTime;
use crate::numeric::lane::{LANES, Lane, Mask, ones};
use crate::numeric::tolerance::{GRAZING_SLACK, TIME_MAX};

/// How many neighbours are sorted before the roots of some are taken.
const GROUP: usize = 3 * LANES;

/// The time of a pair that does not meet.
pub(super) const NEVER: f64 = f64::INFINITY;

/// Squared distance over squared reach, and squared speeds over that with which two approach, up to which rounding is far
/// below what grazing is.
const FAR: f64 = 1_099_511_627_776.0;

/// What says who a neighbour is.
pub(super) trait Named {
    fn id(&self) -> BodyId;
}

impl Named for Neighbour {
    #[inline(always)]
    fn id(&self) -> BodyId {
        self.id
    }
}

impl Named for BodyId {
    #[inline(always)]
    fn id(&self) -> BodyId {
        *self
    }
}

/// The first two of the meetings of a ball with its neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct First {
    /// s from the beginning of the ball's path; [`NEVER`] if there is none.
    pub(super) after: f64,
    /// The same of the second.
    pub(super) second: f64,
    /// Which neighbour is met first.
    pub(super) row: usize,
    /// When, in s from the later one of the beginnings of the two paths.
    pub(super) time: f64,
}

impl First {
    pub(super) const NONE: Self = Self { after: NEVER, second: NEVER, row: 0, time: 0.0 };

    /// One more meeting, with a neighbour in a later row. Which one is earlier cannot be guessed.
    #[inline(always)]
    fn add(&mut self, after: f64, row: usize, time: f64) {
        let first = after < self.after;
        let later = select_unpredictable(first, self.after, after);
        self.second = select_unpredictable(later < self.second, later, self.second);
        self.after = select_unpredictable(first, after, self.after);
        self.row = select_unpredictable(first, row, self.row);
        self.time = select_unpredictable(first, time, self.time);
    }
}

/// Whom a plain ball meets first. Calls `ask` with the rows of those about whom nothing is said here.
#[inline]
pub(super) fn first_of(
    own: &Line,
    neighbours: &[impl Named],
    lines: &Lines,
    now: SimTime,
    ask: &mut impl FnMut(usize),
) -> First {
    if neighbours.is_empty() {
        return First::NONE;
    }
    let (radius, age) = (lines.radius(own), now.since(own.epoch()));
    lines.common.machine.dispatch(Look { own, radius, age, neighbours, lines, ask })
}

/// What is to be found, as it is handed to code for the machine at hand.
struct Look<'a, N, F> {
    own: &'a Line,
    radius: f64,
    /// How long ago the path began, s.
    age: f64,
    neighbours: &'a [N],
    lines: &'a Lines,
    ask: &'a mut F,
}

impl<N: Named, F: FnMut(usize)> WithSimd for Look<'_, N, F> {
    type Output = First;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> First {
        if self.lines.common.gravity == DVec3::ZERO { self.find::<S, false>(simd) } else { self.find::<S, true>(simd) }
    }
}

impl<N: Named, F: FnMut(usize)> Look<'_, N, F> {
    #[inline(always)]
    fn find<S: Simd, const FALLS: bool>(self, simd: S) -> First {
        let Self { own, radius, age, neighbours, lines, ask } = self;
        let ball = Ball { own, radius, age, lines };
        let mut first = First::NONE;
        let mut approach = Approach::NONE;
        for (group, some) in neighbours.chunks(GROUP).enumerate() {
            let mut sorted = Sorted { meets: 0, asked: 0 };
            for (block, some) in some.chunks(LANES).enumerate() {
                let here = ball.sort::<S, FALLS>(simd, some, &mut approach, block);
                let filled = (1 << some.len()) - 1;
                sorted.meets |= (here.meets & filled) << (block * LANES);
                sorted.asked |= (here.asked & filled) << (block * LANES);
            }
            let start = group * GROUP;
            let Sorted { mut meets, mut asked } = sorted;
            while meets != 0 {
                let row = meets.trailing_zeros() as usize;
                meets &= meets - 1;
                let time = approach.time(row);
                // It is 0 where it is too small for a number.
                let told = time > 0.0;
                asked |= u32::from(!told) << row;
                let after = approach.own_span[row] + time;
                first.add(if told && time <= TIME_MAX { after } else { NEVER }, start + row, time);
            }
            while asked != 0 {
                ask(start + asked.trailing_zeros() as usize);
                asked &= asked - 1;
            }
        }
        first
    }
}

/// Which of some neighbours the ball may meet, and which are to be asked for: a bit for each.
struct Sorted {
    meets: u32,
    asked: u32,
}

/// How the ball and its neighbours approach each other: what times are found from.
struct Approach {
    b: [f64; GROUP],
    c: [f64; GROUP],
    discriminant: [f64; GROUP],
    /// From the beginning of the ball's path to the later one of the beginnings of both, s.
    own_span: [f64; GROUP],
}

impl Approach {
    const NONE: Self = Self { b: [0.0; GROUP], c: [0.0; GROUP], discriminant: [0.0; GROUP], own_span: [0.0; GROUP] };

    /// When the ball meets the neighbour in a row, from the later one of the beginnings of both paths, s.
    #[inline(always)]
    fn time(&self, row: usize) -> f64 {
        self.c[row] / (self.discriminant[row].sqrt() - self.b[row])
    }
}

/// The ball that looks.
struct Ball<'a> {
    own: &'a Line,
    radius: f64,
    /// How long ago its path began, s.
    age: f64,
    lines: &'a Lines,
}

/// How some neighbours move, seen from the ball, its time counted from the later one of the beginnings of both paths.
struct Seen<S: Simd> {
    position: [Lane<S>; 3],
    velocity: [Lane<S>; 3],
    /// From the beginning of the ball's path to that time, s.
    own_span: Lane<S>,
    /// Whether the nearest image is told from others.
    clear: Mask<S>,
    /// Whether the ball and the neighbour approach each other, or part, not far more slowly than they move.
    quick: Mask<S>,
}

impl Ball<'_> {
    /// Sorts at most [`LANES`] neighbours, and at least one, and puts down how they approach; the last one fills what is left.
    #[inline(always)]
    fn sort<S: Simd, const FALLS: bool>(
        &self,
        simd: S,
        some: &[impl Named],
        approach: &mut Approach,
        block: usize,
    ) -> Sorted {
        let last = &some[some.len() - 1];
        let mut others = [self.own; LANES];
        for (lane, line) in others.iter_mut().enumerate() {
            *line = self.lines.get(some.get(lane).unwrap_or(last).id());
        }
        let mut sorted = Sorted { meets: 0, asked: 0 };
        let parts = LANES / S::F64_LANES;
        for part in 0..parts {
            let (mut fronts, mut backs) = ([&self.own.front; LANES], [&self.own.back; LANES]);
            for lane in 0..LANES {
                (fronts[lane], backs[lane]) = (&others[lane].front, &others[lane].back);
            }
            let [fronts, backs] = [Lane::columns(simd, &fronts, part), Lane::columns(simd, &backs, part)];
            let reach_squared = self.reach_squared(simd, &others, backs[3], part);
            let seen = self.see::<S, FALLS>(simd, fronts, backs);
            let here = seen.sort(simd, reach_squared, approach, block * parts + part);
            sorted.meets |= here.meets << (part * S::F64_LANES);
            sorted.asked |= here.asked << (part * S::F64_LANES);
        }
        sorted
    }

    /// The squared sums of the radii.
    #[inline(always)]
    fn reach_squared<S: Simd>(&self, simd: S, others: &[&Line; LANES], tags: Lane<S>, part: usize) -> Lane<S> {
        // Mostly all are of one size.
        if tags.has_upper_half_of(self.own.tag()).bits() == Mask::<S>::ALL {
            let reach = self.radius + self.radius;
            return Lane::splat(simd, reach * reach);
        }
        let mut radii = [0.0; LANES];
        for lane in 0..LANES {
            radii[lane] = self.lines.radius(others[lane]);
        }
        let reach = Lane::splat(simd, self.radius) + Lane::load(simd, &radii, part);
        reach * reach
    }

    #[inline(always)]
    fn see<S: Simd, const FALLS: bool>(&self, simd: S, fronts: [Lane<S>; 4], backs: [Lane<S>; 4]) -> Seen<S> {
        let &Self { own, age, lines, .. } = self;
        let Common { turns, gravity, .. } = &lines.common;
        let all = |number: f64| Lane::splat(simd, number);
        let zero = all(0.0);
        let ([x, y, z, x_speed], [y_speed, z_speed, fraction, tag]) = (fronts, backs);
        let (positions, velocities) = ([x, y, z], [x_speed, y_speed, z_speed]);
        let (own_position, own_velocity) = (own.position(), own.velocity());
        let later = (tag.ones() - all(ones(own.tag()))) + (fraction - all(own.fraction()));
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
            // Neighbours are near now; when their paths began they may have been anywhere.
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
            // The other one is no quicker than the ball and their approach together, so no more need be known of it.
            (all(8.0 / FAR) * own_speed).below(a)
        };
        Seen { position, velocity, own_span, clear, quick }
    }
}

impl<S: Simd> Seen<S> {
    /// Sorts the neighbours, and puts down how they approach.
    #[inline(always)]
    fn sort(&self, simd: S, reach_squared: Lane<S>, approach: &mut Approach, part: usize) -> Sorted {
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
        // They part, or one passes the other; those that touch part for certain only if they do so quickly.
        let never = parts & (apart | grazing.below(b * b)) | apart & discriminant.up_to(zero);
        let steep = (grazing + grazing).below(discriminant);
        let near = distance.below(all(FAR) * reach_squared);
        let told = self.clear & (never | apart & steep & near & self.quick);
        b.store(&mut approach.b, part);
        c.store(&mut approach.c, part);
        discriminant.store(&mut approach.discriminant, part);
        self.own_span.store(&mut approach.own_span, part);
        let (told, never) = (told.bits(), never.bits());
        Sorted { meets: told & !never, asked: Mask::<S>::ALL & !told }
    }
}

/// The square of a vector.
#[inline(always)]
fn squared<S: Simd>(vector: [Lane<S>; 3]) -> Lane<S> {
    vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::links::Links;
    use crate::dynamics::random::Random;
    use crate::dynamics::{Body, BodyId, Period, Settings, Space};
    use crate::motion::Path;
    use crate::numeric::lane::machines;

    /// What is found for the first of some balls about the others, and whom it asks for: in one number at a time, in all ways
    /// that the machine has, and for a list that holds no more than who the others are.
    fn found(random: &mut Random, gravity: DVec3, others: usize) -> Vec<(First, Vec<usize>)> {
        let period = Some(Period { min: -4.0, max: 4.0 });
        let settings = Settings { gravity, space: Space { periods: [period, period, None] }, ..Settings::default() };
        let balls = [0.5, 0.3].map(|radius| Body::sphere(radius, 1.0).unwrap().shape);
        let paths: Vec<Path> = (0..=others)
            .map(|row| Path {
                position: random.vector(1.0) * 4.0,
                velocity: if row % 3 == 0 { random.vector(1.0).round() } else { random.vector(1.0) },
                acceleration: gravity,
                epoch: SimTime::from_seconds(2.0 * random.unit()),
            })
            .collect();
        let sizes = if others.is_multiple_of(2) { 1 } else { 2 };
        let mut lines = Lines::new(paths.iter().enumerate().map(|(row, path)| (*path, &balls[row % sizes])), &settings);
        let mut links = Links::with_bodies(paths.len());
        for row in 0..paths.len() as u32 {
            lines.set_plain(BodyId(row), row % 11 != 10);
            if row > 0 {
                links.link(BodyId(0), BodyId(row), [0; 3]);
            }
        }
        let (own, neighbours) = (lines.get(BodyId(0)), links.of(BodyId(0)));
        let ids: Vec<BodyId> = neighbours.iter().map(|neighbour| neighbour.id).collect();
        let mut all: Vec<_> = machines().into_iter().map(|machine| look(machine, own, neighbours, &lines)).collect();
        all.push(look(lines.common.machine, own, &ids, &lines));
        all
    }

    fn look(machine: pulp::Arch, own: &Line, neighbours: &[impl Named], lines: &Lines) -> (First, Vec<usize>) {
        let mut asked = Vec::new();
        let mut ask = |row: usize| asked.push(row);
        let first = machine.dispatch(Look { own, radius: 0.5, age: 2.5, neighbours, lines, ask: &mut ask });
        (first, asked)
    }

    #[test]
    fn every_width_finds_the_same_bits() {
        let mut random = Random::from_state(5);
        let mut counts = [0; 3];
        for turn in 0..4_000 {
            let gravity = if turn % 2 == 0 { DVec3::ZERO } else { DVec3::new(0.0, 0.3, -1.0) };
            let all = found(&mut random, gravity, 1 + turn % 59);
            let bits = |first: &First| [first.after, first.second, first.time].map(f64::to_bits);
            for (first, asked) in &all {
                assert_eq!((bits(first), first.row, asked), (bits(&all[0].0), all[0].0.row, &all[0].1), "turn {turn}");
            }
            let (First { after, second, .. }, asked) = &all[0];
            counts[0] += usize::from(!asked.is_empty());
            counts[1] += usize::from(*after == NEVER);
            counts[2] += usize::from(*second < NEVER);
        }
        assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    }
}
