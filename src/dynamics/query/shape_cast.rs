//! Shape casts: where a moving ball or box would stop if all bodies stood still.
//!
//! A shape cast is a [`sweep`](mod@crate::sweep) of a shape in straight motion against the bodies as they are at the
//! present.

use glam::DVec3;

use super::{Best, Candidate, Rank, Sight, Spot, is_direction, moderate};
use crate::dynamics::Stepper;
use crate::dynamics::broadphase::hash_grid::CarriedBox;
use crate::geometry::{HalfExtents, Radius, Ray, Solid, touch_point};
use crate::motion::Relative;
use crate::sweep::outline::parts_on_way;
use crate::sweep::{self, Start};

/// The point where a moving shape meets a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SweepHit {
    /// The body, and the contact point; if they overlap at the start, a point between them.
    pub spot: Spot,
    /// Distance moved by the shape, in lengths of the direction; 0 if it overlaps the body at the start.
    pub t: f64,
    /// Unit normal out of the body at the contact point; if they overlap at the start, along the shortest way out.
    pub normal: DVec3,
    /// The relation of the two at the start.
    pub start: Start,
}

impl Stepper {
    /// The first body that a ball meets when its centre moves along `ray`, up to the parameter `until` (inclusive; may
    /// be infinite).
    ///
    /// A ball meets a body when it would enter it: a ball that only touches a body, or slides along it, does not meet
    /// it. See [`sweep`](mod@crate::sweep) for all cases.
    pub fn cast_sphere(&self, radius: Radius, ray: &Ray, until: f64, sight: &Sight<'_>) -> Option<SweepHit> {
        self.carry(Solid::Sphere(radius.get()), DVec3::splat(radius.get()), ray, until, sight)
    }

    /// The first body that an axis-aligned box meets when its centre moves along `ray`; as
    /// [`cast_sphere`](Self::cast_sphere).
    pub fn cast_box(&self, half: HalfExtents, ray: &Ray, until: f64, sight: &Sight<'_>) -> Option<SweepHit> {
        self.carry(Solid::Box(half.get()), half.get(), ray, until, sight)
    }

    fn carry(&self, solid: Solid<'_>, half: DVec3, ray: &Ray, until: f64, sight: &Sight<'_>) -> Option<SweepHit> {
        if !moderate(ray.origin) || !is_direction(ray.direction) || until.is_nan() || until < 0.0 {
            return None;
        }
        let mut best = Best(None);
        self.along(&CarriedBox { ray: *ray, half, from: 0.0, until }, sight, |found, until| {
            let position = found.position - ray.origin;
            let motion = Relative { position, velocity: -ray.direction, acceleration: DVec3::ZERO };
            let mut meet = |part: u32, primitive: u32, until: f64| {
                let other = self.sim.scene.rows.solid(found.id, part);
                let Some(met) = sweep::overlap(solid, other, &motion, until) else { return until };
                let point = touch_point(solid, ray.at(met.enter), other, found.position, met.normal);
                let Candidate { id: body, position, .. } = found;
                let spot = Spot { body, primitive, position, point };
                let hit = SweepHit { spot, t: met.enter, normal: -met.normal, start: met.start };
                best.offer(Rank::new(hit.t, &found, primitive), hit);
                until.min(hit.t)
            };
            let Some(outline) = self.sim.scene.rows.outline(found.id) else { return meet(0, 0, until) };
            let mut last = until;
            parts_on_way(solid, outline, &motion, until, |part, until| {
                last = meet(part, outline.primitive(part), until);
                last
            });
            last
        });
        best.answer()
    }
}
