//! The pairs of solids: one `match` selects the functions of a pair and reverses the result where the order is swapped.

use glam::DVec3;

use super::instant::against_motion;
use super::pairs::box_box::{self, box_box};
use super::pairs::box_plane::{self, box_plane, box_sheet};
use super::pairs::box_triangle::{self, box_triangle};
use super::pairs::sphere_arc::{self, sphere_arc};
use super::pairs::sphere_box::{self, sphere_box};
use super::pairs::sphere_plane::{self, sphere_plane, sphere_sheet};
use super::pairs::sphere_sphere::{self, sphere_sphere};
use super::pairs::sphere_triangle::{self, sphere_triangle};
use super::{Overlap, Rates, rates};
use crate::geometry::Solid;
use crate::geometry::gap;
use crate::motion::{Path, Relative, SimTime};
use crate::numeric::{Interval, Intervals};

/// When `a` and `b` overlap in [0, `until`]; `motion` is that of `b` seen from `a`. Two half-spaces, sheets or
/// triangles never overlap, nor do an arc and what is no ball.
///
/// ```
/// use carom::geometry::Solid;
/// use carom::glam::DVec3;
/// use carom::Relative;
/// use carom::sweep::overlap;
///
/// // A ball comes to a cube from 6 m away, with 2 m/s.
/// let motion = Relative { position: DVec3::X * 6.0, velocity: DVec3::X * -2.0, acceleration: DVec3::ZERO };
/// let met = overlap(Solid::Box(DVec3::ONE), Solid::Sphere(1.0), &motion, 10.0).unwrap();
/// assert_eq!((met.enter, met.leave, met.normal), (2.0, 4.0, DVec3::X));
/// ```
#[inline]
pub fn overlap(a: Solid<'_>, b: Solid<'_>, motion: &Relative, until: f64) -> Option<Overlap> {
    match (a, b) {
        (Solid::Sphere(a), Solid::Sphere(b)) => sphere_sphere(a, b, motion, until),
        (Solid::Patch { center, half }, _) => overlap(Solid::Box(half), b, &motion.shifted(-center), until),
        (_, Solid::Patch { center, half }) => overlap(a, Solid::Box(half), &motion.shifted(center), until),
        (Solid::Box(a), Solid::Box(b)) => box_box(a, b, motion, until),
        (Solid::Sphere(a), Solid::Box(b)) => sphere_box(a, b, motion, until),
        (Solid::Sphere(a), Solid::Plane(b)) => sphere_plane(a, b, motion, until),
        (Solid::Box(a), Solid::Plane(b)) => box_plane(a, b, motion, until),
        (Solid::Sphere(a), Solid::Sheet(b)) => sphere_sheet(a, b, motion, until),
        (Solid::Box(a), Solid::Sheet(b)) => box_sheet(a, b, motion, until),
        (Solid::Sphere(a), Solid::Triangle(b)) => sphere_triangle(a, b, motion, until),
        (Solid::Box(a), Solid::Triangle(b)) => box_triangle(a, b, motion, until),
        (Solid::Sphere(a), Solid::Arc(b)) => sphere_arc(a, b, motion, until),
        (Solid::Box(_), Solid::Arc(_)) | (Solid::Arc(_), Solid::Box(_)) => None,
        (_, Solid::Sphere(_) | Solid::Box(_)) => overlap(b, a, &motion.reversed(), until).map(reversed),
        (
            Solid::Plane(_) | Solid::Sheet(_) | Solid::Arc(_) | Solid::Triangle(_),
            Solid::Plane(_) | Solid::Sheet(_) | Solid::Arc(_) | Solid::Triangle(_),
        ) => None,
    }
}

