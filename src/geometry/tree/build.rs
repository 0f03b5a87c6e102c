//! Construction of the tree: where a set of boxes is split in two.
//!
//! The tree is built from the top down. Each split minimises the surface area heuristic: the sum of the areas of the
//! boxes around the two parts, each times its count (Goldsmith & Salmon, *Automatic creation of object hierarchies for
//! ray tracing*, 1987). The candidates are the borders of a few equal bins along each axis (Wald, *On fast construction
//! of SAH-based bounding volume hierarchies*, 2007). If there is no such split, or if it would make the tree too deep,
//! the set is split at its middle in the order of the centres.

use glam::DVec3;

use super::{Aabb, Child, DEPTH_MAX, Node, Tree};
use crate::geometry::gap::largest;

/// Bins along an axis. With more of them the trees are hardly better and take longer to build.
const BINS: usize = 16;

/// An item that is to be put into the tree.
#[derive(Clone, Copy)]
struct Entry {
    bounds: Aabb,
    center: DVec3,
    item: u32,
}

impl Tree {
    /// A tree over `bounds`, m. Boxes may be equal, flat, or points; there may be none.
    ///
    /// A box with a coordinate that is NaN touches nothing and does not affect any other.
    ///
    /// # Panics
    /// When there are more than 2³² − 1 boxes.
    pub fn new(bounds: &[Aabb]) -> Self {
        tree(bounds)
    }
}

fn tree(bounds: &[Aabb]) -> Tree {
    let count = u32::try_from(bounds.len()).expect("at most 2³² − 1 boxes");
    let entry = |(item, bounds): (u32, &Aabb)| Entry {
        bounds: *bounds,
        // Halved first, so that the sum of two huge numbers stays finite.
        center: bounds.min * 0.5 + bounds.max * 0.5,
        item,
    };
    let mut entries: Vec<Entry> = (0..count).zip(bounds).map(entry).collect();
    let mut nodes = Vec::with_capacity(bounds.len().saturating_sub(1));
    let root = (!entries.is_empty()).then(|| (around(&entries), grow(&mut entries, DEPTH_MAX, &mut nodes)));
    Tree { root, nodes }
}

/// Appends the nodes over `entries`, the topmost first. There are at most 2^`depth` entries, and the nodes are at most
/// `depth` deep.
fn grow(entries: &mut [Entry], depth: u32, nodes: &mut Vec<Node>) -> Child {
    if let [only] = entries {
        return Child::Item(only.item);
    }
    let (left, right) = split(entries, 1 << (depth - 1));
    let row = nodes.len();
    nodes.push(Node { bounds: [around(left), around(right)], children: [Child::Node(0); 2] });
    nodes[row].children = [grow(left, depth - 1, nodes), grow(right, depth - 1, nodes)];
    Child::Node(row as u32)
}

/// Splits two or more entries, at most twice `most`, into two parts. Neither part is empty or larger than `most`.
fn split(entries: &mut [Entry], most: u64) -> (&mut [Entry], &mut [Entry]) {
    let spread = Spread::of(entries);
    let cheapest = (0..3).filter_map(|axis| Cut::cheapest(entries, axis, &spread));
    // If costs are equal, the first is taken.
    let cut = cheapest.reduce(|best, next| if next.cost < best.cost { next } else { best });
    if let Some(cut) = cut {
        let left = partition(entries, |entry| spread.bin(entry, cut.axis) < cut.bin);
        if left.max(entries.len() - left) as u64 <= most {
            return entries.split_at_mut(left);
        }
    }
    let (axis, middle) = (largest(spread.size), entries.len() / 2);
    let order = |a: &Entry, b: &Entry| a.center[axis].total_cmp(&b.center[axis]).then(a.item.cmp(&b.item));
    entries.select_nth_unstable_by(middle, order);
    entries.split_at_mut(middle)
}

/// Moves the entries that `belong` to the front; returns how many.
fn partition(entries: &mut [Entry], belongs: impl Fn(&Entry) -> bool) -> usize {
    let mut front = 0;
    for row in 0..entries.len() {
        if belongs(&entries[row]) {
            entries.swap(front, row);
            front += 1;
        }
    }
    front
}

/// The range of the centres, cut into bins.
struct Spread {
    low: DVec3,
    size: DVec3,
    bins: usize,
}

impl Spread {
    fn of(entries: &[Entry]) -> Self {
        let points = entries.iter().map(|entry| Aabb { min: entry.center, max: entry.center });
        let range = points.fold(NOTHING, union);
        Self { low: range.min, size: range.max - range.min, bins: BINS.min(entries.len()) }
    }

    /// The bin of an entry's centre; 0 for one that is NaN.
    #[inline]
    fn bin(&self, entry: &Entry, axis: usize) -> usize {
        let place = (entry.center[axis] - self.low[axis]) * (self.bins as f64 / self.size[axis]);
        (place as usize).min(self.bins - 1)
    }
}

/// A split before a bin.
struct Cut {
    axis: usize,
    bin: usize,
    cost: f64,
}

impl Cut {
    /// The cheapest split along `axis`, if there is one of finite cost.
    fn cheapest(entries: &[Entry], axis: usize, spread: &Spread) -> Option<Self> {
        let has_length = spread.size[axis] > 0.0;
        if !has_length {
            return None;
        }
        let mut bins = [(NOTHING, 0); BINS];
        for entry in entries {
            let (bounds, count) = &mut bins[spread.bin(entry, axis)];
            *bounds = union(*bounds, entry.bounds);
            *count += 1;
        }
        let mut costs = [0.0; BINS];
        let mut part = (NOTHING, 0);
        for bin in 1..spread.bins {
            part = joined(part, bins[bin - 1]);
            costs[bin] = cost(part);
        }
        let mut best = Self { axis, bin: 0, cost: f64::INFINITY };
        let mut part = (NOTHING, 0);
        for bin in (1..spread.bins).rev() {
            part = joined(part, bins[bin]);
            let cost = costs[bin] + cost(part);
            if cost < best.cost {
                best = Self { axis, bin, cost };
            }
        }
        (best.bin > 0).then_some(best)
    }
}

fn joined(a: (Aabb, u32), b: (Aabb, u32)) -> (Aabb, u32) {
    (union(a.0, b.0), a.1 + b.1)
}

/// Half the surface of the box around a part, times its count; infinite for an empty part.
fn cost((bounds, count): (Aabb, u32)) -> f64 {
    if count == 0 {
        return f64::INFINITY;
    }
    let size = bounds.max - bounds.min;
    (size.x * size.y + size.y * size.z + size.z * size.x) * f64::from(count)
}

/// The box around no point.
const NOTHING: Aabb = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

/// The box around both; coordinates of `more` that are NaN are ignored.
#[inline]
fn union(all: Aabb, more: Aabb) -> Aabb {
    Aabb {
        min: DVec3::select(more.min.cmplt(all.min), more.min, all.min),
        max: DVec3::select(more.max.cmpgt(all.max), more.max, all.max),
    }
}

/// The box around all entries; for a single entry its own box, to the bit.
fn around(entries: &[Entry]) -> Aabb {
    match entries {
        [only] => only.bounds,
        entries => entries.iter().fold(NOTHING, |all, entry| union(all, entry.bounds)),
    }
}
