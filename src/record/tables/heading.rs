//! The name of a table's file, and the facts about the run that it contains.

use super::Table;
use crate::scenario::Format;

/// The name of a table's file.
pub fn file_name<T: Table>(format: Format) -> String {
    match format {
        Format::Csv => format!("{}.csv", T::NAME),
        Format::Parquet => format!("{}.parquet", T::NAME),
    }
}

/// The facts about its run that a table contains, if its format has room for them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Heading {
    /// [`text_hash`](crate::record::text_hash) of the scenario's text.
    pub scenario_hash: String,
}
