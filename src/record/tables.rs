//! The tables of a run: which file, which columns, which row.
//!
//! Whoever writes a table and whoever reads it share this page, so the two cannot drift apart. A number is written in
//! the shortest form that reads back to the same bits, an instant as [`SimTime`] prints it. Rows are in the
//! order in which things happened. A row borrows its names from the line it was read from, so that a table of ten
//! million rows is read without ten million allocations.

use std::fmt::Display;
use std::io::Write;
use std::str::FromStr;

use glam::DVec3;
use serde::{Serialize, Serializer};

use crate::dynamics::EventKind;
use crate::motion::SimTime;

/// The scenario, word for word as it was read.
pub const SCENARIO_FILE: &str = "scenario.ron";

/// A kind of table: its file, its columns, its rows.
pub trait Table {
    /// One line.
    type Row<'a>: Serialize;
    /// Name of the file in the folder of the run.
    const FILE: &'static str;
    /// The words of its first line.
    const COLUMNS: &'static [&'static str];

    /// Reads one line, field by field in the order of the columns.
    ///
    /// # Errors
    /// What is wrong with the field taken last.
    fn row<'a>(fields: &mut Fields<'a>) -> Result<Self::Row<'a>, String>;
}

/// Every event, in order of time.
#[derive(Debug, Clone, Copy)]
pub enum Events {}

/// Where the recorded bodies are at each recorded step.
#[derive(Debug, Clone, Copy)]
pub enum Trajectory {}

/// The knots: what each followed body's path is from an instant on, until its next row.
#[derive(Debug, Clone, Copy)]
pub enum Paths {}

/// The energy book at each recorded step.
#[derive(Debug, Clone, Copy)]
pub enum Energy {}

/// What the gas was like between two recorded steps, of a run that observes it.
#[derive(Debug, Clone, Copy)]
pub enum Gas {}

/// How the speeds of the gas were spread, of a run that observes it.
#[derive(Debug, Clone, Copy)]
pub enum Speeds {}

/// One line of [`Events`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventRow<'a> {
    /// When.
    #[serde(serialize_with = "word")]
    pub time: SimTime,
    /// What.
    #[serde(serialize_with = "word")]
    pub kind: EventKind,
    /// Name of the first body.
    pub a: &'a str,
    /// Name of the second body.
    pub b: &'a str,
    /// Where they touch, m, world frame; in a periodic space the image next to `a`.
    #[serde(serialize_with = "triple")]
    pub point: DVec3,
    /// Unit normal there, from `a` to `b`.
    #[serde(serialize_with = "triple")]
    pub normal: DVec3,
    /// How fast the gap was closing just before, m/s.
    pub approach_speed: f64,
    /// Size of the impulse exchanged, N·s.
    pub impulse: f64,
    /// Kinetic energy turned into heat, J.
    pub loss: f64,
    /// Which group of impacts at one instant it belongs to, counted from 1; 0 for what is no impact.
    pub group: u64,
}

/// One line of [`Trajectory`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrajectoryRow<'a> {
    /// Which step.
    pub step: u64,
    /// When.
    #[serde(serialize_with = "word")]
    pub time: SimTime,
    /// Whose.
    pub body: &'a str,
    /// Position, m, world frame; inside the period on periodic axes.
    #[serde(serialize_with = "triple")]
    pub position: DVec3,
    /// Velocity, m/s.
    #[serde(serialize_with = "triple")]
    pub velocity: DVec3,
    /// Angular velocity, rad/s.
    #[serde(serialize_with = "triple")]
    pub spin: DVec3,
}

/// One line of [`Paths`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PathRow<'a> {
    /// The instant from which this path holds, and from which its time is counted.
    #[serde(serialize_with = "word")]
    pub time: SimTime,
    /// Whose.
    pub body: &'a str,
    /// Position at that instant, m, world frame; not brought back into the period.
    #[serde(serialize_with = "triple")]
    pub position: DVec3,
    /// Velocity at that instant, m/s.
    #[serde(serialize_with = "triple")]
    pub velocity: DVec3,
    /// Constant acceleration, m/s².
    #[serde(serialize_with = "triple")]
    pub acceleration: DVec3,
}

