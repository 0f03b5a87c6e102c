//! A Newton step for few constraints with friction, where Gauss–Seidel hardly advances.
//!
//! Between a light body and heavy ones on both sides of it, the rounds of Gauss–Seidel that are needed grow with the
//! ratio of the masses. If it is known which contacts press, and which of them slide, the problem is linear (Acary &
//! Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, 2008, §13.4). So that is taken from the present
//! impulses, and the linear problem is solved by elimination with full pivoting.

use glam::DVec3;

use super::FrictionModel;
use super::problem::{ContactImpulse, SolverBody};
use super::state::SolverState;
use crate::dynamics::body::friction::Mode;
use crate::dynamics::few::Few;
use crate::numeric::tolerance::{CONSTRAINTS_MAX, PROJECTION_SLACK};

/// One impulse of the linear problem, and the motion that it is to stop.
enum Unknown {
    /// Along the normal of a row, with friction that slides.
    Normal(usize),
    /// Against one mode of a row that is held, along a direction.
    Held(usize, Mode, DVec3),
}

/// Changes the impulses so that the contacts that press and are held now meet their constraints, if that makes the
/// residual half as large at least. Returns whether it does.
pub(super) fn correct(state: &mut SolverState, settle: impl Fn(&mut SolverState)) -> bool {
    let unknowns = unknowns(state);
    if unknowns.len() > CONSTRAINTS_MAX {
        return false;
    }
    let (members, impulses, before) = (state.members.clone(), state.impulses.clone(), state.residual());
    let mut rows: Vec<Vec<f64>> = vec![Vec::with_capacity(unknowns.len() + 1); unknowns.len()];
    for unknown in &unknowns {
        let effect = effect(state, unknown);
        rows.iter_mut().zip(&unknowns).for_each(|(row, other)| row.push(motion(state, &effect, other)));
    }
    rows.iter_mut().zip(&unknowns).for_each(|(row, unknown)| row.push(-missed(state, unknown)));
    for (unknown, size) in unknowns.iter().zip(eliminated(rows)) {
        let (row, impulse) = impulse_of(state, unknown, size);
        apply(state, row, &impulse);
    }
    settle(state);
    let is_better = state.residual() <= 0.5 * before;
    if !is_better {
        (state.members, state.impulses) = (members, impulses);
    }
    is_better
}

fn unknowns(state: &SolverState) -> Vec<Unknown> {
    let mut unknowns = Vec::new();
    for (row, impulse) in state.impulses.iter().enumerate() {
        if state.compliances[row] == 0.0 || (impulse.normal <= 0.0 && !state.constraints[row].holds) {
            continue;
        }
        unknowns.push(Unknown::Normal(row));
        let normal = state.constraints[row].normal / state.constraints[row].normal.length();
        let [one, other] = tangents(normal);
        for (mode, model) in state.resisted(row) {
            if slides(state, row, mode, model).is_none() && state.compliance_against(row, mode) > 0.0 {
                let axes: &[DVec3] = if mode == Mode::Spinning { &[normal] } else { &[one, other] };
                unknowns.extend(axes.iter().map(|&axis| Unknown::Held(row, mode, axis)));
            }
        }
    }
    unknowns
}

/// Two directions along a surface. If its normal is in the plane of a planar world, one of them is across that plane to
/// the bit: what is in the plane stays in it.
fn tangents(normal: DVec3) -> [DVec3; 2] {
    let steepest = |one: &DVec3, other: &DVec3| normal.dot(*one).abs().total_cmp(&normal.dot(*other).abs());
    let across = [DVec3::Z, DVec3::Y, DVec3::X].into_iter().min_by(steepest).unwrap_or(DVec3::Z).cross(normal);
    let one = across / across.length();
    [one, normal.cross(one)]
}

/// The impulse against a mode per normal impulse, if it is as large as friction allows.
fn slides(state: &SolverState, row: usize, mode: Mode, model: FrictionModel) -> Option<DVec3> {
    let impulse = state.constraints[row].impulse_against(&state.impulses[row], mode);
    match model {
        FrictionModel::Kinetic { friction, direction } => Some(direction * -friction),
        FrictionModel::Coulomb { friction, .. } => {
            let (size, most) = (impulse.length(), friction * state.impulses[row].normal.max(0.0));
            (size >= most * (1.0 - PROJECTION_SLACK)).then(|| impulse * (friction / size.max(f64::MIN_POSITIVE)))
        }
        FrictionModel::None | FrictionModel::Bilateral => None,
    }
}

/// The impulse of an unknown of this size, and its row.
fn impulse_of(state: &SolverState, unknown: &Unknown, size: f64) -> (usize, ContactImpulse) {
    let mut impulse = ContactImpulse::default();
    let mut add = |mode: Mode, along: DVec3| match mode {
        Mode::Slip => impulse.tangential += along,
        _ => impulse.couple += along,
    };
    let row = match *unknown {
        Unknown::Normal(row) => {
            for (mode, model) in state.resisted(row) {
                add(mode, slides(state, row, mode, model).unwrap_or_default() * size);
            }
            impulse.normal = size;
            row
        }
        Unknown::Held(row, mode, axis) => {
            add(mode, axis * size);
            row
        }
    };
    (row, impulse)
}

