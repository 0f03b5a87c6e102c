//! Grids and height fields.

use numpy::{AllowTypeChange, PyArrayLike3, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::text::{list, number, quoted, triple};
use crate::words::shown;

/// What pickle wants: a class, and the values that it is made from.
type Made<'py, T> = (Bound<'py, PyAny>, T);

/// Truth values along x, y and z.
type Cells = Vec<Vec<Vec<bool>>>;

/// One number for all axes, or one for each.
struct Edges<const N: usize>([f64; N]);

impl<'a, 'py, const N: usize> FromPyObject<'a, 'py> for Edges<N> {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let edges = given.extract().map(|edge| [edge; N]).or_else(|_: PyErr| given.extract::<[f64; N]>());
        let words = || format!("must be a number or {N} of them, found {}", shown(&given));
        edges.map(Self).map_err(|_| PyTypeError::new_err(words()))
    }
}

/// Fixed cells in the xz plane, from rows of characters: `#` is solid, `.` empty; the last row is the lowest.
///
/// The edges of a cell are in m: one number, or two along x and z. The lower corner of the first cell of the last row
/// is at the position of the body. The cells are one edge deep along y, or `depth`.
#[pyclass(frozen, eq, module = "carom")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tiles {
    #[pyo3(get)]
    cell: [f64; 2],
    #[pyo3(get)]
    rows: Vec<String>,
    #[pyo3(get)]
    depth: f64,
}

#[pymethods]
impl Tiles {
    #[new]
    #[pyo3(signature = (cell, rows, *, depth = None))]
    fn new(cell: Edges<2>, rows: Vec<String>, depth: Option<f64>) -> Self {
        let Edges(cell) = cell;
        Self { cell, rows, depth: depth.unwrap_or(cell[0]) }
    }

    fn __repr__(&self) -> String {
        format!("Tiles({} rows)", self.rows.len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Made<'py, ([f64; 2], Vec<String>)>> {
        let partial = slf.py().import("functools")?.getattr("partial")?;
        let fields = pyo3::types::PyDict::new(slf.py());
        fields.set_item("depth", slf.get().depth)?;
        let class = partial.call((slf.get_type(),), Some(&fields))?;
        Ok((class, (slf.get().cell, slf.get().rows.clone())))
    }
}

impl Tiles {
    pub(crate) fn text(&self) -> String {
        let ([x, z], rows) = (self.cell.map(number), list(&self.rows, |row| quoted(row)));
        format!("Tiles(cell: ({x}, {z}), rows: {rows}, depth: {})", number(self.depth))
    }
}

/// Fixed cells in space: an array of truth values with the axes x, y and z, and the edges of a cell in m.
///
/// The lowest corner of the first cell is at the position of the body.
#[pyclass(frozen, eq, module = "carom")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Voxels {
    #[pyo3(get)]
    cell: [f64; 3],
    #[pyo3(get)]
    size: [usize; 3],
    /// The axis z runs fastest.
    cells: Vec<bool>,
}

#[pymethods]
impl Voxels {
    #[new]
    fn new(cell: Edges<3>, cells: PyArrayLike3<'_, bool, AllowTypeChange>) -> PyResult<Self> {
        let [nx, ny, nz] = *cells.shape() else {
            return Err(PyValueError::new_err("cells have three axes: x, y and z"));
        };
        Ok(Self { cell: cell.0, size: [nx, ny, nz], cells: cells.as_array().iter().copied().collect() })
    }

    /// Whether a cell is solid: its number along x, y and z, counted from 0.
    fn is_solid(&self, cell: [usize; 3]) -> bool {
        (0..3).all(|axis| cell[axis] < self.size[axis]) && self.at(cell)
    }

    fn __repr__(&self) -> String {
        let [nx, ny, nz] = self.size;
        format!("Voxels({nx} × {ny} × {nz} cells, {} solid)", self.cells.iter().filter(|&&solid| solid).count())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Made<'py, ([f64; 3], Cells)>> {
        let Self { cell, size: [nx, ny, nz], .. } = *slf.get();
        let row = |x, y| (0..nz).map(|z| slf.get().at([x, y, z])).collect();
        let cells = (0..nx).map(|x| (0..ny).map(|y| row(x, y)).collect()).collect();
        Ok((slf.get_type().into_any(), (cell, cells)))
    }
}

impl Voxels {
    fn at(&self, [x, y, z]: [usize; 3]) -> bool {
        self.cells[(x * self.size[1] + y) * self.size[2] + z]
    }

    /// Cells side by side along x are one block.
    pub(crate) fn text(&self) -> String {
        let [nx, ny, nz] = self.size;
        let mut blocks: Vec<String> = Vec::new();
        for (z, y) in (0..nz).flat_map(|z| (0..ny).map(move |y| (z, y))) {
            let mut first = None;
            for x in 0..=nx {
                match (first, x < nx && self.at([x, y, z])) {
                    (None, true) => first = Some(x),
                    (Some(from), false) => {
                        blocks.push(format!("(({from}, {y}, {z}), ({}, {y}, {z}))", x - 1));
                        first = None;
                    }
                    _ => {}
                }
            }
        }
        let blocks = blocks.join(", ");
        format!("Voxels(cell: {}, size: ({nx}, {ny}, {nz}), blocks: [{blocks}])", triple(self.cell))
    }
}

/// A fixed surface over a grid of points that are `cell` apart, in m: rows of heights, the last one at y = 0.
#[pyclass(frozen, eq, module = "carom")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Heights {
    #[pyo3(get)]
    cell: [f64; 2],
    #[pyo3(get)]
    rows: Vec<Vec<f64>>,
}

#[pymethods]
impl Heights {
    #[new]
    fn new(cell: Edges<2>, rows: Vec<Vec<f64>>) -> Self {
        Self { cell: cell.0, rows }
    }

    fn __repr__(&self) -> String {
        format!("Heights({} rows)", self.rows.len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Made<'py, ([f64; 2], Vec<Vec<f64>>)> {
        (slf.get_type().into_any(), (slf.get().cell, slf.get().rows.clone()))
    }
}

impl Heights {
    pub(crate) fn text(&self) -> String {
        let [x, y] = self.cell.map(number);
        format!("Heights(cell: ({x}, {y}), rows: {})", list(&self.rows, |row| list(row, |&height| number(height))))
    }
}
