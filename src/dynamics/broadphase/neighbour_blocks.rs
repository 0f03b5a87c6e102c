//! Neighbours in blocks of one id per vector lane.
//!
//! The vector code reads whole blocks; the ids behind the last neighbour are valid but ignored.

use crate::dynamics::BodyId;
use crate::numeric::lane::LANES;

/// Neighbours in blocks of as many as are processed together. Any valid ids fill the last block.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct NeighbourBlocks<'a> {
    blocks: &'a [[BodyId; LANES]],
    count: usize,
}

impl<'a> NeighbourBlocks<'a> {
    pub(in crate::dynamics) const EMPTY: Self = Self { blocks: &[], count: 0 };

    /// The first `count` ids of `some`. After them, `some` must have enough ids to fill the last block.
    ///
    /// # Panics
    /// If there are not enough.
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
    pub(in crate::dynamics) fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    pub(in crate::dynamics) fn blocks(&self) -> &'a [[BodyId; LANES]] {
        self.blocks
    }
}
