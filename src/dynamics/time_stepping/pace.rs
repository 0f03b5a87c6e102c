//! The length of a time step, the gap that is kept in it, and the walls that may come near.

use glam::DVec3;

use super::island::SteppedIsland;
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::scene::Scene;
use crate::geometry::{Aabb, CircleArc, Shape};
use crate::numeric::tolerance::{
    GAP_KEPT, REACH_LEAST, SLEEP_FALL, STEP_DISTANCE, STEP_FEW, STEP_LONGEST, STEP_SHORTEST, TARGET_GAP_GROWS,
    TARGET_GAP_MAX, TARGET_GAP_SHARE, TARGET_GAP_SHRINKS,
};

impl Scene {
    /// The length of the next step of an island, s. It is at most a part of the time in which the smallest body falls
    /// through its half extent. It is shorter where a body would move farther than a part of that half extent, down to
    /// a shortest step, for up to three members, and where a course is near. `carried` is the velocity with which the
    /// island rests, m/s.
    pub(super) fn step_length(&self, island: &SteppedIsland, carried: DVec3) -> f64 {
        let fastest = self.squared_speeds(island, carried).fold(0.0, f64::max);
        let smallest = self.smallest_half(island);
        let pull = self.pull();
        let longest = STEP_LONGEST * (smallest / pull).sqrt();
        let short = STEP_DISTANCE * smallest / (fastest.sqrt() + pull * longest);
        let share = if island.members.len() <= 3 { STEP_FEW } else { 1.0 };
        let length = share * short.clamp(STEP_SHORTEST * longest, longest);
        length.min(self.steady_length(island, smallest, length))
    }

    /// The smallest half extent of a member, m.
    pub(super) fn smallest_half(&self, island: &SteppedIsland) -> f64 {
        island.members.iter().map(|&id| self.rows.shape(id).half_extents().min_element()).fold(f64::INFINITY, f64::min)
    }

    /// The squares of the members' speeds relative to a velocity, m²/s².
    fn squared_speeds(&self, island: &SteppedIsland, carried: DVec3) -> impl Iterator<Item = f64> {
        island.members.iter().map(move |&id| (self.rows.path(id).velocity_at(self.now) - carried).length_squared())
    }

    /// The longest step in which courses and arcs near an island, whose smallest half extent is given, bend less than
    /// the gap that is kept, s; infinite where none is near in a step of `length`.
    fn steady_length(&self, island: &SteppedIsland, smallest: f64, length: f64) -> f64 {
        let bends = |id: BodyId| self.rows.driven(id).map_or(0.0, |driven| driven.most_acceleration(self.now));
        let near = self.rows.kinematic.iter().filter(|&&id| bends(id) > 0.0 && self.is_near(island, id, length));
        let most = near.map(|&id| bends(id)).fold(self.turn_along_arcs(island, length), f64::max);
        let gap = island.target_gap.max(self.least_target_gap(smallest));
        if most > 0.0 { (2.0 * gap / most).sqrt() } else { f64::INFINITY }
    }

    /// The largest acceleration of a member that would follow an arc near the island from inside, m/s².
    fn turn_along_arcs(&self, island: &SteppedIsland, length: f64) -> f64 {
        let present =
            self.rows.arcs.iter().filter(|(id, _)| !self.rows.is_gone(*id) && self.is_near(island, *id, length));
        let turn = |(_, arc): &(BodyId, CircleArc)| {
            let turns = island.members.iter().filter_map(|&id| {
                let free = arc.radius() - self.rows.shape(id).half_extents().max_element();
                (free > 0.0).then(|| self.rows.path(id).velocity_at(self.now).length_squared() / free)
            });
            turns.fold(0.0, f64::max)
        };
        present.map(turn).fold(0.0, f64::max)
    }

