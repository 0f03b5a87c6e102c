//! A grid of equal cells, solid or empty, as one obstacle: tiles and voxels.
//!
//! Its surface consists of the faces between a solid and an empty cell; what lies beyond the grid is empty. Faces
//! between two solid cells do not exist, so nothing can catch on them. All faces in one plane that look to one side are
//! one
//! *facet*.
//!
//! A cell takes one byte: whether it is solid, and which of its faces are part of the surface. A pyramid of masks, a
//! seventh of a byte per cell, says where there are such cells: it is a bounding volume tree without stored bounds.

mod error;
mod levels;
mod ray;
#[cfg(feature = "serde")]
mod saved;
mod search;

use std::fmt;

use glam::DVec3;

use self::levels::Levels;
use super::{Aabb, Facet};
use crate::numeric::quantity::{is_moderate, is_positive};
use crate::numeric::whole::floor;

pub use error::GridError;
pub use ray::GridHit;

/// Most cells: each has six faces, and a face has a number of 32 bits.
const CELLS_MAX: u64 = 1 << 29;

/// The bit of a solid cell. The bits below it are those of its six faces.
const SOLID: u8 = 1 << 6;
/// The bits of all faces of a cell.
const FACES: u8 = SOLID - 1;

/// One of the six sides of a cell: −x, +x, −y, +y, −z, +z.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Side(u32);

impl Side {
    const ALL: [Self; 6] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5)];

    const fn of(axis: usize, upper: bool) -> Self {
        Self(2 * axis as u32 + upper as u32)
    }

    const fn axis(self) -> usize {
        self.0 as usize / 2
    }

    const fn is_upper(self) -> bool {
        self.0 % 2 == 1
    }

    const fn bit(self) -> u8 {
        1 << self.0
    }

    fn normal(self) -> DVec3 {
        DVec3::AXES[self.axis()] * if self.is_upper() { 1.0 } else { -1.0 }
    }
}

/// Equal cells, solid or empty, that form one obstacle. The lowest corner of the first cell is at the position of its
/// body, and the cells lie along x, y and z from there.
///
/// ```
/// use carom::geometry::Grid;
/// use carom::glam::DVec3;
///
/// // A step: the last row is the lowest one. Cells of 2 m × 1 m × 2 m in the xz plane.
/// let grid = Grid::tiles(DVec3::new(2.0, 1.0, 2.0), &["..#", "###"]).unwrap();
/// assert_eq!((grid.size(), grid.bounds().max), ([3, 1, 2], DVec3::new(6.0, 1.0, 4.0)));
/// assert!(grid.is_solid([2, 0, 1]) && !grid.is_solid([1, 0, 1]));
/// assert!(grid.contains(DVec3::new(5.0, 0.5, 3.0)));
/// // The same from a function of the cell.
/// let same = Grid::voxels(grid.cell(), [3, 1, 2], |[x, _, z]| z == 0 || x == 2).unwrap();
/// assert_eq!(grid, same);
/// ```
#[derive(Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "saved::Saved", try_from = "saved::Saved")
)]
pub struct Grid {
    cell: DVec3,
    size: [u32; 3],
    bounds: Aabb,
    /// One byte per cell: x runs fastest, z slowest.
    cells: Vec<u8>,
    levels: Levels,
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cell, size, .. } = self;
        let solid = self.solid_count();
        f.debug_struct("Grid").field("cell", cell).field("size", size).field("solid", &solid).finish_non_exhaustive()
    }
}

impl Grid {
    /// A grid of `size` cells along the three axes, each `cell` long (m). `is_solid` is asked for every cell.
    ///
    /// # Errors
    /// [`GridError`] when a cell has no size, when the grid is too large, or when there are no cells.
    pub fn voxels(cell: DVec3, size: [u32; 3], is_solid: impl Fn([u32; 3]) -> bool) -> Result<Self, GridError> {
        let count = size.iter().map(|&n| u64::from(n)).try_fold(1, u64::checked_mul);
        let Some(count) = count.filter(|count| (1..=CELLS_MAX).contains(count)) else {
            return Err(GridError::Size { size });
        };
        let max = cell * DVec3::from_array(size.map(f64::from));
        let wrong = (0..3).find(|&axis| !is_positive(cell[axis]) || !is_moderate(max[axis]));
        if let Some(axis) = wrong {
            return Err(GridError::Cell { found: cell[axis] });
        }
        let [nx, ny, _] = size;
        let place = |n: u32| [n % nx, n / nx % ny, n / nx / ny];
        let cells = (0..count as u32).map(|n| if is_solid(place(n)) { SOLID } else { 0 }).collect();
        let bounds = Aabb { min: DVec3::ZERO, max };
        let mut grid = Self { cell, size, bounds, cells, levels: Levels::default() };
        for n in 0..count as u32 {
            grid.cells[n as usize] |= grid.faces_at(place(n));
        }
        grid.levels = Levels::new(size, |n| grid.cells[n as usize] & FACES != 0);
        Ok(grid)
    }

