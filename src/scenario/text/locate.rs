//! From a field's path to its place in the text.
//!
//! ron itself parses the text: a `RawValue` is a slice of the text it was read from. So comments, strings and brackets
//! are recognised here exactly as by ron. A value is located only for a message about it, so nothing is stored for
//! valid values.

use std::fmt;
use std::iter;
use std::ops::Range;

use ron::value::RawValue;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::dialect::options;

/// Where `part`, a slice of `whole`, lies in it, in bytes.
pub(crate) fn range_in(whole: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - whole.as_ptr() as usize;
    start..start + part.len()
}

/// The text of the value at `path` within the value `text`.
///
/// A path is made of field names, keys of maps and places in lists: `shape.radius`, `bodies[2]`. `None` when there
/// is no such value, as for a field that takes its default.
pub(crate) fn value<'a>(text: &'a str, path: &str) -> Option<&'a str> {
    if path.is_empty() {
        return Some(trim(text));
    }
    let mut text = text;
    for step in path.split(['.', '[']).filter(|step| !step.is_empty()) {
        text = child(text, step.trim_end_matches(']'))?;
    }
    Some(text)
}

/// The text of the value of a key of the map `text`. Unlike a step of a path, the key may have dots and brackets.
pub(crate) fn entry<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let Parts::Named(entries) = parts(text)? else { return None };
    entries.into_iter().find(|(name, _)| name == key).map(|(_, value)| trim(value))
}

/// The part of `text`, one level down, that holds the byte `place`: its step in a path, and its text.
pub(crate) fn part_at(text: &str, place: usize) -> Option<(String, &str)> {
    let mut parts = match parts(text)? {
        Parts::Named(parts) => parts,
        Parts::Listed(parts) => {
            parts.into_iter().enumerate().map(|(index, part)| (format!("[{index}]"), part)).collect()
        }
    };
    let found = parts.iter().position(|(_, part)| range_in(text, part).end > place)?;
    let (name, part) = parts.swap_remove(found);
    Some((name, trim(part)))
}

/// Where the values of a list end, one level down, in bytes without the blanks after them; `None` if it is not a list.
pub(crate) fn ends_of_parts(text: &str) -> Option<Vec<usize>> {
    match parts(text)? {
        Parts::Named(_) => None,
        Parts::Listed(parts) => Some(parts.into_iter().map(|part| range_in(text, trim(part)).end).collect()),
    }
}

/// The text without the comments and blanks around it.
pub(crate) fn trim(text: &str) -> &str {
    RawValue::from_ron(text).map_or(text, |raw| raw.trim().get_ron())
}

/// Where the value of `text` begins, behind blanks and comments.
pub(crate) fn start(text: &str) -> usize {
    let value = text.trim_start();
    // Only text that begins like a comment must be parsed to find the end of the comment.
    let value = if value.starts_with('/') { trim(text) } else { value };
    range_in(text, value).start
}

/// A line and a column, both from 1, columns in characters.
pub(crate) fn line_column(text: &str, offset: usize) -> (usize, usize) {
    LineCounter::new(text).go_to(offset)
}

/// Lines and columns of many places, in the order of the text. Each place is counted from the one before it, so that
/// all together cost one pass through the text.
pub(crate) struct LineCounter<'a> {
    text: &'a str,
    offset: usize,
    line: usize,
    column: usize,
}

impl<'a> LineCounter<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, offset: 0, line: 1, column: 1 }
    }

    /// The line and the column of `offset`, which must not lie before the previous one.
    pub(crate) fn go_to(&mut self, offset: usize) -> (usize, usize) {
        let passed = &self.text[self.offset..offset];
        if let Some(line_end) = passed.rfind('\n') {
            self.line += passed.matches('\n').count();
            self.column = 1 + passed[line_end + 1..].chars().count();
        } else {
            self.column += passed.chars().count();
        }
        self.offset = offset;
        (self.line, self.column)
    }
}

/// The inverse of [`line_column`]; positions beyond the end are the end.
pub(crate) fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    text[start..].char_indices().nth(column - 1).map_or(text.len(), |(place, _)| start + place)
}

/// The part of `range` on its first line, cut to a length: the part of a long value to underline.
pub(crate) fn first_line(text: &str, range: Range<usize>) -> Range<usize> {
    const CHARACTERS_MAX: usize = 240;
    let line = text[range.clone()].lines().next().unwrap_or_default().trim_end();
    let length = line.char_indices().nth(CHARACTERS_MAX).map_or(line.len(), |(place, _)| place);
    range.start..range.start + length
}

/// A value as messages quote it: only its first line, cut to a length.
pub(crate) fn one_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim_end();
    match line.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None if line.len() < text.len() => format!("{line} ..."),
        None => line.to_owned(),
    }
}

