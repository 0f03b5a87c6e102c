//! The pairs by shape: one `match` that finds the file of a pair and turns the answer round if need be.

use glam::DVec3;

use super::Overlap;
use super::box_box::{self, box_box};
use super::box_plane::{self, box_plane};
use super::sphere_box::{self, sphere_box};
use super::sphere_plane::{self, sphere_plane};
use super::sphere_sphere::{self, sphere_sphere};
use crate::geometry::Shape;
use crate::geometry::gap;
use crate::motion::Relative;
use crate::numeric::Intervals;

/// When `a` and `b` overlap in [0, `until`]; `motion` is that of `b` seen from `a`. Two planes never do.
#[inline]
pub fn overlap(a: &Shape, b: &Shape, motion: &Relative, until: f64) -> Option<Overlap> {
    match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => sphere_sphere(a.get(), b.get(), motion, until),
        (Shape::Box(a), Shape::Box(b)) => box_box(a.get(), b.get(), motion, until),
        (Shape::Sphere(a), Shape::Box(b)) => sphere_box(a.get(), b.get(), motion, until),
        (Shape::Sphere(a), Shape::Plane(b)) => sphere_plane(a.get(), b, motion, until),
        (Shape::Box(a), Shape::Plane(b)) => box_plane(a.get(), b, motion, until),
        (Shape::Plane(_), Shape::Plane(_)) => None,
        (Shape::Box(_) | Shape::Plane(_), _) => overlap(b, a, &motion.reversed(), until).map(reversed),
    }
}

/// All times from 0 on at which `a` and `b` overlap; some pairs also give times before 0.
pub fn pieces(a: &Shape, b: &Shape, motion: &Relative) -> Intervals {
    match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => sphere_sphere::pieces(a.get(), b.get(), motion),
        (Shape::Box(a), Shape::Box(b)) => box_box::pieces(a.get(), b.get(), motion),
        (Shape::Sphere(a), Shape::Box(b)) => sphere_box::pieces(a.get(), b.get(), motion),
        (Shape::Sphere(a), Shape::Plane(b)) => sphere_plane::pieces(a.get(), b, motion),
        (Shape::Box(a), Shape::Plane(b)) => box_plane::pieces(a.get(), b, motion),
        (Shape::Plane(_), Shape::Plane(_)) => Intervals::EMPTY,
        (Shape::Box(_) | Shape::Plane(_), _) => pieces(b, a, &motion.reversed()),
    }
}

/// Unit vector from `a` to `b` where they touch at `enter`, the beginning of one of their [`pieces`].
pub fn normal_at_entry(a: &Shape, b: &Shape, motion: &Relative, enter: f64) -> DVec3 {
    match (a, b) {
        (Shape::Box(a), Shape::Box(b)) => box_box::entry_normal(a.get() + b.get(), motion, enter),
        // Every other pair has its normal from where it is, however fast it came.
        _ => gap(a, b, motion.position_at(enter)).map_or(DVec3::X, |gap| gap.normal),
    }
}

fn reversed(overlap: Overlap) -> Overlap {
    Overlap { normal: -overlap.normal, ..overlap }
}
