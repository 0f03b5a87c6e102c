//! A moving ball and a triangle: face, edges and vertices of a sheet without thickness.
//!
//! They overlap while the ball's centre is within the radius of the triangle: in the prism over its face, in a cylinder
//! around an edge or in a ball around a vertex (Ericson, *Real-Time Collision Detection*, 2005, § 5.5.6, for the first
//! contact of straight motion). Straight motion has a closed form and at most one overlap, because this solid is
//! convex. A curved path is cut where the nearest feature changes, and may overlap the triangle several times.
//!
//! The sheet can be hit from both sides. A ball with its centre on the sheet overlaps it.

mod curved;
mod instant;
mod straight;

use glam::DVec3;

use crate::geometry::closest::triangle::{Upright, edges};
use crate::geometry::{Triangle, triangle_gap};
use crate::motion::Relative;
use crate::numeric::{Interval, Intervals};
use crate::sweep::centrifugal::centrifugal;
use crate::sweep::cuts::ahead;
use crate::sweep::instant::against_motion;
use crate::sweep::point::point_triangle;
use crate::sweep::{Overlap, first, from_start};

/// When a ball of radius `a` (m, not negative) overlaps the triangle `b` in [0, `until`].
///
/// `motion` is that of the triangle's body seen from the ball's centre. A ball of radius 0 meets the triangle where it
/// passes through it. The normal of an overlap at the start is that of [`triangle_gap::sphere_triangle`].
///
/// ```
/// use carom::geometry::Triangle;
/// use carom::glam::DVec3;
/// use carom::Relative;
/// use carom::sweep::sphere_triangle::sphere_triangle;
///
/// let triangle = Triangle { a: DVec3::ZERO, b: DVec3::X * 4.0, c: DVec3::Y * 4.0 };
/// // The centre begins 5 m above the face. The ball falls with 2 m/s, so the triangle rises.
/// let position = DVec3::new(-1.0, -1.0, -5.0);
/// let motion = Relative { position, velocity: DVec3::Z * 2.0, acceleration: DVec3::ZERO };
/// let met = sphere_triangle(1.0, &triangle, &motion, 10.0).unwrap();
/// assert_eq!((met.enter, met.leave, met.normal), (2.0, 3.0, -DVec3::Z));
/// ```
#[inline]
pub fn sphere_triangle(a: f64, b: &Triangle, motion: &Relative, until: f64) -> Option<Overlap> {
    if a == 0.0 {
        return point_triangle(b, motion, until);
    }
    let centre = motion.reversed();
    let (interval, start) = if motion.is_straight() {
        from_start(straight::overlap(a, b, &centre, until)?)
    } else {
        first(&curved::pieces(a, b, &centre, until), until)?
    };
    let normal = normal_at_entry(a, b, motion, interval);
    Some(Overlap { enter: interval.enter, leave: interval.leave, normal, start })
}

/// All times at which the ball overlaps the triangle; for curved motion those from 0 on.
#[doc(hidden)]
pub fn pieces(a: f64, b: &Triangle, motion: &Relative) -> Intervals {
    let centre = motion.reversed();
    if motion.is_straight() {
        let one = straight::overlap(a, b, &centre, f64::INFINITY);
        one.map_or(Intervals::EMPTY, |one| Intervals::one(one.enter, one.leave))
    } else {
        curved::pieces(a, b, &centre, f64::INFINITY)
    }
}

/// When the feature of a triangle that is closest to a ball's centre may next change, no sooner than `from`; infinite
/// if never.
pub(crate) fn next_bend(b: &Triangle, motion: &Relative, from: f64) -> f64 {
    let range = Interval { enter: from, leave: f64::INFINITY };
    curved::changes(b, &motion.reversed(), range).first()
}

/// The stretches of an overlap after its first one: in one stretch the feature of the triangle that is closest to the
/// ball's centre stays the same.
pub(crate) fn later_stretches(b: &Triangle, motion: &Relative, piece: Interval) -> Vec<Interval> {
    curved::changes(b, &motion.reversed(), ahead(piece)).stretches(piece.leave).collect()
}

/// Unit vector from the ball to the triangle where they touch at the beginning of `piece`, one of their [`pieces`].
#[inline]
#[doc(hidden)]
pub fn normal_at_entry(a: f64, b: &Triangle, motion: &Relative, piece: Interval) -> DVec3 {
    against_motion(triangle_gap::sphere_triangle(a, b, motion.position_at(piece.enter)).normal, piece, motion)
}

