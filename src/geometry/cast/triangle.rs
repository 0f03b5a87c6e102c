//! A ray and a triangle, without gaps between triangles that share an edge.
//!
//! Woop, Benthin & Wald, *Watertight ray/triangle intersection*, Journal of Computer Graphics Techniques 2(1), 2013:
//! the vertices are sheared so that the ray runs along an axis. Three cross products then show on which side of each
//! edge it passes. A vertex is sheared alike in every triangle that has it. A cross product is the difference of two
//! rounded products, so its sign is that of the exact one, or it is 0. A value of 0 counts as on the edge. The two
//! triangles at an edge give opposite signs for it. So a ray through a mesh of sheared triangles hits one that really
//! contains it, without the second computation in higher precision of the paper.

use glam::DVec3;

use super::{Faces, Side, is_sound};
use crate::geometry::gap::largest;
use crate::geometry::{Ray, Triangle, unit};

/// Where a ray hits a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TriangleHit {
    /// The parameter along the ray, not negative.
    pub t: f64,
    /// Barycentric coordinates: the weights of the vertices a, b, c. None is negative, their sum is 1 within rounding
    /// error, and a weight is exactly 0 on the edge opposite its vertex.
    pub weights: [f64; 3],
    /// The side from which the ray comes.
    pub side: Side,
    /// The triangle's unit normal on that side.
    pub normal: DVec3,
}

/// Where a ray hits a closed triangle from one of the `faces`, up to and including the parameter `until`.
///
/// - A ray in the plane of the triangle misses. If the vertices lie on a line, every ray misses. In both cases the
///   triangle, as seen along the ray, has no computed area.
/// - If triangles together cover a neighbourhood of the ray, at least one is hit, possibly at an edge or a vertex, and
///   possibly more than one. Triangles so thin that their area is lost in rounding cover nothing.
/// - A hit beyond `until` or behind the origin does not count; `until` may be infinite, and if it is NaN nothing is
///   hit.
///
/// See [`cast`](super) for the range of numbers, and [`TriangleCaster`] for many triangles.
///
/// ```
/// use carom::geometry::cast::{Faces, Side, ray_triangle};
/// use carom::geometry::{Ray, Triangle};
/// use carom::glam::DVec3;
///
/// let triangle = Triangle { a: DVec3::ZERO, b: DVec3::X * 4.0, c: DVec3::Y * 4.0 };
/// let down = Ray { origin: DVec3::new(1.0, 1.0, 3.0), direction: -DVec3::Z };
/// let hit = ray_triangle(&down, &triangle, Faces::Front, f64::INFINITY).unwrap();
/// assert_eq!((hit.t, hit.side, hit.normal), (3.0, Side::Front, DVec3::Z));
/// assert_eq!(hit.weights, [0.5, 0.25, 0.25]);
/// ```
#[inline]
pub fn ray_triangle(ray: &Ray, triangle: &Triangle, faces: Faces, until: f64) -> Option<TriangleHit> {
    TriangleCaster::new(ray).cast(triangle, faces, until)
}

/// The axes in cyclic order, with each of them last.
static ORDERS: [[usize; 3]; 3] = [[1, 2, 0], [2, 0, 1], [0, 1, 2]];

/// A ray prepared for casts at many triangles.
///
/// ```
/// use carom::geometry::cast::{Faces, TriangleCaster};
/// use carom::geometry::{Ray, Triangle};
/// use carom::glam::DVec3;
///
/// let caster = TriangleCaster::new(&Ray { origin: DVec3::ZERO, direction: DVec3::Z });
/// let lowest = Triangle { a: DVec3::new(-1.0, -1.0, 0.0), b: DVec3::new(1.0, -1.0, 0.0), c: DVec3::Y };
/// let floors = [3.0, 1.0, 9.0].map(|z| lowest.shifted(DVec3::Z * z));
/// let hits = floors.map(|floor| Some(caster.cast(&floor, Faces::Both, 5.0)?.t));
/// assert_eq!(hits, [Some(3.0), Some(1.0), None]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(hidden)]
pub struct TriangleCaster {
    origin: DVec3,
    /// The axes in cyclic order. The last is that of the largest component of the direction; of equal ones, the first.
    order: [usize; 3],
    /// The components of the direction along the first two axes, divided by that along the last one; and the reciprocal
    /// of that along the last one.
    shear: DVec3,
}

