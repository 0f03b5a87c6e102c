//! First meeting of a ballistic sphere with its neighbours, vectorised: several neighbours at once, without branches.
//!
//! The arithmetic is that of [`sphere_sphere`](crate::sweep::sphere_sphere) for straight motion, operation by
//! operation, so a meeting found here has the same bits. Only its time is computed; the rest is needed for one
//! neighbour only. Pairs for which rounding decides (contact, grazing, sliding, extreme ratios of distances) are left
//! to the scalar prediction. Most searches are for a ball with a path that begins now; they need fewer operations.

mod approach;
pub(super) mod first;
pub(in crate::dynamics) mod quadratic;

use glam::DVec3;
use pulp::{Simd, WithSimd};

use crate::dynamics::body::path_record::{PathRecord, PathRecords};
use crate::dynamics::broadphase::neighbour_blocks::NeighbourBlocks;
use crate::motion::SimTime;
use crate::numeric::lane::LANES;
use approach::{Ball, Quadratics};
use first::{BLOCKS, First, FirstLanes, GROUP};

/// Finds the first meetings of a ballistic sphere with its neighbours. Calls `decide` with the row of the neighbour and
/// the first meetings found so far, for each undecided pair.
///
/// There is one copy of this code for all callers, so that it stays in the instruction cache.
#[inline(never)]
pub(in crate::dynamics) fn first_meetings(
    query: Query<'_>,
    records: &PathRecords,
    now: SimTime,
    decide: &mut dyn FnMut(usize, &First),
) -> First {
    records.common.machine.dispatch(Search { query, records, now, decide })
}

/// A ballistic sphere, or a box in free flight that fits into the same ball as the others, and its neighbours.
#[derive(Clone, Copy)]
pub(in crate::dynamics) struct Query<'a> {
    pub(in crate::dynamics) own: &'a PathRecord,
    pub(in crate::dynamics) others: NeighbourBlocks<'a>,
    /// The radius of a ball that each of them fits into if it is a box, m.
    pub(in crate::dynamics) around_boxes: f64,
}

/// The arguments of a search, for the instruction set of the machine.
struct Search<'a> {
    query: Query<'a>,
    records: &'a PathRecords,
    now: SimTime,
    decide: &'a mut dyn FnMut(usize, &First),
}

impl WithSimd for Search<'_> {
    type Output = First;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) -> First {
        let falls = self.records.common.gravity != DVec3::ZERO;
        if falls { self.find::<S, true>(simd) } else { self.find::<S, false>(simd) }
    }
}

impl Search<'_> {
    #[inline(always)]
    fn find<S: Simd, const FALLS: bool>(&mut self, simd: S) -> First {
        let &mut Self { query: Query { own, around_boxes, .. }, records, now, .. } = self;
        let is_box = own.is_free_box();
        let radius = if is_box { around_boxes } else { records.radius(own) };
        let age = now.since(own.epoch());
        let ball = Ball { own, radius, is_box, around_boxes, age, records };
        if age == 0.0 {
            self.find_for::<S, FALLS, true>(simd, &ball)
        } else {
            self.find_for::<S, FALLS, false>(simd, &ball)
        }
    }

    #[inline(always)]
    fn find_for<S: Simd, const FALLS: bool, const FRESH: bool>(&mut self, simd: S, ball: &Ball<'_>) -> First {
        let (others, mut found, mut first) = (self.query.others, Quadratics::none(simd), FirstLanes::none(simd));
        for (pass, blocks) in others.blocks().chunks(BLOCKS).enumerate() {
            let start = pass * GROUP;
            let left = others.count() - start;
            for (block, ids) in blocks.iter().enumerate() {
                ball.approach::<S, FALLS, FRESH>(simd, ids, (block, left - block * LANES), &mut found);
            }
            let count = left.min(GROUP);
            if found.solve::<FRESH>(simd, count, start, &mut first) {
                let known = first.first();
                let undecided = (0..count).filter(|&row| found.is_undecided(row));
                undecided.for_each(|row| (self.decide)(start + row, &known));
            }
        }
        first.first()
    }
}

#[cfg(test)]
mod tests {
    use super::first::NEVER;
    use super::*;
    use crate::dynamics::{Body, BodyId, Period, Settings, Space};
    use crate::motion::Path;
    use crate::numeric::lane::machines;
    use crate::random::Random;

    /// The result for the first of some balls, and the undecided rows: with scalar code, and with each instruction set
    /// of the machine.
    fn found(random: &mut Random, gravity: DVec3, others: usize) -> Vec<(First, Vec<usize>)> {
        let period = Some(Period { min: -4.0, max: 4.0 });
        let settings = Settings {
            gravity,
            space: Space { periods: [period, period, None], ..Space::default() },
            ..Settings::default()
        };
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
        let mut records =
            PathRecords::new(paths.iter().enumerate().map(|(row, path)| (*path, &balls[row % sizes])), &settings);
        for row in 0..paths.len() as u32 {
            records.set_ballistic_sphere(BodyId(row), row % 11 != 10);
        }
        let own = records.get(BodyId(0));
        let ids: Vec<BodyId> = (1..paths.len() as u32).map(BodyId).collect();
        machines().into_iter().map(|machine| search(machine, own, &ids, &records)).collect()
    }

    /// Some ids, followed by a block of other ids.
    fn filled_up(some: &[BodyId]) -> Vec<BodyId> {
        [some, &[BodyId(0); LANES]].concat()
    }

    fn search(machine: pulp::Arch, own: &PathRecord, ids: &[BodyId], records: &PathRecords) -> (First, Vec<usize>) {
        let (some, mut undecided) = (filled_up(ids), Vec::new());
        let others = NeighbourBlocks::new(&some, ids.len());
        let first = machine.dispatch(Search {
            query: Query { own, others, around_boxes: f64::INFINITY },
            records,
            now: SimTime::from_seconds(2.5),
            decide: &mut |row, _| undecided.push(row),
        });
        (first, undecided)
    }

    #[test]
    fn every_width_finds_the_same_bits() {
        let mut random = Random::from_state(5);
        let mut counts = [0; 3];
        for turn in 0..4_000 {
            let gravity = if turn % 2 == 0 { DVec3::ZERO } else { DVec3::new(0.0, 0.3, -1.0) };
            let all = found(&mut random, gravity, 1 + turn % 59);
            let bits = |first: &First| [first.after, first.second, first.time].map(f64::to_bits);
            for (first, undecided) in &all {
                assert_eq!(
                    (bits(first), first.row, undecided),
                    (bits(&all[0].0), all[0].0.row, &all[0].1),
                    "turn {turn}"
                );
            }
            let (First { after, second, .. }, undecided) = &all[0];
            counts[0] += usize::from(!undecided.is_empty());
            counts[1] += usize::from(*after == NEVER);
            counts[2] += usize::from(*second < NEVER);
        }
        assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    }
}
