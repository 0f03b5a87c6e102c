//! Short lists, and how long ones grow.
//!
//! Most impacts are of one pair, and most islands have one free body on one support. A list of at most four items is
//! stored in place, so a body that lands on the ground needs no memory allocation.

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

/// The items in order, each of them once.
pub(super) fn each_once<T: Ord>(items: impl IntoIterator<Item = T>) -> Few<T> {
    let mut all: Few<T> = items.into_iter().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A long list grows by its length divided by this number.
const GROWTH: usize = 8;

/// Makes space for `more` items in a list that may have several items per body. A vector with automatic growth may take
/// twice the memory it needs.
pub(super) fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.len() + more > list.capacity() {
        list.reserve_exact(more + list.len() / GROWTH);
    }
}
