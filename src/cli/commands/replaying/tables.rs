//! `carom bisect` of two tables: the first row that differs.

use std::path::Path;

use super::words::{differing, good};
use crate::cli::arguments::replay::BisectArguments;
use crate::cli::commands::judging::unreadable;
use crate::cli::exit::{Exit, bad, hand_over, say};
use crate::cli::progress::while_busy;
use crate::numeric::{rounded, shown};
use crate::record::answers::{ReportAnswer, as_json};
use crate::record::foreign::{ForeignTable, RowDifference, TableComparison, compare_tables, read_foreign};

/// Whether a path names a table.
pub(super) fn is_table(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv") || ending.eq_ignore_ascii_case("parquet"))
}

pub(super) fn command(arguments: &BisectArguments) -> Result<Exit, Exit> {
    let BisectArguments { first, second, within, json } = arguments;
    let compared = while_busy((&first.to_string_lossy(), false), "comparing", || {
        let [a, b] = [read_foreign(first)?, read_foreign(second)?];
        let found = compare_tables(&a, &b, within.unwrap_or_default())?;
        Ok((a, b, found))
    });
    let (a, b, found) = compared.map_err(|error| unreadable(&error))?;
    if found.rows == 0 && found.first.is_none() {
        return Err(bad("the tables have no rows, so there is nothing to compare"));
    }
    if *json {
        hand_over(&as_json(&ReportAnswer::new(found.first.is_none(), &found)))?;
    }
    match &found.first {
        Some(row) => Ok(differing(&words(row, [&a, &b], &found))),
        None if *json => Ok(Exit::Success),
        None => {
            let limit = within.map_or_else(String::new, |within| format!(" within {}", shown(within)));
            say(&good(&format!("the same{limit} in {} rows", found.rows))).map(|()| Exit::Success)
        }
    }
}

/// What is different between two tables of which `row` is the first row that differs.
fn words(row: &RowDifference, tables: [&ForeignTable; 2], found: &TableComparison) -> Vec<String> {
    let RowDifference { time, body, column, values, places } = row;
    let names = tables.map(|table| table.origin.file.display().to_string());
    let place = |side: usize| Some(format!("{} {} of {}", tables[side].origin.unit, places[side]?, names[side]));
    let [first, second] = [place(0), place(1)];
    let how = match (column, values, first, second) {
        (Some(column), Some([a, b]), Some(first), Some(second)) => {
            format!("{column} is {} in {first}, and {} in {second}", shown(*a), shown(*b))
        }
        (_, _, Some(one), _) => format!("only {one} has a row"),
        (_, _, _, one) => format!("only {} has a row", one.unwrap_or_default()),
    };
    let mut lines = vec![format!("the first row that differs is `{body}` at {time} s: {how}")];
    let farthest = found.farthest.as_ref().filter(|farthest| farthest.distance > 0.0).map_or_else(String::new, |at| {
        format!("; the farthest apart is `{}` at {} s, by {} m", at.body, at.time, rounded(at.distance, 6))
    });
    lines.push(format!("rows that differ: {}; rows in both: {}{farthest}", found.other, found.rows));
    lines
}
