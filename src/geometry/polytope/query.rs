//! Points, segments, triangles and quadrilaterals against a polytope.
//!
//! First the vertices are tested against every active plane. If all of them are behind one plane, the primitive is
//! rejected. A plane with all of them in front needs no further test. If no plane is left, the primitive is inside.
//! Otherwise the remaining planes cut the primitive ([`clip`](super::clip)). If a part remains, its vertices are the
//! result; they lie on edges of the primitive, or where the polytope pierces its interior.

use glam::DVec3;

use super::clip::{Clipper, Ring};
use super::join::join;
use super::{Hit, Mask, Meeting, Points, Polytope, Quad, is_moderate_vector};
use crate::geometry::{Segment, Triangle};

/// Single primitives. `active` contains the planes that are tested; [`mask`](Polytope::mask) has all of them. The
/// primitive must lie in front of the other planes, as shown by [`classify`](Polytope::classify) for a box around it.
///
/// | the primitive | result |
/// |---|---|
/// | in front of all planes, or touching them from the front | `Meeting::Inside`, its vertices |
/// | cut by planes, or touched at a vertex or an edge | `Meeting::Cut`, the vertices of the common part |
/// | a triangle or quadrilateral that meets the polytope in its interior only | `Meeting::Pierced`, likewise |
/// | apart from the polytope | `None` |
/// | with a coordinate that is NaN, infinite or beyond 1e70 m | `None` |
///
/// Segments without length and triangles without area count as points and segments; they are no special cases.
impl Polytope {
    /// A point against the polytope.
    pub fn point(&self, point: DVec3, active: Mask) -> Option<Hit> {
        match self.cutting(&[point], active)? {
            Mask::EMPTY => self.inside(&[point]),
            _ => None,
        }
    }

    /// A segment against the polytope.
    ///
    /// ```
    /// use carom::geometry::polytope::Meeting;
    /// use carom::geometry::{Aabb, Plane, Polytope, Segment};
    /// use carom::glam::DVec3;
    ///
    /// let floor = Plane::new(DVec3::Z, 0.0).unwrap();
    /// let cube = Polytope::from_aabb(&Aabb::around(DVec3::ZERO, DVec3::ONE), floor).unwrap();
    /// let through = Segment { start: DVec3::X * -3.0, end: DVec3::X * 2.0 };
    /// let hit = cube.segment(&through, cube.mask()).unwrap();
    /// assert_eq!(hit.meeting, Meeting::Cut);
    /// assert_eq!(hit.points.as_slice(), [-DVec3::X, DVec3::X]);
    /// ```
    pub fn segment(&self, segment: &Segment, active: Mask) -> Option<Hit> {
        let ends = [segment.start, segment.end];
        match self.cutting(&ends, active)? {
            Mask::EMPTY => self.inside(&ends),
            cutting => self.cut([ends[0], ends[1], ends[1]], Ring::corners(2), cutting),
        }
    }

    /// A triangle against the polytope.
    ///
    /// ```
    /// use carom::geometry::polytope::Meeting;
    /// use carom::geometry::{Aabb, Plane, Polytope, Triangle};
    /// use carom::glam::DVec3;
    ///
    /// let floor = Plane::new(DVec3::Z, 0.0).unwrap();
    /// let cube = Polytope::from_aabb(&Aabb::around(DVec3::ZERO, DVec3::ONE), floor).unwrap();
    /// // It is much larger than the cube, which pierces it in a square.
    /// let wide = Triangle { a: DVec3::new(-9.0, -9.0, 0.0), b: DVec3::new(9.0, -9.0, 0.0), c: DVec3::Y * 9.0 };
    /// let hit = cube.triangle(&wide, cube.mask()).unwrap();
    /// assert_eq!((hit.meeting, hit.points.as_slice().len()), (Meeting::Pierced, 4));
    /// assert_eq!(cube.triangle(&wide.shifted(DVec3::Z * 2.0), cube.mask()), None);
    /// ```
    pub fn triangle(&self, triangle: &Triangle, active: Mask) -> Option<Hit> {
        let vertices = triangle.vertices();
        match self.cutting(&vertices, active)? {
            Mask::EMPTY => self.inside(&vertices),
            cutting => self.cut(vertices, Ring::corners(3), cutting),
        }
    }

