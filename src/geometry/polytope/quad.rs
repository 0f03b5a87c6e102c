//! The quadrilateral: a flat sheet with four corners.

use glam::DVec3;

use crate::geometry::{Aabb, Triangle};

/// All points of the two triangles a b c and a c d, edges and vertices included.
///
/// For a flat convex quadrilateral these are all its points. A bent one is folded along a c. A flat one with a reflex
/// corner is represented correctly if that corner is a or c; otherwise the triangles overlap.
///
/// ```
/// use carom::geometry::Aabb;
/// use carom::geometry::polytope::Quad;
/// use carom::glam::DVec3;
///
/// let square = Quad { a: DVec3::ZERO, b: DVec3::X * 2.0, c: DVec3::new(2.0, 2.0, 0.0), d: DVec3::Y * 2.0 };
/// assert_eq!(square.triangles()[1].vertices(), [square.a, square.c, square.d]);
/// // It is the bottom of a cube.
/// let cube = Aabb { min: DVec3::ZERO, max: DVec3::splat(2.0) };
/// assert_eq!(Quad::faces(&cube)[4], square);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quad {
    /// First vertex, m.
    pub a: DVec3,
    /// Second vertex, m.
    pub b: DVec3,
    /// Third vertex, m.
    pub c: DVec3,
    /// Fourth vertex, m.
    pub d: DVec3,
}

impl Quad {
    /// The four vertices in order.
    #[inline]
    pub(crate) fn vertices(&self) -> [DVec3; 4] {
        [self.a, self.b, self.c, self.d]
    }

    /// The two triangles it consists of.
    #[inline]
    #[doc(hidden)]
    pub fn triangles(&self) -> [Triangle; 2] {
        [Triangle { a: self.a, b: self.b, c: self.c }, Triangle { a: self.a, b: self.c, c: self.d }]
    }

    /// The six faces of a box: min x, max x, min y, max y, min z, max z.
    #[doc(hidden)]
    pub fn faces(of: &Aabb) -> [Self; 6] {
        let corner = |axis: usize, side: f64, u: f64, v: f64| {
            let mut at = DVec3::ZERO;
            at[axis] = side;
            at[(axis + 1) % 3] = u;
            at[(axis + 2) % 3] = v;
            at
        };
        std::array::from_fn(|row| {
            let axis = row / 2;
            let side = if row % 2 == 0 { of.min[axis] } else { of.max[axis] };
            let ([u0, v0], [u1, v1]) = ([1, 2].map(|k| of.min[(axis + k) % 3]), [1, 2].map(|k| of.max[(axis + k) % 3]));
            let [a, b, c, d] = [[u0, v0], [u1, v0], [u1, v1], [u0, v1]].map(|[u, v]| corner(axis, side, u, v));
            Self { a, b, c, d }
        })
    }
}
