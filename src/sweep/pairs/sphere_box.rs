//! A moving ball and an axis-aligned box: faces, edges and corners.
//!
//! They overlap while the ball's centre is in the box widened by the radius and rounded at its edges and corners. The
//! times at which the centre crosses the planes of the box's faces cut its path into stretches. In one stretch the
//! nearest feature is of one kind. For the inside or a face, the widened box alone decides. For an edge two coordinates
//! count, for a corner all three. So the condition in each stretch is quadratic for straight motion and quartic for
//! ballistic motion.
//!
//! Ericson (*Real-Time Collision Detection*, 2005, § 5.5.7) tests the same solid by cases of the entry point. Stretches
//! give the whole interval, and also work for curved paths.

use glam::DVec3;

use super::box_box;
use super::sphere_sphere::straight_within;
use crate::geometry::gap::{largest, side};
use crate::geometry::{Solid, unit};
use crate::motion::Relative;
use crate::numeric::{Interval, Intervals, Quadratic};
use crate::sweep::ball::Ball;
use crate::sweep::centrifugal::centrifugal;
use crate::sweep::cuts::{Cuts, ahead, inner_time};
use crate::sweep::instant::{against_motion, touch_for_instant};
use crate::sweep::slab::passage;
use crate::sweep::{Overlap, Rates, coordinates, first, from_start};

/// When a ball of radius `a` overlaps a box with half edges `b` (m, not negative) in [0, `until`].
///
/// `motion` is that of the box's centre seen from the ball's.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::Relative;
/// use carom::sweep::sphere_box::sphere_box;
///
/// // An edge of the box passes 3 m below the centre of the ball.
/// let position = DVec3::new(9.0, -4.0, 0.0);
/// let motion = Relative { position, velocity: DVec3::X * -2.0, acceleration: DVec3::ZERO };
/// let met = sphere_box(5.0, DVec3::ONE, &motion, 10.0).unwrap();
/// assert_eq!((met.enter, met.leave, met.normal), (2.0, 7.0, DVec3::new(0.8, -0.6, 0.0)));
/// ```
#[inline]
pub fn sphere_box(a: f64, b: DVec3, motion: &Relative, until: f64) -> Option<Overlap> {
    if a == 0.0 {
        return box_box::box_box(DVec3::ZERO, b, motion, until);
    }
    let around_box = motion.reversed();
    let (interval, start) = if motion.is_straight() {
        from_start(straight(a, b, &around_box, until)?)
    } else {
        first(&pieces_around_box(a, b, &around_box, until), until)?
    };
    let normal = against_motion(normal_at(around_box.position_at(interval.enter), b), interval, motion);
    Some(Overlap { enter: interval.enter, leave: interval.leave, normal, start })
}

/// All times at which the ball overlaps the box; for curved motion those from 0 on.
#[doc(hidden)]
pub fn pieces(a: f64, b: DVec3, motion: &Relative) -> Intervals {
    if a == 0.0 {
        return box_box::pieces(DVec3::ZERO, b, motion);
    }
    let around_box = motion.reversed();
    if motion.is_straight() {
        straight(a, b, &around_box, f64::INFINITY).map_or(Intervals::EMPTY, |one| Intervals::one(one.enter, one.leave))
    } else {
        pieces_around_box(a, b, &around_box, f64::INFINITY)
    }
}

/// The only overlap of straight motion. It begins in the first stretch with an overlap and ends in the last one.
fn straight(radius: f64, half: DVec3, motion: &Relative, until: f64) -> Option<Interval> {
    let hull = passage(half + radius, motion, until)?.interval;
    if hull.is_instant() {
        return touches(radius, half, motion, hull).then_some(hull);
    }
    let (cuts, count) = straight_cuts(half, motion, hull);
    let ends = |row: usize| if row == count { hull.leave } else { cuts[row] };
    let stretch = |row: usize| Interval { enter: if row == 0 { hull.enter } else { cuts[row - 1] }, leave: ends(row) };
    let first = (0..=count).find_map(|row| straight_stretch(radius, half, motion, stretch(row)))?;
    let last = (0..=count).rev().find_map(|row| straight_stretch(radius, half, motion, stretch(row)))?;
    let overlap = Interval { enter: first.enter, leave: last.leave };
    (overlap.leave > 0.0 && overlap.enter <= until).then_some(overlap)
}

/// Whether the ball reaches the box, within rounding error, in a stay of an instant in the widened box.
fn touches(radius: f64, half: DVec3, motion: &Relative, stay: Interval) -> bool {
    touch_for_instant(Solid::Box(half), Solid::Sphere(radius), half.max_element() + radius, motion, stay)
}

/// The times at which a straight path crosses the planes of the faces within `range`, in order, and their number.
fn straight_cuts(half: DVec3, motion: &Relative, range: Interval) -> ([f64; 6], usize) {
    let (mut cuts, mut count) = ([0.0; 6], 0);
    for axis in 0..3 {
        let (x, v, h) = (motion.position[axis], motion.velocity[axis], half[axis]);
        for cut in [(-h - x) / v, (h - x) / v] {
            // A path parallel to the face gives an infinity or NaN, which is in no range.
            if range.enter < cut && cut < range.leave {
                let place = cuts[..count].partition_point(|&earlier| earlier < cut);
                cuts.copy_within(place..count, place + 1);
                cuts[place] = cut;
                count += 1;
            }
        }
    }
    (cuts, count)
}

