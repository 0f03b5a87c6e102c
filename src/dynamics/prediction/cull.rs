//! Which neighbours do nothing for a while: a look that is much shorter than a prediction.
//!
//! A body that is large among its neighbours has thousands, and at each of its impacts all its meetings change; nearly all
//! of them come long after the first one. Two boxes that stay apart along an axis are told by three products and a
//! comparison. It only ever spares a prediction whose answer does not matter.

use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::table::Interaction;
use crate::dynamics::scene::Scene;
use crate::motion::SimTime;
use crate::numeric::tolerance::DOMAIN_SLACK;

impl Scene {
    /// Whether nothing is predicted for two bodies until `latest`, as the boxes around them stay apart from `now` on. Says no
    /// where it is not so simple: in touch, in a sensor, at a half-space.
    #[inline]
    pub(in crate::dynamics) fn is_idle(&self, pair: Pair, now: SimTime, latest: SimTime) -> bool {
        let rows = &self.rows;
        let motion = pair.motion(rows, &self.settings.space, now);
        let span = latest.since(now).max(0.0);
        let reach = rows.shape(pair.a).half_extents() + rows.shape(pair.b).half_extents();
        let way = (motion.velocity.abs() + motion.acceleration.abs() * (0.5 * span)) * span;
        // As domains are wider than their rooms: for the rounding of places, and of the time of a meeting.
        let rounding = DOMAIN_SLACK * (rows.extent(pair.a) + rows.extent(pair.b) + motion.position.abs().max_element());
        let apart = motion.position.abs().cmpgt((reach + way) * (1.0 + DOMAIN_SLACK) + rounding).any();
        let idle = apart
            && rows.interaction(pair.a, pair.b) == Some(Interaction::Collide)
            && self.contacts.between(pair, rows).next().is_none();
        debug_assert!(!idle || self.predict(pair).is_none_or(|(time, _)| time > latest), "{pair:?} until {latest}");
        idle
    }
}
