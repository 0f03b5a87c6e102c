//! The data of a run for plots of motion, read in one pass over each table.
//!
//! The memory is bounded for runs of any length. A body without knots keeps a thinned track. Of many bodies only the
//! extent and the places at beginning and end are kept. Of impacts the first and the last are kept, [`IMPACTS_KEPT`]
//! together. A plot that shows many bodies as a density reads the trajectory a second time.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path as FilePath;

use glam::DVec3;

use super::track::{Leg, Track};
use crate::dynamics::{EventKind, Motion};
use crate::motion::{Path, SimTime};
use crate::record::RunPaths;
use crate::record::tables::read::{Problem, ReadError, each_row};
use crate::record::tables::{Counts, Energy, Events, Paths, Trajectory};
use crate::report::chart::Span;
use crate::report::rows::every_row;
use crate::scenario::{EventLog, Scenario};
use crate::world::{Command, Named, Timed};

/// Most bodies whose paths are all drawn. Of more bodies, a picture of places has a few paths, and one of a coordinate
/// has a map.
pub(crate) const FEW_MAX: usize = 40;

/// Most bodies whose recorded positions are kept. Of more bodies, only those that a plot names are kept.
const LINES_MAX: usize = 200;

/// Most impacts kept. More would only blacken the picture.
const IMPACTS_KEPT: usize = 20_000;

/// An impact, as plots mark it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hit {
    /// When.
    pub(crate) time: SimTime,
    /// The two bodies, as ranks in the scenario.
    pub(crate) bodies: [usize; 2],
    /// Where, m.
    pub(crate) point: DVec3,
    /// Unit normal there, from the first body to the second.
    pub(crate) normal: DVec3,
}

/// The data of a run for plots of motion.
#[derive(Debug, Clone)]
pub(crate) struct Scene<'a> {
    /// The scenario of the run.
    pub(crate) scenario: &'a Scenario,
    folder: &'a FilePath,
    ranks: Ranks<'a>,
    /// When the run ended.
    pub(crate) end: SimTime,
    /// The tracks of the bodies of the scenario, in its order.
    pub(crate) tracks: Vec<Track>,
    /// At how many instants the trajectory has rows.
    pub(crate) looks: u64,
    /// How many rows the trajectory has.
    pub(crate) samples: u64,
    /// The first impacts and the last, in order.
    pub(crate) hits: Vec<Hit>,
    /// How many impacts there were.
    pub(crate) hits_total: u64,
    /// The instant until which knots are complete; later motion is taken from the trajectory.
    knots_end: SimTime,
    /// The part of the run that is shown, s; `None` is the whole run.
    pub(crate) window: Option<Span>,
}

impl<'a> Scene<'a> {
    /// Reads the files of the run in `folder`.
    ///
    /// # Errors
    /// When a table cannot be read, or names a body that the scenario does not have.
    pub(crate) fn gather(scenario: &'a Scenario, folder: &'a FilePath) -> Result<Self, ReadError> {
        let mut scene = Self::empty(scenario, folder, end_of_run(scenario, folder)?);
        scene.read_knots()?;
        scene.read_trajectory()?;
        scene.read_hits()?;
        Ok(scene)
    }

    /// The part of a run whose paths are all known. No table is read for it.
    pub(crate) fn of_paths(scenario: &'a Scenario, paths: &RunPaths) -> Self {
        let mut scene = Self::empty(scenario, FilePath::new(""), paths.until);
        let ranks: Vec<Option<usize>> =
            paths.bodies.iter().map(|body| scene.ranks.ranks.get(body.name.as_str()).copied()).collect();
        for (body, rank) in paths.bodies.iter().zip(&ranks) {
            let Some(rank) = *rank else { continue };
            // The paths of a body are in order, so that each is taken.
            body.paths.iter().for_each(|&path| scene.tracks[rank].add_knot(path).unwrap_or_default());
        }
        scene.hits_total = paths.impacts.len() as u64;
        scene.hits = (paths.impacts.iter())
            .filter_map(|hit| {
                let bodies = [ranks[hit.bodies[0]]?, ranks[hit.bodies[1]]?];
                Some(Hit { time: hit.time, bodies, point: hit.point, normal: hit.normal })
            })
            .collect();
        scene.show(Span::new(paths.from.seconds(), paths.until.seconds()));
        scene
    }

