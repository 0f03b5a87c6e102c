//! The requests of a scenario: what is recorded, drawn and checked; and the files that it uses.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::limits::PATHS_MAX_DEFAULT;
use super::vessel::Vessel;
use crate::dynamics::EventKind;
use crate::motion::SimTime;

/// A file that a scenario takes a mesh or a list of bodies from.
#[derive(Clone, PartialEq, Eq)]
pub struct MeshFile {
    /// Its path from the folder of the scenario, as the scenario gives it; it does not leave this folder.
    pub name: String,
    /// The bytes that were read.
    pub bytes: Arc<[u8]>,
}

/// Leaves out the bytes, which may be millions.
impl fmt::Debug for MeshFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} ({} bytes)", self.name, self.bytes.len())
    }
}

/// A measurement during the run, or at its end.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Observation {
    /// All free bodies but sensors, as a gas. Its means are over the second half of the run.
    Gas,
    /// All balls of a vessel, as a packing, at the end.
    Packing(PackingRequest),
}

/// What is measured of a packing.
#[derive(Debug, Clone, PartialEq)]
pub struct PackingRequest {
    /// The space that is filled.
    pub vessel: Vessel,
    /// Bodies touch if their gap is at most this, in mean diameters.
    pub gap: f64,
}

/// A number of a packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub enum PackingFigure {
    /// The part of the vessel that balls fill.
    Fraction,
    /// Mean number of contacts of a ball that is no rattler.
    Coordination,
    /// The part of the balls that nothing holds.
    Rattlers,
}

/// A mean of a gas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub enum GasFigure {
    /// k_B T, J.
    Temperature,
    /// N/m² in three dimensions, N/m in two, N in one.
    Pressure,
    /// Impacts of one body with others, 1/s.
    CollisionRate,
    /// Pressure over that of an ideal gas, no unit.
    Compressibility,
}

/// How tables are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Format {
    /// Text, one line per row.
    #[default]
    Csv,
    /// Apache Parquet: binary, column by column, for tables of millions of rows.
    Parquet,
}

/// What is recorded of the events of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum EventLog {
    /// A row for each.
    #[default]
    All,
    /// How many there were of each kind, a row for each recorded step.
    Counted,
}

/// What is recorded during a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// Every how many steps the trajectory has a row for each recorded body; at least 1. The first and
    /// the last step are always there.
    pub stride: u64,
    /// Further instants at which the trajectory has rows, in order, each once; none lies after the end of the run in
    /// the scenario.
    pub at: Vec<SimTime>,
    /// Every how many steps the energy book has a row; at least 1, and also at the first and the last step. It is an
    /// account of all bodies, recorded or not.
    pub energy_stride: u64,
    /// The bodies in the trajectory; empty means every body that can move.
    pub bodies: Vec<String>,
    /// The bodies whose exact paths are kept for plots; `None` means 64 of those that can move, or all
    /// if they are fewer.
    pub paths: Option<Vec<String>>,
    /// Most rows in the file of paths. A body beyond it is drawn from its trajectory.
    pub paths_max: u64,
    /// How the events are recorded.
    pub events: EventLog,
    /// How tables are written.
    pub format: Format,
    /// Every how many steps the recording has a hash of the state; at least 1. The first and the last step are always
    /// there.
    pub hashes: u64,
    /// Every how many steps the recording has a whole snapshot. `None` means at growing intervals: at the beginning,
    /// and from step 16 on four times in each doubling of the time.
    pub snapshots: Option<u64>,
}

impl Default for Recording {
    /// Every step, every body that can move.
    fn default() -> Self {
        Self {
            stride: 1,
            at: Vec::new(),
            energy_stride: 1,
            bodies: Vec::new(),
            paths: None,
            paths_max: PATHS_MAX_DEFAULT,
            events: EventLog::All,
            format: Format::Csv,
            hashes: 1,
            snapshots: None,
        }
    }
}

/// A bound on a count. At least one field is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Just this many.
    pub exactly: Option<u64>,
    /// This many or more.
    pub at_least: Option<u64>,
    /// This many or fewer.
    pub at_most: Option<u64>,
}

/// Something that must hold when the run is over.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Expectation {
    /// How many events of one kind; only those that involve all `bodies` (none, one or two names) count.
    Events {
        /// The kind counted.
        kind: EventKind,
        /// Events of these bodies; empty means of all.
        bodies: Vec<String>,
        /// How many.
        count: Count,
    },
    /// |E_end − E_start + dissipated + contact_heat − work| over the largest energy of the run is below this.
    EnergyDrift {
        /// Bound, no unit.
        below: f64,
    },
    /// The deepest overlap seen at an impact is below this.
    Deepest {
        /// Bound, m.
        below: f64,
    },
    /// The change of total momentum over the sum of the sizes of all momenta is below this.
    MomentumDrift {
        /// Bound, no unit.
        below: f64,
    },
    /// Where a body is in the end.
    Position {
        /// Which body.
        body: String,
        /// Wanted place, m.
        near: [f64; 3],
        /// Largest distance from it, m.
        within: f64,
    },
    /// How fast a body is in the end.
    Velocity {
        /// Which body.
        body: String,
        /// Wanted velocity, m/s.
        near: [f64; 3],
        /// Largest difference, m/s.
        within: f64,
    },
    /// Bodies that neither move nor turn at the end, exactly.
    AtRest {
        /// Which; empty means all that are free.
        bodies: Vec<String>,
    },
    /// When a body's last event of one kind was.
    LastEvent {
        /// The kind.
        kind: EventKind,
        /// Which body.
        body: String,
        /// Wanted time, s.
        near: f64,
        /// Largest difference, s.
        within: f64,
    },
    /// The value of a mean of the gas.
    Gas {
        /// The mean.
        figure: GasFigure,
        /// Wanted value, in its unit.
        near: f64,
        /// Largest difference.
        within: f64,
    },
    /// The value of a number of the packing.
    Packing {
        /// The number.
        figure: PackingFigure,
        /// Wanted value, no unit.
        near: f64,
        /// Largest difference.
        within: f64,
    },
    /// The hash of the final state, as 64 hexadecimal digits in lower case.
    Hash(String),
}
