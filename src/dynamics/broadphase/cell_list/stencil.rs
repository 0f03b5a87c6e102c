//! Sets of places around a cell of the cell list.
//!
//! A stencil is the cell and its 26 neighbours. The stencil ahead is the part of it that is new after a move to the
//! next cell: 9 cells for most moves.

use super::axis::{Axis, Numbers};

/// Number of cells in a run along the first axis.
pub(super) const RUN: usize = 3;

/// A cell and the cells around it: along each axis the place before, its own, and the place after. Along the first axis
/// they are adjacent in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stencil {
    axes: [[usize; 3]; 3],
}

impl Stencil {
    #[inline(always)]
    pub(super) fn new(axes: &[Axis; 3], cell: Numbers) -> Self {
        // The place before the first cell of a row has the twin of the last cell.
        let before = axes[0].place(cell[0]);
        Self { axes: [[before, before + 1, before + 2], axes[1].around(cell[1]), axes[2].around(cell[2])] }
    }

    /// The first places of the runs of three along the first axis; the run with the cell itself comes first.
    #[inline(always)]
    pub(super) fn runs(&self) -> [usize; 9] {
        let [[before, ..], [y0, y, y1], [z0, z, z1]] = self.axes;
        let rows = [y + z, y0 + z, y1 + z, y + z0, y0 + z0, y1 + z0, y + z1, y0 + z1, y1 + z1];
        rows.map(|row| before + row)
    }

    /// All places.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> + use<> {
        self.runs().into_iter().flat_map(|first| first..first + RUN)
    }
}

/// The cells around a cell that are not around the previous one, `steps` before it; empty if the two cells are not
/// adjacent.
#[derive(Debug, Clone, Copy)]
pub(super) struct StencilAhead {
    pub(super) around: Stencil,
    pub(super) steps: Numbers,
}

impl StencilAhead {
    /// Calls `visit` with each place.
    #[inline(always)]
    pub(super) fn each(&self, mut visit: impl FnMut(usize)) {
        let [x, y, z] = self.steps.map(|steps| usize::from(steps != 0));
        if x + y + z == 1 {
            self.each_of_layer(y + 2 * z, visit);
            return;
        }
        // One layer along each axis of the move, without the cells of the layers before.
        let mut known = self.around.axes.map(|places| (places, 0, 3));
        for axis in 0..3 {
            let (places, first, end) = &mut known[axis];
            let layer = match self.steps[axis] {
                -1 => {
                    *first = 1;
                    places[0]
                }
                1 => {
                    *end = 2;
                    places[2]
                }
                _ => continue,
            };
            let [(ys, y_first, y_end), (zs, z_first, z_end)] = [known[(axis + 1) % 3], known[(axis + 2) % 3]];
            for z in &zs[z_first..z_end] {
                for y in &ys[y_first..y_end] {
                    visit(layer + y + z);
                }
            }
        }
    }

    /// The same for a move along one axis, the most frequent case. The axis is unpredictable, so it changes only
    /// addresses, not branches.
    #[inline(always)]
    fn each_of_layer(&self, axis: usize, mut visit: impl FnMut(usize)) {
        let Stencil { axes } = &self.around;
        let layer = axes[axis][(1 + self.steps[axis]) as usize];
        for z in axes[(axis + 2) % 3] {
            for y in axes[(axis + 1) % 3] {
                visit(layer + y + z);
            }
        }
    }
}