/// The part of the second derivative of the separation at time 0 that is due to motion around an edge or a vertex,
/// m/s²; 0 above the face.
///
/// `motion` is that of the triangle's body seen from the ball's centre. A centre on the border between two features
/// belongs to the one it moves into.
///
/// ```
/// use carom::geometry::Triangle;
/// use carom::glam::DVec3;
/// use carom::Relative;
/// use carom::sweep::sphere_triangle::around_feature;
///
/// let triangle = Triangle { a: DVec3::ZERO, b: DVec3::X * 4.0, c: DVec3::Y * 4.0 };
/// // 2 m above an edge, and outwards with 4 m/s: 4² / 2 m/s².
/// let (position, velocity) = (DVec3::new(-2.0, 0.0, -2.0), DVec3::Y * 4.0);
/// let motion = Relative { position, velocity, acceleration: DVec3::ZERO };
/// assert_eq!(around_feature(&triangle, &motion), 8.0);
/// ```
#[doc(hidden)]
pub fn around_feature(b: &Triangle, motion: &Relative) -> f64 {
    let (position, velocity) = (-motion.position, -motion.velocity);
    let (normal, vertices) = (Upright::of(b).normal, b.vertices());
    let has_face = normal != DVec3::ZERO;
    let mut above_face = has_face;
    for (edge, start) in edges(b).into_iter().zip(vertices) {
        let (inwards, from_start, length) = (normal.cross(edge), position - start, edge.length_squared());
        if has_face && !is_left(inwards.dot(from_start), inwards.dot(velocity)) {
            continue;
        }
        above_face = false;
        let (along, speed) = (edge.dot(from_start), edge.dot(velocity));
        if length > 0.0 && !is_left(along, speed) && !is_left(length - along, -speed) {
            return centrifugal(from_start - edge * (along / length), velocity - edge * (speed / length));
        }
    }
    if above_face {
        return 0.0;
    }
    let from_vertices = vertices.map(|vertex| position - vertex);
    let nearer = |a: DVec3, b: DVec3| if b.length_squared() < a.length_squared() { b } else { a };
    centrifugal(from_vertices.into_iter().fold(from_vertices[0], nearer), velocity)
}

/// Whether a coordinate is negative, or is 0 and decreases.
fn is_left(value: f64, rate: f64) -> bool {
    value < 0.0 || (value == 0.0 && rate < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_centrifugal_part_is_the_second_derivative_of_the_gap() {
        let at = DVec3::new;
        let triangle = Triangle { a: at(0.0, 0.0, 0.0), b: at(4.0, 0.0, 1.0), c: at(1.0, 3.0, 0.0) };
        let segment = Triangle { c: at(8.0, 0.0, 2.0), ..triangle };
        let point = Triangle { b: triangle.a, c: triangle.a, ..triangle };
        // Above the face, beside each edge, beyond each vertex.
        let mut places =
            vec![at(1.5, 1.0, 2.0), at(1.5, 1.0, -0.5), at(2.0, -1.0, 0.5), at(3.0, 3.0, 1.0), at(-1.0, 2.0, 1.0)];
        places.extend([at(-1.0, -1.0, 1.0), at(6.0, -1.0, 0.0), at(1.0, 5.0, -1.0)]);
        let velocity = at(0.7, -0.4, 0.9);
        for triangle in [triangle, segment, point] {
            for &place in &places {
                let motion = Relative { position: -place, velocity: -velocity, acceleration: DVec3::ZERO };
                let h = 1e-4;
                let gap = |t: f64| triangle_gap::sphere_triangle(0.5, &triangle, motion.position_at(t)).separation;
                let difference = (gap(h) - 2.0 * gap(0.0) + gap(-h)) / (h * h);
                let found = around_feature(&triangle, &motion);
                // Truncation h²/12 of the fourth derivative, and cancellation ε/h² in the difference.
                assert!((found - difference).abs() < 1e-5, "{triangle:?} {place}: {found} {difference}");
            }
        }
    }

    #[test]
    fn on_a_border_the_feature_ahead_counts() {
        let triangle = Triangle { a: DVec3::ZERO, b: DVec3::X * 4.0, c: DVec3::Y * 4.0 };
        let around = |place: DVec3, velocity: DVec3| {
            around_feature(&triangle, &Relative { position: -place, velocity: -velocity, acceleration: DVec3::ZERO })
        };
        let (x, y, z) = (DVec3::X, DVec3::Y, DVec3::Z);
        let rows = [
            // Over the edge on y = 0: on to the face, off it, along it.
            (x * 2.0 + z * 2.0, y * 4.0, 0.0),
            (x * 2.0 + z * 2.0, -y * 4.0, 8.0),
            (x * 2.0 + z * 2.0, x * 4.0, 0.0),
            // Over the vertex at 0: on to the face, off the edge along x, around.
            (z * 2.0, x + y, 0.0),
            (z * 2.0, x * 4.0 - y * 4.0, 8.0),
            (z * 2.0, -x * 4.0 - y * 4.0, 16.0),
        ];
        for (place, velocity, expected) in rows {
            assert_eq!(around(place, velocity), expected, "{place} {velocity}");
        }
    }
}