    /// By how much courses can move into the gap between two bodies faster at the start of a step than in its mean,
    /// m/s. `normal` is from a to b.
    pub(super) fn lead(&self, pair: Pair, normal: DVec3, length: f64) -> f64 {
        let slowing = |id: BodyId, side: f64| {
            let driven = self.rows.driven(id).filter(|it| !self.rows.is_free(id) && self.now < it.course.end());
            driven.map_or(0.0, |driven| {
                let largest = driven.largest();
                let [most, changes] =
                    [largest.acceleration, largest.jerk * length].map(|it| it * normal.dot(driven.along).abs());
                (side * normal.dot(self.rows.path(id).acceleration) + changes).clamp(0.0, most)
            })
        };
        0.5 * length * (slowing(pair.a, -1.0) + slowing(pair.b, 1.0))
    }

    /// The gap that is kept at rest, m.
    fn least_target_gap(&self, smallest: f64) -> f64 {
        (GAP_KEPT * self.settings.rest_height).min(TARGET_GAP_MAX * smallest)
    }

    /// The gap that is kept in the next step, m. It is proportional to the root mean square speed, within bounds. Once
    /// all members have been slow for a while, it is the gap at rest. It changes only by a small factor from the `last`
    /// gap.
    pub(super) fn next_target_gap(&self, island: &SteppedIsland, carried: DVec3, (last, length): (f64, f64)) -> f64 {
        let smallest = self.smallest_half(island);
        let while_slow = self.fall_time(0.5 * SLEEP_FALL * smallest);
        let is_calm = island.slow_since.is_some_and(|since| self.now.since(since) >= while_slow);
        let sum: f64 = self.squared_speeds(island, carried).sum();
        let mean = (sum / island.members.len() as f64).sqrt();
        let least = self.least_target_gap(smallest);
        let moving = (TARGET_GAP_SHARE * length * mean).clamp(least, TARGET_GAP_MAX * smallest);
        let wanted = if is_calm { least } else { moving };
        if last > 0.0 { wanted.clamp(TARGET_GAP_SHRINKS * last, TARGET_GAP_GROWS * last) } else { wanted }
    }

    /// The mean velocity of a body that is not a member in a step of this length, m/s.
    pub(super) fn mean_velocity(&self, id: BodyId, length: f64) -> DVec3 {
        let path = self.rows.path(id);
        match self.rows.driven(id) {
            Some(driven) => (driven.path_at(self.now.plus(length)).position - path.position_at(self.now)) / length,
            None => path.velocity_at(self.now) + path.acceleration * (0.5 * length),
        }
    }

    /// The speed of the fastest moving wall that may touch a member in the next step, m/s; zero if there is none.
    pub(super) fn speed_of_near_walls(&self, island: &SteppedIsland, length: f64) -> f64 {
        let speed = |id: BodyId| self.fastest(id, length);
        let moving = self.rows.kinematic.iter().copied().filter(|&id| speed(id) > 0.0);
        let near = moving.filter(|&id| self.is_near(island, id, length));
        near.map(speed).fold(0.0, f64::max)
    }

    /// A bound of the speed of a body that is not a member within a span, m/s.
    fn fastest(&self, id: BodyId, span: f64) -> f64 {
        let gained = self.rows.driven(id).map_or(0.0, |driven| driven.most_acceleration(self.now) * span);
        self.rows.path(id).velocity.length() + gained
    }

    /// Whether a member may touch a box that stands still, m, within a span, s.
    pub(super) fn may_touch(&self, island: &SteppedIsland, solid: &Aabb, span: f64) -> bool {
        let fall = self.settings.gravity.length() * span * span;
        island.members.iter().any(|&member| {
            let (path, half) = (self.rows.path(member), self.rows.shape(member).half_extents());
            let way = path.velocity_at(self.now).length() * span + fall;
            let offset = self.settings.space.nearest(solid.center() - path.position_at(self.now));
            let gap = (offset.abs() - solid.half() - half).max_element();
            gap < 2.0 * way + REACH_LEAST * half.min_element()
        })
    }

    /// Whether a body may touch a member within a span, s.
    pub(super) fn is_near(&self, island: &SteppedIsland, id: BodyId, span: f64) -> bool {
        let way = self.fastest(id, span) * span;
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
