//! How the separation of a pair changes: its first two derivatives at one instant.
//!
//! For a pair that already touches, the roots of its motion say nothing. Its rates decide whether it closes, and how
//! high it would rebound. For a round feature the second derivative has two parts: the acceleration along the normal,
//! and the centrifugal part |vₜ|²/d of the motion around the feature.

use glam::DVec3;

use super::centrifugal::centrifugal;
use super::pairs::sphere_arc::along_arc;
use super::pairs::sphere_triangle::around_feature;
use crate::geometry::{Solid, gap};
use crate::motion::Relative;

/// The separation's derivatives, and the direction in which they are taken.
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(hidden)]
pub struct Rates {
    /// Unit vector from `a` to `b`.
    pub normal: DVec3,
    /// Speed of separation, m/s; negative while the pair closes.
    pub speed: f64,
    /// Acceleration of separation, m/s²; negative if the pair is pressed together.
    pub acceleration: f64,
}

/// The rates of `a` and `b` along `normal` at time 0. `motion` is that of `b` seen from `a`.
///
/// ```
/// use carom::geometry::Solid;
/// use carom::glam::DVec3;
/// use carom::Relative;
/// use carom::sweep::rates_along;
///
/// let cube = Solid::Box(DVec3::ONE);
/// let velocity = DVec3::new(-3.0, 1.0, 0.0);
/// let motion = Relative { position: DVec3::X * 2.0, velocity, acceleration: DVec3::X * 5.0 };
/// let found = rates_along(cube, cube, &motion, DVec3::X);
/// assert_eq!((found.speed, found.acceleration), (-3.0, 5.0));
/// ```
#[doc(hidden)]
pub fn rates_along(a: Solid<'_>, b: Solid<'_>, motion: &Relative, normal: DVec3) -> Rates {
    let speed = normal.dot(motion.velocity);
    let around = match (a, b) {
        (Solid::Sphere(_), Solid::Sphere(_)) => centrifugal(motion.position, motion.velocity),
        (Solid::Patch { center, half }, _) => {
            return rates_along(Solid::Box(half), b, &motion.shifted(-center), normal);
        }
        (_, Solid::Patch { center, half }) => return rates_along(a, Solid::Box(half), &motion.shifted(center), normal),
        (Solid::Sphere(_), Solid::Box(half)) => around_box(&motion.reversed(), half),
        (Solid::Box(half), Solid::Sphere(_)) => around_box(motion, half),
        (Solid::Sphere(_), Solid::Triangle(b)) => around_feature(b, motion),
        (Solid::Triangle(a), Solid::Sphere(_)) => around_feature(a, &motion.reversed()),
        (Solid::Sphere(_), Solid::Arc(b)) => along_arc(b, motion),
        (Solid::Arc(a), Solid::Sphere(_)) => along_arc(a, &motion.reversed()),
        (Solid::Box(_), Solid::Box(_) | Solid::Triangle(_))
        | (Solid::Triangle(_), Solid::Box(_) | Solid::Triangle(_))
        | (Solid::Plane(_) | Solid::Sheet(_) | Solid::Arc(_), _)
        | (_, Solid::Plane(_) | Solid::Sheet(_) | Solid::Arc(_)) => 0.0,
    };
    Rates { normal, speed, acceleration: normal.dot(motion.acceleration) + around }
}

/// The rates along the shortest way between the two; `None` for two half-spaces, sheets or triangles.
///
/// ```
/// use carom::geometry::Solid;
/// use carom::glam::DVec3;
/// use carom::Relative;
/// use carom::sweep::rates;
///
/// // Two balls touch and slide past each other with 2 m/s, their centres 2 m apart: 2² / 2 m/s².
/// let ball = Solid::Sphere(1.0);
/// let motion = Relative { position: DVec3::X * 2.0, velocity: DVec3::Y * 2.0, acceleration: DVec3::ZERO };
/// let found = rates(ball, ball, &motion).unwrap();
/// assert_eq!((found.normal, found.speed, found.acceleration), (DVec3::X, 0.0, 2.0));
/// ```
#[doc(hidden)]
pub fn rates(a: Solid<'_>, b: Solid<'_>, motion: &Relative) -> Option<Rates> {
    Some(rates_along(a, b, motion, gap(a, b, motion.position)?.normal))
}

/// The centrifugal part for a ball's centre that moves around the nearest edge or corner of a box at the origin.
fn around_box(centre: &Relative, half: DVec3) -> f64 {
    let beyond = DVec3::from_array(std::array::from_fn(|axis| beyond_face(centre, half, axis).0));
    let velocity = DVec3::from_array(std::array::from_fn(|axis| beyond_face(centre, half, axis).1));
    centrifugal(beyond, velocity)
}

/// Distance of the centre beyond the faces of one axis, m, and its rate, m/s; both are 0 between the faces. A centre on
/// a face that moves outwards counts as beyond it.
fn beyond_face(centre: &Relative, half: DVec3, axis: usize) -> (f64, f64) {
    let (x, v, h) = (centre.position[axis], centre.velocity[axis], half[axis]);
    if x > h || (x == h && v > 0.0) {
        (x - h, v)
    } else if x < -h || (x == -h && v < 0.0) {
        (x + h, v)
    } else {
        (0.0, 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Plane;

    /// The separation's derivatives by central differences of its values.
    fn differences(a: Solid<'_>, b: Solid<'_>, motion: &Relative) -> (f64, f64) {
        let h = 1e-4;
        let at = |t: f64| gap(a, b, motion.position_at(t)).unwrap().separation;
        ((at(h) - at(-h)) / (2.0 * h), (at(h) - 2.0 * at(0.0) + at(-h)) / (h * h))
    }

    #[test]
    fn rates_are_the_derivatives_of_the_gap() {
        let ball = Solid::Sphere(0.5);
        let cube = Solid::Box(DVec3::new(1.0, 2.0, 3.0));
        let slope = Plane::new(DVec3::new(0.6, 0.0, 0.8), 0.1).unwrap();
        let plane = Solid::Plane(&slope);
        let places = [DVec3::new(2.0, 1.0, 0.5), DVec3::new(2.0, -3.0, 0.5), DVec3::new(-2.0, 3.0, 4.0)];
        for (a, b) in [(ball, ball), (ball, cube), (cube, ball), (cube, cube), (ball, plane), (plane, cube)] {
            for position in places {
                let motion = Relative {
                    position,
                    velocity: DVec3::new(0.7, -0.4, 0.9),
                    acceleration: DVec3::new(-1.0, 2.0, 0.5),
                };
                let found = rates(a, b, &motion).unwrap();
                let (speed, acceleration) = differences(a, b, &motion);
                // Truncation h²/6 of the third derivative, and cancellation ε/h² in the second difference.
                assert!((found.speed - speed).abs() < 1e-6, "{a:?} {b:?} {position}: {found:?} {speed}");
                assert!((found.acceleration - acceleration).abs() < 1e-5, "{found:?} {acceleration}");
            }
        }
    }
}
