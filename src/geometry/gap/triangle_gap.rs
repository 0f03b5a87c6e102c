//! The separation of a ball or a box from a triangle at one instant, and its direction.
//!
//! For a ball, the separation is the distance of its centre from the closest point of the triangle, less the radius.
//! For a box, the gap is measured along thirteen axes: the triangle's normal, the box's three axes and the nine cross
//! products of an edge of one with an edge of the other. Two convex solids are apart if and only if they are apart
//! along one of these (Ericson, *Real-Time Collision Detection*, 2005, § 5.2.9). As with two boxes, the separation is
//! the largest of these gaps, which may be smaller than the distance; the sign is that of the distance.

use glam::DVec3;

use super::separation::{Gap, largest};
use crate::geometry::closest::triangle::{Feature, Upright, closest_below, edges};
use crate::geometry::{Triangle, unit};

/// The gap between a ball of radius `a` (m, not negative) and the sheet `b`, whose body lies at `offset` from the
/// ball's centre.
///
/// The normal points from the ball to the triangle. A centre exactly on the sheet is treated as slightly above it, on
/// the side from which the vertices are counterclockwise. If it is on a triangle without area, the normal is
/// perpendicular to the longest edge, or along x if there is no edge.
#[inline]
pub fn sphere_triangle(a: f64, b: &Triangle, offset: DVec3) -> Gap {
    let (centre, upright) = (-offset, Upright::of(b));
    let closest = closest_below(b, upright.normal, centre);
    if closest.feature == Feature::Face {
        let (height, length) = (upright.normal.dot(centre - b.a), upright.normal.length());
        let towards = if height < 0.0 { upright.normal } else { -upright.normal };
        return Gap { separation: height.abs() / length - a, normal: towards / length };
    }
    let towards = closest.point - centre;
    let distance = towards.length();
    let normal = if distance > 0.0 { towards / distance } else { -above(b, &upright) };
    Gap { separation: distance - a, normal }
}

/// A unit vector perpendicular to the triangle.
fn above(triangle: &Triangle, upright: &Upright) -> DVec3 {
    let edge = edges(triangle)[upright.spine.unwrap_or(0)];
    let across = edge.cross(DVec3::AXES[largest(-edge.abs())]);
    unit(upright.normal).or_else(|| unit(across)).unwrap_or(DVec3::NEG_X)
}

/// The gap between a box with half edges `a` (m, not negative) and the sheet `b`, whose body lies at `offset` from the
/// box's centre.
///
/// The normal is the axis of the largest gap and points from the box to the triangle. If several axes have the same
/// gap, the first of this order is taken: the triangle's normal, the box's axes, the products by edge and axis. If the
/// box is in the middle between both sides, the normal has the direction of the axis. A coordinate that is NaN gives a
/// separation that is NaN.
pub fn box_triangle(a: DVec3, b: &Triangle, offset: DVec3) -> Gap {
    let mut best = Gap { separation: f64::NEG_INFINITY, normal: DVec3::X };
    if (a + offset + b.a + b.b + b.c).is_nan() {
        return Gap { separation: f64::NAN, ..best };
    }
    Axes::new(a, b, offset).each(|axis| {
        let separation = axis.separation();
        if separation > best.separation {
            best = Gap { separation, normal: axis.normal() };
        }
    });
    best
}

/// The same along the axis that separates the two best when the triangle has moved by `displacement`, of those along
/// which they overlap by no more than `slack` now, m.
pub(crate) fn box_triangle_ahead(a: DVec3, b: &Triangle, offset: DVec3, displacement: DVec3, slack: f64) -> Gap {
    let mut best = box_triangle(a, b, offset);
    let mut farthest = f64::NEG_INFINITY;
    Axes::new(a, b, offset).each(|axis| {
        let (separation, normal) = (axis.separation(), axis.normal());
        let after = separation + normal.dot(displacement);
        if separation >= -slack && after > farthest {
            (farthest, best) = (after, Gap { separation, normal });
        }
    });
    best
}

/// A direction along which a box and a triangle may be apart.
///
/// They overlap along it if `low` < 0 < `high`. When the triangle moves by x, both grow by `direction`·x.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    /// Not of unit length.
    pub(crate) direction: DVec3,
    /// Where the triangle, widened by the box, begins along the direction, relative to the box's centre.
    pub(crate) low: f64,
    /// Where it ends.
    pub(crate) high: f64,
}

