//! Shapes in Python.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::grids::{Heights, Tiles, Voxels};
use crate::planar::{Arc, Disc, Polygon, Segment};
use crate::text::{list, number, triple};
use crate::words::shown;

/// A ball with a radius in m.
#[pyclass(frozen, eq, module = "carom")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sphere {
    #[pyo3(get)]
    radius: f64,
}

#[pymethods]
impl Sphere {
    #[new]
    fn new(radius: f64) -> Self {
        Self { radius }
    }

    fn __repr__(&self) -> String {
        format!("Sphere({})", number(self.radius))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (f64,)) {
        (slf.get_type().into_any(), (slf.get().radius,))
    }
}

/// An axis-aligned box, given by half its edges in m.
#[pyclass(frozen, eq, module = "carom")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Box {
    #[pyo3(get)]
    half_extents: [f64; 3],
}

#[pymethods]
impl Box {
    #[new]
    fn new(half_extents: [f64; 3]) -> Self {
        Self { half_extents }
    }

    fn __repr__(&self) -> String {
        format!("Box({})", triple(self.half_extents))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, ([f64; 3],)) {
        (slf.get_type().into_any(), (slf.get().half_extents,))
    }
}

/// A solid half-space: all points x with normal · x < offset, in m.
#[pyclass(frozen, eq, module = "carom")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plane {
    #[pyo3(get)]
    normal: [f64; 3],
    #[pyo3(get)]
    offset: f64,
}

#[pymethods]
impl Plane {
    #[new]
    #[pyo3(signature = (normal, offset = 0.0))]
    fn new(normal: [f64; 3], offset: f64) -> Self {
        Self { normal, offset }
    }

    fn __repr__(&self) -> String {
        format!("Plane({}, {})", triple(self.normal), number(self.offset))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, ([f64; 3], f64)) {
        (slf.get_type().into_any(), (slf.get().normal, slf.get().offset))
    }
}

/// Corners and triangles.
type Surface = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// A fixed surface of triangles: vertices in m, and three vertex indices for each triangle.
#[pyclass(frozen, eq, module = "carom")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mesh {
    #[pyo3(get)]
    vertices: Vec<[f64; 3]>,
    #[pyo3(get)]
    triangles: Vec<[u32; 3]>,
    #[pyo3(get)]
    closed: bool,
}

#[pymethods]
impl Mesh {
    #[new]
    #[pyo3(signature = (vertices, triangles, *, closed = false))]
    fn new(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>, closed: bool) -> Self {
        Self { vertices, triangles, closed }
    }

    fn __repr__(&self) -> String {
        format!("Mesh({} vertices, {} triangles)", self.vertices.len(), self.triangles.len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Surface)> {
        let partial = slf.py().import("functools")?.getattr("partial")?;
        let fields = pyo3::types::PyDict::new(slf.py());
        fields.set_item("closed", slf.get().closed)?;
        let class = partial.call((slf.get_type(),), Some(&fields))?;
        Ok((class, (slf.get().vertices.clone(), slf.get().triangles.clone())))
    }
}

/// Any of the shapes.
pub(crate) enum Shape<'py> {
    Sphere(Bound<'py, Sphere>),
    Box(Bound<'py, Box>),
    Plane(Bound<'py, Plane>),
    Mesh(Bound<'py, Mesh>),
    Tiles(Bound<'py, Tiles>),
    Voxels(Bound<'py, Voxels>),
    Heights(Bound<'py, Heights>),
    Disc(Bound<'py, Disc>),
    Segment(Bound<'py, Segment>),
    Arc(Bound<'py, Arc>),
    Polygon(Bound<'py, Polygon>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Shape<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        macro_rules! first {
            ($($class:ident)+) => {$(
                if let Ok(shape) = given.cast::<$class>() {
                    return Ok(Self::$class(shape.to_owned()));
                }
            )+};
        }
        first!(Sphere Box Plane Mesh Tiles Voxels Heights Disc Segment Arc Polygon);
        Err(PyTypeError::new_err(format!("must be a shape such as carom.Sphere(0.1), found {}", shown(&given))))
    }
}

impl Shape<'_> {
    /// Its text in the notation of a scenario.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Sphere(sphere) => format!("Sphere(radius: {})", number(sphere.get().radius)),
            Self::Box(of) => format!("Box(half_extents: {})", triple(of.get().half_extents)),
            Self::Plane(plane) => {
                let Plane { normal, offset } = plane.get();
                format!("Plane(normal: {}, offset: {})", triple(*normal), number(*offset))
            }
            Self::Mesh(mesh) => {
                let Mesh { vertices, triangles, closed } = mesh.get();
                let corners = list(vertices, |&vertex| triple(vertex));
                let faces = list(triangles, |[a, b, c]| format!("({a}, {b}, {c})"));
                format!("Mesh(vertices: {corners}, triangles: {faces}, closed: {closed})")
            }
            Self::Tiles(tiles) => tiles.get().text(),
            Self::Voxels(voxels) => voxels.get().text(),
            Self::Heights(heights) => heights.get().text(),
            Self::Disc(disc) => disc.get().text(),
            Self::Segment(segment) => segment.get().text(),
            Self::Arc(arc) => arc.get().text(),
            Self::Polygon(polygon) => polygon.get().text(),
        }
    }
}
