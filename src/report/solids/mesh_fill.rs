//! From covered cells to a few polygons.
//!
//! Each row of cells has runs. A run belongs to the same patch as a run of the row above if the two share columns, and
//! neither shares columns with another run of these two rows. So a patch has one left and one right side, and no holes.
//! Its sides are straightened as far as that is not visible.

use glam::DVec2;

use super::mesh_depth::{CELL, DepthMap};
use crate::report::motion::curve::straightened;

/// Largest deviation of a side from the cells, pixels. Edges are drawn over it.
const STRAY_MAX: f64 = 0.5;

/// How far a patch reaches under the one below, pixels, so that there is no gap.
const OVERLAP: f64 = 0.25;

/// A patch that is growing: its sides so far, and the run of its last row.
struct Patch {
    left: Vec<DVec2>,
    right: Vec<DVec2>,
    run: [usize; 2],
}

/// Polygons that cover the same area as the mesh, in pixels.
pub(crate) fn patches(depths: &DepthMap) -> Vec<Vec<DVec2>> {
    let mut growing: Vec<Patch> = Vec::new();
    let mut done = Vec::new();
    for row in 0..=depths.rows {
        let runs = if row < depths.rows { runs(depths, row) } else { Vec::new() };
        let before: Vec<[usize; 2]> = growing.iter().map(|patch| patch.run).collect();
        let mut next: Vec<Option<Patch>> = runs.iter().map(|_| None).collect();
        for patch in growing {
            match only(&runs, patch.run).filter(|&run| only(&before, runs[run]).is_some()) {
                Some(run) => next[run] = Some(patch),
                None => done.push(patch.close(depths, row)),
            }
        }
        let begin = |patch: Option<Patch>, run| patch.unwrap_or_else(|| Patch::open(depths, row, run));
        growing = next.into_iter().zip(runs).map(|(patch, run)| begin(patch, run).grown(depths, row, run)).collect();
    }
    done
}

/// The runs of covered cells in a row, each from its first cell to the one after its last.
fn runs(depths: &DepthMap, row: usize) -> Vec<[usize; 2]> {
    let mut runs: Vec<[usize; 2]> = Vec::new();
    for column in (0..depths.columns).filter(|&column| depths.is_covered(column, row)) {
        match runs.last_mut() {
            Some(run) if run[1] == column => run[1] += 1,
            _ => runs.push([column, column + 1]),
        }
    }
    runs
}

/// The index of the run that shares cells with `run`, if there is exactly one.
fn only(runs: &[[usize; 2]], run: [usize; 2]) -> Option<usize> {
    let first = runs.partition_point(|other| other[1] <= run[0]);
    let meets = |place: usize| runs.get(place).is_some_and(|other| other[0] < run[1]);
    (meets(first) && !meets(first + 1)).then_some(first)
}

impl Patch {
    fn open(depths: &DepthMap, row: usize, run: [usize; 2]) -> Self {
        let [left, right] = run.map(|column| vec![corner(depths, column, row as f64)]);
        Self { left, right, run }
    }

    fn grown(mut self, depths: &DepthMap, row: usize, run: [usize; 2]) -> Self {
        let middle = row as f64 + 0.5;
        self.left.push(corner(depths, run[0], middle));
        self.right.push(corner(depths, run[1], middle));
        self.run = run;
        self
    }

    fn close(mut self, depths: &DepthMap, row: usize) -> Vec<DVec2> {
        let below = DVec2::new(0.0, OVERLAP);
        self.left.push(corner(depths, self.run[0], row as f64) + below);
        self.right.push(corner(depths, self.run[1], row as f64) + below);
        let mut outline = straightened(&self.left, STRAY_MAX);
        outline.extend(straightened(&self.right, STRAY_MAX).into_iter().rev());
        outline.iter_mut().for_each(|point| *point = point.min(depths.rect.max));
        outline
    }
}

fn corner(depths: &DepthMap, column: usize, row: f64) -> DVec2 {
    depths.rect.min + CELL * DVec2::new(column as f64, row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_on_in_one_other() {
        let runs = [[2, 4], [6, 9], [12, 13]];
        let rows = [([0, 2], None), ([0, 3], Some(0)), ([3, 7], None), ([4, 7], Some(1)), ([8, 20], None)];
        for (run, wanted) in rows {
            assert_eq!(only(&runs, run), wanted, "{run:?}");
        }
        assert_eq!(only(&runs, [12, 99]), Some(2));
    }
}
