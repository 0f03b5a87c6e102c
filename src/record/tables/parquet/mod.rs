//! Tables as Apache Parquet: column by column, for millions of rows.
//!
//! Whole numbers are `INT64` (unsigned), numbers `DOUBLE`, words `BYTE_ARRAY` of UTF-8. An instant is two `DOUBLE`s:
//! `time` is the nearest number of seconds, and `time_rest` is the error of that rounding. Their sum is exactly the
//! instant. Rows are stored in groups of at most [`GROUP_ROWS`], so the memory for writing and reading does not grow
//! with the length of a table.
//!
//! The metadata of a file have the program that wrote it, its scenario, the unit of each column, and a hash that shows
//! damage. (Apache Parquet format 2.11, 2025: `LogicalTypes.md`, `Encodings.md`.)

mod file_hash;
mod read;
mod write;

use parquet::schema::parser::parse_message_type;
use parquet::schema::types::Type;

use super::{Column, Kind};
use crate::motion::SimTime;
use crate::numeric::tolerance::{TICKS_PER_SECOND, TIME_MAX};
use crate::numeric::whole::floor;

pub(in crate::record) use file_hash::check_own;
pub(super) use read::each_row;
pub(super) use write::{ParquetWriter, begin};

/// Most rows of a group; one group is held in memory.
const GROUP_ROWS: usize = 1 << 17;

/// The ending of the name of an instant's second column.
const REST: &str = "_rest";

/// The columns of a table as Parquet has them. Their names hold no blanks, and none of `;{}()=,`.
fn schema(name: &str, columns: &[Column<'_>]) -> Result<Type, parquet::errors::ParquetError> {
    let columns: String = columns.iter().map(declared).collect();
    parse_message_type(&format!("message {name} {{ {columns} }}"))
}

fn declared(&Column { name, kind, .. }: &Column<'_>) -> String {
    match kind {
        Kind::Whole => format!("required int64 {name} (INTEGER(64,false)); "),
        Kind::WholeOrNone => format!("optional int64 {name} (INTEGER(64,false)); "),
        Kind::Real => format!("required double {name}; "),
        Kind::RealOrNone => format!("optional double {name}; "),
        Kind::Instant => format!("required double {name}; required double {name}{REST}; "),
        Kind::Word => format!("required binary {name} (UTF8); "),
    }
}

/// The instant of [`SimTime::seconds_and_rest`].
fn instant((seconds, rest): (f64, f64)) -> Result<SimTime, String> {
    let refused = || format!("{seconds} and {rest} seconds are no instant");
    // For a valid pair, the ticks and the remainder follow from the sum without rounding. Other pairs fail the check at
    // the end.
    if seconds.abs() > TIME_MAX || rest.is_nan() || seconds.is_nan() {
        return Err(refused());
    }
    let count = seconds * TICKS_PER_SECOND;
    let down = i64::from(rest < 0.0 && floor(count) as f64 == count);
    let ticks = floor(count) - down;
    let past = (seconds - ticks as f64 * SimTime::TICK) + rest;
    let time = (0.0..SimTime::TICK).contains(&past).then(|| SimTime::from_parts(ticks, past));
    time.filter(|&time| time.seconds_and_rest() == (seconds, rest)).ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_the_sum_of_its_two_numbers() {
        let rests = [0.0, 5e-324, 1e-20, 0.1, 0.5, 0.7, 1.0 - f64::EPSILON / 2.0].map(|part| part * SimTime::TICK);
        for ticks in [0, 1, 2, 3, 1_000_003, (1 << 53) - 1, -1, -2, -1_000_003, -(1 << 53) + 1] {
            for rest in rests {
                let time = SimTime::from_parts(ticks, rest);
                assert_eq!(instant(time.seconds_and_rest()), Ok(time), "{ticks} {rest}");
                assert_eq!(time.seconds_and_rest().0, time.seconds());
            }
        }
    }

    #[test]
    fn what_is_no_pair_is_refused() {
        let rows = [(f64::NAN, 0.0), (1.0, f64::NAN), (f64::INFINITY, 0.0), (1e300, 0.0), (1.5, 0.25), (0.0, -1e-20)];
        for row in rows {
            assert!(instant(row).is_err() || instant(row).unwrap().seconds_and_rest() == row, "{row:?}");
        }
        assert!(instant((1.5, 0.25)).is_err());
    }
}
