//! The comparison of two trees.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::change::{Change, ChangeKind};
use super::node::Node;
use crate::scenario::set::path_with;

/// The lists and maps of a scenario whose entries come and go. One that is left out is empty.
const COLLECTIONS: [&str; 9] =
    ["layers", "materials", "pairs", "bodies", "fill", "observe", "plots", "expect", "commands"];
/// The fields in which a material is named.
const OF_MATERIALS: [&str; 3] = ["material", "default_material", "between"];

/// The differences of two scenarios.
pub(super) fn changes(before: &Node, after: &Node) -> Vec<Change> {
    let mut diff = Diff { renamed: BTreeMap::new(), found: Vec::new() };
    let none = Node::Named { head: String::new(), fields: Vec::new() };
    // Materials come first, because bodies name them.
    let mut names: Vec<&str> = vec!["materials"];
    for (name, _) in fields(before).iter().chain(fields(after)) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    for name in names {
        match [before, after].map(|top| top.field(name)) {
            [None, None] => {}
            [was, is] if COLLECTIONS.contains(&name) => {
                diff.collection(name, was.unwrap_or(&none), is.unwrap_or(&none));
            }
            [was, is] => diff.field(name, name, [was, is]),
        }
    }
    diff.found
}

fn fields(node: &Node) -> &[(String, Node)] {
    match node {
        Node::Named { fields, .. } => fields,
        _ => &[],
    }
}

struct Diff {
    /// Materials with other names.
    renamed: BTreeMap<String, String>,
    found: Vec<Change>,
}

/// An entry of a list or of a map: what it is called, if it has a name, and its place in a list.
#[derive(Clone, Copy)]
struct Entry<'a> {
    name: Option<&'a str>,
    place: usize,
    node: &'a Node,
}

impl Entry<'_> {
    /// How messages call it.
    fn label(&self) -> String {
        match (self.name, self.node) {
            (Some(name), _) => name.to_owned(),
            (None, Node::Text(text)) => text.clone(),
            (None, node) => node.shown(),
        }
    }
}

impl Diff {
    fn push(&mut self, path: &str, kind: ChangeKind, before: Option<String>, after: Option<String>) {
        self.found.push(Change { path: path.to_owned(), kind, before, after });
    }

    /// Compares a field `name` that at least one side has.
    fn field(&mut self, path: &str, name: &str, [was, is]: [Option<&Node>; 2]) {
        match (was, is) {
            (Some(was), Some(is)) => self.value(path, name, was, is),
            _ => self.push(path, ChangeKind::Value, was.map(Node::shown), is.map(Node::shown)),
        }
    }

    /// Compares the values of a field `name`.
    fn value(&mut self, path: &str, name: &str, was: &Node, is: &Node) {
        if was.is_same(is) || self.is_renamed(name, was, is) {
            return;
        }
        let is_one_kind = was.head() == is.head();
        match (was, is) {
            (Node::Named { fields: old, .. }, Node::Named { fields: new, .. }) if is_one_kind => {
                let added = new.iter().filter(|(name, _)| was.field(name).is_none());
                for (name, _) in old.iter().chain(added) {
                    self.field(&path_with(path, name), name, [was.field(name), is.field(name)]);
                }
            }
            (Node::Listed { entries: old, .. }, Node::Listed { entries: new, .. })
                if is_one_kind && old.len() == new.len() =>
            {
                self.listed(path, name, [(was, old), (is, new)]);
            }
            _ => self.push(path, ChangeKind::Value, Some(was.shown()), Some(is.shown())),
        }
    }

    /// Compares lists of one length. Several numbers of a vector are shown together.
    fn listed(&mut self, path: &str, name: &str, [(was, old), (is, new)]: [(&Node, &[Node]); 2]) {
        let other: Vec<usize> = (0..old.len()).filter(|&place| !old[place].is_same(&new[place])).collect();
        if other.len() > 1 && old.iter().chain(new).all(Node::is_single) {
            if !self.is_renamed(name, was, is) {
                self.push(path, ChangeKind::Value, Some(was.shown()), Some(is.shown()));
            }
            return;
        }
        for place in other {
            let step = match old.len() {
                3 if old.iter().all(Node::is_number) => format!(".{}", ["x", "y", "z"][place]),
                _ => format!("[{place}]"),
            };
            self.value(&format!("{path}{step}"), name, &old[place], &new[place]);
        }
    }

