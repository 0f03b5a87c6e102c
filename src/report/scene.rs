//! What plots of motion need of a run, gathered in one pass over each table.
//!
//! The memory used is bounded whatever the length of the run: a body without knots keeps a thinned track, many
//! bodies keep only their extent and where they begin and end, and of impacts the first [`IMPACTS_KEPT`] are kept.
//! A plot that shows many bodies as a density reads the trajectory a second time.

use std::collections::HashMap;
use std::path::Path as FilePath;

use glam::DVec3;

use super::axes::Span;
use crate::dynamics::{Body, EventKind, Motion, Space};
use crate::motion::{Path, SimTime};
use crate::record::read::{Problem, ReadError, each_row};
use crate::record::tables::{Energy, Events, Paths, Trajectory};
use crate::scenario::{Plot, Scenario};

/// Most bodies that are drawn as lines; more are drawn as a density.
pub(super) const LINES_MAX: usize = 200;

/// Most impacts kept. More would only blacken the picture.
pub(super) const IMPACTS_KEPT: usize = 20_000;

/// Most samples kept of one body's trajectory: more than a picture has columns.
const SAMPLES_MAX: usize = 4096;

/// A part of a body's way that one polynomial describes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Leg {
    /// The polynomial.
    pub(super) path: Path,
    /// How long it holds, s.
    pub(super) seconds: f64,
}

impl Leg {
    /// Where it ends, m.
    pub(super) fn end(&self) -> DVec3 {
        self.path.position_at(self.path.epoch.plus(self.seconds))
    }
}

/// What is known of one body's motion.
#[derive(Debug, Clone)]
pub(super) struct Track {
    /// The exact path, as far as it was kept.
    knots: Vec<Path>,
    samples: Samples,
    /// The smallest box that holds all recorded positions, m.
    extent: [Span; 3],
    /// First recorded position, m.
    pub(super) first: Option<DVec3>,
    /// Last recorded position, m.
    last: Option<DVec3>,
}

/// An impact, as plots mark it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hit {
    /// When.
    pub(super) time: SimTime,
    /// The two bodies, as ranks in the scenario.
    pub(super) bodies: [usize; 2],
    /// Where, m.
    pub(super) point: DVec3,
}

/// A run, as plots of motion see it.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    /// What was simulated.
    pub(super) scenario: &'a Scenario,
    folder: &'a FilePath,
    ranks: HashMap<&'a str, usize>,
    /// When the run ended.
    pub(super) end: SimTime,
    /// One for each body of the scenario, in its order.
    pub(super) tracks: Vec<Track>,
    /// How many recorded steps there are.
    pub(super) steps: u64,
    /// How many rows the trajectory has.
    pub(super) samples: u64,
    /// The first impacts.
    pub(super) hits: Vec<Hit>,
    /// How many impacts there were.
    pub(super) hits_total: u64,
    /// Until when knots are complete; later motion is taken from the trajectory.
    knots_end: SimTime,
}

impl<'a> Scene<'a> {
    /// Reads what the run in `folder` left behind.
    ///
    /// # Errors
    /// When a table cannot be read, or names a body that the scenario does not have.
    pub(super) fn gather(scenario: &'a Scenario, folder: &'a FilePath) -> Result<Self, ReadError> {
        let ranks = scenario.bodies.iter().enumerate().map(|(rank, body)| (body.name.as_str(), rank)).collect();
        let tracks = scenario.bodies.iter().map(|_| Track::new()).collect();
        let (end, steps) = end_of_run(scenario, folder)?;
        let (hits, hits_total, samples, knots_end) = (Vec::new(), 0, 0, end);
        let mut scene = Self { scenario, folder, ranks, end, tracks, steps, samples, hits, hits_total, knots_end };
        scene.read_knots()?;
        scene.read_trajectory()?;
        scene.read_hits()?;
        Ok(scene)
    }

    /// Hands every row of the trajectory to `take`: the body's rank, the time and the position.
    ///
    /// # Errors
    /// When the trajectory cannot be read.
    pub(super) fn each_sample(&self, mut take: impl FnMut(usize, SimTime, DVec3)) -> Result<(), ReadError> {
        each_row::<Trajectory>(self.folder, |row| {
            take(rank(&self.ranks, "body", row.body)?, row.time, row.position);
            Ok(())
        })
    }

