//! The place of a setting in the text of a scenario: the value that it replaces, or where to insert its missing field.

use std::ops::Range;

use crate::scenario::text::locate::{self, Parts, range_in, trim};
use crate::scenario::text::nearest::nearest;

/// The parts of a triple.
const AXES: [&str; 3] = ["x", "y", "z"];

/// A change of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Edit {
    /// The bytes that are replaced; empty for an insertion.
    pub(super) range: Range<usize>,
    /// The new text.
    pub(super) text: String,
}

/// Why a path leads nowhere.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DeadEnd {
    /// The text is not RON. The parser gives the better message.
    NotRon,
    /// How many parts of the path lead to a single value, and the value.
    Single { steps: usize, found: String },
    /// How many parts of the path are known, and the name most like the next one.
    Unknown { steps: usize, nearest: Option<String> },
    /// How many parts of the path are known, and how many entries the list there has.
    Beyond { steps: usize, count: usize },
}

/// The change that gives the value at `path` of the scenario `text` the new `value`.
pub(super) fn edit(text: &str, path: &[String], value: &str) -> Result<Edit, DeadEnd> {
    let mut at = trim(text);
    for (steps, step) in path.iter().enumerate() {
        let parts = match locate::parts(at) {
            Some(parts) => parts,
            None if is_empty_struct(at) => Parts::Named(Vec::new()),
            None if steps == 0 => return Err(DeadEnd::NotRon),
            None => return Err(DeadEnd::Single { steps, found: locate::one_line(at) }),
        };
        let found = match &parts {
            Parts::Named(fields) => match fields.iter().find(|(name, _)| name == step) {
                Some((_, found)) => *found,
                None => return insertion(text, at, fields, (steps, path), value),
            },
            Parts::Listed(entries) => entry(entries, steps, step)?,
        };
        at = trim(found);
    }
    Ok(replacement(range_in(text, at), at, value))
}

/// The new value with at least as many lines as the old one, so that what comes after keeps its line.
fn replacement(range: Range<usize>, old: &str, value: &str) -> Edit {
    let [before, after] = [old, value].map(|text| text.matches('\n').count());
    Edit { range, text: format!("{value}{}", "\n".repeat(before.saturating_sub(after))) }
}

/// The entry of a list that has the name `step`, has this index, or is the coordinate of this axis.
fn entry<'a>(entries: &[&'a str], steps: usize, step: &str) -> Result<&'a str, DeadEnd> {
    if let Ok(place) = step.parse::<usize>() {
        return entries.get(place).copied().ok_or(DeadEnd::Beyond { steps, count: entries.len() });
    }
    let names: Vec<Option<String>> = entries.iter().map(|entry| name(entry)).collect();
    if let Some(place) = names.iter().position(|name| name.as_deref() == Some(step)) {
        return Ok(entries[place]);
    }
    let axis = AXES.iter().position(|&axis| axis == step).filter(|_| entries.len() == AXES.len());
    if let Some(axis) = axis.filter(|_| names.iter().all(Option::is_none)) {
        return Ok(entries[axis]);
    }
    let nearest = nearest(step, names.iter().flatten().map(String::as_str)).map(str::to_owned);
    Err(DeadEnd::Unknown { steps, nearest })
}

/// The name that an entry of a list gives itself.
fn name(entry: &str) -> Option<String> {
    let quoted = locate::value(entry, "name")?;
    quoted.strip_prefix('"')?.strip_suffix('"').map(str::to_owned)
}

/// Inserts a field at the end of the structure `at`, with the value for the rest of the path. A map takes no new keys:
/// an unknown key is a mistake.
fn insertion(
    text: &str,
    at: &str,
    fields: &[(String, &str)],
    (steps, path): (usize, &[String]),
    value: &str,
) -> Result<Edit, DeadEnd> {
    let field = &path[steps];
    if at.starts_with('{') || !is_identifier(field) {
        let nearest = nearest(field, fields.iter().map(|(name, _)| name.as_str())).map(str::to_owned);
        return Err(DeadEnd::Unknown { steps, nearest });
    }
    let inner = nested(&path[steps + 1..], value).ok_or(DeadEnd::Unknown { steps: steps + 1, nearest: None })?;
    let place = match fields.last() {
        Some((_, last)) => range_in(text, trim(last)).end,
        None => range_in(text, at).end - 1,
    };
    let comma = if fields.is_empty() { "" } else { ", " };
    Ok(Edit { range: place..place, text: format!("{comma}{field}: {inner}") })
}

/// The value of a missing field of which only a part is given: a triple of zeros with one coordinate set, or a
/// structure with one field.
fn nested(path: &[String], value: &str) -> Option<String> {
    match path {
        [] => Some(value.to_owned()),
        [axis] if AXES.contains(&axis.as_str()) => {
            Some(format!("({})", AXES.map(|other| if other == axis { value } else { "0" }).join(", ")))
        }
        [field, rest @ ..] if is_identifier(field) => Some(format!("({field}: {})", nested(rest, value)?)),
        _ => None,
    }
}

fn is_identifier(word: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    word.starts_with(is_letter) && word.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

/// Whether a value is a structure without fields, such as `()`.
fn is_empty_struct(text: &str) -> bool {
    text.strip_suffix(')').is_some_and(|open| open.trim_end().ends_with('('))
}
