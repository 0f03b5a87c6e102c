//! Scenarios that are built in Python: settings, materials, bodies.

use carom::glam::DVec3;
use carom::scenario::limits::BODIES_MAX;
use numpy::{AllowTypeChange, PyArrayLike2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::course::motion_text;
use crate::errors::{refused, unfit_value};
use crate::origin::{Fill, Origin};
use crate::requests::{Asked, Requests};
use crate::restitution::Restitution;
use crate::shapes::Shape;
use crate::simulation::Simulation;
use crate::state::State;
use crate::text::{Fields, list, number, quoted, triple};
use crate::words::{meant, shown};

/// The optional keyword arguments of a body. Its name, shape, position and velocity are separate arguments.
const TRAITS: [&str; 9] =
    ["mass", "density", "spin", "material", "motion", "sensor", "layer", "collides_with", "color"];

/// The fields that bodies can share: the shape and the keyword arguments `traits`.
pub(crate) fn traits_of(shape: &Shape<'_>, traits: Option<&Bound<'_, PyDict>>) -> PyResult<Fields> {
    for name in traits.iter().flat_map(|traits| traits.keys()) {
        let name: String = name.extract()?;
        if !TRAITS.contains(&name.as_str()) {
            let message = format!("a body has no {name:?}: it may have {}", TRAITS.join(", "));
            return Err(PyTypeError::new_err(message));
        }
    }
    let motion = traits.map(|traits| traits.get_item("motion")).transpose()?.flatten();
    let motion = motion.filter(|motion| !motion.is_none()).map(|motion| motion_text(&motion)).transpose()?;
    let is_sensor = given::<bool>(traits, "sensor")?.unwrap_or(false);
    let others = given::<Names>(traits, "collides_with")?.map(Names::all);
    let mut fields = Fields::default();
    fields.add("shape", Some(shape.text()));
    fields.add("motion", motion);
    fields.add("response", is_sensor.then(|| "Sense".to_owned()));
    fields.add("mass", given(traits, "mass")?.map(number));
    fields.add("density", given(traits, "density")?.map(number));
    fields.add("spin", given(traits, "spin")?.map(triple));
    fields.add("material", given::<String>(traits, "material")?.map(|name| quoted(&name)));
    fields.add("layer", given::<String>(traits, "layer")?.map(|name| quoted(&name)));
    fields.add("collides_with", others.map(|names| list(&names, |name| quoted(name))));
    fields.add("color", given::<String>(traits, "color")?.map(|color| quoted(&color)));
    Ok(fields)
}

/// Names: a list of them, or one alone.
pub(crate) struct Names(Vec<String>);

impl<'a, 'py> FromPyObject<'a, 'py> for Names {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let names = given.extract::<String>().map(|name| vec![name]).or_else(|_| given.extract());
        names.map(Self).map_err(|_: PyErr| PyTypeError::new_err("must be a name or a list of names"))
    }
}

impl Names {
    pub(crate) fn all(self) -> Vec<String> {
        self.0
    }
}

/// The value of a keyword argument, or `None` if it is missing or `None`.
fn given<'py, T>(traits: Option<&Bound<'py, PyDict>>, name: &str) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    let Some(value) = traits.map(|traits| traits.get_item(name)).transpose()?.flatten() else { return Ok(None) };
    if value.is_none() {
        return Ok(None);
    }
    value.extract().map(Some).map_err(|error: PyErr| {
        PyTypeError::new_err(format!("{name}: {}, found {}", error.value(value.py()), shown(&value)))
    })
}

/// The text of one body.
pub(crate) fn body_text(name: &str, position: Option<[f64; 3]>, velocity: Option<[f64; 3]>, traits: &Fields) -> String {
    let mut fields = Fields::default();
    fields.add("name", Some(quoted(name)));
    fields.add("position", position.map(triple));
    fields.add("velocity", velocity.map(triple));
    format!("({}, {})", fields.text(), traits.text())
}

