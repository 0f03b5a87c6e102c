//! The common part of a quadrilateral and a polytope, joined from the parts of its two triangles.
//!
//! The triangles a b c and a c d are cut one by one. They share the diagonal a c, and the part of it that the planes
//! leave is the same in both, to the bit. Each end of this part is kept once. It is left out if one plane continues
//! from one triangle into the other, because a flat quadrilateral has no vertex there.

use super::clip::{Clipper, Line, RING_MAX, Ring, Vertex};
use super::{Mask, Meeting, Points, Quad};
use crate::geometry::Plane;

/// The common points of a quadrilateral and the region in front of the planes of `mask`.
pub(super) fn join(planes: &[Plane], quad: &Quad, mask: Mask) -> (Points, Meeting) {
    let [abc, acd] = quad.triangles().map(|half| Clipper::new(planes, half.vertices(), mask));
    let (abc, acd) = (Half::new(abc, 1), Half::new(acd, 2));
    let mut joined = Joined { points: Points::EMPTY, meeting: Meeting::Pierced };
    // Points on the diagonal belong to the other half as well.
    if acd.free().is_empty() && abc.count > 0 {
        joined.take(&abc, abc.vertices());
    } else if abc.free().is_empty() {
        joined.take(&acd, acd.vertices());
    } else {
        // The diagonal runs from c to a in the triangle a b c, and from a to c in the triangle a c d.
        let mut ends = abc.shared().iter().zip(acd.shared().iter().rev());
        let mut corner = || ends.next().filter(|(p, q)| !passes(**p, **q)).map(|(p, _)| *p);
        let (at_c, at_a) = (corner(), corner());
        joined.take(&abc, abc.free());
        joined.take(&abc, at_c.as_slice());
        joined.take(&acd, acd.free());
        joined.take(&abc, at_a.as_slice());
    }
    (joined.points, joined.meeting)
}

/// One triangle's part, unrolled so that its vertices on the diagonal come last.
struct Half {
    clipper: Clipper,
    /// The vertex of the triangle opposite the diagonal.
    opposite: usize,
    unrolled: [Vertex; RING_MAX],
    free: usize,
    count: usize,
}

impl Half {
    fn new(clipper: Clipper, opposite: usize) -> Self {
        let ring = clipper.clip(Ring::corners(3));
        let vertices = ring.as_slice();
        let count = vertices.len();
        let is_free = |k: usize| !clipper.is_on_edge(vertices[k % count], opposite);
        let start = (0..count).find(|&k| is_free(k) && !is_free(k + count - 1)).unwrap_or(0);
        let free = (0..count).filter(|&k| is_free(k)).count();
        let mut unrolled = [Ring::CORNERS[0]; RING_MAX];
        (0..count).for_each(|k| unrolled[k] = vertices[(start + k) % count]);
        Self { clipper, opposite, unrolled, free, count }
    }

    fn vertices(&self) -> &[Vertex] {
        &self.unrolled[..self.count]
    }

    fn free(&self) -> &[Vertex] {
        &self.unrolled[..self.free]
    }

    fn shared(&self) -> &[Vertex] {
        &self.unrolled[self.free..self.count]
    }
}

struct Joined {
    points: Points,
    meeting: Meeting,
}

impl Joined {
    fn take(&mut self, half: &Half, vertices: &[Vertex]) {
        for &vertex in vertices {
            let outer = (0..3).filter(|&edge| edge != half.opposite);
            if outer.into_iter().any(|edge| half.clipper.is_on_edge(vertex, edge)) {
                self.meeting = Meeting::Cut;
            }
            half.clipper.point(vertex).into_iter().for_each(|point| self.points.push(point));
        }
    }
}

/// Whether the same plane cuts the diagonal in both halves, at the vertex `p` of one and `q` of the other.
fn passes(p: Vertex, q: Vertex) -> bool {
    let across = |vertex: Vertex| match (vertex.from, vertex.onto) {
        (Line::Plane(row), Line::Edge(_)) | (Line::Edge(_), Line::Plane(row)) => Some(row),
        _ => None,
    };
    across(p).is_some() && across(p) == across(q)
}
