//! Commands: kicks, changes of bodies and of gravity, new bodies and removals, at once or at a later time.

use carom::motion::SimTime;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::construction::{Names, body_text, traits_of};
use crate::deeds::{Given, Order};
use crate::errors::Raised;
use crate::foreseen::foresee;
use crate::shapes::Shape;
use crate::simulation::Simulation;
use crate::state::State;
use crate::time::Instant;

#[pymethods]
impl Simulation {
    /// Applies an impulse, N·s, to a free body: now, or at the time `at`. It acts at `offset` from the centre, m;
    /// elsewhere than at the centre of a ball only, whose spin then changes, too.
    #[pyo3(
        signature = (body, impulse, *, offset = [0.0; 3], at = None),
        text_signature = "($self, body, impulse, *, offset=(0, 0, 0), at=None)"
    )]
    fn kick(
        &self,
        py: Python<'_>,
        body: String,
        impulse: [f64; 3],
        offset: [f64; 3],
        at: Option<Instant>,
    ) -> PyResult<()> {
        self.order(py, at, Order::Kick(body, impulse, offset))
    }

    /// Sets the velocity of a free or kinematic body, m/s.
    #[pyo3(signature = (body, velocity, *, at = None))]
    fn set_velocity(&self, py: Python<'_>, body: String, velocity: [f64; 3], at: Option<Instant>) -> PyResult<()> {
        self.order(py, at, Order::SetVelocity(body, velocity))
    }

    /// Sets the spin of a free ball, rad/s; its velocity stays.
    #[pyo3(signature = (body, spin, *, at = None))]
    fn set_spin(&self, py: Python<'_>, body: String, spin: [f64; 3], at: Option<Instant>) -> PyResult<()> {
        self.order(py, at, Order::SetSpin(body, spin))
    }

    /// Puts a free or kinematic body at another position, m; its velocity stays.
    #[pyo3(signature = (body, position, *, at = None))]
    fn set_position(&self, py: Python<'_>, body: String, position: [f64; 3], at: Option<Instant>) -> PyResult<()> {
        self.order(py, at, Order::SetPosition(body, position))
    }

    /// Makes a body one of another material.
    #[pyo3(signature = (body, material, *, at = None))]
    fn set_material(&self, py: Python<'_>, body: String, material: String, at: Option<Instant>) -> PyResult<()> {
        self.order(py, at, Order::SetMaterial(body, material))
    }

    /// Puts a body into another layer, and says with which layers it collides; without a name as for a new body.
    #[pyo3(signature = (body, layer = None, collides_with = None, *, at = None))]
    fn set_layers(
        &self,
        py: Python<'_>,
        body: String,
        layer: Option<String>,
        collides_with: Option<Names>,
        at: Option<Instant>,
    ) -> PyResult<()> {
        self.order(py, at, Order::SetLayers(body, layer, collides_with.map(Names::all)))
    }

    /// Makes a cell of a grid solid or empty: its number along x, y and z, counted from 0.
    #[pyo3(signature = (body, cell, solid, *, at = None))]
    fn set_cell(&self, py: Python<'_>, body: String, cell: [u32; 3], solid: bool, at: Option<Instant>) -> PyResult<()> {
        self.order(py, at, Order::SetCell(body, cell, solid))
    }

    /// Changes gravity, m/s².
    #[pyo3(signature = (gravity, *, at = None))]
    fn set_gravity(&self, py: Python<'_>, gravity: [f64; 3], at: Option<Instant>) -> PyResult<()> {
        self.order(py, at, Order::SetGravity(gravity))
    }

    /// Adds a body.
    #[pyo3(
        signature = (name, shape, *, position = None, velocity = None, at = None, **traits),
        text_signature = "($self, name, shape, *, position=None, velocity=None, at=None, mass=None, density=None, spin=None, \
            material=None, motion=None, sensor=False, layer=None, collides_with=None, color=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "each is said by its name")]
    fn spawn(
        &self,
        py: Python<'_>,
        name: &str,
        shape: Shape<'_>,
        position: Option<[f64; 3]>,
        velocity: Option<[f64; 3]>,
        at: Option<Instant>,
        traits: Option<Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let text = body_text(name, position, velocity, &traits_of(&shape, traits.as_ref())?);
        self.order(py, at, Order::Spawn(text))
    }

    /// Removes a body.
    #[pyo3(signature = (body, *, at = None))]
    fn despawn(&self, py: Python<'_>, body: String, at: Option<Instant>) -> PyResult<()> {
        self.order(py, at, Order::Despawn(body))
    }

    /// Reverses all velocities.
    fn reverse(&self, py: Python<'_>) -> PyResult<()> {
        self.order(py, None, Order::Reverse)
    }
}

impl Simulation {
    fn order(&self, py: Python<'_>, at: Option<Instant>, order: Order) -> PyResult<()> {
        self.detached(py, |state| {
            let now = state.world()?.now();
            state.give(at.map(|at| at.seen_from(now)), order)
        })
    }
}

impl State {
    /// Carries out an order, now or at the time `at`, with the knots that come with it.
    pub(crate) fn give(&mut self, at: Option<SimTime>, order: Order) -> PyResult<()> {
        let (origin, world) = self.parts()?;
        let now = world.now();
        let knots = order.knots(at.unwrap_or(now), origin)?;
        let carried_out = match at {
            Some(at) => {
                let timed = order.timed(at, origin)?;
                foresee(&timed, world).map_err(Raised::raised)?;
                world.schedule(timed).map_err(Raised::raised)?;
                None
            }
            None => order.carry_out(world, origin)?,
        };
        for (at, knot) in &knots {
            world.schedule(knot.timed(*at, origin)?).map_err(Raised::raised)?;
        }
        let given = Given { now, at, order };
        let noted = self.note_deed(carried_out.as_ref(), &given);
        self.deeds.add(given, knots, self.keeps_events);
        noted
    }
}
