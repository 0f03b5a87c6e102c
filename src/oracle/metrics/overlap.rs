//! The deepest overlap of two bodies in the rows.

use glam::DVec3;

use super::measured::{Measured, Outcome, Worst};
use crate::geometry::{Aabb, Gap, Tree, gap};
use crate::numeric::rounded;
use crate::oracle::exact::Exact;
use crate::oracle::trajectory::Trajectory;

/// The places of all bodies at one row: from the table for free bodies, otherwise from the exact course.
pub(super) fn places(exact: &Exact, of: &Trajectory, row: usize) -> Vec<DVec3> {
    (0..exact.bodies.len()).map(|body| of.moment(exact, body, row).position).collect()
}

/// Pairs that collide, of which at least one body is free, and whose bounds overlap: each with the lower number first,
/// in order.
pub(super) fn candidates(exact: &Exact, bounds: impl Fn(usize) -> Aabb) -> Vec<(usize, usize)> {
    let bounds: Vec<Aabb> = (0..exact.bodies.len()).map(bounds).collect();
    let tree = Tree::new(&bounds);
    let mut pairs = Vec::new();
    for (a, own) in bounds.iter().enumerate() {
        tree.touching(own, |row| {
            let b = row as usize;
            if a < b && (exact.bodies[a].is_free() || exact.bodies[b].is_free()) && exact.meets(a, b) {
                pairs.push((a, b));
            }
        });
    }
    pairs.sort_unstable();
    pairs
}

/// The bounds of a body at a place; those of a half-space are infinite.
pub(super) fn bounds(exact: &Exact, body: usize, at: DVec3) -> Aabb {
    Aabb::around(at, exact.bodies[body].shape.half_extents())
}

/// The gap between two bodies at these places; `None` if a shape is not a solid.
pub(super) fn gap_between(exact: &Exact, (a, b): (usize, usize), places: &[DVec3]) -> Option<Gap> {
    let (one, other) = (exact.bodies[a].shape.solid()?, exact.bodies[b].shape.solid()?);
    gap(one, other, places[b] - places[a])
}

pub(super) fn deepest(exact: &Exact, theirs: &Trajectory, ideal: &Trajectory) -> Outcome {
    let mut worst = Worst::new();
    for row in 0..theirs.len() {
        let (found, meant) = (places(exact, theirs, row), places(exact, ideal, row));
        for pair in candidates(exact, |body| bounds(exact, body, found[body])) {
            let depth = |places: &[DVec3]| Some((-gap_between(exact, pair, places)?.separation).max(0.0));
            if let (Some(found), Some(meant)) = (depth(&found), depth(&meant)) {
                worst.see((found - meant).max(0.0), (pair, row));
            }
        }
    }
    let note = worst.note(|((a, b), row)| {
        let [one, other] = [a, b].map(|body| &exact.names[body]);
        let (depth, time) = (rounded(worst.value, 3), rounded(theirs.times[row].seconds(), 6));
        format!("{depth} m, `{one}` and `{other}` at {time} s")
    });
    Ok(Measured::new(worst.value / exact.size, note))
}
