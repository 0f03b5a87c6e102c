//! Values of a scenario that are set from outside, by their paths.
//!
//! A setting changes the text: the new value replaces the old one, or a missing field is inserted. So the changed text
//! is a scenario of its own, which is checked like any other and can be kept beside its results. An error in a value
//! that was set is reported with the setting in place of a line and a column.

mod edit;
mod path;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use miette::Diagnostic;
use thiserror::Error;

use super::Source;
use super::text::source::Placed;
use edit::{DeadEnd, Edit, edit, overlap, value};
use path::Step;
pub(super) use path::path_with;

/// A value for one place of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its name in messages, such as `--set timestep=0.1`.
    pub label: String,
    path: Vec<Step>,
    value: String,
}

/// The error for a setting that cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
#[error("{label}: {wrong}")]
pub struct SettingError {
    /// Its name in messages.
    pub label: String,
    /// What is wrong with it.
    pub wrong: String,
    /// What to do about it.
    #[help]
    pub help: String,
}

impl Setting {
    /// The value `value`, in RON, for the place `path`; messages call it by `label`. A text needs no quotation marks.
    ///
    /// # Errors
    /// [`SettingError`] when the path is not a path.
    pub fn new(label: impl Into<String>, path: &str, value: &str) -> Result<Self, SettingError> {
        let label = label.into();
        let unclear = |wrong: &str| SettingError {
            label: label.clone(),
            wrong: format!("`{path}` is no path: {wrong}"),
            help: "for example materials.steel.restitution, bodies.ball.velocity.x or fill[0].seed".to_owned(),
        };
        let (steps, bytes) = path::steps(path).map_err(unclear)?;
        if bytes < path.len() {
            return Err(unclear("an equals sign stands in it"));
        }
        Ok(Self { label, path: steps, value: value.to_owned() })
    }
}

/// `PATH=VALUE`, as the option `--set` takes it.
impl FromStr for Setting {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let label = format!("--set {text}");
        let equals = path::steps(text).map_or_else(|_| text.find('='), |(_, bytes)| Some(bytes));
        match equals.filter(|&place| text[place..].starts_with('=')) {
            Some(place) => Self::new(label, &text[..place], &text[place + 1..]),
            None => Err(SettingError {
                label,
                wrong: "there is no value".to_owned(),
                help: "a setting is written PATH=VALUE, as in --set bodies.ball.velocity.x=3".to_owned(),
            }),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label)
    }
}

impl Source {
    /// The same text with `settings` applied, one after the other. Lines keep their numbers, except after a value of
    /// several lines that is longer than the old one.
    ///
    /// A field that the text does not have is inserted. In a triple that the text does not have, the other coordinates
    /// are 0. Text that is not RON stays as it is: reading it gives the error.
    ///
    /// # Errors
    /// [`SettingError`] when a path leads nowhere: to a missing entry of a list or of a map, or into a single value;
    /// and when a value is not RON.
    pub fn with(&self, settings: &[Setting]) -> Result<Self, SettingError> {
        let mut changed = self.clone();
        for setting in settings {
            match edit(&changed.text, &setting.path, &setting.value) {
                Ok(edit) => changed.apply(&edit, &setting.label),
                Err(DeadEnd::NotRon) => {}
                Err(end) => return Err(setting.dead_end(end)),
            }
        }
        Ok(changed)
    }

    /// The text of the value to which a setting leads; `None` for a field that the text does not have.
    ///
    /// # Errors
    /// [`SettingError`] when the path leads nowhere.
    pub(crate) fn value_at(&self, setting: &Setting) -> Result<Option<&str>, SettingError> {
        match value(&self.text, &setting.path) {
            Err(DeadEnd::NotRon) => Ok(None),
            found => found.map_err(|end| setting.dead_end(end)),
        }
    }

    /// Whether the values of two settings are the same value of this text, or one is a part of the other.
    pub(crate) fn is_one_value(&self, first: &Setting, second: &Setting) -> bool {
        overlap(&self.text, [&first.path, &second.path])
    }

    fn apply(&mut self, edit: &Edit, label: &str) {
        let Edit { range, text } = edit;
        let (old, new) = (range.len(), text.len());
        self.text.replace_range(range.clone(), text);
        // A setting inside the replaced text is dropped. One around it grows or shrinks. One that ends where text is
        // inserted stays as it is.
        self.placed.retain(|placed| old == 0 || placed.range.start < range.start || range.end < placed.range.end);
        let moved = |place: usize| place - old + new;
        for placed in &mut self.placed {
            let Range { start, end } = &mut placed.range;
            *start = if *start >= range.end { moved(*start) } else { *start };
            *end = if *end >= range.end + usize::from(old == 0) { moved(*end) } else { *end };
        }
        self.placed.push(Placed { label: label.to_owned(), range: range.start..range.start + new });
    }
}

impl Setting {
    fn dead_end(&self, end: DeadEnd) -> SettingError {
        let upto = |steps: usize| self.path[..steps].iter().map(Step::text).collect::<Vec<_>>().join(".");
        let known = |steps: usize| if steps == 0 { "the scenario".to_owned() } else { format!("`{}`", upto(steps)) };
        let (wrong, help) = match end {
            DeadEnd::NotRon => unreachable!("what is no RON is left to the parser"),
            DeadEnd::NoValue => (
                format!("`{}` is no value in RON", self.value.trim()),
                "a value is written as in the file: 0.5, (1, 0, 0), \"steel\"".to_owned(),
            ),
            DeadEnd::Single { steps, found } => (
                format!(
                    "{} is the single value `{found}`, which has no part `{}`",
                    known(steps),
                    self.path[steps].text()
                ),
                "leave out the end of the path".to_owned(),
            ),
            DeadEnd::Beyond { steps, count } => (
                format!("{} has {count} entries, and the first is number 0", known(steps)),
                "give a place in the list, or the name of an entry".to_owned(),
            ),
            DeadEnd::Unknown { steps, nearest } => (
                format!("there is no `{}` in {}", self.path[steps].text(), known(steps)),
                match nearest {
                    Some(name) => format!("did you mean `{name}`?"),
                    None => {
                        "a path has names of fields, keys of maps, and names or places of entries of lists".to_owned()
                    }
                },
            ),
        };
        SettingError { label: self.label.clone(), wrong, help }
    }
}
