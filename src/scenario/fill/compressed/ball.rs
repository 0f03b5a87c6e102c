//! A growing ball: its path, when it meets another one, and how it rebounds.
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
pub(super) fn meeting(one: &Ball, other: &Ball, offset: DVec3, time: f64) -> f64 {
    let growth = one.growth + other.growth;
    closing_in(offset, other.velocity - one.velocity, [growth * time, growth])
}

/// Time until a distance becomes as short as a length that grows, s; infinite if it does not. The distance is `offset`,
/// m, and changes with `velocity`, m/s. The length is `reach`, m, and grows with `growth`, m/s.
///
/// With the distance d, its velocity v, the length L and its rate G, that is the first root of |d + v τ| = L + G τ.
/// Balls that touch, or overlap by rounding, meet at once if their surfaces approach.
pub(super) fn closing_in(offset: DVec3, velocity: DVec3, [reach, growth]: [f64; 2]) -> f64 {
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

/// The velocity of a ball after its impact with a wall at rest of this unit normal into the vessel, m/s.
pub(super) fn wall_rebound(ball: &Ball, normal: DVec3) -> DVec3 {
    let closing = ball.growth - normal.dot(ball.velocity);
    if closing > 0.0 { ball.velocity + normal * (2.0 * closing) } else { ball.velocity }
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
