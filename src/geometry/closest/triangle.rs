//! The point of a triangle that is closest to a given point, and the part of the triangle it lies on.
//!
//! The query is above the face if it is on the inner side of all three edges (the regions of Ericson, *Real-Time
//! Collision Detection*, 2005, § 5.1.5). Otherwise the result is the closest point of the three edges. For a sliver the
//! numbers for the three sides are differences with cancellation. So their foot is taken only if it is no farther from
//! the query than the plane, or else than the edges. In this way a sliver has results as accurate as other triangles,
//! and a triangle without area is treated as a segment or a point.

use glam::DVec3;

use crate::geometry::Triangle;
use crate::numeric::quantity::MAGNITUDE_MIN;
use crate::numeric::tolerance::{FACE_SLACK, SLIVER_RATIO};

/// A part of a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// The inside.
    Face,
    /// One of the edges 0, 1, 2: from a to b, from b to c, from c to a; without its ends.
    Edge(usize),
    /// One of the vertices 0, 1, 2: a, b, c.
    Vertex(usize),
}

/// A point of a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrianglePoint {
    /// Where it is, m.
    pub point: DVec3,
    /// The part of the triangle it lies on.
    pub feature: Feature,
    /// Barycentric coordinates, the weights of a, b, c: none is negative, and their sum is 1 within rounding error.
    pub weights: [f64; 3],
}

/// The point of `triangle` closest to `to`.
///
/// - For a `to` on the boundary between two regions, or on an edge or a vertex itself, the feature is the edge or the
///   vertex.
/// - For a triangle without area the feature is never the face; for one without length it is vertex 0.
/// - For a `to` with a coordinate that is NaN, the distance from the result is NaN.
///
/// ```
/// use carom::geometry::Triangle;
/// use carom::geometry::closest::{Feature, point_on_triangle};
/// use carom::glam::DVec3;
///
/// let triangle = Triangle { a: DVec3::ZERO, b: DVec3::X * 4.0, c: DVec3::Y * 4.0 };
/// let above = point_on_triangle(DVec3::new(1.0, 1.0, 3.0), &triangle);
/// assert_eq!((above.point, above.feature), (DVec3::new(1.0, 1.0, 0.0), Feature::Face));
/// // Beside the middle of the edge from b to c.
/// let beside = point_on_triangle(DVec3::new(4.0, 4.0, 0.0), &triangle);
/// assert_eq!((beside.feature, beside.weights), (Feature::Edge(1), [0.0, 0.5, 0.5]));
/// ```
#[inline]
pub fn point_on_triangle(to: DVec3, triangle: &Triangle) -> TrianglePoint {
    closest_below(triangle, Upright::of(triangle).normal, to)
}

/// The same for a triangle whose [`Upright`] has this normal.
#[inline]
pub(crate) fn closest_below(triangle: &Triangle, normal: DVec3, to: DVec3) -> TrianglePoint {
    let Some(face) = foot_on_face(triangle, normal, to) else { return closest_on_edges(triangle, to) };
    let squared = face.point.distance_squared(to);
    let height = normal.dot(to - triangle.a);
    // No point of the triangle is closer than its plane.
    if squared * normal.length_squared() <= height * height * (1.0 + FACE_SLACK) {
        return face;
    }
    let edge = closest_on_edges(triangle, to);
    if squared <= edge.point.distance_squared(to) * (1.0 + FACE_SLACK) { face } else { edge }
}

/// The closest point of the three edges; of equally close points, the first.
#[inline]
fn closest_on_edges(triangle: &Triangle, to: DVec3) -> TrianglePoint {
    let (vertices, edges) = (triangle.vertices(), edges(triangle));
    let mut best = (f64::INFINITY, 0, 0.0);
    for row in 0..3 {
        let (edge, from_start) = (edges[row], to - vertices[row]);
        // An edge without length gives NaN, which is never smaller; its point is the end of another edge.
        let part = (edge.dot(from_start) / edge.length_squared()).clamp(0.0, 1.0);
        let squared = (from_start - edge * part).length_squared();
        if squared < best.0 {
            best = (squared, row, part);
        }
    }
    let (_, row, part) = best;
    point_of_edge(triangle, row, part)
}

/// The point a `part` of the way along an edge.
fn point_of_edge(triangle: &Triangle, row: usize, part: f64) -> TrianglePoint {
    let (vertices, next) = (triangle.vertices(), (row + 1) % 3);
    let mut weights = [0.0; 3];
    (weights[row], weights[next]) = (1.0 - part, part);
    let (point, feature) = if part <= 0.0 {
        (vertices[row], Feature::Vertex(row))
    } else if part >= 1.0 {
        (vertices[next], Feature::Vertex(next))
    } else {
        (vertices[row] + edges(triangle)[row] * part, Feature::Edge(row))
    };
    TrianglePoint { point, feature, weights }
}

/// The foot of the perpendicular from `to`, if it is inside all three edges.
#[inline]
fn foot_on_face(triangle: &Triangle, normal: DVec3, to: DVec3) -> Option<TrianglePoint> {
    let [a, b, c] = triangle.vertices();
    let side = |edge: DVec3, start: DVec3| normal.cross(edge).dot(to - start);
    // Each of these is proportional to the weight of the opposite vertex.
    let sides = [side(c - b, b), side(a - c, c), side(b - a, a)];
    if !sides.iter().all(|&side| side > 0.0) {
        return None;
    }
    let sum = sides[0] + sides[1] + sides[2];
    let weights = sides.map(|side| side / sum);
    let point = a + (b - a) * weights[1] + (c - a) * weights[2];
    Some(TrianglePoint { point, feature: Feature::Face, weights })
}

