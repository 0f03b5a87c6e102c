//! Many constraints, or friction: block projected Gauss–Seidel with conjugate directions.
//!
//! In block projected Gauss–Seidel (Jean & Moreau, *Unilaterality and dry friction in the dynamics of rigid body
//! collections*, 1992; Acary & Brogliato 2008, §13.7) each constraint in turn gets the normal impulse that satisfies
//! it, not below zero, and then the tangential impulse that stops its slip and the couples that stop its rolling and
//! spinning, limited by friction.
//!
//! The change of one round acts as a gradient, and a conjugate direction of such gradients is added to it (Silcowitz,
//! Niebe & Erleben, *A nonsmooth nonlinear conjugate gradient method for interactive contact force problems*, 2010).
//! The number of rounds then grows with the depth of a heap instead of its square. A round sweeps forward and back,
//! which makes it a symmetric step; the addition is cut where an impulse would become negative.

use glam::DVec3;

use super::problem::{ContactImpulse, Unsolvable};
use super::state::SolverState;
use super::{ContactConstraint, FrictionModel, SolverBody, active_set, newton};
use crate::dynamics::body::friction::{Frictions, Mode};
use crate::dynamics::few::Few;
use crate::numeric::tolerance::{
    CONSTRAINTS_MAX, COUPLED_TOLERANCE, PROJECTION_SLACK, ROUNDS_IDLE, ROUNDS_MAX, ROUNDS_PER_SEARCH, SEARCHES_MAX,
};

/// The conjugate direction, and the size of the last round's change.
struct ConjugateDirection {
    direction: Few<ContactImpulse>,
    size: f64,
}

/// Iterates until no constraint has a residual of more than `goal`, m/s or m/s², or until there is no more progress.
/// Returns whether the constraints are met.
pub(super) fn solve(state: &mut SolverState, goal: f64) -> bool {
    let mut conjugate = ConjugateDirection {
        direction: Few::from_elem(ContactImpulse::default(), state.constraints.len()),
        size: f64::INFINITY,
    };
    let (mut bound, mut idle) = (f64::INFINITY, 0);
    for _ in 0..ROUNDS_MAX {
        let start = state.impulses.clone();
        symmetric_sweep(state);
        let (size, largest) = change(state, &start);
        if largest <= goal && state.residual() <= goal {
            return true;
        }
        idle += 1;
        if size < 0.5 * bound {
            (bound, idle) = (size, 0);
        }
        if idle == ROUNDS_IDLE {
            if !newton::correct(state, symmetric_sweep) {
                break;
            }
            // The conjugate direction starts again, too.
            (bound, idle, conjugate.size) = (f64::INFINITY, 0, 0.0);
            continue;
        }
        extend(state, &start, &mut conjugate, size);
    }
    state.residual() <= COUPLED_TOLERANCE * state.scale
}

fn symmetric_sweep(state: &mut SolverState) {
    let rows = state.constraints.len();
    (0..rows).chain((0..rows).rev()).for_each(|row| relax(state, row));
}

/// Satisfies one constraint.
#[inline]
fn relax(state: &mut SolverState, row: usize) {
    let constraint = &state.constraints[row];
    let compliance = state.compliances[row];
    if compliance == 0.0 {
        return;
    }
    let before = state.impulses[row].normal;
    let wanted = before - state.slack(row) / compliance;
    let after = if constraint.holds { wanted } else { wanted.max(0.0) };
    if after != before {
        state.apply_normal(row, after - before);
        state.impulses[row].normal = after;
    }
    for (mode, model) in state.resisted(row) {
        let after = match model {
            FrictionModel::None => continue,
            FrictionModel::Kinetic { friction, direction } => direction * (-friction * after.max(0.0)),
            FrictionModel::Bilateral => state.stopping(row, mode, DVec3::ZERO, f64::INFINITY),
            FrictionModel::Coulomb { friction, wanted } => state.stopping(row, mode, wanted, friction * after.max(0.0)),
        };
        let change = after - constraint.impulse_against(&state.impulses[row], mode);
        state.apply(row, mode, change);
    }
}

