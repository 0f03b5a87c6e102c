//! One run of a scenario: the paths of all bodies that move.

use glam::DVec3;

use crate::dynamics::{Event, EventKind, Knot, Motion, Progress};
use crate::motion::{Path, SimTime, Spin};
use crate::oracle::error::OracleError;
use crate::record::EVENTS_AT_ONCE;
use crate::scenario::Scenario;

/// Position, velocity and spin of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Position, m, world frame.
    pub position: DVec3,
    /// Velocity, m/s, world frame.
    pub velocity: DVec3,
    /// Spin, rad/s, world frame.
    pub spin: DVec3,
}

/// The paths of all bodies, each in order of time.
#[derive(Debug, Clone)]
pub(in crate::oracle) struct Course {
    paths: Vec<Vec<Knot>>,
    /// For each body when time steps begin (`true`) and cease to advance it.
    stepped: Vec<Vec<(SimTime, bool)>>,
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
        let still = |id| {
            let position = world.state(id).position;
            let path = Path { position, velocity: DVec3::ZERO, acceleration: DVec3::ZERO, epoch: SimTime::ZERO };
            Knot { body: id, path, spin: Spin::default() }
        };
        let mut paths: Vec<Vec<Knot>> = ids.iter().map(|&id| vec![still(id)]).collect();
        let (mut events, mut stepped) = (Vec::new(), vec![Vec::new(); ids.len()]);
        let end = SimTime::from_seconds(scenario.duration);
        loop {
            let progress = world.pause_at(end, EVENTS_AT_ONCE)?;
            for event in world.take_events() {
                if matches!(event.kind, EventKind::Join | EventKind::Quit | EventKind::Sleep) {
                    stepped[event.a.index()].push((event.time, event.kind == EventKind::Join));
                }
                events.push(event);
            }
            for knot in world.take_knots() {
                paths[knot.body.index()].push(knot);
            }
            if progress == Progress::Reached {
                return Ok((Self { paths, stepped }, events));
            }
        }
    }

    /// The state of a body at an instant, after the events of that instant.
    pub(in crate::oracle) fn at(&self, body: usize, time: SimTime) -> Moment {
        let Knot { path, spin, .. } = &self.paths[body][self.rank(body, time)];
        let (position, velocity) = (path.position_at(time), path.velocity_at(time));
        Moment { position, velocity, spin: spin.at(time.since(path.epoch)) }
    }

    /// The same with the velocity that a trajectory of carom has. In a time step that goes evenly from the velocity
    /// before the step to the new one, with which the body moves.
    pub(in crate::oracle) fn shown_at(&self, body: usize, time: SimTime) -> Moment {
        let (paths, stepped, moment) = (&self.paths[body], &self.stepped[body], self.at(body, time));
        let changes = stepped.partition_point(|change| change.0 <= time);
        let is_stepped = changes > 0 && stepped[changes - 1].1;
        let rank = self.rank(body, time);
        let Some(next) = paths.get(rank + 1).filter(|_| is_stepped && rank > 0) else { return moment };
        let begins = paths[rank].path.epoch;
        let before = paths[rank - 1].path.velocity_at(begins);
        let share = time.since(begins) / next.path.epoch.since(begins);
        Moment { velocity: before + (moment.velocity - before) * share, ..moment }
    }

    /// The instants at which a body begins a new path.
    pub(super) fn knots(&self, body: usize) -> impl Iterator<Item = SimTime> + '_ {
        self.paths[body].iter().map(|knot| knot.path.epoch)
    }

    /// The last instant before `time` and the first after it at which a body begins a new path, if they exist.
    pub(super) fn knots_around(&self, body: usize, time: SimTime) -> [Option<SimTime>; 2] {
        let paths = &self.paths[body];
        let before = paths.partition_point(|knot| knot.path.epoch < time).checked_sub(1);
        let after = paths.partition_point(|knot| knot.path.epoch <= time);
        [before.map(|rank| paths[rank].path.epoch), paths.get(after).map(|knot| knot.path.epoch)]
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
        let first = paths.partition_point(|knot| knot.path.epoch < time);
        let last = self.rank(body, time);
        (first > 0 && first <= last).then(|| [&paths[first - 1].path, &paths[last].path])
    }

    /// The index of the last path that has begun by then.
    fn rank(&self, body: usize, time: SimTime) -> usize {
        self.paths[body].partition_point(|knot| knot.path.epoch <= time).saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::find;

    #[test]
    fn velocities_in_time_steps_are_those_of_a_trajectory() {
        let scenario = find("heap_balls").unwrap().scenario().unwrap();
        let (course, _) = Course::run(&scenario).unwrap();
        let mut world = scenario.world().unwrap();
        let [mut rows, mut same, mut on_path] = [0; 3];
        for _ in 0..150 {
            world.step(0.0137).unwrap();
            for id in world.ids().filter(|&id| world.body(id).is_free()) {
                let (wanted, time) = (world.state(id).velocity, world.now());
                let is_near = |moment: Moment| usize::from((moment.velocity - wanted).length() < 1e-9);
                rows += 1;
                same += is_near(course.shown_at(id.index(), time));
                on_path += is_near(course.at(id.index(), time));
            }
        }
        // A step that an impact ends early is shown a little off.
        assert!(same * 20 > rows * 19 && on_path * 2 < rows, "{same} and {on_path} of {rows}");
    }
}