    /// A scene of which only the commands that bodies come, go and are put elsewhere by are known.
    fn empty(scenario: &'a Scenario, folder: &'a FilePath, end: SimTime) -> Self {
        let ranks = Ranks::new(&scenario.bodies);
        let mut tracks = vec![Track::default(); scenario.bodies.len()];
        for Timed { at, command, .. } in &scenario.commands {
            let rank = |name: &str| ranks.ranks.get(name).copied();
            match command {
                Command::Despawn { body } => rank(body).into_iter().for_each(|rank| tracks[rank].gone = Some(*at)),
                Command::Spawn(body) => rank(&body.name).into_iter().for_each(|rank| tracks[rank].come = *at),
                Command::SetPosition { body, .. } => rank(body).into_iter().for_each(|rank| tracks[rank].put.push(*at)),
                _ => {}
            }
        }
        let (hits, hits_total, looks, samples, knots_end, window) = (Vec::new(), 0, 0, 0, end, None);
        Self { scenario, folder, ranks, end, tracks, looks, samples, hits, hits_total, knots_end, window }
    }

    /// The same, showing only the given span of time, s. Impacts outside are left out if they are known.
    pub(crate) fn within(&self, time: Span) -> Self {
        let mut part = self.clone();
        part.show(time);
        part
    }

    fn show(&mut self, time: Span) {
        let all_known = self.hits_total == self.hits.len() as u64;
        self.window = Some(time);
        self.hits.retain(|hit| time.contains(hit.time.seconds()));
        if all_known {
            self.hits_total = self.hits.len() as u64;
        }
        for rank in 0..self.tracks.len() {
            if let Some(leg) = self.legs(rank).first() {
                self.tracks[rank].first = Some(leg.path.position);
            }
        }
    }

    /// Passes every row of the trajectory within the shown span to `take`: the rank of the body, the time and the
    /// position.
    ///
    /// # Errors
    /// When the trajectory cannot be read.
    pub(crate) fn each_sample(&self, mut take: impl FnMut(usize, SimTime, [DVec3; 2])) -> Result<(), ReadError> {
        let mut next = 0;
        each_row::<Trajectory>(self.folder, |row| {
            let rank = self.ranks.find(&mut next, "body", row.body)?;
            if self.window.is_none_or(|window| window.contains(row.time.seconds())) {
                take(rank, row.time, [row.position, row.velocity]);
            }
            Ok(())
        })
    }

    /// The bodies that a plot shows: those named, or all that are free (with `driven`, kinematic ones too), if anything
    /// was recorded of them.
    pub(crate) fn chosen(&self, names: &[String], driven: bool) -> Vec<usize> {
        let named: HashSet<&str> = names.iter().map(String::as_str).collect();
        let wanted = |body: &Named| match body.motion {
            _ if !names.is_empty() => named.contains(body.name.as_str()),
            Motion::Free(_) => true,
            Motion::Kinematic => driven,
            Motion::Fixed => false,
        };
        let bodies = self.scenario.bodies.iter().zip(&self.tracks).enumerate();
        bodies.filter(|(_, (body, track))| track.first.is_some() && wanted(body)).map(|(rank, _)| rank).collect()
    }

    /// For each body of the scenario, whether it is among the chosen ones.
    pub(crate) fn membership(&self, chosen: &[usize]) -> Vec<bool> {
        let mut member = vec![false; self.tracks.len()];
        chosen.iter().for_each(|&body| member[body] = true);
        member
    }

    /// The known impacts in which a chosen body takes part, in order.
    pub(crate) fn hits_of(&self, chosen: &[usize]) -> impl Iterator<Item = &Hit> {
        let member = self.membership(chosen);
        self.hits.iter().filter(move |hit| hit.bodies.iter().any(|&body| member[body]))
    }

