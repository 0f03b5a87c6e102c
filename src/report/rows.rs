//! The rows of the tables of a run.

use std::path::Path;

use crate::record::tables::Table;
use crate::record::tables::read::{ReadError, each_row};

/// Passes every row of the table in `folder` to `take`, in the order of the file.
///
/// # Errors
/// When the table cannot be read.
pub(super) fn every_row<T: Table>(folder: &Path, mut take: impl FnMut(T::Row<'_>)) -> Result<(), ReadError> {
    each_row::<T>(folder, |row| {
        take(row);
        Ok(())
    })
}
