//! Where in a grid there is a surface: a pyramid of masks.
//!
//! A node of a level stands for 2 × 2 × 2 nodes of the level below, and one of the lowest level for 2 × 2 × 2 cells.
//! Its mask says which of them have a face of the surface.

/// The levels, the lowest first; the last one has a single node.
#[derive(Clone, PartialEq, Default)]
pub(super) struct Levels(Vec<Level>);

#[derive(Clone, PartialEq)]
struct Level {
    size: [u32; 3],
    masks: Vec<u8>,
}

impl Level {
    fn row(&self, [x, y, z]: [u32; 3]) -> usize {
        let [nx, ny, _] = self.size.map(|n| n as usize);
        (z as usize * ny + y as usize) * nx + x as usize
    }
}

/// The bit of a child in the mask of its parent.
fn bit(child: [u32; 3]) -> u8 {
    1 << (child[0] % 2 + 2 * (child[1] % 2) + 4 * (child[2] % 2))
}

impl Levels {
    /// The levels over `size` cells; `shows` says whether the cell with a number has a face of the surface.
    pub(super) fn new(size: [u32; 3], shows: impl Fn(u32) -> bool) -> Self {
        let halved = |size: [u32; 3]| size.map(|n| n.div_ceil(2));
        let mut sizes = vec![halved(size)];
        while let Some(&last) = sizes.last().filter(|&&last| last != [1; 3]) {
            sizes.push(halved(last));
        }
        let level = |size: [u32; 3]| Level { size, masks: vec![0; size.iter().map(|&n| n as usize).product()] };
        let mut levels = Self(sizes.into_iter().map(level).collect());
        let [nx, ny, nz] = size;
        for (n, [x, y, z]) in
            (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z]))).enumerate()
        {
            if shows(n as u32) {
                levels.set([x, y, z], true);
            }
        }
        levels
    }

    /// Notes whether a cell has a face of the surface.
    pub(super) fn set(&mut self, cell: [u32; 3], shows: bool) {
        let (mut child, mut shows) = (cell, shows);
        for level in &mut self.0 {
            let node = child.map(|n| n / 2);
            let row = level.row(node);
            let before = level.masks[row];
            let after = if shows { before | bit(child) } else { before & !bit(child) };
            level.masks[row] = after;
            if (before != 0) == (after != 0) {
                return;
            }
            (child, shows) = (node, after != 0);
        }
    }

    /// How many levels there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// The children of a node with a face of the surface: cells for `level` 0.
    #[inline]
    pub(super) fn children(&self, level: usize, node: [u32; 3]) -> impl Iterator<Item = [u32; 3]> + use<> {
        let mask = self.0[level].masks[self.0[level].row(node)];
        let child = move |n: u32| [2 * node[0] + n % 2, 2 * node[1] + n / 2 % 2, 2 * node[2] + n / 4];
        (0..8).filter(move |n| mask & 1 << n != 0).map(child)
    }
}
