//! One time step of one island.
//!
//! The order is fixed: end the last step, let members leave and others join, solve, begin the paths, log contacts that
//! ended. A step changes nothing before its solution is complete; where a
//! body has to join or goes farther than its list allows, the step is set up again.

use glam::DVec3;

use super::accounts::{begin_step, end_step, log_release};
use super::island::{ListedPair, SteppedIsland};
use super::list::{Demand, list_new_members, refresh_list};
use super::membership::{admit_into, dissolve, leave_without_company, split};
use super::problem::StepProblem;
use super::sleep::{put_to_sleep, sleeps};
use super::solve::{Obstacle, Outcome, solve};
use crate::dynamics::BodyId;
use crate::dynamics::contact::Reaction;
use crate::dynamics::error::RunError;
use crate::dynamics::few::{Few, each_once};
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::motion::Spin;
use crate::numeric::tolerance::{BLOCKED_MAX, BLOCKED_SHARE, SHARE_LEAST, SHRUNK_LEAST, STEP_SHRUNK};

/// Advances the island of a body by one step, from the present on.
pub(in crate::dynamics) fn time_step(sim: &mut Simulation, body: BodyId) -> Result<(), RunError> {
    let number = sim.scene.stepped_in[body.index()];
    let mut island = sim.time_stepping.take(number);
    let stepped = step_island(sim, number, &mut island);
    sim.time_stepping.put(number, island);
    stepped
}

fn step_island(sim: &mut Simulation, number: u32, island: &mut SteppedIsland) -> Result<(), RunError> {
    end_step(sim, island)?;
    if !sim.scene.can_step() {
        return dissolve(sim, island);
    }
    let carried = sim.scene.carried(island);
    if sleeps(sim, island, carried) {
        return put_to_sleep(sim, island, carried.unwrap_or(DVec3::ZERO));
    }
    let carried = carried.unwrap_or(DVec3::ZERO);
    let last_target_gap = island.target_gap;
    let (mut length, mut shrunk) = first_attempt(&sim.scene, island, carried);
    let (mut has_grown, mut reaches): (bool, Option<Vec<f64>>) = (false, None);
    let parts_now = sim.scene.may_part(island);
    let (problem, outcome) = loop {
        // The loop ends: the step only becomes shorter, and after a body has joined, the island only grows.
        if has_grown {
            length = length.min(sim.scene.step_length(island, carried));
        }
        island.target_gap = shrunk * sim.scene.next_target_gap(island, carried, (last_target_gap, length / shrunk));
        refresh_list(sim, number, island, Demand { length, least: reaches.as_deref(), is_wide: parts_now });
        if parts_now && !has_grown && leave_without_company(sim, island)? {
            if island.members.is_empty() {
                return Ok(());
            }
            continue;
        }
        if parts_now && !has_grown {
            island.parted = sim.scene.now;
            split(sim, island);
        }
        if admit_bystanders(sim, number, island, length)? {
            (has_grown, reaches) = (true, Some(Vec::new()));
            continue;
        }
        let mut problem = StepProblem::new(&sim.scene, island, length);
        match solve(&sim.scene, island, &mut problem) {
            Ok(Outcome { share, .. }) if share < SHARE_LEAST && shrunk > SHRUNK_LEAST => {
                // In a shorter step, more of the gaps can be used.
                (length, shrunk) = (STEP_SHRUNK * length, STEP_SHRUNK * shrunk);
            }
            Ok(outcome) => break (problem, outcome),
            Err(Obstacle::Bystanders(joining)) => {
                keep_forces(island, &problem);
                admit_into(sim, number, island, &joining)?;
                (has_grown, reaches) = (true, Some(Vec::new()));
            }
            Err(Obstacle::Reach(farther)) => {
                keep_forces(island, &problem);
                reaches = Some(farther);
            }
        }
    };
    island.target_gap /= shrunk;
    if is_blocked(island, outcome.share) {
        if sim.scene.speed_of_near_walls(island, problem.length) > 0.0 {
            return Err(squeezed(sim, island, &problem));
        }
        // Bodies that cannot move among bodies at rest are at rest.
        return put_to_sleep(sim, island, carried);
    }
    island.length = problem.length;
    island.step = Some(begin_step(sim, &island.list, &problem, &outcome.met));
    begin_paths(sim, island, &problem, outcome.share)?;
    keep_forces(island, &problem);
    log_ended(sim, island, &problem);
    Ok(())
}