fn apply(state: &mut SolverState, row: usize, impulse: &ContactImpulse) {
    state.apply_normal(row, impulse.normal);
    state.apply(row, Mode::Slip, impulse.tangential);
    state.apply(row, Mode::Rolling, impulse.couple);
}

/// How an impulse of size 1 changes the motions of all members.
fn effect(state: &SolverState, unknown: &Unknown) -> Few<SolverBody> {
    let (row, impulse) = impulse_of(state, unknown, 1.0);
    let constraint = &state.constraints[row];
    let mut members: Few<SolverBody> = state.members.iter().map(|member| member.moving([DVec3::ZERO; 2])).collect();
    constraint.give(&mut members, impulse.vector(constraint.normal));
    constraint.give_against(&mut members, impulse.couple, Mode::Rolling);
    members
}

/// The motion that an unknown is to stop.
fn motion(state: &SolverState, members: &[SolverBody], unknown: &Unknown) -> f64 {
    match *unknown {
        Unknown::Normal(row) => state.constraints[row].opening(members),
        Unknown::Held(row, mode, axis) => state.constraints[row].motion(members, mode).dot(axis),
    }
}

/// How far the present motion is from what is wanted.
fn missed(state: &SolverState, unknown: &Unknown) -> f64 {
    let wanted = match *unknown {
        Unknown::Normal(row) => state.constraints[row].bound,
        Unknown::Held(row, mode, axis) => match state.constraints[row].friction[mode as usize] {
            FrictionModel::Coulomb { wanted, .. } => wanted.dot(axis),
            _ => 0.0,
        },
    };
    motion(state, &state.members, unknown) - wanted
}

/// Solves linear equations, each with its right side at the end. Unknowns that depend on others, to rounding, are 0.
fn eliminated(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let count = rows.len();
    // So scaled, rounding is alike in all rows.
    let scales: Vec<f64> = (0..count).map(|row| 1.0 / rows[row][row].abs().sqrt()).collect();
    for (row, &scale) in rows.iter_mut().zip(&scales) {
        row.iter_mut().zip(scales.iter().chain([&1.0])).for_each(|(entry, other)| *entry *= scale * other);
    }
    let (mut solved, mut pivots) = (vec![0.0; count], Vec::new());
    let (mut open_rows, mut open): (Vec<usize>, Vec<usize>) = ((0..count).collect(), (0..count).collect());
    while !open.is_empty() {
        let entries = open_rows.iter().flat_map(|&row| open.iter().map(move |&column| (row, column)));
        let larger = |x: (usize, usize), y: (usize, usize)| {
            if rows[y.0][y.1].abs() > rows[x.0][x.1].abs() { y } else { x }
        };
        let Some((row, column)) = entries.reduce(larger) else { break };
        if rows[row][column].abs() <= PROJECTION_SLACK || rows[row][column].is_nan() {
            break;
        }
        open_rows.retain(|&other| other != row);
        open.retain(|&other| other != column);
        let pivot = rows[row].clone();
        for &other in &open_rows {
            let share = rows[other][column] / pivot[column];
            rows[other].iter_mut().zip(&pivot).for_each(|(entry, pivot)| *entry -= share * pivot);
        }
        pivots.push((pivot, column));
    }
    for (row, column) in pivots.into_iter().rev() {
        let known: f64 = row.iter().zip(&solved).map(|(entry, value)| entry * value).sum();
        solved[column] = (row[count] - known) / row[column];
    }
    solved.iter().zip(&scales).map(|(value, scale)| value * scale).collect()
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;

    #[test]
    fn one_tangent_is_across_the_plane_of_a_normal() {
        let turns = (0..40).map(|n| f64::from(n) * 0.157);
        let around = turns.map(|angle| DVec3::new(angle.cos(), angle.sin(), 0.0));
        for normal in around.chain([DVec3::X, DVec3::Y, -DVec3::X]) {
            let [one, other] = tangents(normal);
            assert_eq!((one.z, other.truncate()), (0.0, DVec2::ZERO), "{normal}");
            assert!((one.length() - 1.0).abs() + (other.length() - 1.0).abs() < 1e-15, "{normal}");
            assert!(normal.dot(one).abs() < 1e-15, "{normal}");
        }
        for normal in [DVec3::Z, DVec3::new(0.6, 0.0, 0.8), DVec3::splat(1.0 / 3.0_f64.sqrt())] {
            let [one, other] = tangents(normal);
            let products = [normal.dot(one), normal.dot(other), one.dot(other), one.length() - other.length()];
            assert!(products.iter().all(|product| product.abs() < 1e-15), "{normal}: {products:?}");
        }
    }
}
