//! A triangle and a ball with its centre on a parabola.
//!
//! Two kinds of planes bound the regions in which one feature is the closest: those through the edges, perpendicular to
//! the face, and those through the ends of each edge, perpendicular to the edge. The path is cut at these planes, so
//! each stretch has one closest feature. For the face the whole stretch is an overlap, because the path was cut to the
//! slab above and below it before. For an edge or a vertex the condition is a quartic polynomial, whose roots are
//! bracketed.

use glam::DVec3;

use super::instant::touches;
use crate::geometry::Triangle;
use crate::geometry::closest::triangle::{Upright, edges};
use crate::geometry::closest::{Feature, point_on_triangle};
use crate::motion::Relative;
use crate::numeric::tolerance::TIME_MAX;
use crate::numeric::{Interval, Intervals};
use crate::sweep::ball::Ball;
use crate::sweep::cuts::{Cuts, ahead, inner_time};
use crate::sweep::instant::cut;
use crate::sweep::{coordinates, projected};

/// All overlaps from 0 on; stays in the hull that begin after `until` are left out. `centre` is the motion of the
/// ball's centre seen from the triangle's body.
pub(super) fn pieces(radius: f64, triangle: &Triangle, centre: &Relative, until: f64) -> Intervals {
    let mut pieces = Intervals::EMPTY;
    for stay in hull(radius, triangle, centre).as_slice() {
        if !(stay.leave > 0.0 && stay.enter <= until) {
            continue;
        }
        let stay = Interval { leave: stay.leave.min(TIME_MAX), ..*stay };
        if !stay.is_instant() {
            // From 0 on, the path is cut where the closest feature may change.
            changes(triangle, centre, ahead(stay))
                .each(stay.enter, stay.leave, |stretch| append_stretch(radius, triangle, centre, stretch, &mut pieces));
        } else if touches(radius, triangle, centre, stay) {
            pieces.join(stay.enter, stay.leave);
        }
    }
    pieces
}

/// When the centre is in the box around the triangle, widened by the radius, and in the slab around the triangle's
/// plane.
fn hull(radius: f64, triangle: &Triangle, centre: &Relative) -> Intervals {
    let Relative { position, velocity, acceleration } = *centre;
    let sum = (position + velocity + acceleration + triangle.a + triangle.b + triangle.c).element_sum();
    // NaN, infinite coordinates and a ball without interior give no overlap.
    if !(sum.is_finite() && radius > 0.0) {
        return Intervals::EMPTY;
    }
    let normal = Upright::of(triangle).normal;
    let height = projected(&seen_from(centre, triangle.a), normal);
    let mut hull = if normal == DVec3::ZERO { Intervals::ALL } else { height.within(radius * normal.length()) };
    let bounds = triangle.bounds();
    for (axis, coordinate) in coordinates(centre).iter().enumerate() {
        if hull.is_empty() {
            break;
        }
        hull = cut(&hull, coordinate, [bounds.min[axis] - radius, bounds.max[axis] + radius]);
    }
    hull
}

/// The motion seen from `place`.
fn seen_from(centre: &Relative, place: DVec3) -> Relative {
    Relative { position: centre.position - place, ..*centre }
}

/// The times in `range` at which the centre crosses the planes between the face, the edges and the vertices: where the
/// closest feature may change.
pub(super) fn changes(triangle: &Triangle, centre: &Relative, range: Interval) -> Cuts {
    let mut cuts = Cuts::new();
    let normal = Upright::of(triangle).normal;
    for (edge, start) in edges(triangle).into_iter().zip(triangle.vertices()) {
        let from_start = seen_from(centre, start);
        cuts.add_roots(&projected(&from_start, normal.cross(edge)), range);
        let along = projected(&from_start, edge);
        cuts.add_roots(&along, range);
        cuts.add_roots(&along.plus(-edge.length_squared()), range);
    }
    cuts
}

/// Appends the overlap in a stretch with one closest feature.
fn append_stretch(radius: f64, triangle: &Triangle, centre: &Relative, stretch: Interval, pieces: &mut Intervals) {
    let squared = radius * radius;
    let (around, radius_squared) =
        match point_on_triangle(centre.position_at(inner_time(ahead(stretch))), triangle).feature {
            Feature::Face => return pieces.join(stretch.enter, stretch.leave),
            Feature::Edge(row) => {
                let edge = edges(triangle)[row];
                // |p × e| is the distance from the edge times the length of the edge.
                let across = Relative {
                    position: (centre.position - triangle.vertices()[row]).cross(edge),
                    velocity: centre.velocity.cross(edge),
                    acceleration: centre.acceleration.cross(edge),
                };
                (across, squared * edge.length_squared())
            }
            Feature::Vertex(row) => (seen_from(centre, triangle.vertices()[row]), squared),
        };
    Ball { point: coordinates(&around), radius_squared }.append_pieces(ahead(stretch).enter, stretch.leave, pieces);
}