    /// A grid one cell deep in the xz plane, from rows of characters: `#` is a solid cell, `.` and a space are empty
    /// ones. The first row is the highest, the last the lowest; in a row x grows to the right.
    ///
    /// # Errors
    /// [`GridError`] as for [`voxels`](Self::voxels), for another character, and for rows of different lengths.
    pub fn tiles<R: AsRef<str>>(cell: DVec3, rows: &[R]) -> Result<Self, GridError> {
        let width = rows.first().map_or(0, |row| row.as_ref().chars().count());
        let mut solid = Vec::with_capacity(width * rows.len());
        for (row, text) in rows.iter().map(AsRef::as_ref).enumerate() {
            for (column, found) in text.chars().enumerate() {
                match found {
                    '#' => solid.push(true),
                    '.' | ' ' => solid.push(false),
                    _ => return Err(GridError::Character { row, column, found }),
                }
            }
            let found = text.chars().count();
            if found != width {
                return Err(GridError::Row { row, found, wanted: width });
            }
        }
        let [across, up] = [width, rows.len()].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        let at = |[x, _, z]: [u32; 3]| solid[(up - 1 - z) as usize * width + x as usize];
        Self::voxels(cell, [across, 1, up], at)
    }

    /// The edges of a cell, m.
    pub fn cell(&self) -> DVec3 {
        self.cell
    }

    /// The number of cells along the axes.
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// The box around all cells, m.
    pub fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// Whether a cell is solid. What is not in the grid is empty.
    pub fn is_solid(&self, cell: [u32; 3]) -> bool {
        self.number_of(cell).is_some_and(|n| self.cells[n as usize] & SOLID != 0)
    }

    /// The number of solid cells.
    pub fn solid_count(&self) -> usize {
        self.cells.iter().filter(|&&cell| cell & SOLID != 0).count()
    }

    /// Makes a cell solid or empty. Returns whether that changed it; a cell that is not in the grid stays as it is.
    ///
    /// ```
    /// use carom::geometry::Grid;
    /// use carom::glam::DVec3;
    ///
    /// let mut grid = Grid::tiles(DVec3::ONE, &["###"]).unwrap();
    /// assert!(grid.set([1, 0, 0], false) && !grid.set([1, 0, 0], false) && !grid.set([9, 0, 0], true));
    /// assert_eq!(grid, Grid::tiles(DVec3::ONE, &["#.#"]).unwrap());
    /// ```
    pub fn set(&mut self, cell: [u32; 3], solid: bool) -> bool {
        let Some(n) = self.number_of(cell).filter(|_| self.is_solid(cell) != solid) else { return false };
        self.cells[n as usize] ^= SOLID;
        self.renew(cell);
        for side in Side::ALL {
            if let Some(next) = self.beyond(cell, side) {
                self.renew(next);
            }
        }
        true
    }

    /// Turns cells, given by their numbers, from solid to empty and from empty to solid. Returns whether all are in the
    /// grid.
    pub(crate) fn turn(&mut self, numbers: impl Iterator<Item = u32>) -> bool {
        numbers.fold(true, |all, number| {
            let cell = self.place_of(number);
            self.set(cell, !self.is_solid(cell)) && all
        })
    }

    /// The number of a cell, which hits of queries give as their `primitive`; `None` outside.
    #[inline]
    pub(crate) fn number_of(&self, [x, y, z]: [u32; 3]) -> Option<u32> {
        let [nx, ny, nz] = self.size;
        (x < nx && y < ny && z < nz).then(|| self.row([x, y, z]))
    }

    /// The number of a cell that is in the grid.
    #[inline]
    fn row(&self, [x, y, z]: [u32; 3]) -> u32 {
        let [nx, ny, _] = self.size;
        (z * ny + y) * nx + x
    }

    /// The place of a cell in the grid by its number, which hits of queries give as their `primitive`: x runs fastest,
    /// z slowest. It is outside the grid for a number that no cell has.
    pub fn place_of(&self, number: u32) -> [u32; 3] {
        let [nx, ny, _] = self.size;
        [number % nx, number / nx % ny, number / nx / ny]
    }

    /// The cell in which a point lies, given in the frame of the grid's body (m), and `None` outside. A point between
    /// two cells is in the upper one.
    pub fn cell_at(&self, point: DVec3) -> Option<[u32; 3]> {
        let Aabb { min, max } = self.bounds;
        if !(point.cmpge(min).all() && point.cmplt(max).all()) {
            return None;
        }
        Some(std::array::from_fn(|axis| self.index_of(axis, point[axis])))
    }

    /// The box of a cell, in the frame of the grid's body, m. The cell need not be in the grid.
    pub fn box_of(&self, cell: [u32; 3]) -> Aabb {
        Aabb { min: self.corner(cell), max: self.corner(cell.map(|n| n.saturating_add(1))) }
    }

