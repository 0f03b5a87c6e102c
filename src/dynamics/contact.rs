//! Contacts that last: when a bounce becomes one, and how a supported body moves.
//!
//! A body presses against its supports only as much as they keep it from moving into them, and a support
//! never pulls. So its acceleration is the one nearest to that of free fall among all that do not point
//! into a support: a projection on a polyhedral cone, which is the acceleration-level complementarity of
//! one body with fixed supports (Acary & Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*,
//! 2008, ch. 5). The same projection takes the closing part off a velocity.

use glam::DVec3;

use super::BodyId;
use crate::numeric::tolerance::PROJECTION_SLACK;

/// A support that a body rests or slides on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Contact {
    pub(super) support: BodyId,
    /// Which image of the support, counted through all periods ([`Pair::absolute`](super::pair::Pair::absolute)).
    pub(super) image: [i32; 3],
    /// Unit vector from the body into the support.
    pub(super) normal: DVec3,
    pub(super) surface: Surface,
    /// Which triangle of a mesh was met; 0 for other supports.
    pub(super) part: u32,
}

/// How a contact ends when nothing hits the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Surface {
    /// The contact holds while the centres differ by less than `reach` along every axis.
    Flat { reach: DVec3 },
    /// The contact holds while the body touches the facet that its triangle is part of.
    Facet,
    /// The body moves along the tangent plane; the contact ends when that has left the round surface
    /// behind by the rest length.
    Curved,
}

/// What a body stands on, and how hard.
#[derive(Debug, Clone, Default)]
pub(super) struct Footing {
    pub(super) contacts: Vec<Contact>,
    /// Force of all supports on the body, N.
    pub(super) force: DVec3,
    /// Power that moving supports put into the body, W.
    pub(super) power: f64,
}

/// A projected vector, and how far each bound had to push: (row of the bound, length of the push).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Projection {
    pub(super) vector: DVec3,
    pub(super) pushes: [(usize, f64); 3],
}

/// One linear bound: `normal`·x ≤ `limit`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    pub(super) normal: DVec3,
    pub(super) limit: f64,
}

impl Bound {
    /// What rounding may make of the difference of a velocity and a bound that are equal, m/s.
    pub(super) fn grain(&self, velocity: DVec3) -> f64 {
        PROJECTION_SLACK * (velocity.abs().max_element() + self.limit.abs())
    }
}

/// Whether a rebound at `speed` (m/s) against an acceleration `inward` (m/s², towards the support) would rise
/// no higher than `rest_length`.
#[inline]
pub(super) fn is_rest(speed: f64, inward: f64, rest_length: f64) -> bool {
    inward >= 0.0 && speed * speed <= 2.0 * inward * rest_length
}

/// The vector nearest to `x` that satisfies all `bounds`.
///
/// The nearest point lies on at most three of the bounding planes; the sets of planes are tried in order
/// of size, and the first that fits is the answer. `None` if no vector satisfies all.
pub(super) fn nearest_within(x: DVec3, bounds: &[Bound]) -> Option<Projection> {
    let count = bounds.len();
    let free = Projection { vector: x, pushes: [(0, 0.0); 3] };
    let fits = |y: &Projection| bounds.iter().all(|bound| allows(bound, y.vector, x));
    let ones = (0..count).filter_map(|i| on_planes(x, bounds, &[i]));
    let pairs = (0..count).flat_map(|i| (0..i).filter_map(move |j| on_planes(x, bounds, &[i, j])));
    let triples =
        (0..count).flat_map(|i| (0..i).flat_map(move |j| (0..j).filter_map(move |k| on_planes(x, bounds, &[i, j, k]))));
    std::iter::once(free).chain(ones).chain(pairs).chain(triples).find(fits)
}

/// The vector nearest to `x` that lies on the planes of all `bounds`, and the sum of each step's length times its
/// plane's limit. A plane parallel to the common part of those before it is left out.
pub(super) fn nearest_on_all(x: DVec3, bounds: &[Bound]) -> (DVec3, f64) {
    let basis = orthogonal(bounds);
    let (mut y, mut work) = (x, 0.0);
    // Twice: the second time takes off the rounding of the first, which would carry a body at rest into its
    // supports in a long run.
    for step in basis.iter().chain(&basis) {
        let push = step.limit - step.normal.dot(y);
        y += step.normal * push;
        work += push * step.limit;
    }
    (y, work)
}

/// Up to three planes at right angles that have in common what `bounds` have.
fn orthogonal(bounds: &[Bound]) -> Vec<Bound> {
    let mut basis: Vec<Bound> = Vec::with_capacity(3);
    for bound in bounds {
        let across = basis.iter().fold(*bound, |rest, step| {
            let share = step.normal.dot(bound.normal);
            Bound { normal: rest.normal - step.normal * share, limit: rest.limit - step.limit * share }
        });
        let squared = across.normal.length_squared();
        if basis.len() < 3 && squared > PROJECTION_SLACK {
            let length = squared.sqrt();
            basis.push(Bound { normal: across.normal / length, limit: across.limit / length });
        }
    }
    basis
}

