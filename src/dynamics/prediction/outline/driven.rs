//! Meetings with an outline where a course moves it, or the body.

use glam::DVec3;

use crate::dynamics::body::pair::{Meeting, Pair};
use crate::dynamics::prediction::driven::{Mean, Search, widened};
use crate::dynamics::scene::Scene;
use crate::motion::Relative;
use crate::numeric::Interval;

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
        let body = if flipped { pair.b } else { pair.a };
        let sign = if flipped { -1.0 } else { 1.0 };
        let solid = widened(self.rows.shape(body), mean.reach)?;
        approach.first_part(solid, mean.last, &self.contacts_between(pair), |part, until| {
            let faces = |time: f64, own: DVec3| {
                let here = (search.at)(time);
                let normal = approach.facing(part, here.position * sign, own * sign)?.normal * sign;
                (normal.dot(here.velocity) < 0.0).then_some(normal)
            };
            let (search, spans) = (search.of(self.solids(pair, part)), self.spans_within(pair, part, mean));
            let found = |span: &Interval| search.first(span.enter.max(mean.from), span.leave.min(until), faces);
            spans.iter().find_map(found).map(|met| Meeting { part, ..met })
        })
    }
}