    /// The plane of a facet of which a face is a part.
    #[inline]
    pub(crate) fn facet(&self, part: u32) -> Facet {
        let (cell, side) = self.face(part);
        let (axis, normal) = (side.axis(), side.normal());
        let edge = self.edge(axis, cell[axis] + u32::from(side.is_upper()));
        Facet { normal, offset: normal[axis] * edge }
    }

    /// The number of a facet of which a face is a part: the same for all faces in one plane that look to one side.
    #[inline]
    pub(crate) fn facet_of(&self, part: u32) -> u32 {
        let (cell, side) = self.face(part);
        6 * cell[side.axis()] + side.0
    }

    /// The box of a face, m: flat along one axis.
    #[inline]
    pub(crate) fn face_box(&self, part: u32) -> Aabb {
        let (cell, side) = self.face(part);
        self.flat(cell, side)
    }

    /// All faces have numbers below this one.
    pub(crate) fn numbers(&self) -> usize {
        6 * self.cells.len()
    }

    /// Whether a number is that of a face of the surface.
    pub(crate) fn has_part(&self, part: u32) -> bool {
        let cell = self.cells.get(part as usize / 6);
        cell.is_some_and(|&cell| cell & Side(part % 6).bit() != 0)
    }

    /// The triangles of the surface, two for each face, as corners (m) and their numbers. Seen from outside they run
    /// counterclockwise.
    pub fn triangles(&self) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let (mut corners, mut triangles) = (Vec::new(), Vec::new());
        for (n, &faces) in self.cells.iter().enumerate() {
            for side in Side::ALL.into_iter().filter(|side| faces & side.bit() != 0) {
                let Aabb { min, max } = self.flat(self.place_of(n as u32), side);
                // The two other axes, in an order that turns around the side.
                let (u, v) = ((side.axis() + 1) % 3, (side.axis() + 2) % 3);
                let (u, v) = if side.is_upper() { (u, v) } else { (v, u) };
                let corner = |at_u: bool, at_v: bool| {
                    let mut corner = min;
                    (corner[u], corner[v]) = (if at_u { max[u] } else { min[u] }, if at_v { max[v] } else { min[v] });
                    corner
                };
                let first = corners.len() as u32;
                corners.extend([(false, false), (true, false), (true, true), (false, true)].map(|(u, v)| corner(u, v)));
                triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
            }
        }
        (corners, triangles)
    }

    /// The plane between two layers of cells along an axis, from the lowest corner, m.
    #[inline]
    fn edge(&self, axis: usize, index: u32) -> f64 {
        f64::from(index) * self.cell[axis]
    }

    /// The lowest corner of a cell, m.
    #[inline]
    fn corner(&self, cell: [u32; 3]) -> DVec3 {
        self.cell * DVec3::from_array(cell.map(f64::from))
    }

    /// The layer of cells along an axis at a coordinate, m, within the grid; of two that share it the upper one.
    #[inline]
    fn index_of(&self, axis: usize, x: f64) -> u32 {
        let last = self.size[axis] - 1;
        let mut index = (floor(x / self.cell[axis]) as u32).min(last);
        while index < last && self.edge(axis, index + 1) <= x {
            index += 1;
        }
        while index > 0 && self.edge(axis, index) > x {
            index -= 1;
        }
        index
    }

    /// The cell and the side of a face.
    #[inline]
    fn face(&self, part: u32) -> ([u32; 3], Side) {
        (self.place_of(part / 6), Side(part % 6))
    }

    #[inline]
    fn flat(&self, cell: [u32; 3], side: Side) -> Aabb {
        let (mut bounds, axis) = (self.box_of(cell), side.axis());
        if side.is_upper() {
            bounds.min[axis] = bounds.max[axis];
        } else {
            bounds.max[axis] = bounds.min[axis];
        }
        bounds
    }

    /// The next cell on a side, if it is in the grid.
    #[inline]
    fn beyond(&self, cell: [u32; 3], side: Side) -> Option<[u32; 3]> {
        let (mut next, axis) = (cell, side.axis());
        next[axis] = if side.is_upper() { cell[axis] + 1 } else { cell[axis].checked_sub(1)? };
        (next[axis] < self.size[axis]).then_some(next)
    }

    /// The bits of the faces of a cell that are part of the surface.
    fn faces_at(&self, cell: [u32; 3]) -> u8 {
        if !self.is_solid(cell) {
            return 0;
        }
        let open = |side: &Side| !self.beyond(cell, *side).is_some_and(|next| self.is_solid(next));
        Side::ALL.into_iter().filter(open).fold(0, |faces, side| faces | side.bit())
    }

    /// Finds the faces of a cell again.
    fn renew(&mut self, cell: [u32; 3]) {
        let Some(n) = self.number_of(cell) else { return };
        let faces = self.faces_at(cell);
        let byte = &mut self.cells[n as usize];
        *byte = *byte & SOLID | faces;
        self.levels.set(cell, faces != 0);
    }
}

#[cfg(test)]
mod tests;
