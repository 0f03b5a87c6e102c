//! A grid as serde writes and reads it.

use glam::DVec3;

use super::{Grid, GridError};

/// The cells as lengths of runs of equal ones, in the order of their numbers, the first run being of empty cells.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Saved {
    cell: DVec3,
    size: [u32; 3],
    runs: Vec<u32>,
}

impl From<Grid> for Saved {
    fn from(grid: Grid) -> Self {
        let (mut runs, mut solid) = (vec![0], false);
        for &cell in &grid.cells {
            if (cell & super::SOLID != 0) != solid {
                solid = !solid;
                runs.push(0);
            }
            *runs.last_mut().expect("there is a first run") += 1;
        }
        Self { cell: grid.cell, size: grid.size, runs }
    }
}

impl TryFrom<Saved> for Grid {
    type Error = GridError;

    fn try_from(Saved { cell, size, runs }: Saved) -> Result<Self, GridError> {
        let found: u64 = runs.iter().map(|&run| u64::from(run)).sum();
        let wanted = size.iter().map(|&n| u64::from(n)).try_fold(1, u64::checked_mul);
        let wanted = wanted.ok_or(GridError::Size { size })?;
        if found != wanted || wanted > super::CELLS_MAX {
            return Err(GridError::Saved { found, wanted });
        }
        let solid = runs.iter().enumerate().flat_map(|(n, &run)| (0..run).map(move |_| n % 2 == 1));
        let solid: Vec<bool> = solid.collect();
        Self::voxels(cell, size, |[x, y, z]| solid[((z * size[1] + y) * size[0] + x) as usize])
    }
}