/// The first attempt at a step: its largest length, s, and the factor on the gap that is kept. After a step without
/// progress it has the shortest possible length. Near moving walls it is at most eight times as long as the last step:
/// bodies with hardly any space need short steps.
fn first_attempt(scene: &Scene, island: &SteppedIsland, carried: DVec3) -> (f64, f64) {
    let longest = scene.step_length(island, carried);
    let leaps = || island.length > 0.0 && STEP_SHRUNK * longest > island.length;
    let limit = match island.blocked {
        0 if leaps() && scene.speed_of_near_walls(island, longest) > 0.0 => island.length,
        0 => f64::INFINITY,
        _ => 0.0,
    };
    let (mut length, mut shrunk) = (longest, 1.0);
    while shrunk > SHRUNK_LEAST && STEP_SHRUNK * length > limit {
        (length, shrunk) = (STEP_SHRUNK * length, STEP_SHRUNK * shrunk);
    }
    (length, shrunk)
}

/// Adds the free bodies that would touch a member in the step, those that would touch one of these, and so on. Returns
/// whether there are any.
fn admit_bystanders(
    sim: &mut Simulation,
    number: u32,
    island: &mut SteppedIsland,
    length: f64,
) -> Result<bool, RunError> {
    let mut joining = bystanders(sim, number, &island.list.pairs, island.target_gap, length);
    if joining.is_empty() {
        return Ok(false);
    }
    while !joining.is_empty() {
        admit_into(sim, number, island, &joining)?;
        let found = list_new_members(sim, number, island, length);
        joining = bystanders(sim, number, &island.list.pairs[found..], island.target_gap, length);
    }
    island.order_list();
    Ok(true)
}

/// The free bodies outside that would touch a member in the step, if both keep their present motion or if the member
/// stops.
fn bystanders(sim: &Simulation, number: u32, pairs: &[ListedPair], target_gap: f64, length: f64) -> Few<BodyId> {
    let scene = &sim.scene;
    let is_member = |id: BodyId| scene.stepped_in[id.index()] == number;
    let fall = scene.settings.gravity * length;
    let touches = |listed: &ListedPair| {
        let pair = listed.pair.as_seen_from_path(&scene.rows);
        let offset = pair.motion(&scene.rows, &scene.settings.space, scene.now).position;
        let touches_with = |stays: bool| {
            let [a, b] = [pair.a, pair.b].map(|id| match is_member(id) {
                true if stays => DVec3::ZERO,
                true => scene.member(id, scene.now).linear + fall,
                false => scene.mean_velocity(id, length),
            });
            let displacement = (b - a) * length;
            let found = scene.gap_of(pair, listed.part, offset, displacement);
            found.is_some_and(|(gap, normal)| gap + normal.dot(displacement) < target_gap)
        };
        touches_with(false) || touches_with(true)
    };
    let outside = |listed: &ListedPair| {
        let mut free = scene.free_of(listed.pair).filter(|&id| !is_member(id));
        free.next().filter(|_| touches(listed))
    };
    each_once(pairs.iter().filter_map(outside))
}

/// Whether the time steps of an island make no progress. Single steps make progress even among squeezed bodies, so a
/// step with progress only halves the counter.
fn is_blocked(island: &mut SteppedIsland, share: f64) -> bool {
    island.blocked = if share < BLOCKED_SHARE { island.blocked + 1 } else { island.blocked / 2 };
    island.blocked > BLOCKED_MAX
}

/// The error for a member that moving walls leave no space.
fn squeezed(sim: &Simulation, island: &SteppedIsland, problem: &StepProblem) -> RunError {
    let tightest = problem
        .listed
        .iter()
        .map(|&place| (problem.candidates[place as usize].gap, &island.list.pairs[place as usize]))
        .min_by(|x, y| x.0.total_cmp(&y.0).then_with(|| x.1.key().cmp(&y.1.key())));
    let body = tightest.and_then(|(_, listed)| sim.scene.free_of(listed.pair).next()).unwrap_or(island.members[0]);
    let outside = problem.listed.iter().zip(&problem.relaxation.rows).filter_map(|(&place, row)| {
        let ListedPair { pair, ends, .. } = island.list.pairs[place as usize];
        let impulse = row.normal * row.impulse;
        match ends.map(|end| (end as usize) < problem.free) {
            [true, true] => None,
            [true, false] => Some((pair.b, -impulse)),
            [false, _] => Some((pair.a, impulse)),
        }
    });
    sim.scene.squeezed_by(body, outside)
}

