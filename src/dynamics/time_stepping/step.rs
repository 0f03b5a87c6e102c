//! One time step of one island.
//!
//! The order is fixed: take back what remains of the last step, let members leave and others join, solve, add to the
//! balance, begin the paths, log contacts that ended. A step changes nothing before its solution is complete; where a
//! body has to join or goes farther than its list allows, the step is set up again.

use glam::DVec3;

use super::accounts::{book_step, log_release, take_back_increments};
use super::island::{Increment, ListedPair, SteppedIsland};
use super::list::make_list;
use super::membership::{admit_into, leave_without_company, split};
use super::problem::{NO_ROW, StepProblem};
use super::sleep::{put_to_sleep, sleeps};
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::contact::Reaction;
use crate::dynamics::error::RunError;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::geometry::Shape;
use crate::motion::Spin;
use crate::numeric::tolerance::{
    ATTEMPTS_MAX, BLOCKED_MAX, BLOCKED_SHARE, CUSHION_MAX, CUSHION_SHARE, FRICTION_SWEEPS, GAP_KEPT, REACH_LEAST,
    REACH_SPARE, SHARE_LEAST, SHORTENINGS_MAX, STEP_DISTANCE, STEP_LONGEST, STEP_SHORTEST, STEP_SHRUNK,
    SWEEP_TOLERANCE, SWEEPS_MAX, TOLERANCE_SHRUNK,
};

/// Why a step has to be set up again.
enum Obstacle {
    /// Members go farther than the list allows: how far each may go from now on, m.
    Reach(Vec<f64>),
    /// These free bodies would overlap a member.
    Bystanders(Vec<BodyId>),
}

/// What the solver found, beside the velocities and impulses in the problem.
struct Outcome {
    /// The share of the step in which no bodies overlap.
    share: f64,
    /// The restitution of each row that has an impact; otherwise zero.
    met: Vec<f64>,
}

/// Advances the island of a body by one step, from the present on.
pub(in crate::dynamics) fn time_step(parts: &mut Parts, body: BodyId) -> Result<(), RunError> {
    let number = parts.scene.stepped_in[body.index()];
    let mut island = parts.time_stepping.take(number);
    let stepped = step_island(parts, number, &mut island);
    parts.time_stepping.put(number, island);
    stepped
}

fn step_island(parts: &mut Parts, number: u32, island: &mut SteppedIsland) -> Result<(), RunError> {
    take_back_increments(parts, island)?;
    if sleeps(parts, island) {
        return put_to_sleep(parts, island);
    }
    let (mut length, mut cushion, mut shortened) = (f64::INFINITY, island.cushion, 0);
    let (mut has_grown, mut reaches) = (false, Vec::new());
    let (mut problem, outcome) = loop {
        // Within this call the step only becomes shorter and the island only grows, so it comes to an end.
        length = length.min(parts.scene.step_length(island));
        island.cushion = parts.scene.next_cushion(island, cushion, length);
        refresh_list(parts, number, island, length, &reaches);
        if !has_grown && leave_without_company(parts, island)? {
            if island.members.is_empty() {
                return Ok(());
            }
            continue;
        }
        if !has_grown {
            split(parts, island);
        }
        let joining = match bystanders(parts, island, length) {
            Some(joining) => joining,
            None => {
                let mut problem = StepProblem::new(&parts.scene, island, length);
                match solve(&parts.scene, island, &mut problem) {
                    Ok(Outcome { share, .. }) if share < SHARE_LEAST && shortened < SHORTENINGS_MAX => {
                        // In a shorter step, more of the gaps can be used.
                        (length, cushion) = (STEP_SHRUNK * length, STEP_SHRUNK * island.cushion);
                        shortened += 1;
                        continue;
                    }
                    Ok(outcome) => break (problem, outcome),
                    Err(Obstacle::Bystanders(joining)) => joining,
                    Err(Obstacle::Reach(farther)) => {
                        reaches = farther;
                        continue;
                    }
                }
            }
        };
        admit_into(parts, number, island, &joining)?;
        has_grown = true;
        reaches.clear();
    };
    if is_blocked(island, outcome.share) {
        if parts.scene.speed_of_near_walls(island, problem.length) > 0.0 {
            return Err(squeezed(parts, island, &problem));
        }
        // Bodies that cannot move among bodies at rest are at rest.
        return put_to_sleep(parts, island);
    }
    island.lost = -problem.energy_change();
    book_step(parts, &problem, &outcome.met);
    begin_paths(parts, island, &problem, outcome.share)?;
    keep_pushes(parts, island, &mut problem);
    Ok(())
}

