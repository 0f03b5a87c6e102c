//! The tables of a run, written as it goes on.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::gas::{Class, Figures, Meter};
use super::tables::{self, Energy, EnergyRow, EventRow, Events, Gas, GasRow, PathRow, Paths};
use super::tables::{SpeedRow, Speeds, Table, Trajectory, TrajectoryRow};
use crate::dynamics::{Audit, Balance, BodyId, Event, Knot};
use crate::motion::SimTime;
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

/// A table that is being written.
struct Sheet {
    file: PathBuf,
    writer: csv::Writer<BufWriter<File>>,
}

impl Sheet {
    fn create<T: Table>(folder: &Path) -> Result<Self, WriteError> {
        let file = folder.join(T::FILE);
        let open = File::create(&file).map_err(|source| WriteError { file: file.clone(), source })?;
        let writer = tables::writer::<T, _>(BufWriter::new(open));
        writer
            .map(|writer| Self { file: file.clone(), writer })
            .map_err(|error| WriteError { file, source: error.into() })
    }

    fn put(&mut self, row: impl serde::Serialize) -> Result<(), WriteError> {
        self.writer.serialize(row).map_err(|error| WriteError { file: self.file.clone(), source: error.into() })
    }

    /// Puts everything on the disk: a disk that is full says so here at the latest.
    fn finish(mut self) -> Result<(), WriteError> {
        let flushed = self.writer.flush();
        let synced = flushed.and_then(|()| {
            let mut buffer = self.writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
            buffer.flush()?;
            buffer.get_ref().sync_all()
        });
        synced.map_err(|source| WriteError { file: self.file, source })
    }
}

/// The tables of a run.
pub(super) struct Sheets {
    events: Sheet,
    trajectory: Sheet,
    paths: Sheet,
    energy: Sheet,
    /// What the gas is like and how its speeds are spread, where it is observed.
    gas: Option<[Sheet; 2]>,
    /// Rows of paths there is still room for.
    paths_left: u64,
    /// When there was no more room.
    pub(super) paths_full: Option<SimTime>,
}

impl Sheets {
    pub(super) fn create(folder: &Path, paths_max: u64, has_gas: bool) -> Result<Self, WriteError> {
        let gas = || Ok([Sheet::create::<Gas>(folder)?, Sheet::create::<Speeds>(folder)?]);
        Ok(Self {
            events: Sheet::create::<Events>(folder)?,
            trajectory: Sheet::create::<Trajectory>(folder)?,
            paths: Sheet::create::<Paths>(folder)?,
            energy: Sheet::create::<Energy>(folder)?,
            gas: has_gas.then(gas).transpose()?,
            paths_left: paths_max,
            paths_full: None,
        })
    }

    pub(super) fn event(&mut self, world: &World, event: &Event) -> Result<(), WriteError> {
        let &Event { time, kind, a, b, point, normal, approach_speed, impulse, loss, group } = event;
        let (a, b) = (world.name(a), world.name(b));
        self.events.put(EventRow { time, kind, a, b, point, normal, approach_speed, impulse, loss, group })
    }

    pub(super) fn knot(&mut self, world: &World, knot: &Knot) -> Result<(), WriteError> {
        let path = knot.path;
        if self.paths_left == 0 {
            self.paths_full.get_or_insert(path.epoch);
            return Ok(());
        }
        self.paths_left -= 1;
        self.paths.put(PathRow {
            time: path.epoch,
            body: world.name(knot.body),
            position: path.position,
            velocity: path.velocity,
            acceleration: path.acceleration,
        })
    }

    pub(super) fn state(&mut self, world: &World, step: u64, id: BodyId) -> Result<(), WriteError> {
        let state = world.state(id);
        self.trajectory.put(TrajectoryRow {
            step,
            time: world.now(),
            body: world.name(id),
            position: state.position,
            velocity: state.velocity,
            spin: state.spin,
        })
    }

    pub(super) fn energy(&mut self, step: u64, time: SimTime, now: &Balance, audit: &Audit) -> Result<(), WriteError> {
        self.energy.put(EnergyRow {
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
        let Some([sheet, _]) = &mut self.gas else { return Ok(()) };
        let Figures { temperature, pressure, collision_rate, compressibility } = figures;
        sheet.put(GasRow { step, time, temperature, pressure, collision_rate, compressibility })
    }

    pub(super) fn speeds(&mut self, meter: &Meter) -> Result<(), WriteError> {
        let Some([_, sheet]) = &mut self.gas else { return Ok(()) };
        meter
            .speeds()
            .classes()
            .try_for_each(|Class { low, high, count, maxwell }| sheet.put(SpeedRow { low, high, count, maxwell }))
    }

    pub(super) fn finish(self) -> Result<(), WriteError> {
        let always = [self.events, self.trajectory, self.paths, self.energy];
        always.into_iter().chain(self.gas.into_iter().flatten()).try_for_each(Sheet::finish)
    }
}

/// Writes a whole small file and puts it on the disk.
///
/// # Errors
/// [`WriteError`] when the file cannot be made or the disk is full.
pub fn write_file(file: &Path, content: &[u8]) -> Result<(), WriteError> {
    let written = File::create(file).and_then(|mut open| {
        open.write_all(content)?;
        open.sync_all()
    });
    written.map_err(|source| WriteError { file: file.to_owned(), source })
}
