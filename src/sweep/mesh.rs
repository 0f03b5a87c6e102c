//! A moving solid and a mesh: which triangles are on its way.
//!
//! The tree of a mesh is walked in the order in which the box around the solid reaches the boxes of its nodes, and only
//! as far as the answer found so far; so the cost of a sweep grows with what is near the way, not with the mesh. A node
//! is asked for no more than a bound: a window of time for each axis, and along an axis of curved motion the range of the
//! coordinate in what is left of the window.

use std::cell::Cell;

use glam::DVec3;

use super::coordinates;
use crate::geometry::{Aabb, Mesh};
use crate::motion::Relative;
use crate::numeric::tolerance::SEAM_SLACK;
use crate::numeric::{Interval, Quadratic};

/// Calls `visit` with the triangles of `mesh` whose boxes may be met in [0, until] by the box that reaches `half` (m)
/// from the solid's place, the nearer part of the tree first; `until` is at first the one given and then what `visit`
/// returns, which gets the one that holds.
///
/// `motion` is that of the mesh's body seen from the solid. Triangles may come out of order, and some that are not met.
pub fn triangles_on_way(
    half: DVec3,
    mesh: &Mesh,
    motion: &Relative,
    until: f64,
    mut visit: impl FnMut(u32, f64) -> f64,
) {
    let last = Cell::new(until);
    let bound = |bounds: &Aabb| reach_time(half, bounds, motion, last.get());
    mesh.tree().nearest_first(until, bound, |triangle, until| {
        last.set(visit(triangle, until));
        last.get()
    });
}

/// A time before which the two boxes do not touch, s; infinite if they do not in [0, until].
#[inline]
fn reach_time(half: DVec3, bounds: &Aabb, motion: &Relative, until: f64) -> f64 {
    let center = bounds.center();
    let reach = half + bounds.half();
    // What only touches is on the way, too, to rounding.
    let grain = (motion.position.abs() + center.abs() + reach).max_element() * SEAM_SLACK;
    let reach = reach + grain;
    let way = coordinates(&Relative { position: motion.position + center, ..*motion });
    let mut window = Interval { enter: 0.0, leave: until };
    for axis in 0..3 {
        let cut = if way[axis].c2 == 0.0 { cut_to_slab } else { cut_to_hither_side };
        window = cut(window, &way[axis], reach[axis]);
    }
    if window.enter > window.leave {
        return f64::INFINITY;
    }
    let within = |axis: usize| way[axis].c2 == 0.0 || comes_within(&way[axis], reach[axis], window);
    if (0..3).all(within) { window.enter } else { f64::INFINITY }
}

/// A window that ends before it begins.
const NEVER: Interval = Interval { enter: f64::INFINITY, leave: f64::NEG_INFINITY };

/// The part of a window in which a straight coordinate is within ±`reach`; one that ends before it begins if none.
#[inline]
fn cut_to_slab(window: Interval, coordinate: &Quadratic, reach: f64) -> Interval {
    let &Quadratic { c0, c1, .. } = coordinate;
    if c1 == 0.0 {
        return if c0.abs() <= reach { window } else { NEVER };
    }
    let (low, high) = ((-reach - c0) / c1, (reach - c0) / c1);
    let (enter, leave) = if c1 > 0.0 { (low, high) } else { (high, low) };
    Interval { enter: window.enter.max(enter), leave: window.leave.min(leave) }
}

/// The part of a window in which a curved coordinate is not beyond ±`reach` on the side to which it bends, to rounding.
#[inline]
fn cut_to_hither_side(window: Interval, coordinate: &Quadratic, reach: f64) -> Interval {
    let side = coordinate.c2.signum();
    let (a, b) = (coordinate.c2.abs(), 0.5 * side * coordinate.c1);
    // The coordinate's terms are no larger than these while it is in reach.
    let grain = SEAM_SLACK * (coordinate.c0.abs() + b * b / a);
    let c = side * coordinate.c0 - reach - grain;
    let discriminant = b * b - a * c;
    if discriminant < 0.0 {
        return NEVER;
    }
    let root = discriminant.sqrt();
    let far = if b > 0.0 { -b - root } else { -b + root };
    let (one, other) = (far / a, c / far);
    Interval { enter: window.enter.max(one.min(other)), leave: window.leave.min(one.max(other)) }
}

/// Whether a curved coordinate comes within ±`reach` in a window, to rounding.
#[inline]
fn comes_within(coordinate: &Quadratic, reach: f64, window: Interval) -> bool {
    let Interval { enter, leave } = window;
    let turn = (-0.5 * coordinate.c1 / coordinate.c2).clamp(enter, leave);
    let [first, middle, last] = [enter, turn, leave].map(|t| coordinate.at(t));
    let grain = SEAM_SLACK * (coordinate.c1.abs() + coordinate.c2.abs() * leave) * leave;
    first.min(middle).min(last) <= reach + grain && first.max(middle).max(last) >= -reach - grain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::box_box::box_box;

    #[test]
    fn no_box_is_reached_before_its_bound() {
        let mut state = 1u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        let mut vector = |size: f64| DVec3::new(random(), random(), random()) * size;
        let mut met = 0;
        for round in 0..10_000 {
            let bounds = Aabb::around(vector(3.0), vector(1.5).abs());
            let half = vector(1.0).abs();
            let mut motion = Relative { position: vector(4.0), velocity: vector(3.0), acceleration: vector(5.0) };
            match round % 4 {
                0 => motion.acceleration = DVec3::ZERO,
                1 => motion.acceleration = DVec3::Z * -10.0,
                2 => (motion.acceleration, motion.velocity.x) = (DVec3::Z, 0.0),
                _ => {}
            }
            let seen = Relative { position: motion.position + bounds.center(), ..motion };
            let exact = box_box(half, bounds.half(), &seen, 2.0);
            let bound = reach_time(half, &bounds, &motion, 2.0);
            if let Some(overlap) = exact {
                assert!(bound <= overlap.enter, "{motion:?}: {bound} {overlap:?}");
                assert!(reach_time(half, &bounds, &motion, overlap.enter) <= overlap.enter, "{motion:?}");
                met += 1;
            }
        }
        assert!((500..5000).contains(&met), "{met}");
    }
}
