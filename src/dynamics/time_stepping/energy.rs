//! Restitution and energy of a time step: no step adds energy.
//!
//! A step changes the energy by Σ P·u − ½|Δv|². Here `P` are the impulses, `u` the relative velocities at the contacts
//! after the step, and Δv the changes of velocity of the bodies; |·|² is weighted with the masses. Couples against
//! rolling and spinning count as impulses, and their `u` is an angular velocity. Exact impulses have P·u ≤ 0: friction
//! opposes motion, and no bound requires a gap to grow, unless the gap is nearly used up. All impulses are scaled by
//! the largest factor at which the energy does not grow. Restitution returns a part of the impulses of compression
//! (Poisson's hypothesis), again with the largest share at which the energy does not grow. The energy is a quadratic
//! function of this share.

use glam::DVec3;

use super::problem::StepProblem;
use super::relaxation::row::{FrictionRow, Mover};
use crate::dynamics::solver::problem::ContactImpulse;

/// The velocities and impulses of a solution.
pub(super) struct Saved {
    movers: Vec<Mover>,
    /// One for each row.
    impulses: Vec<ContactImpulse>,
}

/// The change of the energy in a step along a line of solutions: c₀ + c₁ α + c₂ α², J.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Quadratic {
    pub(super) constant: f64,
    pub(super) slope: f64,
    pub(super) curvature: f64,
}

impl Quadratic {
    /// The largest share up to 1 at which the energy has not grown; 0 if there is none.
    pub(super) fn largest_share(&self) -> f64 {
        let Self { constant, slope, curvature } = *self;
        if constant + slope + curvature <= 0.0 {
            return 1.0;
        }
        if constant > 0.0 {
            return 0.0;
        }
        // The larger root, without cancellation. The product of the roots is not positive.
        let root = (slope * slope - 4.0 * curvature * constant).max(0.0).sqrt();
        let share = if slope > 0.0 { -2.0 * constant / (slope + root) } else { (root - slope) / (2.0 * curvature) };
        if share > 0.0 { share.min(1.0) } else { 0.0 }
    }
}

impl StepProblem {
    pub(super) fn save(&self) -> Saved {
        let impulses = (0..self.listed.len()).map(|row| self.contact_impulse(row)).collect();
        Saved { movers: self.relaxation.movers.clone(), impulses }
    }

    /// Interpolates linearly between the saved solution (share 0) and the present one (share 1). The saved impulse of a
    /// contact that was added later is zero.
    pub(super) fn blend(&mut self, saved: &Saved, share: f64) {
        for (mover, from) in self.relaxation.movers.iter_mut().zip(&saved.movers) {
            mover.linear = from.linear + (mover.linear - from.linear) * share;
            mover.turning = from.turning + (mover.turning - from.turning) * share;
        }
        let before = |row: usize| saved.impulses.get(row).copied().unwrap_or_default();
        for (row, of) in self.relaxation.rows.iter_mut().enumerate() {
            of.impulse = before(row).normal + (of.impulse - before(row).normal) * share;
        }
        for (row, of) in self.relaxation.frictions.iter_mut().enumerate() {
            of.impulse = before(row).tangential + (of.impulse - before(row).tangential) * share;
        }
        for (row, of) in self.relaxation.couples.iter_mut().enumerate() {
            of.impulse = before(row).couple + (of.impulse - before(row).couple) * share;
        }
    }

    /// The velocities without any contact.
    pub(super) fn unsolved(&self) -> Saved {
        Saved { movers: self.relaxation.alone.clone(), impulses: Vec::new() }
    }

    /// Scales all impulses by the largest factor up to 1 with which the energy does not grow; returns the factor.
    pub(super) fn scale_impulses(&mut self) -> f64 {
        let alone = self.unsolved();
        let factor = self.energy_from(&alone).largest_share();
        if factor < 1.0 {
            self.blend(&alone, factor);
        }
        factor
    }

    /// Begins the second phase: each row gets an additional impulse, the impulse of compression times the row's value
    /// in `restitutions`. From now on no impulse may become smaller than this sum.
    pub(super) fn begin_restitution(&mut self, restitutions: &[f64]) {
        for (row, restitution) in restitutions.iter().enumerate() {
            let of = &mut self.relaxation.rows[row];
            let more = restitution * of.impulse;
            of.impulse += more;
            of.least = of.impulse;
            of.give(&mut self.relaxation.movers, more, DVec3::ZERO);
        }
    }

