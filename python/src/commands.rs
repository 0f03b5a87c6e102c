//! Commands: kicks, changes of velocity, new bodies and removals, at once or at a later time.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::construction::{body_text, traits_of};
use crate::deeds::Order;
use crate::errors::Raised;
use crate::shapes::Shape;
use crate::simulation::Simulation;
use crate::state::State;
use crate::time::Instant;

#[pymethods]
impl Simulation {
    /// Applies an impulse, N·s, to the centre of a free body: now, or at the time `at`.
    #[pyo3(signature = (body, impulse, *, at = None))]
    fn kick(&self, py: Python<'_>, body: String, impulse: [f64; 3], at: Option<Instant>) -> PyResult<()> {
        self.order(py, at, Order::Kick(body, impulse))
    }

    /// Sets the velocity of a kinematic body, m/s.
    #[pyo3(signature = (body, velocity, *, at = None))]
    fn set_velocity(&self, py: Python<'_>, body: String, velocity: [f64; 3], at: Option<Instant>) -> PyResult<()> {
        self.order(py, at, Order::SetVelocity(body, velocity))
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
        self.detached(py, |state| state.touched()?.reverse().map_err(Raised::raised))
    }
}

impl Simulation {
    fn order(&self, py: Python<'_>, at: Option<Instant>, order: Order) -> PyResult<()> {
        self.detached(py, |state| match at {
            Some(Instant(at)) => {
                let timed = order.timed(at, &state.origin)?;
                state.touched()?.schedule(timed).map_err(Raised::raised)?;
                state.deeds.scheduled.push((at, order));
                Ok(())
            }
            None => state.carry_out(order),
        })
    }
}

impl State {
    fn carry_out(&mut self, order: Order) -> PyResult<()> {
        let command = order.command(&self.origin)?;
        self.touched()?.carry_out(&command).map_err(Raised::raised)?;
        if let Order::Spawn(text) = order {
            self.deeds.spawned.push(text);
        }
        Ok(())
    }
}
