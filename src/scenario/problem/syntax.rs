//! Reading one value with ron, and saying in plain words why it cannot be read.

use std::ops::Range;

use ron::Deserializer;
use ron::error::{Error, Position, SpannedError};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_path_to_error::{Path, Segment};

use super::{At, Entry, Report};
use crate::scenario::error_kinds::Fault;
use crate::scenario::text::dialect::options;
use crate::scenario::text::locate;

/// Reads the value of `entry`, or reports why it cannot be read.
pub(crate) fn read<'a, T: Deserialize<'a>>(entry: Entry<'a>, report: &mut Report<'_>) -> Option<T> {
    read_part((entry, ""), entry.text, report)
}

/// The same for a value that is a single word where it has no fields: `Energy` stands for `Energy()`.
pub(crate) fn read_word<'a, T: DeserializeOwned>(entry: Entry<'a>, report: &mut Report<'_>) -> Option<T> {
    let text = locate::trim(entry.text);
    let word = if text.chars().all(char::is_alphanumeric) { attempt(&format!("{text}()")).ok() } else { None };
    word.or_else(|| read(entry, report))
}

/// The same for `text`, which is in the field `path` of the entry.
pub(crate) fn read_part<'a, T: Deserialize<'a>>(
    (entry, path): At<'_>,
    text: &'a str,
    report: &mut Report<'_>,
) -> Option<T> {
    let trace = match attempt(text) {
        Ok(value) => return Some(value),
        Err(trace) => trace,
    };
    // The grammar is checked alone first: text that is not RON fails at another place than RON of the wrong kind.
    let stop = match attempt::<IgnoredAny>(text) {
        Err(trace) => grammar_fault(text, trace),
        Ok(_) => meaning_fault(text, trace),
    };
    let Range { start, end } = stop.range;
    let base = locate::range_in(entry.text, text).start;
    report.add_part(entry, &joined(path, &stop.path), base + start..base + end, stop.fault);
    None
}

/// Whether there is nothing but blanks and comments.
pub(crate) fn is_blank(text: &str) -> bool {
    Deserializer::from_str_with_options(text, &options()).is_ok_and(|mut deserializer| deserializer.end().is_ok())
}

/// Where and why reading stopped.
struct Trace {
    /// The path of the field it stopped at.
    path: String,
    /// Boxed, because it is large and rare.
    error: Box<SpannedError>,
}

fn attempt<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Trace> {
    let at_top = |error| Trace { path: String::new(), error: Box::new(error) };
    let mut deserializer = Deserializer::from_str_with_options(text, &options()).map_err(at_top)?;
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = field_path(error.path());
        Trace { path, error: Box::new(deserializer.span_error(error.into_inner())) }
    })?;
    deserializer.end().map_err(|error| at_top(deserializer.span_error(error)))?;
    Ok(value)
}

