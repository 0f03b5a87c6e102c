//! What keeps the bodies of a crowd apart in a tick.

use glam::DVec3;

use super::super::BodyId;
use super::super::coupled::{self, Joint, Member, Push, Rub};
use super::super::stepper::{RunError, Stepper};
use super::Touch;
use super::gather::{Near, Throng};
use super::relax::Relaxation;

/// Part of a gap that may be lost in a tick, beyond what is asked for.
const MISS: f64 = 0.25;

/// By what part of the largest speed the velocities may be off.
const CALM: f64 = 1.0 / 256.0;

/// By what part of a gap at least they may be off where everybody is slow.
const MISS_LEAST: f64 = 1.0 / 64.0;

/// Part of the least room below which a gap is too small.
const SMALL: f64 = 0.125;

/// Part of the least room that is nothing.
const FINEST: f64 = 1.0 / 65536.0;

/// Part of the way to what is not too small that a gap gets back in a tick.
const RECOVERY: f64 = 0.25;

/// Least part of a tick that is gone where bodies overlap.
const SHARE_LEAST: f64 = 1.0 / 32.0;

/// How the crowd goes on.
pub(super) struct Going {
    /// Rows of `nears` that were asked for, each a joint.
    pub(super) rows: Vec<usize>,
    pub(super) joints: Vec<Joint>,
    pub(super) solution: Solution,
}

impl Going {
    /// For how long the bodies may go on like this, s: a tick, or less where the velocities are so far off that some would
    /// overlap.
    pub(super) fn span(&self, throng: &Throng) -> f64 {
        let mut share: f64 = 1.0;
        for &row in &self.rows {
            let near = &throng.nears[row];
            let end = end_gap(near, &self.solution.members, throng.tick);
            if end < 0.0 {
                share = share.min((near.gap / (near.gap - end)).max(SHARE_LEAST));
            }
        }
        if share < 1.0 { 0.5 * share * throng.tick } else { throng.tick }
    }
}

/// Velocities at the end, and the impulses that lead to them.
pub(super) struct Solution {
    pub(super) members: Vec<Member>,
    pub(super) pushes: Vec<Push>,
}

/// What stands in the way of an answer.
pub(super) enum Obstacle {
    /// Somebody outside would be run into.
    Bystanders(Vec<BodyId>),
    /// A body has become faster than this, m/s.
    Speed(f64),
}

impl Stepper {
    /// Finds velocities with which nobody runs into anybody.
    pub(super) fn keep_apart(&self, throng: &Throng) -> Result<Result<Going, Obstacle>, RunError> {
        let is_asked = |row: usize| self.may_meet(throng, row) && self.bystander(throng, row).is_none();
        let mut asked: Vec<bool> = (0..throng.nears.len()).map(is_asked).collect();
        let mut pushes = self.last_pushes(throng);
        let mut how = How { bouncing: true, recovering: true };
        let slowness = slowness(throng);
        loop {
            let rows: Vec<usize> = (0..asked.len()).filter(|&row| asked[row]).collect();
            let joints: Vec<Joint> = rows.iter().map(|&row| self.joint(throng, row, &how)).collect();
            let start: Vec<Push> = rows.iter().map(|&row| pushes[row]).collect();
            let goals: Vec<f64> = rows.iter().map(|&row| goal(throng, &throng.nears[row], slowness, &how)).collect();
            let solution = match relax(&throng.alone, &joints, &start, &goals) {
                // Where there is no room to spare, nobody may come nearer.
                Err(_) if how.recovering => {
                    how.recovering = false;
                    continue;
                }
                solution => solution.map_err(|joint| self.jammed(throng, rows[joint]))?,
            };
            if how.bouncing && gains(&joints, throng, &solution) {
                how.bouncing = false;
                continue;
            }
            rows.iter().zip(&solution.pushes).for_each(|(&row, push)| pushes[row] = *push);
            let members = &solution.members;
            let fastest = members[..throng.free].iter().map(|member| member.linear.length()).fold(0.0, f64::max);
            if fastest > throng.fastest {
                return Ok(Err(Obstacle::Speed(2.0 * fastest)));
            }
            let closing =
                |&row: &usize| !asked[row] && end_gap(&throng.nears[row], members, throng.tick) < 0.5 * throng.room;
            let more: Vec<usize> = (0..asked.len()).filter(closing).collect();
            let bystanders: Vec<BodyId> = more.iter().filter_map(|&row| self.bystander(throng, row)).collect();
            if !bystanders.is_empty() {
                return Ok(Err(Obstacle::Bystanders(bystanders)));
            }
            if more.is_empty() {
                return Ok(Ok(Going { rows, joints, solution }));
            }
            more.into_iter().for_each(|row| asked[row] = true);
        }
    }

    /// Whether two bodies might be too near each other in the end.
    fn may_meet(&self, throng: &Throng, row: usize) -> bool {
        let near = &throng.nears[row];
        let [a, b] = near.ends.map(|end| throng.alone[end].linear);
        near.gap - ((b - a).length() + a.length() + b.length()) * throng.tick < throng.room
    }

    /// The free body of a pair that is not in the crowd.
    fn bystander(&self, throng: &Throng, row: usize) -> Option<BodyId> {
        let pair = throng.nears[row].pair;
        self.free_of(pair).find(|&id| !self.in_crowd(id))
    }

