//! One run of a scenario: the paths of all bodies that move.

use glam::DVec3;

use crate::dynamics::{Event, Motion, Progress};
use crate::motion::{Path, SimTime};
use crate::oracle::error::OracleError;
use crate::scenario::Scenario;

/// Events that are taken out of a world at once.
const EVENTS_AT_ONCE: usize = 4096;

/// Where a body is and how it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// m, world frame.
    pub position: DVec3,
    /// m/s, world frame.
    pub velocity: DVec3,
}

/// The paths of all bodies, each in the order of time.
#[derive(Debug, Clone)]
pub(in crate::oracle) struct Course {
    paths: Vec<Vec<Path>>,
}

impl Course {
    /// Runs a scenario to its end.
    pub(super) fn run(scenario: &Scenario) -> Result<(Self, Vec<Event>), OracleError> {
        let mut world = scenario.world()?;
        let ids: Vec<_> = world.ids().collect();
        for &id in &ids {
            if world.body(id).motion != Motion::Fixed {
                world.track(id);
            }
        }
        let still = |id| Path {
            position: world.state(id).position,
            velocity: DVec3::ZERO,
            acceleration: DVec3::ZERO,
            epoch: SimTime::ZERO,
        };
        let mut paths: Vec<Vec<Path>> = ids.iter().map(|&id| vec![still(id)]).collect();
        let mut events = Vec::new();
        let end = SimTime::from_seconds(scenario.duration);
        loop {
            let progress = world.pause_at(end, EVENTS_AT_ONCE)?;
            events.extend(world.take_events());
            for knot in world.take_knots() {
                paths[knot.body.index()].push(knot.path);
            }
            if progress == Progress::Reached {
                return Ok((Self { paths }, events));
            }
        }
    }

    /// Where a body is at an instant, with the velocity after whatever happens then.
    pub(in crate::oracle) fn at(&self, body: usize, time: SimTime) -> Moment {
        let path = &self.paths[body][self.rank(body, time)];
        Moment { position: path.position_at(time), velocity: path.velocity_at(time) }
    }

    pub(super) fn knots(&self, body: usize) -> &[Path] {
        &self.paths[body]
    }

    pub(super) fn jump(&self, body: usize, time: SimTime) -> DVec3 {
        let Some([before, after]) = self.around(body, time) else { return DVec3::ZERO };
        after.velocity_at(time) - before.velocity_at(time)
    }

    pub(super) fn accelerations_around(&self, body: usize, time: SimTime) -> Vec<DVec3> {
        self.around(body, time).into_iter().flatten().map(|path| path.acceleration).collect()
    }

    /// The paths that end and begin at an instant.
    fn around(&self, body: usize, time: SimTime) -> Option<[&Path; 2]> {
        let paths = &self.paths[body];
        let first = paths.partition_point(|path| path.epoch < time);
        let last = self.rank(body, time);
        (first > 0 && first <= last).then(|| [&paths[first - 1], &paths[last]])
    }

    /// The last path that has begun by then.
    fn rank(&self, body: usize, time: SimTime) -> usize {
        self.paths[body].partition_point(|path| path.epoch <= time).saturating_sub(1)
    }
}
