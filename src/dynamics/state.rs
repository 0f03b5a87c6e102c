//! The state of a simulation: construction and access.
//!
//! A [`Stepper`] is the world: the parts that events change, and the queue of predicted events. Access never changes a
//! path, so how often a world is read does not change its events.

use glam::DVec3;

use super::body::table::BodyTable;
use super::contact::{Contact, ContactInfo};
use super::error::SetupError;
use super::gas::Turns;
use super::log::audit::{Audit, Balance, SteppingTotals};
use super::log::event::{Event, Knot};
use super::queue::Queue;
use super::scene::Scene;
use super::simulation::Simulation;
use super::validity::check_body;
use super::{Body, BodyId, Settings};
use crate::motion::SimTime;

/// Position and motion of a body at one instant.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, Settings, World};
///
/// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
/// let ball = Body::sphere(0.5, 1.0).unwrap().moving(DVec3::X * 3.0).spinning(DVec3::Z);
/// let mut world = World::new(settings, [("ball", ball)]).unwrap();
/// world.step(1.0).unwrap();
/// let state = world.state(world.id("ball").unwrap());
/// assert_eq!(state.position, DVec3::new(3.0, 0.0, -5.0));
/// assert_eq!((state.velocity, state.spin), (DVec3::new(3.0, 0.0, -10.0), DVec3::Z));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    /// Position, m; in a periodic space within the cell.
    pub position: DVec3,
    /// Velocity, m/s.
    pub velocity: DVec3,
    /// Angular velocity, rad/s; zero for all bodies but spheres.
    pub spin: DVec3,
}

/// A world: its bodies, their predictions, and the record of what has happened.
#[derive(Debug, Clone)]
pub struct Stepper {
    pub(super) sim: Simulation,
    pub(super) queue: Queue,
    pub(super) turns: Turns,
}

impl Stepper {
    /// A world with `bodies` at time 0. A body's id is its row.
    ///
    /// # Errors
    /// [`SetupError`] when a setting or a body is not valid, or when two that collide overlap by more than rounding.
    ///
    /// # Panics
    /// When there are more than 2³² − 2 bodies.
    pub fn new(settings: Settings, bodies: &[Body]) -> Result<Self, SetupError> {
        assert!(bodies.len() < u32::MAX as usize, "a body's id has 32 bits");
        settings.check()?;
        bodies.iter().enumerate().try_for_each(|(row, body)| check_body(BodyId(row as u32), body, &settings))?;
        let rows = BodyTable::new(bodies, &settings, SimTime::ZERO);
        rows.check_arcs()?;
        let mut stepper = Self::with_rows(settings, rows, SimTime::ZERO);
        stepper.sim.check_start()?;
        stepper.predict_all();
        Ok(stepper)
    }

    /// A world of bodies without contacts and events, with their neighbours.
    pub(super) fn with_rows(settings: Settings, rows: BodyTable, now: SimTime) -> Self {
        let queue = Queue::with_bodies(rows.count());
        let turns = Turns::new(&settings);
        Self { sim: Simulation::new(settings, rows, now), queue, turns }
    }

    /// Predicts the next event of every body.
    pub(super) fn predict_all(&mut self) {
        let present: Vec<BodyId> = self.sim.scene.rows.present().collect();
        present.iter().for_each(|&id| self.sim.refresh_record(id));
        present.into_iter().for_each(|id| self.predictor().predict(id));
    }

    /// The present.
    pub fn now(&self) -> SimTime {
        self.sim.scene.now
    }

    /// The settings of the world.
    pub fn settings(&self) -> &Settings {
        &self.sim.scene.settings
    }

    /// Number of bodies, despawned ones included: ids are the numbers below this.
    pub fn count(&self) -> usize {
        self.sim.scene.rows.count()
    }

