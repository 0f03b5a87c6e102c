//! The bodies that are in cells: a set with constant time for each change. It serves to visit all of them when they are
//! fewer than the cells in question.

use crate::dynamics::BodyId;

/// Rank of a body that is no member.
const NONE: u32 = u32::MAX;

/// A set of bodies.
#[derive(Debug, Clone)]
pub(super) struct Members {
    /// In no particular order.
    all: Vec<BodyId>,
    /// The place of each body in `all`, or [`NONE`].
    ranks: Vec<u32>,
}

impl Members {
    /// The empty set, with space for `count` bodies.
    pub(super) fn with_bodies(count: usize) -> Self {
        Self { all: Vec::new(), ranks: vec![NONE; count] }
    }

    /// Space for one more body, which is no member.
    pub(super) fn push_body(&mut self) {
        self.ranks.push(NONE);
    }

    /// All members.
    pub(super) fn all(&self) -> &[BodyId] {
        &self.all
    }

    /// Adds a body that is no member.
    pub(super) fn add(&mut self, id: BodyId) {
        debug_assert_eq!(self.ranks[id.index()], NONE, "it is a member already");
        self.ranks[id.index()] = self.all.len() as u32;
        self.all.push(id);
    }

    /// Removes a member.
    pub(super) fn remove(&mut self, id: BodyId) {
        let rank = std::mem::replace(&mut self.ranks[id.index()], NONE);
        self.all.swap_remove(rank as usize);
        if let Some(&moved) = self.all.get(rank as usize) {
            self.ranks[moved.index()] = rank;
        }
    }
}
