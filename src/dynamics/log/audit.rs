//! The balance of a run: where energy and momentum went, and the deepest overlap.
//!
//! The balance closes: kinetic plus potential energy changes by `work` − `dissipated` − `contact_heat`, and momentum by
//! weight and `impulse`, up to rounding. A run that violates it has an error in the dynamics.

use glam::DVec3;

use super::event::EventKind;

/// Energy and momentum that went into and out of the free bodies since the start.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, EventKind, Restitution, Settings, World};
///
/// let mut settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
/// let rubber = settings.materials.add(Restitution::new(0.5).unwrap());
/// let ball = Body::sphere(0.5, 2.0).unwrap().at(DVec3::Z * 5.5).made_of(rubber);
/// let mut world = World::new(settings, [("ball", ball), ("floor", Body::plane(DVec3::Z, 0.0).unwrap())]).unwrap();
/// world.step(1.5).unwrap();
/// // It comes with 10 m/s and 100 J, and goes with 5 m/s and 25 J.
/// let audit = world.audit();
/// assert_eq!(audit.count(EventKind::Impact), 1);
/// assert!((audit.dissipated - 75.0).abs() < 1e-12 && (audit.impulse.z - 30.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Audit {
    /// Kinetic energy turned into heat at impacts, J: the sum of the events' losses.
    pub dissipated: f64,
    /// Kinetic energy turned into heat by lasting contacts: sliding, motion along curved surfaces, and time steps, J.
    pub contact_heat: f64,
    /// Work on free bodies by bodies of prescribed velocity and by commands, J. Commands count with the work of kicks
    /// and of given velocities, with the change of potential energy by `set_position` and `set_gravity`, and with the
    /// kinetic and potential energy of spawned bodies less that of despawned ones.
    pub work: f64,
    /// Momentum given to free bodies by fixed and kinematic bodies and by commands, kg·m/s. A body spawned at the time
    /// t adds m (v − g t), and a body despawned at the time t subtracts it. So the momentum has changed since the start
    /// by the sum of this and the weight of all present bodies times the whole time since the start.
    pub impulse: DVec3,
    /// Collision virial of the free bodies, axis by axis, J·s. Each impact of two free bodies adds the vector from the
    /// centre of the first to the centre of the second (of the image at the impact) times the impulse on the second.
    /// Impulses and forces of lasting contacts do not count.
    pub virial: DVec3,
    /// Deepest overlap of two bodies at the instant of their impact, m.
    pub deepest: f64,
    /// Number of events of each kind, in the order of [`EventKind::ALL`].
    pub counts: [u64; EventKind::ALL.len()],
}

/// How much of a run was advanced by time steps.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, Settings, World};
///
/// // A column of 130 boxes on a floor has too many contacts for events, and then sleeps.
/// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
/// let block = |row: u32| Body::cuboid(DVec3::splat(0.5), 1.0).unwrap().at(DVec3::Z * (f64::from(row) + 0.5));
/// let bodies = (0..130).map(|row| (format!("block {row}"), block(row)));
/// let floor = ("floor".to_owned(), Body::plane(DVec3::Z, 0.0).unwrap());
/// let mut world = World::new(settings, bodies.chain([floor])).unwrap();
/// world.step(1.0).unwrap();
/// let totals = world.stepping_totals();
/// assert_eq!((totals.largest_island, totals.asleep), (130, 130));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SteppingTotals {
    /// Number of time steps, each of one island.
    pub time_steps: u64,
    /// Sum over all bodies of the time during which they were advanced by time steps, s.
    pub body_seconds: f64,
    /// Largest number of bodies that one time step advanced.
    pub largest_island: u64,
    /// Number of bodies that sleep at the present.
    pub asleep: u64,
}

impl Audit {
    /// Number of events of `kind`.
    pub fn count(&self, kind: EventKind) -> u64 {
        self.counts[kind as usize]
    }
}

/// Energy and momentum of all free bodies at one instant.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, Settings, World};
///
/// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
/// let ball = Body::sphere(0.5, 2.0).unwrap().at(DVec3::Z * 5.0);
/// let mut world = World::new(settings, [("ball", ball)]).unwrap();
/// assert_eq!((world.balance().kinetic, world.balance().potential), (0.0, 100.0));
/// world.step(1.0).unwrap();
/// assert_eq!((world.balance().kinetic, world.balance().potential), (100.0, 0.0));
/// assert_eq!((world.balance().momentum, world.balance().mass), (DVec3::Z * -20.0, 2.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Balance {
    /// ½ m v² + ½ I ω², J. In a time step it goes evenly from its value before the step to that after it, and the
    /// velocity does the same: so it is larger than that of the velocities by up to ⅛ m |Δv|².
    pub kinetic: f64,
    /// −m g·x, J, with x counted through all periods.
    pub potential: f64,
    /// m v, kg·m/s.
    pub momentum: DVec3,
    /// Sum of |m v|, kg·m/s: the scale of the rounding of the momentum.
    pub momentum_scale: f64,
    /// Sum of the masses, kg.
    pub mass: f64,
}
