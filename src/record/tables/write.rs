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
    events: EventSheet,
    trajectory: Sheet<Trajectory>,
    paths: Sheet<Paths>,
    energy: Sheet<Energy>,
    /// The properties of the gas and the distribution of its speeds, if it is observed.
    gas: Option<(Sheet<Gas>, Sheet<Speeds>)>,
    /// How full the vessel of a packing is, if it is observed.
    profile: Option<Sheet<Profile>>,
    /// How many rows of paths may still be written.
    paths_left: u64,
    /// When that number came to 0.
    pub(crate) paths_full: Option<SimTime>,
}

/// What is written of the events.
enum EventSheet {
    All(Sheet<Events>),
    Counted(Sheet<Counts>),
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
    fn sheet<T: Table>(self) -> Result<Sheet<T>, WriteError> {
        let Some(state) = self.state else { return Sheet::create(self.folder, self.format, self.heading) };
        let name = file_name::<T>(self.format);
        match state.tables.get(&name) {
            Some(&extent) => Sheet::go_on(self.folder, self.format, extent),
            None => {
                let source = io::Error::other("the recording knows nothing of this table");
                Err(WriteError { file: self.folder.join(name), source })
            }
        }
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
        let has_gas = observe.contains(&Observation::Gas);
        let has_packing = observe.iter().any(|observation| matches!(observation, Observation::Packing(_)));
        let at = Opening { folder, format: record.format, heading, state };
        Ok(Self {
            events: match record.events {
                EventLog::All => EventSheet::All(at.sheet()?),
                EventLog::Counted => EventSheet::Counted(at.sheet()?),
            },
            trajectory: at.sheet()?,
            paths: at.sheet()?,
            energy: at.sheet()?,
            gas: has_gas.then(|| Ok((at.sheet()?, at.sheet()?))).transpose()?,
            profile: has_packing.then(|| at.sheet()).transpose()?,
            paths_left: state.map_or(record.paths_max, |state| state.paths_left),
            paths_full: state.and_then(|state| state.paths_full),
        })
    }

    /// Passes everything to the system, and returns how much of every table that is; `None` in a format that cannot be
    /// cut back.
    pub(crate) fn state(&mut self) -> Result<Option<SheetsState>, WriteError> {
        let mut extents = vec![self.trajectory.extent()?, self.paths.extent()?, self.energy.extent()?];
        extents.push(match &mut self.events {
            EventSheet::All(sheet) => sheet.extent()?,
            EventSheet::Counted(sheet) => sheet.extent()?,
        });
        if let Some((gas, speeds)) = &mut self.gas {
            extents.extend([gas.extent()?, speeds.extent()?]);
        }
        if let Some(profile) = &mut self.profile {
            extents.push(profile.extent()?);
        }
        let (paths_left, paths_full) = (self.paths_left, self.paths_full);
        let tables: Option<BTreeMap<String, Extent>> = extents.into_iter().collect();
        Ok(tables.map(|tables| SheetsState { tables, paths_left, paths_full }))
    }

    /// Puts on the disk what was passed to the system.
    pub(crate) fn sync(&self) -> Result<(), WriteError> {
        match &self.events {
            EventSheet::All(sheet) => sheet.sync()?,
            EventSheet::Counted(sheet) => sheet.sync()?,
        }
        self.trajectory.sync()?;
        self.paths.sync()?;
        self.energy.sync()?;
        self.gas.iter().try_for_each(|(gas, speeds)| gas.sync().and_then(|()| speeds.sync()))?;
        self.profile.iter().try_for_each(Sheet::sync)
    }

    /// Writes a row for an event, if each event has one.
    pub(crate) fn event(&mut self, world: &World, event: &Event) -> Result<(), WriteError> {
        let EventSheet::All(sheet) = &mut self.events else { return Ok(()) };
        let &Event { time, kind, a, point, normal, approach_speed, impulse, loss, group, .. } = event;
        let (a, b) = (world.name(a), event.partner().map(|id| world.name(id)));
        sheet.put(&EventRow { time, kind, a, b, point, normal, approach_speed, impulse, loss, group })
    }

    /// Writes a row for all events up to `time`, if they are counted.
    pub(crate) fn counts(
        &mut self,
        step: u64,
        time: SimTime,
        events: [u64; EventKind::ALL.len()],
        approaches: Approaches,
    ) -> Result<(), WriteError> {
        let EventSheet::Counted(sheet) = &mut self.events else { return Ok(()) };
        let (approach_mean, approach_max) = (approaches.mean(), approaches.max());
        sheet.put(&CountRow { step, time, events, approach_mean, approach_max })
    }

    pub(crate) fn knot(&mut self, world: &World, knot: &Knot) -> Result<(), WriteError> {
        let path = knot.path;
        if self.paths_left == 0 {
            self.paths_full.get_or_insert(path.epoch);
            return Ok(());
        }
        self.paths_left -= 1;
        self.paths.put(&PathRow {
            time: path.epoch,
            body: world.name(knot.body),
            position: path.position,
            velocity: path.velocity,
            acceleration: path.acceleration,
        })
    }

    pub(crate) fn body(&mut self, world: &World, step: u64, id: BodyId) -> Result<(), WriteError> {
        let state = world.state(id);
        self.trajectory.put(&TrajectoryRow {
            step,
            time: world.now(),
            body: world.name(id),
            position: state.position,
            velocity: state.velocity,
            spin: state.spin,
        })
    }

    pub(crate) fn energy(&mut self, step: u64, time: SimTime, now: &Balance, audit: &Audit) -> Result<(), WriteError> {
        self.energy.put(&EnergyRow {
            step,
            time,
            kinetic: now.kinetic,
            potential: now.potential,
            dissipated: audit.dissipated,
            rubbed: audit.rubbed,
            work: audit.work,
            momentum: now.momentum,
        })
    }

    pub(crate) fn gas(&mut self, step: u64, time: SimTime, figures: Figures) -> Result<(), WriteError> {
        let Some((sheet, _)) = &mut self.gas else { return Ok(()) };
        let Figures { temperature, pressure, collision_rate, compressibility } = figures;
        sheet.put(&GasRow { step, time, temperature, pressure, collision_rate, compressibility })
    }

    pub(crate) fn speeds(&mut self, meter: &Meter) -> Result<(), WriteError> {
        let Some((_, sheet)) = &mut self.gas else { return Ok(()) };
        meter
            .speeds()
            .classes()
            .try_for_each(|Class { low, high, count, maxwell }| sheet.put(&SpeedRow { low, high, count, maxwell }))
    }

    /// Writes how full the layers of a packing are.
    pub(crate) fn profile(&mut self, layers: &[Layer]) -> Result<(), WriteError> {
        let Some(sheet) = &mut self.profile else { return Ok(()) };
        layers.iter().try_for_each(|&Layer { low, high, fraction }| sheet.put(&ProfileRow { low, high, fraction }))
    }

    /// Puts everything on the disk, and returns the names of the files and their numbers of bytes.
    pub(crate) fn finish(self) -> Result<BTreeMap<String, u64>, WriteError> {
        let mut files = BTreeMap::from([self.trajectory.finish()?, self.paths.finish()?, self.energy.finish()?]);
        files.extend([match self.events {
            EventSheet::All(sheet) => sheet.finish()?,
            EventSheet::Counted(sheet) => sheet.finish()?,
        }]);
        if let Some((gas, speeds)) = self.gas {
            files.extend([gas.finish()?, speeds.finish()?]);
        }
        if let Some(profile) = self.profile {
            files.extend([profile.finish()?]);
        }
        Ok(files)
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
