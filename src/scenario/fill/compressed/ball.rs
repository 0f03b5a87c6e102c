//! A growing ball: its path, and when it meets another one or a wall.
//!
//! Radii grow at constant rates, so the time of impact is still the root of a quadratic equation. The impact exchanges
//! the velocities along the normal. It also adds the speeds at which the surfaces grow, so that the balls separate
//! faster than they grow.

use glam::DVec3;

/// A ball in straight motion; its radius is `growth` times the time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball {
    /// Where it was at `since`, from the lower corner of the region, m.
    pub(super) position: DVec3,
    /// m/s.
    pub(super) velocity: DVec3,
    /// s.
    pub(super) since: f64,
    /// m/s.
    pub(super) growth: f64,
}

impl Ball {
    pub(super) fn position_at(&self, time: f64) -> DVec3 {
        self.position + self.velocity * (time - self.since)
    }

    pub(super) fn go_to(&mut self, time: f64) {
        self.position = self.position_at(time);
        self.since = time;
    }
}

/// Time from `time` until two balls meet, s; infinite if they do not. `offset` points from the first to the second, m.
///
/// With the relative position d and velocity v, the sum L of the radii and its rate G, that is the first root of
/// |d + v τ| = L + G τ. Balls that touch, or overlap by rounding, meet at once if their surfaces approach.
pub(super) fn meeting(one: &Ball, other: &Ball, offset: DVec3, time: f64) -> f64 {
    let velocity = other.velocity - one.velocity;
    let growth = one.growth + other.growth;
    let reach = growth * time;
    let a = velocity.length_squared() - growth * growth;
    let b = offset.dot(velocity) - reach * growth;
    let c = offset.length_squared() - reach * reach;
    let square = b * b - a * c;
    if b < 0.0 {
        if c <= 0.0 {
            return 0.0;
        }
        return if square >= 0.0 { c / (square.sqrt() - b) } else { f64::INFINITY };
    }
    // The centres move apart. The surfaces meet only if the radii grow faster than that.
    if a < 0.0 { (b + square.max(0.0).sqrt()) / -a } else { f64::INFINITY }
}

/// Velocities after the impact of two balls of equal mass that touch, m/s.
pub(super) fn rebound(one: &Ball, other: &Ball, offset: DVec3) -> [DVec3; 2] {
    let distance = offset.length();
    let normal = if distance > 0.0 { offset / distance } else { DVec3::X };
    let growth = one.growth + other.growth;
    let apart = (other.velocity - one.velocity).dot(normal);
    if apart >= growth {
        return [one.velocity, other.velocity];
    }
    let push = normal * (growth - apart);
    [one.velocity - push, other.velocity + push]
}

/// Time from `time` until a ball meets one of the two walls across an axis, s; infinite if it does not. The distance of
/// the walls is `length`, m.
pub(super) fn wall_meeting(ball: &Ball, axis: usize, length: f64, time: f64) -> f64 {
    let (place, speed, radius) = (ball.position_at(time)[axis], ball.velocity[axis], ball.growth * time);
    let sides = [(place - radius, ball.growth - speed), (length - place - radius, ball.growth + speed)];
    let times = sides.map(|(gap, closing)| if closing > 0.0 { gap.max(0.0) / closing } else { f64::INFINITY });
    times[0].min(times[1])
}

/// The speed along an axis after the impact with the wall on the nearer side, m/s.
pub(super) fn wall_rebound(ball: &Ball, axis: usize, length: f64) -> f64 {
    let (speed, inward) = (ball.velocity[axis], if ball.position[axis] < 0.5 * length { 1.0 } else { -1.0 });
    let closing = ball.growth - inward * speed;
    if closing > 0.0 { speed + 2.0 * inward * closing } else { speed }
}