/// Finds velocities with which no bodies overlap at the end of the step, or for a share of it.
fn solve(scene: &Scene, island: &SteppedIsland, problem: &mut StepProblem) -> Result<Outcome, Obstacle> {
    let tolerance = SWEEP_TOLERANCE * problem.cushion / problem.length;
    let share = compress(scene, island, problem, tolerance)?;
    let met = scene.restitutions(problem);
    if share < 1.0 || met.iter().all(|&restitution| restitution == 0.0) {
        return Ok(Outcome { share, met: Vec::new() });
    }
    let first = problem.save();
    problem.begin_restitution(&met);
    if problem.is_rough {
        problem.relaxation.sweep_together(FRICTION_SWEEPS);
    }
    if keep_apart(scene, island, problem, tolerance)? < 1.0 {
        problem.blend(&first, 0.0);
        return Ok(Outcome { share, met: Vec::new() });
    }
    let returned = problem.energy_from(&first).largest_share();
    if returned < 1.0 {
        problem.blend(&first, returned);
    }
    let share = problem.verify(scene).unwrap_or(1.0);
    Ok(Outcome { share, met })
}

/// The first phase: no gap closes, and the energy does not grow. Where the energy asks for so much smaller impulses
/// that too little of the step is left, it is solved again, more exactly and without growing gaps.
fn compress(
    scene: &Scene,
    island: &SteppedIsland,
    problem: &mut StepProblem,
    mut tolerance: f64,
) -> Result<f64, Obstacle> {
    for attempt in 0..ATTEMPTS_MAX {
        if problem.is_rough {
            problem.relaxation.sweep_together(FRICTION_SWEEPS << attempt);
        }
        let share = keep_apart(scene, island, problem, tolerance)?;
        let exact = problem.save();
        if problem.scale_impulses() == 1.0 {
            return Ok(share);
        }
        let scaled = problem.verify(scene).unwrap_or(share).min(share);
        if scaled >= SHARE_LEAST || share < SHARE_LEAST || attempt + 1 == ATTEMPTS_MAX {
            return Ok(scaled);
        }
        problem.blend(&exact, 0.0);
        problem.stop_recovering();
        tolerance *= TOLERANCE_SHRUNK;
    }
    Ok(1.0)
}

/// Solves until no gap is too small at the end of the step. Returns the share of the step for which that is so; it is
/// less than 1 where the sweeps did not suffice.
fn keep_apart(
    scene: &Scene,
    island: &SteppedIsland,
    problem: &mut StepProblem,
    mut tolerance: f64,
) -> Result<f64, Obstacle> {
    let mut left = SWEEPS_MAX;
    loop {
        left = problem.relaxation.solve_normals(tolerance, left.max(1));
        if let Some(farther) = farther(island, problem) {
            return Err(Obstacle::Reach(farther));
        }
        match problem.verify(scene) {
            // Friction may wedge bodies that have space, and where bodies are nearly jammed, sweeps converge slowly.
            Ok(share) if share < SHARE_LEAST && left == 0 && problem.release_friction() => left = SWEEPS_MAX,
            Ok(share) if share < SHARE_LEAST && left == 0 && problem.solve_exactly() => left = 1,
            Ok(share) if share >= 1.0 || left == 0 => {
                let joining = hit_bystanders(scene, island, problem);
                return if joining.is_empty() { Ok(share) } else { Err(Obstacle::Bystanders(joining)) };
            }
            Ok(_) => tolerance *= 0.25,
            Err(_) => {}
        }
    }
}

