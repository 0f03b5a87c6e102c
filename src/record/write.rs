//! The tables of a run, written as it goes on.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::gas::{Class, Figures, Meter};
use super::sheet::{Heading, Sheet, beginning, file_name};
use super::summed::Extent;
use super::tables::{CountRow, Counts, Energy, EnergyRow, EventRow, Events, Gas, GasRow, PathRow, Paths};
use super::tables::{SpeedRow, Speeds, Table, Trajectory, TrajectoryRow};
use crate::dynamics::{Audit, Balance, BodyId, Event, EventKind, Knot};
use crate::motion::SimTime;
use crate::scenario::{EventLog, Format, MeshFile, Recording};
use crate::world::World;

/// A file that could not be written.
#[derive(Debug, Error)]
#[error("cannot write {}", file.display())]
pub struct WriteError {
    /// Which.
    pub file: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// The tables of a run.
pub(super) struct Sheets {
    events: EventSheet,
    trajectory: Sheet<Trajectory>,
    paths: Sheet<Paths>,
    energy: Sheet<Energy>,
    /// What the gas is like and how its speeds are spread, where it is observed.
    gas: Option<(Sheet<Gas>, Sheet<Speeds>)>,
    /// Rows of paths there is still room for.
    paths_left: u64,
    /// When there was no more room.
    pub(super) paths_full: Option<SimTime>,
}

/// What is written of the events.
enum EventSheet {
    All(Sheet<Events>),
    Counted(Sheet<Counts>),
}

/// How far the tables of a run are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SheetsState {
    /// By the files' names.
    tables: BTreeMap<String, Extent>,
    paths_left: u64,
    paths_full: Option<SimTime>,
}

impl SheetsState {
    /// Whether the tables in `folder` have what they had then, and maybe more.
    pub(super) fn stands_in(&self, folder: &Path) -> bool {
        self.tables.iter().all(|(name, extent)| beginning(&folder.join(name), *extent).is_ok())
    }
}

