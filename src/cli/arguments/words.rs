//! Words on the command line that stand for values.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};

/// A word, the value that it stands for, and what the help says of it.
pub(in crate::cli) type Word<T> = (&'static str, T, &'static str);

/// An argument that is one of some words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words<T: 'static>(pub(super) &'static [Word<T>]);

impl<T> Words<T> {
    fn possible(&self) -> impl Iterator<Item = PossibleValue> + '_ {
        self.0.iter().map(|&(word, _, help)| PossibleValue::new(word).help(help))
    }
}

impl<T: Clone + Send + Sync> TypedValueParser for Words<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        // A text that is not UTF-8 is none of the words.
        let text = value.to_string_lossy();
        let word = PossibleValuesParser::new(self.possible()).parse_ref(command, argument, OsStr::new(&*text))?;
        let meant = self.0.iter().find(|row| row.0 == word);
        Ok(meant.expect("clap takes no other words").1.clone())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.possible()))
    }
}