/// Begins the new paths of all members.
fn begin_paths(
    sim: &mut Simulation,
    island: &SteppedIsland,
    problem: &StepProblem,
    share: f64,
) -> Result<(), RunError> {
    let due = sim.scene.now.plus(share * problem.length);
    for place in 0..problem.free {
        let (id, after) = (island.members[place], problem.after(place));
        let spin = Spin { velocity: after.angular, acceleration: DVec3::ZERO };
        sim.begin_path(id, after.linear, DVec3::ZERO, spin)?;
        sim.put_reaction(id, Reaction::none(sim.scene.now));
        sim.scene.set_due(id, due);
        sim.to_predict.body(id);
    }
    Ok(())
}

/// Stores the forces as the initial values of the next solution.
fn keep_forces(island: &mut SteppedIsland, problem: &StepProblem) {
    let rows = 0..problem.listed.len();
    island.list.forces.clear();
    island.list.forces.extend(rows.map(|row| problem.contact_impulse(row).over(problem.length)));
    for (listed, candidate) in island.list.pairs.iter_mut().zip(&problem.candidates) {
        listed.force = candidate.row;
    }
}

/// Logs the contacts that ended.
fn log_ended(sim: &mut Simulation, island: &mut SteppedIsland, problem: &StepProblem) {
    let most = sim.scene.settings.rest_height.max(problem.target_gap);
    for (place, candidate) in problem.candidates.iter().enumerate() {
        let listed = island.list.pairs[place];
        if listed.is_logged && island.list.force(&listed).normal <= 0.0 && candidate.gap > most {
            island.list.pairs[place].is_logged = false;
            log_release(sim, &listed);
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use crate::dynamics::time_stepping::state::tests::{resisting, with_island};
    use crate::dynamics::{Body, BodyId, MaterialId};
    use crate::motion::SimTime;

    /// Two balls of radius 0.1 m that roll side by side, without touching, and spin about the vertical. They slow down
    /// by 5 δ g/(7 r) and 5 τ g/(2 r²).
    #[test]
    fn balls_roll_out_in_time_steps_as_they_do_alone() {
        let length = 0.005;
        let (slows, brakes) = (5.0 * length * 10.0 / 0.7, 2.5 * length * 10.0 / 0.01);
        let (speed, spin) = (1.0, 5.0);
        let ball = |y: f64| {
            let turning = DVec3::new(0.0, speed / 0.1, spin);
            Body::sphere(0.1, 1.0).unwrap().at(DVec3::new(0.0, y, 0.1)).moving(DVec3::X * speed).spinning(turning)
        };
        let bodies = [ball(0.0), ball(0.201), Body::plane(DVec3::Z, 0.0).unwrap()];
        let mut stepper = with_island(resisting(0.0, 0.5, length), &bodies.map(|body| body.made_of(MaterialId(1))));
        for (time, rolls, turns) in [(0.2, speed - 0.2 * slows, spin - 0.2 * brakes), (0.6, speed - 0.6 * slows, 0.0)] {
            stepper.advance(SimTime::from_seconds(time), usize::MAX).unwrap();
            for id in [0, 1].map(BodyId) {
                assert!(stepper.sim.scene.is_time_stepped(id), "{time}");
                let state = stepper.state(id);
                // A step of some milliseconds changes the velocity at its beginning, and friction settles from step to
                // step.
                let (off, turned_off) =
                    (state.velocity - DVec3::X * rolls, state.spin - DVec3::new(0.0, rolls / 0.1, turns));
                assert!(off.length() <= 0.02, "{time}: {} for {rolls}", state.velocity);
                assert!(turned_off.length() <= 0.4, "{time}: {} for {rolls} and {turns}", state.spin);
            }
        }
        stepper.advance(SimTime::from_seconds(30.0), usize::MAX).unwrap();
        for id in [0, 1].map(BodyId) {
            let state = stepper.state(id);
            assert_eq!((state.velocity, state.spin), (DVec3::ZERO, DVec3::ZERO), "{id:?}");
            assert!(!stepper.sim.scene.is_time_stepped(id), "{id:?}");
        }
    }
}
