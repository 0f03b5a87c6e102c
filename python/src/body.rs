//! One body, as `sim["ball"]` gives it.

use carom::dynamics::{BodyId, Motion, Response, State};
use carom::geometry::Shape;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use crate::simulation::Simulation;

/// A body of a simulation. Its properties are always those of the present instant.
#[pyclass(frozen, name = "Body", module = "carom")]
pub(crate) struct BodyView {
    sim: Py<Simulation>,
    id: BodyId,
}

#[pymethods]
impl BodyView {
    /// Its name.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.sim.get().lock(py)?.world()?.name(self.id).to_owned())
    }

    /// Its position, m. In a periodic space it is within the cell.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<(f64, f64, f64)> {
        Ok(self.state(py)?.position.into())
    }

    /// Its velocity, m/s.
    #[getter]
    fn velocity(&self, py: Python<'_>) -> PyResult<(f64, f64, f64)> {
        Ok(self.state(py)?.velocity.into())
    }

    /// Its angular velocity, rad/s.
    #[getter]
    fn spin(&self, py: Python<'_>) -> PyResult<(f64, f64, f64)> {
        Ok(self.state(py)?.spin.into())
    }

    /// Its mass, kg. It is `None` if the body is not free.
    #[getter]
    fn mass(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        let motion = self.sim.get().lock(py)?.world()?.body(self.id).motion;
        Ok(if let Motion::Free(mass) = motion { Some(mass.get()) } else { None })
    }

    /// Its radius, m. It is `None` if the body is not a ball.
    #[getter]
    fn radius(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        let shape = self.sim.get().lock(py)?.world()?.body(self.id).shape;
        Ok(if let Shape::Sphere(radius) = shape { Some(radius.get()) } else { None })
    }

    /// How it moves: `free`, `fixed` or `kinematic`.
    #[getter]
    fn motion(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(match self.sim.get().lock(py)?.world()?.body(self.id).motion {
            Motion::Free(_) => "free",
            Motion::Fixed => "fixed",
            Motion::Kinematic => "kinematic",
        })
    }

    /// Whether other bodies pass through it.
    #[getter]
    fn is_sensor(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.sim.get().lock(py)?.world()?.body(self.id).response == Response::Sense)
    }

    /// Whether it is still in the simulation. A removed body keeps its last position.
    #[getter]
    fn is_present(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.sim.get().lock(py)?.world()?.is_present(self.id))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (name, (x, y, z)) = (self.name(py)?, self.position(py)?);
        Ok(format!("<carom.Body {name:?} at ({x}, {y}, {z}) m>"))
    }
}

impl BodyView {
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        Ok(self.sim.get().lock(py)?.world()?.state(self.id))
    }
}

#[pymethods]
impl Simulation {
    fn __getitem__(slf: &Bound<'_, Self>, name: &str) -> PyResult<BodyView> {
        let id = slf.get().lock(slf.py())?.world()?.id(name);
        let id = id.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        Ok(BodyView { sim: slf.clone().unbind(), id })
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        Ok(self.lock(py)?.world()?.id(name).is_some())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pyo3::types::PyList::new(py, self.names(py)?)?.try_iter()?.into_any())
    }
}