impl Axis {
    /// The axis of the triangle's extent from `low` to `high`, with a box that reaches `reach`.
    #[inline]
    fn new(direction: DVec3, [low, high]: [f64; 2], reach: f64) -> Self {
        Self { direction, low: low - reach, high: high + reach }
    }

    /// How far the two are apart along it, m; negative where they overlap.
    #[inline]
    fn separation(&self) -> f64 {
        let apart = if self.low > -self.high { self.low } else { -self.high };
        apart / self.direction.length()
    }

    /// The unit vector along it from the box to the triangle.
    #[inline]
    fn normal(&self) -> DVec3 {
        self.towards(0.0) / self.direction.length()
    }

    /// The direction or its opposite: the one from the box to the triangle after a shift by `moved`.
    #[inline]
    pub(crate) fn towards(&self, moved: f64) -> DVec3 {
        if self.low + moved < -(self.high + moved) { -self.direction } else { self.direction }
    }
}

/// The axes of a box and a triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axes {
    half: DVec3,
    /// The vertices seen from the box's centre.
    vertices: [DVec3; 3],
    edges: [DVec3; 3],
}

impl Axes {
    /// Of a box with half edges `half` and a triangle whose body lies at `offset` from the box's centre.
    #[inline]
    pub(crate) fn new(half: DVec3, triangle: &Triangle, offset: DVec3) -> Self {
        let vertices = triangle.vertices().map(|vertex| vertex + offset);
        Self { half, vertices, edges: edges(triangle) }
    }

    /// Calls `visit` with each axis in this order: the triangle's normal, the box's axes, the products with the edges.
    /// Axes without length are left out.
    #[inline]
    pub(crate) fn each(&self, mut visit: impl FnMut(Axis)) {
        self.face().into_iter().chain((0..3).map(|axis| self.box_axis(axis))).for_each(&mut visit);
        for edge in 0..3 {
            self.edge_axes(edge).each().for_each(&mut visit);
        }
    }

    /// The triangle's normal.
    #[inline]
    pub(crate) fn face(&self) -> Option<Axis> {
        let normal = Upright::between(&self.edges).normal;
        let heights = self.vertices.map(|vertex| normal.dot(vertex));
        (normal != DVec3::ZERO).then(|| Axis::new(normal, extent(heights), normal.abs().dot(self.half)))
    }

    /// One of the box's axes.
    #[inline]
    pub(crate) fn box_axis(&self, axis: usize) -> Axis {
        Axis::new(DVec3::AXES[axis], extent(self.vertices.map(|vertex| vertex[axis])), self.half[axis])
    }

    /// The products of the box's axes with one edge.
    #[inline]
    pub(crate) fn edge_axes(&self, row: usize) -> EdgeAxes {
        let (edge, half) = (self.edges[row], self.half);
        let start = edge.cross(self.vertices[row]);
        // From the edge to the vertex opposite.
        let rest = edge.cross(self.edges[(row + 1) % 3]);
        let below = DVec3::select(rest.cmplt(DVec3::ZERO), rest, DVec3::ZERO);
        let long = edge.abs();
        let reach = DVec3::new(
            half.y * long.z + half.z * long.y,
            half.z * long.x + half.x * long.z,
            half.x * long.y + half.y * long.x,
        );
        EdgeAxes { edge, low: start + below - reach, high: start + (rest - below) + reach }
    }
}

/// Three axes, the products xₖ × e of the box's axes with an edge.
///
/// Along such a product the edge is a point, and (xₖ × e)·p is the k-th coordinate of e × p.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EdgeAxes {
    pub(crate) edge: DVec3,
    /// [`Axis::low`] of each.
    pub(crate) low: DVec3,
    /// [`Axis::high`] of each.
    pub(crate) high: DVec3,
}

impl EdgeAxes {
    /// The axes that have a length.
    #[inline]
    pub(crate) fn each(&self) -> impl Iterator<Item = Axis> {
        let e = self.edge;
        let directions = [DVec3::new(0.0, -e.z, e.y), DVec3::new(e.z, 0.0, -e.x), DVec3::new(-e.y, e.x, 0.0)];
        let axes = directions.into_iter().zip(self.low.to_array()).zip(self.high.to_array());
        axes.filter(|((direction, _), _)| direction.length_squared() > 0.0).map(|((direction, low), high)| Axis {
            direction,
            low,
            high,
        })
    }
}

