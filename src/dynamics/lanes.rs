//! When a plain ball meets its neighbours: many at a time, without a branch.
//!
//! The arithmetic is that of [`sphere_sphere`](crate::sweep::sphere_sphere) for straight motion, operation by operation, so a
//! meeting found here has the same bits; only its time is found, for of all neighbours but one no more is needed. Whatever
//! rounding might decide otherwise there (touch, grazing, sliding, distances out of proportion) is not decided here: such a
//! pair is to be [asked](ASK) for.

use glam::DVec3;
use pulp::{Simd, WithSimd};

use super::lines::{Common, Line, Lines, Turn};
use super::links::Neighbour;
use crate::motion::SimTime;
use crate::numeric::lane::Lane;
use crate::numeric::tolerance::{GRAZING_SLACK, TIME_MAX};

/// How many neighbours are looked at together.
pub(super) const LANES: usize = 8;

/// The time of a pair that does not meet.
pub(super) const NEVER: f64 = f64::INFINITY;

/// The time of a pair about which nothing is said here.
pub(super) const ASK: f64 = f64::NEG_INFINITY;

/// Squared distance over squared reach, and squared speeds over that with which two approach, up to which rounding is far
/// below what grazing is.
const FAR: f64 = 1_099_511_627_776.0;

/// What some neighbours are, one array a coordinate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Others {
    position: [[f64; LANES]; 3],
    velocity: [[f64; LANES]; 3],
    whole: [f64; LANES],
    fraction: [f64; LANES],
    radius: [f64; LANES],
}

/// Meetings of a ball with some neighbours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meetings {
    /// s from the beginning of the ball's path.
    pub(super) after: [f64; LANES],
    /// s from the later one of the beginnings of the two paths.
    pub(super) times: [f64; LANES],
    /// The least of `after`; lanes without a neighbour may have a part in it.
    pub(super) least: f64,
}

/// When a plain ball meets each of at most [`LANES`] neighbours. Lanes without a neighbour hold anything.
#[inline]
pub(super) fn meetings(
    own: &Line,
    neighbours: &[Neighbour],
    lines: &Lines,
    now: SimTime,
    others: &mut Others,
) -> Meetings {
    let common = &lines.common;
    others.gather(neighbours, lines);
    let (radius, age) = (lines.radius(own), now.since(own.epoch()));
    common.machine.dispatch(Look { own, radius, age, others, common })
}

impl Others {
    const NONE: [f64; LANES] = [0.0; LANES];

    /// Nobody.
    pub(super) const EMPTY: Self = Self {
        position: [Self::NONE; 3],
        velocity: [Self::NONE; 3],
        whole: Self::NONE,
        fraction: Self::NONE,
        radius: Self::NONE,
    };

    /// Fills as many lanes as there are neighbours; what is in the others has no meaning.
    #[inline(always)]
    fn gather(&mut self, neighbours: &[Neighbour], lines: &Lines) {
        let Self { position: [px, py, pz], velocity: [vx, vy, vz], whole, fraction, radius } = self;
        for (lane, neighbour) in neighbours.iter().take(LANES).enumerate() {
            let line = lines.get(neighbour.id);
            let Line { position, velocity, .. } = line;
            (px[lane], py[lane], pz[lane]) = (position.x, position.y, position.z);
            (vx[lane], vy[lane], vz[lane]) = (velocity.x, velocity.y, velocity.z);
            whole[lane] = f64::from(line.whole);
            fraction[lane] = line.fraction;
            radius[lane] = lines.radius(line);
        }
    }
}

/// What is to be found, as it is handed to code for the machine at hand.
#[derive(Clone, Copy)]
struct Look<'a> {
    own: &'a Line,
    radius: f64,
    /// How long ago the path began, s.
    age: f64,
    others: &'a Others,
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
    /// By how much the nearest image is told from others, m; not at all if it is negative.
    room: Lane<S>,
}

impl WithSimd for Look<'_> {
    type Output = Meetings;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Meetings {
        let mut found = Meetings { after: [NEVER; LANES], times: [0.0; LANES], least: NEVER };
        for part in 0..LANES / S::F64_LANES {
            let falls = self.common.gravity != DVec3::ZERO;
            let seen = if falls { self.see::<S, true>(simd, part) } else { self.see::<S, false>(simd, part) };
            let [after, times] = self.meet(simd, part, &seen);
            after.store(&mut found.after, part);
            times.store(&mut found.times, part);
            let least = after.least();
            found.least = if least < found.least { least } else { found.least };
        }
        found
    }
}

