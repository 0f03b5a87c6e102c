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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_the_same_after_it_was_saved() {
        for n in [1, 2, 3, 4] {
            let grid = Grid::voxels(DVec3::new(1.0, 0.5, 0.1), [3, 2, 4], |[x, y, z]| (x + y + z) % n == 0).unwrap();
            let text = serde_json::to_string(&grid).unwrap();
            assert_eq!(serde_json::from_str::<Grid>(&text).unwrap(), grid);
        }
        let saved = |text: &str| serde_json::from_str::<Grid>(text).unwrap_err().to_string();
        assert!(saved(r#"{"cell": [1, 1, 1], "size": [2, 1, 1], "runs": [0, 3]}"#).starts_with("3 cells were saved"));
        let endless = r#"{"cell": [1, 1, 1], "size": [4000000000, 4000000000, 4000000000], "runs": [0]}"#;
        assert!(saved(endless).contains("more than 2²⁹"), "{}", saved(endless));
    }
}
