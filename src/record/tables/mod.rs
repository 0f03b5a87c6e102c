//! The tables of a run: their names, their columns, and the meaning of their rows.
//!
//! Each table is described once, in this file. Writers and readers, of CSV and of Parquet, work from that description,
//! so they cannot drift apart. Rows are in the order of the events. The names in a row are borrowed from the buffer
//! that it was read into, so that a table of ten million rows is read without ten million allocations.

mod cell;
mod checksummed_file;
mod csv;
#[doc(hidden)]
pub mod free;
pub(super) mod heading;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "parquet/absent.rs"]
mod parquet;
#[doc(hidden)]
pub mod read;
mod read_error;
pub(super) mod table_writer;
pub(super) mod write;

use glam::DVec3;

use crate::dynamics::EventKind;
use crate::motion::SimTime;
use cell::Cell;

#[doc(hidden)]
pub use cell::{Column, Fields, Kind, Line};
#[cfg(feature = "parquet")]
pub(super) use parquet::check_own;
pub(super) use read_error::in_column;

/// The file of the scenario as it was run, with the values that were set from outside.
#[doc(hidden)]
pub const SCENARIO_FILE: &str = "scenario.ron";

/// A kind of table: its name, its columns, its rows.
pub trait Table {
    /// One line.
    type Row<'a>;
    /// The name of its file, without the ending.
    const NAME: &'static str;
    /// Its columns, from left to right.
    const COLUMNS: &'static [Column<'static>];

    /// Passes the values of a row to `line`, in the order of the columns.
    fn put(row: &Self::Row<'_>, line: &mut impl Line);

    /// Makes a row of its values, taken in the order of the columns.
    ///
    /// # Errors
    /// What is wrong with the last value that was taken.
    fn take<'a>(fields: &mut impl Fields<'a>) -> Result<Self::Row<'a>, String>;
}

