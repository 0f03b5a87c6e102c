//! Which worlds are a gas, and what its balls have in common.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::table::{Interaction, Mover, Role};
use crate::dynamics::simulation::Simulation;
use crate::dynamics::{BodyId, Settings};
use crate::geometry::Shape;

/// Smallest number of balls.
const COUNT_MIN: usize = 32;

/// Largest radius of a ball, relative to the smallest one.
const RADII_MAX: f64 = 2.0;

/// Most kinds of balls by material and layers.
const ROLES_MAX: usize = 8;

/// A path record holds as many ticks of the clock. A gas ends there.
pub(super) const TICKS_MAX: i64 = i32::MAX as i64;

/// The radii of the balls.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sizes {
    Equal {
        radius: f64,
        /// The squared distance at which two of them touch, m².
        reach_squared: f64,
    },
    /// Each ball has the radius of its path record.
    Unlike,
}

/// What the balls of a gas have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Balls {
    pub(super) sizes: Sizes,
    /// Largest radius, m.
    pub(super) radius: f64,
    /// 1/kg, if all have the same mass.
    pub(super) inverse_mass: Option<f64>,
    /// The restitution of all pairs, if it is the same number.
    pub(super) restitution: Option<f64>,
    pub(super) count: usize,
    /// Mean radius, m.
    pub(super) mean_radius: f64,
    /// The part of space that the balls fill.
    pub(super) packing: f64,
    /// Lengths of the periods, m.
    pub(super) lengths: [f64; 3],
}

/// Whether a world with these settings may be a gas at some time.
pub(in crate::dynamics) fn may_be_gas(settings: &Settings) -> bool {
    settings.gravity.length_squared() == 0.0 && settings.space.periods.iter().all(Option::is_some)
}

impl Balls {
    /// The balls of a world that is a gas now.
    pub(super) fn of(sim: &Simulation) -> Option<Self> {
        let (scene, rows) = (&sim.scene, &sim.scene.rows);
        let present = || rows.present();
        let count = rows.present_count();
        let in_time = (0..TICKS_MAX).contains(&scene.now.ticks());
        let is_ballistic = |id: BodyId| rows.records.is_ballistic_sphere(id) && rows.role(id).mover == Mover::Free;
        if count < COUNT_MIN || !in_time || !may_be_gas(&scene.settings) || !present().all(is_ballistic) {
            return None;
        }
        let roles = roles(sim)?;
        let radius = |id: BodyId| match rows.shape(id) {
            Shape::Sphere(radius) => radius.get(),
            _ => f64::NAN,
        };
        let (mut smallest, mut largest, mut sum, mut volume) = (f64::INFINITY, 0.0_f64, 0.0, 0.0);
        for radius in present().map(radius) {
            (smallest, largest) = (smallest.min(radius), largest.max(radius));
            sum += radius;
            volume += 4.0 / 3.0 * PI * radius * radius * radius;
        }
        let lengths = scene.settings.space.periods.map(|period| period.map_or(0.0, |period| period.length()));
        let sizes = if smallest == largest {
            Sizes::Equal { radius: largest, reach_squared: (largest + largest) * (largest + largest) }
        } else {
            Sizes::Unlike
        };
        let first = present().next()?;
        let inverse_mass = rows.inverse_mass(first);
        let one_mass = present().all(|id| rows.inverse_mass(id) == inverse_mass);
        (largest <= RADII_MAX * smallest).then_some(Self {
            sizes,
            radius: largest,
            inverse_mass: one_mass.then_some(inverse_mass),
            restitution: one_restitution(sim, &roles),
            count,
            mean_radius: sum / count as f64,
            packing: volume / lengths.into_iter().product::<f64>(),
            lengths,
        })
    }
}

/// One body of each kind, if they are few, and all collide with each other without friction.
fn roles(sim: &Simulation) -> Option<Vec<BodyId>> {
    let rows = &sim.scene.rows;
    let mut roles: BTreeMap<Role, BodyId> = BTreeMap::new();
    for id in rows.present() {
        roles.entry(*rows.role(id)).or_insert(id);
        if roles.len() > ROLES_MAX {
            return None;
        }
    }
    let ids: Vec<BodyId> = roles.into_values().collect();
    let scene = &sim.scene;
    let collides = |a: BodyId, b: BodyId| {
        rows.interaction(a, b) == Some(Interaction::Collide) && !scene.frictions(Pair::new(a, b, [0; 3])).act()
    };
    ids.iter().all(|&a| ids.iter().all(|&b| collides(a, b))).then_some(ids)
}

/// The restitution of all pairs of these bodies, if it is the same number.
fn one_restitution(sim: &Simulation, ids: &[BodyId]) -> Option<f64> {
    let restitution = |a: BodyId, b: BodyId| sim.scene.restitution(Pair::new(a, b, [0; 3])).constant();
    let first = restitution(ids[0], ids[0])?;
    ids.iter().all(|&a| ids.iter().all(|&b| restitution(a, b) == Some(first))).then_some(first)
}