    /// The legs of a body in the part of the run that is shown: exact where knots were stored, otherwise chords between
    /// recorded positions.
    pub(crate) fn legs(&self, body: usize) -> Vec<Leg> {
        let legs = self.whole_legs(body);
        match self.window {
            Some(window) => legs.iter().filter_map(|leg| leg.within(window)).collect(),
            None => legs,
        }
    }

    /// The same, also before and after the part of the run that is shown.
    pub(crate) fn whole_legs(&self, body: usize) -> Vec<Leg> {
        self.tracks[body].legs(self.knots_end, &self.scenario.settings.space)
    }

    /// From one kink of the exact path of a body to the next: the time, s, and the range of a coordinate, m.
    pub(crate) fn exact_spans(&self, body: usize, axis: usize) -> impl Iterator<Item = (f64, f64)> + use<> {
        let legs = self.tracks[body].exact_legs(self.knots_end);
        let smooth: Vec<bool> = legs.windows(2).map(|two| two[0].goes_on_in(&two[1])).collect();
        let mut spans: Vec<(f64, Span)> = Vec::new();
        for (place, leg) in legs.iter().enumerate() {
            let range = leg.covered(axis);
            match spans.last_mut().filter(|_| smooth[place - 1]) {
                Some(span) => *span = (span.0 + leg.seconds, span.1.joined(range)),
                None => spans.push((leg.seconds, range)),
            }
        }
        spans.into_iter().map(|(seconds, range)| (seconds, range.length()))
    }

    /// The smallest span of a coordinate that holds a body's centre from start to end, m. On a periodic axis that is
    /// the period.
    pub(crate) fn covered(&self, body: usize, axis: usize) -> Span {
        if let Some(period) = self.scenario.settings.space.periods[axis] {
            return Span::new(period.min, period.max);
        }
        let legs = self.legs(body);
        if legs.is_empty() {
            return self.tracks[body].extent[axis];
        }
        legs.iter().fold(Span::EMPTY, |span, leg| span.joined(leg.covered(axis)))
    }

    /// When a picture of bodies is taken: at the end of what is shown.
    pub(super) fn instant(&self) -> SimTime {
        self.window.map_or(self.end, |window| SimTime::from_seconds(window.high).min(self.end))
    }

    /// Whether a body was removed before the picture is taken.
    pub(crate) fn is_gone(&self, body: usize) -> bool {
        self.tracks[body].gone.is_some_and(|gone| gone <= self.instant())
    }

    /// From when to when a body is there, s; for ever, if it is not removed.
    pub(crate) fn stay(&self, body: usize) -> Span {
        let Track { come, gone, .. } = &self.tracks[body];
        Span::new(come.seconds(), gone.map_or(f64::INFINITY, SimTime::seconds))
    }

    /// The place of a body when the run ends, or when it is removed, m.
    pub(crate) fn last_position(&self, body: usize) -> Option<DVec3> {
        self.legs(body).last().map(Leg::end).or_else(|| self.tracks[body].last())
    }

    /// The same if it is still there when the picture is taken.
    pub(crate) fn remaining(&self, body: usize) -> Option<DVec3> {
        self.last_position(body).filter(|_| !self.is_gone(body))
    }

    /// Whether the exact path of a body was stored.
    pub(crate) fn has_knots(&self, body: usize) -> bool {
        self.tracks[body].has_knots()
    }

    /// The place of a body at `time`, m, if its knots give it.
    pub(crate) fn exact_position(&self, body: usize, time: SimTime) -> Option<DVec3> {
        self.exact_path(body, time).map(|path| path.position_at(time))
    }

    /// The velocity of a body at `time`, m/s, if its knots give it; at an impact, that after it.
    pub(crate) fn exact_velocity(&self, body: usize, time: SimTime) -> Option<DVec3> {
        self.exact_path(body, time).map(|path| path.velocity_at(time))
    }

    fn exact_path(&self, body: usize, time: SimTime) -> Option<&Path> {
        self.tracks[body].exact_path(time).filter(|_| time <= self.knots_end)
    }

