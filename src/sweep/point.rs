//! A ball of radius 0 and a sheet. Such a ball is a point, and meets the sheets that a ray along its path meets.
//! Against a box it is treated as a box without size.
//!
//! A point and a sheet have no interior, so they have no overlap of any duration. They meet where the point passes
//! through to the other side, at a root of its height over the sheet at which the height changes sign. Such a meeting
//! begins and ends at one instant. The edges and vertices of a triangle belong to it, within rounding error, so no
//! point slips between two triangles. A point that moves within the plane of a sheet does not meet it.

use glam::DVec3;

use super::{Overlap, projected};
use crate::geometry::cast::{Faces, ray_triangle};
use crate::geometry::closest::triangle::{Upright, edges};
use crate::geometry::{Ray, Start, Triangle, unit};
use crate::motion::Relative;
use crate::numeric::Quadratic;
use crate::numeric::quadratic::Roots;
use crate::numeric::tolerance::{SEAM_SLACK, TURNING_SLACK};

/// The first time in [0, `until`] at which a point passes through a sheet and for which `counts` is true. `height` is
/// the height of the point over the sheet. `upright` is the unit normal of the sheet, on the side of positive heights.
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
    let falls = height.slope_at(time) < 0.0;
    Some(at(time, if falls { -upright } else { upright }))
}

/// When a point first passes through a triangle, in [0, `until`]; `motion` is that of the triangle's body seen from the
/// point.
pub(super) fn point_triangle(b: &Triangle, motion: &Relative, until: f64) -> Option<Overlap> {
    let point = motion.reversed();
    if motion.is_straight() {
        let way = Ray { origin: point.position, direction: point.velocity };
        return ray_triangle(&way, b, Faces::Both, until).map(|hit| at(hit.t, -hit.normal));
    }
    let cross = Upright::of(b).normal;
    let height = projected(&Relative { position: point.position - b.a, ..point }, cross);
    let upright = unit(cross)?;
    point_sheet(&height, upright, until, |time| {
        let place = point.position_at(time);
        let grain = grain_at(time, &point, upright);
        let sides = edges(b).into_iter().zip(b.vertices());
        sides.into_iter().all(|(edge, start)| {
            let inwards = cross.cross(edge);
            inwards.dot(place - start) >= -inwards.length() * (grain + SEAM_SLACK * start.length())
        })
    })
}

/// Error bound of the position at which a point passes through a sheet, m. It contains the rounding error of the
/// position, and the effect of the rounding error of the time, which is larger for a flatter path. With this margin, a
/// point at the common edge of two triangles hits at least one of them.
fn grain_at(time: f64, point: &Relative, upright: DVec3) -> f64 {
    let velocity = point.velocity_at(time);
    let flat = (upright.dot(velocity).abs() / velocity.length()).max(TURNING_SLACK);
    let terms = point.position.length() + (point.velocity.length() + point.acceleration.length() * time) * time;
    SEAM_SLACK * terms / flat
}

fn at(time: f64, normal: DVec3) -> Overlap {
    let (time, start) = Start::of(time);
    Overlap { enter: time, leave: time, normal, start }
}
