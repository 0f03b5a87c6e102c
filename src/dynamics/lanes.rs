//! When a plain ball meets its neighbours: many at a time, without a branch.
//!
//! The arithmetic is that of [`sphere_sphere`](crate::sweep::sphere_sphere) for straight motion, operation by operation, so a
//! meeting found here has the same bits; only its time is found, for of all neighbours but one no more is needed. Whatever
//! rounding might decide otherwise there (touch, grazing, sliding, distances out of proportion) is not decided here: such a
//! pair is to be asked for.

use glam::DVec3;
use pulp::{Simd, WithSimd};

use super::BodyId;
use super::lines::{Common, Line, Lines, Turn};
use crate::motion::SimTime;
use crate::numeric::lane::{Lane, Mask};
use crate::numeric::tolerance::{GRAZING_SLACK, TIME_MAX};

/// How many neighbours are looked at together: as many as there are in the widest register.
const LANES: usize = 8;

/// The ranks of the lanes.
const RANKS: [f64; LANES] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

/// The time of a pair that does not meet.
pub(super) const NEVER: f64 = f64::INFINITY;

/// The time of a pair about which nothing is said here.
const ASK: f64 = f64::NEG_INFINITY;

/// Squared distance over squared reach, and squared speeds over that with which two approach, up to which rounding is far
/// below what grazing is.
const FAR: f64 = 1_099_511_627_776.0;

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
}

/// Whom a plain ball meets first. Calls `ask` with the rows of those about whom nothing is said here.
#[inline]
pub(super) fn first_of<T>(
    own: &Line,
    neighbours: &[T],
    name: &impl Fn(&T) -> BodyId,
    lines: &Lines,
    now: SimTime,
    ask: &mut impl FnMut(usize),
) -> First {
    if neighbours.is_empty() {
        return First::NONE;
    }
    let (radius, age) = (lines.radius(own), now.since(own.epoch()));
    lines.common.machine.dispatch(Look { own, radius, age, neighbours, name, lines, ask })
}

/// What is to be found, as it is handed to code for the machine at hand.
struct Look<'a, T, N, F> {
    own: &'a Line,
    radius: f64,
    /// How long ago the path began, s.
    age: f64,
    neighbours: &'a [T],
    /// Whose line it is.
    name: &'a N,
    lines: &'a Lines,
    ask: &'a mut F,
}

impl<T, N: Fn(&T) -> BodyId, F: FnMut(usize)> WithSimd for Look<'_, T, N, F> {
    type Output = First;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> First {
        if self.lines.common.gravity == DVec3::ZERO { self.find::<S, false>(simd) } else { self.find::<S, true>(simd) }
    }
}

impl<T, N: Fn(&T) -> BodyId, F: FnMut(usize)> Look<'_, T, N, F> {
    #[inline(always)]
    fn find<S: Simd, const FALLS: bool>(self, simd: S) -> First {
        let Self { own, radius, age, neighbours, name, lines, ask } = self;
        let ball = Ball { own, radius, age, common: &lines.common };
        let all = |number: f64| Lane::splat(simd, number);
        let count = all(neighbours.len() as f64);
        let mut found = Found::none(simd);
        for (block, some) in neighbours.chunks(LANES).enumerate() {
            let others = Others::new(some, name, lines, own, radius);
            for part in 0..some.len().div_ceil(S::F64_LANES) {
                let row = all((block * LANES) as f64) + Lane::load(simd, &RANKS, part);
                let seen = ball.see::<S, FALLS>(simd, part, &others);
                let (after, time) = ball.meet(simd, part, &others, &seen);
                let mut after = row.below(count).choose(after, all(NEVER));
                if after.least() == ASK {
                    let mut numbers = [NEVER; LANES];
                    after.store(&mut numbers, part);
                    let asked = numbers.iter().enumerate().filter(|(_, after)| **after == ASK);
                    asked.for_each(|(lane, _)| ask(block * LANES + lane));
                    after = after.below(all(0.0)).choose(all(NEVER), after);
                }
                found.add(after, row, time);
            }
        }
        found.first(simd)
    }
}

/// The first two of the meetings in each lane.
struct Found<S: Simd> {
    after: Lane<S>,
    second: Lane<S>,
    row: Lane<S>,
    time: Lane<S>,
}

impl<S: Simd> Found<S> {
    #[inline(always)]
    fn none(simd: S) -> Self {
        let [never, zero] = [NEVER, 0.0].map(|number| Lane::splat(simd, number));
        Self { after: never, second: never, row: zero, time: zero }
    }

