//! A ray and a ball, or a disc in the plane.
//!
//! The line is inside while |d + v t|² − r² is not positive, with d the vector from the centre to the origin. This is a
//! quadratic in t (Ericson, *Real-Time Collision Detection*, 2005, § 5.3.2). As in the sweep of two balls, its
//! discriminant is computed as r² v² − |d × v|², whose error is equivalent to a shift of the centre by a few ulps. Its
//! roots are computed in the form without cancellation (Press et al., *Numerical Recipes*, 3rd ed. 2007, § 5.6).

use glam::{DVec2, DVec3};

use super::Crossing;
use crate::geometry::{Ray, Ray2, Start, unit};
use crate::numeric::tolerance::TURNING_SLACK;

/// The part of a ray of the plane within a disc; as [`Crossing`], in two dimensions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing2 {
    /// Where the ray enters; 0 if it starts inside.
    pub enter: f64,
    /// Where it leaves.
    pub leave: f64,
    /// Outward unit normal at `enter`; if the ray starts inside, along the shortest way out.
    pub normal: DVec2,
    /// Position of the ray's origin relative to the disc.
    pub start: Start,
}

/// Where a ray enters the ball around `center` of `radius`, both in m, up to and including the parameter `until`, and
/// where it leaves it.
///
/// - A tangent ray misses. Because of rounding it may also cross, with `leave` close to `enter`.
/// - A radius of 0 is a point without interior and is never hit; nor is a negative radius.
/// - From exactly the centre, the shortest way out is taken along the ray.
///
/// See [`cast`](super) for the meaning of the results.
///
/// ```
/// use carom::geometry::cast::ray_sphere;
/// use carom::geometry::{Ray, Start};
/// use carom::glam::DVec3;
///
/// let ray = Ray { origin: DVec3::X * -5.0, direction: DVec3::X * 2.0 };
/// let hit = ray_sphere(&ray, DVec3::ZERO, 1.0, f64::INFINITY).unwrap();
/// assert_eq!((hit.enter, hit.leave, hit.normal, hit.start), (2.0, 3.0, -DVec3::X, Start::Apart));
/// assert_eq!(ray_sphere(&ray, DVec3::ZERO, 1.0, 1.5), None);
/// ```
#[inline]
pub fn ray_sphere(ray: &Ray, center: DVec3, radius: f64, until: f64) -> Option<Crossing> {
    let (d, v) = (ray.origin - center, ray.direction);
    let (a, b, c) = (v.length_squared(), d.dot(v), d.length_squared() - radius * radius);
    // Early exit: outside and not approaching. NaN ends here, too.
    let inside_or_closing = c < 0.0 || b < 0.0;
    let sound = 0.0 < a && a < f64::INFINITY && (0.0..f64::INFINITY).contains(&radius);
    if !(inside_or_closing && sound) {
        return None;
    }
    let (enter, leave) = roots(a, b, c, radius * radius * a - d.cross(v).length_squared())?;
    if !(leave > 0.0 && enter <= until) {
        return None;
    }
    let (enter, start) = Start::of(enter);
    let normal = unit(ray.at(enter) - center).or_else(|| unit(v)).unwrap_or(DVec3::NEG_X);
    let normal = if goes_out(start, normal.dot(v), a) { -normal } else { normal };
    Some(Crossing { enter, leave, normal, start })
}

/// Where a ray of the plane enters the disc around `center` of `radius`, both in m.
///
/// As [`ray_sphere`] in every case.
///
/// ```
/// use carom::geometry::cast::ray_circle;
/// use carom::geometry::{Ray2, Start};
/// use carom::glam::DVec2;
///
/// // From inside, 1 m above the centre, straight down.
/// let ray = Ray2 { origin: DVec2::Y, direction: -DVec2::Y };
/// let hit = ray_circle(&ray, DVec2::ZERO, 2.0, f64::INFINITY).unwrap();
/// assert_eq!((hit.enter, hit.leave, hit.normal, hit.start), (0.0, 3.0, DVec2::Y, Start::Inside));
/// ```
#[inline]
pub fn ray_circle(ray: &Ray2, center: DVec2, radius: f64, until: f64) -> Option<Crossing2> {
    let in_space = Ray { origin: ray.origin.extend(0.0), direction: ray.direction.extend(0.0) };
    let Crossing { enter, leave, normal, start } = ray_sphere(&in_space, center.extend(0.0), radius, until)?;
    Some(Crossing2 { enter, leave, normal: normal.truncate(), start })
}

