//! The time at which a point leaves its domain: a box, or a ball.
//!
//! The time is computed for both bodies at every impact. The position in the domain is unpredictable, so the code for
//! straight paths has no branch that depends on it. The times need not be exact: the domain exit is earlier by more
//! than their rounding.

use std::hint::select_unpredictable;

use glam::DVec3;

/// When a point in straight motion, within ±`half` along each axis, leaves that box, s. If it is outside, at most 0;
/// infinite if it does not move.
#[inline(always)]
pub(in crate::dynamics) fn leave_time_of_box(position: DVec3, velocity: DVec3, half: DVec3) -> f64 {
    let leave = |axis: usize| {
        let (place, speed) = (position[axis], velocity[axis]);
        let time = (half[axis].copysign(speed) - place) / speed;
        if speed == 0.0 { f64::INFINITY } else { time }
    };
    let less = |x: f64, y: f64| if y < x { y } else { x };
    less(less(leave(0), leave(1)), leave(2))
}

/// The same for a point with an acceleration; 0 if it is outside.
pub(in crate::dynamics) fn leave_time_of_fall(
    position: DVec3,
    velocity: DVec3,
    acceleration: DVec3,
    half: DVec3,
) -> f64 {
    let leave = |axis: usize| {
        let (place, speed, half) = (position[axis], velocity[axis], half[axis]);
        match acceleration[axis] {
            pull if pull > 0.0 => leave_time_of_parabola(place, speed, pull, half),
            pull if pull < 0.0 => leave_time_of_parabola(-place, -speed, -pull, half),
            _ if speed == 0.0 => f64::INFINITY,
            _ => (half.copysign(speed) - place) / speed,
        }
    };
    leave(0).min(leave(1)).min(leave(2)).max(0.0)
}

/// The same along one axis, with an acceleration towards its positive end. The point leaves at that end unless it
/// leaves at the other end first. The roots are computed in the form without cancellation.
fn leave_time_of_parabola(place: f64, speed: f64, pull: f64, half: f64) -> f64 {
    let squared = speed * speed;
    let root = (squared + 2.0 * pull * (half - place)).max(0.0).sqrt();
    if speed >= 0.0 {
        return 2.0 * (half - place) / (speed + root);
    }
    let below = squared - 2.0 * pull * (place + half);
    if below > 0.0 { 2.0 * (place + half) / (below.sqrt() - speed) } else { (root - speed) / pull }
}

/// When a point in straight motion leaves the ball of this radius around the origin, s; at most 0 if it is outside.
#[inline]
pub(in crate::dynamics) fn leave_time_of_ball(position: DVec3, velocity: DVec3, radius: f64) -> f64 {
    let (a, b) = (velocity.length_squared(), position.dot(velocity));
    let c = position.length_squared() - radius * radius;
    if a == 0.0 {
        return f64::INFINITY;
    }
    let square = b * b - a * c;
    let root = if square > 0.0 { square } else { 0.0 }.sqrt();
    // The sign is unpredictable.
    let leaves = b > 0.0;
    select_unpredictable(leaves, -c, root - b) / select_unpredictable(leaves, root + b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_the_wall_over_the_speed() {
        let never = f64::INFINITY;
        // Position, velocity, and the times for the cube of half edge 2 and the ball of radius 2. All are dyadic, so
        // nothing is rounded.
        let rows = [
            ([0.0; 3], [0.0; 3], never, never),
            ([0.0; 3], [1.0, 0.0, 0.0], 2.0, 2.0),
            ([1.0, 0.0, 0.0], [0.5, -0.0, 0.0], 2.0, 2.0),
            ([1.0, 0.0, 0.0], [-0.5, 0.0, 0.0], 6.0, 6.0),
            ([0.0, 1.5, 0.0], [0.0, -0.5, 0.0], 7.0, 7.0),
            ([0.0, 0.0, 2.0], [0.0, 0.0, 1.0], 0.0, 0.0),
            ([0.0, 0.0, -2.0], [0.0, 0.0, 1.0], 4.0, 4.0),
            ([1.0, -1.0, 0.5], [0.5, -1.0, 0.0], 1.0, never),
        ];
        for (position, velocity, cube, ball) in rows {
            let (position, velocity) = (DVec3::from_array(position), DVec3::from_array(velocity));
            assert_eq!(leave_time_of_box(position, velocity, DVec3::splat(2.0)), cube, "{position} {velocity}");
            assert_eq!(
                leave_time_of_fall(position, velocity, DVec3::ZERO, DVec3::splat(2.0)),
                cube,
                "{position} {velocity}"
            );
            if ball < never || cube == never {
                assert_eq!(leave_time_of_ball(position, velocity, 2.0), ball, "{position} {velocity}");
            }
        }
        // An acceleration of 1 m/s² moves it from the centre to the wall.
        assert_eq!(leave_time_of_fall(DVec3::ZERO, DVec3::ZERO, -DVec3::Y, DVec3::splat(2.0)), 2.0);
    }

    #[test]
    fn outside_is_left_at_once() {
        for place in [DVec3::X * 2.5, DVec3::Y * -2.5] {
            assert!(leave_time_of_box(place, place, DVec3::splat(2.0)) <= 0.0);
            assert!(leave_time_of_ball(place, place, 2.0) <= 0.0);
            assert_eq!(leave_time_of_fall(place, place, DVec3::Z, DVec3::splat(2.0)), 0.0);
        }
    }
}