    #[inline(always)]
    fn add(&mut self, after: Lane<S>, row: Lane<S>, time: Lane<S>) {
        let (first, second) = (after.below(self.after), after.below(self.second));
        self.second = first.choose(self.after, second.choose(after, self.second));
        self.after = first.choose(after, self.after);
        self.row = first.choose(row, self.row);
        self.time = first.choose(time, self.time);
    }

    /// The first two of all.
    #[inline(always)]
    fn first(self, simd: S) -> First {
        let all = |number: f64| Lane::splat(simd, number);
        let only = |mask: Mask<S>, numbers: Lane<S>| mask.choose(numbers, all(NEVER)).least();
        let after = self.after.least();
        if after == NEVER {
            return First::NONE;
        }
        let row = only(self.after.up_to(all(after)), self.row);
        let here = self.row.up_to(all(row)) & all(row).up_to(self.row) & self.after.below(all(NEVER));
        let second = here.choose(self.second, self.after).least();
        First { after, second, row: row as usize, time: only(here, self.time) }
    }
}

/// Some neighbours.
struct Others<'a> {
    lines: [&'a Line; LANES],
    radii: [f64; LANES],
}

impl<'a> Others<'a> {
    /// At most [`LANES`] neighbours, and at least one; the last one fills what is left.
    #[inline(always)]
    fn new<T>(some: &[T], name: &impl Fn(&T) -> BodyId, lines: &'a Lines, own: &'a Line, radius: f64) -> Self {
        let last = some.len() - 1;
        let mut others = Self { lines: [own; LANES], radii: [radius; LANES] };
        for (lane, line) in others.lines.iter_mut().enumerate() {
            *line = lines.get(name(&some[lane.min(last)]));
        }
        // Mostly all are of one size.
        if !others.lines.iter().all(|line| line.has_radius_of(own)) {
            others.radii = each(&others.lines, |line| lines.radius(line));
        }
        others
    }

    /// A number of each, as many as a register holds.
    #[inline(always)]
    fn lane<S: Simd>(&self, simd: S, part: usize, number: impl Fn(&Line) -> f64) -> Lane<S> {
        Lane::load(simd, &each(&self.lines, number), part)
    }
}

/// A number of each body.
#[inline(always)]
fn each(bodies: &[&Line; LANES], number: impl Fn(&Line) -> f64) -> [f64; LANES] {
    let mut numbers = [0.0; LANES];
    for (lane, line) in bodies.iter().enumerate() {
        numbers[lane] = number(line);
    }
    numbers
}

/// The ball that looks.
struct Ball<'a> {
    own: &'a Line,
    radius: f64,
    /// How long ago its path began, s.
    age: f64,
    common: &'a Common,
}

/// How some neighbours move, seen from the ball, its time counted from the later one of the beginnings of both paths.
struct Seen<S: Simd> {
    position: [Lane<S>; 3],
    velocity: [Lane<S>; 3],
    /// The squares of both velocities, summed.
    speed: Lane<S>,
    /// From the beginning of the ball's path to that time, s.
    own_span: Lane<S>,
    /// Whether the nearest image is told from others.
    clear: Mask<S>,
}

