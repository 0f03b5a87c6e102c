//! The shapes of planar worlds in Python.

use pyo3::prelude::*;

use crate::text::{list, number};

/// A disc of a planar world, with a radius in m.
#[pyclass(frozen, eq, module = "carom")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Disc {
    #[pyo3(get)]
    radius: f64,
}

#[pymethods]
impl Disc {
    #[new]
    fn new(radius: f64) -> Self {
        Self { radius }
    }

    fn __repr__(&self) -> String {
        format!("Disc({})", number(self.radius))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (f64,)) {
        (slf.get_type().into_any(), (slf.get().radius,))
    }
}

impl Disc {
    /// Its text in the notation of a scenario.
    pub(crate) fn text(&self) -> String {
        format!("Disc(radius: {})", number(self.radius))
    }
}

/// A straight fixed wall of a planar world between two points, in m. It is met from both sides.
#[pyclass(frozen, eq, module = "carom")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Segment {
    #[pyo3(get)]
    start: [f64; 2],
    #[pyo3(get)]
    end: [f64; 2],
}

#[pymethods]
impl Segment {
    #[new]
    fn new(start: [f64; 2], end: [f64; 2]) -> Self {
        Self { start, end }
    }

    fn __repr__(&self) -> String {
        format!("Segment({}, {})", pair(self.start), pair(self.end))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, ([f64; 2], [f64; 2])) {
        (slf.get_type().into_any(), (slf.get().start, slf.get().end))
    }
}

impl Segment {
    pub(crate) fn text(&self) -> String {
        format!("Segment(from: {}, to: {})", pair(self.start), pair(self.end))
    }
}

/// A circular fixed wall of a planar world around its position, with a radius in m, from one angle counterclockwise to
/// another, in degrees from x; by default a whole circle. Discs meet it from inside and from outside.
#[pyclass(frozen, eq, module = "carom")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Arc {
    #[pyo3(get)]
    radius: f64,
    #[pyo3(get)]
    start: f64,
    #[pyo3(get)]
    end: f64,
}

#[pymethods]
impl Arc {
    #[new]
    #[pyo3(signature = (radius, start = 0.0, end = 360.0))]
    fn new(radius: f64, start: f64, end: f64) -> Self {
        Self { radius, start, end }
    }

    fn __repr__(&self) -> String {
        format!("Arc({}, {}, {})", number(self.radius), number(self.start), number(self.end))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (f64, f64, f64)) {
        let Self { radius, start, end } = *slf.get();
        (slf.get_type().into_any(), (radius, start, end))
    }
}

impl Arc {
    pub(crate) fn text(&self) -> String {
        format!("Arc(radius: {}, from: {}, to: {})", number(self.radius), number(self.start), number(self.end))
    }
}

/// A fixed solid of a planar world between its corners, in m, which go around it in either direction.
#[pyclass(frozen, eq, module = "carom")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Polygon {
    #[pyo3(get)]
    corners: Vec<[f64; 2]>,
}

#[pymethods]
impl Polygon {
    #[new]
    fn new(corners: Vec<[f64; 2]>) -> Self {
        Self { corners }
    }

    fn __repr__(&self) -> String {
        format!("Polygon({} corners)", self.corners.len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (Vec<[f64; 2]>,)) {
        (slf.get_type().into_any(), (slf.get().corners.clone(),))
    }
}

impl Polygon {
    pub(crate) fn text(&self) -> String {
        format!("Polygon(corners: {})", list(&self.corners, |&corner| pair(corner)))
    }
}

fn pair([x, y]: [f64; 2]) -> String {
    format!("({}, {})", number(x), number(y))
}
