//! A ball of radius 0: a point, which meets what a ray along its way meets.
//!
//! A point and a sheet have no interior, so they have no overlap that lasts. They meet where the point passes through to
//! the other side, at the roots of its height over the sheet at which that changes sign: such a meeting begins and ends at
//! one instant. The edges and vertices of a triangle belong to it, and a point that moves within a sheet's plane passes it.

use glam::DVec3;

use super::pairs::box_box::box_box;
use super::{Overlap, projected};
use crate::geometry::cast::{Faces, ray_aabb, ray_triangle};
use crate::geometry::closest::triangle::{Upright, edges};
use crate::geometry::{Aabb, Ray, Start, Triangle, unit};
use crate::motion::Relative;
use crate::numeric::Quadratic;
use crate::numeric::quadratic::Roots;

/// When a point is in a box with half edges `b` in [0, `until`]; `motion` is that of the box's centre seen from the point.
pub(super) fn point_box(b: DVec3, motion: &Relative, until: f64) -> Option<Overlap> {
    if !motion.is_straight() || motion.velocity == DVec3::ZERO {
        return box_box(DVec3::ZERO, b, motion, until);
    }
    let met = ray_aabb(&way_of(motion), &Aabb::around(DVec3::ZERO, b), until)?;
    Some(Overlap { enter: met.enter, leave: met.leave, normal: -met.normal, start: met.start })
}

/// The way of the point, seen from the other's place.
fn way_of(motion: &Relative) -> Ray {
    Ray { origin: -motion.position, direction: -motion.velocity }
}

/// When a point whose height over a sheet is `height` first passes through where it `counts`, in [0, `until`]. `upright`
/// is the sheet's unit normal, towards which heights grow.
pub(super) fn point_sheet(
    height: &Quadratic,
    upright: DVec3,
    until: f64,
    counts: impl Fn(f64) -> bool,
) -> Option<Overlap> {
    let roots = match height.roots() {
        Roots::One { at, double: false } => [at, f64::NAN],
        Roots::Two(first, second) => [first, second],
        Roots::None | Roots::Everywhere | Roots::One { double: true, .. } => return None,
    };
    let ahead = |&time: &f64| (0.0..f64::INFINITY).contains(&time) && time <= until;
    let time = roots.into_iter().find(|time| ahead(time) && counts(*time))?;
    let falls = height.c1 + 2.0 * height.c2 * time < 0.0;
    Some(at(time, if falls { -upright } else { upright }))
}

/// When a point first passes through a triangle, in [0, `until`]; `motion` is that of the triangle's body seen from the
/// point.
pub(super) fn point_triangle(b: &Triangle, motion: &Relative, until: f64) -> Option<Overlap> {
    let point = motion.reversed();
    if motion.is_straight() {
        return ray_triangle(&way_of(motion), b, Faces::Both, until).map(|hit| at(hit.t, -hit.normal));
    }
    let cross = Upright::of(b).normal;
    let height = projected(&Relative { position: point.position - b.a, ..point }, cross);
    point_sheet(&height, unit(cross)?, until, |time| {
        let place = point.position_at(time);
        let sides = edges(b).into_iter().zip(b.vertices());
        sides.into_iter().all(|(edge, start)| cross.cross(edge).dot(place - start) >= 0.0)
    })
}

fn at(time: f64, normal: DVec3) -> Overlap {
    let (time, start) = Start::of(time);
    Overlap { enter: time, leave: time, normal, start }
}
