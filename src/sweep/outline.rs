//! A moving solid and the surface of a mesh or a grid: which parts of it the solid may hit.
//!
//! The bounding volume tree of the surface is traversed in the order in which the solid may reach the boxes of its
//! nodes, and only up to the first impact found so far. So the cost of a sweep depends on the triangles near the path,
//! not on the size of the mesh. For each node only a lower bound of the time of impact is computed: a window of time
//! for each axis and, along an axis with acceleration, the range of the coordinate in the remaining window. For a ball,
//! conservative advancement improves this bound.

use std::cell::Cell;

use glam::DVec3;

use super::coordinates;
use crate::geometry::closest::point_on_triangle;
use crate::geometry::{Aabb, Outline, Solid, Triangle};
use crate::motion::Relative;
use crate::numeric::tolerance::{REACH_SLACK, SEAM_SLACK};
use crate::numeric::{Interval, Quadratic};

/// Calls `visit` with each part of `outline` that the solid, a ball or a box, may hit in [0, `until`]. What may be
/// reached earlier comes first, roughly. `visit` gets the part and the current value of `until`, and returns the new
/// value.
///
/// `motion` is that of the outline's body seen from the solid. The parts need not come in the order of impact, and some
/// of them are not hit.
///
/// # Panics
/// When the solid is neither a ball nor a box.
pub fn parts_on_way(
    solid: Solid<'_>,
    outline: Outline<'_>,
    motion: &Relative,
    until: f64,
    mut visit: impl FnMut(u32, f64) -> f64,
) {
    let last = Cell::new(until);
    let bound = |bounds: &Aabb| match solid {
        Solid::Sphere(radius) => reach_time_of_ball(radius, bounds, motion, last.get()),
        Solid::Box(half) => reach_window(half, bounds, motion, last.get()).map_or(f64::INFINITY, |window| window.enter),
        _ => unreachable!("only balls and boxes meet meshes and grids"),
    };
    let size = outline.bounds().farthest().max_element();
    outline.nearest_first(&swept(solid.half_extents(), motion, until, size), until, bound, |part, until| {
        // The box around a slanting triangle is reached earlier than the triangle itself.
        if let (Solid::Sphere(radius), Solid::Triangle(triangle)) = (solid, outline.solid(part)) {
            let around = Round { radius, motion, size };
            let window = Interval { enter: 0.0, leave: until };
            if around.reach_time(window, ADVANCES_TO_TRIANGLE, |place| way_from_triangle(triangle, place)) > until {
                return until;
            }
        }
        last.set(visit(part, until));
        last.get()
    });
}

/// The box around a solid with this reach on its way in [0, `until`], seen from the other body, whose largest
/// coordinate is `size`, m; with the rounding of the computed windows. Endless if the way is.
fn swept(reach: DVec3, motion: &Relative, until: f64, size: f64) -> Aabb {
    let seen = motion.reversed();
    let turns = (seen.velocity / -seen.acceleration).clamp(DVec3::ZERO, DVec3::splat(until));
    let [from, to] = [seen.position, seen.position_at(until)];
    let (mut min, mut max) = (from.min(to), from.max(to));
    for axis in (0..3).filter(|&axis| seen.acceleration[axis] != 0.0) {
        let turned = seen.position_at(turns[axis])[axis];
        (min[axis], max[axis]) = (min[axis].min(turned), max[axis].max(turned));
    }
    if !(min.is_finite() && max.is_finite()) {
        return Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };
    }
    let slack = (seen.position.abs().max_element() + size + reach.max_element()) * REACH_SLACK;
    let slack = DVec3::splat(slack) + (max - min) * REACH_SLACK;
    Aabb { min: min - reach - slack, max: max + reach + slack }
}

