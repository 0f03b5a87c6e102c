//! What a sliding shape stands on, and its steps.

use glam::DVec3;

use super::search::{Met, Part, Search};
use super::types::SlideOptions;
use crate::geometry::unit;
use crate::numeric::quantity::is_moderate;
use crate::numeric::tolerance::{PROJECTION_SLACK, TOUCH_REACH};

impl SlideOptions<'_> {
    /// The direction up, of length 1.
    pub(super) fn upwards(&self) -> DVec3 {
        unit(self.up).unwrap_or(DVec3::Z)
    }

    /// The step and the snap, m: 0 for numbers that are no lengths.
    pub(super) fn heights(&self) -> [f64; 2] {
        [self.step, self.snap].map(|height| if height > 0.0 && is_moderate(height) { height } else { 0.0 })
    }

    /// Whether a surface with this normal can be stood on.
    pub(super) fn is_floor(&self, normal: DVec3) -> bool {
        let rise = normal.dot(self.upwards());
        rise > 0.0 && rise * rise * (1.0 + self.slope_max * self.slope_max) >= 1.0 - PROJECTION_SLACK
    }

    /// Whether it is a ceiling: the same below.
    pub(super) fn is_ceiling(&self, normal: DVec3) -> bool {
        self.is_floor(-normal)
    }

    /// Whether it is neither.
    pub(super) fn is_wall(&self, normal: DVec3) -> bool {
        !self.is_floor(normal) && !self.is_ceiling(normal)
    }

    /// The part of a vector across the direction up.
    pub(super) fn level(&self, vector: DVec3) -> DVec3 {
        vector.reject_from_normalized(self.upwards())
    }
}

impl Search<'_> {
    /// What the shape would meet at once in this direction.
    pub(super) fn touched(
        &self,
        place: DVec3,
        share: f64,
        direction: DVec3,
        counts: impl Fn(DVec3) -> bool,
    ) -> Option<Met> {
        let motion = direction * (TOUCH_REACH * self.shape.half().max_element());
        let long = motion.length();
        // What the real shape touches is some roundings away from the slim one.
        self.first(&Part { place, share, lasts: 0.0, motion }, |meeting| {
            meeting.t * long * meeting.normal.dot(direction).abs() <= 6.0 * meeting.slack && counts(meeting.normal)
        })
    }

    /// The floor on which the shape stands.
    pub(super) fn floor(&self, place: DVec3, share: f64) -> Option<Met> {
        self.touched(place, share, -self.options.upwards(), |normal| self.options.is_floor(normal))
    }

    /// The place after a step over what blocks a part of the way, and the share of the part that was made: up, on, and
    /// down on a floor. `None` if that is no way on.
    pub(super) fn step(&self, part: &Part) -> Option<(DVec3, f64)> {
        let (options, up) = (self.options, self.options.upwards());
        let ahead = options.level(part.motion);
        let [step, _] = options.heights();
        if step == 0.0 || ahead == DVec3::ZERO || self.floor(part.place, part.share).is_none() {
            return None;
        }
        let raised = self.end(&Part { lasts: 0.0, motion: up * step, ..*part }).0;
        let (on, done) = self.end(&Part { place: raised, motion: ahead, ..*part });
        let share = part.share + part.lasts * done;
        let landed = self.below(on, share, (raised - part.place).dot(up))?;
        (done > 0.0).then_some((landed, done))
    }

    /// The place on a floor below, no deeper than `depth`.
    pub(super) fn below(&self, place: DVec3, share: f64, depth: f64) -> Option<DVec3> {
        let long = 2.0 * depth;
        let part = Part { place, share, lasts: 0.0, motion: self.options.upwards() * -long };
        let met = self.first(&part, |meeting| meeting.t * long <= depth + 6.0 * meeting.slack)?;
        self.options.is_floor(met.hit.normal).then_some(met.place)
    }

    /// Where a part of a way ends, and after which share of it.
    fn end(&self, part: &Part) -> (DVec3, f64) {
        let met = self.first(part, |_| true);
        met.map_or((part.place + part.motion, 1.0), |met| (met.place, met.hit.t))
    }
}