/// The reaches that a solution needs, if it needs larger ones.
fn farther(island: &SteppedIsland, problem: &StepProblem) -> Option<Vec<f64>> {
    let list = &island.list;
    let went = |place: usize| (list.moved[place] + problem.relaxation.movers[place].linear * problem.length).length();
    let too_far = |place: usize| went(place) > list.reaches[place];
    (0..problem.free).any(too_far).then(|| {
        (0..problem.free).map(|place| if too_far(place) { 2.0 * went(place) } else { list.reaches[place] }).collect()
    })
}

/// The listed free bodies outside that would overlap a member at the end of the step.
fn hit_bystanders(scene: &Scene, island: &SteppedIsland, problem: &StepProblem) -> Vec<BodyId> {
    let is_hit = |&place: &usize| {
        let candidate = problem.candidates[place];
        if problem.is_kept(place) {
            return false;
        }
        let [a, b] = candidate.ends.map(|end| match (end as usize) < problem.free {
            true => problem.relaxation.movers[end as usize].linear,
            false => scene.mean_velocity(island.body(end as usize), problem.length),
        });
        candidate.gap + candidate.normal.dot(b - a) * problem.length < 0.0
    };
    let outside = |place: usize| {
        let ends = problem.candidates[place].ends.map(|end| end as usize);
        island.body(if ends[0] >= problem.free { ends[0] } else { ends[1] })
    };
    let mut joining: Vec<BodyId> = (0..problem.candidates.len()).filter(is_hit).map(outside).collect();
    joining.sort_unstable();
    joining.dedup();
    joining
}

/// The listed free bodies outside that would touch a member in the step as both move now.
fn bystanders(parts: &Parts, island: &SteppedIsland, length: f64) -> Option<Vec<BodyId>> {
    let (scene, free) = (&parts.scene, island.members.len());
    let fall = scene.settings.gravity * length;
    let touches = |listed: &&ListedPair| {
        let pair = listed.pair.as_seen_from_path(&scene.rows);
        let motion = pair.motion(&scene.rows, &scene.settings.space, scene.now);
        let [a, b] = [pair.a, pair.b].map(|id| match island.place(id) {
            Some(_) => scene.member(id, scene.now).linear + fall,
            None => scene.mean_velocity(id, length),
        });
        let displacement = (b - a) * length;
        let found = scene.gap_of(pair, listed.part, motion.position, displacement);
        found.is_some_and(|(gap, normal)| gap + normal.dot(displacement) < island.cushion)
    };
    let is_free = |listed: &&ListedPair| {
        listed.ends.iter().any(|&end| end as usize >= free && scene.rows.is_free(island.body(end as usize)))
    };
    let joining: Vec<BodyId> = island
        .list
        .pairs
        .iter()
        .filter(is_free)
        .filter(touches)
        .map(|listed| island.body(listed.ends[0].max(listed.ends[1]) as usize))
        .collect();
    (!joining.is_empty()).then_some(joining)
}

/// Makes the list anew where a member may go too far in this step, or a moving wall is near.
fn refresh_list(parts: &mut Parts, number: u32, island: &mut SteppedIsland, length: f64, least: &[f64]) {
    let walls = parts.scene.speed_of_near_walls(island, length);
    let fall = parts.scene.settings.gravity.length() * length;
    let list = &island.list;
    let goes_too_far = |place: usize| {
        let id = island.members[place];
        let speed = parts.scene.rows.path(id).velocity_at(parts.scene.now);
        (list.moved[place] + (speed + parts.scene.settings.gravity * length) * length).length() > list.reaches[place]
    };
    let is_old = list.reaches.len() != island.members.len()
        || !least.is_empty()
        || walls > 0.0
        || (0..island.members.len()).any(goes_too_far);
    if !is_old {
        return;
    }
    let reach = |(place, &id): (usize, &BodyId)| {
        let speed = parts.scene.rows.path(id).velocity_at(parts.scene.now).length();
        let size = parts.scene.rows.shape(id).half_extents().min_element();
        let far = REACH_SPARE * (speed + fall) * length;
        island.cushion + far.max(REACH_LEAST * size).max(least.get(place).copied().unwrap_or(0.0))
    };
    let reaches = island.members.iter().enumerate().map(reach).collect();
    let ended = make_list(parts, number, island, reaches, REACH_SPARE * walls * length);
    ended.iter().for_each(|listed| log_release(parts, listed));
}

