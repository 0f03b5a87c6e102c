//! Cutting a triangle by planes without computing a point.
//!
//! A point of the triangle a b c is a mean of the vertices with weights λ ≥ 0, and its distance from a plane is the
//! same mean of the vertices' distances: the product of λ with the plane's row (distance of a, of b, of c). The edge
//! opposite a is the row (1, 0, 0). So the common part is a convex polygon bounded by lines row·λ ≥ 0, each of its
//! vertices is the cross product of two rows, and the side of a vertex is the sign of a determinant of three rows.
//! Polygons are cut line by line (Sutherland & Hodgman, *Reentrant Polygon Clipping*, 1974), but a vertex is stored as
//! its two lines. Every decision is exact for the computed distances, so it does not depend on any order, and a
//! triangle without area is no special case. Points are computed once, at the end.

use std::cmp::Ordering;

use glam::DVec3;

use super::{Mask, PLANES_MAX};
use crate::geometry::Plane;
use crate::geometry::exact::{cross, determinant_sign, sign};

/// Most vertices of a cut triangle: three, and one more for each plane.
pub(super) const RING_MAX: usize = PLANES_MAX + 3;

/// A line that bounds the common part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// The edge opposite the vertex of this number.
    Edge(u8),
    /// The plane of this row.
    Plane(u8),
}

/// The intersection of two lines: the one that ends here and the one that begins here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Vertex {
    pub(super) from: Line,
    pub(super) onto: Line,
}

impl Vertex {
    /// The number of the triangle's corner, if both lines are edges.
    #[inline]
    fn corner(self) -> Option<usize> {
        match (self.from, self.onto) {
            (Line::Edge(i), Line::Edge(j)) => Some(usize::from(3 - i - j)),
            _ => None,
        }
    }
}

/// The vertices of a convex polygon, going round; two are a segment from the first to the second, one is a point.
#[derive(Clone, Copy)]
pub(super) struct Ring {
    vertices: [Vertex; RING_MAX],
    count: usize,
}

impl Ring {
    pub(super) const EMPTY: Self = Self { vertices: [Self::CORNERS[0]; RING_MAX], count: 0 };

    /// The vertices a, b, c by their edges.
    pub(super) const CORNERS: [Vertex; 3] = [
        Vertex { from: Line::Edge(1), onto: Line::Edge(2) },
        Vertex { from: Line::Edge(2), onto: Line::Edge(0) },
        Vertex { from: Line::Edge(0), onto: Line::Edge(1) },
    ];

    /// The first `count` of a, b, c: a point, a segment or the triangle.
    pub(super) fn corners(count: usize) -> Self {
        let mut ring = Self::EMPTY;
        Self::CORNERS[..count].iter().for_each(|&corner| ring.push(corner));
        ring
    }

    pub(super) fn as_slice(&self) -> &[Vertex] {
        &self.vertices[..self.count]
    }

    /// Appends a vertex. With exact signs the ring never overflows; if products underflow, the last vertices are left
    /// out.
    fn push(&mut self, vertex: Vertex) {
        if let Some(place) = self.vertices.get_mut(self.count) {
            *place = vertex;
            self.count += 1;
        }
    }
}

/// A triangle and the planes that may cut it. For a segment c repeats b.
pub(super) struct Clipper {
    corners: [DVec3; 3],
    /// The planes that cut, and for each of them the distances of the corners.
    mask: Mask,
    rows: [DVec3; PLANES_MAX],
}

impl Clipper {
    pub(super) fn new(planes: &[Plane], corners: [DVec3; 3], mask: Mask) -> Self {
        let mut rows = [DVec3::ZERO; PLANES_MAX];
        for row in mask.rows() {
            rows[row] = DVec3::from_array(corners.map(|corner| planes[row].distance(corner)));
        }
        Self { corners, mask, rows }
    }

    /// The part of `ring` in front of all planes; empty if there is none.
    pub(super) fn clip(&self, mut ring: Ring) -> Ring {
        for row in self.mask.rows() {
            ring = self.cut(&ring, row);
        }
        ring
    }

    /// Where a vertex is, m, within the bounds of the triangle; `None` if its weights underflow.
    pub(super) fn point(&self, vertex: Vertex) -> Option<DVec3> {
        let [a, b, c] = self.corners;
        if let Some(corner) = vertex.corner() {
            return Some(self.corners[corner]);
        }
        let weight = cross(self.line(vertex.from), self.line(vertex.onto));
        let point = (a * weight.x + b * weight.y + c * weight.z) / weight.element_sum();
        // Rounding may move the mean of equal coordinates away from them.
        point.is_finite().then(|| point.clamp(a.min(b).min(c), a.max(b).max(c)))
    }

    /// Whether a vertex lies on the edge opposite the vertex of this number.
    pub(super) fn is_on_edge(&self, vertex: Vertex, opposite: usize) -> bool {
        self.side(vertex, DVec3::AXES[opposite]) == Ordering::Equal
    }

    /// The part of `ring` in front of one plane, the plane included.
    fn cut(&self, ring: &Ring, row: usize) -> Ring {
        let vertices = ring.as_slice();
        let distances = self.rows[row];
        let mut signs = [Ordering::Greater; RING_MAX];
        for (sign, &vertex) in signs.iter_mut().zip(vertices) {
            *sign = self.side(vertex, distances);
        }
        let signs = &signs[..vertices.len()];
        if !signs.contains(&Ordering::Less) {
            return *ring;
        }
        let mut kept = Ring::EMPTY;
        // A segment has one edge, not two.
        let edges = if vertices.len() == 2 { 1 } else { vertices.len() };
        let plane = Line::Plane(row as u8);
        for (k, &vertex) in vertices.iter().enumerate() {
            let (before, after) = (signs[(k + signs.len() - 1) % signs.len()], signs[(k + 1) % signs.len()]);
            match signs[k] {
                Ordering::Greater => kept.push(vertex),
                Ordering::Equal => kept.push(touched(vertex, before, after, plane)),
                Ordering::Less => {}
            }
            let crossing = match (signs[k], after) {
                (Ordering::Greater, Ordering::Less) => Vertex { from: vertex.onto, onto: plane },
                (Ordering::Less, Ordering::Greater) => Vertex { from: plane, onto: vertex.onto },
                _ => continue,
            };
            if k < edges {
                kept.push(crossing);
            }
        }
        // Only an edge on the plane is left; it may run from the last vertex to the first.
        if kept.count == 2 && kept.vertices[0].onto != kept.vertices[1].from {
            kept.vertices.swap(0, 1);
        }
        kept
    }

    /// On which side of a plane a vertex lies; `distances` is the plane's row.
    fn side(&self, vertex: Vertex, distances: DVec3) -> Ordering {
        match vertex.corner() {
            Some(corner) => sign(distances[corner]),
            None => determinant_sign(self.line(vertex.from), self.line(vertex.onto), distances),
        }
    }

    fn line(&self, line: Line) -> DVec3 {
        match line {
            Line::Edge(opposite) => DVec3::AXES[usize::from(opposite)],
            Line::Plane(row) => self.rows[usize::from(row)],
        }
    }
}

/// A vertex on the plane that cuts. On the side where the ring is behind the plane, its line is replaced by the plane.
fn touched(vertex: Vertex, before: Ordering, after: Ordering, plane: Line) -> Vertex {
    match (before, after) {
        (Ordering::Greater, Ordering::Less) => Vertex { onto: plane, ..vertex },
        (Ordering::Less, Ordering::Greater) => Vertex { from: plane, ..vertex },
        _ => vertex,
    }
}