/// Describes tables: the name of each, and for each field of its rows the kind, the names and the unit of its columns.
macro_rules! tables {
    ($(
        $(#[$about:meta])* $table:ident = $name:literal;
        $(#[$what:meta])* $row:ident $(<$life:lifetime>)? {
            $($(#[$doc:meta])* $field:ident: $type:ty = $kind:ident [$($column:literal),+] $unit:literal,)+
        }
    )+) => {
        /// The names of all tables.
        const NAMES: &[&str] = &[$($name),+];
        $(
        $(#[$about])*
        #[derive(Debug, Clone, Copy)]
        pub enum $table {}

        $(#[$what])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $row $(<$life>)? { $($(#[$doc])* pub $field: $type,)+ }

        impl Table for $table {
            type Row<'a> = $row $(<$life>)?;
            const NAME: &'static str = $name;
            const COLUMNS: &'static [Column<'static>] =
                &[$($(Column { name: $column, kind: Kind::$kind, unit: $unit },)+)+];

            fn put(row: &Self::Row<'_>, line: &mut impl Line) {
                $(row.$field.put(line);)+
            }

            fn take<'a>(fields: &mut impl Fields<'a>) -> Result<Self::Row<'a>, String> {
                Ok($row { $($field: Cell::take(fields)?,)+ })
            }
        }
        )+
    };
}

tables! {
    /// Every event, in order of time.
    Events = "events";
    /// One line of [`Events`].
    EventRow<'a> {
        /// When.
        time: SimTime = Instant ["time"] "s",
        /// What.
        kind: EventKind = Word ["kind"] "",
        /// Name of the first body.
        a: &'a str = Word ["a"] "",
        /// Name of the second body, if the event has one.
        b: Option<&'a str> = Word ["b"] "",
        /// Where they touch, m, world frame; in a periodic space the image next to `a`. Without `b` it is where `a` is.
        point: DVec3 = Real ["px", "py", "pz"] "m",
        /// Unit normal there, from `a` to `b`; zero without `b`.
        normal: DVec3 = Real ["nx", "ny", "nz"] "",
        /// How fast the gap was closing just before, m/s.
        approach_speed: f64 = Real ["approach_speed"] "m/s",
        /// Size of the impulse exchanged, N·s.
        impulse: f64 = Real ["impulse"] "N·s",
        /// Kinetic energy turned into heat, J.
        loss: f64 = Real ["loss"] "J",
        /// The number of the group of simultaneous impacts that it belongs to, from 1; 0 for other events.
        group: u64 = Whole ["group"] "",
    }

    /// How many events there were up to each recorded step, for a run that counts them.
    Counts = "counts";
    /// One line of [`Counts`].
    CountRow {
        /// Which step.
        step: u64 = Whole ["step"] "",
        /// When.
        time: SimTime = Instant ["time"] "s",
        /// Events since the start, by kind.
        events: [u64; EventKind::ALL.len()] =
            Whole [
                "impact", "enter", "leave", "rest", "release", "stick", "slip", "collapse", "join", "quit", "sleep", "wake"
            ] "",
        /// Mean approach speed of the impacts since the line before, m/s.
        approach_mean: Option<f64> = RealOrNone ["approach_mean"] "m/s",
        /// Largest approach speed of the impacts since the line before, m/s.
        approach_max: Option<f64> = RealOrNone ["approach_max"] "m/s",
    }

    /// Where the recorded bodies are at each recorded step.
    Trajectory = "trajectory";
    /// One line of [`Trajectory`].
    TrajectoryRow<'a> {
        /// Which step.
        step: u64 = Whole ["step"] "",
        /// When.
        time: SimTime = Instant ["time"] "s",
        /// The name of the body.
        body: &'a str = Word ["body"] "",
        /// Position, m, world frame; inside the period on periodic axes.
        position: DVec3 = Real ["x", "y", "z"] "m",
        /// Velocity, m/s.
        velocity: DVec3 = Real ["vx", "vy", "vz"] "m/s",
        /// Angular velocity, rad/s.
        spin: DVec3 = Real ["wx", "wy", "wz"] "rad/s",
    }

    /// The knots: the path of each followed body from an instant on, until its next row.
    Paths = "paths";
    /// One line of [`Paths`].
    PathRow<'a> {
        /// The instant from which this path holds, and from which its time is counted.
        time: SimTime = Instant ["time"] "s",
        /// The name of the body.
        body: &'a str = Word ["body"] "",
        /// Position at that instant, m, world frame; not brought back into the period.
        position: DVec3 = Real ["x", "y", "z"] "m",
        /// Velocity at that instant, m/s.
        velocity: DVec3 = Real ["vx", "vy", "vz"] "m/s",
        /// Constant acceleration, m/s².
        acceleration: DVec3 = Real ["ax", "ay", "az"] "m/s²",
    }

    /// The energy book at each recorded step.
    Energy = "energy";
    /// One line of [`Energy`]: `kinetic + potential + dissipated + contact_heat − work` stays constant.
    EnergyRow {
        /// Which step.
        step: u64 = Whole ["step"] "",
        /// When.
        time: SimTime = Instant ["time"] "s",
        /// Kinetic energy, J.
        kinetic: f64 = Real ["kinetic"] "J",
        /// Potential energy, J.
        potential: f64 = Real ["potential"] "J",
        /// Energy lost at impacts since the start, J.
        dissipated: f64 = Real ["dissipated"] "J",
        /// Energy lost in lasting contacts since the start, J.
        contact_heat: f64 = Real ["contact_heat"] "J",
        /// Work done by kinematic bodies since the start, J.
        work: f64 = Real ["work"] "J",
        /// Total momentum, N·s.
        momentum: DVec3 = Real ["px", "py", "pz"] "N·s",
    }

    /// Properties of the gas between two recorded steps, for a run that observes it.
    Gas = "gas";
    /// One line of [`Gas`]: means since the line before, except the temperature, which is that of the instant.
    GasRow {
        /// Which step.
        step: u64 = Whole ["step"] "",
        /// When.
        time: SimTime = Instant ["time"] "s",
        /// k_B T, J.
        temperature: Option<f64> = RealOrNone ["temperature"] "J",
        /// N/m²; N/m in two dimensions, N in one.
        pressure: Option<f64> = RealOrNone ["pressure"] "N/m², N/m or N",
        /// Impacts of one body with others, 1/s.
        collision_rate: Option<f64> = RealOrNone ["collision_rate"] "1/s",
        /// Pressure over that of an ideal gas.
        compressibility: Option<f64> = RealOrNone ["compressibility"] "",
    }

    /// The distribution of the speeds of the gas, for a run that observes it.
    Speeds = "speeds";
    /// One line of [`Speeds`].
    SpeedRow {
        /// Lower end of the class, in √(k_B T / m).
        low: f64 = Real ["low"] "√(k_B T / m)",
        /// Upper end of the class.
        high: f64 = Real ["high"] "√(k_B T / m)",
        /// How many bodies had such a speed, at all recorded steps since the means began.
        count: u64 = Whole ["count"] "",
        /// The number of bodies by Maxwell's law.
        maxwell: f64 = Real ["maxwell"] "",
    }

    /// How full a vessel is along its walls at the end, for a run that observes its packing.
    Profile = "profile";
    /// One line of [`Profile`].
    ProfileRow {
        /// Smallest distance of the layer from the wall, mean diameters.
        low: f64 = Real ["low"] "mean diameters",
        /// Largest distance.
        high: f64 = Real ["high"] "mean diameters",
        /// The part of the layer that balls fill.
        fraction: f64 = Real ["fraction"] "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_a_column_for_each_kind_of_event() {
        let columns: Vec<&str> = Counts::COLUMNS.iter().map(|column| column.name).collect();
        assert_eq!(columns[2..14], EventKind::ALL.map(EventKind::name));
    }
}
