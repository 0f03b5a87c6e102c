//! A trajectory as it was written by an engine, checked against the bodies and times of a scene.

use std::collections::BTreeMap;

use glam::DVec3;

use super::exact::{Exact, Moment};
use super::log::{ReportedImpact, impacts};
use crate::motion::SimTime;
use crate::record::foreign::{ForeignError, ForeignEvents, ForeignRow, ForeignTable};

/// The rows of all free bodies, at the same times.
#[derive(Debug, Clone)]
pub struct Trajectory {
    /// Its name: the name of its file.
    pub name: String,
    /// The engine's own timestep, s: time over step number.
    pub timestep: f64,
    /// The times of the rows, s, from 0 on.
    pub times: Vec<SimTime>,
    /// The moments of each free body, in the order of [`Exact::free`], one for each time.
    pub tracks: Vec<Vec<Moment>>,
    /// Whether the rows have velocities; if not, those of the tracks are zero.
    pub has_velocities: bool,
    /// Whether the rows have spins; if not, the spins of the tracks are zero.
    pub has_spins: bool,
    /// The impacts of a log of events in order of time, if there is a log.
    pub impacts: Option<Vec<ReportedImpact>>,
}

impl Trajectory {
    /// Sorts the rows of a table. If the table has no row at time 0, that of the scene is added.
    ///
    /// # Errors
    /// [`ForeignError`] with the line where a body is unknown, twice or missing, or where a time is beyond the end of
    /// the scene.
    pub fn new(table: &ForeignTable, exact: &Exact) -> Result<Self, ForeignError> {
        let places = places(table, exact)?;
        let steps = steps(table, exact)?;
        let mut rows: BTreeMap<(SimTime, usize), &ForeignRow> = BTreeMap::new();
        for row in &table.rows {
            let Some(place) = places[row.body] else { continue };
            if let Some(earlier) = rows.insert((row.time, place), row) {
                let problem = format!(
                    "`{}` has a row at {} s already, in {} {}",
                    table.bodies[row.body], row.time, table.origin.unit, earlier.place
                );
                return Err(table.origin.wrong(row.place, "body", problem));
            }
        }
        let mut times: Vec<SimTime> = rows.keys().map(|key| key.0).collect();
        times.dedup();
        if times.is_empty() {
            return Err(table.origin.wrong(1, "all", "there is no row of a free body".to_owned()));
        }
        check_end(table, exact, &times)?;
        let mut trajectory = Self {
            name: name(table),
            timestep: timestep(&steps),
            times,
            tracks: Vec::new(),
            has_velocities: table.has_velocities,
            has_spins: table.has_spins,
            impacts: None,
        };
        for place in 0..exact.free.len() {
            let track = trajectory.times.iter().map(|&time| match rows.get(&(time, place)) {
                Some(row) => Ok(Moment { position: row.position, velocity: row.velocity, spin: row.spin }),
                None => Err(missing(table, exact, place, time)),
            });
            let track = track.collect::<Result<Vec<_>, _>>()?;
            trajectory.tracks.push(track);
        }
        trajectory.begin(exact);
        Ok(trajectory)
    }

    /// The same with a log of events.
    ///
    /// # Errors
    /// [`ForeignError`] with the line where a body is unknown or meets itself, or where a time is beyond the end of the
    /// scene.
    pub fn with_events(self, events: &ForeignEvents, exact: &Exact) -> Result<Self, ForeignError> {
        Ok(Self { impacts: Some(impacts(events, exact)?), ..self })
    }

    /// The number of times.
    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    /// The state of a body in a row: from the table if the body is free, otherwise from the exact course.
    pub(super) fn moment(&self, exact: &Exact, body: usize, row: usize) -> Moment {
        match exact.free.binary_search(&body) {
            Ok(place) => self.tracks[place][row],
            Err(_) => exact.at(body, self.times[row]),
        }
    }

