//! What a table's file is called, and what it says of its run.

use super::Table;
use crate::scenario::Format;

/// The name of a table's file.
pub fn file_name<T: Table>(format: Format) -> String {
    match format {
        Format::Csv => format!("{}.csv", T::NAME),
        Format::Parquet => format!("{}.parquet", T::NAME),
    }
}

/// What a table says of the run that it is of, where its format has room for that.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Heading {
    /// [`text_hash`](crate::record::text_hash) of the scenario's text.
    pub scenario_hash: String,
}