/// One line of [`Energy`]: `kinetic + potential + dissipated + rubbed − work` stays what it was.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EnergyRow {
    /// Which step.
    pub step: u64,
    /// When.
    #[serde(serialize_with = "word")]
    pub time: SimTime,
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Potential energy, J.
    pub potential: f64,
    /// Energy lost at impacts since the start, J.
    pub dissipated: f64,
    /// Energy lost in lasting contacts since the start, J.
    pub rubbed: f64,
    /// Work done by kinematic bodies since the start, J.
    pub work: f64,
    /// Total momentum, N·s.
    #[serde(serialize_with = "triple")]
    pub momentum: DVec3,
}

/// One line of [`Gas`]: means since the line before, but the temperature is that of the instant.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GasRow {
    /// Which step.
    pub step: u64,
    /// When.
    #[serde(serialize_with = "word")]
    pub time: SimTime,
    /// k_B T, J.
    pub temperature: Option<f64>,
    /// N/m²; N/m in two dimensions, N in one.
    pub pressure: Option<f64>,
    /// Impacts of one body with others, 1/s.
    pub collision_rate: Option<f64>,
    /// Pressure over that of an ideal gas.
    pub compressibility: Option<f64>,
}

/// One line of [`Speeds`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpeedRow {
    /// Lower end of the class, in √(k_B T / m).
    pub low: f64,
    /// Upper end of the class.
    pub high: f64,
    /// How many bodies had such a speed, at all recorded steps since the means begin.
    pub count: u64,
    /// How many would by Maxwell's law.
    pub maxwell: f64,
}

impl Table for Events {
    type Row<'a> = EventRow<'a>;
    const FILE: &'static str = "events.csv";
    const COLUMNS: &'static [&'static str] =
        &["time", "kind", "a", "b", "px", "py", "pz", "nx", "ny", "nz", "approach_speed", "impulse", "loss", "group"];

    fn row<'a>(fields: &mut Fields<'a>) -> Result<Self::Row<'a>, String> {
        Ok(EventRow {
            time: fields.parsed()?,
            kind: fields.parsed()?,
            a: fields.word(),
            b: fields.word(),
            point: fields.vector()?,
            normal: fields.vector()?,
            approach_speed: fields.number()?,
            impulse: fields.number()?,
            loss: fields.number()?,
            group: fields.parsed()?,
        })
    }
}

impl Table for Trajectory {
    type Row<'a> = TrajectoryRow<'a>;
    const FILE: &'static str = "trajectory.csv";
    const COLUMNS: &'static [&'static str] =
        &["step", "time", "body", "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"];

    fn row<'a>(fields: &mut Fields<'a>) -> Result<Self::Row<'a>, String> {
        Ok(TrajectoryRow {
            step: fields.parsed()?,
            time: fields.parsed()?,
            body: fields.word(),
            position: fields.vector()?,
            velocity: fields.vector()?,
            spin: fields.vector()?,
        })
    }
}

impl Table for Paths {
    type Row<'a> = PathRow<'a>;
    const FILE: &'static str = "paths.csv";
    const COLUMNS: &'static [&'static str] = &["time", "body", "x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az"];

    fn row<'a>(fields: &mut Fields<'a>) -> Result<Self::Row<'a>, String> {
        Ok(PathRow {
            time: fields.parsed()?,
            body: fields.word(),
            position: fields.vector()?,
            velocity: fields.vector()?,
            acceleration: fields.vector()?,
        })
    }
}