    /// The exact course at the same times.
    pub(super) fn ideal(&self, exact: &Exact) -> Self {
        let track = |&body: &usize| self.times.iter().map(|&time| exact.at(body, time)).collect();
        Self {
            name: String::new(),
            timestep: self.timestep,
            times: self.times.clone(),
            tracks: exact.free.iter().map(track).collect(),
            has_velocities: true,
            has_spins: true,
            impacts: None,
        }
    }

    fn begin(&mut self, exact: &Exact) {
        if self.times[0] == SimTime::ZERO {
            return;
        }
        self.times.insert(0, SimTime::ZERO);
        for (track, &body) in self.tracks.iter_mut().zip(&exact.free) {
            let body = &exact.bodies[body];
            let spin = if self.has_spins { body.spin } else { DVec3::ZERO };
            track.insert(0, Moment { position: body.position, velocity: body.velocity, spin });
        }
    }
}

fn name(table: &ForeignTable) -> String {
    table.origin.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The index among the free bodies of each body of the table; `None` for a body of the scene that is not free.
fn places(table: &ForeignTable, exact: &Exact) -> Result<Vec<Option<usize>>, ForeignError> {
    let place = |(rank, name): (usize, &String)| {
        let body = exact.named(name).map_err(|problem| {
            let row = table.rows.iter().find(|row| row.body == rank).map_or(1, |row| row.place);
            table.origin.wrong(row, "body", problem)
        })?;
        Ok(exact.free.iter().position(|&free| free == body))
    };
    table.bodies.iter().enumerate().map(place).collect()
}

/// The time of each step.
fn steps(table: &ForeignTable, exact: &Exact) -> Result<BTreeMap<u64, SimTime>, ForeignError> {
    let mut steps: BTreeMap<u64, &ForeignRow> = BTreeMap::new();
    for row in &table.rows {
        exact.check_time(row.time).map_err(|problem| table.origin.wrong(row.place, "time", problem))?;
        let first = *steps.entry(row.step).or_insert(row);
        if first.time != row.time {
            let problem = format!(
                "step {} is at {} s here, and at {} s in {} {}",
                row.step, row.time, first.time, table.origin.unit, first.place
            );
            return Err(table.origin.wrong(row.place, "time", problem));
        }
    }
    let rows: Vec<&&ForeignRow> = steps.values().collect();
    if let Some(pair) = rows.windows(2).find(|pair| pair[1].time <= pair[0].time) {
        let problem = format!(
            "step {} must be later than step {} at {} s, found {} s",
            pair[1].step, pair[0].step, pair[0].time, pair[1].time
        );
        return Err(table.origin.wrong(pair[1].place, "time", problem));
    }
    Ok(steps.into_iter().map(|(step, row)| (step, row.time)).collect())
}

fn timestep(steps: &BTreeMap<u64, SimTime>) -> f64 {
    let (Some(first), Some(last)) = (steps.first_key_value(), steps.last_key_value()) else { return 0.0 };
    // If a table has only one step, steps and time count from 0.
    let (from, since) = if first.0 == last.0 { (0, SimTime::ZERO) } else { (*first.0, *first.1) };
    last.1.since(since) / (last.0 - from).max(1) as f64
}

/// Refuses a table that ends early: it would hide what comes after.
fn check_end(table: &ForeignTable, exact: &Exact, times: &[SimTime]) -> Result<(), ForeignError> {
    let duration = exact.scenario.duration;
    let last = times[times.len() - 1].seconds();
    let before = if times.len() > 1 { times[times.len() - 2].seconds() } else { 0.0 };
    if duration - last <= (last - before) * (1.0 + 1e-9) {
        return Ok(());
    }
    let place = table.rows.iter().map(|row| row.place).max().unwrap_or(1);
    let problem = format!("the table ends at {last} s, and the scene at {duration} s; rows up to its end are wanted");
    Err(table.origin.wrong(place, "time", problem))
}

fn missing(table: &ForeignTable, exact: &Exact, place: usize, time: SimTime) -> ForeignError {
    let row = table.rows.iter().find(|row| row.time == time).map_or(1, |row| row.place);
    let name = &exact.names[exact.free[place]];
    table.origin.wrong(row, "body", format!("`{name}` has no row at {time} s, and other bodies do"))
}
