//! Bodies that pass through walls, or through each other.
//!
//! A centre behind the face of a half-space has passed it. Between two rows the centre of a body moves along a chord,
//! relative to a wall or to another body. If the chord cuts through the middle of a body that it should have bounced
//! off, the two have passed through each other. After a bounce off a convex body the chord stays outside of it. If the
//! exact course has such a chord, too, it is not a fault.

use std::collections::BTreeSet;

use glam::DVec3;

use super::measured::{Measured, Outcome};
use super::overlap::{bounds, candidates, places};
use crate::geometry::cast::ray_aabb;
use crate::geometry::closest::point_on_segment;
use crate::geometry::{Aabb, Ray, Segment, Shape};
use crate::oracle::exact::Exact;
use crate::oracle::trajectory::Trajectory;

pub(super) fn passed(exact: &Exact, theirs: &Trajectory, ideal: &Trajectory) -> Outcome {
    if exact.bodies.len() < 2 {
        return Err("there is nothing to pass through");
    }
    let mut found: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut before = [places(exact, theirs, 0), places(exact, ideal, 0)];
    for row in 1..theirs.len() {
        let now = [places(exact, theirs, row), places(exact, ideal, row)];
        let is_within = theirs.times[row].seconds() <= exact.horizon.until;
        let swept = |body: usize| bounds(exact, body, before[0][body]).union(&bounds(exact, body, now[0][body]));
        for pair in candidates(exact, swept) {
            let [one, other] = [pair.0, pair.1].map(|body| exact.bodies[body].is_free());
            // Beyond the horizon the exact chords belong to another course, so two free bodies are not compared.
            if !found.contains(&pair)
                && (is_within || !(one && other))
                && cuts(exact, pair, &before[0], &now[0])
                && !cuts(exact, pair, &before[1], &now[1])
            {
                found.insert(pair);
            }
        }
        before = now;
    }
    let names = found.iter().take(3).map(|&(a, b)| format!("`{}` and `{}`", exact.names[a], exact.names[b]));
    Ok(Measured::new(found.len() as f64, names.collect::<Vec<_>>().join("; ")))
}

/// Whether the chord of `b` relative to `a` goes through the middle of the pair.
fn cuts(exact: &Exact, (a, b): (usize, usize), from: &[DVec3], to: &[DVec3]) -> bool {
    let chord = [from[b] - from[a], to[b] - to[a]];
    let (one, other) = (&exact.bodies[a], &exact.bodies[b]);
    match (&one.shape, &other.shape) {
        (Shape::Plane(plane), _) => plane.distance(chord[1]) < 0.0,
        (_, Shape::Plane(plane)) => plane.distance(-chord[1]) < 0.0,
        (Shape::Sphere(r), Shape::Sphere(s)) => nearest(chord) < 0.5 * (r.get() + s.get()),
        (Shape::Box(half), Shape::Box(other)) => crosses(chord, 0.5 * (half.get() + other.get())),
        // A ball has passed a wall if its centre has; it has passed a free box if it comes within half a radius.
        (Shape::Box(half), Shape::Sphere(radius)) => crosses(chord, half.get() + margin(one.is_free(), radius.get())),
        (Shape::Sphere(radius), Shape::Box(half)) => crosses(chord, half.get() + margin(other.is_free(), radius.get())),
        _ => false,
    }
}

fn margin(is_free: bool, radius: f64) -> f64 {
    if is_free { 0.5 * radius } else { 0.0 }
}

/// The least distance of a chord from the origin.
fn nearest([start, end]: [DVec3; 2]) -> f64 {
    point_on_segment(DVec3::ZERO, &Segment { start, end }).point.length()
}

/// Whether a chord enters the box with these half extents around the origin.
fn crosses([from, to]: [DVec3; 2], half: DVec3) -> bool {
    let chord = Ray { origin: from, direction: to - from };
    ray_aabb(&chord, &Aabb::around(DVec3::ZERO, half), 1.0).is_some_and(|crossing| crossing.enter < 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chords_and_boxes() {
        let half = DVec3::new(1.0, 2.0, 0.5);
        let rows = [
            (DVec3::new(-3.0, 0.0, 0.0), DVec3::new(3.0, 0.0, 0.0), true),
            (DVec3::new(-3.0, 2.5, 0.0), DVec3::new(3.0, 2.5, 0.0), false),
            (DVec3::new(-3.0, 0.0, 0.0), DVec3::new(-1.5, 0.0, 0.0), false),
            (DVec3::new(-3.0, 0.0, 0.0), DVec3::new(-1.0, 0.0, 0.0), false),
            (DVec3::new(-3.0, -3.0, 0.0), DVec3::new(3.0, 3.0, 0.4), true),
            (DVec3::new(-3.0, 0.0, 0.0), DVec3::new(0.0, 0.0, 0.0), true),
        ];
        for (from, to, wanted) in rows {
            assert_eq!(crosses([from, to], half), wanted, "{from} {to}");
            assert_eq!(crosses([-from, -to], half), wanted);
        }
        assert_eq!(nearest([DVec3::new(-1.0, 2.0, 0.0), DVec3::new(1.0, 2.0, 0.0)]), 2.0);
    }
}
