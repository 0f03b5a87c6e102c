//! A ball and a box, or two boxes, at rest.
//!
//! A ball meets a box if the closest point of the box is no farther from the ball's centre than the radius (Ericson,
//! *Real-Time Collision Detection*, 2005, § 5.2.5). Two boxes meet if they overlap or touch along every axis (§ 4.2.1).

use glam::DVec3;

use crate::geometry::closest::point_on_aabb;
use crate::geometry::{Aabb, Radius};

/// Relative position of a closed ball and a closed box. `point` is the point of the box closest to the centre, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SphereAabb {
    /// They have no point in common.
    Apart {
        /// Closest point of the box, m.
        point: DVec3,
        /// Its distance from the ball, m; positive.
        gap: f64,
    },
    /// They touch in one point.
    Touching {
        /// That point, m.
        point: DVec3,
    },
    /// They share interior; the centre is outside the box.
    Overlapping {
        /// Closest point of the box, m.
        point: DVec3,
        /// Depth of this point inside the ball, m; positive. Moving the ball by this distance away from the point makes
        /// them touch.
        depth: f64,
    },
    /// The centre is in the box or on its surface.
    CenterInside {
        /// How far the ball must be moved through the nearest face to touch the box from outside, m; positive.
        depth: f64,
    },
}

/// The relative position of the ball around `center` (m) and the box.
///
/// A centre that is NaN or infinite is [`SphereAabb::Apart`]; so is a box with a corner that is NaN or infinite, or one
/// that is turned inside out (`min` above `max`), with a gap of NaN.
///
/// ```
/// use carom::geometry::overlap::{SphereAabb, sphere_aabb};
/// use carom::geometry::{Aabb, Radius};
/// use carom::glam::DVec3;
///
/// let (radius, cube) = (Radius::new(2.0).unwrap(), Aabb::around(DVec3::ZERO, DVec3::ONE));
/// let found = sphere_aabb(DVec3::X * 4.0, radius, &cube);
/// assert_eq!(found, SphereAabb::Apart { point: DVec3::X, gap: 1.0 });
/// // The shortest way out is through the nearest face: half a metre, and the radius.
/// assert_eq!(sphere_aabb(DVec3::X * 0.5, radius, &cube), SphereAabb::CenterInside { depth: 2.5 });
/// ```
pub fn sphere_aabb(center: DVec3, radius: Radius, bounds: &Aabb) -> SphereAabb {
    let point = point_on_aabb(center, bounds);
    let is_box = bounds.min.is_finite() && bounds.max.is_finite() && bounds.min.cmple(bounds.max).all();
    if !is_box {
        return SphereAabb::Apart { point, gap: f64::NAN };
    }
    let radius = radius.get();
    if point == center {
        let to_face = (center - bounds.min).min(bounds.max - center).min_element();
        return SphereAabb::CenterInside { depth: radius + to_face };
    }
    let squared = point.distance_squared(center);
    let outside = squared - radius * radius;
    if outside == 0.0 {
        SphereAabb::Touching { point }
    } else if outside < 0.0 {
        SphereAabb::Overlapping { point, depth: -outside / (squared.sqrt() + radius) }
    } else {
        SphereAabb::Apart { point, gap: outside / (squared.sqrt() + radius) }
    }
}

