//! The point of a triangle that is closest to a given point, and the part of the triangle it lies on.
//!
//! The point is above the face if it is on the inner side of all three edges (the regions of Ericson, *Real-Time
//! Collision Detection*, 2005, § 5.1.5); else the closest of the three edges answers. Above a sliver the three sides are
//! differences that cancel, so the foot they give is taken only if it is no farther than the plane, or else than the
//! edges. So a sliver answers as well as a fair triangle, and a triangle without area as a segment or a point.

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
    /// How much of a, b, c it is (barycentric coordinates): none negative, their sum 1 to rounding.
    pub weights: [f64; 3],
}

/// The point of `triangle` closest to `to`.
///
/// - A `to` on the boundary between two regions, or on an edge or a vertex itself, gets the edge or the vertex.
/// - A triangle without area never answers with its face, one without length answers with vertex 0.
/// - A `to` with a coordinate that is NaN is at a distance of NaN from the answer.
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

/// The closest point of the three edges; of points as close as each other the first.
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
    // A side is in proportion to the weight of the vertex opposite.
    let sides = [side(c - b, b), side(a - c, c), side(b - a, a)];
    if !sides.iter().all(|&side| side > 0.0) {
        return None;
    }
    let sum = sides[0] + sides[1] + sides[2];
    let weights = sides.map(|side| side / sum);
    let point = a + (b - a) * weights[1] + (c - a) * weights[2];
    Some(TrianglePoint { point, feature: Feature::Face, weights })
}

/// The edges as vectors: from a to b, from b to c, from c to a. One whose square may underflow counts as none.
#[inline]
pub(crate) fn edges(triangle: &Triangle) -> [DVec3; 3] {
    let [a, b, c] = triangle.vertices();
    let shortest = MAGNITUDE_MIN * MAGNITUDE_MIN;
    [b - a, c - b, a - c].map(|edge| if edge.length_squared() < shortest { DVec3::ZERO } else { edge })
}

/// The direction across a triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Upright {
    /// Along the normal, twice the area long, m²; zero for a triangle without area.
    pub(crate) normal: DVec3,
    /// The longest edge (of equal ones the first) of a triangle so thin that it looks much like this edge.
    pub(crate) spine: Option<usize>,
}

impl Upright {
    /// The cross product of two edges: of any two if they are well apart in direction, else of the two shorter ones,
    /// made perpendicular to the longest.
    ///
    /// The product of a sliver is off by a rounding of the edges, which may be much of it. Turning about the longest
    /// edge does not matter, no point of the sliver being far from it; tilting along that edge would.
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
        // Of an area so small that its square underflows nothing is left to go by.
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
