//! Sets of places around a cell of the lattice.

use super::Numbers;
use super::axis::Axis;

/// A set of places.
pub(super) trait Area {
    /// Calls `visit` with each of them.
    fn each(&self, visit: impl FnMut(usize));
}

/// The cells around one, and itself, which comes first: along each axis the place before it, its own, and the one behind it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around {
    axes: [[usize; 3]; 3],
}

impl Around {
    #[inline(always)]
    pub(super) fn new(axes: &[Axis; 3], cell: Numbers) -> Self {
        Self { axes: [axes[0].around(cell[0]), axes[1].around(cell[1]), axes[2].around(cell[2])] }
    }
}

impl Area for Around {
    #[inline(always)]
    fn each(&self, mut visit: impl FnMut(usize)) {
        let [xs, ys, zs] = self.axes;
        for z in [zs[1], zs[0], zs[2]] {
            for y in [ys[1], ys[0], ys[2]] {
                let row = y + z;
                visit(xs[1] + row);
                visit(xs[0] + row);
                visit(xs[2] + row);
            }
        }
    }
}

/// Those around a cell that were not around the one from which it is `way` to it; none if that is no way to a cell beside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ahead {
    pub(super) around: Around,
    pub(super) way: Numbers,
}

impl Area for Ahead {
    #[inline(always)]
    fn each(&self, mut visit: impl FnMut(usize)) {
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
}