/// Whether an island does not advance although it takes step after step.
fn is_blocked(island: &mut SteppedIsland, share: f64) -> bool {
    island.blocked = if share < BLOCKED_SHARE { island.blocked + 1 } else { 0 };
    island.blocked > BLOCKED_MAX
}

/// The error that moving walls leave a member no space.
fn squeezed(parts: &Parts, island: &SteppedIsland, problem: &StepProblem) -> RunError {
    let tightest = problem
        .listed
        .iter()
        .map(|&place| &problem.candidates[place as usize])
        .min_by(|x, y| x.gap.total_cmp(&y.gap).then_with(|| (x.pair, x.part).cmp(&(y.pair, y.part))));
    let body = tightest.map_or(island.members[0], |tightest| {
        if parts.scene.rows.is_free(tightest.pair.a) { tightest.pair.a } else { tightest.pair.b }
    });
    let outside = problem.listed.iter().filter_map(|&place| {
        let candidate = problem.candidates[place as usize];
        match candidate.ends.map(|end| (end as usize) < problem.free) {
            [true, true] => None,
            [true, false] => Some((candidate.pair.b, -candidate.normal)),
            [false, _] => Some((candidate.pair.a, candidate.normal)),
        }
    });
    parts.scene.squeezed_by(body, &outside.collect::<Vec<_>>())
}

/// Begins the new paths of all members.
fn begin_paths(
    parts: &mut Parts,
    island: &mut SteppedIsland,
    problem: &StepProblem,
    share: f64,
) -> Result<(), RunError> {
    let span = if share < 1.0 { share * problem.length } else { problem.length };
    let due = parts.scene.now.plus(span);
    for place in 0..problem.free {
        let (id, before, after) = (island.members[place], problem.before[place], problem.after(place));
        let spin = Spin { velocity: after.angular, acceleration: DVec3::ZERO };
        parts.begin_path(id, after.linear, DVec3::ZERO, spin)?;
        // The velocity already includes gravity for the whole step, so this reaction cancels it in the balance during
        // the step.
        let gravity_reaction = -problem.gravity / before.inverse_mass;
        parts.put_reaction(id, Reaction { outside: gravity_reaction, ..Reaction::none(parts.scene.now) });
        parts.scene.set_due(id, due);
        island.increments[place] =
            Increment { linear: after.linear - before.linear, angular: after.angular - before.angular };
        island.list.moved[place] += after.linear * problem.length;
        parts.changed.body(id);
    }
    (island.length, island.end) = (problem.length, parts.scene.now.plus(problem.length));
    Ok(())
}

/// Keeps the forces for the next step, and logs the contacts that ended.
fn keep_pushes(parts: &mut Parts, island: &mut SteppedIsland, problem: &mut StepProblem) {
    let most = parts.scene.settings.rest_length;
    for (listed, candidate) in island.list.pairs.iter_mut().zip(&problem.candidates) {
        listed.push = match candidate.row {
            NO_ROW => ContactImpulse::default(),
            row => ContactImpulse {
                normal: problem.relaxation.rows[row as usize].push / problem.length,
                tangential: problem
                    .relaxation
                    .frictions
                    .get(row as usize)
                    .map_or(DVec3::ZERO, |friction| friction.push / problem.length),
            },
        };
        if listed.is_logged && listed.push.normal <= 0.0 && candidate.gap > most.max(problem.cushion) {
            listed.is_logged = false;
            log_release(parts, listed);
        }
    }
}