    fn read_knots(&mut self) -> Result<(), ReadError> {
        let mut rows = 0;
        let mut latest = SimTime::ZERO;
        let mut next = 0;
        each_row::<Paths>(self.folder, |row| {
            let track = &mut self.tracks[self.ranks.find(&mut next, "body", row.body)?];
            let (position, velocity) = (row.position, row.velocity);
            let path = Path { position, velocity, acceleration: row.acceleration, epoch: row.time };
            let disorder =
                |_| Problem { column: "time", text: format!("`{}` has a later row before this one", row.body) };
            track.add_knot(path).map_err(disorder)?;
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
        let (mut next, mut look) = (0, None);
        each_row::<Trajectory>(self.folder, |row| {
            self.samples += 1;
            self.looks += u64::from(look.replace(row.time) != Some(row.time));
            let rank = self.ranks.find(&mut next, "body", row.body)?;
            self.tracks[rank].add_sample(row.time, row.position, followed[rank]);
            Ok(())
        })
    }

    fn read_hits(&mut self) -> Result<(), ReadError> {
        if self.scenario.record.events == EventLog::Counted {
            return every_row::<Counts>(self.folder, |row| self.hits_total = row.events[EventKind::Impact as usize]);
        }
        let mut last = VecDeque::new();
        let mut next = 0;
        each_row::<Events>(self.folder, |row| {
            let mut find = |column, name| self.ranks.find(&mut next, column, name);
            let (a, b) = (find("a", row.a)?, row.b.map(|name| find("b", name)).transpose()?);
            if let (EventKind::Impact, Some(b)) = (row.kind, b) {
                let bodies = [a, b];
                self.hits_total += 1;
                last.push_back(Hit { time: row.time, bodies, point: row.point, normal: row.normal });
                if self.hits.len() < IMPACTS_KEPT / 2 {
                    self.hits.extend(last.pop_front());
                } else if last.len() > IMPACTS_KEPT / 2 {
                    last.pop_front();
                }
            }
            Ok(())
        })?;
        self.hits.extend(last);
        Ok(())
    }
}

/// The ranks of bodies by name.
#[derive(Debug, Clone)]
struct Ranks<'a> {
    bodies: &'a [Named],
    ranks: HashMap<&'a str, usize>,
}

impl<'a> Ranks<'a> {
    fn new(bodies: &'a [Named]) -> Self {
        Self { bodies, ranks: bodies.iter().enumerate().map(|(rank, body)| (body.name.as_str(), rank)).collect() }
    }

    /// The rank of the body called `name` in the scenario. `next` is the rank that is tried first, and becomes the one
    /// after the result: tables often name bodies in their order.
    fn find(&self, next: &mut usize, column: &'static str, name: &str) -> Result<usize, Problem> {
        let unknown = || Problem { column, text: format!("the scenario has no body called `{name}`") };
        let guessed = self.bodies.get(*next).is_some_and(|body| body.name == name);
        let rank = if guessed { *next } else { self.ranks.get(name).copied().ok_or_else(unknown)? };
        *next = rank + 1;
        Ok(rank)
    }
}

/// The bodies whose trajectories are kept: all moving bodies if they are few, and those for which a plot draws lines.
fn followed(scenario: &Scenario) -> Vec<bool> {
    let moving = scenario.bodies.iter().filter(|body| body.motion != Motion::Fixed).count();
    let lists = scenario.plots.iter().filter_map(|figure| figure.plot.bodies());
    let lined = lists.filter(|names| names.len() <= LINES_MAX);
    let named: HashSet<&str> = lined.flatten().map(String::as_str).collect();
    scenario.bodies.iter().map(|body| moving <= LINES_MAX || named.contains(body.name.as_str())).collect()
}

/// The last recorded time. It may differ from the duration in the scenario, which a command line can override.
fn end_of_run(scenario: &Scenario, folder: &FilePath) -> Result<SimTime, ReadError> {
    let mut end = None;
    every_row::<Energy>(folder, |row| end = Some(row.time))?;
    Ok(end.unwrap_or_else(|| SimTime::from_seconds(scenario.duration)))
}
