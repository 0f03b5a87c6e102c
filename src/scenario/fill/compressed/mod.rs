//! Compressed spheres: points at random places that grow, while they move and collide, until they fill a part of a
//! region.
//!
//! Random sequential placement jams at a packing of 0.38. Compression reaches random close packing, about 0.64 for
//! equal spheres (Lubachevsky & Stillinger, *Geometric properties of random disk packings*, J. Stat. Phys. 60, 1990).
//! The slower the growth, the denser the spheres are when they jam.

mod ball;
mod cells;
mod growth;

use std::f64::consts::PI;

use glam::DVec3;

use self::cells::Cells;
use self::growth::{Growth, Jammed};
use super::draws::{Draws, Purpose};
use super::random::Region;
use super::schema;
use crate::dynamics::Space;
use crate::geometry::{Radius, Shape};
use crate::scenario::limits::BODIES_MAX;
use crate::scenario::problem::check::AXES;
use crate::scenario::problem::error_kinds::Fault;
use crate::scenario::problem::{Entry, Report};

/// Default speed of the growing surfaces, in units of the speed of the balls along one axis.
const RATE: f64 = 0.01;

/// Largest rate. Above it, the balls hardly move while they grow.
const RATE_MAX: f64 = 1.0;

/// The packing of the densest lattice of equal spheres, π/√18, rounded down. Growing balls of unequal sizes jam far
/// below it, too.
const PACKING_MAX: f64 = 0.74;

/// Packing up to which the balls are slow. They seldom meet there, and need no time to find their places.
const LOOSE: f64 = 0.3;

/// The fraction of a radius that is left free, so that rounding does not make two balls overlap.
const FREE: f64 = 1e-10;

/// Least length of a period, in diameters of the largest ball: three cells are needed to distinguish a ball from its
/// images.
const DIAMETERS_MIN: f64 = 3.0;

/// A checked compression.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Compressed {
    region: Region,
    packing: f64,
    rate: f64,
}

impl Compressed {
    /// Checks the fields, and derives the smallest and the largest radius from the packing. `before` is the number of
    /// bodies without this generator.
    pub(super) fn check(
        report: &mut Report<'_>,
        entry: Entry<'_>,
        raw: &schema::Compressed,
        space: &Space,
        before: u64,
    ) -> Option<(Self, [Radius; 2])> {
        let count = report.count(entry, "count", raw.count);
        let packing = within(report, entry, "packing", raw.packing, (PACKING_MAX, "above 0 and at most 0.74"));
        let rate = within(report, entry, "rate", raw.rate.unwrap_or(RATE), (RATE_MAX, "above 0 and at most 1"));
        let [min, max] = raw.sizes.unwrap_or([1.0, 1.0]);
        let [min, max] = [("sizes[0]", min), ("sizes[1]", max)].map(|(path, size)| report.positive(entry, path, size));
        let region = Region::check(report, entry, [raw.min, raw.max], space);
        let (count, packing, rate, min, max, region) = (count?, packing?, rate?, min?, max?, region?);
        if min > max {
            report.out_of_range(entry, "sizes", "the smaller size, then the larger");
            return None;
        }
        if count > BODIES_MAX.saturating_sub(before) {
            report.add(entry, "count", Fault::TooManyBodies { found: (count.saturating_add(before)).to_string() });
            return None;
        }
        let room: f64 = region.widths().into_iter().product();
        let scale = scale(packing * room, count, [min, max], Draws::new(raw.common().seed, Purpose::Sizes));
        let radius =
            |path: &str, report: &mut Report<'_>, size| report.quantity(entry, path, Radius::new(scale * size));
        let (small, large) = (radius("sizes[0]", report, min)?, radius("sizes[1]", report, max)?);
        let region = region.with_room_for(report, entry, &Shape::Sphere(large))?;
        for axis in (0..3).filter(|&axis| region.endless[axis]) {
            let diameters = region.widths()[axis] / (2.0 * large.get());
            if diameters < DIAMETERS_MIN {
                report.add(entry, "count", Fault::FewDiameters { axis: AXES[axis], diameters });
                return None;
            }
        }
        Some((Self { region, packing, rate }, [small, large]))
    }

    /// The positions of the balls after their growth.
    ///
    /// # Errors
    /// [`Fault::Jammed`].
    pub(super) fn places(&self, shapes: &[Shape], draws: &mut Draws) -> Result<Vec<DVec3>, Fault> {
        let widths = DVec3::from_array(self.region.widths());
        let radii: Vec<f64> = shapes.iter().map(|shape| radius(shape) * (1.0 + FREE)).collect();
        let largest = radii.iter().fold(0.0, |largest: f64, &radius| largest.max(radius));
        let mean = radii.iter().sum::<f64>() / radii.len() as f64;
        let points: Vec<(DVec3, DVec3)> = radii
            .iter()
            .map(|_| (widths * DVec3::new(draws.unit(), draws.unit(), draws.unit()), draws.normals()))
            .collect();
        let cells = Cells::new(widths, self.region.endless, 2.0 * largest, radii.len());
        let slow = libm::cbrt((LOOSE / self.packing).min(1.0));
        let grown = Growth::new(cells, &points, &radii, [slow, mean / self.rate]).run(self.rate);
        let places = grown.map_err(|Jammed(part)| Fault::Jammed {
            packing: self.packing,
            reached: self.packing * part * part * part,
        })?;
        let start = DVec3::from_array(self.region.ranges.map(|range| range.min));
        Ok(places.into_iter().map(|place| start + place).collect())
    }
}

/// A number above 0 and up to a limit.
fn within(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    path: &str,
    value: f64,
    (most, allowed): (f64, &'static str),
) -> Option<f64> {
    if value > 0.0 && value <= most {
        return Some(value);
    }
    report.out_of_range(entry, path, allowed);
    None
}

/// The factor from relative sizes to radii for which `count` balls have this total volume, m³.
fn scale(volume: f64, count: u64, [min, max]: [f64; 2], mut draws: Draws) -> f64 {
    let cubes = |size: f64| size * size * size;
    let sum: f64 =
        if min == max { count as f64 * cubes(max) } else { (0..count).map(|_| cubes(draws.between(min, max))).sum() };
    libm::cbrt(volume / (4.0 / 3.0 * PI * sum))
}

fn radius(shape: &Shape) -> f64 {
    shape.half_extents().x
}