impl Look<'_> {
    #[inline(always)]
    fn see<S: Simd, const FALLS: bool>(&self, simd: S, part: usize) -> Seen<S> {
        let &Self { own, age, others, common, .. } = self;
        let all = |number: f64| Lane::splat(simd, number);
        let zero = all(0.0);
        let later = (Lane::load(simd, &others.whole, part) - all(f64::from(own.whole)))
            + (Lane::load(simd, &others.fraction, part) - all(own.fraction));
        let own_span = zero.below(later).choose(later, zero);
        let span = later.below(zero).choose(zero - later, zero);
        let (mut position, mut velocity) = ([zero; 3], [zero; 3]);
        let (mut speed, mut room) = (all(own.velocity.length_squared()), all(f64::INFINITY));
        for axis in 0..3 {
            let from = all(own.velocity[axis]);
            let to = Lane::load(simd, &others.velocity[axis], part);
            speed = speed + to * to;
            let (mut way, mut own_way) = (to, from);
            let mut v = to - from;
            if FALLS {
                let g = all(common.gravity[axis]);
                way = to + g * (all(0.5) * span);
                own_way = from + g * (all(0.5) * own_span);
                v = (to + g * span) - (from + g * own_span);
            }
            let other = Lane::load(simd, &others.position[axis], part) + way * span;
            let straight = other - (all(own.position[axis]) + own_way * own_span);
            let Turn { length, half } = common.turns[axis];
            // Neighbours are near now; when their paths began they may have been anywhere.
            let present = straight + v * (all(age) - own_span);
            let back = all(half).below(present).choose(all(-length), zero);
            let turn = present.below(all(-half)).choose(all(length), back);
            let nearest = present + turn;
            let left = all(half) - nearest;
            let right = all(half) + nearest;
            room = left.below(room).choose(left, room);
            room = right.below(room).choose(right, room);
            (position[axis], velocity[axis]) = (straight + turn, v);
        }
        Seen { position, velocity, speed, own_span, room }
    }

    /// When they meet: from the beginning of the ball's path, and from the common time.
    #[inline(always)]
    fn meet<S: Simd>(&self, simd: S, part: usize, seen: &Seen<S>) -> [Lane<S>; 2] {
        let all = |number: f64| Lane::splat(simd, number);
        let zero = all(0.0);
        let Seen { position: d, velocity: v, .. } = seen;
        let reach = all(self.radius) + Lane::load(simd, &self.others.radius, part);
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
        [zero.up_to(seen.room).choose(after, all(ASK)), time]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::random::Random;
    use crate::dynamics::{Body, BodyId, Period, Settings, Space};
    use crate::motion::Path;

    /// What is found for the first of nine balls about the others, in one number at a time, and as the machine does it.
    fn found(random: &mut Random, gravity: DVec3) -> [Meetings; 2] {
        let period = Some(Period { min: -4.0, max: 4.0 });
        let settings = Settings { gravity, space: Space { periods: [period, period, None] }, ..Settings::default() };
        let ball = Body::sphere(0.5, 1.0).unwrap().shape;
        let paths: Vec<Path> = (0..=LANES)
            .map(|row| Path {
                position: random.vector(1.0) * 4.0,
                velocity: if row % 3 == 0 { random.vector(1.0).round() } else { random.vector(1.0) },
                acceleration: gravity,
                epoch: SimTime::from_seconds(2.0 * random.unit()),
            })
            .collect();
        let mut lines = Lines::new(paths.iter().map(|path| (*path, &ball)), &settings);
        (0..paths.len()).for_each(|row| lines.set_plain(BodyId(row as u32), true));
        let mut others = Others::EMPTY;
        for (lane, path) in paths[1..].iter().enumerate() {
            let line = lines.get(BodyId(lane as u32 + 1));
            for axis in 0..3 {
                others.position[axis][lane] = path.position[axis];
                others.velocity[axis][lane] = path.velocity[axis];
            }
            (others.whole[lane], others.fraction[lane]) = (f64::from(line.whole), line.fraction);
            others.radius[lane] = lines.radius(line);
        }
        let (own, common) = (lines.get(BodyId(0)), &lines.common);
        let look = Look { own, radius: 0.5, age: 2.5, others: &others, common };
        [look.with_simd(pulp::Scalar::new()), common.machine.dispatch(look)]
    }

    #[test]
    fn every_width_finds_the_same_bits() {
        let mut random = Random::from_state(5);
        let mut counts = [0; 3];
        for turn in 0..4_000 {
            let gravity = if turn % 2 == 0 { DVec3::ZERO } else { DVec3::new(0.0, 0.3, -1.0) };
            let [single, wide] = found(&mut random, gravity);
            assert_eq!(single.after.map(f64::to_bits), wide.after.map(f64::to_bits), "turn {turn}");
            assert_eq!(single.least.to_bits(), wide.least.to_bits(), "turn {turn}");
            for (lane, after) in single.after.into_iter().enumerate() {
                let kind = if after == ASK { 0 } else { 1 + usize::from(after < NEVER) };
                counts[kind] += 1;
                // Of a pair that does not meet no time is read.
                assert!(kind < 2 || single.times[lane].to_bits() == wide.times[lane].to_bits(), "turn {turn}");
            }
        }
        assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    }
}
