//! The form of what a scenario asks for: which fields, words and numbers may be written.
//!
//! A file is read from its text. A reader of other values, such as those of Python, is asked here for the same types.

use serde::{Deserialize, Deserializer};

use super::plot::schema as plot;
use super::sections::request_schema as request;

/// A part of a scenario that asks for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// What is recorded.
    Record,
    /// A measurement.
    Observation,
    /// A plot.
    Plot,
    /// How plots are drawn.
    Style,
    /// An expectation.
    Expectation,
}

impl Form {
    /// Asks `reader` for a value of this form. Only its form is checked, not what it says.
    ///
    /// # Errors
    /// That of the reader.
    pub fn read<'de, D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        match self {
            Self::Record => request::Record::deserialize(reader).map(drop),
            Self::Observation => request::Observation::deserialize(reader).map(drop),
            Self::Plot => plot::Plot::deserialize(reader).map(drop),
            Self::Style => plot::Style::deserialize(reader).map(drop),
            Self::Expectation => request::Expectation::deserialize(reader).map(drop),
        }
    }
}
