//! The room of a body: where its position stays until it leaves its domain, and when that is.

use glam::DVec3;

use super::Space;
use crate::motion::SimTime;
use crate::numeric::Quadratic;

/// Part of a period beyond which a ball's room must not reach for its images to be told apart by their distance.
pub(super) const ROOMY: f64 = 0.249;
const ROOMY_CUT: f64 = 0.2475;

/// Where a body's position stays, in the periodic cell's coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) center: DVec3,
    /// Half the edge, or the radius, m; half the longest edge of a cell of the lattice.
    pub(super) margin: f64,
    /// When the body leaves it; [never](SimTime::NEVER) perhaps.
    pub(super) exit: SimTime,
}

impl Room {
    pub(super) const NONE: Self = Self { center: DVec3::ZERO, margin: 0.0, exit: SimTime::NEVER };
}

/// The end of the stay of a coordinate within ±`margin` that it is in now; 0 if it is outside.
#[inline]
pub(super) fn leave_time(coordinate: &Quadratic, margin: f64) -> f64 {
    if coordinate.c2 == 0.0 {
        return match coordinate.c1 {
            0.0 => f64::INFINITY,
            speed => ((margin - coordinate.c0 * speed.signum()) / speed.abs()).max(0.0),
        };
    }
    let pieces = coordinate.within(margin);
    let now = pieces.as_slice().iter().find(|piece| piece.enter <= 0.0 && piece.leave > 0.0);
    now.map_or(0.0, |piece| piece.leave)
}

/// When a point that moves on a straight line, and is in the ball of this radius around the origin, leaves it; 0 if it is
/// outside.
#[inline]
pub(super) fn leave_time_of_ball(position: DVec3, velocity: DVec3, radius: f64) -> f64 {
    let (a, b) = (velocity.length_squared(), position.dot(velocity));
    let c = position.length_squared() - radius * radius;
    if a == 0.0 {
        return f64::INFINITY;
    }
    let root = (b * b - a * c).max(0.0).sqrt();
    let leave = if b > 0.0 { -c / (root + b) } else { (root - b) / a };
    leave.max(0.0)
}

/// The margin, cut so that a ball is [roomy](Broadphase::is_roomy) if it then has a quarter of its radius left.
pub(super) fn roomy(margin: f64, radius: f64, space: &Space) -> f64 {
    let limit = |length: f64| 0.5 * (ROOMY_CUT * length - radius);
    let limits = space.periods.iter().flatten().map(|period| limit(period.length()));
    let limit = limits.fold(f64::INFINITY, f64::min);
    if limit >= 0.25 * radius { margin.min(limit) } else { margin }
}

/// The margin, cut so that a domain is no wider than a period and meets each neighbour's next images only. A body that
/// fills the period has a quarter of it all the same, or it would leave its domain at every instant.
pub(super) fn widest(margin: f64, half: DVec3, space: &Space) -> f64 {
    let rooms = space.periods.iter().zip(half.to_array());
    let limit = |length: f64, half: f64| (0.5 * length - half).max(0.25 * length);
    let limits = rooms.filter_map(|(period, half)| period.map(|period| limit(period.length(), half)));
    limits.fold(margin, f64::min)
}