/// Whether `y` satisfies a bound to the rounding of numbers as large as `x`, be they so small that their rounding is
/// an absolute one.
fn allows(bound: &Bound, y: DVec3, x: DVec3) -> bool {
    let scale = x.abs().max_element() + bound.limit.abs();
    bound.normal.dot(y) - bound.limit <= PROJECTION_SLACK * scale + f64::MIN_POSITIVE
}

/// The point nearest to `x` on the common part of up to three bounding planes, if every plane has to push.
fn on_planes(x: DVec3, bounds: &[Bound], rows: &[usize]) -> Option<Projection> {
    let plane = |i: usize| rows.get(i).map(|&row| bounds[row]);
    let excess = |i: usize| plane(i).map_or(0.0, |p| p.normal.dot(x) - p.limit);
    let gram = |i: usize, j: usize| match (plane(i), plane(j)) {
        (Some(p), Some(q)) => p.normal.dot(q.normal),
        _ => f64::from(u8::from(i == j)),
    };
    let columns = [0, 1, 2].map(|i| DVec3::new(gram(i, 0), gram(i, 1), gram(i, 2)));
    let determinant = columns[0].dot(columns[1].cross(columns[2]));
    if determinant <= PROJECTION_SLACK {
        return None;
    }
    let push = solve(columns, DVec3::new(excess(0), excess(1), excess(2)), determinant);
    let pushes = std::array::from_fn(|i| rows.get(i).map_or((0, 0.0), |&row| (row, push[i])));
    let vector = rows.iter().enumerate().fold(x, |y, (i, &row)| y - bounds[row].normal * push[i]);
    (push.min_element() >= 0.0).then_some(Projection { vector, pushes })
}

/// Cramer's rule for a symmetric matrix.
fn solve(columns: [DVec3; 3], right: DVec3, determinant: f64) -> DVec3 {
    let [a, b, c] = columns;
    DVec3::new(right.dot(b.cross(c)), a.dot(right.cross(c)), a.dot(b.cross(right))) / determinant
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(x: f64, y: f64, z: f64) -> Bound {
        Bound { normal: DVec3::new(x, y, z), limit: 0.0 }
    }

    #[test]
    fn supports_take_away_what_points_into_them() {
        let g = DVec3::new(0.0, 0.0, -10.0);
        let floor = bound(0.0, 0.0, -1.0);
        let wall = bound(1.0, 0.0, 0.0);
        let slope = bound(0.6, 0.0, -0.8);
        let rows: [(&[Bound], DVec3); 7] = [
            (&[], g),
            (&[floor], DVec3::ZERO),
            (&[wall], g),
            (&[floor, wall], DVec3::ZERO),
            // Along a slope of which the steepest descent is (−0.8, 0, −0.6): g·0.6 of it.
            (&[slope], DVec3::new(-4.8, 0.0, -3.6)),
            // A ball in a groove of two slopes stays.
            (&[slope, bound(-0.6, 0.0, -0.8)], DVec3::ZERO),
            (&[floor, floor, slope], DVec3::ZERO),
        ];
        for (bounds, expected) in rows {
            let found = nearest_within(g, bounds).unwrap().vector;
            // One rounding of each of the two products.
            assert!((found - expected).length() <= 4.0 * f64::EPSILON * 10.0, "{bounds:?}: {found}");
        }
        let rest = Projection { vector: DVec3::ZERO, pushes: [(0, 10.0), (0, 0.0), (0, 0.0)] };
        assert_eq!(nearest_within(g, &[floor]), Some(rest), "flat support is exact");
    }

    #[test]
    fn a_corner_of_three_planes_holds_and_a_vice_has_no_answer() {
        let corner = [bound(1.0, 0.0, 0.0), bound(0.0, 1.0, 0.0), bound(0.0, 0.0, -1.0)];
        let held = nearest_within(DVec3::new(1.0, 2.0, -3.0), &corner);
        assert_eq!(held.map(|held| held.vector), Some(DVec3::ZERO));
        let vice = [Bound { normal: DVec3::X, limit: -1.0 }, Bound { normal: -DVec3::X, limit: -1.0 }];
        assert_eq!(nearest_within(DVec3::ZERO, &vice), None);
        let groove = [bound(-0.6, 0.0, -0.8), bound(0.6, 0.0, -0.8)];
        assert!(
            nearest_within(DVec3::X * 3e-322, &groove).is_some(),
            "subnormal numbers round by more than their share"
        );
    }

    #[test]
    fn rest_is_a_question_of_height() {
        // 1 m/s against 10 m/s² rises 0.05 m.
        assert!(is_rest(1.0, 10.0, 0.0501));
        assert!(!is_rest(1.0, 10.0, 0.0499));
        assert!(!is_rest(1.0, 0.0, 1.0), "without gravity any rebound gets away");
        assert!(is_rest(0.0, 0.0, 0.0));
        assert!(!is_rest(0.0, -1.0, 1.0), "what is pulled away does not rest");
    }
}
