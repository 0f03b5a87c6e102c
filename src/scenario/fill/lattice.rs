//! Lattices: cells side by side along the axes. Each cell has its bodies at the same places.
//!
//! The distance of the bodies from the border of the cell is half their distance from each other. So a lattice that
//! fills one period of a repeating space continues evenly across the border. A face-centred lattice of n × n × n cells
//! has the usual 4 n³ spheres of a hard-sphere fluid; give it the period's `min` and `max`.

use glam::DVec3;

use super::super::problem::check::ends;
use super::super::problem::{Entry, Report};
use super::schema;
use crate::scenario::error_kinds::{Fault, PlanarFault};

/// The places of the bodies in a cell, in fractions of its edges: one in the middle.
const SIMPLE_CUBIC: &[DVec3] = &[DVec3::splat(0.5)];

/// Four places, each a quarter of the edge away from the nearest faces.
const FACE_CENTRED: &[DVec3] = &[
    DVec3::new(0.25, 0.25, 0.25),
    DVec3::new(0.75, 0.75, 0.25),
    DVec3::new(0.75, 0.25, 0.75),
    DVec3::new(0.25, 0.75, 0.75),
];

/// Two places in a cell that is √3 times as high as wide: discs at the corners of equal triangles.
const HEXAGONAL: &[DVec3] = &[DVec3::new(0.25, 0.25, 0.5), DVec3::new(0.75, 0.75, 0.5)];

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
        let counts = counts(report, entry, raw)?;
        let counts = [0, 1, 2].map(|axis| report.count(entry, &format!("counts[{axis}]"), counts[axis]));
        let min = report.vector(entry, "min", raw.min);
        let basis = match (raw.kind, report.is_planar) {
            (schema::Cell::SimpleCubic, _) => SIMPLE_CUBIC,
            (schema::Cell::FaceCentred, false) => FACE_CENTRED,
            (schema::Cell::Hexagonal, true) => HEXAGONAL,
            (schema::Cell::FaceCentred, true) => {
                let fault = PlanarFault::NotPlanar { what: "face-centred lattice", instead: "write `kind: Hexagonal`" };
                return report.fail(entry, "kind", Fault::Planar(fault));
            }
            (schema::Cell::Hexagonal, false) => {
                let fault = PlanarFault::OnlyPlanar { shape: "a hexagonal lattice" };
                return report.fail(entry, "kind", Fault::Planar(fault));
            }
        };
        let [Some(x), Some(y), Some(z)] = counts else { return None };
        let width = width(report, entry, raw, [x, y, z]);
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

/// The numbers of cells along the axes: one along z in a planar world.
fn counts(report: &mut Report<'_>, entry: Entry<'_>, raw: &schema::Lattice) -> Option<[u64; 3]> {
    match (&raw.counts.0[..], report.is_planar) {
        (&[x, y, z], false) => Some([x, y, z]),
        (&[x, y] | &[x, y, 1], true) => Some([x, y, 1]),
        (_, is_planar) => {
            report.refuse(entry, "counts", if is_planar { "two whole numbers" } else { "three whole numbers" })
        }
    }
}

/// The widths of all cells together, m; 0 along z in a planar world.
fn width(report: &mut Report<'_>, entry: Entry<'_>, raw: &schema::Lattice, counts: [u64; 3]) -> Option<DVec3> {
    let is_planar = report.is_planar;
    match (raw.spacing, raw.max) {
        (Some(spacing), None) => {
            let spacing = report.positive(entry, "spacing", spacing)?;
            let mut width = counts.map(|count| count as f64 * spacing);
            if is_planar {
                width[1] *= if matches!(raw.kind, schema::Cell::Hexagonal) { 3.0_f64.sqrt() } else { 1.0 };
                width[2] = 0.0;
            }
            report.moderate(entry, "spacing", width)
        }
        (None, Some(max)) => {
            let (min, max) = (report.numbers(entry, "min", raw.min)?, report.numbers(entry, "max", max)?);
            let mut width = |axis: usize| {
                let range = report.range(entry, &ends("", axis), axis, [min[axis], max[axis]])?;
                Some(range.max - range.min)
            };
            let [x, y, z] = [width(0), width(1), if is_planar { Some(0.0) } else { width(2) }];
            Some(DVec3::new(x?, y?, z?))
        }
        _ => report.fail(entry, "", Fault::UnclearLattice),
    }
}
