//! The bodies around a slide, searched once for all its sweeps.

use glam::DVec3;

use super::types::{SlideOptions, SlideShape};
use crate::dynamics::query::{Candidate, Sight};
use crate::dynamics::{BodyId, Stepper};
use crate::geometry::{Aabb, Outline, Solid};
use crate::numeric::tolerance::TOUCH_REACH;

/// Widest region that is searched at once, in half edges of the shape: a longer slide searches along each of its
/// sweeps.
const WIDE: f64 = 6.0;

/// Most parts of one mesh or grid that are kept: of more, each sweep searches those on its way.
const PARTS_MAX: usize = 64;

/// What a region has.
#[derive(Debug, Default)]
pub(super) struct Near<'a> {
    bounds: Option<Aabb>,
    found: Vec<Around<'a>>,
}

/// A body in a region.
#[derive(Debug)]
pub(super) struct Around<'a> {
    pub(super) body: Candidate,
    bounds: Aabb,
    /// The parts of a mesh or a grid in the region; `None` if they are many.
    parts: Option<Vec<Piece<'a>>>,
}

/// A part of a mesh or a grid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) part: u32,
    pub(super) solid: Solid<'a>,
    /// Where it is, m.
    bounds: Aabb,
}

impl<'a> Around<'a> {
    /// The parts of a mesh or a grid that touch a box, if they are known.
    pub(super) fn parts(&self, within: &Aabb) -> Option<impl Iterator<Item = &Piece<'a>>> {
        let parts = self.parts.as_ref()?;
        Some(parts.iter().filter(|piece| piece.bounds.touches(within)))
    }

    /// Finds the parts that touch a box, if they are few.
    fn look_at_parts(&mut self, outline: Outline<'a>, within: &Aabb) {
        let place = self.body.position;
        let few = outline.few_touching(&within.shifted(-place), PARTS_MAX);
        let piece = |part| Piece { part, solid: outline.solid(part), bounds: outline.box_of(part).shifted(place) };
        self.parts = few.map(|few| few.into_iter().map(piece).collect());
    }
}

impl<'a> Near<'a> {
    /// What is around a slide of `motion` from a place, with its steps and probes; nothing if that is a long one.
    pub(super) fn new(
        stepper: &'a Stepper,
        sight: &Sight<'_>,
        (shape, options): (SlideShape, &SlideOptions<'_>),
        [from, motion]: [DVec3; 2],
    ) -> Self {
        let [step, snap] = options.heights();
        let half = shape.half();
        let probes = TOUCH_REACH * half.max_element() + options.upwards().abs() * (step + 2.0 * snap);
        let reach = motion.abs() + half + probes;
        let has_room = |(period, reach): (&Option<_>, f64)| {
            period.as_ref().is_none_or(|period: &crate::dynamics::Period| 2.0 * reach < period.length())
        };
        let mut periods = stepper.sim.scene.settings.space.periods.iter().zip(reach.to_array());
        let is_short = reach.max_element() <= WIDE * half.max_element();
        if !is_short || !periods.all(has_room) {
            return Self::default();
        }
        let bounds = Aabb::around(from, reach);
        let mut near = Self::within_bounds(stepper, sight, bounds);
        for around in &mut near.found {
            if let Some(outline) = stepper.sim.scene.rows.outline(around.body.id) {
                around.look_at_parts(outline, &bounds);
            }
        }
        near
    }

    /// The bodies that touch a box. Their domains do not matter.
    pub(super) fn within_bounds(stepper: &'a Stepper, sight: &Sight<'_>, bounds: Aabb) -> Self {
        let mut found = Vec::new();
        stepper.touching(&bounds, sight, |body| {
            let half = stepper.sim.scene.rows.shape(body.id).half_extents();
            let around = Aabb::around(body.position, half);
            found.extend(around.touches(&bounds).then_some(Around { body, bounds: around, parts: None }));
        });
        Self { bounds: Some(bounds), found }
    }

    /// All bodies of the region.
    pub(super) fn all(&self) -> impl Iterator<Item = &Around<'a>> {
        self.found.iter()
    }

    /// The bodies in a part of the region, without those in `moving`; `None` if the part is not in it.
    pub(super) fn within(&self, part: &Aabb, moving: &[(BodyId, DVec3)]) -> Option<impl Iterator<Item = &Around<'a>>> {
        let bounds = self.bounds?;
        let stands = move |id: BodyId| moving.iter().all(|&(body, _)| body != id);
        let touched = self.found.iter().filter(move |found| found.bounds.touches(part) && stands(found.body.id));
        (bounds.min.cmple(part.min) & bounds.max.cmpge(part.max)).all().then_some(touched)
    }
}
