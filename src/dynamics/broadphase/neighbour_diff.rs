//! The difference of two neighbour lists: which neighbours of the new domain were neighbours before.
//!
//! A hash table with open addressing (Knuth, *The Art of Computer Programming*, vol. 3, § 6.4, algorithm L), at most
//! half full. A lookup takes a few instructions, for ten neighbours or a hundred thousand. No result depends on its
//! order.

use super::neighbour_lists::Neighbour;
use crate::dynamics::BodyId;

/// Size of the smallest table.
const LEAST: usize = 64;

/// The neighbours of the new domain, with their nearby images.
#[derive(Debug, Clone, Default)]
pub(in crate::dynamics) struct NeighbourDiff {
    /// Ranks among `found`, from 1; 0 is vacant. The length is a power of two.
    table: Vec<u32>,
    /// Which of `found` were neighbours before.
    kept: Vec<bool>,
}

impl NeighbourDiff {
    /// Replaces the content of the table by `found`.
    pub(in crate::dynamics) fn set(&mut self, found: &[(BodyId, [i8; 3])]) {
        self.kept.clear();
        self.kept.resize(found.len(), false);
        self.table.clear();
        self.table.resize((2 * found.len()).next_power_of_two().max(LEAST), 0);
        for (rank, &(id, _)) in found.iter().enumerate() {
            let mut place = self.place(id);
            while self.table[place] != 0 {
                place = (place + 1) & (self.table.len() - 1);
            }
            self.table[place] = rank as u32 + 1;
        }
    }

    /// Marks a previous neighbour as kept. Returns whether it is in `found`.
    pub(in crate::dynamics) fn mark(&mut self, found: &[(BodyId, [i8; 3])], neighbour: &Neighbour) -> bool {
        let mut place = self.place(neighbour.id);
        while self.table[place] != 0 {
            let rank = self.table[place] as usize - 1;
            if neighbour.is(found[rank]) {
                self.kept[rank] = true;
                return true;
            }
            place = (place + 1) & (self.table.len() - 1);
        }
        false
    }

    /// Which of `found` were neighbours before.
    pub(in crate::dynamics) fn kept(&self) -> impl Iterator<Item = &bool> {
        self.kept.iter()
    }

    /// The first place in the table for a body (Fibonacci hashing, ibid.).
    fn place(&self, id: BodyId) -> usize {
        (u64::from(id.0).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (self.table.len() - 1)
    }
}
