//! The hash table of cells: each cell has a chain of blocks.
//!
//! Cells along the first axis have adjacent places, so a query that visits them in this order reads memory in order.
//! Space has no bounds, so two cells may have the same place. Then their blocks share a chain.

use prefetch_index::prefetch_index;

use super::block::{Block, NONE};
use super::level::{LARGE, LevelKey};
use crate::dynamics::BodyId;
use crate::geometry::Aabb;

/// The blocks of all cells.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    /// The first block of each chain. Their number is a power of two.
    chains: Vec<u32>,
    blocks: Vec<Block>,
    /// Blocks that are not in use.
    vacant: Vec<u32>,
}

impl Table {
    pub(super) fn with_bodies(count: usize) -> Self {
        Self { chains: vec![NONE; count.next_power_of_two()], blocks: Vec::new(), vacant: Vec::new() }
    }

    /// Space for `count` bodies: with more than two bodies per chain, the number of chains doubles.
    pub(super) fn reserve(&mut self, count: usize) {
        if count <= 2 * self.chains.len() {
            return;
        }
        let twice = vec![NONE; 2 * self.chains.len()];
        for mut place in std::mem::replace(&mut self.chains, twice) {
            while place != NONE {
                let (level, cell) = self.blocks[place as usize].place();
                let chain = self.chain(level, cell);
                let next = std::mem::replace(&mut self.blocks[place as usize].next, self.chains[chain]);
                self.chains[chain] = place;
                place = next;
            }
        }
    }

    /// Adds a body to a cell; returns the block.
    pub(super) fn put(&mut self, id: BodyId, bounds: &Aabb, level: LevelKey, cell: [i32; 3]) -> u32 {
        let chain = self.chain(level, cell);
        let mut place = self.chains[chain];
        while place != NONE {
            let block = &self.blocks[place as usize];
            if block.is_of(level, cell) && !block.is_full() {
                break;
            }
            place = block.next;
        }
        if place == NONE {
            place = self.begin(Block::new(level, cell, self.chains[chain]));
            self.chains[chain] = place;
        }
        self.blocks[place as usize].push(id, bounds);
        place
    }

    /// A new block, or a vacant one.
    fn begin(&mut self, block: Block) -> u32 {
        if let Some(place) = self.vacant.pop() {
            self.blocks[place as usize] = block;
            return place;
        }
        self.blocks.push(block);
        self.blocks.len() as u32 - 1
    }

    /// Removes a body from its block, and the block from its chain if it is then empty.
    pub(super) fn take(&mut self, id: BodyId, place: u32) {
        self.blocks[place as usize].remove(id);
        if !self.blocks[place as usize].is_empty() {
            return;
        }
        let (level, cell) = self.blocks[place as usize].place();
        let (chain, next) = (self.chain(level, cell), self.blocks[place as usize].next);
        let mut before = self.chains[chain];
        if before == place {
            self.chains[chain] = next;
        } else {
            while self.blocks[before as usize].next != place {
                before = self.blocks[before as usize].next;
            }
            self.blocks[before as usize].next = next;
        }
        self.vacant.push(place);
    }

    pub(super) fn block(&self, place: u32) -> &Block {
        &self.blocks[place as usize]
    }

    /// The first block of the chain of a cell.
    #[inline]
    pub(super) fn first(&self, level: LevelKey, cell: [i32; 3]) -> u32 {
        self.chains[self.chain(level, cell)]
    }

    /// The place of the chains of a row of cells along the first axis: that of cell number x is x places after it.
    #[inline(always)]
    pub(super) fn row(&self, level: LevelKey, y: i32, z: i32) -> usize {
        self.chain(level, [0, y, z])
    }

    /// The [first](Self::first) block of a chain of a [row](Self::row).
    #[inline(always)]
    pub(super) fn first_in_row(&self, row: usize, x: i32) -> u32 {
        self.chains[self.place_in_row(row, x)]
    }

    #[inline(always)]
    fn place_in_row(&self, row: usize, x: i32) -> usize {
        row.wrapping_add(x as usize) & (self.chains.len() - 1)
    }

    /// Whether there are more chains than fit into the caches.
    pub(super) fn is_large(&self) -> bool {
        self.chains.len() > LARGE
    }

    /// Prefetches the first blocks of some cells, so that they are read from memory together and not one by one.
    #[inline(always)]
    pub(super) fn prefetch(&self, level: LevelKey, low: [i64; 3], high: [i64; 3]) {
        let rows = (low[2]..high[2] + 1).flat_map(|z| (low[1]..high[1] + 1).map(move |y| (y, z)));
        for (y, z) in rows.clone() {
            let row = self.row(level, y as i32, z as i32);
            prefetch_index(&self.chains, self.place_in_row(row, low[0] as i32));
            prefetch_index(&self.chains, self.place_in_row(row, high[0] as i32));
        }
        for (y, z) in rows {
            let row = self.row(level, y as i32, z as i32);
            for x in low[0]..high[0] + 1 {
                if let Some(block) = self.blocks.get(self.first_in_row(row, x as i32) as usize) {
                    block.prefetch();
                }
            }
        }
    }

    /// The blocks of a cell, given the [first](Self::first) of its chain.
    #[inline(always)]
    pub(super) fn of_cell(&self, first: u32, level: LevelKey, cell: [i32; 3]) -> impl Iterator<Item = &Block> {
        let mut next = first;
        let chain = std::iter::from_fn(move || {
            let block = self.blocks.get(next as usize)?;
            next = block.next;
            Some(block)
        });
        chain.filter(move |block| block.is_of(level, cell))
    }

    /// Multiply-shift hashing (Dietzfelbinger, Hagerup, Katajainen & Penttonen, *A reliable randomized algorithm for
    /// the closest-pair problem*, Journal of Algorithms 25, 1997); the odd factors are arbitrary.
    #[inline]
    fn chain(&self, level: LevelKey, [x, y, z]: [i32; 3]) -> usize {
        let word = |word: i32, factor: u64| (word as u64).wrapping_mul(factor);
        let sum = word(y, 0xC2B2_AE3D_27D4_EB4F)
            .wrapping_add(word(z, 0x1656_67B1_9E37_79F9))
            .wrapping_add(word(i32::from(level.0), 0x27D4_EB2F_1656_67C5));
        let first = ((sum >> 32) * self.chains.len() as u64) >> 32;
        self.place_in_row(first as usize, x)
    }
}