/// The overlap of straight motion in a stretch that crosses no plane of a face.
#[inline]
fn straight_stretch(radius: f64, half: DVec3, motion: &Relative, stretch: Interval) -> Option<Interval> {
    if stretch.enter >= stretch.leave {
        return None;
    }
    let position = motion.position_at(inner_time(stretch));
    let outside = position.abs().cmpgt(half);
    if outside.bitmask().count_ones() < 2 {
        return Some(stretch);
    }
    let faces = DVec3::select(outside, position.signum() * half, motion.position);
    let around = Relative {
        position: motion.position - faces,
        velocity: DVec3::select(outside, motion.velocity, DVec3::ZERO),
        ..*motion
    };
    straight_within(radius * radius, &around)?.intersection(stretch)
}

/// [`pieces`] for curved motion. `motion` is that of the ball's centre seen from the box's. Stays in the widened box
/// that begin after `until` are left out.
fn pieces_around_box(radius: f64, half: DVec3, motion: &Relative, until: f64) -> Intervals {
    let mut pieces = Intervals::EMPTY;
    let coordinates = coordinates(motion);
    // The box widened by the radius, without rounded edges and corners.
    for hull in box_box::pieces(half, DVec3::splat(radius), motion).as_slice() {
        if !(hull.leave > 0.0 && hull.enter <= until) {
            continue;
        }
        if !hull.is_instant() {
            // From 0 on, the path is cut at the planes of the box's faces.
            cuts_at_faces(&coordinates, half, ahead(*hull)).each(hull.enter, hull.leave, |stretch| {
                append_stretch(&coordinates, half, radius, stretch, &mut pieces);
            });
        } else if touches(radius, half, motion, *hull) {
            pieces.join(hull.enter, hull.leave);
        }
    }
    pieces
}

/// Appends the overlap in a stretch that crosses no plane of a face.
fn append_stretch(coordinates: &[Quadratic; 3], half: DVec3, radius: f64, stretch: Interval, pieces: &mut Intervals) {
    let ahead = ahead(stretch);
    let beyond = beyond_faces(coordinates, half, inner_time(ahead));
    match beyond.iter().filter(|&&q| q != Quadratic::ZERO).count() {
        0 | 1 => pieces.join(stretch.enter, stretch.leave),
        _ => {
            let ball = Ball { point: beyond, radius_squared: radius * radius };
            ball.append_pieces(ahead.enter, ahead.leave, pieces);
        }
    }
}

/// The coordinates relative to the faces that they are beyond at time `t`; zero where they lie between the faces.
fn beyond_faces(coordinates: &[Quadratic; 3], half: DVec3, t: f64) -> [Quadratic; 3] {
    std::array::from_fn(|axis| {
        let value = coordinates[axis].at(t);
        if value > half[axis] {
            coordinates[axis].plus(-half[axis])
        } else if value < -half[axis] {
            coordinates[axis].plus(half[axis])
        } else {
            Quadratic::ZERO
        }
    })
}

/// The stretches of an overlap after its first one, each with the rates at its beginning. In one stretch the nearest
/// feature of the box stays the same, so the separation has no bend there. Stretches with the centre in the box are
/// left out.
pub(crate) fn later_stretches(half: DVec3, motion: &Relative, piece: Interval) -> Vec<(Interval, Rates)> {
    let around_box = motion.reversed();
    let (coordinates, ahead) = (coordinates(&around_box), ahead(piece));
    let mut cuts = cuts_at_faces(&coordinates, half, ahead);
    let stretches = cuts.stretches(ahead.leave);
    stretches.filter_map(|stretch| Some((stretch, rates_from(&coordinates, half, &around_box, stretch)?))).collect()
}

/// When a ball's centre next crosses the plane of a face, no sooner than `from`; infinite if never.
pub(crate) fn next_bend(half: DVec3, motion: &Relative, from: f64) -> f64 {
    let range = Interval { enter: from, leave: f64::INFINITY };
    cuts_at_faces(&coordinates(&motion.reversed()), half, range).first()
}

/// The times in `range` at which a ball's centre crosses the planes of the faces.
fn cuts_at_faces(coordinates: &[Quadratic; 3], half: DVec3, range: Interval) -> Cuts {
    let mut cuts = Cuts::new();
    for (axis, coordinate) in coordinates.iter().enumerate() {
        [-half[axis], half[axis]].into_iter().for_each(|face| cuts.add_roots(&coordinate.plus(-face), range));
    }
    cuts
}

/// The rates at the beginning of a stretch, from the ball to the box.
fn rates_from(coordinates: &[Quadratic; 3], half: DVec3, motion: &Relative, stretch: Interval) -> Option<Rates> {
    let beyond = beyond_faces(coordinates, half, inner_time(stretch));
    let counts = beyond.map(|q| q != Quadratic::ZERO);
    let position = DVec3::from_array(beyond.map(|q| q.at(stretch.enter)));
    let velocity = DVec3::select(counts.into(), motion.velocity_at(stretch.enter), DVec3::ZERO);
    let outward = unit(position)?;
    let acceleration = outward.dot(motion.acceleration) + centrifugal(position, velocity);
    Some(Rates { normal: -outward, speed: outward.dot(velocity), acceleration })
}

/// Unit vector from a ball's centre at `position` (the box's centre at the origin) to the box.
///
/// If the centre is inside the box, the vector points inwards from the nearest face: the ball leaves the box fastest in
/// the opposite direction.
fn normal_at(position: DVec3, half: DVec3) -> DVec3 {
    let outward = position - position.clamp(-half, half);
    -unit(outward).unwrap_or_else(|| side(position, largest(position.abs() - half)))
}
