//! A species: balls of similar size that collide with each other, for which a [cell list](super) is made.
//!
//! A cell list has one edge length, so it serves one species: the most numerous one at the start. Balls of other
//! species, and bodies of other shapes, have domains in the hash grid.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::dynamics::body::table::{BodyTable, Mover};
use crate::dynamics::{BodyId, Layers, Response};
use crate::geometry::Shape;

/// Fewest balls for which a cell list pays.
const COUNT_MIN: usize = 8;

/// Volume of a ball of radius 1.
const BALL_OF_RADIUS_ONE: f64 = 4.0 / 3.0 * std::f64::consts::PI;

/// What distinguishes species: the exponent of the radius, and the layers.
type SpeciesKey = (u64, [Layers; 2]);

/// Free balls with radii that differ by less than a factor of two, which collide with the same bodies and with each
/// other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Species {
    key: SpeciesKey,
    /// Number of balls at the start.
    pub(super) count: usize,
    /// Volume of all of them at the start, m³.
    pub(super) volume: f64,
    /// Largest radius at the start, m.
    pub(super) radius: f64,
    /// Edges of the bounding box of their positions at the start, m.
    pub(super) extent: DVec3,
}

impl Species {
    /// The species with the most balls that fall freely; `None` if these are too few.
    pub(super) fn largest(rows: &BodyTable) -> Option<Self> {
        let flying =
            || rows.ids().filter(|&id| rows.records.falls_freely(id)).filter_map(|id| Some((key(id, rows)?, id)));
        let mut counts: BTreeMap<SpeciesKey, usize> = BTreeMap::new();
        flying().for_each(|((key, _), _)| *counts.entry(key).or_default() += 1);
        let (key, count) = counts.into_iter().max_by_key(|&(key, count)| (count, key))?;
        let own =
            flying().filter(|((own, _), _)| *own == key).map(|((_, radius), id)| (radius, rows.path(id).position));
        let (mut largest, mut low, mut high) = (0.0f64, DVec3::INFINITY, DVec3::NEG_INFINITY);
        let mut volume = 0.0;
        for (radius, place) in own {
            volume += BALL_OF_RADIUS_ONE * radius * radius * radius;
            (largest, low, high) = (largest.max(radius), low.min(place), high.max(place));
        }
        (count >= COUNT_MIN).then_some(Self { key, count, volume, radius: largest, extent: high - low })
    }

    /// Whether a body belongs to the species and falls freely.
    pub(super) fn holds(&self, id: BodyId, rows: &BodyTable) -> bool {
        rows.records.falls_freely(id)
            && key(id, rows).is_some_and(|(key, radius)| key == self.key && radius <= self.radius)
    }
}

/// The species of a body, and its radius, m.
fn key(id: BodyId, rows: &BodyTable) -> Option<(SpeciesKey, f64)> {
    let Shape::Sphere(radius) = rows.shape(id) else { return None };
    let role = rows.role(id);
    let own = [role.layers, role.collides_with];
    let is_one = role.mover == Mover::Free && role.response == Response::Collide && Layers::collide(own, own);
    is_one.then(|| ((radius.get().to_bits() >> 52, own), radius.get()))
}
