//! A text in RON as a tree: the same tree for all ways to write the same values.

use std::fmt;

use crate::numeric::shown;
use crate::scenario::text::dialect::options;
use crate::scenario::text::locate::{Parts, parts, trim};

/// The names of structures, which may be left out; other names before brackets are those of variants.
const STRUCTURES: [&str; 6] = ["Scenario", "Body", "Material", "Pair", "Record", "Vicinity"];

/// Most characters of a value that is shown.
const CHARACTERS_MAX: usize = 80;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// A whole number.
    Whole(i128),
    Number(f64),
    /// A text, without its quotation marks.
    Text(String),
    /// A word, such as `Free`; also any other single value.
    Word(String),
    /// Fields of a structure or entries of a map, in the order of the text.
    Named {
        head: String,
        fields: Vec<(String, Node)>,
    },
    /// A list or a tuple.
    Listed {
        head: String,
        entries: Vec<Node>,
    },
}

impl Node {
    /// The tree of a text, which must be RON.
    pub(super) fn of(text: &str) -> Self {
        let text = trim(text);
        match parts(text) {
            Some(Parts::Named(fields)) => {
                let fields = fields.into_iter().map(|(name, value)| (name, Self::of(value))).collect();
                Self::Named { head: head(text), fields }
            }
            Some(Parts::Listed(entries)) => {
                Self::Listed { head: head(text), entries: entries.into_iter().map(Self::of).collect() }
            }
            None => Self::single(text),
        }
    }

    fn single(text: &str) -> Self {
        let inner = text.strip_prefix("Some(").and_then(|rest| rest.strip_suffix(')'));
        if let Some(inner) = inner {
            return Self::of(inner);
        }
        let [natural, negative] =
            [options().from_str::<u64>(text).map(i128::from), options().from_str::<i64>(text).map(i128::from)];
        if let Ok(whole) = natural.or(negative) {
            return Self::Whole(whole);
        }
        if let Ok(number) = options().from_str(text) {
            return Self::Number(number);
        }
        options().from_str(text).map_or_else(|_| Self::Word(text.to_owned()), Self::Text)
    }

    /// The name of the variant before the brackets, such as `Sphere`.
    pub(super) fn head(&self) -> &str {
        match self {
            Self::Named { head, .. } | Self::Listed { head, .. } => head,
            _ => "",
        }
    }

    /// The value of a field.
    pub(super) fn field(&self, name: &str) -> Option<&Self> {
        let Self::Named { fields, .. } = self else { return None };
        fields.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The text in the field `name`: the name of an entry of a list.
    pub(super) fn name(&self) -> Option<&str> {
        match self.field("name") {
            Some(Self::Text(name)) => Some(name),
            _ => None,
        }
    }

    /// The same without its name.
    pub(super) fn nameless(&self) -> Self {
        let mut node = self.clone();
        if let Self::Named { fields, .. } = &mut node {
            fields.retain(|(name, _)| name != "name");
        }
        node
    }

    /// Whether it is one value without parts.
    pub(super) fn is_single(&self) -> bool {
        !matches!(self, Self::Named { .. } | Self::Listed { .. })
    }

    /// A text that is the same for all nodes with the same value. Very large whole numbers may share theirs.
    pub(super) fn key(&self) -> String {
        match self {
            Self::Whole(whole) => shown(*whole as f64),
            Self::Named { head, fields } => {
                let mut parts: Vec<String> =
                    fields.iter().map(|(name, value)| format!("{name:?}:{}", value.key())).collect();
                parts.sort_unstable();
                format!("{}({})", head, parts.join(","))
            }
            Self::Listed { head, entries } => {
                format!("{}[{}]", head, entries.iter().map(Self::key).collect::<Vec<_>>().join(","))
            }
            single => single.to_string(),
        }
    }

    /// Whether both have the same value, whatever the order of their fields.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        if self.head() != other.head() {
            return false;
        }
        match (self, other) {
            (Self::Whole(a), Self::Number(b)) | (Self::Number(b), Self::Whole(a)) => {
                (*a as f64).to_bits() == b.to_bits()
            }
            (Self::Number(a), Self::Number(b)) => a.to_bits() == b.to_bits(),
            (Self::Named { fields, .. }, Self::Named { fields: others, .. }) => {
                let is_there =
                    |(name, value): &(String, Self)| other.field(name).is_some_and(|other| value.is_same(other));
                fields.len() == others.len() && fields.iter().all(is_there)
            }
            (Self::Listed { entries, .. }, Self::Listed { entries: others, .. }) => {
                entries.len() == others.len() && entries.iter().zip(others).all(|(a, b)| a.is_same(b))
            }
            _ => self == other,
        }
    }

    /// Whether it is a number.
    pub(super) const fn is_number(&self) -> bool {
        matches!(self, Self::Whole(_) | Self::Number(_))
    }

    /// The value in one line, cut to a length.
    pub(super) fn shown(&self) -> String {
        let text = self.to_string();
        match text.char_indices().nth(CHARACTERS_MAX) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text,
        }
    }
}

/// The name of the variant before the brackets of a value.
fn head(text: &str) -> String {
    let name: String = text.chars().take_while(|&c| c.is_alphanumeric() || c == '_').collect();
    if STRUCTURES.contains(&name.as_str()) { String::new() } else { name }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(whole) => write!(f, "{whole}"),
            Self::Number(number) => f.write_str(&shown(*number)),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Word(word) => f.write_str(word),
            Self::Named { head, fields } => {
                let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name}: {value}")).collect();
                write!(f, "{head}({})", fields.join(", "))
            }
            Self::Listed { head, entries } => {
                let entries: Vec<String> = entries.iter().map(Self::to_string).collect();
                write!(f, "{head}({})", entries.join(", "))
            }
        }
    }
}
