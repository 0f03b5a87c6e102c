//! A species: bodies of similar size that collide with each other, for which a [cell list](super) is made.
//!
//! A cell list has one edge length, so it serves one species: the most numerous one at the start. The size of a box is
//! the radius of the ball around it. Where bodies are dense, cells of that size contain far too many bodies, so only
//! balls make a species there; boxes that fit into one of its balls are in the cells too. Other bodies have domains in
//! the hash grid.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::dynamics::body::table::{BodyTable, Mover};
use crate::dynamics::{BodyId, Layers, Response};
use crate::geometry::Shape;
use crate::numeric::tolerance::BOUND_SLACK;

/// Smallest number of bodies for which a cell list saves work.
const COUNT_MIN: usize = 8;

/// Largest number of other free bodies per body of the species. The size of the cells depends on the species alone, so
/// with more other bodies each of its bodies would have far too many neighbours.
const OTHERS_MAX: usize = 1;

/// The work for one body left out of the cells, relative to the work for a body in them: each of its roughly twenty
/// neighbours takes several times as long.
const LEFT_OUT: f64 = 256.0;

/// The property that distinguishes species in addition to their radii.
type SpeciesLayers = [Layers; 2];

/// Free balls and boxes with radii that differ by less than a factor of two, which collide with the same bodies and
/// with each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Species {
    layers: SpeciesLayers,
    /// Number of bodies at the start.
    pub(super) count: usize,
    /// Largest radius, m, also of the ball around a box. The smallest is more than half of it.
    pub(super) radius: f64,
    /// Edges of the bounding box of their positions at the start, m.
    pub(super) extent: DVec3,
}

impl Species {
    /// The species with the most freely falling bodies, among the bodies with shapes for which `counts` is true; `None`
    /// if there are too few.
    pub(super) fn largest(rows: &BodyTable, counts: impl Fn(&Shape) -> bool) -> Option<Self> {
        let may_fly = |&id: &BodyId| rows.records.falls_freely(id) && counts(rows.shape(id));
        let flying = || rows.ids().filter(may_fly).filter_map(|id| Some((kind(id, rows)?, id)));
        // Positive numbers have the order of their bits.
        let mut counts: BTreeMap<(SpeciesLayers, u64), usize> = BTreeMap::new();
        flying().for_each(|((layers, radius), _)| *counts.entry((layers, radius.to_bits())).or_default() += 1);
        let (count, radius, layers) = most_numerous(&counts)?;
        let own = flying().filter(|&((layer, size), _)| layer == layers && is_similar(size, radius));
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for (_, id) in own {
            let place = rows.path(id).position;
            (low, high) = (low.min(place), high.max(place));
        }
        let others = rows.present().filter(|&id| rows.is_free(id)).count() - count;
        let pays = count >= COUNT_MIN && others <= OTHERS_MAX * count;
        pays.then_some(Self { layers, count, radius, extent: high - low })
    }

    /// Whether a body belongs to the species and falls freely.
    pub(super) fn holds(&self, id: BodyId, rows: &BodyTable) -> bool {
        rows.records.falls_freely(id)
            && kind(id, rows).is_some_and(|(layers, radius)| layers == self.layers && is_similar(radius, self.radius))
    }
}

/// The radius of a sphere, or of the ball around a box, m; infinite for other shapes.
pub(in crate::dynamics) fn radius_around(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere(radius) => radius.get(),
        Shape::Box(half) => half.get().length() * (1.0 + BOUND_SLACK),
        Shape::Plane(_) | Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_) => f64::INFINITY,
    }
}

/// Whether a radius is that of a species with this largest radius.
fn is_similar(radius: f64, largest: f64) -> bool {
    0.5 * largest < radius && radius <= largest
}

/// The number of bodies, the largest radius and the layers of the species with the most bodies. It leaves out a few
/// bodies that are much larger than the others, because all cells are as large as the largest body needs them.
fn most_numerous(counts: &BTreeMap<(SpeciesLayers, u64), usize>) -> Option<(usize, f64, SpeciesLayers)> {
    let (mut smaller, mut count) = (counts.iter().peekable(), 0);
    let mut all = Vec::new();
    for (&(layers, bits), added) in counts {
        let radius = f64::from_bits(bits);
        count += added;
        let is_other = |&(&(other, size), _): &(&(SpeciesLayers, u64), &usize)| {
            other != layers || !is_similar(f64::from_bits(size), radius)
        };
        while let Some((_, left)) = smaller.next_if(is_other) {
            count -= left;
        }
        all.push((count, radius, layers));
    }
    let &(most, largest, own) = all.iter().max_by_key(|(count, ..)| count)?;
    let work = |&(count, radius, _): &(usize, f64, SpeciesLayers)| {
        radius * radius * radius * (1.0 + LEFT_OUT * (most - count) as f64 / most as f64)
    };
    let smaller = all.into_iter().filter(|&(_, radius, layers)| layers == own && is_similar(radius, largest));
    smaller.min_by(|x, y| work(x).total_cmp(&work(y)))
}

/// The layers of a body that may belong to a species, and its radius, m.
fn kind(id: BodyId, rows: &BodyTable) -> Option<(SpeciesLayers, f64)> {
    let (role, radius) = (rows.role(id), radius_around(rows.shape(id)));
    let own = [role.layers, role.collides_with];
    let is_one = role.mover == Mover::Free && role.response == Response::Collide && Layers::collide(own, own);
    (is_one && radius.is_finite()).then_some((own, radius))
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
        Species::largest(&BodyTable::new(&bodies, &Settings::default(), SimTime::ZERO), |_| true)
            .map(|species| species.count)
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

    #[test]
    fn a_species_leaves_out_a_few_large_bodies() {
        let of = |size: usize, radius: f64| std::iter::repeat_n(radius, size);
        assert_eq!(count(of(1_000, 1.0).chain(of(1, 1.9))), Some(1_000));
        assert_eq!(count(of(1_000, 1.0).chain(of(1, 1.01))), Some(1_001));
        assert_eq!(count(of(1_000, 1.0).chain(of(100, 1.9))), Some(1_100));
        assert_eq!(count((0..1_000).map(|n| 0.6 + 0.0004 * f64::from(n))), Some(1_000));
    }
}
