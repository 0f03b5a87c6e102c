//! Trajectories, logs of events and answers to casts that other programs have written, as CSV or Parquet.
//!
//! The columns may stand in any order, and there may be other columns: only those of the layout are read. The meaning
//! of the rows is not interpreted here. An error in a file is reported with its line, or with its row in Parquet.

mod casts;
mod csv;
mod difference;
mod error;
mod events;
mod layout;
#[cfg(feature = "parquet")]
mod parquet;
mod table;

use std::path::Path;

pub use casts::{ForeignCast, ForeignCasts};
pub use difference::{Farthest, RowDifference, TableComparison, compare_tables};
pub use error::{ForeignError, ROWS_MAX};
pub use events::{EVENT_COLUMNS, ForeignEvent, ForeignEvents};
pub use layout::Origin;
use layout::Rows;
pub use table::{COLUMNS, ForeignRow, ForeignTable, SPIN};

/// Reads a trajectory; a file with the ending `.parquet` is Parquet, any other is CSV.
///
/// # Errors
/// [`ForeignError`] when the file cannot be read, lacks a column, or has a value that is not what the column wants.
pub fn read_foreign(file: &Path) -> Result<ForeignTable, ForeignError> {
    Ok(read::<table::Reading>(file)?.finished())
}

/// Reads a log of events, in the same formats.
///
/// # Errors
/// As [`read_foreign`].
pub fn read_foreign_events(file: &Path) -> Result<ForeignEvents, ForeignError> {
    Ok(read::<events::Reading>(file)?.events)
}

/// Reads answers to the casts of the oracle, in the same formats.
///
/// # Errors
/// As [`read_foreign`].
pub fn read_foreign_casts(file: &Path) -> Result<ForeignCasts, ForeignError> {
    Ok(read::<casts::Reading>(file)?.casts)
}

fn read<T: Rows>(file: &Path) -> Result<T, ForeignError> {
    if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet")) {
        return read_parquet(file);
    }
    csv::read(file)
}

#[cfg(feature = "parquet")]
fn read_parquet<T: Rows>(file: &Path) -> Result<T, ForeignError> {
    parquet::read(file)
}

#[cfg(not(feature = "parquet"))]
fn read_parquet<T: Rows>(file: &Path) -> Result<T, ForeignError> {
    let problem = "this carom was built without Parquet; write the table as CSV".to_owned();
    Err(ForeignError::Damaged { file: file.to_owned(), problem })
}
