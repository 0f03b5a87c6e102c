//! The tables of a run, written as it goes on.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::checksummed_file::Extent;
use super::heading::{Heading, file_name};
use super::table_writer::{Sheet, beginning};
use super::{CountRow, Counts, Energy, EnergyRow, EventRow, Events, Gas, GasRow, PathRow, Paths};
use super::{Profile, ProfileRow, SpeedRow, Speeds, Table, Trajectory, TrajectoryRow};
use crate::dynamics::{Audit, Balance, BodyId, Event, EventKind, Knot};
use crate::motion::SimTime;
use crate::record::files::WriteError;
use crate::record::gas::{Class, Figures, Meter};
use crate::record::packing::Layer;
use crate::scenario::{EventLog, Format, Observation, Recording};
use crate::world::World;

/// The tables of a run.
pub(crate) struct Sheets {
    /// Those that it writes, by their names.
    sheets: Vec<(&'static str, Sheet)>,
    /// How many rows of paths may still be written.
    paths_left: u64,
    /// When that number came to 0.
    pub(crate) paths_full: Option<SimTime>,
}

/// How much of each table is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SheetsState {
    /// By the names of the files.
    tables: BTreeMap<String, Extent>,
    paths_left: u64,
    paths_full: Option<SimTime>,
}

impl SheetsState {
    /// Whether the tables in `folder` have at least what they had then.
    pub(crate) fn stands_in(&self, folder: &Path) -> bool {
        self.tables.iter().all(|(name, extent)| beginning(&folder.join(name), *extent).is_ok())
    }
}

/// The arguments for opening a table.
#[derive(Clone, Copy)]
struct Opening<'a> {
    folder: &'a Path,
    format: Format,
    heading: &'a Heading,
    state: Option<&'a SheetsState>,
}

impl Opening<'_> {
    fn sheet<T: Table>(self) -> Result<(&'static str, Sheet), WriteError> {
        let sheet = match self.state {
            None => Sheet::create::<T>(self.folder, self.format, self.heading)?,
            Some(state) => {
                let name = file_name::<T>(self.format);
                let extent = state.tables.get(&name).ok_or_else(|| {
                    let source = io::Error::other("the recording knows nothing of this table");
                    WriteError { file: self.folder.join(&name), source }
                })?;
                Sheet::go_on::<T>(self.folder, self.format, *extent)?
            }
        };
        Ok((T::NAME, sheet))
    }
}

impl Sheets {
    /// Begins all tables, or continues them after the part in `state`.
    pub(crate) fn open(
        folder: &Path,
        record: &Recording,
        observe: &[Observation],
        heading: &Heading,
        state: Option<&SheetsState>,
    ) -> Result<Self, WriteError> {
        let at = Opening { folder, format: record.format, heading, state };
        let events = match record.events {
            EventLog::All => at.sheet::<Events>()?,
            EventLog::Counted => at.sheet::<Counts>()?,
        };
        let mut sheets = vec![at.sheet::<Trajectory>()?, at.sheet::<Paths>()?, at.sheet::<Energy>()?, events];
        if observe.contains(&Observation::Gas) {
            sheets.extend([at.sheet::<Gas>()?, at.sheet::<Speeds>()?]);
        }
        if observe.iter().any(|observation| matches!(observation, Observation::Packing(_))) {
            sheets.push(at.sheet::<Profile>()?);
        }
        Ok(Self {
            sheets,
            paths_left: state.map_or(record.paths_max, |state| state.paths_left),
            paths_full: state.and_then(|state| state.paths_full),
        })
    }

    /// Passes everything to the system, and returns how much of every table that is; `None` in a format that cannot be
    /// cut back.
    pub(crate) fn state(&mut self) -> Result<Option<SheetsState>, WriteError> {
        let extents = self.sheets.iter_mut().map(|(_, sheet)| sheet.extent());
        let tables: Option<BTreeMap<String, Extent>> = extents.collect::<Result<_, _>>()?;
        let (paths_left, paths_full) = (self.paths_left, self.paths_full);
        Ok(tables.map(|tables| SheetsState { tables, paths_left, paths_full }))
    }

    /// Puts on the disk what was passed to the system.
    pub(crate) fn sync(&self) -> Result<(), WriteError> {
        self.sheets.iter().try_for_each(|(_, sheet)| sheet.sync())
    }