/// Whether the computed normal at the entry points along the ray, with this speed along the normal. In a crossing as
/// short as rounding error the computed point may be on either side. A ray from outside enters on the near side, so the
/// normal is then reversed.
#[inline]
fn goes_out(start: Start, speed: f64, squared_speed: f64) -> bool {
    start == Start::Apart && speed > 0.0 && speed * speed > TURNING_SLACK * TURNING_SLACK * squared_speed
}

/// The roots of a t² + 2 b t + c, in order, given their discriminant; a is positive, and c or b negative.
#[inline]
fn roots(a: f64, b: f64, c: f64, discriminant: f64) -> Option<(f64, f64)> {
    if discriminant > 0.0 {
        let root = discriminant.sqrt();
        let (enter, leave) =
            if b < 0.0 { (c / (root - b), (root - b) / a) } else { (-(root + b) / a, -c / (root + b)) };
        // The ball is crossed, even if the crossing is shorter than the resolution of the parameters.
        return Some((enter, leave.max(enter)));
    }
    // Rounding may give this for an origin that is barely inside; it is still inside.
    (c < 0.0).then_some((f64::NEG_INFINITY, (-b / a).max(f64::MIN_POSITIVE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row = ([f64; 2], [f64; 2], f64, Option<(f64, f64, Start, [f64; 2])>);

    /// Origin and direction in the plane, the radius around (1, 2), and the crossing; the same holds in space.
    #[test]
    fn every_outcome() {
        use Start::{Apart, Inside, Touching};
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let rows: [Row; 14] = [
            ([-4.0, 2.0], [2.0, 0.0], 2.0, Some((1.5, 3.5, Apart, [-1.0, 0.0]))),
            ([-4.0, 2.0], [-2.0, 0.0], 2.0, None),
            ([-4.0, 5.0], [2.0, 0.0], 2.0, None),
            ([-4.0, 4.0], [2.0, 0.0], 2.0, None),
            ([1.0, 2.0], [0.0, -4.0], 2.0, Some((0.0, 0.5, Inside, [0.0, -1.0]))),
            ([2.0, 2.0], [4.0, 0.0], 2.0, Some((0.0, 0.25, Inside, [1.0, 0.0]))),
            ([-1.0, 2.0], [1.0, 0.0], 2.0, Some((0.0, 4.0, Touching, [-1.0, 0.0]))),
            ([-1.0, 2.0], [-1.0, 0.0], 2.0, None),
            ([-1.0, 2.0], [0.0, 1.0], 2.0, None),
            ([-1.0, 2.0], [1.0, 0.0], 0.0, None),
            ([-1.0, 2.0], [1.0, 0.0], -1.0, None),
            ([1.0, 2.0], [0.0, 0.0], 2.0, None),
            ([1.0, 2.0], [inf, 0.0], 2.0, None),
            ([1.0, 2.0], [nan, 1.0], 2.0, None),
        ];
        for (origin, direction, radius, expected) in rows {
            let ray = Ray2 { origin: origin.into(), direction: direction.into() };
            let center = DVec2::new(1.0, 2.0);
            let flat =
                |until| ray_circle(&ray, center, radius, until).map(|c| (c.enter, c.leave, c.start, c.normal.into()));
            assert_eq!(flat(inf), expected, "{ray:?} {radius}");
            let in_space = Ray { origin: ray.origin.extend(3.0), direction: ray.direction.extend(0.0) };
            let round = |until| {
                let found = ray_sphere(&in_space, center.extend(3.0), radius, until);
                found.map(|c| (c.enter, c.leave, c.start, c.normal.truncate().into()))
            };
            assert_eq!(round(inf), expected, "{ray:?} {radius}");
            assert_eq!((flat(nan), round(nan)), (None, None));
            let Some((enter, ..)) = expected else { continue };
            assert_eq!((flat(enter), round(enter)), (expected, expected), "{ray:?} {radius}");
            if enter > 0.0 {
                assert_eq!((flat(enter.next_down()), round(enter.next_down())), (None, None), "{ray:?} {radius}");
            }
        }
    }
}
