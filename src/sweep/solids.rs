//! The pairs by solid: one `match` that finds the file of a pair and turns the answer round if need be.

use glam::DVec3;

use super::box_box::{self, box_box};
use super::box_plane::{self, box_plane};
use super::box_triangle::{self, box_triangle};
use super::sphere_box::{self, sphere_box};
use super::sphere_plane::{self, sphere_plane};
use super::sphere_sphere::{self, sphere_sphere};
use super::sphere_triangle::{self, sphere_triangle};
use super::{Overlap, against_motion};
use crate::geometry::Solid;
use crate::geometry::gap;
use crate::motion::Relative;
use crate::numeric::{Interval, Intervals};

/// When `a` and `b` overlap in [0, `until`]; `motion` is that of `b` seen from `a`. Two of half-spaces and triangles never do.
#[inline]
pub fn overlap(a: Solid<'_>, b: Solid<'_>, motion: &Relative, until: f64) -> Option<Overlap> {
    match (a, b) {
        (Solid::Sphere(a), Solid::Sphere(b)) => sphere_sphere(a, b, motion, until),
        (Solid::Box(a), Solid::Box(b)) => box_box(a, b, motion, until),
        (Solid::Sphere(a), Solid::Box(b)) => sphere_box(a, b, motion, until),
        (Solid::Sphere(a), Solid::Plane(b)) => sphere_plane(a, b, motion, until),
        (Solid::Box(a), Solid::Plane(b)) => box_plane(a, b, motion, until),
        (Solid::Sphere(a), Solid::Triangle(b)) => sphere_triangle(a, b, motion, until),
        (Solid::Box(a), Solid::Triangle(b)) => box_triangle(a, b, motion, until),
        (Solid::Plane(_) | Solid::Triangle(_), Solid::Plane(_) | Solid::Triangle(_)) => None,
        (Solid::Box(_) | Solid::Plane(_) | Solid::Triangle(_), _) => {
            overlap(b, a, &motion.reversed(), until).map(reversed)
        }
    }
}

/// All times from 0 on at which `a` and `b` overlap; some pairs also give times before 0.
pub fn pieces(a: Solid<'_>, b: Solid<'_>, motion: &Relative) -> Intervals {
    match (a, b) {
        (Solid::Sphere(a), Solid::Sphere(b)) => sphere_sphere::pieces(a, b, motion),
        (Solid::Box(a), Solid::Box(b)) => box_box::pieces(a, b, motion),
        (Solid::Sphere(a), Solid::Box(b)) => sphere_box::pieces(a, b, motion),
        (Solid::Sphere(a), Solid::Plane(b)) => sphere_plane::pieces(a, b, motion),
        (Solid::Box(a), Solid::Plane(b)) => box_plane::pieces(a, b, motion),
        (Solid::Sphere(a), Solid::Triangle(b)) => sphere_triangle::pieces(a, b, motion),
        (Solid::Box(a), Solid::Triangle(b)) => box_triangle::pieces(a, b, motion),
        (Solid::Plane(_) | Solid::Triangle(_), Solid::Plane(_) | Solid::Triangle(_)) => Intervals::EMPTY,
        (Solid::Box(_) | Solid::Plane(_) | Solid::Triangle(_), _) => pieces(b, a, &motion.reversed()),
    }
}

/// Unit vector from `a` to `b` where they touch at the beginning of `piece`, one of their [`pieces`].
pub fn normal_at_entry(a: Solid<'_>, b: Solid<'_>, motion: &Relative, piece: Interval) -> DVec3 {
    match (a, b) {
        (Solid::Box(a), Solid::Box(b)) => box_box::normal_at_entry(a + b, motion, piece),
        (Solid::Box(a), Solid::Triangle(b)) => box_triangle::normal_at_entry(a, b, motion, piece),
        (Solid::Triangle(b), Solid::Box(a)) => -box_triangle::normal_at_entry(a, b, &motion.reversed(), piece),
        // Every other pair has its normal from where it is, however fast it came.
        _ => {
            let gap = gap(a, b, motion.position_at(piece.enter));
            gap.map_or(DVec3::X, |gap| against_motion(gap.normal, piece, motion))
        }
    }
}

fn reversed(overlap: Overlap) -> Overlap {
    Overlap { normal: -overlap.normal, ..overlap }
}
