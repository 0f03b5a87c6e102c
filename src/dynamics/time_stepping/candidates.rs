//! Candidate pairs: all pairs that may touch within a time step.
//!
//! The reach of a member in the step follows from the largest speed. The pairs are sorted and have no relation to
//! domains, so the result depends on the physical state only.

use glam::DVec3;

use super::members::admit;
use super::neighbours::pairs_within;
use super::problem::{CandidatePair, StepProblem};
use super::state::{FROZEN_LOAD, GAP, GAP_MOVING};
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::SolverBody;
use crate::geometry::{Aabb, Solid, gap};
use crate::motion::SimTime;

/// Gathers the candidate pairs of all members. Free bodies in reach that would touch a member become members.
pub(super) fn gather(parts: &mut Parts, step_length: f64, least: f64) -> StepProblem {
    let end = parts.scene.now.plus(step_length);
    loop {
        let mut fastest = least;
        for &id in &parts.time_stepping.members {
            fastest = fastest.max(2.0 * parts.scene.free_velocity(id, end).linear.length());
        }
        let gap_kept = parts.scene.gap_kept(0.5 * fastest * step_length);
        let (candidates, joining) = look_around(parts, step_length, end, fastest, gap_kept);
        if joining.is_empty() {
            return problem(parts, candidates, step_length, end, fastest, gap_kept);
        }
        admit(parts, &joining);
    }
}

/// The pairs within reach, and the free bodies that become members.
fn look_around(
    parts: &Parts,
    step_length: f64,
    end: SimTime,
    fastest: f64,
    gap_kept: f64,
) -> (Vec<CandidatePair>, Vec<BodyId>) {
    let (mut candidates, mut joining) = (Vec::new(), Vec::new());
    let rows = &parts.scene.rows;
    let spare = gap_kept.max(2.0 * parts.scene.settings.rest_length);
    // A free body that is no member and faster than this has its impact at the exact instant.
    let most = parts.scene.fastest_wall().max(fastest);
    for &id in &parts.time_stepping.members {
        let own = parts.scene.free_velocity(id, end);
        pairs_within(parts, id, (fastest + most) * step_length + spare, |pair| {
            let other = pair.other(id);
            if parts.scene.is_time_stepped(other) && other < id {
                return;
            }
            let theirs = parts.scene.free_velocity(other, end);
            let speed = if parts.scene.is_time_stepped(other) { fastest } else { theirs.linear.length().min(most) };
            let first = candidates.len();
            parts.scene.add_candidates(pair, (fastest + speed) * step_length + spare, step_length, &mut candidates);
            if rows.is_free(other) && !parts.scene.is_time_stepped(other) {
                let displacement =
                    if pair.a == id { theirs.linear - own.linear } else { own.linear - theirs.linear } * step_length;
                if candidates[first..]
                    .iter()
                    .any(|candidate: &CandidatePair| candidate.gap + candidate.normal.dot(displacement) < gap_kept)
                {
                    joining.push(other);
                }
            }
        });
    }
    joining.sort_unstable();
    joining.dedup();
    (candidates, joining)
}

