//! A moving solid and a mesh: which triangles are on its way.
//!
//! The tree of a mesh is walked in the order in which the box around the solid reaches the boxes of its nodes, and only
//! as far as the answer found so far; so the cost of a sweep grows with what is near the way, not with the mesh.

use glam::DVec3;

use super::slab::passage;
use super::{box_box, first};
use crate::geometry::{Aabb, Mesh};
use crate::motion::Relative;
use crate::numeric::tolerance::SEAM_SLACK;

/// Calls `visit` with the triangles of `mesh` whose boxes are met in [0, until] by the box that reaches `half` (m) from
/// the solid's place, the nearer part of the tree first; `until` is at first the one given and then what `visit` returns,
/// which gets the one that holds.
///
/// `motion` is that of the mesh's body seen from the solid. Triangles may come out of order, and some that are not met.
pub fn triangles_on_way(half: DVec3, mesh: &Mesh, motion: &Relative, until: f64, visit: impl FnMut(u32, f64) -> f64) {
    mesh.tree().nearest_first(until, |bounds| reach_time(half, bounds, motion, until), visit);
}

/// When the two boxes first overlap or touch, s; infinite if not in [0, until].
fn reach_time(half: DVec3, bounds: &Aabb, motion: &Relative, until: f64) -> f64 {
    let center = bounds.center();
    let reach = half + bounds.half();
    // What only touches is on the way, too, to rounding.
    let grain = (motion.position.abs() + center.abs() + reach).max_element() * SEAM_SLACK;
    let reach = reach + grain;
    let seen = Relative { position: motion.position + center, ..*motion };
    let interval = if motion.is_straight() {
        passage(reach, &seen, until).map(|passage| passage.interval)
    } else {
        first(&box_box::pieces(reach, DVec3::ZERO, &seen), until).map(|(interval, _)| interval)
    };
    interval.map_or(f64::INFINITY, |interval| interval.enter.max(0.0))
}