    /// A quadrilateral, that is its two triangles, against the polytope.
    ///
    /// If the diagonal a c only passes through the common part, it adds no point. If a quadrilateral with a fold or a
    /// reflex corner has two separate parts in common, their points follow each other.
    pub fn quad(&self, quad: &Quad, active: Mask) -> Option<Hit> {
        let vertices = quad.vertices();
        match self.cutting(&vertices, active)? {
            Mask::EMPTY => self.inside(&vertices),
            cutting => {
                let (points, meeting) = join(&self.planes, quad, cutting);
                Hit::new(meeting, points, &self.reference)
            }
        }
    }

    /// The planes that have some of the vertices behind them, or `None` if one has all of them.
    #[inline]
    fn cutting(&self, vertices: &[DVec3], active: Mask) -> Option<Mask> {
        if !vertices.iter().all(|&vertex| is_moderate_vector(vertex)) {
            return None;
        }
        let mut cutting = Mask::EMPTY;
        for row in active.intersection(self.mask()).rows() {
            let plane = &self.planes[row];
            match vertices.iter().filter(|&&vertex| plane.distance(vertex) >= 0.0).count() {
                0 => return None,
                front if front < vertices.len() => cutting = cutting.with(row),
                _ => {}
            }
        }
        Some(cutting)
    }

    fn inside(&self, vertices: &[DVec3]) -> Option<Hit> {
        let mut points = Points::EMPTY;
        vertices.iter().for_each(|&vertex| points.push(vertex));
        Hit::new(Meeting::Inside, points, &self.reference)
    }

    fn cut(&self, corners: [DVec3; 3], ring: Ring, cutting: Mask) -> Option<Hit> {
        let clipper = Clipper::new(&self.planes, corners, cutting);
        let ring = clipper.clip(ring);
        let mut points = Points::EMPTY;
        let vertices = ring.as_slice();
        vertices.iter().filter_map(|&vertex| clipper.point(vertex)).for_each(|point| points.push(point));
        let at_edge = vertices.iter().any(|&vertex| (0..3).any(|edge| clipper.is_on_edge(vertex, edge)));
        Hit::new(if at_edge { Meeting::Cut } else { Meeting::Pierced }, points, &self.reference)
    }
}

/// Slices: the hits in order, each with the row of its primitive.
impl Polytope {
    /// Those of `points` that belong to the polytope.
    pub fn points<'a>(&'a self, points: &'a [DVec3], active: Mask) -> impl Iterator<Item = Hit> + 'a {
        each(points, move |&point| self.point(point, active))
    }

    /// Those of `segments` that meet the polytope.
    pub fn segments<'a>(&'a self, segments: &'a [Segment], active: Mask) -> impl Iterator<Item = Hit> + 'a {
        each(segments, move |segment| self.segment(segment, active))
    }

    /// Those of `triangles` that meet the polytope.
    pub fn triangles<'a>(&'a self, triangles: &'a [Triangle], active: Mask) -> impl Iterator<Item = Hit> + 'a {
        each(triangles, move |triangle| self.triangle(triangle, active))
    }

    /// Those of `quads` that meet the polytope.
    pub fn quads<'a>(&'a self, quads: &'a [Quad], active: Mask) -> impl Iterator<Item = Hit> + 'a {
        each(quads, move |quad| self.quad(quad, active))
    }
}

fn each<'a, P>(primitives: &'a [P], find: impl Fn(&P) -> Option<Hit> + 'a) -> impl Iterator<Item = Hit> + 'a {
    primitives.iter().enumerate().filter_map(move |(index, primitive)| Some(Hit { index, ..find(primitive)? }))
}
