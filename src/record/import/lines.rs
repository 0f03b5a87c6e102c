//! Texts, and lines of numbers in them, with errors that name the line.

use super::error::Trouble;
use crate::numeric::quantity::is_moderate;

/// A line, for the numbers in it and their errors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Counted from 1; 0 before the first.
    number: usize,
    /// The advice of errors.
    remedy: &'static str,
}

/// The bytes of a text without a byte order mark, which some editors put before it.
pub(super) fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// A text that is read line by line.
pub(super) struct Lines<'a> {
    rest: std::str::Lines<'a>,
    /// The line that was read last.
    pub(super) row: Row,
}

impl<'a> Lines<'a> {
    /// All lines of a file. `remedy` is the advice of its errors.
    pub(super) fn new(bytes: &'a [u8], remedy: &'static str) -> Result<Self, Trouble> {
        let text = str::from_utf8(bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
            Trouble::new("it is no text in UTF-8", remedy).at_line(line)
        })?;
        Ok(Self { rest: text.lines(), row: Row { number: 0, remedy } })
    }

    /// The next line, without blanks around it.
    pub(super) fn next(&mut self) -> Option<&'a str> {
        self.rest.next().map(|line| {
            self.row.number += 1;
            line.trim()
        })
    }

    /// The next line, which must be there.
    pub(super) fn need(&mut self, wanted: &str) -> Result<&'a str, Trouble> {
        self.next().ok_or_else(|| self.row.wrong(format!("the file ends where {wanted} is wanted")))
    }
}

impl Row {
    /// An error in this line.
    pub(super) fn wrong(&self, problem: impl Into<String>) -> Trouble {
        Trouble::new(problem, self.remedy).at_line(self.number.max(1))
    }

    /// A number in a word of this line.
    pub(super) fn real(&self, word: Option<&str>, wanted: &str) -> Result<f64, Trouble> {
        let found = word.unwrap_or("nothing");
        match found.parse::<f64>() {
            Ok(number) if is_moderate(number) => Ok(number),
            _ => Err(self.wrong(format!("{wanted} must be a number of at most 1e70, found `{}`", short(found)))),
        }
    }

    /// A whole number in a word of this line.
    pub(super) fn whole(&self, word: Option<&str>, wanted: &str) -> Result<usize, Trouble> {
        let found = word.unwrap_or("nothing");
        let refused = || self.wrong(format!("{wanted} must be a whole number, found `{}`", short(found)));
        found.parse().map_err(|_| refused())
    }
}

/// The beginning of a text, for messages.
pub(super) fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