/// The change of the impulses in a round: as an energy, and as a velocity or acceleration at the constraint where it
/// is largest.
fn change(state: &SolverState, start: &[ContactImpulse]) -> (f64, f64) {
    let (mut sum, mut most) = (0.0, 0.0_f64);
    for (row, start) in start.iter().enumerate() {
        let normal = state.impulses[row].normal - start.normal;
        let tangential = state.impulses[row].tangential - start.tangential;
        let size = (normal * normal + tangential.length_squared()) * state.compliances[row];
        sum += size;
        most = most.max(size * state.compliances[row]);
        let couple = state.impulses[row].couple - start.couple;
        if couple != DVec3::ZERO {
            let compliance = state.compliance_against(row, Mode::Rolling);
            let lever = state.constraints[row].lever(Mode::Rolling);
            let size = couple.length_squared() * compliance;
            sum += size;
            most = most.max(size * compliance * lever * lever);
        }
    }
    (sum, most.sqrt())
}

/// Adds the conjugate direction to the change of a round. After a round with a larger change than the one before, the
/// direction starts again.
fn extend(state: &mut SolverState, start: &[ContactImpulse], conjugate: &mut ConjugateDirection, size: f64) {
    let share = size / conjugate.size;
    // 0/0 gives no ratio.
    if share.is_nan() || share > 1.0 {
        conjugate.direction.fill(ContactImpulse::default());
        conjugate.size = f64::INFINITY;
        return;
    }
    conjugate.size = size;
    for (row, (start, direction)) in start.iter().zip(&mut conjugate.direction).enumerate() {
        let now = state.impulses[row];
        let more = direction.scaled(share);
        direction.normal = now.normal - start.normal + more.normal;
        direction.tangential = now.tangential - start.tangential + more.tangential;
        direction.couple = now.couple - start.couple + more.couple;
        let normal = if state.constraints[row].holds { more.normal } else { more.normal.max(-now.normal) };
        if normal != 0.0 {
            state.apply_normal(row, normal);
        }
        if more.tangential != DVec3::ZERO {
            state.apply(row, Mode::Slip, more.tangential);
        }
        if more.couple != DVec3::ZERO {
            state.apply(row, Mode::Rolling, more.couple);
        }
    }
}

/// Searches for a contradiction among the constraints.
///
/// Between squeezed members the impulses grow without bound; elsewhere they converge. So the constraints with the
/// fastest growing impulses are solved alone, few enough for the active-set method. If these contradict each other, the
/// whole problem has no solution.
pub(super) fn find_contradiction(state: &mut SolverState, free: &[SolverBody]) -> Result<(), Unsolvable> {
    for _ in 0..SEARCHES_MAX {
        let seen = state.impulses.clone();
        (0..ROUNDS_PER_SEARCH).for_each(|_| symmetric_sweep(state));
        let gained = |row: usize| (state.impulses[row].normal - seen[row].normal).abs();
        let mut rows: Vec<usize> = (0..seen.len()).filter(|&row| gained(row) > 0.0).collect();
        rows.sort_by(|&p, &q| gained(q).total_cmp(&gained(p)).then(p.cmp(&q)));
        rows.truncate(CONSTRAINTS_MAX);
        let suspects: Vec<ContactConstraint> = rows.iter().map(|&row| state.constraints[row]).collect();
        active_set::solve(&mut SolverState::new(free, &suspects))
            .map_err(|squeezed| Unsolvable { constraint: rows[squeezed.constraint] })?;
    }
    Ok(())
}

/// Iterates over all modes until none changes by more than rounding. The impulse against each is at most `most`, N·s
/// or N·m·s.
pub(super) fn stop_modes(state: &mut SolverState, most: &[Frictions]) {
    let tolerance = PROJECTION_SLACK * state.scale;
    for _ in 0..ROUNDS_MAX {
        let mut largest = 0.0_f64;
        for (row, most) in most.iter().enumerate() {
            for mode in Mode::ALL {
                let compliance = state.compliance_against(row, mode);
                if compliance > 0.0 && most.of(mode) > 0.0 {
                    let after = state.stopping(row, mode, DVec3::ZERO, most.of(mode) * state.unit);
                    let change = after - state.constraints[row].impulse_against(&state.impulses[row], mode);
                    state.apply(row, mode, change);
                    largest = largest.max(change.length() * compliance * state.constraints[row].lever(mode));
                }
            }
        }
        if largest <= tolerance {
            break;
        }
    }
}