/// When two solids on their paths overlap, as [`overlap`]. Times count from `start`, and the window is [0, `until`], s.
/// Each solid is at the position that its path gives.
///
/// ```
/// use carom::geometry::Solid;
/// use carom::glam::DVec3;
/// use carom::sweep::overlap_of_paths;
/// use carom::{Path, SimTime};
///
/// // A ball that was thrown up at 0 s with 10 m/s, and one that was let go at 1 s, 20 m above.
/// let gravity = DVec3::Z * -10.0;
/// let path = |height: f64, speed: f64, epoch: f64| Path {
///     position: DVec3::Z * height,
///     velocity: DVec3::Z * speed,
///     acceleration: gravity,
///     epoch: SimTime::from_seconds(epoch),
/// };
/// let (thrown, dropped) = (path(0.0, 10.0, 0.0), path(20.0, 0.0, 1.0));
/// let ball = Solid::Sphere(0.5);
/// let one = SimTime::from_seconds(1.0);
/// // At 1 s the first is at 5 m and at rest, so both fall alike: they never meet.
/// assert_eq!(overlap_of_paths((ball, &thrown), (ball, &dropped), one, 10.0), None);
/// // A ball that hangs at 5 m is met on the way up.
/// let hanging = Path { acceleration: DVec3::ZERO, ..path(5.0, 0.0, 0.0) };
/// let met = overlap_of_paths((ball, &thrown), (ball, &hanging), SimTime::ZERO, 10.0).unwrap();
/// assert!((thrown.position_at(SimTime::from_seconds(met.enter)).z - 4.0).abs() < 1e-12);
/// assert_eq!(met.normal, DVec3::Z);
/// ```
pub fn overlap_of_paths(
    (a, path_a): (Solid<'_>, &Path),
    (b, path_b): (Solid<'_>, &Path),
    start: SimTime,
    until: f64,
) -> Option<Overlap> {
    overlap(a, b, &Relative::between(path_a, path_b, start), until)
}

/// All times from 0 on at which `a` and `b` overlap; some pairs also give times before 0. For a ball of radius 0, the
/// instant at which it passes through a triangle is not included.
///
/// ```
/// use carom::numeric::Interval;
/// use carom::geometry::{Plane, Solid};
/// use carom::glam::DVec3;
/// use carom::Relative;
/// use carom::sweep::pieces;
///
/// // The height of the ball is 4 t − t². It cuts the sheet while this is between 0 and 3 m: up, and down again.
/// let sheet = Plane::new(DVec3::Z, 1.5).unwrap();
/// let motion = Relative { position: DVec3::ZERO, velocity: DVec3::Z * -4.0, acceleration: DVec3::Z * 2.0 };
/// let found = pieces(Solid::Sphere(1.5), Solid::Sheet(&sheet), &motion);
/// assert_eq!(found.as_slice(), [Interval { enter: 0.0, leave: 1.0 }, Interval { enter: 3.0, leave: 4.0 }]);
/// ```
#[doc(hidden)]
pub fn pieces(a: Solid<'_>, b: Solid<'_>, motion: &Relative) -> Intervals {
    match (a, b) {
        (Solid::Sphere(a), Solid::Sphere(b)) => sphere_sphere::pieces(a, b, motion),
        (Solid::Patch { center, half }, _) => pieces(Solid::Box(half), b, &motion.shifted(-center)),
        (_, Solid::Patch { center, half }) => pieces(a, Solid::Box(half), &motion.shifted(center)),
        (Solid::Box(a), Solid::Box(b)) => box_box::pieces(a, b, motion),
        (Solid::Sphere(a), Solid::Box(b)) => sphere_box::pieces(a, b, motion),
        (Solid::Sphere(a), Solid::Plane(b)) => sphere_plane::pieces(a, b, motion),
        (Solid::Box(a), Solid::Plane(b)) => box_plane::pieces(a, b, motion),
        (Solid::Sphere(a), Solid::Sheet(b)) => sphere_plane::sheet_pieces(a, b, motion),
        (Solid::Box(a), Solid::Sheet(b)) => sphere_plane::sheet_pieces(b.reach_of(a), b, motion),
        (Solid::Sphere(a), Solid::Triangle(b)) => sphere_triangle::pieces(a, b, motion),
        (Solid::Box(a), Solid::Triangle(b)) => box_triangle::pieces(a, b, motion),
        (Solid::Sphere(a), Solid::Arc(b)) => sphere_arc::pieces(a, b, motion),
        (Solid::Box(_), Solid::Arc(_)) | (Solid::Arc(_), Solid::Box(_)) => Intervals::EMPTY,
        (_, Solid::Sphere(_) | Solid::Box(_)) => pieces(b, a, &motion.reversed()),
        (
            Solid::Plane(_) | Solid::Sheet(_) | Solid::Arc(_) | Solid::Triangle(_),
            Solid::Plane(_) | Solid::Sheet(_) | Solid::Arc(_) | Solid::Triangle(_),
        ) => Intervals::EMPTY,
    }
}

/// Unit vector from `a` to `b` where they touch at the beginning of `piece`, one of their [`pieces`].
#[doc(hidden)]
pub fn normal_at_entry(a: Solid<'_>, b: Solid<'_>, motion: &Relative, piece: Interval) -> DVec3 {
    match (a, b) {
        (Solid::Patch { center, half }, _) => normal_at_entry(Solid::Box(half), b, &motion.shifted(-center), piece),
        (_, Solid::Patch { center, half }) => normal_at_entry(a, Solid::Box(half), &motion.shifted(center), piece),
        (Solid::Box(a), Solid::Box(b)) => box_box::normal_at_entry(a + b, motion, piece),
        (Solid::Box(a), Solid::Triangle(b)) => box_triangle::normal_at_entry(a, b, motion, piece),
        (Solid::Triangle(b), Solid::Box(a)) => -box_triangle::normal_at_entry(a, b, &motion.reversed(), piece),
        // For every other pair the position at that time gives the normal.
        (Solid::Sphere(_) | Solid::Plane(_) | Solid::Sheet(_) | Solid::Arc(_) | Solid::Triangle(_), _)
        | (Solid::Box(_), Solid::Sphere(_) | Solid::Plane(_) | Solid::Sheet(_) | Solid::Arc(_)) => {
            let gap = gap(a, b, motion.position_at(piece.enter));
            gap.map_or(DVec3::X, |gap| against_motion(gap.normal, piece, motion))
        }
    }
}

/// The stretches of a piece after its first, each with the rates at its beginning: in one stretch the nearest features
/// of both solids stay the same. Only for a ball and a box or a triangle; for other pairs [`deeper`] has to do.
pub(crate) fn later_stretches(
    a: Solid<'_>,
    b: Solid<'_>,
    motion: &Relative,
    piece: Interval,
) -> Vec<(Interval, Rates)> {
    match (a, b) {
        (Solid::Patch { center, half }, _) => later_stretches(Solid::Box(half), b, &motion.shifted(-center), piece),
        (_, Solid::Patch { center, half }) => later_stretches(a, Solid::Box(half), &motion.shifted(center), piece),
        (Solid::Sphere(radius), Solid::Box(half)) if radius > 0.0 => sphere_box::later_stretches(half, motion, piece),
        (Solid::Sphere(radius), Solid::Triangle(triangle)) if radius > 0.0 => {
            let stretches = sphere_triangle::later_stretches(triangle, motion, piece).into_iter();
            stretches.filter_map(|stretch| Some((stretch, rates(a, b, &motion.from(stretch.enter))?))).collect()
        }
        (Solid::Box(_) | Solid::Triangle(_), Solid::Sphere(_)) => {
            let mut stretches = later_stretches(b, a, &motion.reversed(), piece);
            stretches.iter_mut().for_each(|(_, rates)| rates.normal = -rates.normal);
            stretches
        }
        _ => Vec::new(),
    }
}

/// When the nearest features of the two solids change, s, no sooner than `from`; infinite if never. Only for a ball and
/// a box or a triangle.
pub(crate) fn next_bend(a: Solid<'_>, b: Solid<'_>, motion: &Relative, from: f64) -> f64 {
    match (a, b) {
        (Solid::Patch { center, half }, _) => next_bend(Solid::Box(half), b, &motion.shifted(-center), from),
        (_, Solid::Patch { center, half }) => next_bend(a, Solid::Box(half), &motion.shifted(center), from),
        (Solid::Sphere(_), Solid::Box(half)) => sphere_box::next_bend(half, motion, from),
        (Solid::Box(half), Solid::Sphere(_)) => sphere_box::next_bend(half, &motion.reversed(), from),
        (Solid::Sphere(_), Solid::Triangle(b)) => sphere_triangle::next_bend(b, motion, from),
        (Solid::Triangle(a), Solid::Sphere(_)) => sphere_triangle::next_bend(a, &motion.reversed(), from),
        (Solid::Sphere(_), Solid::Arc(b)) => sphere_arc::next_bend(b, motion, from),
        (Solid::Arc(a), Solid::Sphere(_)) => sphere_arc::next_bend(a, &motion.reversed(), from),
        _ => f64::INFINITY,
    }
}

/// When the two first overlap by more than `depth` in `piece`, one of their [`pieces`]: when one of them, made smaller
/// by that much, overlaps the other. `None` if they never do, and for a solid that is smaller than `depth`.
pub(crate) fn deeper(a: Solid<'_>, b: Solid<'_>, motion: &Relative, depth: f64, piece: Interval) -> Option<f64> {
    let core = match (a, b) {
        (Solid::Sphere(radius), _) if radius > depth => pieces(Solid::Sphere(radius - depth), b, motion),
        (_, Solid::Sphere(radius)) if radius > depth => pieces(a, Solid::Sphere(radius - depth), motion),
        (Solid::Box(half), _) if half.min_element() > depth => pieces(Solid::Box(half - depth), b, motion),
        (_, Solid::Box(half)) if half.min_element() > depth => pieces(a, Solid::Box(half - depth), motion),
        _ => return None,
    };
    let start = piece.enter.max(0.0);
    let first = core.as_slice().iter().find(|core| core.leave > start && core.enter < piece.leave)?;
    Some(first.enter.max(start))
}

fn reversed(overlap: Overlap) -> Overlap {
    Overlap { normal: -overlap.normal, ..overlap }
}
