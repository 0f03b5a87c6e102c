//! Short lists: most impacts are of one pair, and most islands have one free body on one support.
//!
//! A list of at most four items is stored in place, so what lands on the ground needs no memory from the system.

use smallvec::SmallVec;

/// A list that is mostly short.
pub(super) type Few<T> = SmallVec<[T; 4]>;

/// Inserts an item into a sorted list. Returns false if it was there before.
pub(super) fn insert<T: Ord>(sorted: &mut Few<T>, item: T) -> bool {
    match sorted.binary_search(&item) {
        Ok(_) => false,
        Err(place) => {
            sorted.insert(place, item);
            true
        }
    }
}
