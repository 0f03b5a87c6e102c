//! Meetings with an outline where a course moves it, or the body.

use glam::DVec3;

use super::approach::Approach;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::prediction::driven::{Mean, Search, widened};
use crate::dynamics::prediction::pair_event::Meeting;
use crate::dynamics::scene::Scene;
use crate::motion::Relative;
use crate::sweep::outline::parts_on_way;

impl Scene {
    /// The first meeting of a pair that a course moves, one of which has an outline. `search` is for its motion; each part
    /// that the body may reach is searched for itself.
    pub(in crate::dynamics::prediction) fn driven_outline_meeting<F: Fn(f64) -> Relative + Copy>(
        &self,
        pair: Pair,
        mean: &Mean,
        search: &Search<'_, F>,
    ) -> Option<Meeting> {
        let (approach, flipped) = self.approach(pair, &mean.motion)?;
        let Approach { outline, motion, .. } = &approach;
        let body = if flipped { pair.b } else { pair.a };
        let sign = if flipped { -1.0 } else { 1.0 };
        let mut first: Option<Meeting> = None;
        parts_on_way(widened(self.rows.shape(body), mean.reach)?, *outline, motion, mean.last, |part, until| {
            let mut held = self.contacts.between(pair, &self.rows).map(|row| self.contacts.get(row));
            if held.any(|contact| contact.holds(part, *outline)) {
                return until;
            }
            let faces = |time: f64, own: DVec3| {
                let here = (search.at)(time);
                let facing = approach.facing(part, here.position * sign, own * sign)?;
                let normal = facing.normal * sign;
                (normal.dot(here.velocity) < 0.0).then_some(normal)
            };
            let (search, spans) = (search.of(self.solids(pair, part)), self.spans_within(pair, part, mean));
            let met =
                spans.iter().find_map(|span| search.first(span.enter.max(mean.from), span.leave.min(until), faces));
            if let Some(met) = met.map(|met| Meeting { part, ..met })
                && met.time <= until
                && first.is_none_or(|first| (met.time, part) < (first.time, first.part))
            {
                first = Some(met);
            }
            first.map_or(until, |first| first.time)
        });
        first
    }
}
