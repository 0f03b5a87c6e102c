//! The contacts of an island at the present, before their forces are known: which are on curved surfaces, and how their
//! gaps accelerate because the normals turn.

use glam::DVec3;

use super::update::Update;
use super::{Contact, Surface};
use crate::dynamics::few::Few;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::problem::Solution;
use crate::dynamics::solver::{ContactConstraint, SolverBody};
use crate::motion::Relative;
use crate::numeric::tolerance::{CALM_SLACK, REST_HEIGHT_DEFAULT};
use crate::sweep::rates_along;

/// A contact on a curved surface.
pub(in crate::dynamics) struct Curve {
    /// Its place among the contacts of its island.
    pub(in crate::dynamics) place: usize,
    /// From the centre of a to the centre of b, m.
    pub(in crate::dynamics) offset: DVec3,
    /// Rounding of the gap, m.
    pub(in crate::dynamics) rounding: f64,
}

/// The contacts of an island as they are at the present.
pub(in crate::dynamics) struct Geometry {
    pub(in crate::dynamics) curves: Few<Curve>,
    pub(in crate::dynamics) constraints: Few<ContactConstraint>,
    /// The part of the acceleration of each gap that comes from the turning of its normal, m/s².
    pub(in crate::dynamics) centripetals: Few<f64>,
    /// The largest acceleration, m/s².
    pub(in crate::dynamics) scale: f64,
}

impl Geometry {
    /// The acceleration with which a gap opens, m/s².
    pub(in crate::dynamics) fn opening(&self, place: usize, accelerations: &[SolverBody]) -> f64 {
        let constraint = &self.constraints[place];
        constraint.normal.dot(linear(constraint, accelerations)) + self.centripetals[place]
    }

    /// Whether a contact without a force begins to open.
    pub(in crate::dynamics) fn is_loose(&self, place: usize, standing: &Solution) -> bool {
        standing.impulses[place].normal <= 0.0 && self.opening(place, &standing.members) > self.rounding()
    }

    /// Accelerations up to this are rounding, m/s².
    pub(in crate::dynamics) fn rounding(&self) -> f64 {
        CALM_SLACK * self.scale
    }
}

impl Scene {
    /// How far a path may rise from what it follows, m: a rest height, and the default one where there is none.
    pub(super) fn largest_rise(&self) -> f64 {
        if self.settings.rest_height > 0.0 { self.settings.rest_height } else { REST_HEIGHT_DEFAULT }
    }

    /// The contacts of an island at the present, before its forces are known.
    pub(in crate::dynamics) fn present(&self, update: &Update) -> Geometry {
        let curves = self.curves(update);
        let centripetals: Few<f64> = self.bound(update, &curves).iter().map(|bound| -bound).collect();
        let driven = update.island.bodies[update.island.free..].iter().filter_map(|&id| self.rows.driven(id));
        let swings = driven.map(|driven| driven.largest().acceleration).fold(0.0, f64::max);
        let scale = acceleration_scale(update, &centripetals, self.settings.gravity).max(swings);
        Geometry { curves, constraints: update.constraints.clone(), centripetals, scale }
    }

    /// The accelerations along the normals with which gaps neither open nor close, m/s².
    pub(in crate::dynamics) fn bound(&self, update: &Update, curves: &[Curve]) -> Few<f64> {
        let mut bound = Few::from_elem(0.0, update.constraints.len());
        for curve in curves {
            bound[curve.place] = -self.centripetal(update, curve, None, 0.0);
        }
        bound
    }

    /// The contacts of an island on curved surfaces.
    pub(in crate::dynamics) fn curves(&self, update: &Update) -> Few<Curve> {
        let rows = update.island.contacts.iter().enumerate();
        let curved = rows.filter(|&(_, &row)| self.contacts.get(row).surface == Surface::Curved);
        let curve = |(place, &row): (usize, &u32)| {
            let Contact { pair, .. } = *self.contacts.get(row);
            let seen = pair.as_seen_from_path(&self.rows);
            let offset = seen.motion(&self.rows, &self.settings.space, self.now).position;
            Curve { place, offset, rounding: self.gap_rounding(pair, offset) }
        };
        curved.map(curve).collect()
    }

    /// The part of a gap's acceleration that comes from the turning of the normal, `after` seconds from now, m/s².
    pub(in crate::dynamics) fn centripetal(
        &self,
        update: &Update,
        curve: &Curve,
        accelerations: Option<&[SolverBody]>,
        after: f64,
    ) -> f64 {
        let constraint = &update.constraints[curve.place];
        let contact = self.contacts.get(update.island.contacts[curve.place]);
        let gained = accelerations.map_or(DVec3::ZERO, |members| linear(constraint, members) * after);
        let velocity = linear(constraint, &update.members) + gained;
        // A ball exactly above the edge of a face counts as beyond it, independent of the rounding of its position.
        let ahead = velocity * (4.0 * curve.rounding / velocity.abs().max_element().max(f64::MIN_POSITIVE));
        let position = curve.offset + (velocity - gained * 0.5) * after + ahead;
        let motion = Relative { position, velocity, acceleration: DVec3::ZERO };
        let [a, b] = self.solids(contact.pair, contact.part);
        rates_along(a, b, &motion, contact.normal).acceleration
    }
}

/// The linear velocity or acceleration of b relative to a.
pub(in crate::dynamics) fn linear(constraint: &ContactConstraint, members: &[SolverBody]) -> DVec3 {
    members[constraint.b].linear - members[constraint.a].linear
}

/// The largest acceleration in the island, m/s².
fn acceleration_scale(update: &Update, centripetals: &[f64], gravity: DVec3) -> f64 {
    let largest = centripetals.iter().fold(0.0, |most: f64, centripetal| most.max(centripetal.abs()));
    let free = if update.island.free > 0 { gravity.abs().max_element() } else { 0.0 };
    free.max(largest)
}