/// What tables are opened with.
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
    /// Begins all tables, or goes on with them where `state` says they were.
    pub(super) fn open(
        folder: &Path,
        record: &Recording,
        has_gas: bool,
        heading: &Heading,
        state: Option<&SheetsState>,
    ) -> Result<Self, WriteError> {
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
            paths_left: state.map_or(record.paths_max, |state| state.paths_left),
            paths_full: state.and_then(|state| state.paths_full),
        })
    }

    /// How much of every table there is by now, handed to the system; `None` in a format that cannot be cut back.
    pub(super) fn state(&mut self) -> Result<Option<SheetsState>, WriteError> {
        let mut extents = vec![self.trajectory.extent()?, self.paths.extent()?, self.energy.extent()?];
        extents.push(match &mut self.events {
            EventSheet::All(sheet) => sheet.extent()?,
            EventSheet::Counted(sheet) => sheet.extent()?,
        });
        if let Some((gas, speeds)) = &mut self.gas {
            extents.extend([gas.extent()?, speeds.extent()?]);
        }
        let (paths_left, paths_full) = (self.paths_left, self.paths_full);
        let tables: Option<BTreeMap<String, Extent>> = extents.into_iter().collect();
        Ok(tables.map(|tables| SheetsState { tables, paths_left, paths_full }))
    }

    /// Puts on the disk what was handed to the system.
    pub(super) fn sync(&self) -> Result<(), WriteError> {
        match &self.events {
            EventSheet::All(sheet) => sheet.sync()?,
            EventSheet::Counted(sheet) => sheet.sync()?,
        }
        self.trajectory.sync()?;
        self.paths.sync()?;
        self.energy.sync()?;
        self.gas.iter().try_for_each(|(gas, speeds)| gas.sync().and_then(|()| speeds.sync()))
    }

    /// A row for an event, where each has one.
    pub(super) fn event(&mut self, world: &World, event: &Event) -> Result<(), WriteError> {
        let EventSheet::All(sheet) = &mut self.events else { return Ok(()) };
        let &Event { time, kind, a, b, point, normal, approach_speed, impulse, loss, group } = event;
        let (a, b) = (world.name(a), world.name(b));
        sheet.put(&EventRow { time, kind, a, b, point, normal, approach_speed, impulse, loss, group })
    }

    /// A row for all events up to `time`, where they are counted.
    pub(super) fn counts(
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

    pub(super) fn knot(&mut self, world: &World, knot: &Knot) -> Result<(), WriteError> {
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

    pub(super) fn body(&mut self, world: &World, step: u64, id: BodyId) -> Result<(), WriteError> {
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

    pub(super) fn energy(&mut self, step: u64, time: SimTime, now: &Balance, audit: &Audit) -> Result<(), WriteError> {
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

    pub(super) fn gas(&mut self, step: u64, time: SimTime, figures: Figures) -> Result<(), WriteError> {
        let Some((sheet, _)) = &mut self.gas else { return Ok(()) };
        let Figures { temperature, pressure, collision_rate, compressibility } = figures;
        sheet.put(&GasRow { step, time, temperature, pressure, collision_rate, compressibility })
    }

    pub(super) fn speeds(&mut self, meter: &Meter) -> Result<(), WriteError> {
        let Some((_, sheet)) = &mut self.gas else { return Ok(()) };
        meter
            .speeds()
            .classes()
            .try_for_each(|Class { low, high, count, maxwell }| sheet.put(&SpeedRow { low, high, count, maxwell }))
    }

    /// Puts everything on the disk, and says which files that are, and how many bytes.
    pub(super) fn finish(self) -> Result<BTreeMap<String, u64>, WriteError> {
        let mut files = BTreeMap::from([self.trajectory.finish()?, self.paths.finish()?, self.energy.finish()?]);
        files.extend([match self.events {
            EventSheet::All(sheet) => sheet.finish()?,
            EventSheet::Counted(sheet) => sheet.finish()?,
        }]);
        if let Some((gas, speeds)) = self.gas {
            files.extend([gas.finish()?, speeds.finish()?]);
        }
        Ok(files)
    }
}

/// The approach speeds of some impacts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Approaches {
    count: u64,
    sum: f64,
    max: f64,
}

impl Approaches {
    pub(super) fn add(&mut self, speed: f64) {
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

/// Writes a whole small file and puts it on the disk: first beside its place, so that it is there whole or as it was.
///
/// # Errors
/// [`WriteError`] when the file cannot be made or the disk is full.
pub fn write_file(file: &Path, content: &[u8]) -> Result<(), WriteError> {
    let failed = |source| WriteError { file: file.to_owned(), source };
    let (making, mut open) = beside(file).map_err(failed)?;
    let written = open.write_all(content).and_then(|()| open.sync_all());
    drop(open);
    written.and_then(|()| fs::rename(&making, file)).map_err(|source| {
        // A disk that is full has no room for half a file, either.
        let _ = fs::remove_file(&making);
        failed(source)
    })
}

/// A new file in the folder of `file`. Its name is short, because that of `file` may be as long as names may be.
fn beside(file: &Path) -> io::Result<(PathBuf, File)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let making = file.with_file_name(format!(".{}.{count}.new", std::process::id()));
        match File::create_new(&making) {
            // What a killed process of the same number has left.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            open => return open.map(|open| (making, open)),
        }
    }
}

/// Writes a file that the scenario names to where the copy of the scenario will look for it.
pub(super) fn keep(file: &MeshFile, folder: &Path) -> Result<(), WriteError> {
    let place = folder.join(&file.name);
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent).map_err(|source| WriteError { file: parent.to_owned(), source })?;
    }
    write_file(&place, &file.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_as_long_as_names_may_be() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("n".repeat(255));
        for content in ["first", "second"] {
            write_file(&file, content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), content);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_file(&folder.path().join("missing/file"), b"").is_err());
    }
}
