//! The rack: balls in a triangle, one in the first row, two in the second.

use glam::DVec3;

use super::super::problem::{Entry, Report};
use super::schema;
use crate::geometry::{Plane, Radius};
use crate::numeric::tolerance::EPSILON;
use crate::scenario::error_kinds::Fault;
use crate::scenario::numbers::Vector;

/// A checked rack.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rack {
    rows: u64,
    apex: DVec3,
    /// Unit vector from the first ball to the middle of the last row.
    direction: DVec3,
    /// Unit vector along a row.
    across: DVec3,
    /// Distance between the centres of neighbours, m.
    pitch: f64,
}

impl Rack {
    pub(super) fn check(report: &mut Report<'_>, entry: Entry<'_>, raw: &schema::Rack) -> Option<(Self, Radius)> {
        let radius = report.quantity(entry, "radius", Radius::new(raw.radius));
        let rows = report.count(entry, "rows", raw.rows);
        let apex = report.vector(entry, "apex", raw.apex);
        let gap = report.not_negative(entry, "gap", raw.gap);
        let direction = unit(report, entry, "direction", raw.direction.unwrap_or(Vector::along([1.0, 0.0, 0.0])));
        let across = unit(report, entry, "across", raw.across.unwrap_or(Vector::along([0.0, 1.0, 0.0])));
        let (radius, direction) = (radius?, direction?);
        let across = square(report, entry, direction, across?)?;
        let pitch = 2.0 * radius.get() + gap?;
        Some((Self { rows: rows?, apex: apex?, direction, across, pitch }, radius))
    }

    /// The number of balls; `None` if it needs more than 64 bits.
    pub(super) fn count(&self) -> Option<u64> {
        Some(self.rows.checked_mul(self.rows.checked_add(1)?)? / 2)
    }

    /// All centres, row by row; `across` points from the first centre of a row to the last.
    ///
    /// Distances along a row are whole multiples of half a pitch, so a rack is exactly its own mirror image.
    pub(super) fn places(&self) -> Vec<DVec3> {
        let depth = self.pitch * (3.0_f64.sqrt() / 2.0);
        let mut places = Vec::new();
        for row in 0..self.rows {
            let start = self.apex + self.direction * (row as f64 * depth);
            places.extend((0..=row).map(|ball| {
                let halves = 2.0 * ball as f64 - row as f64;
                start + self.across * (halves * (0.5 * self.pitch))
            }));
        }
        places
    }
}

fn unit(report: &mut Report<'_>, entry: Entry<'_>, path: &str, raw: Vector) -> Option<DVec3> {
    let along = report.vector(entry, path, raw)?;
    report.quantity(entry, path, Plane::new(along, 0.0)).map(|plane| plane.normal())
}

/// The part of `across` that is normal to `direction`, as a unit vector.
fn square(report: &mut Report<'_>, entry: Entry<'_>, direction: DVec3, across: DVec3) -> Option<DVec3> {
    let along = across.dot(direction);
    if along == 0.0 {
        return Some(across);
    }
    let normal = across - direction * along;
    // If the two unit vectors are parallel, only rounding is left.
    if normal.length_squared() <= EPSILON {
        return report.fail(entry, "across", Fault::ParallelDirections);
    }
    Some(normal / normal.length())
}