impl Scene {
    /// The length of the next step of an island, s: a part of the time in which its smallest body falls through its
    /// half extent, and so short that no body goes farther than a part of that.
    pub(super) fn step_length(&self, island: &SteppedIsland) -> f64 {
        let (mut fastest, mut smallest) = (0.0, f64::INFINITY);
        for &id in &island.members {
            fastest = f64::max(fastest, self.rows.path(id).velocity_at(self.now).length_squared());
            smallest = f64::min(smallest, self.rows.shape(id).half_extents().min_element());
        }
        let gravity = self.settings.gravity.length();
        let longest = STEP_LONGEST * (smallest / gravity).sqrt();
        let short = STEP_DISTANCE * smallest / (fastest.sqrt() + gravity * longest);
        short.clamp(STEP_SHORTEST * longest, longest)
    }

    /// The gap that is kept in the next step, m: it follows the mean speed, is that at rest once all members are slow,
    /// and changes by little from the `last` one.
    fn next_cushion(&self, island: &SteppedIsland, last: f64, length: f64) -> f64 {
        let (mut sum, mut smallest) = (0.0, f64::INFINITY);
        for &id in &island.members {
            sum += self.rows.path(id).velocity_at(self.now).length_squared();
            smallest = f64::min(smallest, self.rows.shape(id).half_extents().min_element());
        }
        let mean = (sum / island.members.len() as f64).sqrt();
        let least = (GAP_KEPT * self.settings.rest_length).min(CUSHION_MAX * smallest);
        let moving = (CUSHION_SHARE * length * mean).clamp(least, CUSHION_MAX * smallest);
        let wanted = if island.slow_since.is_some() { least } else { moving };
        if last > 0.0 { wanted.clamp(0.9 * last, 1.5 * last) } else { wanted }
    }

    /// The velocity at the end of a step of this length of a body that is no member, m/s.
    fn mean_velocity(&self, id: BodyId, length: f64) -> DVec3 {
        let path = self.rows.path(id);
        path.velocity_at(self.now) + path.acceleration * (0.5 * length)
    }

    /// The restitution of each row whose bodies have a visible impact in this step; zero for the others.
    fn restitutions(&self, problem: &StepProblem) -> Vec<f64> {
        let fall = self.settings.gravity.length();
        let restitution = |(row, &place): (usize, &u32)| {
            let (pair, approach) = (problem.candidates[place as usize].pair, problem.approach_speed(place as usize));
            let is_met = problem.relaxation.rows[row].push > 0.0
                && approach > fall * problem.length
                && self.rebounds(pair, fall, approach);
            if is_met { self.restitution(pair) } else { 0.0 }
        };
        problem.listed.iter().enumerate().map(restitution).collect()
    }

    /// The speed of the fastest moving wall that may touch a member in the next step, m/s; zero if there is none.
    fn speed_of_near_walls(&self, island: &SteppedIsland, length: f64) -> f64 {
        let speed = |id: BodyId| self.rows.path(id).velocity.length();
        let moving = self.rows.kinematic.iter().copied().filter(|&id| speed(id) > 0.0);
        let near = moving.filter(|&id| self.is_near(island, id, length));
        near.map(speed).fold(0.0, f64::max)
    }

    /// Whether a body may touch a member within a span, s.
    pub(super) fn is_near(&self, island: &SteppedIsland, id: BodyId, span: f64) -> bool {
        let way = self.rows.path(id).velocity.length() * span;
        let fall = self.settings.gravity.length() * span * span;
        let is_near = |&member: &BodyId| {
            let half = self.rows.shape(member).half_extents();
            let own = self.rows.path(member).velocity_at(self.now).length() * span + fall;
            let reach = 2.0 * (way + own) + REACH_LEAST * half.min_element();
            let pair = Pair::new(member, id, [0; 3]);
            let offset = self.settings.space.nearest(pair.motion(&self.rows, &self.settings.space, self.now).position);
            match self.rows.shape(id) {
                Shape::Plane(_) => self.gap_of(pair, 0, offset, DVec3::ZERO).is_some_and(|(gap, _)| gap < reach),
                shape => (offset.abs() - shape.half_extents() - half).max_element() < reach,
            }
        };
        island.members.iter().any(is_near)
    }
}
