//! The domain of a body: the region that contains its position until the domain exit.
//!
//! Two bodies in distant domains need no prediction. The margin is a trade-off: a wide domain has rare exits, and a
//! narrow one has few neighbours.

use glam::DVec3;

use crate::dynamics::Space;
use crate::motion::SimTime;

/// Largest reach of a ball's domain, relative to a period, at which the nearest image of the ball is unambiguous; and
/// the limit to which margins are reduced.
pub(in crate::dynamics) const CLEAR_REACH: f64 = 0.249;
const CLEAR_REACH_CUT: f64 = 0.2475;

/// The shape of a domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dynamics) enum Form {
    /// A cube.
    Cube,
    Ball,
    /// A cell of the cell list.
    Cell,
}

/// The region of a body's position, in coordinates of the periodic cell; one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(in crate::dynamics) struct Domain {
    pub(in crate::dynamics) center: DVec3,
    /// Half the edge, or the radius, m; for a cell half its longest edge.
    pub(in crate::dynamics) margin: f64,
    /// When the body leaves the domain; may be [never](SimTime::NEVER).
    pub(in crate::dynamics) exit: SimTime,
    /// Number of periods between the coordinates of the body's path and those of the domain.
    pub(in crate::dynamics) images: [i32; 3],
    pub(in crate::dynamics) form: Form,
}

impl Domain {
    /// The whole space: the domain of a half-space, and of a body before its first domain. It is never left.
    pub(in crate::dynamics) const NONE: Self =
        Self { center: DVec3::ZERO, margin: f64::INFINITY, exit: SimTime::NEVER, images: [0; 3], form: Form::Cube };
}

/// The margin, reduced so that a ball is [roomy](super::Broadphase::has_clear_image), if a quarter of its radius
/// remains.
pub(in crate::dynamics) fn clear_margin(margin: f64, radius: f64, space: &Space) -> f64 {
    let limit = |length: f64| 0.5 * (CLEAR_REACH_CUT * length - radius);
    let limits = space.periods.iter().flatten().map(|period| limit(period.length()));
    let limit = limits.fold(f64::INFINITY, f64::min);
    if limit >= 0.25 * radius { margin.min(limit) } else { margin }
}

/// The margin, reduced so that a domain is no wider than a period and overlaps adjacent images only. But the margin is
/// never limited to less than a quarter of the period: otherwise a body that fills the period would leave its domain at
/// every instant.
pub(in crate::dynamics) fn widest(margin: f64, half: DVec3, space: &Space) -> f64 {
    let domains = space.periods.iter().zip(half.to_array());
    let limit = |length: f64, half: f64| (0.5 * length - half).max(0.25 * length);
    let limits = domains.filter_map(|(period, half)| period.map(|period| limit(period.length(), half)));
    limits.fold(margin, f64::min)
}
