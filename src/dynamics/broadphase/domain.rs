//! The domain of a body: where its position stays until it leaves its domain, and how wide that may be.

use glam::DVec3;

use crate::dynamics::Space;
use crate::motion::SimTime;

/// Part of a period beyond which a ball's domain must not reach for its images to be told apart by their distance.
pub(in crate::dynamics) const ROOMY: f64 = 0.249;
const ROOMY_CUT: f64 = 0.2475;

/// What a domain is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dynamics) enum Form {
    /// As far to each side along each axis.
    Cube,
    Ball,
    /// A cell of the lattice.
    Cell,
}

/// Where a body's position stays, in the periodic cell's coordinates: in one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(in crate::dynamics) struct Domain {
    pub(in crate::dynamics) center: DVec3,
    /// Half the edge, or the radius, m; half the longest edge of a cell of the lattice.
    pub(in crate::dynamics) margin: f64,
    /// When the body leaves it; [never](SimTime::NEVER) perhaps.
    pub(in crate::dynamics) exit: SimTime,
    /// How many periods the coordinates of the body's path lie beyond those of the domain.
    pub(in crate::dynamics) images: [i32; 3],
    pub(in crate::dynamics) form: Form,
}

impl Domain {
    pub(in crate::dynamics) const NONE: Self =
        Self { center: DVec3::ZERO, margin: 0.0, exit: SimTime::NEVER, images: [0; 3], form: Form::Cube };
}

/// The margin, cut so that a ball is [roomy](super::Broadphase::is_roomy) if it then has a quarter of its radius left.
pub(in crate::dynamics) fn roomy(margin: f64, radius: f64, space: &Space) -> f64 {
    let limit = |length: f64| 0.5 * (ROOMY_CUT * length - radius);
    let limits = space.periods.iter().flatten().map(|period| limit(period.length()));
    let limit = limits.fold(f64::INFINITY, f64::min);
    if limit >= 0.25 * radius { margin.min(limit) } else { margin }
}

/// The margin, cut so that a domain is no wider than a period and meets each neighbour's next images only. A body that
/// fills the period has a quarter of it all the same, or it would leave its domain at every instant.
pub(in crate::dynamics) fn widest(margin: f64, half: DVec3, space: &Space) -> f64 {
    let domains = space.periods.iter().zip(half.to_array());
    let limit = |length: f64, half: f64| (0.5 * length - half).max(0.25 * length);
    let limits = domains.filter_map(|(period, half)| period.map(|period| limit(period.length(), half)));
    limits.fold(margin, f64::min)
}
