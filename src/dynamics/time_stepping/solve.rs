//! The solution of a time step: velocities with which no gap is used up and the energy does not grow.

use super::island::{PairList, SteppedIsland};
use super::problem::{Candidate, StepProblem};
use crate::dynamics::BodyId;
use crate::dynamics::few::{Few, each_once};
use crate::dynamics::scene::Scene;
use crate::numeric::tolerance::{
    ATTEMPTS_MAX, FRICTION_SWEEPS, SHARE_LEAST, SWEEP_TOLERANCE, SWEEPS_MAX, TOLERANCE_SHRUNK, TOLERANCE_TIGHTER,
};

/// Why a step has to be set up again.
pub(super) enum Obstacle {
    /// Members would move beyond their reach. The values are the reaches that they need, m; zero for the others.
    Reach(Vec<f64>),
    /// These free bodies would overlap a member.
    Bystanders(Few<BodyId>),
}

/// The result of the solver, in addition to the velocities and impulses in the problem.
pub(super) struct Outcome {
    /// The share of the step in which no bodies overlap.
    pub(super) share: f64,
    /// The restitution of each row that has an impact; otherwise zero.
    pub(super) met: Vec<f64>,
}

/// Finds velocities with which no bodies overlap at the end of the step, or for a share of it.
pub(super) fn solve(scene: &Scene, island: &SteppedIsland, problem: &mut StepProblem) -> Result<Outcome, Obstacle> {
    let tolerance = SWEEP_TOLERANCE * problem.gap_under_load() / problem.length;
    let share = compress(scene, island, problem, tolerance)?;
    let met = scene.restitutions(&island.list, problem);
    if share < 1.0 || met.iter().all(|&restitution| restitution == 0.0) {
        return Ok(Outcome { share, met: Vec::new() });
    }
    let first = problem.save();
    problem.begin_restitution(&met);
    settle_friction(problem, 0, tolerance);
    let left = keep_apart(scene, island, problem, tolerance);
    if left.as_ref().map_or(true, |&left| left < 1.0) {
        problem.blend(&first, 0.0);
        return left.map(|_| Outcome { share, met: Vec::new() });
    }
    let returned = problem.energy_from(&first).largest_share();
    if returned < 1.0 {
        problem.blend(&first, returned);
    }
    Ok(Outcome { share: problem.share_left(scene, &island.list), met })
}

/// The first phase: no gap closes, and the energy does not grow. Impulses that add energy are scaled down. If the gaps
/// then remain for too small a share of the step, the step is solved again, more exactly and without growing gaps.
fn compress(
    scene: &Scene,
    island: &SteppedIsland,
    problem: &mut StepProblem,
    mut tolerance: f64,
) -> Result<f64, Obstacle> {
    let mut attempts = 0;
    loop {
        settle_friction(problem, attempts, tolerance);
        let share = keep_apart(scene, island, problem, tolerance)?;
        let exact = problem.save();
        if problem.scale_impulses() == 1.0 {
            return Ok(share);
        }
        let scaled = problem.share_left(scene, &island.list).min(share);
        attempts += 1;
        if scaled >= SHARE_LEAST || share < SHARE_LEAST || attempts == ATTEMPTS_MAX {
            return Ok(scaled);
        }
        problem.blend(&exact, 0.0);
        problem.stop_recovering();
        tolerance *= TOLERANCE_SHRUNK;
    }
}

/// Sweeps for friction. With many contacts they need not converge: friction settles from step to step. With few they
/// mostly do, since a heavy body that slides on a light one takes hundreds.
fn settle_friction(problem: &mut StepProblem, attempts: usize, tolerance: f64) {
    if problem.is_rough {
        let least = FRICTION_SWEEPS << attempts;
        let most = (SWEEPS_MAX / problem.listed.len().max(1)).max(least);
        // So what the sweeps left out would change is less than the tolerance.
        problem.relaxation.sweep_together([least, most], tolerance / most as f64);
    }
}

/// Solves until no gap is too small at the end of the step. Returns the share of the step in which all gaps remain; it
/// is less than 1 where the sweeps did not suffice.
fn keep_apart(
    scene: &Scene,
    island: &SteppedIsland,
    problem: &mut StepProblem,
    mut tolerance: f64,
) -> Result<f64, Obstacle> {
    let most = problem.sweeps_max();
    let mut left = most;
    loop {
        left = problem.relaxation.solve_normals(tolerance, left.max(1));
        problem.relaxation.follow_impulses();
        match problem.verify(scene, &island.list) {
            // Friction may wedge bodies that have space, so it is released. Among nearly jammed bodies sweeps converge
            // slowly, so the exact solver is used.
            Ok(share) if share < SHARE_LEAST && left == 0 && problem.release_friction() => left = most,
            Ok(share) if share < SHARE_LEAST && left == 0 && problem.solve_exactly() => left = 1,
            Ok(share) if share >= 1.0 || left == 0 => {
                if let Some(farther) = farther(island, problem) {
                    return Err(Obstacle::Reach(farther));
                }
                let joining = hit_bystanders(island, problem);
                return if joining.is_empty() { Ok(share) } else { Err(Obstacle::Bystanders(joining)) };
            }
            Ok(_) => tolerance *= TOLERANCE_TIGHTER,
            Err(_) => {}
        }
    }
}

/// For each member that would move beyond its reach in the step, twice its displacement from the last search to the end
/// of the step, m; zero for the others. `None` if there is no such member.
fn farther(island: &SteppedIsland, problem: &StepProblem) -> Option<Vec<f64>> {
    let list = &island.list;
    let went = |place: usize| (list.moved[place] + problem.relaxation.movers[place].linear * problem.length).length();
    let too_far = |place: usize| went(place) > list.reaches[place];
    (0..problem.free)
        .any(too_far)
        .then(|| (0..problem.free).map(|place| if too_far(place) { 2.0 * went(place) } else { 0.0 }).collect())
}

/// The listed free bodies outside that would overlap a member at the end of the step.
fn hit_bystanders(island: &SteppedIsland, problem: &StepProblem) -> Few<BodyId> {
    let hit = |place: usize| {
        let Candidate { ends, normal, gap, .. } = problem.candidates[place];
        let [a, b] = ends.map(|end| problem.velocity(end));
        let is_hit = !problem.is_kept(place) && gap + normal.dot(b - a) * problem.length < 0.0;
        is_hit.then(|| island.body(ends[0].max(ends[1]) as usize))
    };
    each_once((0..problem.candidates.len()).filter_map(hit))
}

impl Scene {
    /// The restitution of each row whose bodies have a visible impact in this step; zero for the others.
    fn restitutions(&self, list: &PairList, problem: &StepProblem) -> Vec<f64> {
        let fall = self.pull();
        let restitution = |(row, &place): (usize, &u32)| {
            let (pair, approach) = (list.pairs[place as usize].pair, problem.approach_speed(place as usize));
            let is_met = problem.relaxation.rows[row].impulse > 0.0
                && approach > fall * problem.length
                && self.rebounds(pair, fall, approach);
            if is_met { self.restitution(pair).at(approach) } else { 0.0 }
        };
        problem.listed.iter().enumerate().map(restitution).collect()
    }
}