/// The least and the largest of three numbers.
#[inline]
fn extent([a, b, c]: [f64; 3]) -> [f64; 2] {
    let least = |x, y| if x < y { x } else { y };
    let largest = |x, y| if x > y { x } else { y };
    [least(least(a, b), c), largest(largest(a, b), c)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: Triangle = Triangle { a: DVec3::ZERO, b: DVec3::new(4.0, 0.0, 0.0), c: DVec3::new(0.0, 4.0, 0.0) };
    const WIDE: Triangle = Triangle { a: DVec3::ZERO, b: DVec3::new(16.0, 0.0, 0.0), c: DVec3::new(0.0, 16.0, 0.0) };
    const SEGMENT: Triangle = Triangle { a: DVec3::ZERO, b: DVec3::new(4.0, 0.0, 0.0), c: DVec3::new(1.0, 0.0, 0.0) };
    const POINT: Triangle = Triangle { a: DVec3::ZERO, b: DVec3::ZERO, c: DVec3::ZERO };

    fn at(x: f64, y: f64, z: f64) -> DVec3 {
        DVec3::new(x, y, z)
    }

    #[test]
    fn gaps_of_a_ball() {
        // Where the ball's centre is seen from the triangle.
        let rows = [
            (RIGHT, at(1.0, 1.0, 3.0), 1.0, -DVec3::Z),
            (RIGHT, at(1.0, 1.0, -0.5), -1.5, DVec3::Z),
            (RIGHT, at(1.0, 1.0, 0.0), -2.0, -DVec3::Z),
            (RIGHT, at(1.0, -3.0, 4.0), 3.0, at(0.0, 0.6, -0.8)),
            (RIGHT, at(7.0, 0.0, -4.0), 3.0, at(-0.6, 0.0, 0.8)),
            (RIGHT, at(0.0, 4.0, 0.0), -2.0, -DVec3::Z),
            (SEGMENT, at(2.0, 0.0, -5.0), 3.0, DVec3::Z),
            (SEGMENT, at(2.0, 0.0, 0.0), -2.0, -DVec3::Z),
            (POINT, at(0.0, 3.0, 4.0), 3.0, at(0.0, -0.6, -0.8)),
            (POINT, DVec3::ZERO, -2.0, DVec3::X),
        ];
        for (triangle, centre, separation, normal) in rows {
            assert_eq!(sphere_triangle(2.0, &triangle, -centre), Gap { separation, normal }, "{triangle:?} {centre}");
        }
    }

    #[test]
    fn gaps_of_a_box() {
        // Where the box's centre is seen from the triangle.
        let rows = [
            (RIGHT, at(1.0, 1.0, 5.0), 2.0, -DVec3::Z),
            (RIGHT, at(1.0, 1.0, -2.5), -0.5, DVec3::Z),
            (RIGHT, at(1.0, 1.0, 0.0), -2.0, DVec3::X),
            // As deep along x as along the normal.
            (WIDE, at(2.0, 4.0, 0.0), -3.0, DVec3::Z),
            (RIGHT, at(-2.0, 1.0, 0.0), 1.0, DVec3::X),
            (RIGHT, at(2.0, -5.0, 1.0), 3.0, DVec3::Y),
            // Beyond the slanting edge: (4 + 4 − (1 + 2) − 4)/√2.
            (RIGHT, at(4.0, 4.0, 1.0), 1.0 / f64::sqrt(2.0), at(-1.0, -1.0, 0.0) / f64::sqrt(2.0)),
            (SEGMENT, at(2.0, 2.5, 1.0), 0.5, -DVec3::Y),
            (POINT, at(0.0, 0.0, -7.0), 4.0, DVec3::Z),
            (POINT, DVec3::ZERO, -1.0, DVec3::X),
        ];
        for (triangle, centre, separation, normal) in rows {
            let found = box_triangle(at(1.0, 2.0, 3.0), &triangle, -centre);
            assert_eq!(found, Gap { separation, normal }, "{triangle:?} {centre}");
        }
    }
}
