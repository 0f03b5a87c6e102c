//! The parts of a table that are read, in any format: the columns of one kind of table, and the cells of a row.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::error::ForeignError;
use crate::motion::SimTime;
use crate::numeric::shown;
use crate::scenario::limits::DURATION_MAX;

/// The largest number up to which floating point represents every whole number.
const WHOLE_MAX: f64 = (1_u64 << 53) as f64;

/// The columns of one kind of table.
#[derive(Debug)]
pub(super) struct Layout {
    /// The columns that it must have.
    pub(super) wanted: &'static [&'static str],
    /// Groups of columns; of each it must have all or none.
    pub(super) optional: &'static [&'static [&'static str]],
    /// The rules for its rows, in words.
    pub(super) rows: &'static str,
}

/// Where the rows of a table come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// The file.
    pub file: PathBuf,
    /// The word for a place in the file: `line` or `row`.
    pub unit: &'static str,
    /// The rules for its rows, in words.
    pub rules: &'static str,
}

impl Origin {
    /// What is wrong with a row.
    pub fn wrong(&self, place: u64, column: &str, problem: String) -> ForeignError {
        let (file, column) = (self.file.clone(), column.to_owned());
        ForeignError::Content { file, unit: self.unit, place, column, problem, wanted: self.rules }
    }
}

/// A kind of table, which takes in its rows.
pub(super) trait Rows: Sized {
    const LAYOUT: Layout;

    /// A table without rows. `has` says which groups are there.
    fn new(origin: Origin, has: &[bool]) -> Self;

    /// Takes in the row at a place. The error is the column and what is wrong with its cell.
    fn put(&mut self, place: u64, cells: &impl Cells) -> Result<(), (&'static str, String)>;
}

/// The cells of a row. They are numbered as in the layout: first the columns that a table must have, then those of each
/// group. Cells of a group that is not there are empty.
pub(super) trait Cells {
    /// A whole number.
    fn whole(&self, at: usize) -> Result<u64, String>;
    /// A number in the range that a simulation can reach.
    fn real(&self, at: usize) -> Result<f64, String>;
    /// An instant, in decimal seconds.
    fn instant(&self, at: usize) -> Result<SimTime, String>;
    /// A word, which may be empty.
    fn word(&self, at: usize) -> Result<&str, String>;

    /// The name of a body.
    fn body(&self, at: usize) -> Result<&str, String> {
        match self.word(at)? {
            "" => Err("the name of a body is wanted, found nothing".to_owned()),
            name => Ok(name),
        }
    }
}

/// Names, each with its rank in the order of their first use.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Ranks(BTreeMap<String, usize>);

impl Ranks {
    /// The rank of a name; a new name is added to the end of `names`.
    pub(super) fn of(&mut self, name: &str, names: &mut Vec<String>) -> usize {
        if let Some(&known) = self.0.get(name) {
            return known;
        }
        names.push(name.to_owned());
        self.0.insert(name.to_owned(), names.len() - 1);
        names.len() - 1
    }
}

impl Layout {
    /// The origin of a table of this kind.
    pub(super) fn origin(&self, file: &Path, unit: &'static str) -> Origin {
        Origin { file: file.to_owned(), unit, rules: self.rows }
    }

    /// Where each column stands among those of a file, and which groups are there.
    pub(super) fn places(
        &self,
        file: &Path,
        found: &[String],
    ) -> Result<(Vec<Option<usize>>, Vec<bool>), ForeignError> {
        let place = |name: &&str| found.iter().position(|column| column == name);
        let has: Vec<bool> = self.optional.iter().map(|group| group.iter().any(|name| place(name).is_some())).collect();
        let groups = self.optional.iter().zip(&has).filter(|(_, has)| **has).flat_map(|(group, _)| *group);
        let missing: Vec<String> = self
            .wanted
            .iter()
            .chain(groups)
            .filter(|name| place(name).is_none())
            .map(|name| format!("`{name}`"))
            .collect();
        let all = self.wanted.iter().chain(self.optional.iter().copied().flatten());
        if missing.is_empty() {
            let twice = all.clone().find(|name| found.iter().filter(|column| column == name).count() > 1);
            if let Some(name) = twice {
                let problem = format!("the column `{name}` is there twice; keep one of them");
                return Err(ForeignError::Damaged { file: file.to_owned(), problem });
            }
            return Ok((all.map(place).collect(), has));
        }
        let found = found.join(",").chars().take(200).collect();
        let missing = missing.join(", ");
        Err(ForeignError::Columns { file: file.to_owned(), missing, found, wanted: self.columns() })
    }

    /// The error of an empty file.
    pub(super) fn empty(&self, file: &Path) -> ForeignError {
        let problem = format!("the file is empty; wanted is a line with the columns {}", self.columns());
        ForeignError::Damaged { file: file.to_owned(), problem }
    }

    /// The columns, in words.
    fn columns(&self) -> String {
        let wanted = self.wanted.join(",");
        let groups: Vec<String> = self.optional.iter().map(|group| group.join(",")).collect();
        if groups.is_empty() { wanted } else { format!("{wanted}, and if you have them {}", groups.join("; ")) }
    }
}

/// A number in the range that a simulation can reach.
pub(super) fn number(value: f64) -> Result<f64, String> {
    let is_moderate = value.is_finite() && value.abs() <= 1e70;
    if is_moderate {
        Ok(value)
    } else {
        Err(format!("{} is not a finite number of at most 1e70 in size", shown(value)))
    }
}

/// A whole number that was written with a point, as by programs with only one type of number.
pub(super) fn whole(value: f64) -> Option<u64> {
    let is_whole = value.fract() == 0.0 && (0.0..=WHOLE_MAX).contains(&value);
    is_whole.then_some(value as u64)
}

/// An instant.
pub(super) fn instant(seconds: f64) -> Result<SimTime, String> {
    let is_instant = (0.0..=DURATION_MAX).contains(&seconds);
    if is_instant {
        Ok(SimTime::from_seconds(seconds))
    } else {
        Err(format!("{seconds} s is no time from 0 to 1e12 s"))
    }
}
