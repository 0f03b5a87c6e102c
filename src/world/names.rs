//! The names of bodies.
//!
//! Those that are there from the beginning are numbered in the order of their names; those that come later go on from
//! there, in the order in which they come. A name is never given twice, not even when its body has been removed, so the
//! log of a run says which body is meant.

use std::collections::BTreeMap;
use std::ops::{Bound, Range};

use crate::dynamics::BodyId;

/// The names of all bodies, by id.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    names: Vec<String>,
    /// How many were there from the beginning: sorted.
    first: usize,
    /// Those that came later.
    later: BTreeMap<String, BodyId>,
}

impl Names {
    /// Names of bodies that are there from the beginning, sorted, each once.
    pub(super) fn new(names: Vec<String>) -> Self {
        Self { first: names.len(), names, later: BTreeMap::new() }
    }

    /// Of all bodies, those that were removed too.
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

    /// The names of those that came later, in their order.
    pub(super) fn later(&self) -> &[String] {
        &self.names[self.first..]
    }

    /// One more body.
    pub(super) fn push(&mut self, name: String) {
        self.later.insert(name.clone(), BodyId(self.names.len() as u32));
        self.names.push(name);
    }

    /// Forgets those from the `count`-th on, which came later.
    pub(super) fn truncate(&mut self, count: usize) {
        self.names.truncate(count.max(self.first));
        self.later.retain(|_, id| id.index() < count);
    }

    /// The ids of all whose names begin with `prefix`: of those that were there from the beginning, and of those that came
    /// later, in the order of their names.
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
