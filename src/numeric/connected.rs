//! Which items are connected, directly or through others: disjoint sets (union–find).
//!
//! Each item has a parent, at first itself. The root of an item is the smallest item of its set.

/// The smallest item of the set that `item` belongs to.
pub(crate) fn root(parents: &mut [usize], mut item: usize) -> usize {
    while parents[item] != item {
        parents[item] = parents[parents[item]];
        item = parents[item];
    }
    item
}

/// Makes one set of those of two items.
pub(crate) fn connect(parents: &mut [usize], one: usize, other: usize) {
    let (one, other) = (root(parents, one), root(parents, other));
    parents[one.max(other)] = one.min(other);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connected_items_have_their_smallest_as_root() {
        let mut parents: Vec<usize> = (0..8).collect();
        for (one, other) in [(7, 5), (2, 4), (5, 2), (6, 6), (4, 7)] {
            connect(&mut parents, one, other);
        }
        let roots: Vec<usize> = (0..8).map(|item| root(&mut parents, item)).collect();
        assert_eq!(roots, [0, 1, 2, 3, 2, 2, 6, 2]);
    }
}
