//! The name of a table's file, and the facts about the run that it contains.

use super::{NAMES, Table};
use crate::scenario::Format;

/// The name of a table's file.
pub fn file_name<T: Table>(format: Format) -> String {
    named(T::NAME, format)
}

/// The names that files of tables in a run's folder may have.
pub fn file_names(format: Format) -> impl Iterator<Item = String> {
    NAMES.iter().map(move |name| named(name, format))
}

fn named(name: &str, format: Format) -> String {
    match format {
        Format::Csv => format!("{name}.csv"),
        Format::Parquet => format!("{name}.parquet"),
    }
}

/// The facts about its run that a table contains, if its format has room for them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Heading {
    /// [`text_hash`](crate::record::text_hash) of the scenario's text.
    pub scenario_hash: String,
}
