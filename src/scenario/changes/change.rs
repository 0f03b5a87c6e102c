//! One difference between two scenarios, and how it is said.

use std::fmt;

use serde::Serialize;

/// Most changes that are listed in words.
const LISTED_MAX: usize = 12;

/// One difference between two scenarios.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The path of the field, as `--set` takes it; the list or map, if one of its entries came, went or got another
    /// name.
    pub path: String,
    /// What happened there.
    pub kind: ChangeKind,
    /// The value or the name before; `None` if there was none.
    pub before: Option<String>,
    /// The value or the name after; `None` if there is none.
    pub after: Option<String>,
}

/// What is different about a field, a list or a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ChangeKind {
    /// A field has another value, or only one of the two scenarios has the field.
    Value,
    /// An entry came.
    Added,
    /// An entry went.
    Removed,
    /// An entry has another name, and is the same in all else.
    Renamed,
    /// The entries are in another order.
    Order,
    /// A file has other content.
    Content,
}

impl fmt::Display for Change {
    /// `materials.rubber.restitution 0.5 → 0.51`; ``bodies: `ball` added``.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, kind, before, after } = self;
        let [before, after] = [before, after].map(|value| value.as_deref().unwrap_or("not given"));
        match kind {
            ChangeKind::Value => write!(f, "{path} {before} → {after}"),
            ChangeKind::Added => write!(f, "{path}: `{after}` added"),
            ChangeKind::Removed => write!(f, "{path}: `{before}` removed"),
            ChangeKind::Renamed => write!(f, "{path}: `{before}` renamed to `{after}`"),
            ChangeKind::Order => write!(f, "{path}: in another order"),
            ChangeKind::Content => write!(f, "the content of the file `{path}`"),
        }
    }
}

impl Change {
    /// Changes in words, each on a line; of very many the first, and how many more there are.
    pub fn lines(changes: &[Self]) -> Vec<String> {
        let mut lines: Vec<String> = changes.iter().take(LISTED_MAX).map(ToString::to_string).collect();
        if changes.len() > LISTED_MAX {
            lines.push(format!("and {} more", changes.len() - LISTED_MAX));
        }
        lines
    }

    /// What was changed since a recording was made, in lines before the first step that differs; nothing if the
    /// scenario is the same.
    pub fn since_recorded(changes: &[Self]) -> String {
        if changes.is_empty() {
            return String::new();
        }
        let lines: String = Self::lines(changes).iter().map(|line| format!("  {line}\n")).collect();
        format!("changed since it was recorded:\n{lines}")
    }
}