/// The axes of a periodic space: the range of each, or none.
type Periods = [Option<[f64; 2]>; 3];

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (
        *, title = None, gravity = None, timestep = 1.0 / 240.0, duration = 10.0, periodic = None, planar = false, impacts = None,
        rest_height = None, flurry_max = None, impacts_max = None, layers = None, record = None, observe = None, plots = None,
        style = None, expect = None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "each is a field of a scenario, given by its name")]
    fn new(
        title: Option<&str>,
        gravity: Option<[f64; 3]>,
        timestep: f64,
        duration: f64,
        periodic: Option<Periods>,
        planar: bool,
        impacts: Option<&str>,
        rest_height: Option<f64>,
        flurry_max: Option<u32>,
        impacts_max: Option<u32>,
        layers: Option<Names>,
        record: Option<Bound<'_, PyAny>>,
        observe: Option<Bound<'_, PyAny>>,
        plots: Option<Bound<'_, PyAny>>,
        style: Option<Bound<'_, PyAny>>,
        expect: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let laws = ["Together", "Pairwise"];
        let law = |word: &str| {
            let unknown =
                || unfit_value("impacts", &format!("is one of \"together\" and \"pairwise\"; found {word:?}"));
            meant(word, &laws).map(str::to_owned).ok_or_else(unknown)
        };
        let asked = Asked {
            record: record.as_ref(),
            observe: observe.as_ref(),
            plots: plots.as_ref(),
            style: style.as_ref(),
            expect: expect.as_ref(),
        };
        let requests = Requests::of(&asked)?;
        let mut fields = Fields::default();
        fields.add("title", Some(quoted(title.unwrap_or("A simulation made in Python"))));
        fields.add("gravity", gravity.map(triple));
        fields.add("timestep", Some(number(timestep)));
        fields.add("duration", Some(number(duration)));
        fields.add("space", space(periodic, planar));
        fields.add("impacts", impacts.map(law).transpose()?);
        fields.add("flurry_max", flurry_max.map(|most| most.to_string()));
        fields.add("impacts_max", impacts_max.map(|most| most.to_string()));
        Ok(Self::of(State::new(
            Origin::new(fields, rest_height, &layers.map_or_else(Vec::new, Names::all), requests)?,
            None,
        )))
    }

    /// Adds a material, and returns its name.
    #[pyo3(signature = (name, *, restitution, friction = None, rolling_friction = None, spinning_friction = None, color = None))]
    #[expect(clippy::too_many_arguments, reason = "each is a field of a material, given by its name")]
    fn material<'a>(
        &self,
        py: Python<'_>,
        name: &'a str,
        restitution: Restitution<'_>,
        friction: Option<f64>,
        rolling_friction: Option<f64>,
        spinning_friction: Option<f64>,
        color: Option<&str>,
    ) -> PyResult<&'a str> {
        let mut fields = Fields::default();
        fields.add("restitution", Some(restitution.text()));
        fields.add("friction", friction.map(number));
        fields.add("rolling_friction", rolling_friction.map(number));
        fields.add("spinning_friction", spinning_friction.map(number));
        fields.add("color", color.map(quoted));
        self.changed(py, |origin| origin.add_material(name, &fields))?;
        Ok(name)
    }

    /// Sets values for a pair of materials. Without them, the smaller of the two values counts.
    #[pyo3(signature = (a, b, *, restitution = None, friction = None, rolling_friction = None, spinning_friction = None))]
    #[expect(clippy::too_many_arguments, reason = "each is a field of a pair, given by its name")]
    fn pair(
        &self,
        py: Python<'_>,
        a: &str,
        b: &str,
        restitution: Option<Restitution<'_>>,
        friction: Option<f64>,
        rolling_friction: Option<f64>,
        spinning_friction: Option<f64>,
    ) -> PyResult<()> {
        let mut fields = Fields::default();
        fields.add("between", Some(format!("({}, {})", quoted(a), quoted(b))));
        fields.add("restitution", restitution.map(|given| given.text()));
        fields.add("friction", friction.map(number));
        fields.add("rolling_friction", rolling_friction.map(number));
        fields.add("spinning_friction", spinning_friction.map(number));
        self.changed(py, |origin| origin.add_pair(&fields))
    }

    /// Adds a body at the start.
    #[pyo3(
        signature = (name, shape, *, position = None, velocity = None, **traits),
        text_signature = "($self, name, shape, *, position=None, velocity=None, mass=None, density=None, spin=None, \
            material=None, motion=None, sensor=False, layer=None, collides_with=None, color=None)"
    )]
    fn add(
        &self,
        py: Python<'_>,
        name: &str,
        shape: Shape<'_>,
        position: Option<[f64; 3]>,
        velocity: Option<[f64; 3]>,
        traits: Option<Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let text = body_text(name, position, velocity, &traits_of(&shape, traits.as_ref())?);
        self.changed(py, |origin| origin.add_body(text))
    }

    /// Adds many bodies of one kind at the start, with the names `NAME/0` and so on.
    #[pyo3(
        signature = (name, shape, *, positions, velocities = None, **traits),
        text_signature = "($self, name, shape, *, positions, velocities=None, mass=None, density=None, spin=None, \
            material=None, motion=None, sensor=False, layer=None, collides_with=None, color=None)"
    )]
    fn fill(
        &self,
        py: Python<'_>,
        name: &str,
        shape: Shape<'_>,
        positions: &Bound<'_, PyAny>,
        velocities: Option<&Bound<'_, PyAny>>,
        traits: Option<Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let positions = vectors(positions, "positions")?;
        let velocities = velocities.map(|velocities| vectors(velocities, "velocities")).transpose()?;
        if let Some(velocities) = velocities.as_ref().filter(|velocities| velocities.len() != positions.len()) {
            let message = format!("{} positions and {} velocities: give as many", positions.len(), velocities.len());
            return Err(PyValueError::new_err(message));
        }
        if positions.is_empty() {
            return Ok(());
        }
        let shared = traits_of(&shape, traits.as_ref())?;
        let fill = Fill { name, shared: &shared, positions: &positions, velocities: velocities.as_deref() };
        self.changed(py, |origin| origin.fill(&fill))
    }
}

