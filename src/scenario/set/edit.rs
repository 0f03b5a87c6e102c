//! The place of a setting in the text of a scenario: the value that it replaces, or where to insert its missing field.

use std::ops::Range;

use super::path::{AXES, Step};
use crate::scenario::text::locate::{self, Parts, range_in, trim};
use crate::scenario::text::nearest::nearest;

/// The fields that are a text wherever they are.
const TEXTS: [&str; 9] = ["body", "color", "default_material", "file", "layer", "letter", "material", "name", "title"];

/// The lists and maps, and the space: none can be made of a single part.
const WHOLES: [&str; 13] = [
    "bodies",
    "colors",
    "commands",
    "expect",
    "fill",
    "labels",
    "layers",
    "materials",
    "observe",
    "pairs",
    "play",
    "plots",
    "space",
];

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
    /// The new value is not RON, and no text is wanted here.
    NoValue,
}

/// Where a path leads in a text.
struct Found<'a> {
    /// The value there; or, if it is missing, the structure that does not have it.
    at: &'a str,
    /// How many parts of the path lead to it.
    steps: usize,
    /// The place of each part of the path down to it: the same for all ways to write it.
    places: Vec<usize>,
    /// The fields of the structure, if the value is missing.
    fields: Option<Vec<(String, &'a str)>>,
}

/// The change that gives the value at `path` of the scenario `text` the new `value`.
pub(super) fn edit(text: &str, path: &[Step], value: &str) -> Result<Edit, DeadEnd> {
    let Found { at, steps, fields, .. } = find(text, path)?;
    let is_text = match &fields {
        None => as_text(at).is_some(),
        Some(_) => path.last().is_some_and(|field| TEXTS.contains(&field.text())),
    };
    let value = written(value, is_text).ok_or(DeadEnd::NoValue)?;
    match fields {
        None => Ok(replacement(range_in(text, at), at, &value)),
        Some(fields) => insertion(text, at, &fields, (steps, path), &value),
    }
}

/// The value at `path` of the scenario `text`; `None` for a missing field.
pub(super) fn value<'a>(text: &'a str, path: &[Step]) -> Result<Option<&'a str>, DeadEnd> {
    let Found { at, steps, fields, .. } = find(text, path)?;
    let Some(fields) = fields else { return Ok(Some(at)) };
    // A map takes no new keys, so an unknown one is a mistake. So is a field that is named much like one that is there.
    let field = path[steps].text();
    let nearest = nearest(field, fields.iter().map(|(name, _)| name.as_str())).map(str::to_owned);
    if at.starts_with('{') || nearest.is_some() { Err(DeadEnd::Unknown { steps, nearest }) } else { Ok(None) }
}

/// Whether one of two paths leads to the value of the other, or to a part of it. Paths that lead nowhere do not.
pub(super) fn overlap(text: &str, paths: [&[Step]; 2]) -> bool {
    // However a path is written, it leads to the same places. What comes after a missing field is not in the text.
    let steps = |path: &[Step]| -> Option<Vec<String>> {
        let found = find(text, path).ok()?;
        let places = found.places.iter().map(|place| format!("[{place}]"));
        Some(places.chain(path[found.steps..].iter().map(|step| step.text().to_owned())).collect())
    };
    let [Some(first), Some(second)] = paths.map(steps) else { return false };
    first.starts_with(&second) || second.starts_with(&first)
}

/// Follows a path as far as the text has it.
fn find<'a>(text: &'a str, path: &[Step]) -> Result<Found<'a>, DeadEnd> {
    let mut at = trim(text);
    let mut places = Vec::new();
    for (steps, step) in path.iter().enumerate() {
        let parts = match locate::parts(at) {
            Some(parts) => parts,
            None if is_empty_struct(at) => Parts::Named(Vec::new()),
            None if steps == 0 => return Err(DeadEnd::NotRon),
            None => return Err(DeadEnd::Single { steps, found: locate::one_line(at) }),
        };
        let (place, found) = match parts {
            Parts::Named(fields) => match fields.iter().position(|(name, _)| name == step.text()) {
                Some(place) => (place, fields[place].1),
                None => return Ok(Found { at, steps, places, fields: Some(fields) }),
            },
            Parts::Listed(entries) => {
                let place = entry(&entries, steps, step)?;
                (place, entries[place])
            }
        };
        places.push(place);
        at = trim(found);
    }
    Ok(Found { at, steps: path.len(), places, fields: None })
}