/// A time before which the ball and the box do not touch, s; infinite if they do not touch in [0, `until`].
///
/// The box around the ball touches a box earlier than the ball does. For a large ball near small triangles this would
/// add hundreds of triangles that are not hit.
#[inline]
fn reach_time_of_ball(radius: f64, bounds: &Aabb, motion: &Relative, until: f64) -> f64 {
    let Some(window) = reach_window(DVec3::splat(radius), bounds, motion, until) else { return f64::INFINITY };
    let around = Round { radius, motion, size: bounds.farthest().max_element() };
    around.reach_time(window, ADVANCES_TO_BOX, |place| {
        let way = place - place.clamp(bounds.min, bounds.max);
        Way { along: way, height: way.length_squared() }
    })
}

/// The vector from the computed nearest point of a triangle to `place`.
///
/// That point has rounding errors, so near the triangle the vector may have a wrong direction. The height is therefore
/// the smallest one over the three corners. It is the height over a plane that does not cut the triangle, whatever the
/// direction of the vector.
#[inline]
fn way_from_triangle(triangle: &Triangle, place: DVec3) -> Way {
    let along = place - point_on_triangle(place, triangle).point;
    let [a, b, c] = triangle.vertices().map(|corner| along.dot(place - corner));
    Way { along, height: a.min(b).min(c) }
}

/// Steps of conservative advancement for a ball and a box. More: each box costs more, and hardly any more boxes are
/// excluded.
const ADVANCES_TO_BOX: usize = 2;
/// The same for a triangle. Its exact sweep costs as much as about ten of these steps.
const ADVANCES_TO_TRIANGLE: usize = 6;

/// A direction away from a convex solid, of any length, and the distance of a point beyond the solid in that direction.
struct Way {
    along: DVec3,
    /// Height of the point over the plane that is perpendicular to `along` and touches the solid from outside, times
    /// the length of `along`, m².
    height: f64,
}

/// A ball that moves relative to a convex solid.
struct Round<'a> {
    /// Radius of the ball, m.
    radius: f64,
    /// Motion of the mesh's body seen from the ball.
    motion: &'a Relative,
    /// Largest coordinate of the solid, m; it determines the rounding error.
    size: f64,
}

impl Round<'_> {
    /// A time in `window` before which the ball does not touch the convex solid, s; infinite if it does not touch it in
    /// the window. `way_to` gives the direction and the distance of a point from the solid.
    ///
    /// A plane perpendicular to the direction towards the ball's centre separates the two. They do not touch before the
    /// ball reaches this plane. The same is repeated from that time on (conservative advancement: Mirtich,
    /// *Impulse-based Dynamic Simulation of Rigid Body Systems*, 1996, § 2.3.2). Any direction gives a valid bound; the
    /// direction from the nearest point gives the widest gap.
    #[inline]
    fn reach_time(&self, window: Interval, advances: usize, way_to: impl Fn(DVec3) -> Way) -> f64 {
        let Self { radius, motion, size } = *self;
        let mut time = window.enter;
        for _ in 0..advances {
            let Way { along, height } = way_to(-motion.position_at(time));
            let length = along.length();
            if length == 0.0 {
                break;
            }
            let gone = (motion.velocity.length() + motion.acceleration.length() * time) * time;
            let slack = (motion.position.abs().max_element() + size + radius + gone) * REACH_SLACK;
            let gap = height / length - radius - slack;
            if gap <= 0.0 {
                break;
            }
            let velocity = motion.velocity_at(time);
            let speed = -velocity.dot(along) / length - velocity.length() * REACH_SLACK;
            let acceleration = -motion.acceleration.dot(along) / length - motion.acceleration.length() * REACH_SLACK;
            time += time_to_close(gap, speed, acceleration);
            if time > window.leave {
                return f64::INFINITY;
            }
        }
        time
    }
}

/// When a positive `gap`, m, with this rate of change and this acceleration first becomes 0, s; infinite if never.
#[inline]
fn time_to_close(gap: f64, speed: f64, acceleration: f64) -> f64 {
    let discriminant = speed * speed - 2.0 * gap * acceleration;
    if discriminant < 0.0 || (speed >= 0.0 && acceleration >= 0.0) {
        return f64::INFINITY;
    }
    let root = discriminant.sqrt();
    // This form has no cancellation. Its rounding error is far below the slack in its arguments.
    if speed < 0.0 { 2.0 * gap / (root - speed) } else { (root + speed) / -acceleration }
}

