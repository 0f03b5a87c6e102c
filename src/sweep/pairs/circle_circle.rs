//! Two moving circles in the plane, as discs.
//!
//! They are two balls whose centres stay in one plane: the result is that of [`sphere_sphere`] without z.

use glam::DVec2;

use super::sphere_sphere::sphere_sphere;
use crate::motion::Relative;
use crate::sweep::Start;

/// The motion of one point of the plane seen from another: position + velocity t + ½ acceleration t².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relative2 {
    /// Position of `b` minus position of `a` at time 0, m.
    pub position: DVec2,
    /// Velocity of `b` minus velocity of `a` at time 0, m/s.
    pub velocity: DVec2,
    /// Acceleration of `b` minus acceleration of `a`, m/s².
    pub acceleration: DVec2,
}

/// The interval of time in which two figures of the plane overlap, s from the start of the window; as
/// [`Overlap`](crate::sweep::Overlap), in two dimensions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap2 {
    /// When they meet; 0 if they overlap at the start.
    pub enter: f64,
    /// When they part; infinite if never.
    pub leave: f64,
    /// Unit vector from `a` to `b` where they touch at `enter`.
    pub normal: DVec2,
    /// State of the pair at the start.
    pub start: Start,
}

/// When two moving discs of radius `a` and `b` (m, not negative) overlap in [0, `until`].
///
/// `motion` is that of the centre of `b` seen from `a`. The results in all cases are listed at [`sweep`](crate::sweep).
///
/// ```
/// use carom::glam::DVec2;
/// use carom::sweep::circle_circle::{Relative2, circle_circle};
///
/// // The second passes by, its centre 3 m to the side.
/// let (position, velocity) = (DVec2::new(10.0, 3.0), DVec2::X * -2.0);
/// let motion = Relative2 { position, velocity, acceleration: DVec2::ZERO };
/// let met = circle_circle(2.0, 3.0, &motion, 10.0).unwrap();
/// assert_eq!((met.enter, met.leave, met.normal), (3.0, 7.0, DVec2::new(0.8, 0.6)));
/// ```
pub fn circle_circle(a: f64, b: f64, motion: &Relative2, until: f64) -> Option<Overlap2> {
    let in_space = Relative {
        position: motion.position.extend(0.0),
        velocity: motion.velocity.extend(0.0),
        acceleration: motion.acceleration.extend(0.0),
    };
    let overlap = sphere_sphere(a, b, &in_space, until)?;
    let (enter, leave, start) = (overlap.enter, overlap.leave, overlap.start);
    Some(Overlap2 { enter, leave, normal: overlap.normal.truncate(), start })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Position, velocity and acceleration of a disc of radius 2 seen from one of radius 3, and their overlap in the
    /// first 10 s.
    #[test]
    fn enter_and_leave() {
        let normal = |x, y| DVec2::new(x, y);
        let rows = [
            ([-9.0, 3.0], [1.0, 0.0], [0.0, 0.0], Some((5.0, 13.0, normal(-0.8, 0.6), Start::Apart))),
            ([-9.0, 3.0], [-1.0, 0.0], [0.0, 0.0], None),
            ([-9.0, 5.0], [1.0, 0.0], [0.0, 0.0], None),
            ([-20.0, 0.0], [1.0, 0.0], [0.0, 0.0], None),
            ([-5.0, 0.0], [2.0, 0.0], [0.0, 0.0], Some((0.0, 5.0, normal(-1.0, 0.0), Start::Touching))),
            ([0.0, 1.0], [0.0, 2.0], [0.0, 0.0], Some((0.0, 2.0, normal(0.0, 1.0), Start::Inside))),
            ([0.0, 1.0], [0.0, 0.0], [0.0, 0.0], Some((0.0, f64::INFINITY, normal(0.0, 1.0), Start::Inside))),
            // Falls on the other, from rest: y = 13 − t².
            ([0.0, 13.0], [0.0, 0.0], [0.0, -2.0], Some((8f64.sqrt(), 18f64.sqrt(), normal(0.0, 1.0), Start::Apart))),
        ];
        for (position, velocity, acceleration, expected) in rows {
            let motion =
                Relative2 { position: position.into(), velocity: velocity.into(), acceleration: acceleration.into() };
            let found = circle_circle(3.0, 2.0, &motion, 10.0).map(|o| (o.enter, o.leave, o.normal, o.start));
            match (found, expected) {
                (Some(found), Some(expected)) => {
                    // Times of curved motion are bracketed to neighbouring floats.
                    let near = |x: f64, y: f64| x == y || (x - y).abs() <= f64::EPSILON * y;
                    assert!(near(found.0, expected.0) && near(found.1, expected.1), "{motion:?} {found:?}");
                    assert!(found.2.abs_diff_eq(expected.2, f64::EPSILON) && found.3 == expected.3, "{found:?}");
                }
                _ => assert_eq!(found, expected, "{motion:?}"),
            }
        }
    }
}