impl Table for Energy {
    type Row<'a> = EnergyRow;
    const FILE: &'static str = "energy.csv";
    const COLUMNS: &'static [&'static str] =
        &["step", "time", "kinetic", "potential", "dissipated", "rubbed", "work", "px", "py", "pz"];

    fn row<'a>(fields: &mut Fields<'a>) -> Result<Self::Row<'a>, String> {
        Ok(EnergyRow {
            step: fields.parsed()?,
            time: fields.parsed()?,
            kinetic: fields.number()?,
            potential: fields.number()?,
            dissipated: fields.number()?,
            rubbed: fields.number()?,
            work: fields.number()?,
            momentum: fields.vector()?,
        })
    }
}

impl Table for Gas {
    type Row<'a> = GasRow;
    const FILE: &'static str = "gas.csv";
    const COLUMNS: &'static [&'static str] =
        &["step", "time", "temperature", "pressure", "collision_rate", "compressibility"];

    fn row<'a>(fields: &mut Fields<'a>) -> Result<Self::Row<'a>, String> {
        Ok(GasRow {
            step: fields.parsed()?,
            time: fields.parsed()?,
            temperature: fields.number_or_none()?,
            pressure: fields.number_or_none()?,
            collision_rate: fields.number_or_none()?,
            compressibility: fields.number_or_none()?,
        })
    }
}

impl Table for Speeds {
    type Row<'a> = SpeedRow;
    const FILE: &'static str = "speeds.csv";
    const COLUMNS: &'static [&'static str] = &["low", "high", "count", "maxwell"];

    fn row<'a>(fields: &mut Fields<'a>) -> Result<Self::Row<'a>, String> {
        let (low, high) = (fields.number()?, fields.number()?);
        Ok(SpeedRow { low, high, count: fields.parsed()?, maxwell: fields.number()? })
    }
}

/// Begins a table on `into`: its first line is written, and rows of type `T::Row` may be serialized to it.
///
/// # Errors
/// When the first line cannot be written.
pub fn writer<T: Table, W: Write>(into: W) -> csv::Result<csv::Writer<W>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(into);
    writer.write_record(T::COLUMNS)?;
    Ok(writer)
}

/// The fields of one line, taken from left to right.
///
/// Each is checked as it is taken, so that a complaint knows its column, which serde's errors would not.
#[derive(Debug)]
pub struct Fields<'a> {
    record: &'a csv::StringRecord,
    /// How many were taken.
    taken: usize,
}

impl<'a> Fields<'a> {
    /// Begins at the first field of `record`.
    pub const fn new(record: &'a csv::StringRecord) -> Self {
        Self { record, taken: 0 }
    }

    /// How many fields were taken: the rank of the column at fault, from 1, when one was refused.
    pub const fn taken(&self) -> usize {
        self.taken
    }

    /// The next field as it stands. A missing one is empty.
    fn word(&mut self) -> &'a str {
        self.taken += 1;
        self.record.get(self.taken - 1).unwrap_or_default()
    }

    fn parsed<T: FromStr<Err: Display>>(&mut self) -> Result<T, String> {
        let word = self.word();
        word.parse().map_err(|error| format!("`{word}`: {error}"))
    }

    /// The next field as a finite number: a table never holds another, so another is a sign of damage.
    fn number(&mut self) -> Result<f64, String> {
        let value: f64 = self.parsed()?;
        if value.is_finite() { Ok(value) } else { Err(format!("{value} is not a finite number")) }
    }

    /// The next field as a finite number, or as none when it is empty.
    fn number_or_none(&mut self) -> Result<Option<f64>, String> {
        if self.record.get(self.taken) == Some("") {
            self.taken += 1;
            return Ok(None);
        }
        self.number().map(Some)
    }

    fn vector(&mut self) -> Result<DVec3, String> {
        Ok(DVec3::new(self.number()?, self.number()?, self.number()?))
    }
}

/// A value as the word that it prints.
fn word<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Three neighbouring columns.
fn triple<S: Serializer>(value: &DVec3, serializer: S) -> Result<S::Ok, S::Error> {
    value.to_array().serialize(serializer)
}
