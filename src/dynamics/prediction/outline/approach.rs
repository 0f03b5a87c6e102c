//! What a prediction for a body and an outline looks at.

use glam::DVec3;

use crate::dynamics::few::Few;
use crate::dynamics::prediction::touching::Rounding;
use crate::geometry::{Outline, Solid};
use crate::motion::Relative;

/// A body and an outline in relative motion.
pub(super) struct Approach<'a> {
    pub(super) body: Solid<'a>,
    pub(super) outline: Outline<'a>,
    /// Motion of the outline seen from the body.
    pub(super) motion: Relative,
    pub(super) rounding: Rounding,
    /// What the body rests on: the directions from the body, and how deep it is in there, m.
    pub(super) floors: Few<(DVec3, f64)>,
    /// The parts that a ball touches at an edge or a corner.
    pub(super) edges: Few<u32>,
    /// Acceleration along an axis that is only rounding, m/s².
    pub(super) pulled: f64,
    /// When the outline last changed, s from the start of the motion. What the motion overlaps before is not met: a
    /// cell may have become solid where the body has been.
    pub(super) since: f64,
    /// The largest coordinate of both, for the rounding of their places, m.
    pub(super) far: f64,
}
