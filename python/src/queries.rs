//! Queries: which bodies a ray, a moving shape, a point or a box meets. Queries change nothing.

use carom::dynamics::BodyId;
use carom::geometry::{Aabb, HalfExtents, Radius, Ray, Start};
use carom::glam::DVec3;
use carom::numeric::quantity::is_moderate;
use carom::world::{Command, Filter, Timed, World};
use carom::{OutOfRange, SlideOptions, SlideShape, SweepHit};
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

/// Where a slide ends, and what it met.
#[pyclass(frozen, get_all, module = "carom")]
#[derive(Debug, Clone)]
pub(crate) struct Slide {
    /// The place at the end, m.
    to: (f64, f64, f64),
    /// What was blocked: the way from there to where it would be without the bodies that it met, m.
    left: (f64, f64, f64),
    /// The motion without what was blocked, m.
    onward: (f64, f64, f64),
    /// What it met, in order; `t` is the share of the slide.
    hits: Vec<Hit>,
    /// The names of the floor on which it stands, of a wall that blocks it, and of a ceiling that it touches.
    floor: Option<String>,
    wall: Option<String>,
    ceiling: Option<String>,
    /// Whether it stopped before its end: squeezed, or after 64 hits.
    is_stuck: bool,
}

impl Slide {
    fn of(slide: &carom::Slide<carom::Hit<'_, SweepHit>>) -> Self {
        let name = |hit: &Option<carom::Hit<'_, SweepHit>>| hit.map(|hit| hit.name.to_owned());
        let hits = slide.hits.iter();
        Self {
            to: slide.to.into(),
            left: slide.left.into(),
            onward: slide.onward.into(),
            hits: hits.map(|hit| told(hit.name, hit.t, [hit.spot.point, hit.normal], hit.start)).collect(),
            floor: name(&slide.floor),
            wall: name(&slide.wall),
            ceiling: name(&slide.ceiling),
            is_stuck: slide.is_stuck,
        }
    }
}

#[pymethods]
impl Slide {
    fn __repr__(&self) -> String {
        format!("<carom.Slide to {:?}, {} hits>", self.to, self.hits.len())
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
        self.queried(py, (without, sensors), |world, filter| {
            let hit = world.cast_ray(&ray, until, filter)?;
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
        self.queried(py, (without, sensors), |world, filter| {
            let hits = world.cast_ray_all(&ray, until, filter).into_iter();
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
        self.queried(py, (without, sensors), |world, filter| {
            let hit = world.cast_sphere(radius, &ray, until, filter)?;
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
        self.queried(py, (without, sensors), |world, filter| {
            let hit = world.cast_box(half, &ray, until, filter)?;
            Some(told(hit.name, hit.t, [hit.spot.point, hit.normal], hit.start))
        })
    }

    /// Where a ball or a box comes to that begins at `origin`, moves by `motion`, and slides along what blocks it.
    #[pyo3(signature = (origin, motion, *, radius = None, half_extents = None, duration = 0.0, up = [0.0, 0.0, 1.0], slope_max = 1.0, walking = false, step = 0.0, snap = 0.0, one_way = Vec::new(), without = None, sensors = false))]
    #[expect(clippy::too_many_arguments, reason = "all but two are said by their names")]
    fn slide(
        &self,
        py: Python<'_>,
        origin: [f64; 3],
        motion: [f64; 3],
        radius: Option<f64>,
        half_extents: Option<[f64; 3]>,
        duration: f64,
        up: [f64; 3],
        slope_max: f64,
        walking: bool,
        step: f64,
        snap: f64,
        one_way: Vec<String>,
        without: Option<&str>,
        sensors: bool,
    ) -> PyResult<Slide> {
        let wrong = |error: OutOfRange| PyValueError::new_err(error.to_string());
        let shape: SlideShape = match (radius, half_extents) {
            (Some(radius), None) => Radius::new(radius).map_err(wrong)?.into(),
            (None, Some(half)) => HalfExtents::new(half.into()).map_err(wrong)?.into(),
            _ => return Err(PyValueError::new_err("give radius or half_extents")),
        };
        let (origin, motion, up) = (place("origin", origin)?, place("motion", motion)?, place("up", up)?);
        let lengths = [("duration", duration), ("slope_max", slope_max), ("step", step), ("snap", snap)];
        if let Some((name, found)) = lengths.into_iter().find(|&(_, found)| !(found >= 0.0 && is_moderate(found))) {
            return Err(PyValueError::new_err(format!("{name} must be 0 or more and finite, not {found}")));
        }
        self.queried(py, (without, sensors), |world, filter| {
            let mut sides = Vec::new();
            for path in &one_way {
                let before = sides.len();
                sides.extend(world.under(path).map(|id| (id, up)));
                if sides.len() == before {
                    return Err(format!("there is no body {path:?}, nor one below that path"));
                }
            }
            let options = SlideOptions { up, slope_max, walking, step, snap, one_way: &sides };
            let slide = world.slide(shape, origin, motion, duration, filter, &options);
            slide.map(|slide| Slide::of(&slide)).map_err(|inside| {
                let (name, out) = (world.name(inside.body), origin + inside.out);
                format!("at {origin} the shape overlaps {name:?} by {} m; begin at {out}", inside.depth)
            })
        })?
        .map_err(PyValueError::new_err)
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
        self.queried(py, (without, sensors), |world, filter| {
            let hit = world.closest_point(point, within, filter)?;
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
        self.queried(py, (without, sensors), |world, filter| {
            let hits = world.overlapping(&bounds, filter);
            hits.into_iter().map(|hit| hit.name.to_owned()).collect()
        })
    }
}

impl Simulation {
    /// The answer to a query of all bodies but those under a path.
    fn queried<T: Send>(
        &self,
        py: Python<'_>,
        (without, sensors): (Option<&str>, bool),
        query: impl FnOnce(&World, &Filter<'_>) -> T + Send,
    ) -> PyResult<T> {
        self.detached(py, |state| {
            let world = state.world()?;
            if let Some(path) = without.filter(|path| !is_known(path, world)) {
                return Err(PyValueError::new_err(format!(
                    "without: there is no body {path:?}, nor one below that path"
                )));
            }
            Ok(query(world, &Filter { sensors, without, ..Filter::ALL }))
        })
    }
}

/// Whether a body of this name or below it is there, was there, or comes.
fn is_known(path: &str, world: &World) -> bool {
    let is_under = |name: &str| name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let comes = |timed: &Timed| matches!(&timed.command, Command::Spawn(new) if is_under(&new.name));
    path.is_empty()
        || world.under(path).next().is_some()
        || (0..world.ids_issued() as u32).any(|row| is_under(world.name(BodyId(row))))
        || world.scheduled().iter().any(comes)
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
