//! Two balls, or two discs in the plane, at rest.
//!
//! The squared distance of the centres is compared with the squares of the sum and of the difference of the radii
//! (Ericson, *Real-Time Collision Detection*, 2005, § 4.3.1). Gaps and depths are computed as these differences of
//! squares divided by a sum of lengths, so their signs agree with the comparison.

use glam::{DVec2, DVec3};

use crate::geometry::Radius;

/// Which of two solids is the inner one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inner {
    /// The first.
    A,
    /// The second.
    B,
}

/// Relative position of two closed balls or discs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rounds {
    /// They have no point in common.
    Apart {
        /// Distance of the surfaces, m; positive.
        gap: f64,
    },
    /// They touch from outside, in one point.
    Touching,
    /// They share interior, and neither contains the other: the surfaces intersect.
    Overlapping {
        /// How far they must be moved to touch from outside, m; positive.
        depth: f64,
    },
    /// One is inside the other and touches its surface, in one point.
    TouchingInside {
        /// The smaller one.
        inner: Inner,
    },
    /// One is inside the other; the surfaces have no point in common.
    Inside {
        /// The smaller one.
        inner: Inner,
        /// Distance of the surfaces, m; positive.
        gap: f64,
    },
    /// They are the same.
    Same,
}

/// The relative position of balls of radius `a` and `b`; `offset` is the vector from the centre of `a` to that of `b`,
/// m.
///
/// ```
/// use carom::geometry::Radius;
/// use carom::geometry::overlap::{Inner, Rounds, sphere_sphere};
/// use carom::glam::DVec3;
///
/// let [two, three, nine] = [2.0, 3.0, 9.0].map(|radius| Radius::new(radius).unwrap());
/// let offset = DVec3::new(3.0, 0.0, -4.0);
/// assert_eq!(sphere_sphere(two, three, offset), Rounds::Touching);
/// assert_eq!(sphere_sphere(two, nine, offset), Rounds::Inside { inner: Inner::A, gap: 2.0 });
/// ```
pub fn sphere_sphere(a: Radius, b: Radius, offset: DVec3) -> Rounds {
    let sum = a.get() + b.get();
    let squared = offset.length_squared();
    let distance = squared.sqrt();
    // The difference of the squares of two lengths, divided by their sum, is the difference of the lengths.
    let outside = squared - sum * sum;
    let gap = outside / (distance + sum);
    if outside < 0.0 {
        return sharing_interior(a.get() - b.get(), distance, squared, -gap);
    }
    if outside == 0.0 { Rounds::Touching } else { Rounds::Apart { gap } }
}

/// The relative position of two balls that overlap by `depth`; `difference` is that of their radii.
fn sharing_interior(difference: f64, distance: f64, squared: f64, depth: f64) -> Rounds {
    let inner = if difference < 0.0 { Inner::A } else { Inner::B };
    let inside = difference * difference - squared;
    if inside < 0.0 {
        Rounds::Overlapping { depth }
    } else if inside > 0.0 {
        Rounds::Inside { inner, gap: inside / (difference.abs() + distance) }
    } else if difference == 0.0 {
        Rounds::Same
    } else {
        Rounds::TouchingInside { inner }
    }
}

/// The relative position of discs of radius `a` and `b`; `offset` is the vector from the centre of `a` to that of `b`,
/// m.
///
/// ```
/// use carom::geometry::Radius;
/// use carom::geometry::overlap::{Rounds, circle_circle};
/// use carom::glam::DVec2;
///
/// let [two, three] = [2.0, 3.0].map(|radius| Radius::new(radius).unwrap());
/// assert_eq!(circle_circle(two, three, DVec2::Y * 4.0), Rounds::Overlapping { depth: 1.0 });
/// assert_eq!(circle_circle(two, three, DVec2::new(6.0, 8.0)), Rounds::Apart { gap: 5.0 });
/// ```
pub fn circle_circle(a: Radius, b: Radius, offset: DVec2) -> Rounds {
    sphere_sphere(a, b, offset.extend(0.0))
}
