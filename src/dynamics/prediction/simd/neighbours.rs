//! Neighbours as lanes take them.

use super::LANES;
use crate::dynamics::BodyId;

/// Some neighbours in blocks of as many as are looked at together. The last block is filled up with any that there are.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct NeighbourBlocks<'a> {
    blocks: &'a [[BodyId; LANES]],
    count: usize,
}

impl<'a> NeighbourBlocks<'a> {
    pub(in crate::dynamics) const NOBODY: Self = Self { blocks: &[], count: 0 };

    /// The first `count` of some; behind them are enough to fill up the last block.
    ///
    /// # Panics
    /// If there are not.
    #[inline(always)]
    pub(in crate::dynamics) fn new(some: &'a [BodyId], count: usize) -> Self {
        let (blocks, _) = some.as_chunks();
        Self { blocks: &blocks[..count.div_ceil(LANES)], count }
    }

    #[inline(always)]
    pub(in crate::dynamics) fn ids(&self) -> &'a [BodyId] {
        &self.blocks.as_flattened()[..self.count]
    }

    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// At most so many blocks from one on.
    #[inline(always)]
    pub(super) fn blocks(&self, first: usize, most: usize) -> &'a [[BodyId; LANES]] {
        let rest = self.blocks.get(first..).unwrap_or(&[]);
        &rest[..rest.len().min(most)]
    }
}
