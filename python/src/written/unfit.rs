//! Why a value of Python has not the form that is wanted, and where in it.

use std::fmt;

use pyo3::prelude::*;

use crate::errors::unfit_value;
use crate::words::{did_you_mean, either};

/// What a message calls a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'a> {
    /// The argument of this name, such as `plots[2]`.
    Argument(&'a str),
    /// Keyword arguments of a call, with the kind of what is called as their only key.
    Call,
    /// Keyword arguments of a call for something of this kind.
    Kind(&'a str),
}

/// A value that has not the form that is wanted.
#[derive(Debug)]
pub(super) struct Unfit {
    /// From the innermost part outwards.
    path: Vec<Step>,
    words: String,
    /// The name of a field that is missing.
    pub(super) missing: Option<&'static str>,
    /// The name of a field that there is not, and the names that there are.
    unknown: Option<(String, Vec<String>)>,
}

/// A step into a value.
#[derive(Debug)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

impl Unfit {
    pub(super) fn new(words: String) -> Self {
        Self { path: Vec::new(), words, missing: None, unknown: None }
    }

    /// A word that is none of these.
    pub(super) fn unknown(word: &str, known: &[String]) -> Self {
        Self::new(format!("must be {}, found \"{word}\"{}", either(known), did_you_mean(word, known)))
    }

    fn unknown_field(name: &str, known: Vec<String>) -> Self {
        let words = format!("has no \"{name}\", but {}{}", either(&known), did_you_mean(name, &known));
        Self { unknown: Some((name.to_owned(), known)), ..Self::new(words) }
    }

    /// The same where fields of a style stand beside these.
    pub(super) fn beside(self, fields: &[&str]) -> Self {
        let Some((name, known)) = self.unknown.as_ref().filter(|_| self.path.is_empty()) else { return self };
        let own = fields.iter().filter(|field| **field != "style").map(|&field| field.to_owned());
        Self::unknown_field(name, own.chain(known.iter().cloned()).collect())
    }

    /// The same in this part of a value.
    pub(super) fn within(mut self, step: Step) -> Self {
        self.path.push(step);
        self
    }

    /// The same, with more words that are allowed.
    pub(super) fn or(mut self, more: &[String]) -> Self {
        if !more.is_empty() {
            self.words.push_str(&format!("; the scenario has {}", either(more)));
        }
        self
    }

    pub(super) fn raised(self, place: Place<'_>) -> PyErr {
        let mut steps = self.path.into_iter().rev();
        let mut path = match (place, steps.next()) {
            (Place::Call, Some(Step::Key(kind))) => match steps.next() {
                Some(Step::Key(key)) => key,
                _ => format!("\"{kind}\""),
            },
            (Place::Kind(_), Some(Step::Key(key))) => key,
            (Place::Kind(kind), _) => format!("\"{kind}\""),
            (Place::Argument(name), None) => name.to_owned(),
            (Place::Argument(name), Some(step)) => format!("{name}{step}"),
            (Place::Call, _) => "the plot".to_owned(),
        };
        steps.for_each(|step| path.push_str(&step.to_string()));
        unfit_value(&path, &self.words)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => write!(f, "[{key:?}]"),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for Unfit {}

impl serde::de::Error for Unfit {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }

    fn invalid_length(length: usize, expected: &dyn serde::de::Expected) -> Self {
        Self::new(format!("must be {expected}, found {length}"))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::unknown_field(field, expected.iter().map(|&name| name.to_owned()).collect())
    }

    fn missing_field(field: &'static str) -> Self {
        Self { missing: Some(field), ..Self::new(format!("needs \"{field}\"")) }
    }
}