/// A path as a user would write it, without the names of variants.
fn field_path(path: &Path) -> String {
    let mut text = String::new();
    for segment in path {
        match segment {
            Segment::Map { key } if text.is_empty() => text.push_str(key),
            Segment::Map { key } => text.extend([".", key]),
            Segment::Seq { index } => text.push_str(&format!("[{index}]")),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    text
}

/// A path, and the path of a part from there.
fn joined(path: &str, part: &str) -> String {
    let dot = if path.is_empty() || part.is_empty() || part.starts_with('[') { "" } else { "." };
    format!("{path}{dot}{part}")
}

/// Where reading stopped, for the message to the user.
struct Stop {
    path: String,
    /// Bytes to underline.
    range: Range<usize>,
    fault: Fault,
}

/// What is wrong with text that is not RON.
fn grammar_fault(text: &str, Trace { path, error }: Trace) -> Stop {
    let stop = locate::offset(text, error.span.end.line, error.span.end.col);
    let range = stop..stop + text[stop..].chars().next().map_or(0, char::len_utf8);
    let wanted = match &error.code {
        // The path would be as long as the nesting is deep.
        Error::ExceededRecursionLimit => return Stop { path: String::new(), range, fault: Fault::TooDeep },
        Error::ExpectedComma => "expected a comma, a colon or a closing bracket".to_owned(),
        Error::ExpectedIdentifier => "expected the name of a field, without quotation marks".to_owned(),
        Error::SuggestRawIdentifier(found) | Error::InvalidIdentifier(found) => name_wanted(found),
        Error::TrailingCharacters => "nothing may follow the closing bracket of the scenario".to_owned(),
        code => decapitalized(&code.to_string()),
    };
    let at_end = text[stop..].trim().is_empty() || matches!(error.code, Error::ExpectedStringEnd);
    Stop { path, range, fault: if at_end { Fault::EndsEarly { wanted } } else { Fault::Syntax { wanted } } }
}

/// That a name is expected in place of `found`.
fn name_wanted(found: &str) -> String {
    let is_number = found.starts_with(|c: char| c.is_ascii_digit());
    let notation = if is_number { "; a number is written `1.5`, a vector `(1, 2, 3)`" } else { "" };
    format!("expected the name of a field, found `{found}`{notation}")
}

/// What is wrong with valid RON that is not a value of the wanted type.
fn meaning_fault(text: &str, Trace { path, error }: Trace) -> Stop {
    let place = |position: &Position| locate::offset(text, position.line, position.col);
    let cursor = place(&error.span.start)..place(&error.span.end);
    let value = locate::value(text, &path).unwrap_or(text);
    let whole = locate::range_in(text, value);
    let (range, fault) = match error.code {
        Error::NoSuchStructField { expected: known, found, outer: owner } => {
            (cursor, Fault::UnknownField { found, owner, known })
        }
        Error::NoSuchEnumVariant { expected: known, found, .. } => (cursor, Fault::UnknownWord { found, known }),
        Error::ExpectedDifferentStructName { expected, found } => {
            let advice = match (expected, &*found) {
                ("Scenario", "Sweep") => " (carom sweep runs sweeps)",
                ("Sweep", "Scenario") => " (carom run runs scenarios)",
                _ => "",
            };
            (cursor, Fault::WrongKind { wanted: format!("`{expected}(...)`{advice}"), found })
        }
        Error::DuplicateStructField { field, .. } => (cursor, Fault::FieldTwice { field: field.to_owned() }),
        Error::MissingStructField { field, .. } => (whole, Fault::MissingField { field }),
        // The value ended before its text did, as with a fraction in place of a whole number.
        Error::ExpectedComma | Error::TrailingCharacters => return cut_short(text, &path, value, cursor.end),
        Error::ExpectedStructLikeEnd if is_within_part(value, cursor.end.saturating_sub(whole.start)) => {
            return cut_short(text, &path, value, cursor.end);
        }
        code => {
            let [start, end] = [cursor.start, cursor.end].map(|place| place.saturating_sub(whole.start));
            let wanted = count_wanted(&code, value, start).unwrap_or_else(|| kind_wanted(&code, value, end));
            (whole, Fault::WrongKind { wanted, found: locate::one_line(value) })
        }
    };
    Stop { path, range, fault }
}

/// The fault of the part of `value` that holds the byte `place` of `text`: it continues where it should have ended.
fn cut_short(text: &str, path: &str, value: &str, place: usize) -> Stop {
    let start = locate::range_in(text, value).start;
    let (name, part) = locate::part_at(value, place - start).unwrap_or_else(|| (String::new(), value));
    let wanted = match part.trim_start_matches(['+', '-']) {
        _ if part.parse::<f64>().is_ok() => WHOLE_NUMBER,
        digits if ["0x", "0b", "0o"].iter().any(|base| digits.starts_with(base)) => "a number in decimal digits",
        _ => "a value of another kind",
    };
    Stop {
        path: joined(path, &name),
        range: locate::range_in(text, part),
        fault: Fault::WrongKind { wanted: wanted.to_owned(), found: locate::one_line(part) },
    }
}

/// Whether the byte `place` is within a part of `value`, behind its first byte.
fn is_within_part(value: &str, place: usize) -> bool {
    locate::part_at(value, place).is_some_and(|(_, part)| locate::range_in(value, part).start < place)
}

const WHOLE_NUMBER: &str = "a whole number, in digits";

/// How many values ron expected within the brackets of `found`, and how many there are, if that is the error. Reading
/// stopped at the byte `place`.
fn count_wanted(code: &Error, found: &str, place: usize) -> Option<String> {
    let ends = locate::ends_of_parts(found)?;
    let count = match code {
        // Reading stopped after the last value that ron could use.
        Error::ExpectedStructLikeEnd => ends.iter().filter(|&&end| end <= place).count().to_string(),
        Error::ExpectedDifferentLength { expected, .. } => expected.rsplit(' ').next().unwrap_or_default().to_owned(),
        _ => return None,
    };
    Some(format!("{count} values in round brackets and not {}", ends.len()))
}

/// The kind of value that ron expected in place of `found`, as a noun. Reading stopped at the byte `place`.
fn kind_wanted(code: &Error, found: &str, place: usize) -> String {
    let noun = match code {
        Error::ExpectedFloat => "a number",
        Error::ExpectedInteger | Error::InvalidIntegerDigit { .. } => WHOLE_NUMBER,
        Error::IntegerOutOfBounds => "a whole number, not negative and not too large",
        Error::ExpectedBoolean => "true or false",
        Error::ExpectedString => "a text in quotation marks",
        Error::ExpectedArray => "a list in `[ ]`",
        Error::ExpectedMap => "a map in `{ }`",
        Error::ExpectedIdentifier => "a word without quotation marks",
        Error::ExpectedNamedStructLike(name) if !name.is_empty() => return format!("`{name}(...)`"),
        Error::ExpectedStructLike
            if place > 0 && found.chars().all(char::is_alphanumeric) && !found.starts_with(char::is_numeric) =>
        {
            return format!("`{found}(...)`, with its fields in the brackets");
        }
        Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) => "values in round brackets `( )`",
        Error::SuggestRawIdentifier(_) | Error::InvalidIdentifier(_) if locate::number(found).is_some() => {
            "a word, with or without values in brackets"
        }
        Error::SuggestRawIdentifier(_) | Error::InvalidIdentifier(_) => "fields with names, as in `name: value`",
        Error::InvalidValueForType { expected, .. } => return expected.clone(),
        code => return decapitalized(&code.to_string()),
    };
    noun.to_owned()
}

fn decapitalized(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}
