//! Queries: which bodies a ray, a moving shape, a point or a box meets. Queries change nothing.

use carom::geometry::{Aabb, HalfExtents, Radius, Ray, Start};
use carom::glam::DVec3;
use carom::numeric::quantity::is_moderate;
use carom::world::{Filter, World};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::simulation::Simulation;

/// A result of a query.
#[pyclass(frozen, get_all, module = "carom")]
#[derive(Debug, Clone)]
pub(crate) struct Hit {
    /// The name of the body.
    name: String,
    /// The parameter along the ray, in lengths of the direction vector.
    t: f64,
    /// The point, m.
    point: (f64, f64, f64),
    /// The unit normal at this point, out of the body.
    normal: (f64, f64, f64),
    /// The relation at the start of the ray: `apart`, `touching` or `inside`.
    start: &'static str,
}

/// The name of a body, its separation, m, and its nearest point, m.
type Nearest = (String, f64, (f64, f64, f64));

#[pymethods]
impl Hit {
    fn __repr__(&self) -> String {
        format!("<carom.Hit {:?} at t = {}>", self.name, self.t)
    }
}

fn told(name: &str, t: f64, [point, normal]: [DVec3; 2], start: Start) -> Hit {
    let start = match start {
        Start::Apart => "apart",
        Start::Touching => "touching",
        Start::Inside => "inside",
    };
    Hit { name: name.to_owned(), t, point: point.into(), normal: normal.into(), start }
}

#[pymethods]
impl Simulation {
    /// The first body that a ray meets.
    #[pyo3(signature = (origin, direction, *, until = f64::INFINITY, without = None, sensors = false))]
    fn cast_ray(
        &self,
        py: Python<'_>,
        origin: [f64; 3],
        direction: [f64; 3],
        until: f64,
        without: Option<&str>,
        sensors: bool,
    ) -> PyResult<Option<Hit>> {
        let ray = ray(origin, direction, until)?;
        self.queried(py, |world| {
            let hit = world.cast_ray(&ray, until, &filter(without, sensors))?;
            Some(told(hit.name, hit.t, [hit.spot.point, hit.normal], hit.start))
        })
    }

    /// All bodies that a ray meets, in the order in which it meets them.
    #[pyo3(signature = (origin, direction, *, until = f64::INFINITY, without = None, sensors = false))]
    fn cast_ray_all(
        &self,
        py: Python<'_>,
        origin: [f64; 3],
        direction: [f64; 3],
        until: f64,
        without: Option<&str>,
        sensors: bool,
    ) -> PyResult<Vec<Hit>> {
        let ray = ray(origin, direction, until)?;
        self.queried(py, |world| {
            let hits = world.cast_ray_all(&ray, until, &filter(without, sensors)).into_iter();
            hits.map(|hit| told(hit.name, hit.t, [hit.spot.point, hit.normal], hit.start)).collect()
        })
    }

    /// The first body that a ball meets while its centre moves along a ray.
    #[pyo3(signature = (radius, origin, direction, *, until = f64::INFINITY, without = None, sensors = false))]
    #[expect(clippy::too_many_arguments, reason = "the last are said by their names")]
    fn cast_sphere(
        &self,
        py: Python<'_>,
        radius: f64,
        origin: [f64; 3],
        direction: [f64; 3],
        until: f64,
        without: Option<&str>,
        sensors: bool,
    ) -> PyResult<Option<Hit>> {
        let radius = Radius::new(radius).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let ray = ray(origin, direction, until)?;
        self.queried(py, |world| {
            let hit = world.cast_sphere(radius, &ray, until, &filter(without, sensors))?;
            Some(told(hit.name, hit.t, [hit.spot.point, hit.normal], hit.start))
        })
    }

    /// The first body that a box meets while its centre moves along a ray.
    #[pyo3(signature = (half_extents, origin, direction, *, until = f64::INFINITY, without = None, sensors = false))]
    #[expect(clippy::too_many_arguments, reason = "the last are said by their names")]
    fn cast_box(
        &self,
        py: Python<'_>,
        half_extents: [f64; 3],
        origin: [f64; 3],
        direction: [f64; 3],
        until: f64,
        without: Option<&str>,
        sensors: bool,
    ) -> PyResult<Option<Hit>> {
        let half = HalfExtents::new(half_extents.into()).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let ray = ray(origin, direction, until)?;
        self.queried(py, |world| {
            let hit = world.cast_box(half, &ray, until, &filter(without, sensors))?;
            Some(told(hit.name, hit.t, [hit.spot.point, hit.normal], hit.start))
        })
    }

    /// The body nearest to a point: its name, the separation in m (negative inside it), and its nearest point.
    #[pyo3(signature = (point, *, within = f64::INFINITY, without = None, sensors = false))]
    fn closest(
        &self,
        py: Python<'_>,
        point: [f64; 3],
        within: f64,
        without: Option<&str>,
        sensors: bool,
    ) -> PyResult<Option<Nearest>> {
        let (point, within) = (place("point", point)?, reach("within", within)?);
        self.queried(py, |world| {
            let hit = world.closest_point(point, within, &filter(without, sensors))?;
            Some((hit.name.to_owned(), hit.separation, hit.spot.point.into()))
        })
    }

    /// The names of all bodies that share a point with a box.
    #[pyo3(signature = (low, high, *, without = None, sensors = false))]
    fn overlapping(
        &self,
        py: Python<'_>,
        low: [f64; 3],
        high: [f64; 3],
        without: Option<&str>,
        sensors: bool,
    ) -> PyResult<Vec<String>> {
        let bounds = Aabb { min: place("low", low)?, max: place("high", high)? };
        if bounds.min.cmpgt(bounds.max).any() {
            return Err(PyValueError::new_err("no coordinate of low may be more than that of high"));
        }
        self.queried(py, |world| {
            let hits = world.overlapping(&bounds, &filter(without, sensors));
            hits.into_iter().map(|hit| hit.name.to_owned()).collect()
        })
    }
}

impl Simulation {
    fn queried<T: Send>(&self, py: Python<'_>, query: impl FnOnce(&World) -> T + Send) -> PyResult<T> {
        self.detached(py, |state| Ok(query(state.world()?)))
    }
}

/// A ray that a query can follow.
fn ray(origin: [f64; 3], direction: [f64; 3], until: f64) -> PyResult<Ray> {
    reach("until", until)?;
    let ray = Ray { origin: place("origin", origin)?, direction: place("direction", direction)? };
    if !ray.has_direction() {
        return Err(PyValueError::new_err("the direction must not be 0, nor shorter than 1.5e-154"));
    }
    Ok(ray)
}

fn place(name: &str, given: [f64; 3]) -> PyResult<DVec3> {
    if given.into_iter().all(is_moderate) {
        Ok(given.into())
    } else {
        Err(PyValueError::new_err(format!("{name} must have finite numbers of size at most 1e70, found {given:?}")))
    }
}

fn reach(name: &str, given: f64) -> PyResult<f64> {
    if given >= 0.0 {
        Ok(given)
    } else {
        Err(PyValueError::new_err(format!("{name} must be 0 or more, found {given}")))
    }
}

fn filter(without: Option<&str>, sensors: bool) -> Filter<'_> {
    Filter { sensors, without, ..Filter::ALL }
}