/// The problem of the step: its bodies and their places.
fn problem(
    parts: &Parts,
    mut candidates: Vec<CandidatePair>,
    step_length: f64,
    end: SimTime,
    fastest: f64,
    gap_kept: f64,
) -> StepProblem {
    let members = &parts.time_stepping.members;
    let mut outside: Vec<BodyId> = candidates
        .iter()
        .flat_map(|candidate| [candidate.pair.a, candidate.pair.b])
        .filter(|&id| !parts.scene.is_time_stepped(id))
        .collect();
    outside.sort_unstable();
    outside.dedup();
    let place = |id: BodyId| match members.binary_search(&id) {
        Ok(place) => place,
        Err(_) => members.len() + outside.binary_search(&id).expect("every body of a candidate pair is listed"),
    };
    candidates.iter_mut().for_each(|candidate| candidate.ends = [place(candidate.pair.a), place(candidate.pair.b)]);
    candidates.sort_by_key(|candidate| (candidate.pair, candidate.part));
    let bodies: Vec<BodyId> = members.iter().chain(&outside).copied().collect();
    // Bodies that are no members keep their velocity in this step: those that might change it are members.
    let fixed_outside = |id: BodyId, member: SolverBody| {
        if parts.scene.is_time_stepped(id) {
            member
        } else {
            SolverBody { inverse_mass: 0.0, inverse_inertia: 0.0, ..member }
        }
    };
    let before = bodies.iter().map(|&id| fixed_outside(id, parts.scene.member(id, parts.scene.now))).collect();
    let alone = bodies.iter().map(|&id| fixed_outside(id, parts.scene.free_velocity(id, end))).collect();
    let (gap_kept_min, freeze_speed) =
        (parts.scene.gap_kept(0.0), FROZEN_LOAD * parts.scene.settings.gravity.length() * step_length);
    StepProblem {
        free: members.len(),
        bodies,
        before,
        alone,
        candidates,
        step_length,
        end,
        fastest,
        gap_kept,
        gap_kept_min,
        freeze_speed,
    }
}

impl Scene {
    /// The velocity of a body at the end of the step without any contact.
    fn free_velocity(&self, id: BodyId, end: SimTime) -> SolverBody {
        let member = self.member(id, self.now);
        let gained = if self.is_time_stepped(id) {
            self.settings.gravity * end.since(self.now)
        } else {
            self.rows.path(id).acceleration * end.since(self.now)
        };
        SolverBody { linear: member.linear + gained, ..member }
    }

    /// The gap that is kept between bodies that move at most `displacement` in the step, m.
    fn gap_kept(&self, displacement: f64) -> f64 {
        (GAP * self.settings.rest_length).max(GAP_MOVING * displacement)
    }

    /// Adds the candidate pairs of two bodies: the parts that are less than `reach` apart.
    fn add_candidates(&self, pair: Pair, reach: f64, step_length: f64, candidates: &mut Vec<CandidatePair>) {
        let motion = pair.motion(&self.rows, &self.settings.space, self.now);
        let mut add = |part: u32| {
            let [a, b] = self.solids(pair, part);
            let found = match (a, b) {
                (Solid::Box(a), Solid::Box(b)) => Some(facing(a + b, motion.position, motion.velocity * step_length)),
                _ => gap(a, b, motion.position).map(|gap| (gap.separation, gap.normal)),
            };
            if let Some((gap, normal)) = found.filter(|found| found.0 < reach) {
                candidates.push(CandidatePair { pair, part, ends: [0; 2], normal, gap });
            }
        };
        let rows = &self.rows;
        let (mesh, body, place) = match (rows.mesh(pair.a), rows.mesh(pair.b)) {
            (Some(mesh), _) => (mesh, pair.b, motion.position),
            (_, Some(mesh)) => (mesh, pair.a, -motion.position),
            _ => return add(0),
        };
        let bounds = Aabb::around(place, rows.shape(body).half_extents() + reach);
        mesh.tree().touching(&bounds, add);
    }
}

/// The gap of two boxes along the axis that will separate them best, and its normal.
///
/// `reach` is the sum of the half extents, m; `displacement` is the displacement of b in the step, m.
fn facing(reach: DVec3, offset: DVec3, displacement: DVec3) -> (f64, DVec3) {
    let gaps = offset.abs() - reach;
    let side = |axis: usize| if offset[axis] < 0.0 { -1.0 } else { 1.0 };
    let after = |axis: usize| gaps[axis] + side(axis) * displacement[axis];
    let apart = |axis: &usize| gaps[*axis] >= gaps.max_element().min(0.0);
    let axis = (0..3).filter(apart).max_by(|&x, &y| after(x).total_cmp(&after(y)).then(y.cmp(&x))).unwrap_or(0);
    (gaps[axis], DVec3::AXES[axis] * side(axis))
}