impl TriangleCaster {
    /// Computes the shear that turns the ray into the direction of an axis.
    #[inline]
    pub fn new(ray: &Ray) -> Self {
        let order = ORDERS[largest(ray.direction.abs())];
        let DVec3 { x, y, z } = ordered(&ray.direction, order);
        // A ray with NaN or infinite numbers is replaced by one that meets nothing.
        let origin = if is_sound(ray.origin, ray.direction) { ordered(&ray.origin, order) } else { DVec3::NAN };
        Self { origin, order, shear: DVec3::new(x / z, y / z, 1.0 / z) }
    }

    /// As [`ray_triangle`], to the bit.
    #[inline(always)]
    pub fn cast(&self, triangle: &Triangle, faces: Faces, until: f64) -> Option<TriangleHit> {
        let [a, b, c] = [&triangle.a, &triangle.b, &triangle.c].map(|vertex| self.sheared(vertex));
        let weights = [cross(b, c), cross(c, a), cross(a, b)];
        let [u, v, w] = weights;
        // NaN if one of them is NaN, and 0 if all of them are 0: both tests below then fail.
        let area = u + v + w;
        let (least, largest) = range(u, v, w);
        let (clockwise, counterclockwise) = ((largest <= 0.0) & (area < 0.0), (least >= 0.0) & (area > 0.0));
        // The axes keep their cyclic order, so for a ray in the negative direction the triangle appears mirrored.
        let front = if self.shear.z < 0.0 { counterclockwise } else { clockwise };
        let counts = front | ((faces == Faces::Both) & (clockwise | counterclockwise));
        // The processor can seldom predict these tests, so there is one branch for all of them.
        if !(counts & holds_zero(a.x, b.x, c.x) & holds_zero(a.y, b.y, c.y)) {
            return None;
        }
        let t = (u * a.z + v * b.z + w * c.z) / area;
        let side = if front { Side::Front } else { Side::Back };
        let reached = (0.0..f64::INFINITY).contains(&t) && t <= until;
        if !reached {
            return None;
        }
        let upright = unit(triangle.cross()).unwrap_or(DVec3::ZERO);
        let normal = if front { upright } else { -upright };
        // Turns −0 into 0.
        Some(TriangleHit { t: t + 0.0, weights: weights.map(|weight| weight / area + 0.0), side, normal })
    }

    /// A point in coordinates in which the ray starts at 0 and has the direction (0, 0, 1).
    #[inline]
    fn sheared(&self, point: &DVec3) -> DVec3 {
        let DVec3 { x, y, z } = ordered(point, self.order) - self.origin;
        DVec3::new(x - self.shear.x * z, y - self.shear.y * z, z * self.shear.z)
    }
}

/// The components in this order, read from memory: branches on the order could not be predicted.
#[inline]
fn ordered(v: &DVec3, order: [usize; 3]) -> DVec3 {
    let components: &[f64; 3] = v.as_ref();
    DVec3::from_array(order.map(|axis| components[axis]))
}

/// Whether 0 lies in the range of the three numbers.
///
/// For a triangle that contains the ray it does. This excludes needles whose cross products are lost in rounding
/// although they end before they reach the ray.
#[inline]
fn holds_zero(a: f64, b: f64, c: f64) -> bool {
    let (least, largest) = range(a, b, c);
    (least <= 0.0) & (largest >= 0.0)
}

/// The least and the largest of three numbers.
#[inline]
fn range(a: f64, b: f64, c: f64) -> (f64, f64) {
    let (less, more) = if a < b { (a, b) } else { (b, a) };
    (if c < less { c } else { less }, if c > more { c } else { more })
}