impl Simulation {
    /// Changes the scenario, while it may still be changed.
    fn changed<T: Send>(&self, py: Python<'_>, change: impl FnOnce(&mut Origin) -> PyResult<T> + Send) -> PyResult<T> {
        self.detached(py, |state| match state.changed_origin() {
            Some(origin) => change(origin),
            None => Err(refused(
                "only a simulation that was made in Python and has not begun can be added to; use `spawn` for a new body",
            )),
        })
    }
}

/// An array of three columns. It is counted first: a view of a small array may have more rows than fit in memory.
fn vectors(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<DVec3>> {
    if let Ok(count) = given.len()
        && count as u64 > BODIES_MAX
    {
        return Err(PyValueError::new_err(format!(
            "{name} has {count} rows, more than the {BODIES_MAX} bodies allowed"
        )));
    }
    let array: PyArrayLike2<'_, f64, AllowTypeChange> = given.extract().map_err(|error: PyErr| {
        let message = format!("{name}: {}", error.value(given.py()));
        if error.is_instance_of::<PyTypeError>(given.py()) {
            PyTypeError::new_err(message)
        } else {
            PyValueError::new_err(message)
        }
    })?;
    if array.shape()[1] != 3 {
        let message = format!("{name} is an array of {} columns: three are needed, x, y and z", array.shape()[1]);
        return Err(PyValueError::new_err(message));
    }
    Ok(array.as_array().rows().into_iter().map(|row| DVec3::new(row[0], row[1], row[2])).collect())
}

fn space(periods: Option<Periods>, is_planar: bool) -> Option<String> {
    let kind = if is_planar { "Planar" } else { "Periodic" };
    let mut fields = Fields::default();
    for (axis, range) in ["x", "y", "z"].into_iter().zip(periods.unwrap_or_default()) {
        fields.add(axis, range.map(|[low, high]| format!("({low:?}, {high:?})")));
    }
    (is_planar || periods.is_some()).then(|| format!("{kind}({})", fields.text()))
}