    /// The pushes of the last tick over this one, by the rows of `nears`.
    fn last_pushes(&self, throng: &Throng) -> Vec<Push> {
        let known = |near: &Near| {
            let key = (near.pair.absolute(&self.scene.rows), near.part);
            Touch::find(&self.crowd.touches, key).map(|touch| touch.push)
        };
        let over = |push: Push| Push { normal: push.normal * throng.tick, tangential: push.tangential * throng.tick };
        throng.nears.iter().map(|near| over(known(near).unwrap_or_default())).collect()
    }

    /// What is asked of two bodies: that they keep their room, and that they bounce if they meet fast.
    fn joint(&self, throng: &Throng, row: usize, how: &How) -> Joint {
        let Near { pair, ends: [a, b], normal, gap, .. } = throng.nears[row];
        let spare = gap - throng.room;
        let short = how.short(throng, gap);
        let least = (short - spare.max(0.0)) / throng.tick;
        let rebound = if how.bouncing { self.rebound(throng, &throng.nears[row]) } else { 0.0 };
        // On the way of the tick gravity takes from the rebound what it has given to the approach.
        let [pull_a, pull_b] = [a, b].map(|end| throng.alone[end].linear - throng.before[end].linear);
        let pull = (pull_b - pull_a).dot(normal);
        let friction = self.scene.friction(pair);
        let rub = if friction > 0.0 { Rub::Sticks { friction, wanted: DVec3::ZERO } } else { Rub::Smooth };
        let arms = self.scene.arms([pair.a, pair.b], normal);
        Joint {
            a,
            b,
            normal,
            arms,
            least: if rebound > 0.0 { (rebound + pull).max(least) } else { least },
            holds: false,
            rub,
        }
    }

    /// The speed with which two bodies part that met visibly, m/s, or 0.
    pub(super) fn rebound(&self, throng: &Throng, near: &Near) -> f64 {
        let approach = self.approach(throng, near);
        let fall = self.scene.settings.gravity.length();
        let met = end_gap(near, &throng.alone, throng.tick) < throng.room;
        if met && self.scene.rebounds(near.pair, fall, approach) {
            self.scene.restitution(near.pair) * approach
        } else {
            0.0
        }
    }

    /// How fast two bodies were closing before the tick, m/s; negative if they were not.
    pub(super) fn approach(&self, throng: &Throng, near: &Near) -> f64 {
        let [a, b] = near.ends.map(|end| throng.before[end].linear);
        (a - b).dot(near.normal)
    }

    fn jammed(&self, throng: &Throng, row: usize) -> RunError {
        let pair = throng.nears[row].pair;
        let body = if self.scene.rows.is_free(pair.a) { pair.a } else { pair.b };
        let outside = throng.nears.iter().filter_map(|near| {
            let (a, b) = (self.in_crowd(near.pair.a), self.in_crowd(near.pair.b));
            if a && b { None } else { Some(if a { (near.pair.b, near.normal) } else { (near.pair.a, -near.normal) }) }
        });
        self.squeezed_by(body, &outside.collect::<Vec<_>>())
    }
}

/// Solves for the motions of a tick, or says which joint has no solution.
fn relax(members: &[Member], joints: &[Joint], start: &[Push], goals: &[f64]) -> Result<Solution, usize> {
    let mut relaxation = Relaxation::new(members, joints, start, goals);
    if !relaxation.solve() {
        let suspects = relaxation.growing(coupled::JOINTS_MAX);
        let few: Vec<Joint> = suspects.iter().map(|&row| joints[row]).collect();
        if let Some(joint) = coupled::contradiction(members, &few) {
            return Err(suspects[joint]);
        }
    }
    let (members, pushes) = relaxation.into_solution();
    Ok(Solution { members, pushes })
}

/// What is asked for beyond gaps.
struct How {
    /// Those that meet fast bounce.
    bouncing: bool,
    /// Those whose gap is too small are moved apart.
    recovering: bool,
}

impl How {
    /// How far two bodies are moved apart in a tick because their gap is too small, m.
    fn short(&self, throng: &Throng, gap: f64) -> f64 {
        if self.recovering { RECOVERY * (SMALL * throng.least_room - gap).max(0.0) } else { 0.0 }
    }
}

/// How far the velocities may be off where everybody is slow, m/s.
fn slowness(throng: &Throng) -> f64 {
    let speeds = throng.before[..throng.free].iter().map(|member| member.linear.length());
    CALM * speeds.fold(0.0, f64::max)
}

/// By how much the relative velocity of two bodies may be off, m/s: not so much that they overlap in the end.
fn goal(throng: &Throng, near: &Near, slowness: f64, how: &How) -> f64 {
    let left = near.gap.max(0.0) + how.short(throng, near.gap);
    let most = MISS * left.clamp(FINEST * throng.least_room, throng.room) / throng.tick;
    slowness.clamp(MISS_LEAST * most, most)
}

/// The gap of two bodies at the end of the tick, to first order, m: never more than the true one.
fn end_gap(near: &Near, members: &[Member], tick: f64) -> f64 {
    let [a, b] = near.ends.map(|end| members[end].linear);
    near.gap + near.normal.dot(b - a) * tick
}

/// Whether the pushes gave energy to the bodies: rebounds of unequal restitution, or with friction, may.
fn gains(joints: &[Joint], throng: &Throng, solution: &Solution) -> bool {
    let losses = joints
        .iter()
        .zip(&solution.pushes)
        .map(|(joint, push)| joint.loss(push.vector(joint.normal), &throng.alone, &solution.members));
    losses.sum::<f64>() < 0.0
}