/// A window of time outside of which the two boxes do not touch, s; `None` if they do not touch in [0, `until`].
#[inline]
fn reach_window(half: DVec3, bounds: &Aabb, motion: &Relative, until: f64) -> Option<Interval> {
    let center = bounds.center();
    let reach = half + bounds.half();
    // Boxes that only touch, within rounding error, are included.
    let grain = (motion.position.abs() + center.abs() + reach).max_element() * SEAM_SLACK;
    let reach = reach + grain;
    let way = coordinates(&Relative { position: motion.position + center, ..*motion });
    let mut window = Interval { enter: 0.0, leave: until };
    for axis in 0..3 {
        let cut = if way[axis].c2 == 0.0 { cut_to_slab } else { cut_to_hither_side };
        window = cut(window, &way[axis], reach[axis]);
    }
    if window.enter > window.leave {
        return None;
    }
    let within = |axis: usize| way[axis].c2 == 0.0 || comes_within(&way[axis], reach[axis], window);
    (0..3).all(within).then_some(window)
}

/// An empty window: it ends before it begins.
const NEVER: Interval = Interval { enter: f64::INFINITY, leave: f64::NEG_INFINITY };

/// The part of a window in which a coordinate without acceleration is within ±`reach`. If there is none, the result
/// ends before it begins.
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

