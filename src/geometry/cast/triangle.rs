//! A ray and a triangle, without gaps between triangles that share an edge.
//!
//! Woop, Benthin & Wald, *Watertight ray/triangle intersection*, Journal of Computer Graphics Techniques 2(1), 2013:
//! the vertices are sheared so that the ray runs along an axis, and three cross products tell on which side of each
//! edge it passes. A vertex is sheared alike in every triangle that has it. A cross product is the difference of two
//! rounded products, so its sign is that of the exact one, or it is 0; 0 counts as on the edge, and an edge seen from
//! both its triangles has opposite signs. So a ray through a mesh of sheared triangles hits one that truly holds it,
//! without the second look in higher precision that the paper takes.

use glam::DVec3;

use super::{Faces, Side};
use crate::geometry::{Ray, Triangle};

/// Where a ray hits a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TriangleHit {
    /// The parameter along the ray, not negative.
    pub t: f64,
    /// Barycentric coordinates: how much of the vertices a, b, c the point is made of. None is negative, their sum is
    /// 1 to rounding, and one is exactly 0 on the edge opposite.
    pub weights: [f64; 3],
    /// The side from which the ray comes.
    pub side: Side,
}

/// Where a ray hits a closed triangle from one of the `faces`, no farther than the parameter `until`, which counts.
///
/// - A ray in the plane of the triangle misses, and so does every ray if the vertices lie on a line: as computed, the
///   triangle seen along the ray has no area.
/// - Of triangles that together cover a neighbourhood of the ray at least one is hit, be it at an edge or a vertex,
///   and possibly more than one. Triangles so thin that their area vanishes in rounding cover nothing.
/// - A hit that is too far, or behind the origin, is no hit; `until` may be infinite, and if it is NaN nothing is hit.
///
/// See [`cast`](super) for the range of numbers, and [`TriangleCaster`] for many triangles.
#[inline]
pub fn ray_triangle(ray: &Ray, triangle: &Triangle, faces: Faces, until: f64) -> Option<TriangleHit> {
    TriangleCaster::new(ray).cast(triangle, faces, until)
}

/// A ray made ready to be cast at many triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TriangleCaster {
    origin: DVec3,
    /// The axis along which the direction is longest; of equal ones the first.
    axis: Axis,
    /// The direction's components along the two other axes over that along `axis`, and 1 over that.
    shear: DVec3,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    X,
    Y,
    Z,
}

impl TriangleCaster {
    /// Finds the shear that lays the ray along an axis.
    #[inline]
    pub fn new(ray: &Ray) -> Self {
        let size = ray.direction.abs();
        let axis = if size.x >= size.y && size.x >= size.z {
            Axis::X
        } else if size.y >= size.z {
            Axis::Y
        } else {
            Axis::Z
        };
        let DVec3 { x, y, z } = axis.last(ray.direction);
        let sound = ray.origin.is_finite() && ray.direction.is_finite();
        // A ray that is not finite becomes one that meets nothing.
        let origin = if sound { axis.last(ray.origin) } else { DVec3::NAN };
        Self { origin, axis, shear: DVec3::new(x / z, y / z, 1.0 / z) }
    }

    /// As [`ray_triangle`], to the bit.
    #[inline]
    pub fn cast(&self, triangle: &Triangle, faces: Faces, until: f64) -> Option<TriangleHit> {
        let [a, b, c] = triangle.vertices().map(|vertex| self.sheared(vertex));
        if beside(a.x, b.x, c.x) || beside(a.y, b.y, c.y) {
            return None;
        }
        let weights = [cross(b, c), cross(c, a), cross(a, b)];
        let [u, v, w] = weights;
        let area = u + v + w;
        // Nothing is hit if one of them is NaN, or all of them are 0.
        let counterclockwise = u >= 0.0 && v >= 0.0 && w >= 0.0 && area > 0.0;
        let clockwise = u <= 0.0 && v <= 0.0 && w <= 0.0 && area < 0.0;
        // The sheared axes keep their order, so seen along a backward ray they are mirrored.
        let front = if self.shear.z < 0.0 { counterclockwise } else { clockwise };
        let counts = if faces == Faces::Front { front } else { counterclockwise || clockwise };
        if !counts {
            return None;
        }
        let t = (u * a.z + v * b.z + w * c.z) / area;
        let side = if front { Side::Front } else { Side::Back };
        let reached = (0.0..f64::INFINITY).contains(&t) && t <= until;
        // Makes −0 a 0.
        reached.then(|| TriangleHit { t: t + 0.0, weights: weights.map(|weight| weight / area + 0.0), side })
    }

