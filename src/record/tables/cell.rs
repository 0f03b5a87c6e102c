//! The values in the columns of a table, for any file: the few kinds, and how they are written and read.
//!
//! A row is passed value by value in the order of the columns. A [`Line`] takes the values, [`Fields`] give them. Each
//! file format has its own [`Line`] and [`Fields`]; rows depend on neither.

use glam::DVec3;

use crate::dynamics::EventKind;
use crate::motion::SimTime;

/// The kind of values in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers, 0 to 2⁶⁴ − 1.
    Whole,
    /// Whole numbers, or nothing.
    WholeOrNone,
    /// Finite numbers.
    Real,
    /// Finite numbers, or nothing.
    RealOrNone,
    /// Instants, with all digits that the clock holds.
    Instant,
    /// Words: names of bodies, kinds of events.
    Word,
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it holds.
    pub kind: Kind,
    /// The unit of its values; empty for words, counts and ratios.
    pub unit: &'a str,
}

/// Takes the values of a row, from left to right.
pub trait Line {
    /// A value of [`Kind::Whole`].
    fn whole(&mut self, value: u64) {
        self.whole_or_none(Some(value));
    }
    /// A value of [`Kind::WholeOrNone`].
    fn whole_or_none(&mut self, value: Option<u64>);
    /// A value of [`Kind::Real`].
    fn real(&mut self, value: f64) {
        self.real_or_none(Some(value));
    }
    /// A value of [`Kind::RealOrNone`].
    fn real_or_none(&mut self, value: Option<f64>);
    /// A value of [`Kind::Instant`].
    fn instant(&mut self, value: SimTime);
    /// A value of [`Kind::Word`].
    fn word(&mut self, value: &str);
}

/// Gives the values of a row, from left to right. An error in a value is reported when it is taken.
#[expect(missing_docs, clippy::missing_errors_doc, reason = "each is the counterpart of that of `Line`")]
pub trait Fields<'a> {
    fn whole(&mut self) -> Result<u64, String>;
    fn real(&mut self) -> Result<f64, String>;
    fn real_or_none(&mut self) -> Result<Option<f64>, String>;
    fn instant(&mut self) -> Result<SimTime, String>;
    fn word(&mut self) -> Result<&'a str, String>;
}

/// The value of one or more neighbouring columns.
pub(super) trait Cell<'a>: Sized {
    fn put(&self, line: &mut impl Line);
    fn take(fields: &mut impl Fields<'a>) -> Result<Self, String>;
}

impl<'a> Cell<'a> for u64 {
    fn put(&self, line: &mut impl Line) {
        line.whole(*self);
    }

    fn take(fields: &mut impl Fields<'a>) -> Result<Self, String> {
        fields.whole()
    }
}

impl<'a> Cell<'a> for f64 {
    fn put(&self, line: &mut impl Line) {
        line.real(*self);
    }

    fn take(fields: &mut impl Fields<'a>) -> Result<Self, String> {
        finite(fields.real()?)
    }
}

impl<'a> Cell<'a> for Option<f64> {
    fn put(&self, line: &mut impl Line) {
        line.real_or_none(*self);
    }

    fn take(fields: &mut impl Fields<'a>) -> Result<Self, String> {
        fields.real_or_none()?.map(finite).transpose()
    }
}

/// `N` neighbouring columns.
impl<'a, const N: usize> Cell<'a> for [u64; N] {
    fn put(&self, line: &mut impl Line) {
        self.iter().for_each(|&number| line.whole(number));
    }

    fn take(fields: &mut impl Fields<'a>) -> Result<Self, String> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = fields.whole()?;
        }
        Ok(numbers)
    }
}

/// Three neighbouring columns.
impl<'a> Cell<'a> for DVec3 {
    fn put(&self, line: &mut impl Line) {
        self.to_array().iter().for_each(|number| number.put(line));
    }

    fn take(fields: &mut impl Fields<'a>) -> Result<Self, String> {
        Ok(Self::new(f64::take(fields)?, f64::take(fields)?, f64::take(fields)?))
    }
}

impl<'a> Cell<'a> for SimTime {
    fn put(&self, line: &mut impl Line) {
        line.instant(*self);
    }

    fn take(fields: &mut impl Fields<'a>) -> Result<Self, String> {
        fields.instant()
    }
}

impl<'a> Cell<'a> for &'a str {
    fn put(&self, line: &mut impl Line) {
        line.word(self);
    }

    fn take(fields: &mut impl Fields<'a>) -> Result<Self, String> {
        fields.word()
    }
}

/// `None` is an empty cell.
impl<'a> Cell<'a> for Option<&'a str> {
    fn put(&self, line: &mut impl Line) {
        line.word(self.unwrap_or(""));
    }

    fn take(fields: &mut impl Fields<'a>) -> Result<Self, String> {
        fields.word().map(|word| (!word.is_empty()).then_some(word))
    }
}

impl<'a> Cell<'a> for EventKind {
    fn put(&self, line: &mut impl Line) {
        line.word(self.name());
    }

    fn take(fields: &mut impl Fields<'a>) -> Result<Self, String> {
        let word = fields.word()?;
        word.parse().map_err(|error| format!("`{word}`: {error}"))
    }
}

/// A table holds finite numbers only, so any other number is a sign of damage.
fn finite(value: f64) -> Result<f64, String> {
    if value.is_finite() { Ok(value) } else { Err(format!("{value} is not a finite number")) }
}