/// All points that two closed boxes have in common, m: a box.
///
/// - `None` if they are apart, if a coordinate is NaN or infinite, or if one is turned inside out (`min` above `max`).
/// - Boxes that touch share a box without interior: its `min` and `max` agree along at least one axis. So do boxes of
///   which one has no interior itself.
///
/// ```
/// use carom::geometry::Aabb;
/// use carom::geometry::overlap::aabb_aabb;
/// use carom::glam::DVec3;
///
/// let cube = |x: f64| Aabb::around(DVec3::X * x, DVec3::ONE);
/// let common = Aabb { min: DVec3::new(0.5, -1.0, -1.0), max: DVec3::ONE };
/// assert_eq!(aabb_aabb(&cube(0.0), &cube(1.5)), Some(common));
/// assert_eq!(aabb_aabb(&cube(0.0), &cube(2.5)), None);
/// ```
#[inline]
pub fn aabb_aabb(a: &Aabb, b: &Aabb) -> Option<Aabb> {
    let finite = |bounds: &Aabb| bounds.min.is_finite() && bounds.max.is_finite();
    let (min, max) = (a.min.max(b.min), a.max.min(b.max));
    (finite(a) && finite(b) && min.cmple(max).all()).then_some(Aabb { min, max })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(min: [f64; 3], max: [f64; 3]) -> Aabb {
        Aabb { min: min.into(), max: max.into() }
    }

    #[test]
    fn a_ball_of_radius_five() {
        let (radius, target) = (Radius::new(5.0).unwrap(), bounds([-1., -2., -3.], [1., 2., 3.]));
        let at = |point: [f64; 3]| DVec3::from(point);
        let rows = [
            ([7.0, 2.0, 3.0], SphereAabb::Apart { point: at([1., 2., 3.]), gap: 1.0 }),
            ([4.0, -6.0, 0.5], SphereAabb::Touching { point: at([1., -2., 0.5]) }),
            ([1.0, 5.0, 7.0], SphereAabb::Touching { point: at([1., 2., 3.]) }),
            ([3.0, 0.0, 0.0], SphereAabb::Overlapping { point: at([1., 0., 0.]), depth: 3.0 }),
            ([1.0, 0.0, 0.0], SphereAabb::CenterInside { depth: 5.0 }),
            ([0.0, 1.5, 0.0], SphereAabb::CenterInside { depth: 5.5 }),
            ([0.0, 0.0, 0.0], SphereAabb::CenterInside { depth: 6.0 }),
        ];
        for (center, expected) in rows {
            assert_eq!(sphere_aabb(center.into(), radius, &target), expected, "{center:?}");
        }
        for x in [f64::NAN, f64::INFINITY] {
            let found = [
                sphere_aabb(DVec3::new(0.0, x, 0.0), radius, &target),
                sphere_aabb(DVec3::ZERO, radius, &bounds([x, 0., 0.], [1.; 3])),
                sphere_aabb(DVec3::ZERO, radius, &bounds([-1.; 3], [1., x, 1.])),
                sphere_aabb(DVec3::ZERO, radius, &bounds([1.; 3], [-1.; 3])),
            ];
            assert!(
                found.iter().all(|one| matches!(one, SphereAabb::Apart { gap, .. } if !gap.is_finite())),
                "{found:?}"
            );
        }
    }

    #[test]
    fn two_boxes() {
        let a = bounds([0., 0., 0.], [4., 4., 4.]);
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        let rows = [
            (bounds([1., 2., -1.], [3., 6., 9.]), Some(bounds([1., 2., 0.], [3., 4., 4.]))),
            (bounds([4., 0., 0.], [5., 1., 1.]), Some(bounds([4., 0., 0.], [4., 1., 1.]))),
            (bounds([4., 4., 4.], [5., 5., 5.]), Some(bounds([4., 4., 4.], [4., 4., 4.]))),
            (bounds([1., 1., 1.], [2., 2., 1.]), Some(bounds([1., 1., 1.], [2., 2., 1.]))),
            (bounds([5., 0., 0.], [6., 1., 1.]), None),
            (bounds([3., 0., 0.], [1., 1., 1.]), None),
            (bounds([nan, 0., 0.], [1., 1., 1.]), None),
            (bounds([0., 0., 0.], [1., nan, 1.]), None),
            (bounds([0., 0., -inf], [1., 1., 1.]), None),
            (bounds([0., 0., 0.], [1., 1., inf]), None),
        ];
        for (b, expected) in rows {
            assert_eq!(aabb_aabb(&a, &b), expected, "{b:?}");
            assert_eq!(aabb_aabb(&b, &a), expected, "{b:?}");
        }
    }
}
