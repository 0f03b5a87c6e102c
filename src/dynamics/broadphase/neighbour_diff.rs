//! Which of the neighbours found for a new domain were neighbours before.
//!
//! A table with open addresses (Knuth, *The Art of Computer Programming*, vol. 3, § 6.4, algorithm L) that is no more than half
//! full: a look takes a few instructions, be there ten neighbours or a hundred thousand. Nothing depends on its order.

use super::neighbour_lists::Neighbour;
use crate::dynamics::BodyId;

/// Places of the smallest table.
const LEAST: usize = 64;

/// Bodies that were found, with the images that are near.
#[derive(Debug, Clone, Default)]
pub(in crate::dynamics) struct NeighbourDiff {
    /// Ranks among those found, from 1; a power of two of them.
    table: Vec<u32>,
    /// Which of those found were met.
    met: Vec<bool>,
}

impl NeighbourDiff {
    /// Forgets all, and takes in those `found`.
    pub(in crate::dynamics) fn note(&mut self, found: &[(BodyId, [i8; 3])]) {
        self.met.clear();
        self.met.resize(found.len(), false);
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

    /// Marks a neighbour as met, and says whether it was found.
    pub(in crate::dynamics) fn meet(&mut self, found: &[(BodyId, [i8; 3])], neighbour: &Neighbour) -> bool {
        let mut place = self.place(neighbour.id);
        while self.table[place] != 0 {
            let rank = self.table[place] as usize - 1;
            if neighbour.is(found[rank]) {
                self.met[rank] = true;
                return true;
            }
            place = (place + 1) & (self.table.len() - 1);
        }
        false
    }

    /// Which of those found were met.
    pub(in crate::dynamics) fn met(&self) -> impl Iterator<Item = &bool> {
        self.met.iter()
    }

    /// Where to look for a body first (Fibonacci hashing, ibid.).
    fn place(&self, id: BodyId) -> usize {
        (u64::from(id.0).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (self.table.len() - 1)
    }
}
