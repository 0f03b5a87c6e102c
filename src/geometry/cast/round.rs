//! A ray and a ball, or a disc in the plane.
//!
//! The line is inside while |d + v t|² − r² is not positive, d being the way from the centre to the origin: a
//! quadratic (Ericson, *Real-Time Collision Detection*, 2005, § 5.3.2). As in the sweep of two balls its discriminant
//! is taken as r² v² − |d × v|², whose error is that of moving the centre by a few ulps, and its roots in the form
//! without cancellation (Press et al., *Numerical Recipes*, 3rd ed. 2007, § 5.6).

use glam::{DVec2, DVec3};

use super::{Crossing, Origin};
use crate::geometry::{Ray, Ray2};

/// Where a ray crosses the closed ball around `center` of `radius`, both in m.
///
/// - A ray that is tangent, to rounding, has `enter` = `leave`, or two values close to it, or misses.
/// - A radius of 0 is a point; a negative one is met by nothing.
/// - The normal where the ray enters is along the way from the centre to that point.
///
/// See [`cast`](super) for how the answers are to be read.
#[inline]
pub fn ray_sphere(ray: &Ray, center: DVec3, radius: f64) -> Option<Crossing> {
    let (d, v) = (ray.origin - center, ray.direction);
    Quadratic {
        squared_speed: v.length_squared(),
        drift: d.dot(v),
        squared_distance: d.length_squared(),
        moment: d.cross(v).length_squared(),
    }
    .crossing(radius)
}

/// Where a ray of the plane crosses the closed disc around `center` of `radius`, both in m.
///
/// As [`ray_sphere`] in every case.
#[inline]
pub fn ray_circle(ray: &Ray2, center: DVec2, radius: f64) -> Option<Crossing> {
    let (d, v) = (ray.origin - center, ray.direction);
    let moment = d.perp_dot(v);
    Quadratic {
        squared_speed: v.length_squared(),
        drift: d.dot(v),
        squared_distance: d.length_squared(),
        moment: moment * moment,
    }
    .crossing(radius)
}

/// A point d + v t seen from the centre: |v|², d·v, |d|² and |d × v|².
struct Quadratic {
    squared_speed: f64,
    drift: f64,
    squared_distance: f64,
    moment: f64,
}

impl Quadratic {
    /// The crossing of the ball of `radius`, in any dimension.
    #[inline]
    fn crossing(&self, radius: f64) -> Option<Crossing> {
        let (a, b, c) = (self.squared_speed, self.drift, self.squared_distance - radius * radius);
        // The quickest no: outside and not closing. NaN ends here, too.
        let near_or_closing = c <= 0.0 || b < 0.0;
        let sound = 0.0 < a && a < f64::INFINITY && (0.0..f64::INFINITY).contains(&radius);
        if !(near_or_closing && sound) {
            return None;
        }
        let (enter, leave) = roots(a, b, c, radius * radius * a - self.moment)?;
        let origin = match c {
            0.0 => Origin::Surface,
            c if c < 0.0 => Origin::Inside,
            _ => Origin::Outside,
        };
        // Makes −0 a 0.
        Some(Crossing { enter: enter + 0.0, leave: leave + 0.0, origin })
    }
}

/// The roots of a t² + 2 b t + c, in order, given their discriminant; a is positive, and c or b not.
#[inline]
fn roots(a: f64, b: f64, c: f64, discriminant: f64) -> Option<(f64, f64)> {
    if discriminant > 0.0 {
        let root = discriminant.sqrt();
        let (x, y) = if b < 0.0 { (c / (root - b), (root - b) / a) } else { (-(root + b) / a, -c / (root + b)) };
        // The discriminant is not computed from the others: nearly equal roots may come out in either order.
        return Some(if x < y { (x, y) } else { (y, x) });
    }
    let middle = -b / a;
    if c <= 0.0 {
        // Rounding may say so of an origin that is on the surface or barely inside; it is met all the same.
        Some((middle.min(0.0), middle.max(0.0)))
    } else {
        (discriminant == 0.0).then_some((middle, middle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row = ([f64; 2], [f64; 2], f64, Option<(f64, f64, Origin)>);

    /// Origin and direction in the plane, the radius around (1, 2), and the crossing; the same holds in space.
    #[test]
    fn every_outcome() {
        use Origin::{Inside, Outside, Surface};
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let rows: [Row; 19] = [
            ([-4.0, 2.0], [2.0, 0.0], 2.0, Some((1.5, 3.5, Outside))),
            ([-4.0, 2.0], [-2.0, 0.0], 2.0, None),
            ([-4.0, 5.0], [2.0, 0.0], 2.0, None),
            ([-4.0, 4.0], [2.0, 0.0], 2.0, Some((2.5, 2.5, Outside))),
            ([1.0, 2.0], [0.0, -4.0], 2.0, Some((-0.5, 0.5, Inside))),
            ([2.0, 2.0], [4.0, 0.0], 2.0, Some((-0.75, 0.25, Inside))),
            ([-1.0, 2.0], [1.0, 0.0], 2.0, Some((0.0, 4.0, Surface))),
            ([-1.0, 2.0], [-1.0, 0.0], 2.0, Some((-4.0, 0.0, Surface))),
            ([-1.0, 2.0], [0.0, 1.0], 2.0, Some((0.0, 0.0, Surface))),
            ([-1.0, 2.0], [1.0, 0.0], 0.0, Some((2.0, 2.0, Outside))),
            ([-1.0, 2.0], [1.0, 0.0], -1.0, None),
            ([1.0, 2.0], [0.0, 0.0], 2.0, None),
            ([1.0, 2.0], [inf, 0.0], 2.0, None),
            ([1.0, 2.0], [nan, 1.0], 2.0, None),
            ([-inf, 2.0], [1.0, 0.0], 2.0, None),
            ([nan, 2.0], [1.0, 0.0], 2.0, None),
            ([-1.0, 2.0], [1.0, 0.0], inf, None),
            ([-1.0, 2.0], [1.0, 0.0], nan, None),
            ([-9.0, 2.0], [1.0, inf], 2.0, None),
        ];
        for (origin, direction, radius, expected) in rows {
            let ray = Ray2 { origin: origin.into(), direction: direction.into() };
            let center = DVec2::new(1.0, 2.0);
            let plain = |crossing: Crossing| (crossing.enter, crossing.leave, crossing.origin);
            assert_eq!(ray_circle(&ray, center, radius).map(plain), expected, "{ray:?} {radius}");
            let ray = Ray { origin: ray.origin.extend(3.0), direction: ray.direction.extend(0.0) };
            assert_eq!(ray_sphere(&ray, center.extend(3.0), radius).map(plain), expected, "{ray:?} {radius}");
        }
    }
}
