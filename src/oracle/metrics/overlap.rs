//! The deepest overlap of two bodies in the rows.

use super::measured::{Measured, Outcome, Worst};
use super::pairs::near;
use crate::geometry::{Gap, Shape, gap};
use crate::numeric::rounded;
use crate::oracle::exact::{Exact, Moment};
use crate::oracle::trajectory::Trajectory;
use glam::DVec3;

/// The places of all bodies at one row: from the table for free bodies, otherwise from the exact course.
pub(super) fn places(exact: &Exact, of: &Trajectory, row: usize) -> Vec<DVec3> {
    let time = of.times[row];
    let mut places: Vec<DVec3> = (0..exact.bodies.len()).map(|body| exact.at(body, time).position).collect();
    for (track, &body) in of.tracks.iter().zip(&exact.free) {
        let Moment { position, .. } = track[row];
        places[body] = position;
    }
    places
}

/// Pairs that collide, of which at least one body is free, and whose bounds overlap.
pub(super) fn candidates(exact: &Exact, bounds: &[(DVec3, DVec3)]) -> Vec<(usize, usize)> {
    let mut pairs = near(bounds);
    pairs.retain(|&(a, b)| (exact.bodies[a].is_free() || exact.bodies[b].is_free()) && exact.meets(a, b));
    pairs
}

/// The bounds of a shape at a place; those of a half-space are infinite.
pub(super) fn bounds(shape: &Shape, at: DVec3) -> (DVec3, DVec3) {
    let half = if matches!(shape, Shape::Plane(_)) { DVec3::splat(f64::INFINITY) } else { shape.half_extents() };
    (at - half, at + half)
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
        let boxes: Vec<_> = found.iter().zip(&exact.bodies).map(|(&at, body)| bounds(&body.shape, at)).collect();
        for pair in candidates(exact, &boxes) {
            let depth = |places: &[DVec3]| Some((-gap_between(exact, pair, places)?.separation).max(0.0));
            if let (Some(found), Some(meant)) = (depth(&found), depth(&meant)) {
                worst.see((found - meant).max(0.0), (pair, row));
            }
        }
    }
    let note = match worst.of.filter(|_| worst.value > 0.0) {
        Some(((a, b), row)) => format!(
            "{} m, `{}` and `{}` at {} s",
            rounded(worst.value, 3),
            exact.names[a],
            exact.names[b],
            rounded(theirs.times[row].seconds(), 6)
        ),
        None => String::new(),
    };
    Ok(Measured::new(worst.value / exact.size, note))
}