    /// Whether a field names materials whose names alone are different.
    fn is_renamed(&self, name: &str, was: &Node, is: &Node) -> bool {
        let follows = |was: &Node, is: &Node| match (was, is) {
            (Node::Text(was), Node::Text(is)) => was == is || self.renamed.get(was) == Some(is),
            _ => false,
        };
        OF_MATERIALS.contains(&name)
            && match (was, is) {
                (Node::Listed { entries: old, .. }, Node::Listed { entries: new, .. }) => {
                    old.len() == new.len() && old.iter().zip(new).all(|(was, is)| follows(was, is))
                }
                _ => follows(was, is),
            }
    }

    /// Compares two lists or maps whose entries come and go.
    fn collection(&mut self, path: &str, was: &Node, is: &Node) {
        let (mut old, mut new) = (entries(was), entries(is));
        let mut pairs = matched([&mut old, &mut new], |entry| entry.name.map(str::to_owned));
        pairs.extend(matched([&mut old, &mut new], |entry| entry.name.is_none().then(|| entry.node.key())));
        let renamed = matched([&mut old, &mut new], |entry| entry.name.map(|_| entry.node.nameless().key()));
        pairs.extend(matched([&mut old, &mut new], |entry| entry.name.is_none().then(|| entry.node.head().to_owned())));
        for [was, is] in renamed {
            self.push(path, ChangeKind::Renamed, Some(was.label()), Some(is.label()));
            if path == "materials" {
                self.renamed.insert(was.label(), is.label());
            }
        }
        pairs.sort_by_key(|pair| pair[0].place);
        for [was, is] in &pairs {
            let inner = was.name.map_or_else(|| format!("{path}[{}]", was.place), |name| path_with(path, name));
            self.value(&inner, "", was.node, is.node);
        }
        old.iter().for_each(|entry| self.push(path, ChangeKind::Removed, Some(entry.label()), None));
        new.iter().for_each(|entry| self.push(path, ChangeKind::Added, None, Some(entry.label())));
        // The order of bodies has no meaning.
        let has_order = matches!(was, Node::Listed { .. }) && path != "bodies";
        if has_order && !pairs.is_sorted_by_key(|pair| pair[1].place) {
            self.push(path, ChangeKind::Order, None, None);
        }
    }
}

/// The entries of a list or of a map.
fn entries(node: &Node) -> Vec<Entry<'_>> {
    match node {
        Node::Named { fields, .. } => {
            let entries = fields.iter().enumerate();
            entries.map(|(place, (name, node))| Entry { name: Some(name), place, node }).collect()
        }
        Node::Listed { entries, .. } => {
            entries.iter().enumerate().map(|(place, node)| Entry { name: node.name(), place, node }).collect()
        }
        _ => Vec::new(),
    }
}

/// Takes the pairs of entries with equal keys out of two lists, those that come first before others.
fn matched<'a>(
    [old, new]: [&mut Vec<Entry<'a>>; 2],
    key: impl Fn(&Entry<'a>) -> Option<String>,
) -> Vec<[Entry<'a>; 2]> {
    let mut waiting: BTreeMap<String, VecDeque<Entry<'a>>> = BTreeMap::new();
    for entry in new.iter() {
        if let Some(key) = key(entry) {
            waiting.entry(key).or_default().push_back(*entry);
        }
    }
    let mut pairs = Vec::new();
    old.retain(|was| {
        let is = key(was).and_then(|key| waiting.get_mut(&key)?.pop_front());
        pairs.extend(is.map(|is| [*was, is]));
        is.is_none()
    });
    let taken: BTreeSet<usize> = pairs.iter().map(|pair| pair[1].place).collect();
    new.retain(|entry| !taken.contains(&entry.place));
    pairs
}
