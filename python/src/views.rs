//! Quantities of all bodies as NumPy arrays: one row for each body, in the order of `names`.

use carom::dynamics::{Audit, Balance, BodyId};
use carom::geometry::Shape;
use carom::glam::DVec3;
use carom::world::World;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::pickle::{Pieces, made, pieces};
use crate::simulation::Simulation;

type Rows<'py> = Bound<'py, PyArray2<f64>>;

#[pymethods]
impl Simulation {
    /// The names of all bodies.
    #[getter]
    pub(crate) fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.detached(py, |state| {
            let world = state.world()?;
            Ok(world.ids().map(|id| world.name(id).to_owned()).collect())
        })
    }

    /// Positions, m.
    #[pyo3(signature = (out = None))]
    fn positions<'py>(&self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> PyResult<Rows<'py>> {
        self.vectors(py, out, World::position)
    }

    /// Velocities, m/s.
    #[pyo3(signature = (out = None))]
    fn velocities<'py>(&self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> PyResult<Rows<'py>> {
        self.vectors(py, out, |world, id| world.state(id).velocity)
    }

    /// Angular velocities, rad/s.
    #[pyo3(signature = (out = None))]
    fn spins<'py>(&self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> PyResult<Rows<'py>> {
        self.vectors(py, out, |world, id| world.state(id).spin)
    }

    /// Radii, m. It is NaN for a body that is not a ball.
    fn radii<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let radii = self.detached(py, |state| {
            let world = state.world()?;
            let radius = |id| if let Shape::Sphere(radius) = world.body(id).shape { radius.get() } else { f64::NAN };
            Ok(world.ids().map(radius).collect::<Vec<f64>>())
        })?;
        Ok(PyArray1::from_vec(py, radii))
    }

    /// Masses, kg. It is infinite for a body that is not free.
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        use carom::dynamics::Motion;
        let masses = self.detached(py, |state| {
            let world = state.world()?;
            let mass = |id| if let Motion::Free(mass) = world.body(id).motion { mass.get() } else { f64::INFINITY };
            Ok(world.ids().map(mass).collect::<Vec<f64>>())
        })?;
        Ok(PyArray1::from_vec(py, masses))
    }

    /// The present energy, and the energy changes since the start.
    #[getter]
    fn energy(&self, py: Python<'_>) -> PyResult<Energy> {
        self.detached(py, |state| {
            let world = state.world()?;
            let (Balance { kinetic, potential, .. }, audit) = (world.balance(), world.audit());
            let Audit { dissipated, contact_heat, work, .. } = audit;
            Ok(Energy { kinetic, potential, dissipated, contact_heat, work })
        })
    }

    /// Total momentum of the free bodies, kg·m/s.
    #[getter]
    fn momentum(&self, py: Python<'_>) -> PyResult<(f64, f64, f64)> {
        self.detached(py, |state| Ok(state.world()?.balance().momentum.into()))
    }
}

impl Simulation {
    fn vectors<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
        vector: impl Fn(&World, BodyId) -> DVec3 + Sync,
    ) -> PyResult<Rows<'py>> {
        let unfit = "`out` must be an array of NumPy of two dimensions, of float64 in the byte order of this machine";
        let out = out.map(Bound::cast_into::<PyArray2<f64>>).transpose().map_err(|_| PyTypeError::new_err(unfit))?;
        let Some(out) = out else {
            let numbers = self.detached(py, |state| {
                let mut numbers = vec![0.0; 3 * state.world()?.count()];
                write(state.world()?, &mut numbers, &vector);
                Ok(numbers)
            })?;
            let rows = numbers.len() / 3;
            return PyArray1::from_vec(py, numbers).reshape([rows, 3]);
        };
        let mut written: PyReadwriteArray2<'_, f64> =
            out.try_readwrite().map_err(|error| PyValueError::new_err(error.to_string()))?;
        let shape = [written.shape()[0], written.shape()[1]];
        let is_in_order = written.is_c_contiguous();
        let Some(numbers) = written.as_slice_mut().ok().filter(|_| is_in_order) else {
            return Err(PyValueError::new_err("`out` must be one piece of memory in C order"));
        };
        self.detached(py, |state| {
            let world = state.world()?;
            if shape != [world.count(), 3] {
                let ([rows, columns], count) = (shape, world.count());
                return Err(PyValueError::new_err(format!(
                    "`out` has the shape ({rows}, {columns}), not ({count}, 3)"
                )));
            }
            write(world, numbers, &vector);
            Ok(())
        })?;
        drop(written);
        Ok(out)
    }
}

/// Writes a vector of each body, in the order of their names, as three numbers.
fn write(world: &World, numbers: &mut [f64], vector: impl Fn(&World, BodyId) -> DVec3) {
    for (row, id) in numbers.chunks_exact_mut(3).zip(world.ids()) {
        row.copy_from_slice(&vector(world, id).to_array());
    }
}

/// Energy of all free bodies at one instant, and its changes since the start, J.
#[pyclass(frozen, eq, get_all, module = "carom")]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Energy {
    /// Kinetic energy.
    kinetic: f64,
    /// Potential energy in the field of gravity.
    potential: f64,
    /// Energy that became heat at impacts since the start.
    dissipated: f64,
    /// Energy that became heat in lasting contacts since the start.
    contact_heat: f64,
    /// Work done by moving bodies and commands since the start.
    work: f64,
}

#[pymethods]
impl Energy {
    /// Kinetic and potential energy.
    #[getter]
    fn total(&self) -> f64 {
        self.kinetic + self.potential
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pieces<'py>> {
        pieces(slf, slf.get())
    }

    #[staticmethod]
    fn _from_bytes(bytes: &[u8]) -> PyResult<Self> {
        made(bytes)
    }

    fn __repr__(&self) -> String {
        let Self { kinetic, potential, dissipated, contact_heat, work } = self;
        format!(
            "Energy(kinetic={kinetic:?}, potential={potential:?}, dissipated={dissipated:?}, \
             contact_heat={contact_heat:?}, work={work:?})"
        )
    }
}