    /// The bodies that a plot shows: those named, or all that are free (with `driven`, kinematic ones too), as far as
    /// anything was recorded of them.
    pub(super) fn chosen(&self, names: &[String], driven: bool) -> Vec<usize> {
        let wanted = |body: &Body| match body.motion {
            _ if !names.is_empty() => names.contains(&body.name),
            Motion::Free(_) => true,
            Motion::Kinematic => driven,
            Motion::Fixed => false,
        };
        let bodies = self.scenario.bodies.iter().zip(&self.tracks).enumerate();
        bodies.filter(|(_, (body, track))| track.first.is_some() && wanted(body)).map(|(rank, _)| rank).collect()
    }

    /// For each body of the scenario, whether it is among the chosen ones.
    pub(super) fn membership(&self, chosen: &[usize]) -> Vec<bool> {
        let mut member = vec![false; self.tracks.len()];
        chosen.iter().for_each(|&body| member[body] = true);
        member
    }

    /// A body's way from the start to the end of the run: exact where knots were kept, otherwise chords between
    /// recorded positions.
    pub(super) fn legs(&self, body: usize) -> Vec<Leg> {
        let track = &self.tracks[body];
        let mut legs: Vec<Leg> = Vec::new();
        for (index, &path) in track.knots.iter().enumerate() {
            let until = track.knots.get(index + 1).map_or(self.knots_end, |next| next.epoch);
            legs.push(Leg { path, seconds: until.since(path.epoch).max(0.0) });
        }
        let known = if legs.is_empty() { None } else { Some(self.knots_end) };
        let later = track.samples.rows.windows(2).filter(|ends| known.is_none_or(|known| ends[0].0 >= known));
        legs.extend(later.map(|ends| chord(ends[0], ends[1], &self.scenario.settings.space)));
        legs
    }

    /// The smallest span of a coordinate that holds a body's centre from start to end, m. On a periodic axis that is
    /// the period.
    pub(super) fn covered(&self, body: usize, axis: usize) -> Span {
        if let Some(period) = self.scenario.settings.space.periods[axis] {
            return Span::new(period.min, period.max);
        }
        let mut span = self.tracks[body].extent[axis];
        for leg in self.legs(body) {
            span.include(leg.end()[axis]);
            // The turning point of the parabola, where it has one on this leg.
            let turn = -leg.path.velocity[axis] / leg.path.acceleration[axis];
            if turn > 0.0 && turn < leg.seconds {
                span.include(leg.path.position_at(leg.path.epoch.plus(turn))[axis]);
            }
        }
        span
    }

    /// Where a body is when the run ends, m.
    pub(super) fn last_position(&self, body: usize) -> Option<DVec3> {
        self.legs(body).last().map(Leg::end).or(self.tracks[body].last)
    }

    /// Whether an exact path of the body was kept.
    pub(super) fn has_knots(&self, body: usize) -> bool {
        !self.tracks[body].knots.is_empty()
    }

    /// Where a body is at `time`, m, when its knots say so.
    pub(super) fn exact_position(&self, body: usize, time: SimTime) -> Option<DVec3> {
        let knots = &self.tracks[body].knots;
        let next = knots.partition_point(|path| path.epoch <= time);
        let path = knots.get(next.checked_sub(1)?)?;
        (time <= self.knots_end).then(|| path.position_at(time))
    }

    fn read_knots(&mut self) -> Result<(), ReadError> {
        let mut rows = 0;
        let mut latest = SimTime::ZERO;
        each_row::<Paths>(self.folder, |row| {
            let track = &mut self.tracks[rank(&self.ranks, "body", row.body)?];
            if track.knots.last().is_some_and(|knot| knot.epoch > row.time) {
                let text = format!("`{}` has a later row before this one", row.body);
                return Err(Problem { column: "time", text });
            }
            let (position, velocity) = (row.position, row.velocity);
            track.knots.push(Path { position, velocity, acceleration: row.acceleration, epoch: row.time });
            track.look(row.position);
            rows += 1;
            latest = latest.max(row.time);
            Ok(())
        })?;
        if rows >= self.scenario.record.paths_max {
            self.knots_end = latest;
        }
        Ok(())
    }

    fn read_trajectory(&mut self) -> Result<(), ReadError> {
        let followed = followed(self.scenario);
        each_row::<Trajectory>(self.folder, |row| {
            self.samples += 1;
            let rank = rank(&self.ranks, "body", row.body)?;
            let track = &mut self.tracks[rank];
            track.look(row.position);
            if followed[rank] {
                track.samples.add(row.time, row.position);
            }
            Ok(())
        })
    }