/// The edges as vectors: from a to b, from b to c, from c to a. An edge whose square may underflow is replaced by zero.
#[inline]
pub(crate) fn edges(triangle: &Triangle) -> [DVec3; 3] {
    let [a, b, c] = triangle.vertices();
    let shortest = MAGNITUDE_MIN * MAGNITUDE_MIN;
    [b - a, c - b, a - c].map(|edge| if edge.length_squared() < shortest { DVec3::ZERO } else { edge })
}

/// The direction perpendicular to a triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Upright {
    /// Along the normal, twice the area long, m²; zero for a triangle without area.
    pub(crate) normal: DVec3,
    /// The longest edge (of equal ones the first), if the triangle is a sliver or has no area.
    pub(crate) spine: Option<usize>,
}

impl Upright {
    /// The cross product of two edges. If the first two edges differ enough in direction, these are used. Otherwise it
    /// is the product of the two shorter ones, made perpendicular to the longest.
    ///
    /// The cross product of a sliver has a large relative error. An error that turns the normal about the longest edge
    /// has little effect, because no point of the sliver is far from this edge. An error that tilts it along this edge
    /// has a large effect, and is removed.
    #[inline]
    pub(crate) fn of(triangle: &Triangle) -> Self {
        Self::between(&edges(triangle))
    }

    /// The same from the [`edges`].
    #[inline]
    pub(crate) fn between(edges: &[DVec3; 3]) -> Self {
        let normal = edges[0].cross(edges[1]);
        let (sides, area) = (edges[0].length_squared() * edges[1].length_squared(), normal.length_squared());
        if area > 0.0 && area * SLIVER_RATIO >= sides {
            return Self { normal, spine: None };
        }
        Self::of_sliver(edges)
    }

    fn of_sliver(edges: &[DVec3; 3]) -> Self {
        let lengths = edges.map(DVec3::length_squared);
        let longest = if lengths[0] >= lengths[1] && lengths[0] >= lengths[2] {
            0
        } else {
            1 + usize::from(lengths[2] > lengths[1])
        };
        let product = edges[(longest + 1) % 3].cross(edges[(longest + 2) % 3]);
        let tilt = product.dot(edges[longest]);
        let tilted = if tilt == 0.0 { DVec3::ZERO } else { edges[longest] * (tilt / lengths[longest]) };
        let normal = product - tilted;
        // If the area is so small that its square underflows, no direction can be determined.
        Self { normal: if normal.length_squared() > 0.0 { normal } else { DVec3::ZERO }, spine: Some(longest) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(x: f64, y: f64, z: f64) -> DVec3 {
        DVec3::new(x, y, z)
    }

    #[test]
    fn every_region_of_a_right_triangle() {
        let triangle = Triangle { a: at(0.0, 0.0, 0.0), b: at(4.0, 0.0, 0.0), c: at(0.0, 4.0, 0.0) };
        let rows = [
            (at(1.0, 1.0, 3.0), at(1.0, 1.0, 0.0), Feature::Face, [0.5, 0.25, 0.25]),
            (at(1.0, 2.0, -3.0), at(1.0, 2.0, 0.0), Feature::Face, [0.25, 0.25, 0.5]),
            (at(1.0, -1.0, 3.0), at(1.0, 0.0, 0.0), Feature::Edge(0), [0.75, 0.25, 0.0]),
            (at(1.0, 0.0, 0.0), at(1.0, 0.0, 0.0), Feature::Edge(0), [0.75, 0.25, 0.0]),
            (at(4.0, 4.0, 1.0), at(2.0, 2.0, 0.0), Feature::Edge(1), [0.0, 0.5, 0.5]),
            (at(-1.0, 3.0, 1.0), at(0.0, 3.0, 0.0), Feature::Edge(2), [0.25, 0.0, 0.75]),
            (at(-1.0, -1.0, 1.0), at(0.0, 0.0, 0.0), Feature::Vertex(0), [1.0, 0.0, 0.0]),
            (at(6.0, -1.0, 1.0), at(4.0, 0.0, 0.0), Feature::Vertex(1), [0.0, 1.0, 0.0]),
            (at(0.0, 4.0, 0.0), at(0.0, 4.0, 0.0), Feature::Vertex(2), [0.0, 0.0, 1.0]),
            (at(-1.0, 9.0, 0.0), at(0.0, 4.0, 0.0), Feature::Vertex(2), [0.0, 0.0, 1.0]),
        ];
        for (to, point, feature, weights) in rows {
            assert_eq!(point_on_triangle(to, &triangle), TrianglePoint { point, feature, weights }, "{to}");
        }
    }

    #[test]
    fn segments_and_points() {
        let (o, x) = (DVec3::ZERO, DVec3::X);
        let segment = |a, b, c| Triangle { a: x * a, b: x * b, c: x * c };
        let rows = [
            (segment(0.0, 1.0, 4.0), at(2.0, 1.0, 1.0), x * 2.0),
            (segment(4.0, 0.0, 1.0), at(2.0, 1.0, 1.0), x * 2.0),
            (segment(0.0, 4.0, 4.0), at(2.0, 1.0, 1.0), x * 2.0),
            (segment(0.0, 0.0, 4.0), at(9.0, 1.0, 1.0), x * 4.0),
            (segment(0.0, 1.0, 4.0), at(-9.0, 0.0, 1.0), o),
            (segment(1.0, 1.0, 1.0), at(-9.0, 0.0, 1.0), x),
        ];
        for (triangle, to, point) in rows {
            let found = point_on_triangle(to, &triangle);
            assert_eq!(found.point, point, "{triangle:?} {to}");
            assert_ne!(found.feature, Feature::Face);
        }
    }
}
