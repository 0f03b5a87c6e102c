//! A triangle and a ball with its centre on a straight line.
//!
//! A line has one interval in common with a convex solid. So the overlap is the smallest interval around the
//! intersections of the line with the parts of the solid: the prism over the face, a cylinder around each edge, a ball
//! around each vertex. If the line misses a part narrowly because of rounding, this interval still has no hole. The
//! slab between the two planes at the radius above and below the triangle is tested first. Where the line crosses the
//! slab inside the prism, the edges need no test.

use glam::DVec3;

use super::instant::touches;
use crate::geometry::closest::triangle::{Upright, edges};
use crate::geometry::{Triangle, triangle_gap};
use crate::motion::Relative;
use crate::numeric::Interval;
use crate::sweep::pairs::sphere_sphere::straight_within;

/// The only overlap of straight motion, if it ends after 0 and begins by `until`; `centre` is the motion of the ball's
/// centre seen from the triangle's body.
#[inline]
pub(super) fn overlap(radius: f64, triangle: &Triangle, centre: &Relative, until: f64) -> Option<Interval> {
    if !may_meet(radius, triangle, centre) {
        return None;
    }
    if centre.velocity == DVec3::ZERO {
        let gap = triangle_gap::sphere_triangle(radius, triangle, -centre.position);
        return (gap.separation < 0.0).then_some(Interval::ALL);
    }
    let overlap = meeting(radius, triangle, centre, until)?;
    (overlap.leave > 0.0 && overlap.enter <= until).then_some(overlap)
}

/// Whether the two may meet. They do not if, along some axis, the ball is beyond one end of the triangle and does not
/// approach it. NaN, infinite coordinates and a ball without interior give `false`.
#[inline]
fn may_meet(radius: f64, triangle: &Triangle, centre: &Relative) -> bool {
    let bounds = triangle.bounds();
    let (low, high) = (bounds.min - radius, bounds.max + radius);
    let (p, v) = (centre.position, centre.velocity);
    let above = p.cmpge(high) & v.cmpge(DVec3::ZERO);
    let below = p.cmple(low) & v.cmple(DVec3::ZERO);
    let sum = (p + v + triangle.a + triangle.b + triangle.c).element_sum();
    radius > 0.0 && sum.is_finite() && !(above | below).any()
}

fn meeting(radius: f64, triangle: &Triangle, centre: &Relative, until: f64) -> Option<Interval> {
    let Upright { normal, spine } = Upright::of(triangle);
    let Relative { position, velocity, .. } = *centre;
    let (vertices, edges) = (triangle.vertices(), edges(triangle));
    let from_vertices = vertices.map(|vertex| position - vertex);
    let reach = radius * normal.length();
    let height = Line { value: normal.dot(from_vertices[0]), slope: normal.dot(velocity) };
    let slab = if reach > 0.0 { height.within(reach)? } else { Interval::ALL };
    if !(slab.leave > 0.0 && slab.enter <= until) {
        return None;
    }
    if slab.is_instant() {
        return touches(radius, triangle, centre, slab).then_some(slab);
    }
    let mut face = (reach > 0.0).then_some(slab);
    let mut beyond = [reach == 0.0; 3];
    for row in 0..3 {
        let inwards = normal.cross(edges[row]);
        let side = Line { value: inwards.dot(from_vertices[row]), slope: inwards.dot(velocity) };
        let (enter, leave) = (side.at(slab.enter), side.at(slab.leave));
        // In the whole slab the centre is beyond this edge by more than the radius.
        if enter < 0.0 && leave < 0.0 && enter.max(leave) < -reach * edges[row].length() {
            return None;
        }
        beyond[row] |= enter < 0.0 || leave < 0.0;
        face = face.and_then(|face| side.clip(face));
    }
    // For a sliver, the planes of its edges bound the position along it poorly. The planes at the ends of its longest
    // edge do that instead.
    let mut all = spine.map_or(face, |row| Span::of(from_vertices[row], velocity, edges[row]).clip(face?));
    for row in (0..3).filter(|&row| beyond[row]) {
        all = hull(all, rounded_edge(radius, from_vertices[row], velocity, edges[row]));
    }
    all
}

/// When a point is in a cylinder with rounded ends; `position` is relative to the start of the axis `edge`.
fn rounded_edge(radius: f64, position: DVec3, velocity: DVec3, edge: DVec3) -> Option<Interval> {
    let squared = radius * radius;
    let ball = |position| straight_within(squared, &Relative { position, velocity, acceleration: DVec3::ZERO });
    let length = edge.length_squared();
    if length == 0.0 {
        return ball(position);
    }
    // |p × e| is the distance from the axis times the length of the axis.
    let across = Relative { position: position.cross(edge), velocity: velocity.cross(edge), acceleration: DVec3::ZERO };
    let cylinder = straight_within(squared * length, &across)?;
    let span = Span::of(position, velocity, edge);
    let ends = [span.from_start.at(cylinder.enter), span.from_start.at(cylinder.leave)];
    let mut all = span.clip(cylinder);
    if ends.iter().any(|&end| end < 0.0) {
        all = hull(all, ball(position));
    }
    if ends.iter().any(|&end| end > length) {
        all = hull(all, ball(position - edge));
    }
    all
}

/// The smallest interval around both.
#[inline]
fn hull(a: Option<Interval>, b: Option<Interval>) -> Option<Interval> {
    match (a, b) {
        (Some(a), Some(b)) => Some(Interval { enter: a.enter.min(b.enter), leave: a.leave.max(b.leave) }),
        _ => a.or(b),
    }
}

/// A number that changes at a constant rate.
#[derive(Debug, Clone, Copy)]
struct Line {
    value: f64,
    slope: f64,
}

impl Line {
    /// Its value at `t`, which may be infinite.
    #[inline]
    fn at(&self, t: f64) -> f64 {
        if self.slope == 0.0 { self.value } else { self.value + self.slope * t }
    }

    /// When it is between −`bound` and `bound`.
    #[inline]
    fn within(&self, bound: f64) -> Option<Interval> {
        if self.slope == 0.0 {
            return (self.value.abs() < bound).then_some(Interval::ALL);
        }
        let (low, high) = ((-bound - self.value) / self.slope, (bound - self.value) / self.slope);
        Some(if low < high { Interval { enter: low, leave: high } } else { Interval { enter: high, leave: low } })
    }

    /// The part of `range` in which it is not negative.
    #[inline]
    fn clip(&self, range: Interval) -> Option<Interval> {
        let zero = || -self.value / self.slope;
        match (self.at(range.enter) < 0.0, self.at(range.leave) < 0.0) {
            (false, false) => Some(range),
            (true, false) => Some(Interval { enter: zero(), ..range }),
            (false, true) => Some(Interval { leave: zero(), ..range }),
            (true, true) => None,
        }
    }
}

/// Position of a point along an edge, measured from both ends, times the length of the edge, m².
#[derive(Debug, Clone, Copy)]
struct Span {
    from_start: Line,
    to_end: Line,
}

impl Span {
    #[inline]
    fn of(position: DVec3, velocity: DVec3, edge: DVec3) -> Self {
        let (value, slope) = (edge.dot(position), edge.dot(velocity));
        Self { from_start: Line { value, slope }, to_end: Line { value: edge.length_squared() - value, slope: -slope } }
    }

    /// The part of `range` between the planes at the ends.
    #[inline]
    fn clip(&self, range: Interval) -> Option<Interval> {
        self.to_end.clip(self.from_start.clip(range)?)
    }
}