    /// A point in coordinates in which the ray starts at 0 and has the direction (0, 0, 1).
    #[inline]
    fn sheared(&self, point: DVec3) -> DVec3 {
        let DVec3 { x, y, z } = self.axis.last(point) - self.origin;
        DVec3::new(x - self.shear.x * z, y - self.shear.y * z, z * self.shear.z)
    }
}

impl Axis {
    /// The components in cyclic order, with the one along this axis last.
    #[inline]
    fn last(self, v: DVec3) -> DVec3 {
        match self {
            Self::X => DVec3::new(v.y, v.z, v.x),
            Self::Y => DVec3::new(v.z, v.x, v.y),
            Self::Z => v,
        }
    }
}

/// Whether all three lie strictly on one side of 0.
///
/// Of a triangle that holds the ray they never do. The test is quick, and it tells off needles whose cross products
/// vanish in rounding although they end before they come to the ray.
#[inline]
fn beside(a: f64, b: f64, c: f64) -> bool {
    (a > 0.0 && b > 0.0 && c > 0.0) || (a < 0.0 && b < 0.0 && c < 0.0)
}

/// Twice the area of the triangle from 0 to a to b, seen along z; exactly opposite for b and a.
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
        let rows: [Row; 16] = [
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
            ([nan, 1.0], down, None),
            ([1.0, inf], down, None),
            ([1.0, 1.0], [0.0, nan, -2.0], None),
            ([1.0, 1.0], [inf, 0.0, -2.0], None),
            ([1.0, 1.0], [0.0, 0.0, -inf], None),
        ];
        let triangle = Triangle { a: DVec3::ZERO, b: DVec3::X * 4.0, c: DVec3::Y * 4.0 };
        let back = Triangle { b: triangle.c, c: triangle.b, ..triangle };
        for axis in [Axis::X, Axis::Y, Axis::Z] {
            let turned = |t: Triangle| Triangle { a: axis.last(t.a), b: axis.last(t.b), c: axis.last(t.c) };
            for ([x, y], direction, expected) in rows {
                let ray = Ray { origin: axis.last(DVec3::new(x, y, 3.0)), direction: axis.last(direction.into()) };
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
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let at = |x, y, z| DVec3::new(x, y, z);
        let rows = [
            [at(1.0, 1.0, 0.0); 3],
            [at(0.0, 0.0, 0.0), at(2.0, 2.0, 0.0), at(4.0, 4.0, 0.0)],
            [at(0.0, 0.0, 0.0), at(2.0, 2.0, 0.0), at(2.0, 2.0, 5.0)],
            [at(0.0, 0.0, nan), at(4.0, 0.0, 0.0), at(0.0, 4.0, 0.0)],
            [at(0.0, nan, 0.0), at(4.0, 0.0, 0.0), at(0.0, 4.0, 0.0)],
            [at(0.0, 0.0, 0.0), at(inf, 0.0, 0.0), at(0.0, 4.0, 0.0)],
            [at(0.0, 0.0, 0.0), at(inf, 0.0, 0.0), at(0.0, inf, 0.0)],
            [at(0.0, 0.0, -inf), at(4.0, 0.0, 0.0), at(0.0, 4.0, 0.0)],
        ];
        for [a, b, c] in rows {
            for triangle in [Triangle { a, b, c }, Triangle { a: b, b: a, c }] {
                assert_eq!(ray_triangle(&ray, &triangle, Faces::Both, inf), None, "{triangle:?}");
            }
        }
    }
}