/// A value as RON, without the comments around it. Where a text is wanted, words are one, as they are. `None` if it is
/// neither.
fn written(value: &str, is_text: bool) -> Option<String> {
    let word = value.trim();
    if is_text && !word.is_empty() && !word.contains(['"', '\n']) && word != "None" {
        return Some(format!("{word:?}"));
    }
    // At the end of a value, a comment would swallow the rest of the line.
    let lined = format!("{value}\n");
    let trimmed = trim(&lined).trim();
    locate::is_value(trimmed).then(|| trimmed.to_owned())
}

/// The text that a value of RON is, if it is one.
fn as_text(value: &str) -> Option<String> {
    let is_quoted = value.ends_with(['"', '#']);
    if is_quoted { ron::from_str(value).ok() } else { None }
}

/// The new value with at least as many lines as the old one, so that what comes after keeps its line.
fn replacement(range: Range<usize>, old: &str, value: &str) -> Edit {
    let [before, after] = [old, value].map(|text| text.matches('\n').count());
    Edit { range, text: format!("{value}{}", "\n".repeat(before.saturating_sub(after))) }
}

/// The index of the entry of a list that has the name `step`, has this index, or is the coordinate of this axis.
fn entry(entries: &[&str], steps: usize, step: &Step) -> Result<usize, DeadEnd> {
    if let Some(place) = step.index() {
        let beyond = DeadEnd::Beyond { steps, count: entries.len() };
        return if place < entries.len() { Ok(place) } else { Err(beyond) };
    }
    let names: Vec<Option<String>> = entries.iter().map(|entry| as_text(locate::value(entry, "name")?)).collect();
    if let Some(place) = names.iter().position(|name| name.as_deref() == Some(step.text())) {
        return Ok(place);
    }
    if let Some(axis) = step.axis().filter(|_| entries.len() == AXES.len() && names.iter().all(Option::is_none)) {
        return Ok(axis);
    }
    let nearest = nearest(step.text(), names.iter().flatten().map(String::as_str)).map(str::to_owned);
    Err(DeadEnd::Unknown { steps, nearest })
}

/// Inserts a field at the end of the structure `at`, with the value for the rest of the path. A map takes no new keys:
/// an unknown key is a mistake.
fn insertion(
    text: &str,
    at: &str,
    fields: &[(String, &str)],
    (steps, path): (usize, &[Step]),
    value: &str,
) -> Result<Edit, DeadEnd> {
    let field = path[steps].text();
    if at.starts_with('{') || !is_identifier(field) {
        let nearest = nearest(field, fields.iter().map(|(name, _)| name.as_str())).map(str::to_owned);
        return Err(DeadEnd::Unknown { steps, nearest });
    }
    let rest = &path[steps + 1..];
    let whole = path[steps..].iter().zip(rest).position(|(step, _)| WHOLES.contains(&step.text()));
    let unknown = DeadEnd::Unknown { steps: steps + 1 + whole.unwrap_or(0), nearest: None };
    let inner = nested(rest, value).filter(|_| whole.is_none()).ok_or(unknown)?;
    let place = match fields.last() {
        Some((_, last)) => range_in(text, trim(last)).end,
        None => range_in(text, at).end - 1,
    };
    let comma = if fields.is_empty() { "" } else { ", " };
    Ok(Edit { range: place..place, text: format!("{comma}{field}: {inner}") })
}

/// The value of a missing field of which only a part is given: a triple of zeros with one coordinate set, or a
/// structure with one field.
fn nested(path: &[Step], value: &str) -> Option<String> {
    let Some((first, rest)) = path.split_first() else { return Some(value.to_owned()) };
    match first.axis().filter(|_| rest.is_empty()) {
        Some(axis) => {
            let coordinates: Vec<&str> = (0..AXES.len()).map(|other| if other == axis { value } else { "0" }).collect();
            Some(format!("({})", coordinates.join(", ")))
        }
        None if is_identifier(first.text()) => Some(format!("({}: {})", first.text(), nested(rest, value)?)),
        None => None,
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