/// Twice the area of the triangle from 0 to a to b, seen along z. Exchanging a and b changes only the sign.
#[inline]
fn cross(a: DVec3, b: DVec3) -> f64 {
    a.x * b.y - a.y * b.x
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row = ([f64; 2], [f64; 3], Option<(f64, [f64; 3], Side)>);

    /// Rays from (x, y, 3) at the triangle (0, 0, 0), (4, 0, 0), (0, 4, 0), turned along each axis.
    #[test]
    fn every_outcome() {
        use Side::Front;
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let down = [0.0, 0.0, -2.0];
        let rows: [Row; 11] = [
            ([1.0, 1.0], down, Some((1.5, [0.5, 0.25, 0.25], Front))),
            ([1.0, 1.0], [0.0, 0.0, 2.0], None),
            ([3.0, 3.0], down, None),
            ([-1.0, 1.0], down, None),
            ([1.0, -5e-324], down, None),
            // On an edge, at a vertex, from the side.
            ([2.0, 0.0], down, Some((1.5, [0.5, 0.5, 0.0], Front))),
            ([2.0, 2.0], down, Some((1.5, [0.0, 0.5, 0.5], Front))),
            ([0.0, 4.0], down, Some((1.5, [0.0, 0.0, 1.0], Front))),
            ([-2.0, 1.0], [1.0, 0.0, -1.0], Some((3.0, [0.5, 0.25, 0.25], Front))),
            ([1.0, 1.0], [0.0, 0.0, 0.0], None),
            ([1.0, 1.0], [1.0, 0.0, 0.0], None),
        ];
        let triangle = Triangle { a: DVec3::ZERO, b: DVec3::X * 4.0, c: DVec3::Y * 4.0 };
        let back = Triangle { b: triangle.c, c: triangle.b, ..triangle };
        for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
            let turn = |v: DVec3| ordered(&v, order);
            let turned = |t: Triangle| Triangle { a: turn(t.a), b: turn(t.b), c: turn(t.c) };
            for ([x, y], direction, expected) in rows {
                let ray = Ray { origin: turn(DVec3::new(x, y, 3.0)), direction: turn(direction.into()) };
                let cast = |triangle, faces, until| {
                    let found = ray_triangle(&ray, &turned(triangle), faces, until);
                    found.map(|f| (f.t, f.weights, f.side))
                };
                assert_eq!(cast(triangle, Faces::Both, inf), expected, "{ray:?}");
                assert_eq!(cast(triangle, Faces::Front, inf), expected, "{ray:?}");
                let turned_over = expected.map(|(t, [a, b, c], _)| (t, [a, c, b], Side::Back));
                assert_eq!(cast(back, Faces::Both, inf), turned_over, "{ray:?}");
                assert_eq!(cast(back, Faces::Front, inf), None, "{ray:?}");
                let Some((t, ..)) = expected else { continue };
                assert_eq!(cast(triangle, Faces::Both, t), expected, "{ray:?}");
                assert_eq!(cast(triangle, Faces::Both, t.next_down()), None, "{ray:?}");
                assert_eq!(cast(triangle, Faces::Both, nan), None, "{ray:?}");
            }
        }
    }

    #[test]
    fn triangles_without_area_or_with_wrong_numbers() {
        let ray = Ray { origin: DVec3::new(1.0, 1.0, 3.0), direction: -DVec3::Z };
        let inf = f64::INFINITY;
        let at = |x, y, z| DVec3::new(x, y, z);
        let rows = [
            [at(1.0, 1.0, 0.0); 3],
            [at(0.0, 0.0, 0.0), at(2.0, 2.0, 0.0), at(4.0, 4.0, 0.0)],
            [at(0.0, 0.0, 0.0), at(2.0, 2.0, 0.0), at(2.0, 2.0, 5.0)],
            [at(0.0, 0.0, 0.0), at(inf, 0.0, 0.0), at(0.0, inf, 0.0)],
        ];
        for [a, b, c] in rows {
            for triangle in [Triangle { a, b, c }, Triangle { a: b, b: a, c }] {
                assert_eq!(ray_triangle(&ray, &triangle, Faces::Both, inf), None, "{triangle:?}");
            }
        }
    }
}