    fn read_hits(&mut self) -> Result<(), ReadError> {
        each_row::<Events>(self.folder, |row| {
            let bodies = [rank(&self.ranks, "a", row.a)?, rank(&self.ranks, "b", row.b)?];
            if row.kind == EventKind::Impact {
                self.hits_total += 1;
                if self.hits.len() < IMPACTS_KEPT {
                    self.hits.push(Hit { time: row.time, bodies, point: row.point });
                }
            }
            Ok(())
        })
    }
}

impl Track {
    const fn new() -> Self {
        Self { knots: Vec::new(), samples: Samples::new(), extent: [Span::EMPTY; 3], first: None, last: None }
    }

    fn look(&mut self, position: DVec3) {
        for axis in 0..3 {
            self.extent[axis].include(position[axis]);
        }
        self.first = self.first.or(Some(position));
        self.last = Some(position);
    }
}

/// Positions at times: all of them, or every second, fourth, … when there are more than [`SAMPLES_MAX`].
#[derive(Debug, Clone)]
struct Samples {
    rows: Vec<(SimTime, DVec3)>,
    seen: usize,
    stride: usize,
}

impl Samples {
    const fn new() -> Self {
        Self { rows: Vec::new(), seen: 0, stride: 1 }
    }

    fn add(&mut self, time: SimTime, position: DVec3) {
        if self.seen.is_multiple_of(self.stride) {
            if self.rows.len() == SAMPLES_MAX {
                let mut index = 0;
                self.rows.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                self.stride *= 2;
            }
            if self.seen.is_multiple_of(self.stride) {
                self.rows.push((time, position));
            }
        }
        self.seen += 1;
    }
}

/// The straight way between two recorded positions; on a periodic axis to the nearest image.
fn chord(from: (SimTime, DVec3), to: (SimTime, DVec3), space: &Space) -> Leg {
    let seconds = to.0.since(from.0).max(f64::MIN_POSITIVE);
    let mut along = to.1 - from.1;
    for axis in 0..3 {
        if let Some(period) = space.periods[axis] {
            let length = period.max - period.min;
            along[axis] -= (along[axis] / length).round() * length;
        }
    }
    let path = Path { position: from.1, velocity: along / seconds, acceleration: DVec3::ZERO, epoch: from.0 };
    Leg { path, seconds }
}

fn rank(ranks: &HashMap<&str, usize>, column: &'static str, name: &str) -> Result<usize, Problem> {
    let unknown = || Problem { column, text: format!("the scenario has no body called `{name}`") };
    ranks.get(name).copied().ok_or_else(unknown)
}

/// Which bodies' trajectories are kept: all that move when they are few, otherwise those that a plot names.
fn followed(scenario: &Scenario) -> Vec<bool> {
    let moving = scenario.bodies.iter().filter(|body| body.motion != Motion::Fixed).count();
    let named = |body: &Body| {
        scenario.plots.iter().any(|plot| match plot {
            Plot::Path { bodies, .. } | Plot::Height { bodies, .. } => bodies.contains(&body.name),
            Plot::Energy | Plot::Impacts => false,
        })
    };
    scenario.bodies.iter().map(|body| moving <= LINES_MAX || named(body)).collect()
}

/// The last recorded time, and how many there are. It may differ from the duration in the scenario, which a command line can override.
fn end_of_run(scenario: &Scenario, folder: &FilePath) -> Result<(SimTime, u64), ReadError> {
    let (mut end, mut steps) = (None, 0);
    each_row::<Energy>(folder, |row| {
        end = Some(row.time);
        steps += 1;
        Ok(())
    })?;
    Ok((end.unwrap_or_else(|| SimTime::from_seconds(scenario.duration)), steps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::Period;

    #[test]
    fn a_long_track_is_thinned_evenly() {
        let mut samples = Samples::new();
        for step in 0..10 * SAMPLES_MAX {
            samples.add(SimTime::from_seconds(step as f64), DVec3::ZERO);
        }
        assert!(samples.rows.len() <= SAMPLES_MAX && samples.rows.len() > SAMPLES_MAX / 2);
        let steps: Vec<_> = samples.rows.windows(2).map(|ends| ends[1].0.since(ends[0].0)).collect();
        assert!(steps.iter().all(|&step| step == samples.stride as f64), "{steps:?}");
    }

    #[test]
    fn a_chord_takes_the_short_way_round() {
        let mut space = Space::default();
        space.periods[0] = Some(Period { min: 0.0, max: 10.0 });
        let at = |seconds, x| (SimTime::from_seconds(seconds), DVec3::new(x, 0.0, 0.0));
        let leg = chord(at(0.0, 9.5), at(1.0, 0.5), &space);
        assert_eq!(leg.end(), DVec3::new(10.5, 0.0, 0.0));
    }
}
