//! Meetings with an outline, and the end of a contact with a facet, where a course moves it or the body.

use glam::DVec3;

use super::Footprint;
use super::approach::Approach;
use crate::dynamics::body::pair::{Meeting, Pair};
use crate::dynamics::contact::Contact;
use crate::dynamics::prediction::driven::{Mean, Search, widened};
use crate::dynamics::scene::Scene;
use crate::geometry::Aabb;
use crate::motion::Relative;
use crate::numeric::Interval;
use crate::numeric::tolerance::CLOSING_SLACK;
use crate::sweep::Rates;

impl Scene {
    /// The first meeting of a pair that a course moves, one of which has an outline. `search` is for its motion; each
    /// part that the body may reach is searched for itself.
    pub(in crate::dynamics::prediction) fn driven_outline_meeting<F: Fn(f64) -> Relative + Copy>(
        &self,
        pair: Pair,
        mean: &Mean,
        search: &Search<'_, F>,
    ) -> Option<Meeting> {
        let (mut approach, flipped) = self.approach(pair, &mean.motion)?;
        approach.pulled += CLOSING_SLACK * search.largest_swing();
        let body = if flipped { pair.b } else { pair.a };
        let sign = if flipped { -1.0 } else { 1.0 };
        let solid = widened(self.rows.shape(body), mean.reach)?;
        approach.first_part(solid, mean.last, &self.contacts_between(pair), |part, until| {
            let faces = |time: f64, own: DVec3| {
                let here = (search.at)(time);
                let here = if flipped { here.reversed() } else { here };
                let normal = approach.facing(part, &here, own * sign)?.normal;
                let [speed, acceleration] = [here.velocity, here.acceleration].map(|vector| normal.dot(vector));
                let closes = approach.rounding.time_of_closing(&Rates { normal, speed, acceleration }) == 0.0;
                (closes && !approach.slides(part, &here)).then_some(normal * sign)
            };
            let (search, spans) = (search.of(self.solids(pair, part)), self.spans_within(pair, part, mean));
            let found = |span: &Interval| search.first(span.enter.max(mean.from), span.leave.min(until), faces);
            spans.iter().find_map(found).map(|met| Meeting { part, ..met })
        })
    }

    /// For how long a body stays at least over the facet that it is in contact with, s; 0 if it is beyond its edge.
    pub(in crate::dynamics::prediction) fn stay_on_facet<F: Fn(f64) -> Relative + Copy>(
        &self,
        pair: Pair,
        contact: &Contact,
        motion: &Relative,
        search: &Search<'_, F>,
    ) -> f64 {
        let Some((approach, flipped)) = self.approach(pair, motion) else { return 0.0 };
        let Approach { body, outline, ref motion, .. } = approach;
        let footprint = Footprint::of(body, if flipped { -contact.normal } else { contact.normal }, motion);
        let (place, mut longest) = (footprint.seen.reversed(), 0.0);
        let bounds = Aabb::around(place.position, footprint.reach(&outline.facet(contact.part)));
        outline.touching(&bounds, |part| {
            if contact.holds(part, outline) {
                longest = f64::max(longest, search.stay(&place, approach.ranges_on(part, footprint.half)));
            }
        });
        longest
    }
}
