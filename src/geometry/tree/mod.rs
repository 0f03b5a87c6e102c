//! Which of many boxes are near, touched, or hit: a bounding volume tree of boxes.
//!
//! Every node contains the boxes of both its children, and a leaf is one item. So a node is read once, and an item is
//! visited only after a test of its own box. A query uses branch and bound: the nearer child comes first, and
//! everything that cannot improve the best result so far is skipped (Ericson, *Real-Time Collision Detection*, 2005,
//! § 6.3). No path from the root has more than `DEPTH_MAX` nodes, so a query keeps its pending nodes in an array of
//! fixed size and never allocates.

mod build;

use super::Aabb;

/// Most nodes on a path from the root to an item.
///
/// Halving reduces 2³² items to one in 32 splits. The other 16 allow uneven splits, which make queries faster. Larger:
/// only the memory of a query on the stack grows, by 16 bytes per level.
const DEPTH_MAX: u32 = 48;

/// A tree over boxes that do not move; an item is the row of its box in the given list.
///
/// The same boxes in the same order give the same tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    root: Option<(Aabb, Child)>,
    nodes: Vec<Node>,
}

/// A child of a node.
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
    /// Visits items roughly in the order of their bounds, the best first, and skips those that cannot improve the best
    /// result.
    ///
    /// `bound` is a lower bound of the result for everything inside a box, in any unit; infinite or NaN means that
    /// nothing in the box can give a result. `visit` gets an item and the best result so far, and returns the new best
    /// result. The search begins with `best`.
    ///
    /// - An item is visited if the bound of its box, and of every box around it, is not above the best result at that
    ///   time. So no better result is lost, whatever the order.
    /// - An item whose bound equals the best result is visited, so the caller can resolve ties by the number of the
    ///   item.
    /// - The nearer of two boxes comes first. The order is the same on every machine, but it is not the order of the
    ///   items.
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
    /// Each item is visited once. The order is the same on every machine, but it is not the order of the items.
    #[inline]
    pub fn touching(&self, bounds: &Aabb, mut visit: impl FnMut(u32)) {
        self.nearest_first(0.0, apart_or_in_touch(bounds), |item, best| {
            visit(item);
            best
        });
    }
}

/// A bound for searches of what touches `bounds`: 0 in touch, infinite apart.
#[inline]
pub(super) fn apart_or_in_touch(bounds: &Aabb) -> impl Fn(&Aabb) -> f64 {
    move |other| if bounds.touches(other) { 0.0 } else { f64::INFINITY }
}

/// Whether something with this lower bound can be as good as the best result; NaN cannot.
#[inline]
fn can_improve(bound: f64, best: f64) -> bool {
    bound <= best && bound < f64::INFINITY
}

/// Children that are still to be visited, with their bounds.
///
/// The count is one at first. Taking one child and adding two raises it by one for each level on the way down. So it
/// never exceeds [`DEPTH_MAX`] + 1.
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

    /// Boxes whose centres double each time lead to splits of one box from all the others.
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
