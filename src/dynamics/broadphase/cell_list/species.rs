//! A species: balls of similar size that collide with each other, for which a [cell list](super) is made.
//!
//! A cell list has one edge length, so it serves one species: the most numerous one at the start. Boxes that fit into a
//! ball of the species are in its cells too. Balls of other species, and other bodies, have domains in the hash grid.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::dynamics::body::table::{BodyTable, Mover};
use crate::dynamics::{BodyId, Layers, Response};
use crate::geometry::Shape;
use crate::numeric::tolerance::BOUND_SLACK;

/// Fewest balls for which a cell list pays.
const COUNT_MIN: usize = 8;

/// Most other free bodies for each ball of the species. The cells are as large as suits the species alone, and among more
/// other bodies each of its balls would have far too many neighbours.
const OTHERS_MAX: usize = 1;

/// Volume of a ball of radius 1.
const BALL_OF_RADIUS_ONE: f64 = 4.0 / 3.0 * std::f64::consts::PI;

/// What distinguishes species besides their radii.
type SpeciesLayers = [Layers; 2];

/// Free balls with radii that differ by less than a factor of two, which collide with the same bodies and with each
/// other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Species {
    layers: SpeciesLayers,
    /// Number of balls at the start.
    pub(super) count: usize,
    /// Volume of all of them at the start, m³.
    pub(super) volume: f64,
    /// Largest radius, m. The smallest is more than half of it.
    pub(super) radius: f64,
    /// Edges of the bounding box of their positions at the start, m.
    pub(super) extent: DVec3,
}

impl Species {
    /// The species with the most balls that fall freely; `None` if these are too few.
    pub(super) fn largest(rows: &BodyTable) -> Option<Self> {
        let flying =
            || rows.ids().filter(|&id| rows.records.falls_freely(id)).filter_map(|id| Some((kind(id, rows)?, id)));
        // Positive numbers have the order of their bits.
        let mut counts: BTreeMap<(SpeciesLayers, u64), usize> = BTreeMap::new();
        flying().for_each(|((layers, radius), _)| *counts.entry((layers, radius.to_bits())).or_default() += 1);
        let (count, radius, layers) = most_numerous(&counts)?;
        let own = flying().filter(|&((layer, size), _)| layer == layers && is_similar(size, radius));
        let (mut low, mut high, mut volume) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0);
        for ((_, size), id) in own {
            let place = rows.path(id).position;
            volume += BALL_OF_RADIUS_ONE * size * size * size;
            (low, high) = (low.min(place), high.max(place));
        }
        let others = rows.ids().filter(|&id| rows.is_free(id) && !rows.is_gone(id)).count() - count;
        let pays = count >= COUNT_MIN && others <= OTHERS_MAX * count;
        pays.then_some(Self { layers, count, volume, radius, extent: high - low })
    }

    /// Whether a body belongs to the species, or is a box that fits into one of its balls, and falls freely.
    pub(super) fn holds(&self, id: BodyId, rows: &BodyTable) -> bool {
        rows.records.falls_freely(id)
            && is_similar(radius_around(rows.shape(id)), self.radius)
            && layers(id, rows).is_some_and(|layers| layers == self.layers)
    }
}

/// The radius of a sphere, or of the ball around a box, m; infinite for other shapes.
pub(in crate::dynamics) fn radius_around(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere(radius) => radius.get(),
        Shape::Box(half) => half.get().length() * (1.0 + BOUND_SLACK),
        Shape::Plane(_) | Shape::Mesh(_) => f64::INFINITY,
    }
}

/// Whether a radius is that of a species with this largest radius.
fn is_similar(radius: f64, largest: f64) -> bool {
    0.5 * largest < radius && radius <= largest
}

/// The number of balls, the largest radius and the layers of the species with the most balls.
fn most_numerous(counts: &BTreeMap<(SpeciesLayers, u64), usize>) -> Option<(usize, f64, SpeciesLayers)> {
    let (mut smaller, mut count) = (counts.iter().peekable(), 0);
    let mut most: Option<(usize, f64, SpeciesLayers)> = None;
    for (&(layers, bits), added) in counts {
        let radius = f64::from_bits(bits);
        count += added;
        let is_other = |&(&(other, size), _): &(&(SpeciesLayers, u64), &usize)| {
            other != layers || !is_similar(f64::from_bits(size), radius)
        };
        while let Some((_, left)) = smaller.next_if(is_other) {
            count -= left;
        }
        if most.is_none_or(|(least, ..)| count >= least) {
            most = Some((count, radius, layers));
        }
    }
    most
}

/// The layers of a ball that may belong to a species, and its radius, m.
fn kind(id: BodyId, rows: &BodyTable) -> Option<(SpeciesLayers, f64)> {
    let Shape::Sphere(radius) = rows.shape(id) else { return None };
    Some((layers(id, rows)?, radius.get()))
}

/// The layers of a body that may belong to a species.
fn layers(id: BodyId, rows: &BodyTable) -> Option<SpeciesLayers> {
    let role = rows.role(id);
    let own = [role.layers, role.collides_with];
    let is_one = role.mover == Mover::Free && role.response == Response::Collide && Layers::collide(own, own);
    is_one.then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{Body, Settings};
    use crate::motion::SimTime;

    /// Number of balls of the species among balls of these radii.
    fn count(radii: impl Iterator<Item = f64>) -> Option<usize> {
        let place = |n: usize| DVec3::X * (3.0 * n as f64);
        let bodies: Vec<Body> =
            radii.enumerate().map(|(n, radius)| Body::sphere(radius, 1.0).unwrap().at(place(n))).collect();
        Species::largest(&BodyTable::new(&bodies, &Settings::default(), SimTime::ZERO)).map(|species| species.count)
    }

    #[test]
    fn a_species_has_half_of_the_free_bodies() {
        let of = |size: usize, radius: f64| std::iter::repeat_n(radius, size);
        assert_eq!(count(of(20, 1.0)), Some(20));
        assert_eq!(count(of(20, 1.0).chain(of(20, 0.6))), Some(40));
        assert_eq!(count(of(20, 1.0).chain(of(19, 0.1))), Some(20));
        assert_eq!(count(of(20, 1.0).chain(of(21, 0.1))), Some(21));
        assert_eq!(count(of(20, 1.0).chain(of(11, 0.1)).chain(of(10, 0.01))), None);
        assert_eq!(count(of(7, 1.0)), None);
    }
}
