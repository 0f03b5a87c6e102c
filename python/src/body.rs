//! One body, as `sim["ball"]` gives it.

use carom::dynamics::{Body, BodyId, Motion, Response, State};
use carom::geometry::Shape;
use carom::world::World;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use crate::simulation::Simulation;

/// A body of a simulation. Its properties are always those of the present instant.
#[pyclass(frozen, name = "Body", module = "carom")]
pub(crate) struct BodyView {
    sim: Py<Simulation>,
    /// Names belong to their bodies for good, which numbers do not.
    name: String,
}

#[pymethods]
impl BodyView {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
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
        Ok(if let Motion::Free(mass) = self.body(py)?.motion { Some(mass.get()) } else { None })
    }

    /// Its radius, m. It is `None` if the body is not a ball.
    #[getter]
    fn radius(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        Ok(if let Shape::Sphere(radius) = self.body(py)?.shape { Some(radius.get()) } else { None })
    }

    /// How it moves: `free`, `fixed` or `kinematic`.
    #[getter]
    fn motion(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(match self.body(py)?.motion {
            Motion::Free(_) => "free",
            Motion::Fixed => "fixed",
            Motion::Kinematic => "kinematic",
        })
    }

    /// Whether other bodies pass through it.
    #[getter]
    fn is_sensor(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.body(py)?.response == Response::Sense)
    }

    /// Whether it is in the simulation now. A removed body keeps its last position.
    #[getter]
    fn is_present(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.sim.get().lock(py)?.world()?.id(&self.name).is_some())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let name = &self.name;
        if known(self.sim.get().lock(py)?.world()?, name).is_none() {
            return Ok(format!("<carom.Body {name:?}, which has not come>"));
        }
        let (x, y, z) = self.position(py)?;
        Ok(format!("<carom.Body {name:?} at ({x}, {y}, {z}) m>"))
    }
}

impl BodyView {
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        self.look(py, World::state)
    }

    fn body(&self, py: Python<'_>) -> PyResult<Body> {
        self.look(py, World::body)
    }

    /// What `look` sees of it. It may be one that came after the snapshot to which its simulation has returned.
    fn look<T>(&self, py: Python<'_>, look: impl FnOnce(&World, BodyId) -> T) -> PyResult<T> {
        let mut state = self.sim.get().lock(py)?;
        let world = state.world()?;
        let id = known(world, &self.name).ok_or_else(|| PyKeyError::new_err(self.name.clone()))?;
        Ok(look(world, id))
    }
}

/// The body that has or had this name.
pub(crate) fn known(world: &World, name: &str) -> Option<BodyId> {
    let are_some_gone = world.ids_issued() > world.count();
    let mut gone = (0..world.ids_issued() as u32).map(BodyId).filter(|_| are_some_gone);
    world.id(name).or_else(|| gone.find(|&id| world.name(id) == name))
}

#[pymethods]
impl Simulation {
    fn __getitem__(slf: &Bound<'_, Self>, name: &str) -> PyResult<BodyView> {
        if !slf.get().__contains__(slf.py(), name)? {
            return Err(PyKeyError::new_err(name.to_owned()));
        }
        Ok(BodyView { sim: slf.clone().unbind(), name: name.to_owned() })
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        Ok(self.lock(py)?.world()?.id(name).is_some())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pyo3::types::PyList::new(py, self.names(py)?)?.try_iter()?.into_any())
    }
}