    /// A table, if the run writes it.
    fn sheet<T: Table>(&mut self) -> Option<&mut Sheet> {
        self.sheets.iter_mut().find(|(name, _)| *name == T::NAME).map(|(_, sheet)| sheet)
    }

    fn put<T: Table>(&mut self, row: &T::Row<'_>) -> Result<(), WriteError> {
        self.sheet::<T>().map_or(Ok(()), |sheet| sheet.put::<T>(row))
    }

    /// Writes a row for an event, if each event has one.
    pub(crate) fn event(&mut self, world: &World, event: &Event) -> Result<(), WriteError> {
        let Some(sheet) = self.sheet::<Events>() else { return Ok(()) };
        let &Event { time, kind, a, point, normal, approach_speed, impulse, loss, group, .. } = event;
        let (a, b) = (world.name(a), event.partner().map(|id| world.name(id)));
        sheet.put::<Events>(&EventRow { time, kind, a, b, point, normal, approach_speed, impulse, loss, group })
    }

    /// Writes a row for all events up to `time`, if they are counted.
    pub(crate) fn counts(
        &mut self,
        step: u64,
        time: SimTime,
        events: [u64; EventKind::ALL.len()],
        approaches: Approaches,
    ) -> Result<(), WriteError> {
        let (approach_mean, approach_max) = (approaches.mean(), approaches.max());
        self.put::<Counts>(&CountRow { step, time, events, approach_mean, approach_max })
    }

    pub(crate) fn knot(&mut self, world: &World, knot: &Knot) -> Result<(), WriteError> {
        let path = knot.path;
        if self.paths_left == 0 {
            self.paths_full.get_or_insert(path.epoch);
            return Ok(());
        }
        self.paths_left -= 1;
        self.put::<Paths>(&PathRow {
            time: path.epoch,
            body: world.name(knot.body),
            position: path.position,
            velocity: path.velocity,
            acceleration: path.acceleration,
        })
    }

    pub(crate) fn body(&mut self, world: &World, step: u64, id: BodyId) -> Result<(), WriteError> {
        let state = world.state(id);
        self.put::<Trajectory>(&TrajectoryRow {
            step,
            time: world.now(),
            body: world.name(id),
            position: state.position,
            velocity: state.velocity,
            spin: state.spin,
        })
    }

    pub(crate) fn energy(&mut self, step: u64, time: SimTime, now: &Balance, audit: &Audit) -> Result<(), WriteError> {
        self.put::<Energy>(&EnergyRow {
            step,
            time,
            kinetic: now.kinetic,
            potential: now.potential,
            dissipated: audit.dissipated,
            contact_heat: audit.contact_heat,
            work: audit.work,
            momentum: now.momentum,
        })
    }

    pub(crate) fn gas(&mut self, step: u64, time: SimTime, figures: Figures) -> Result<(), WriteError> {
        let Figures { temperature, pressure, collision_rate, compressibility } = figures;
        self.put::<Gas>(&GasRow { step, time, temperature, pressure, collision_rate, compressibility })
    }

    pub(crate) fn speeds(&mut self, meter: &Meter) -> Result<(), WriteError> {
        let mut classes = meter.speeds().classes();
        classes.try_for_each(|Class { low, high, count, maxwell }| {
            self.put::<Speeds>(&SpeedRow { low, high, count, maxwell })
        })
    }

    /// Writes how full the layers of a packing are.
    pub(crate) fn profile(&mut self, layers: &[Layer]) -> Result<(), WriteError> {
        let mut rows = layers.iter().map(|&Layer { low, high, fraction }| ProfileRow { low, high, fraction });
        rows.try_for_each(|row| self.put::<Profile>(&row))
    }

    /// Puts everything on the disk, and returns the names of the files and their numbers of bytes.
    pub(crate) fn finish(self) -> Result<BTreeMap<String, u64>, WriteError> {
        self.sheets.into_iter().map(|(_, sheet)| sheet.finish()).collect()
    }
}

/// The approach speeds of some impacts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Approaches {
    count: u64,
    sum: f64,
    max: f64,
}

impl Approaches {
    pub(crate) fn add(&mut self, speed: f64) {
        self.count += 1;
        self.sum += speed;
        self.max = self.max.max(speed);
    }

    fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    fn max(self) -> Option<f64> {
        (self.count > 0).then_some(self.max)
    }
}
