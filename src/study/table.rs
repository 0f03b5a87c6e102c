//! The table of a study: one row for each member, in the order of the design.

use std::path::Path;

use super::member::MemberResult;
use crate::record::tables::free::{Value, write_table};
use crate::record::tables::{Column, Kind};
use crate::record::{Heading, WriteError, text_hash};
use crate::scenario::Format;
use crate::scenario::sweep_file::{COLUMNS, Factor, Sweep};

/// The name of the table's file, without its ending.
pub const TABLE: &str = "table";

/// A member with its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its number, from 0.
    pub member: u64,
    /// The value of each factor, in RON.
    pub parameters: Vec<String>,
    /// The name of its result.
    pub key: String,
    /// Its result; `None` for a member that is lost.
    pub result: Option<MemberResult>,
}

/// Writes the table into a folder, as CSV and, if this build has it, as Parquet; returns the names of the files.
///
/// # Errors
/// [`WriteError`] when the disk is full.
pub fn write_tables(folder: &Path, sweep: &Sweep, text: &str, rows: &[Row]) -> Result<Vec<String>, WriteError> {
    let names = columns(sweep);
    let columns: Vec<Column<'_>> = names.iter().map(|(name, kind)| Column { name, kind: *kind, unit: "" }).collect();
    let rows: Vec<Vec<Value>> = rows.iter().map(|row| values(sweep, row)).collect();
    let heading = Heading { scenario_hash: text_hash(text) };
    let formats: &[(Format, &str)] = if cfg!(feature = "parquet") {
        &[(Format::Csv, "csv"), (Format::Parquet, "parquet")]
    } else {
        &[(Format::Csv, "csv")]
    };
    let mut files = Vec::new();
    for &(format, ending) in formats {
        let name = format!("{TABLE}.{ending}");
        write_table(&folder.join(&name), format, (TABLE, &columns), &heading, &rows)?;
        files.push(name);
    }
    Ok(files)
}

/// The names and the kinds of the columns of the table.
pub fn columns(sweep: &Sweep) -> Vec<(String, Kind)> {
    let factor =
        |factor: &Factor| (factor.column(), if factor.numbers().is_some() { Kind::RealOrNone } else { Kind::Word });
    let results = sweep.collect.iter().map(|collected| (collected.name.clone(), Kind::RealOrNone));
    let [member, words @ ..] = COLUMNS.map(str::to_owned);
    let first = std::iter::once((member, Kind::Whole));
    let words = words.into_iter().map(|name| (name, Kind::Word));
    first.chain(sweep.vary.iter().map(factor)).chain(results).chain(words).collect()
}

/// A row of the table, with a value for each column.
pub fn values(sweep: &Sweep, row: &Row) -> Vec<Value> {
    let are_numbers: Vec<bool> = sweep.vary.iter().map(|factor| factor.numbers().is_some()).collect();
    let results = sweep.collect.len();
    let mut values = vec![Value::Whole(row.member)];
    values.extend(row.parameters.iter().zip(&are_numbers).map(|(text, &is_number)| {
        if is_number { Value::RealOrNone(text.parse().ok()) } else { Value::Word(text.clone()) }
    }));
    let none = vec![None; results];
    let (found, status, message, state_hash) = match &row.result {
        Some(result) => (&result.values, result.status.name(), result.message.as_str(), result.state_hash.as_str()),
        None => (&none, "lost", "", ""),
    };
    // A table holds finite numbers only.
    values.extend(found.iter().map(|value| Value::RealOrNone(value.filter(|value| value.is_finite()))));
    values.extend([status, message, state_hash, &row.key].map(|word| Value::Word(word.to_owned())));
    values
}
