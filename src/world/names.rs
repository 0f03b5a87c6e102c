//! The names of bodies.
//!
//! Bodies that are there from the beginning are numbered in the order of their names. Bodies that come later have the
//! next numbers, in the order of their coming. A name is never used twice, not even after its body has been removed, so
//! the log of a run shows which body is meant.

use std::collections::BTreeMap;
use std::ops::{Bound, Range};
#[cfg(feature = "record")]
use std::sync::OnceLock;

use crate::dynamics::BodyId;

/// The names of all bodies, by id.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    names: Vec<String>,
    /// The number of bodies that were there from the beginning; their names are sorted.
    first: usize,
    /// The bodies that came later.
    later: BTreeMap<String, BodyId>,
    /// The hash of what no command changes in the bodies and settings of the beginning, once it is known.
    #[cfg(feature = "record")]
    pub(super) beginning: OnceLock<u128>,
}

impl Names {
    /// The names of the bodies at the beginning, sorted, each once.
    pub(super) fn new(names: Vec<String>) -> Self {
        Self { first: names.len(), names, ..Self::default() }
    }

    /// The names of all bodies, also of those that were removed.
    pub(super) fn all(&self) -> &[String] {
        &self.names
    }

    pub(super) fn of(&self, id: BodyId) -> &str {
        &self.names[id.index()]
    }

    /// The body that has or had this name.
    pub(super) fn find(&self, name: &str) -> Option<BodyId> {
        let row = self.names[..self.first].binary_search_by(|probe| probe.as_str().cmp(name));
        row.ok().map(|row| BodyId(row as u32)).or_else(|| self.later.get(name).copied())
    }

    /// The names of the bodies that came later, in the order of their coming.
    pub(super) fn later(&self) -> &[String] {
        &self.names[self.first..]
    }

    /// Adds a body.
    pub(super) fn push(&mut self, name: String) {
        self.later.insert(name.clone(), BodyId(self.names.len() as u32));
        self.names.push(name);
    }

    /// Removes the names from the index `count` on, which came later.
    pub(super) fn truncate(&mut self, count: usize) {
        self.names.truncate(count.max(self.first));
        self.later.retain(|_, id| id.index() < count);
    }

    /// The ids of all bodies with names that begin with `prefix`: first of those from the beginning, then of those
    /// that came later, in the order of their names.
    pub(super) fn starting_with(&self, prefix: &str) -> (Range<u32>, impl Iterator<Item = BodyId>) {
        let names = &self.names[..self.first];
        let first = names.partition_point(|name| name.as_str() < prefix);
        let count = names[first..].partition_point(|name| name.starts_with(prefix));
        let later = self
            .later
            .range::<str, _>((Bound::Included(prefix), Bound::Unbounded))
            .take_while(move |(name, _)| name.starts_with(prefix));
        (first as u32..(first + count) as u32, later.map(|(_, &id)| id))
    }
}