    /// The bodies that were not despawned, by id.
    pub fn present(&self) -> impl Iterator<Item = BodyId> + Clone + use<'_> {
        self.sim.scene.rows.present()
    }

    /// The number of these bodies.
    pub fn present_count(&self) -> usize {
        self.sim.scene.rows.present_count()
    }

    /// The tracked bodies, by id.
    pub fn tracked(&self) -> impl Iterator<Item = BodyId> {
        self.present().filter(|&id| self.is_tracked(id))
    }

    /// Whether such a body is present and tracked.
    pub(crate) fn is_tracked(&self, id: BodyId) -> bool {
        self.is_present(id) && *self.sim.log.tracked.get(id)
    }

    /// Position and motion of a body at the present; a despawned body stays where it was. The call does not change its
    /// path.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn state(&self, id: BodyId) -> State {
        let [velocity, spin] = self.sim.at_present(id);
        State { position: self.position(id), velocity, spin }
    }

    /// A body's properties, also of a despawned one, and its motion now. The position of a body on a course is the one
    /// without the displacement.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn body(&self, id: BodyId) -> Body {
        let Scene { rows, now, .. } = &self.sim.scene;
        let (path, body) = (rows.path(id), rows.body(id));
        let spin = self.state(id).spin;
        match rows.driven(id).filter(|_| body.course.is_some()) {
            Some(driven) => Body { position: driven.base.position, spin, ..body },
            None => Body { position: path.position_at(*now), velocity: path.velocity_at(*now), spin, ..body },
        }
    }

    /// The same with the material, layers and cells with which it came.
    pub(crate) fn given(&self, id: BodyId) -> Body {
        let Body { position, velocity, spin, .. } = self.body(id);
        Body { position, velocity, spin, ..self.sim.scene.rows.given(id) }
    }

    /// The position alone, m: that of [`state`](Self::state), at less cost.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn position(&self, id: BodyId) -> DVec3 {
        let scene = &self.sim.scene;
        scene.settings.space.within(scene.rows.path(id).position_at(scene.now))
    }

    /// How many periods a body is away from the periodic cell, counted along its whole way; 0 along an open axis.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn turns(&self, id: BodyId) -> [i64; 3] {
        let scene = &self.sim.scene;
        let (_, ahead) = scene.settings.space.wrap(scene.rows.path(id).position_at(scene.now));
        std::array::from_fn(|axis| scene.rows.turns[id.index()][axis] + i64::from(ahead[axis]))
    }

    /// The contacts that last, in the order of their bodies. Those of bodies that are advanced by time steps are not
    /// included, or belong to the last step, since they are found again in each.
    pub fn contacts(&self) -> Vec<ContactInfo> {
        let scene = &self.sim.scene;
        scene.contacts.sorted().iter().map(|contact| info(scene, contact)).collect()
    }

    /// The [contacts](Self::contacts) of one body. For a free body this takes no look at the others.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn contacts_of(&self, id: BodyId) -> Vec<ContactInfo> {
        let scene @ Scene { contacts, rows, .. } = &self.sim.scene;
        if !rows.is_free(id) {
            return self.contacts().into_iter().filter(|contact| contact.a == id || contact.b == id).collect();
        }
        let mut own: Vec<&Contact> = contacts.of(id).iter().map(|&row| contacts.get(row)).collect();
        own.sort_by_key(|contact| contact.key());
        own.into_iter().map(|contact| info(scene, contact)).collect()
    }

    /// The events since the last call, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.sim.log.events)
    }

    /// The events in the buffer, in order, which stay there.
    pub fn events(&self) -> &[Event] {
        &self.sim.log.events
    }

    /// The knots of tracked bodies since the last call, in order.
    pub fn take_knots(&mut self) -> Vec<Knot> {
        std::mem::take(&mut self.sim.log.knots)
    }

    /// Records the present path of `id`, and every path that it begins from now on.
    pub fn track(&mut self, id: BodyId) {
        self.sim.log.tracked.set(id, true);
        self.sim.note(id);
        if self.sim.scene.rows.driven(id).is_some() {
            self.sim.limit_exit(id);
            self.predictor().queue_earliest(id);
        }
    }

    /// The balance up to now.
    pub fn audit(&self) -> Audit {
        self.sim.audit()
    }

    /// How much was advanced by time steps up to now.
    pub fn stepping_totals(&self) -> SteppingTotals {
        let count = &self.sim.counters.time_steps;
        SteppingTotals {
            time_steps: count.steps,
            body_seconds: count.body_seconds(self.sim.scene.now),
            largest_island: count.largest,
            asleep: self.sim.time_stepping.sleepers().count() as u64,
        }
    }

    /// Energy and momentum of all free bodies at the present.
    pub fn balance(&self) -> Balance {
        self.sim.balance()
    }
}

fn info(scene: &Scene, contact: &Contact) -> ContactInfo {
    let Contact { pair, normal, since, force, .. } = *contact;
    ContactInfo { a: pair.a, b: pair.b, normal, since, force: force.vector(normal) + scene.ride_force(pair) }
}
