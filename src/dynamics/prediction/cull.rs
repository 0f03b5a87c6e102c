//! Culling: a box test that is much shorter than a prediction.
//!
//! A body that is large among its neighbours has thousands of them. Each of its impacts changes all its predictions,
//! and nearly all of these are long after the first. Three products and a comparison show that two boxes stay apart
//! along an axis. The test only skips predictions whose result does not matter.

use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::table::Interaction;
use crate::dynamics::scene::Scene;
use crate::motion::SimTime;
use crate::numeric::tolerance::DOMAIN_SLACK;

impl Scene {
    /// Whether no event of two bodies is before `latest`, because the boxes around them stay apart from `now` on. False
    /// in the less simple cases: a contact, a sensor, a half-space.
    #[inline]
    pub(in crate::dynamics) fn is_idle(&self, pair: Pair, now: SimTime, latest: SimTime) -> bool {
        let rows = &self.rows;
        let motion = pair.motion(rows, &self.settings.space, now);
        let span = latest.since(now).max(0.0);
        let reach = rows.shape(pair.a).half_extents() + rows.shape(pair.b).half_extents();
        let way = (motion.velocity.abs() + motion.acceleration.abs() * (0.5 * span)) * span;
        // As for domains: a margin for the rounding of positions and of the time of a meeting.
        let rounding = DOMAIN_SLACK * (rows.extent(pair.a) + rows.extent(pair.b) + motion.position.abs().max_element());
        let apart = motion.position.abs().cmpgt((reach + way) * (1.0 + DOMAIN_SLACK) + rounding).any();
        let idle = apart
            && rows.interaction(pair.a, pair.b) == Some(Interaction::Collide)
            && self.contacts.between(pair, rows).next().is_none();
        debug_assert!(!idle || self.predict(pair).is_none_or(|(time, _)| time > latest), "{pair:?} until {latest}");
        idle
    }
}