impl Ball<'_> {
    #[inline(always)]
    fn see<S: Simd, const FALLS: bool>(&self, simd: S, part: usize, others: &Others<'_>) -> Seen<S> {
        let &Self { own, age, common, .. } = self;
        let all = |number: f64| Lane::splat(simd, number);
        let zero = all(0.0);
        let later = (others.lane(simd, part, |line| f64::from(line.whole)) - all(f64::from(own.whole)))
            + (others.lane(simd, part, |line| line.fraction) - all(own.fraction));
        let own_span = zero.below(later).choose(later, zero);
        let span = later.below(zero).choose(zero - later, zero);
        let mut clear = zero.up_to(zero);
        let (mut position, mut velocity) = ([zero; 3], [zero; 3]);
        let mut speed = all(own.velocity.length_squared());
        for axis in 0..3 {
            let from = all(own.velocity[axis]);
            let to = others.lane(simd, part, |line| line.velocity[axis]);
            speed = speed + to * to;
            let (mut way, mut own_way) = (to, from);
            let mut v = to - from;
            if FALLS {
                let g = all(common.gravity[axis]);
                way = to + g * (all(0.5) * span);
                own_way = from + g * (all(0.5) * own_span);
                v = (to + g * span) - (from + g * own_span);
            }
            let other = others.lane(simd, part, |line| line.position[axis]) + way * span;
            let straight = other - (all(own.position[axis]) + own_way * own_span);
            let Turn { length, half } = common.turns[axis];
            // Neighbours are near now; when their paths began they may have been anywhere.
            let present = straight + v * (all(age) - own_span);
            let back = all(half).below(present).choose(all(-length), zero);
            let turn = present.below(all(-half)).choose(all(length), back);
            let nearest = present + turn;
            clear = clear & nearest.up_to(all(half)) & all(-half).up_to(nearest);
            (position[axis], velocity[axis]) = (straight + turn, v);
        }
        Seen { position, velocity, speed, own_span, clear }
    }

    /// When they meet: from the beginning of the ball's path, and from the common time.
    #[inline(always)]
    fn meet<S: Simd>(&self, simd: S, part: usize, others: &Others<'_>, seen: &Seen<S>) -> (Lane<S>, Lane<S>) {
        let all = |number: f64| Lane::splat(simd, number);
        let zero = all(0.0);
        let Seen { position: d, velocity: v, .. } = seen;
        let reach = all(self.radius) + Lane::load(simd, &others.radii, part);
        let reach_squared = reach * reach;
        let distance = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        let a = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        let b = d[0] * v[0] + d[1] * v[1] + d[2] * v[2];
        let c = distance - reach_squared;
        let x = d[1] * v[2] - v[1] * d[2];
        let y = d[2] * v[0] - v[2] * d[0];
        let z = d[0] * v[1] - v[0] * d[1];
        let discriminant = reach_squared * a - (x * x + y * y + z * z);
        let root = zero.below(discriminant).choose(discriminant, zero).sqrt();
        let time = c / (root - b);
        let (apart, closes, touch) = (zero.below(c), b.below(zero), c.up_to(zero));
        let leaves = zero.up_to(c) & zero.up_to(b);
        let passes = apart & discriminant.up_to(zero);
        let rebounds = touch & zero.below(b) & (all(GRAZING_SLACK) * a * distance).below(b * b);
        let late = apart & closes & all(TIME_MAX).below(time);
        let steep = (all(2.0 * GRAZING_SLACK) * reach_squared * a).below(discriminant);
        let moderate = distance.below(all(FAR) * reach_squared) & seen.speed.below(all(FAR) * a);
        let meets = apart & closes & steep & moderate & zero.below(time);
        let met = meets.choose(seen.own_span + time, all(ASK));
        let after = (leaves | passes | rebounds | late).choose(all(NEVER), met);
        (seen.clear.choose(after, all(ASK)), time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::links::{Links, Neighbour};
    use crate::dynamics::random::Random;
    use crate::dynamics::{Body, BodyId, Period, Settings, Space};
    use crate::motion::Path;

    /// What is found for the first of some balls about the others, and whom it asks for: in one number at a time, and as the
    /// machine does it.
    fn found(random: &mut Random, gravity: DVec3, others: usize) -> [(First, Vec<usize>); 2] {
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
        [pulp::Arch::Scalar, lines.common.machine].map(|machine| {
            let mut asked = Vec::new();
            let mut ask = |row: usize| asked.push(row);
            let look = Look {
                own,
                radius: 0.5,
                age: 2.5,
                neighbours,
                name: &|neighbour: &Neighbour| neighbour.id,
                lines: &lines,
                ask: &mut ask,
            };
            (machine.dispatch(look), asked)
        })
    }

    #[test]
    fn every_width_finds_the_same_bits() {
        let mut random = Random::from_state(5);
        let mut counts = [0; 3];
        for turn in 0..4_000 {
            let gravity = if turn % 2 == 0 { DVec3::ZERO } else { DVec3::new(0.0, 0.3, -1.0) };
            let [single, wide] = found(&mut random, gravity, 1 + turn % 29);
            let bits = |first: &First| [first.after, first.second, first.time].map(f64::to_bits);
            assert_eq!((bits(&single.0), single.0.row, &single.1), (bits(&wide.0), wide.0.row, &wide.1), "turn {turn}");
            let (First { after, second, .. }, asked) = single;
            counts[0] += usize::from(!asked.is_empty());
            counts[1] += usize::from(after == NEVER);
            counts[2] += usize::from(second < NEVER);
        }
        assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    }
}
