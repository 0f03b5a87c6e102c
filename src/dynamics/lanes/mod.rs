//! When a plain ball meets its neighbours: many at a time, without a branch.
//!
//! The arithmetic is that of [`sphere_sphere`](crate::sweep::sphere_sphere) for straight motion, operation by operation, so a
//! meeting found here has the same bits; only its time is found, for of all neighbours but one no more is needed. First all
//! neighbours are sorted, side by side, into those that the ball never meets, the few that it may, and those about whom
//! rounding might decide otherwise there (touch, grazing, sliding, distances out of proportion), who are to be asked for.
//! Then the roots of the few are taken, one after the other.

mod approach;

use std::hint::select_unpredictable;

use glam::DVec3;
use pulp::{Simd, WithSimd};

use super::BodyId;
use super::lines::{Line, Lines};
use super::links::Neighbour;
use crate::motion::SimTime;

use approach::{Approach, Ball, GROUP, Sorted};

/// The time of a pair that does not meet.
pub(super) const NEVER: f64 = f64::INFINITY;

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
    let mut first = [First::NONE];
    first_of_each([own], [neighbours], lines, now, &mut first, &mut |_, row| ask(row));
    first[0]
}

/// Puts down whom some plain balls meet `first`. Calls `ask` with the ranks of balls and the rows of those about whom nothing is
/// said here.
///
/// What is found about one ball takes long and depends on nothing that is found about another, so a processor works on all
/// of them at once.
#[inline]
pub(super) fn first_of_each<const BALLS: usize>(
    own: [&Line; BALLS],
    neighbours: [&[impl Named]; BALLS],
    lines: &Lines,
    now: SimTime,
    first: &mut [First; BALLS],
    ask: &mut impl FnMut(usize, usize),
) {
    let balls = own.map(|own| Ball { own, radius: lines.radius(own), age: now.since(own.epoch()), lines });
    lines.common.machine.dispatch(Look { balls, neighbours, first, ask });
}

/// What is to be found, as it is handed to code for the machine at hand.
struct Look<'a, N, F, const BALLS: usize> {
    balls: [Ball<'a>; BALLS],
    neighbours: [&'a [N]; BALLS],
    first: &'a mut [First; BALLS],
    ask: &'a mut F,
}

impl<N: Named, F: FnMut(usize, usize), const BALLS: usize> WithSimd for Look<'_, N, F, BALLS> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let falls = self.balls[0].lines.common.gravity != DVec3::ZERO;
        if falls { self.find::<S, true>(simd) } else { self.find::<S, false>(simd) }
    }
}

impl<N: Named, F: FnMut(usize, usize), const BALLS: usize> Look<'_, N, F, BALLS> {
    #[inline(always)]
    fn find<S: Simd, const FALLS: bool>(&mut self, simd: S) {
        let Self { balls, neighbours, ask, .. } = self;
        let mut first = [First::NONE; BALLS];
        let mut approach = [Approach::NONE; BALLS];
        let mut start = 0;
        loop {
            let mut sorted = [Sorted::NONE; BALLS];
            let mut more = false;
            for rank in 0..BALLS {
                let rest = neighbours[rank].get(start..).unwrap_or(&[]);
                let some = &rest[..rest.len().min(GROUP)];
                sorted[rank] = balls[rank].sort_all::<S, FALLS>(simd, some, &mut approach[rank]);
                more |= rest.len() > GROUP;
            }
            for rank in 0..BALLS {
                let mut asked = approach[rank].first_of(sorted[rank], start, &mut first[rank]);
                while asked != 0 {
                    ask(rank, start + asked.trailing_zeros() as usize);
                    asked &= asked - 1;
                }
            }
            if !more {
                *self.first = first;
                return;
            }
            start += GROUP;
        }
    }
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
        let ball = || Ball { own, radius: 0.5, age: 2.5, lines };
        let mut first = [First::NONE];
        let ask = &mut |_, row| ask(row);
        machine.dispatch(Look { balls: [ball()], neighbours: [neighbours], first: &mut first, ask });
        let [first] = first;
        // The same of two balls at once, one of which looks at fewer.
        let half = &neighbours[neighbours.len() / 2..];
        for (rank, both) in [[neighbours, half], [half, neighbours]].into_iter().enumerate() {
            let mut asked_too = Vec::new();
            let mut ask = |ball: usize, row: usize| asked_too.extend((ball == rank).then_some(row));
            let mut firsts = [First::NONE; 2];
            let look = Look { balls: [ball(), ball()], neighbours: both, first: &mut firsts, ask: &mut ask };
            machine.dispatch(look);
            assert_eq!((firsts[rank], asked_too), (first, asked.clone()));
        }
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
