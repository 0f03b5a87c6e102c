//! Which of many boxes are near, touched, or hit: a binary tree of bounding boxes.
//!
//! Every node holds the boxes of both its children, and a leaf is one item, so that a node is read once and an item
//! is looked at only after its own box was. The answer of a query is found by branch and bound: the nearer child
//! first, and nothing that cannot beat the best answer so far (Ericson, *Real-Time Collision Detection*, 2005,
//! § 6.3). No path from the root has more than `DEPTH_MAX` nodes, so a query keeps what it has yet to see in a
//! fixed array and never allocates.

mod build;

use super::Aabb;

/// Most nodes on a path from the root to an item.
///
/// Halving brings 2³² items down to one in 32 splits; the other 16 are room for uneven splits, which queries like.
/// Larger: nothing changes but the memory a query takes on the stack, 16 bytes per level.
const DEPTH_MAX: u32 = 48;

/// A tree over boxes that stay where they are; an item is the row of its box in the list given.
///
/// The same boxes in the same order give the same tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    root: Option<(Aabb, Child)>,
    nodes: Vec<Node>,
}

/// What hangs below a node.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Child {
    /// A node, by its row.
    Node(u32),
    /// An item, by the caller's row.
    Item(u32),
}

/// Two children, each with the box around everything in it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Node {
    bounds: [Aabb; 2],
    children: [Child; 2],
}

impl Tree {
    /// Visits items in about the order in which they promise a good answer, and none that cannot improve the best.
    ///
    /// `bound` is a lower bound of the answer for everything inside a box, in any unit; infinite or NaN means that
    /// nothing in it can answer. `visit` gets an item and the best answer so far and returns the best answer now; the
    /// search begins with `best`.
    ///
    /// - An item is visited if the bound of its box, and of every box around it, is not above the best answer at that
    ///   time. So whatever the order, no better answer is lost.
    /// - An item whose bound equals the best answer is visited: the caller may settle ties by the item.
    /// - The nearer of two boxes goes first. The order is the same on every machine, but not that of the items.
    #[inline]
    pub fn nearest_first(&self, best: f64, bound: impl Fn(&Aabb) -> f64, mut visit: impl FnMut(u32, f64) -> f64) {
        let Some((bounds, root)) = &self.root else { return };
        let mut best = best;
        let mut waiting = Waiting::new((bound(bounds), *root));
        while let Some((near, child)) = waiting.pop() {
            if !can_improve(near, best) {
                continue;
            }
            match child {
                Child::Item(item) => best = visit(item, best),
                Child::Node(row) => {
                    let Node { bounds, children } = &self.nodes[row as usize];
                    let found = [bound(&bounds[0]), bound(&bounds[1])];
                    let first = usize::from(found[1] < found[0]);
                    for side in [1 - first, first] {
                        if can_improve(found[side], best) {
                            waiting.push((found[side], children[side]));
                        }
                    }
                }
            }
        }
    }

    /// Visits every item whose box shares a point with `bounds`; touching counts.
    ///
    /// Each once, in an order that is the same on every machine, but not that of the items.
    #[inline]
    pub fn touching(&self, bounds: &Aabb, mut visit: impl FnMut(u32)) {
        let apart_or_in_touch = |other: &Aabb| if bounds.touches(other) { 0.0 } else { f64::INFINITY };
        self.nearest_first(0.0, apart_or_in_touch, |item, best| {
            visit(item);
            best
        });
    }
}

/// Whether something with this lower bound can be as good as the best answer; NaN cannot.
#[inline]
fn can_improve(bound: f64, best: f64) -> bool {
    bound <= best && bound < f64::INFINITY
}

/// Children yet to be looked at, with their bounds.
///
/// Taking one child and adding two raises the count by one, once for each node on the way down; before the first it
/// is one. So it is never above [`DEPTH_MAX`] + 1.
struct Waiting {
    items: [(f64, Child); DEPTH_MAX as usize + 1],
    count: usize,
}

impl Waiting {
    #[inline]
    fn new(first: (f64, Child)) -> Self {
        Self { items: [first; DEPTH_MAX as usize + 1], count: 1 }
    }

    #[inline]
    fn push(&mut self, item: (f64, Child)) {
        self.items[self.count] = item;
        self.count += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<(f64, Child)> {
        self.count = self.count.checked_sub(1)?;
        Some(self.items[self.count])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn at(x: f64) -> Aabb {
        Aabb::around(DVec3::new(x, 0.0, 0.0), DVec3::splat(0.25))
    }

    /// Rows of boxes along x, and the rows that a box from −0.75 to 0.75 touches.
    #[test]
    fn what_a_box_touches() {
        let nan = Aabb { min: DVec3::NAN, ..at(0.0) };
        let all: Vec<u32> = (0..1000).collect();
        let rows: [(Vec<Aabb>, &[u32]); 8] = [
            (vec![], &[]),
            (vec![at(0.0)], &[0]),
            (vec![at(9.0)], &[]),
            (vec![at(9.0), at(1.0)], &[1]),
            (vec![at(-1.0), at(-1.0625), at(0.0), at(1.0)], &[0, 2, 3]),
            (vec![nan], &[]),
            (vec![at(0.0), nan, at(0.5), at(7.0), nan], &[0, 2]),
            (vec![at(0.5); 1000], &all),
        ];
        for (boxes, expected) in rows {
            let mut found = Vec::new();
            Tree::new(&boxes).touching(&Aabb::around(DVec3::ZERO, DVec3::splat(0.75)), |item| found.push(item));
            found.sort_unstable();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn ties_and_only_ties_of_the_best_are_visited() {
        let boxes = [at(3.0), at(1.0), at(2.0), at(1.0), at(1.0)];
        let mut seen = Vec::new();
        Tree::new(&boxes).nearest_first(
            f64::INFINITY,
            |bounds| bounds.min.x,
            |item, best| {
                seen.push(item);
                best.min(boxes[item as usize].min.x)
            },
        );
        seen.sort_unstable();
        assert_eq!(seen, [1, 3, 4]);
    }

    #[test]
    fn a_bound_without_an_answer_is_not_visited() {
        for nothing in [f64::INFINITY, f64::NAN] {
            Tree::new(&[at(0.0), at(1.0)]).nearest_first(f64::INFINITY, |_| nothing, |_, _| panic!("visited"));
        }
    }

    /// Boxes whose centres double each time invite one-against-the-rest splits.
    #[test]
    fn no_path_is_longer_than_promised() {
        let doubling: Vec<Aabb> = (0..2000).map(|k| at(f64::from_bits((k as u64) << 52))).collect();
        for boxes in [doubling, vec![at(1.0); 5000], (0..5000).map(|k| at(f64::from(k))).collect()] {
            let tree = Tree::new(&boxes);
            let mut seen = vec![false; boxes.len()];
            let (_, root) = tree.root.unwrap();
            let mut below = vec![(root, 0)];
            while let Some((child, depth)) = below.pop() {
                match child {
                    Child::Item(item) => assert!(!std::mem::replace(&mut seen[item as usize], true)),
                    Child::Node(row) => {
                        assert!(depth < DEPTH_MAX);
                        below.extend(tree.nodes[row as usize].children.map(|child| (child, depth + 1)));
                    }
                }
            }
            assert!(seen.iter().all(|&seen| seen), "an item was lost");
        }
    }
}
