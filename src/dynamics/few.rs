//! Short lists, and how long ones grow.
//!
//! Most impacts are of one pair, and most islands have one free body on one support. A list of at most four items is
//! stored in place, so what lands on the ground needs no memory from the system.

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

/// Parts of a long list that it grows by.
const GROWTH: usize = 8;

/// Makes space for `more` items in a list that may have some per body. A vector that grows by itself takes twice the
/// memory it needs.
pub(super) fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.len() + more > list.capacity() {
        list.reserve_exact(more + list.len() / GROWTH);
    }
}
