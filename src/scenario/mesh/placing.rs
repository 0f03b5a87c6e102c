//! From a mesh's own coordinates to those of its body: scaled, then turned, then shifted.
//!
//! A rotation by an angle θ around a unit vector k is x cos θ + (k × x) sin θ + k (k·x)(1 − cos θ) (Rodrigues, *Des
//! lois géométriques*, 1840). Angles are given in degrees. Multiples of a right angle are split off before a sine is
//! computed, so a quarter turn around an axis of the world is exact. The sine of the rest is from libm, which gives the
//! same bits on every machine.

use glam::{DMat3, DVec3};

use super::schema::{Mesh, Rotation};
use crate::geometry::Plane;
use crate::numeric::quantity::is_positive;
use crate::scenario::numbers::PerAxis;
use crate::scenario::problem::{Entry, Report};

/// A checked change of coordinates.
pub(super) struct Placing {
    linear: DMat3,
    translation: DVec3,
    /// Whether the order of corners is reversed: either because the scale mirrors the mesh, or because the file asks to
    /// flip it, but not for both.
    turns_over: bool,
}

impl Placing {
    /// Checks the fields of the shape of `entry`.
    pub(super) fn check(report: &mut Report<'_>, entry: Entry<'_>, raw: &Mesh) -> Option<Self> {
        let scale = scale(report, entry, raw.scale);
        let turn = turn(report, entry, &raw.rotation);
        let translation = report.moderate(entry, "shape.translation", raw.translation.unwrap_or_default());
        let scale = scale?;
        let mirrors = scale.to_array().into_iter().filter(|&factor| factor < 0.0).count() % 2 == 1;
        Some(Self {
            linear: turn? * DMat3::from_diagonal(scale),
            translation: translation?,
            turns_over: mirrors != raw.flip,
        })
    }

    /// The position of a vertex in the coordinates of the body, m.
    pub(super) fn place(&self, vertex: DVec3) -> DVec3 {
        self.linear * vertex + self.translation
    }

    /// The corners of a triangle, in the order that gives the right outside.
    pub(super) fn oriented(&self, [a, b, c]: [u32; 3]) -> [u32; 3] {
        if self.turns_over { [a, c, b] } else { [a, b, c] }
    }
}

fn scale(report: &mut Report<'_>, entry: Entry<'_>, raw: PerAxis<3>) -> Option<DVec3> {
    let factors = raw.each();
    let Some(wrong) = factors.iter().position(|factor| !is_positive(factor.abs())) else {
        return Some(DVec3::from_array(factors));
    };
    let path = match raw {
        PerAxis::Same(_) => "shape.scale".to_owned(),
        PerAxis::Each(_) => format!("shape.scale[{wrong}]"),
    };
    report.refuse(entry, &path, "a number other than 0, of a size from 1e-70 to 1e70")
}

/// All rotations as one; the first of the list is applied first.
fn turn(report: &mut Report<'_>, entry: Entry<'_>, raw: &[Rotation]) -> Option<DMat3> {
    let mut whole = Some(DMat3::IDENTITY);
    for (place, turn) in raw.iter().enumerate() {
        let path = |field| format!("shape.rotation[{place}].{field}");
        let axis = report.quantity(entry, &path("axis"), Plane::new(DVec3::from_array(turn.axis), 0.0));
        let degrees = report.number(entry, &path("degrees"), turn.degrees);
        let matrix = axis.zip(degrees).map(|(axis, degrees)| rotation(axis.normal(), degrees));
        whole = matrix.zip(whole).map(|(matrix, whole)| matrix * whole);
    }
    whole
}

/// The rotation around the unit vector `axis`, counterclockwise as seen from its tip.
fn rotation(axis: DVec3, degrees: f64) -> DMat3 {
    let (sine, cosine) = sine_cosine(degrees);
    let column = |of: DVec3| of * cosine + axis.cross(of) * sine + axis * (axis.dot(of) * (1.0 - cosine));
    DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
}

/// The sine and the cosine of an angle in degrees, exact for multiples of a right angle.
pub(in crate::scenario) fn sine_cosine(degrees: f64) -> (f64, f64) {
    let within = degrees % 360.0;
    let quarters = (within / 90.0).round();
    let rest = (within - 90.0 * quarters).to_radians();
    let (sine, cosine) = (libm::sin(rest), libm::cos(rest));
    match (quarters as i32).rem_euclid(4) {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_turns_are_exact() {
        let at = DVec3::new(0.1, 0.2, 0.3);
        let rows = [
            (DVec3::Z, 90.0, DVec3::new(-0.2, 0.1, 0.3)),
            (DVec3::Z, -270.0, DVec3::new(-0.2, 0.1, 0.3)),
            (DVec3::Z, 180.0, DVec3::new(-0.1, -0.2, 0.3)),
            (DVec3::Z, 36_000_270.0, DVec3::new(0.2, -0.1, 0.3)),
            (DVec3::X, 90.0, DVec3::new(0.1, -0.3, 0.2)),
            (DVec3::Y, 90.0, DVec3::new(0.3, 0.2, -0.1)),
            (DVec3::NEG_Y, 90.0, DVec3::new(-0.3, 0.2, 0.1)),
            (DVec3::Y, 0.0, at),
            (DVec3::Y, 720.0, at),
        ];
        for (axis, degrees, wanted) in rows {
            assert_eq!(rotation(axis, degrees) * at, wanted, "{axis} {degrees}");
        }
    }

    /// Compares with the sine of the standard library, and two rotations by θ with one by 2θ.
    #[test]
    fn other_turns_are_right_to_rounding() {
        for step in -800..800 {
            let degrees = f64::from(step) * 0.9137;
            let (sine, cosine) = sine_cosine(degrees);
            // The reduction to one quarter is more exact than the sine of a large angle, which is off by a few ulps of
            // the angle in radians.
            let slack = 4.0 * f64::EPSILON * (1.0 + degrees.abs().to_radians());
            assert!((sine - degrees.to_radians().sin()).abs() < slack, "{degrees}");
            assert!((cosine - degrees.to_radians().cos()).abs() < slack, "{degrees}");
            let axis = DVec3::new(2.0, -1.0, 2.0) / 3.0;
            let twice = rotation(axis, degrees) * rotation(axis, degrees);
            assert!(twice.abs_diff_eq(rotation(axis, 2.0 * degrees), 1e-15 * 8.0), "{degrees}");
        }
    }
}