fn child<'a>(text: &'a str, step: &str) -> Option<&'a str> {
    let found = match parts(text)? {
        Parts::Named(parts) => parts.into_iter().find(|(name, _)| name == step)?.1,
        Parts::Listed(parts) => *parts.get(step.parse::<usize>().ok()?)?,
    };
    Some(trim(found))
}

/// The parts of a value, one level down.
pub(crate) enum Parts<'a> {
    /// The fields of a structure or the entries of a map.
    Named(Vec<(String, &'a str)>),
    /// The entries of a list.
    Listed(Vec<&'a str>),
}

/// Whether a text is one value, with blanks and comments around it.
pub(crate) fn is_value(text: &str) -> bool {
    options().from_str::<IgnoredAny>(text).is_ok()
}

/// The number that a value is, if it is one.
pub(crate) fn number(text: &str) -> Option<f64> {
    options().from_str(text).ok()
}

/// The parts of the value `text`; `None` for a single value, and for text that is not RON. A list in the brackets of a
/// name, `Name([...])`, is the list.
pub(crate) fn parts(text: &str) -> Option<Parts<'_>> {
    let parts = options().from_str(text).ok()?;
    let begins = |text: &str, with: fn(char) -> bool| text[start(text)..].starts_with(with);
    match &parts {
        Parts::Listed(list)
            if list.len() == 1 && begins(text, char::is_alphabetic) && begins(list[0], |first| first == '[') =>
        {
            self::parts(list[0])
        }
        _ => Some(parts),
    }
}

impl<'de> Deserialize<'de> for Parts<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PartsVisitor)
    }
}

struct PartsVisitor;

impl<'de> Visitor<'de> for PartsVisitor {
    type Value = Parts<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value with parts")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let entries = iter::from_fn(|| map.next_entry::<String, &RawValue>().transpose());
        let named = entries.map(|entry| entry.map(|(name, value)| (name, value.get_ron())));
        named.collect::<Result<_, _>>().map(Parts::Named)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let entries = iter::from_fn(|| sequence.next_element::<&RawValue>().transpose());
        entries.map(|entry| entry.map(RawValue::get_ron)).collect::<Result<_, _>>().map(Parts::Listed)
    }

    /// `Some(value)` counts as the value itself: the schema reads both alike.
    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        inner.deserialize_any(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_of_ron_is_seen_through() {
        let text = r##"#![enable(implicit_some)]
Scenario( // a comment with ) and "
    title: r#"raw "quoted" ( string"#, sign: '(',
    /* outer /* nested ] */ still outside */
    bodies: [ (name: "a\")", mass: /* here */ 1.5 /* there */), Body(mass: 2, shape: Sphere(radius: 0.1),), ],
    table: { "steel": (restitution: 0.5), },
    point: (1, -2.0e-3, (3)), maybe: Some(Plane(offset: 7)),
    law: /* of */ BySpeed([(0, 1), (2, 3)]), other: Viscoelastic(0.1),
)"##;
        let rows = [
            ("title", Some(r##"r#"raw "quoted" ( string"#"##)),
            ("sign", Some("'('")),
            ("bodies[0].name", Some(r#""a\")""#)),
            ("bodies[0].mass", Some("1.5")),
            ("bodies[1]", Some("Body(mass: 2, shape: Sphere(radius: 0.1),)")),
            ("bodies[1].shape.radius", Some("0.1")),
            ("table.steel.restitution", Some("0.5")),
            ("point[1]", Some("-2.0e-3")),
            ("point[2]", Some("(3)")),
            ("maybe.offset", Some("7")),
            ("law[1][0]", Some("2")),
            ("other[0]", Some("0.1")),
            ("bodies[2]", None),
            ("bodies[0].density", None),
            ("title.length", None),
        ];
        for (path, expected) in rows {
            assert_eq!(value(text, path), expected, "{path}");
        }
    }

    #[test]
    fn a_value_starts_behind_blanks_and_comments() {
        let rows = [("Kick()", 0), (" \r\n\tKick()", 4), (" // no Kick\n Kick()", 13), ("/* a /* b */ */1 ", 15)];
        for (text, place) in rows {
            assert_eq!(start(text), place, "{text}");
        }
    }

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let text = "ab\r\nü?\n";
        let rows = [(0, (1, 1)), (1, (1, 2)), (4, (2, 1)), (6, (2, 2)), (8, (3, 1))];
        let mut counter = LineCounter::new(text);
        for (place, position) in rows {
            assert_eq!(line_column(text, place), position, "{place}");
            assert_eq!(counter.go_to(place), position, "{place}, from the one before");
            assert_eq!(offset(text, position.0, position.1), place, "{position:?}");
        }
        assert_eq!(offset(text, 9, 9), text.len());
    }
}
