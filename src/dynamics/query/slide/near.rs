//! The bodies around a slide, searched once for all its sweeps.

use glam::DVec3;

use super::types::{SlideOptions, SlideShape};
use crate::dynamics::query::{Candidate, Sight};
use crate::dynamics::{BodyId, Stepper};
use crate::geometry::Aabb;
use crate::numeric::tolerance::TOUCH_REACH;

/// Widest region that is searched at once, in half edges of the shape: a longer slide searches along each of its sweeps.
const WIDE: f64 = 6.0;

/// What a region has.
#[derive(Debug, Default)]
pub(super) struct Near {
    bounds: Option<Aabb>,
    found: Vec<(Candidate, Aabb)>,
}

impl Near {
    /// What is around a slide of `motion` from a place, with its steps and probes; nothing if that is a long one.
    pub(super) fn new(
        stepper: &Stepper,
        sight: &Sight<'_>,
        (shape, options): (SlideShape, &SlideOptions<'_>),
        [from, motion]: [DVec3; 2],
    ) -> Self {
        let [step, snap] = options.heights();
        let half = shape.half();
        let reach = motion.abs() + half + TOUCH_REACH * half.max_element() + step + 2.0 * snap;
        let has_room = |(period, reach): (&Option<_>, f64)| {
            period.as_ref().is_none_or(|period: &crate::dynamics::Period| 2.0 * reach < period.length())
        };
        let mut periods = stepper.parts.scene.settings.space.periods.iter().zip(reach.to_array());
        let is_short = reach.max_element() <= WIDE * half.max_element();
        if !is_short || !periods.all(has_room) {
            return Self::default();
        }
        Self::within_bounds(stepper, sight, Aabb::around(from, reach))
    }

    /// The bodies that touch a box. Their domains do not matter.
    pub(super) fn within_bounds(stepper: &Stepper, sight: &Sight<'_>, bounds: Aabb) -> Self {
        let mut found = Vec::new();
        stepper.touching(&bounds, sight, |candidate| {
            let half = stepper.parts.scene.rows.shape(candidate.id).half_extents();
            let around = Aabb::around(candidate.position, half);
            found.extend(around.touches(&bounds).then_some((candidate, around)));
        });
        Self { bounds: Some(bounds), found }
    }

    /// All that it has.
    pub(super) fn into_found(self) -> impl Iterator<Item = Candidate> {
        self.found.into_iter().map(|(found, _)| found)
    }

    /// The bodies in a part of the region, without those in `moving`; `None` if the part is not in it.
    pub(super) fn within(&self, part: &Aabb, moving: &[(BodyId, DVec3)]) -> Option<impl Iterator<Item = Candidate>> {
        let bounds = self.bounds?;
        let stands = move |id: BodyId| moving.iter().all(|&(body, _)| body != id);
        let touched = self.found.iter().filter(move |(found, around)| around.touches(part) && stands(found.id));
        (bounds.min.cmple(part.min) & bounds.max.cmpge(part.max)).all().then(|| touched.map(|&(found, _)| found))
    }
}
