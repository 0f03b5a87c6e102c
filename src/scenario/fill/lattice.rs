//! Lattices: cells side by side along the axes. Each cell has its bodies at the same places.
//!
//! The distance of the bodies from the border of the cell is half their distance from each other. So a lattice that
//! fills one period of a repeating space continues evenly across the border. A face-centred lattice of n × n × n cells
//! has the usual 4 n³ spheres of a hard-sphere fluid; give it the period's `min` and `max`.

use glam::DVec3;

use super::super::problem::{Entry, Report};
use super::schema;
use crate::scenario::problem::error_kinds::Fault;

/// The places of the bodies in a cell, in fractions of its edges: one in the middle.
const SIMPLE_CUBIC: &[DVec3] = &[DVec3::splat(0.5)];

/// Four places, each a quarter of the edge away from the nearest faces.
const FACE_CENTRED: &[DVec3] = &[
    DVec3::new(0.25, 0.25, 0.25),
    DVec3::new(0.75, 0.75, 0.25),
    DVec3::new(0.75, 0.25, 0.75),
    DVec3::new(0.25, 0.75, 0.75),
];

/// A checked lattice.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lattice {
    basis: &'static [DVec3],
    counts: [u64; 3],
    min: DVec3,
    /// Width of all cells together, m.
    width: DVec3,
}

impl Lattice {
    pub(super) fn check(report: &mut Report<'_>, entry: Entry<'_>, raw: &schema::Lattice) -> Option<Self> {
        let counts = [0, 1, 2].map(|axis| report.count(entry, &format!("counts[{axis}]"), raw.counts[axis]));
        let min = report.vector(entry, "min", raw.min);
        let width = width(report, entry, raw);
        let basis = match raw.kind {
            schema::Cell::SimpleCubic => SIMPLE_CUBIC,
            schema::Cell::FaceCentred => FACE_CENTRED,
        };
        let [Some(x), Some(y), Some(z)] = counts else { return None };
        Some(Self { basis, counts: [x, y, z], min: min?, width: width? })
    }

    /// The number of bodies; `None` if it needs more than 64 bits.
    pub(super) fn count(&self) -> Option<u64> {
        self.counts.iter().try_fold(self.basis.len() as u64, |product, &count| product.checked_mul(count))
    }

    /// All places; z changes fastest.
    pub(super) fn places(&self) -> Vec<DVec3> {
        let [nx, ny, nz] = self.counts;
        let parts = DVec3::new(nx as f64, ny as f64, nz as f64);
        let mut places = Vec::new();
        for (x, y, z) in (0..nx).flat_map(|x| (0..ny).flat_map(move |y| (0..nz).map(move |z| (x, y, z)))) {
            let cell = DVec3::new(x as f64, y as f64, z as f64);
            places.extend(self.basis.iter().map(|&within| self.min + self.width * ((cell + within) / parts)));
        }
        places
    }
}

fn width(report: &mut Report<'_>, entry: Entry<'_>, raw: &schema::Lattice) -> Option<DVec3> {
    match (raw.spacing, raw.max) {
        (Some(spacing), None) => {
            let spacing = report.positive(entry, "spacing", spacing)?;
            let width = raw.counts.map(|count| count as f64 * spacing);
            report.vector(entry, "spacing", width)
        }
        (None, Some(max)) => {
            let ranges =
                [0, 1, 2].map(|axis| report.range(entry, &format!("max[{axis}]"), axis, [raw.min[axis], max[axis]]));
            let [Some(x), Some(y), Some(z)] = ranges else { return None };
            Some(DVec3::new(x.max - x.min, y.max - y.min, z.max - z.min))
        }
        _ => {
            report.add(entry, "", Fault::UnclearLattice);
            None
        }
    }
}