    /// The change of the energy along the line from the saved solution (share 0) to the present one (share 1), without
    /// the work of bodies of prescribed motion.
    pub(super) fn energy_from(&self, saved: &Saved) -> Quadratic {
        let (mut constant, mut slope, mut curvature) = (0.0, 0.0, 0.0);
        for (place, (from, to)) in saved.movers.iter().zip(&self.relaxation.movers).enumerate().take(self.free) {
            let before = (self.before[place].linear, self.before[place].angular * self.radii[place]);
            let (linear, turning) = (to.linear - from.linear, to.turning - from.turning);
            let weigh = |x: DVec3, inverse: f64| if inverse > 0.0 { x / inverse } else { DVec3::ZERO };
            let fall = self.gravity * self.length;
            constant += 0.5 * (from.norm(from.linear, from.turning) - from.norm(before.0, before.1))
                - weigh(fall, from.inverse_mass).dot(from.linear);
            slope += weigh(linear, from.inverse_mass).dot(from.linear - fall)
                + weigh(turning, from.inverse_inertia).dot(from.turning);
            curvature += 0.5 * from.norm(linear, turning);
        }
        for (row, of) in self.relaxation.rows.iter().enumerate() {
            let ContactImpulse { normal, tangential, .. } = saved.impulses.get(row).copied().unwrap_or_default();
            let place = self.listed[row] as usize;
            let walls = self.opening_with(place, self.wall_velocity(place)) - of.opening(&self.relaxation.movers);
            constant += normal * walls;
            slope += (of.impulse - normal) * walls;
            if let Some(FrictionRow { impulse, drive, .. }) = self.relaxation.frictions.get(row) {
                constant += tangential.dot(*drive);
                slope += (*impulse - tangential).dot(*drive);
            }
        }
        Quadratic { constant, slope, curvature }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::time_stepping::list::{Demand, refresh_list};
    use crate::dynamics::time_stepping::relaxation::Relaxation;
    use crate::dynamics::time_stepping::state::tests::{pit, resisting, with_island};
    use crate::dynamics::{Body, MaterialId};
    use crate::random::Random;

    impl StepProblem {
        /// The change of the energy in the step, J.
        fn energy_change(&self) -> f64 {
            self.energy_from(&self.unsolved()).at(1.0)
        }
    }

    impl Quadratic {
        fn at(&self, share: f64) -> f64 {
            self.constant + share * (self.slope + share * self.curvature)
        }
    }

    /// The largest of some thousand shares at which a quadratic is not positive.
    fn scanned(of: &Quadratic, steps: u32) -> f64 {
        let shares = (0..=steps).rev().map(|step| f64::from(step) / f64::from(steps));
        shares.into_iter().find(|&share| of.at(share) <= 0.0).unwrap_or(0.0)
    }

    #[test]
    fn the_largest_share_is_that_of_a_scan() {
        let mut random = Random::new(3);
        let steps = 4000;
        for case in 0..2000 {
            // Coefficients of similar and of very different sizes; curvatures of both signs.
            let mut size = |power: f64| random.between(-1.0, 1.0) * 10.0_f64.powi(random.between(-power, power) as i32);
            let of = Quadratic { constant: -size(3.0).abs(), slope: size(3.0), curvature: size(3.0) };
            let (found, expected) = (of.largest_share(), scanned(&of, steps));
            assert!((0.0..=1.0).contains(&found), "{case}: {of:?} {found}");
            assert!((found - expected).abs() <= 1.0 / f64::from(steps), "{case}: {of:?} {found} {expected}");
            let rounding = 8.0 * f64::EPSILON * (of.constant.abs() + of.slope.abs() + of.curvature.abs());
            assert!(of.at(found) <= rounding, "{case}: {of:?} {found}");
        }
    }

    #[test]
    fn the_largest_share_has_edge_cases() {
        for (constant, slope, curvature, expected) in [
            (0.0, 0.0, 0.0, 1.0),
            // No curvature.
            (-1.0, 2.0, 0.0, 0.5),
            (-1.0, 1.0, 0.0, 1.0),
            (-1.0, -1.0, 0.0, 1.0),
            (0.0, 1.0, 0.0, 0.0),
            // Curvature only.
            (-1.0, 0.0, 4.0, 0.5),
            (0.0, 0.0, 1.0, 0.0),
            // The quadratic decreases first.
            (0.0, -1.0, 2.0, 0.5),
            (0.0, -1.0, 1.0, 1.0),
            (0.0, 1.0, 1.0, 0.0),
            // Not positive at 1; the values before do not matter.
            (-1.0, -1.0, 2.0, 1.0),
            (1.0, -3.0, 2.0, 1.0),
            (1.0, -2.0, 0.0, 1.0),
            // Positive from the beginning, and at 1.
            (1.0, 0.0, 0.0, 0.0),
            (1.0, -3.0, 3.0, 0.0),
            (1e-300, 1.0, 1.0, 0.0),
            // No cancellation.
            (-1e-20, 1.0, 1.0, 1e-20),
        ] {
            let found = Quadratic { constant, slope, curvature }.largest_share();
            assert!(
                (found - expected).abs() <= 4.0 * f64::EPSILON * expected,
                "{constant} {slope} {curvature}: {found}"
            );
        }
    }

    /// s.
    const LENGTH: f64 = 0.01;

    /// The problem of a step in which bodies fall onto a slab of prescribed velocity, between walls at rest. All
    /// impulses are zero.
    fn problem(friction: f64, length: f64, slab: DVec3) -> StepProblem {
        let mut bodies = pit(5, 18);
        bodies.iter_mut().filter(|body| body.is_free()).for_each(|body| body.velocity.z -= 2.0);
        let moving = Body::cuboid(DVec3::new(2.0, 2.0, 0.05), 1.0).unwrap().kinematic();
        bodies.push(moving.at(-DVec3::Z * 0.06).moving(slab).made_of(MaterialId(1)));
        let floor = bodies.iter().position(|body| !body.is_free()).unwrap();
        bodies.remove(floor);
        let mut sim = with_island(resisting(0.5, friction, length), &bodies).sim;
        let mut island = sim.time_stepping.take(0);
        island.target_gap = 1e-3;
        refresh_list(&mut sim, 0, &mut island, Demand { length: LENGTH, least: None, is_wide: true });
        StepProblem::new(&sim.scene, &island, LENGTH)
    }

    /// The change of the kinetic and potential energy in a step, without the work of bodies of prescribed motion, J. It
    /// is computed from the velocities and impulses.
    fn energy_added(problem: &StepProblem) -> f64 {
        let mut sum = 0.0;
        for place in 0..problem.free {
            let (before, after) = (problem.before[place], problem.after(place));
            let weight = problem.gravity / before.inverse_mass;
            sum += after.energy() - before.energy() - weight.dot(after.linear * problem.length);
        }
        for row in 0..problem.listed.len() {
            let ends = problem.candidates[problem.listed[row] as usize].ends.map(|end| end as usize);
            for (end, onto_free) in [(ends[0], problem.impulse(row)), (ends[1], -problem.impulse(row))] {
                if end >= problem.free {
                    sum -= onto_free.dot(problem.before[end].linear);
                }
            }
        }
        sum
    }

    /// The rounding of some hundred terms of some joules, J.
    const ROUNDING: f64 = 1e-12;

    #[test]
    fn the_change_of_energy_is_that_of_velocities_and_heights() {
        let mut moved = 0;
        for (friction, length, slab) in [
            (0.0, 0.0, DVec3::ZERO),
            (0.4, 0.0, DVec3::ZERO),
            (0.0, 0.0, DVec3::Z),
            (0.4, 0.0, DVec3::new(1.0, 2.0, 0.5)),
            (0.4, 0.01, DVec3::new(1.0, 2.0, 0.5)),
            (0.0, 0.05, DVec3::ZERO),
        ] {
            for share in [0.0, 0.3, 1.0] {
                let solve = |problem: &mut StepProblem| {
                    if problem.is_rough {
                        problem.relaxation.sweep_together([2; 2], 0.0);
                    }
                    problem.relaxation.solve_normals(0.0, 3);
                };
                // From no contacts at all, and from a first solution, to a solution.
                for begun in [false, true] {
                    let mut problem = problem(friction, length, slab);
                    assert_eq!(problem.is_rough, friction > 0.0 || length > 0.0);
                    let saved = if begun {
                        solve(&mut problem);
                        problem.save()
                    } else {
                        problem.unsolved()
                    };
                    solve(&mut problem);
                    let (quadratic, all) = (problem.energy_from(&saved), energy_added(&problem));
                    assert!((problem.energy_change() - all).abs() <= ROUNDING);
                    moved += usize::from(quadratic.slope.abs() > 1e-6);
                    problem.blend(&saved, share);
                    let (found, expected) = (quadratic.at(share), energy_added(&problem));
                    let name = format!("{friction} {length} {slab} {share} {begun}");
                    let couples =
                        (0..problem.listed.len()).any(|row| problem.contact_impulse(row).couple != DVec3::ZERO);
                    assert_eq!(couples, length > 0.0 && (begun || share > 0.0), "{name}");
                    assert!((found - expected).abs() <= ROUNDING, "{name}: {found} {expected}");
                    // The change is far larger than its rounding error.
                    assert!(expected.abs() > 1e-3, "{name}: {expected}");
                }
            }
        }
        assert!(moved >= 18, "{moved}");
    }

    #[test]
    fn scaled_impulses_add_no_energy() {
        let mut scaled = 0;
        for (friction, length, slab) in [
            (0.0, 0.0, DVec3::ZERO),
            (0.4, 0.0, DVec3::ZERO),
            (0.4, 0.0, DVec3::new(1.0, 0.0, 0.5)),
            (0.4, 0.02, DVec3::new(1.0, 0.0, 0.5)),
        ] {
            for times in [1.0, 1.5, 3.0, 10.0] {
                let mut problem = problem(friction, length, slab);
                if problem.is_rough {
                    problem.relaxation.sweep_together([2; 2], 0.0);
                }
                problem.relaxation.solve_normals(1e-9, 1000);
                let Relaxation { rows, movers, .. } = &mut problem.relaxation;
                for row in rows {
                    let more = (times - 1.0) * row.impulse;
                    row.impulse += more;
                    row.give(movers, more, DVec3::ZERO);
                }
                let (before, movers) = (problem.energy_change(), problem.relaxation.movers.clone());
                let factor = problem.scale_impulses();
                let after = energy_added(&problem);
                assert!(problem.energy_change() <= ROUNDING && after <= ROUNDING, "{friction} {slab} {times}: {after}");
                if before > 0.0 {
                    // The factor is the largest one.
                    assert!(factor < 1.0 && after >= -ROUNDING, "{friction} {slab} {times}: {factor} {after}");
                    scaled += 1;
                } else {
                    assert!(
                        factor == 1.0 && problem.relaxation.movers == movers,
                        "{friction} {slab} {times}: {factor}"
                    );
                }
            }
        }
        assert!((4..16).contains(&scaled), "{scaled}");
    }

    #[test]
    fn restitution_returns_a_part_of_each_impulse() {
        let mut problem = problem(0.4, 0.0, DVec3::Z);
        problem.relaxation.sweep_together([3; 2], 0.0);
        problem.relaxation.solve_normals(1e-9, 1000);
        let first: Vec<f64> = problem.relaxation.rows.iter().map(|row| row.impulse).collect();
        let restitutions: Vec<f64> = (0..first.len()).map(|row| [0.0, 0.5, 1.0][row % 3]).collect();
        let mut movers = problem.relaxation.movers.clone();
        problem.begin_restitution(&restitutions);
        for (row, of) in problem.relaxation.rows.iter().enumerate() {
            assert_eq!((of.impulse, of.least), (first[row] + restitutions[row] * first[row], of.impulse), "{row}");
            of.give(&mut movers, restitutions[row] * first[row], DVec3::ZERO);
        }
        assert_eq!(problem.relaxation.movers, movers);
        assert!(first.iter().any(|&impulse| impulse > 0.0));
    }
}