/// The part of a window in which a coordinate with acceleration is not beyond ±`reach` on the side towards which it
/// accelerates, within rounding error.
#[inline]
fn cut_to_hither_side(window: Interval, coordinate: &Quadratic, reach: f64) -> Interval {
    let side = coordinate.c2.signum();
    let (a, b) = (coordinate.c2.abs(), 0.5 * side * coordinate.c1);
    // While the coordinate is within reach, its terms are no larger than these.
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

/// Whether a coordinate with acceleration comes within ±`reach` in a window, within rounding error.
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
    use crate::geometry::Mesh;
    use crate::random::Random;
    use crate::sweep::pairs::box_box::box_box;
    use crate::sweep::pairs::sphere_box;

    #[test]
    fn no_box_is_reached_before_its_bound() {
        let mut random = Random::new(1);
        let mut met = 0;
        for round in 0..10_000 {
            let bounds = Aabb::around(random.vector(3.0), random.vector(1.5).abs());
            let half = random.vector(1.0).abs();
            let [position, velocity, acceleration] = [4.0, 3.0, 5.0].map(|size| random.vector(size));
            let mut motion = Relative { position, velocity, acceleration };
            match round % 4 {
                0 => motion.acceleration = DVec3::ZERO,
                1 => motion.acceleration = DVec3::Z * -10.0,
                2 => (motion.acceleration, motion.velocity.x) = (DVec3::Z, 0.0),
                _ => {}
            }
            let seen = Relative { position: motion.position + bounds.center(), ..motion };
            let exact = box_box(half, bounds.half(), &seen, 2.0);
            let bound = |until: f64| reach_window(half, &bounds, &motion, until).map(|window| window.enter);
            if let Some(overlap) = exact {
                for until in [2.0, overlap.enter] {
                    let bound = bound(until);
                    assert!(bound.is_some_and(|bound| bound <= overlap.enter), "{motion:?}: {bound:?} {overlap:?}");
                }
                met += 1;
            }
        }
        assert!((500..5000).contains(&met), "{met}");
    }

    /// Balls that fly freely, graze the box, just touch it, or rest on it, and balls that are far away and fast.
    #[test]
    fn no_ball_reaches_a_box_before_its_bound() {
        let mut random = Random::new(1);
        let (mut met, mut sharp) = (0, 0);
        for round in 0..20_000 {
            let bounds = Aabb::around(random.vector(3.0), random.vector(1.5).abs());
            let [position, velocity, acceleration] = [6.0, 3.0, 5.0].map(|size| random.vector(size));
            let mut motion = Relative { position, velocity, acceleration };
            let mut radius = random.unit();
            match round % 8 {
                0 => motion.acceleration = DVec3::ZERO,
                1 => motion.acceleration = DVec3::Z * -10.0,
                2 => (motion.acceleration, motion.velocity.x) = (DVec3::Z, 0.0),
                3 => motion = Relative { velocity: motion.velocity * 1e6, acceleration: DVec3::ZERO, ..motion },
                // In contact, within rounding error, and moving along the box.
                round @ 4.. => {
                    let place = -motion.position;
                    let way = place - place.clamp(bounds.min, bounds.max);
                    radius = way.length() * (1.0 + 1e-15 * f64::from(round - 5));
                    motion.velocity = motion.velocity.cross(way);
                    motion.acceleration = if round == 7 { way } else { DVec3::ZERO };
                }
                _ => unreachable!(),
            }
            let seen = Relative { position: motion.position + bounds.center(), ..motion };
            let pieces = sphere_box::pieces(radius, bounds.half(), &seen);
            let first = pieces.as_slice().iter().find(|piece| piece.leave >= 0.0 && piece.enter <= 2.0);
            let bound = |until: f64| reach_time_of_ball(radius, &bounds, &motion, until);
            match first {
                Some(piece) => {
                    let enter = piece.enter.max(0.0);
                    assert!(
                        [2.0, enter].into_iter().all(|until| bound(until) <= enter),
                        "{radius} {motion:?} {piece:?}"
                    );
                    met += 1;
                }
                None => sharp += u32::from(bound(2.0) == f64::INFINITY),
            }
        }
        assert!(met > 5000 && sharp > 5000, "{met} {sharp}");
    }

    /// A ball that has just hit a bowl of 8,192 triangles and moves up: the box around it touches 800 of them.
    #[test]
    fn a_ball_that_leaves_a_bowl_is_asked_for_a_few_triangles() {
        let at = |n: u32| f64::from(n) / 32.0 - 1.0;
        let corner = |n: u32| DVec3::new(at(n % 65), at(n / 65), 0.5 * (at(n % 65).powi(2) + at(n / 65).powi(2)));
        let squares = (0..64 * 64).map(|n| n / 64 * 65 + n % 64);
        let triangles: Vec<[u32; 3]> = squares.flat_map(|a| [[a, a + 1, a + 66], [a, a + 66, a + 65]]).collect();
        let bowl = Mesh::new(&(0..65 * 65).map(corner).collect::<Vec<_>>(), &triangles).unwrap();
        let mut random = Random::new(1);
        for _ in 0..100 {
            let velocity = random.vector(1.0).with_z(-1.0);
            for acceleration in [DVec3::ZERO, DVec3::Z * 0.25] {
                let motion = Relative { position: DVec3::Z * -0.3, velocity, acceleration };
                let mut asked = 0;
                parts_on_way(Solid::Sphere(0.3), Outline::Mesh(&bowl), &motion, 0.25, |_, until| {
                    asked += 1;
                    until
                });
                assert!((1..=12).contains(&asked), "{motion:?}: {asked}");
            }
        }
    }

    #[test]
    fn a_gap_closes_when_its_parabola_says() {
        let never = f64::INFINITY;
        let rows = [
            (2.0, -1.0, 0.0, 2.0),
            (2.0, 0.0, 0.0, never),
            (2.0, 1.0, 0.0, never),
            (2.0, 0.0, -1.0, 2.0),
            (2.0, 3.0, 1.0, never),
            (2.0, -3.0, 2.0, 1.0),
            (2.0, -2.0, 4.0, never),
            (4.0, 2.0, -4.0, 2.0),
            (4.0, -2.0, -4.0, 1.0),
        ];
        for (gap, speed, acceleration, time) in rows {
            assert_eq!(time_to_close(gap, speed, acceleration), time, "{gap} {speed} {acceleration}");
        }
    }
}
