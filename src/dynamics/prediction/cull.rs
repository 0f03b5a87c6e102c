//! Culling: a box test that is much shorter than a prediction.
//!
//! A body that is large among its neighbours has thousands of them. Each of its impacts changes all its predictions,
//! and nearly all of these are long after the first. Three products and a comparison show that two boxes stay apart
//! along an axis. The test only skips predictions without effect on the result.

use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::table::Interaction;
use crate::dynamics::scene::Scene;
use crate::geometry::{Plane, Shape};
use crate::motion::{Relative, SimTime};
use crate::numeric::tolerance::DOMAIN_SLACK;

impl Scene {
    /// Whether no event of two bodies is before `latest`, because the boxes around them stay apart from `now` on, or a box
    /// and a half-space. False in the less simple cases: a contact, a sensor.
    #[inline]
    pub(in crate::dynamics) fn is_idle(&self, pair: Pair, now: SimTime, latest: SimTime) -> bool {
        let rows = &self.rows;
        let motion = pair.motion(rows, &self.settings.space, now);
        let span = latest.since(now).max(0.0);
        // As for domains: a margin for the rounding of positions and of the time of a meeting.
        let rounding = DOMAIN_SLACK * (rows.extent(pair.a) + rows.extent(pair.b) + motion.position.abs().max_element());
        let apart = match [pair.a, pair.b].map(|id| rows.shape(id)) {
            [Shape::Plane(plane), body] => stays_above(plane, body, &motion, span, rounding),
            [body, Shape::Plane(plane)] => stays_above(plane, body, &motion.reversed(), span, rounding),
            [a, b] => {
                let reach = a.half_extents() + b.half_extents();
                let distance = (motion.velocity.abs() + motion.acceleration.abs() * (0.5 * span)) * span;
                motion.position.abs().cmpgt((reach + distance) * (1.0 + DOMAIN_SLACK) + rounding).any()
            }
        };
        apart
            && rows.interaction(pair.a, pair.b) == Some(Interaction::Collide)
            && self.contacts.between(pair, rows).next().is_none()
    }
}

/// Whether the box around a body stays above a half-space for a span; `motion` is that of the body seen from there.
fn stays_above(plane: &Plane, body: &Shape, motion: &Relative, span: f64, rounding: f64) -> bool {
    let speed = -plane.normal().dot(motion.velocity);
    let pull = -plane.normal().dot(motion.acceleration);
    let distance = (speed.max(0.0) + pull.max(0.0) * (0.5 * span)) * span;
    plane.distance(motion.position) > (plane.reach_of(body.half_extents()) + distance) * (1.0 + DOMAIN_SLACK) + rounding
}
