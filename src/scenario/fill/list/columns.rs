//! The columns of a list, and the values of a line in them.

use csv::StringRecord;
use glam::DVec3;

use crate::numeric::OutOfRange;
use crate::numeric::quantity::is_moderate;
use crate::scenario::text::nearest::one_of;

/// All columns that a list may have.
const NAMES: [&str; 16] =
    ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "hx", "hy", "hz", "radius", "mass", "density", "name"];

/// How many of them stand in groups of three, of which a list has all or none.
const GROUPED: usize = 12;

/// Where the columns of a file stand.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Columns([Option<usize>; NAMES.len()]);

impl Columns {
    pub(super) fn new(header: &StringRecord) -> Result<Self, String> {
        let mut places = [None; NAMES.len()];
        for (place, found) in header.iter().enumerate() {
            let found = found.trim_start_matches('\u{feff}');
            let known = NAMES.iter().position(|&name| name == found);
            let known = known.ok_or_else(|| {
                let found: String = found.chars().take(40).collect();
                format!("there is no column `{found}`: {}", one_of(&found, &NAMES))
            })?;
            if places[known].replace(place).is_some() {
                return Err(format!("there are two columns `{found}`"));
            }
        }
        for (row, group) in places[..GROUPED].chunks(3).enumerate() {
            let missing = group.iter().position(Option::is_none);
            if let Some(missing) = missing.filter(|_| row == 0 || group.iter().any(Option::is_some)) {
                return Err(format!("the column `{}` is missing", NAMES[3 * row + missing]));
            }
        }
        let columns = Self(places);
        for [a, b] in [["radius", "hx"], ["mass", "density"]] {
            if columns.place(a).and(columns.place(b)).is_some() {
                return Err(format!("the columns `{a}` and `{b}` exclude each other"));
            }
        }
        Ok(columns)
    }

    fn place(&self, name: &str) -> Option<usize> {
        NAMES.iter().position(|&known| known == name).and_then(|known| self.0[known])
    }

    fn first_of(&self, names: [&'static str; 2]) -> Option<&'static str> {
        names.into_iter().find(|name| self.place(name).is_some())
    }

    /// A column with the sizes of bodies.
    pub(super) fn size(&self) -> Option<&'static str> {
        self.first_of(["radius", "hx"])
    }

    /// A column with the masses of bodies.
    pub(super) fn load(&self) -> Option<&'static str> {
        self.first_of(["mass", "density"])
    }
}

/// A line of a list.
pub(super) struct Line<'a> {
    /// Its number in the file, from 1.
    pub(super) number: u64,
    pub(super) record: &'a StringRecord,
    pub(super) columns: &'a Columns,
}

impl Line<'_> {
    /// The value in a column; `None` if the file has no such column.
    pub(super) fn word(&self, column: &str) -> Option<&str> {
        self.columns.place(column).map(|place| self.record.get(place).unwrap_or_default())
    }

    fn found(&self, column: &str) -> String {
        self.word(column).unwrap_or_default().chars().take(40).collect()
    }

    fn number_in(&self, column: &'static str) -> Result<Option<f64>, (&'static str, String)> {
        let Some(word) = self.word(column) else { return Ok(None) };
        match word.parse::<f64>() {
            Ok(number) if is_moderate(number) => Ok(Some(number)),
            Ok(_) => Err((column, format!("must be a finite number of size at most 1e70, found `{word}`"))),
            Err(_) => Err((column, format!("must be a number, found `{}`", self.found(column)))),
        }
    }

    pub(super) fn vector(&self, columns: [&'static str; 3]) -> Result<Option<DVec3>, (&'static str, String)> {
        let [x, y, z] = columns.map(|column| self.number_in(column));
        Ok(x?.zip(y?).zip(z?).map(|((x, y), z)| DVec3::new(x, y, z)))
    }

    /// A value whose type checks itself.
    pub(super) fn quantity<T>(
        &self,
        column: &'static str,
        check: impl Fn(f64) -> Result<T, OutOfRange>,
    ) -> Result<Option<T>, (&'static str, String)> {
        self.number_in(column)?.map(|number| check(number).map_err(|error| self.refusal(column, error))).transpose()
    }

    /// The error of a value that is out of its range.
    pub(super) fn refusal(&self, column: &'static str, error: OutOfRange) -> (&'static str, String) {
        (column, format!("must be {}, found `{}`", error.allowed, self.found(column)))
    }
}
