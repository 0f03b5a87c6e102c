//! Sets of places around a cell of the lattice.

use super::axis::{Axis, Numbers};

/// Cells in a run.
pub(super) const RUN: usize = 3;

/// The cells around one, and itself: along each axis the place before it, its own, and the one behind it. Along the first
/// one they are in a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stencil {
    axes: [[usize; 3]; 3],
}

impl Stencil {
    #[inline(always)]
    pub(super) fn new(axes: &[Axis; 3], cell: Numbers) -> Self {
        // Before the first cell of a row stands the twin of the last one.
        let before = axes[0].place(cell[0]);
        Self { axes: [[before, before + 1, before + 2], axes[1].around(cell[1]), axes[2].around(cell[2])] }
    }

    /// The first places of the runs of three along the first axis; the one with the cell itself comes first.
    #[inline(always)]
    pub(super) fn runs(&self) -> [usize; 9] {
        let [[before, ..], [y0, y, y1], [z0, z, z1]] = self.axes;
        let rows = [y + z, y0 + z, y1 + z, y + z0, y0 + z0, y1 + z0, y + z1, y0 + z1, y1 + z1];
        rows.map(|row| before + row)
    }

    /// All places.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        self.runs().into_iter().flat_map(|first| first..first + RUN)
    }
}

/// Those around a cell that were not around the one from which it is `way` to it; none if that is no way to a cell beside.
#[derive(Debug, Clone, Copy)]
pub(super) struct StencilAhead {
    pub(super) around: Stencil,
    pub(super) way: Numbers,
}

impl StencilAhead {
    /// Calls `visit` with each place.
    #[inline(always)]
    pub(super) fn each(&self, mut visit: impl FnMut(usize)) {
        let [x, y, z] = self.way.map(|way| usize::from(way != 0));
        if x + y + z == 1 {
            self.each_of_layer(y + 2 * z, visit);
            return;
        }
        // One layer along each axis that one goes along, but for what is in the layers before.
        let mut known = self.around.axes.map(|places| (places, 0, 3));
        for axis in 0..3 {
            let (places, first, end) = &mut known[axis];
            let layer = match self.way[axis] {
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

    /// The same for a way along one axis, as most are: which one cannot be guessed, so nothing depends on it but where it goes.
    #[inline(always)]
    fn each_of_layer(&self, axis: usize, mut visit: impl FnMut(usize)) {
        let Stencil { axes } = &self.around;
        let layer = axes[axis][(1 + self.way[axis]) as usize];
        for z in axes[(axis + 2) % 3] {
            for y in axes[(axis + 1) % 3] {
                visit(layer + y + z);
            }
        }
    }
}
