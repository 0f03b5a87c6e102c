//! Candidate pairs: all pairs that may touch within a time step.

use glam::DVec3;

use super::members::admit;
use super::neighbours::pairs_within;
use super::problem::{CandidatePair, StepProblem};
use super::state::{GAP, GAP_MOVING, HELD};
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::SolverBody;
use crate::geometry::{Aabb, Solid, gap};
use crate::motion::SimTime;

/// Gathers the candidate pairs of all members. Free bodies in reach that would touch a member become members.
pub(super) fn gather(parts: &mut Parts, tick: f64, least: f64) -> StepProblem {
    let end = parts.scene.now.plus(tick);
    loop {
        let mut fastest = least;
        for &id in &parts.time_stepping.members {
            fastest = fastest.max(2.0 * parts.scene.going(id, end).linear.length());
        }
        let room = parts.scene.room(0.5 * fastest * tick);
        let (candidates, joining) = look_around(parts, tick, end, fastest, room);
        if joining.is_empty() {
            return problem(parts, candidates, tick, end, fastest, room);
        }
        admit(parts, &joining);
    }
}

/// The pairs within reach, and the free bodies that become members.
fn look_around(parts: &Parts, tick: f64, end: SimTime, fastest: f64, room: f64) -> (Vec<CandidatePair>, Vec<BodyId>) {
    let (mut candidates, mut joining) = (Vec::new(), Vec::new());
    let rows = &parts.scene.rows;
    let spare = room.max(2.0 * parts.scene.settings.rest_length);
    // A free body that is no member and faster than this has its impact at the exact instant.
    let most = parts.scene.fastest_wall().max(fastest);
    for &id in &parts.time_stepping.members {
        let own = parts.scene.going(id, end);
        pairs_within(parts, id, (fastest + most) * tick + spare, |pair| {
            let other = pair.other(id);
            if parts.scene.in_crowd(other) && other < id {
                return;
            }
            let theirs = parts.scene.going(other, end);
            let speed = if parts.scene.in_crowd(other) { fastest } else { theirs.linear.length().min(most) };
            let first = candidates.len();
            parts.scene.nears_of(pair, (fastest + speed) * tick + spare, tick, &mut candidates);
            if rows.is_free(other) && !parts.scene.in_crowd(other) {
                let way = if pair.a == id { theirs.linear - own.linear } else { own.linear - theirs.linear } * tick;
                if candidates[first..].iter().any(|near: &CandidatePair| near.gap + near.normal.dot(way) < room) {
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
    tick: f64,
    end: SimTime,
    fastest: f64,
    room: f64,
) -> StepProblem {
    let crowd = &parts.time_stepping.members;
    let mut outside: Vec<BodyId> =
        candidates.iter().flat_map(|near| [near.pair.a, near.pair.b]).filter(|&id| !parts.scene.in_crowd(id)).collect();
    outside.sort_unstable();
    outside.dedup();
    let place = |id: BodyId| match crowd.binary_search(&id) {
        Ok(place) => place,
        Err(_) => crowd.len() + outside.binary_search(&id).expect("everybody near is listed"),
    };
    candidates.iter_mut().for_each(|near| near.ends = [place(near.pair.a), place(near.pair.b)]);
    candidates.sort_by_key(|near| (near.pair, near.part));
    let bodies: Vec<BodyId> = crowd.iter().chain(&outside).copied().collect();
    // Bodies that are no members keep their velocity in this step: those that might change it are members.
    let held = |id: BodyId, member: SolverBody| {
        if parts.scene.in_crowd(id) { member } else { SolverBody { inverse_mass: 0.0, inverse_inertia: 0.0, ..member } }
    };
    let before = bodies.iter().map(|&id| held(id, parts.scene.member(id, parts.scene.now))).collect();
    let alone = bodies.iter().map(|&id| held(id, parts.scene.going(id, end))).collect();
    let (least_room, hold) = (parts.scene.room(0.0), HELD * parts.scene.settings.gravity.length() * tick);
    StepProblem { free: crowd.len(), bodies, before, alone, candidates, tick, end, fastest, room, least_room, hold }
}

impl Scene {
    /// The velocity of a body at the end of the step without any contact.
    fn going(&self, id: BodyId, end: SimTime) -> SolverBody {
        let member = self.member(id, self.now);
        let gained = if self.in_crowd(id) {
            self.settings.gravity * end.since(self.now)
        } else {
            self.rows.path(id).acceleration * end.since(self.now)
        };
        SolverBody { linear: member.linear + gained, ..member }
    }

    /// The gap that is kept between bodies that move at most `way` in the step, m.
    fn room(&self, way: f64) -> f64 {
        (GAP * self.settings.rest_length).max(GAP_MOVING * way)
    }

    /// Adds the candidate pairs of two bodies: the parts that are less than `reach` apart.
    fn nears_of(&self, pair: Pair, reach: f64, tick: f64, candidates: &mut Vec<CandidatePair>) {
        let motion = pair.motion(&self.rows, &self.settings.space, self.now);
        let mut add = |part: u32| {
            let [a, b] = self.solids(pair, part);
            let found = match (a, b) {
                (Solid::Box(a), Solid::Box(b)) => Some(facing(a + b, motion.position, motion.velocity * tick)),
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
/// `reach` is the sum of the half extents, m; `way` is the displacement of b in the step, m.
fn facing(reach: DVec3, offset: DVec3, way: DVec3) -> (f64, DVec3) {
    let gaps = offset.abs() - reach;
    let side = |axis: usize| if offset[axis] < 0.0 { -1.0 } else { 1.0 };
    let after = |axis: usize| gaps[axis] + side(axis) * way[axis];
    let apart = |axis: &usize| gaps[*axis] >= gaps.max_element().min(0.0);
    let axis = (0..3).filter(apart).max_by(|&x, &y| after(x).total_cmp(&after(y)).then(y.cmp(&x))).unwrap_or(0);
    (gaps[axis], DVec3::AXES[axis] * side(axis))
}
