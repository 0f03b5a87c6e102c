//! Culling: a box test that is much shorter than a prediction.
//!
//! A body that is much larger than its neighbours has thousands of them, and the neighbours of a body in contact are
//! predicted one by one. Nearly all these events are long after the first. Three products and a comparison show that
//! two boxes stay apart along an axis. The test only skips predictions without effect on the result.

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::scene::Scene;
use crate::geometry::{Plane, Shape};
use crate::motion::{Path, Relative, SimTime};
use crate::numeric::tolerance::DOMAIN_SLACK;

/// The culling of the pairs of one body from the present on: the quantities that are the same for all these pairs.
pub(in crate::dynamics) struct Culling<'a> {
    scene: &'a Scene,
    id: BodyId,
    shape: &'a Shape,
    /// The motion of the body from the present on.
    motion: Relative,
    /// Scale of the rounding of its position, m.
    extent: f64,
    senses: bool,
    /// Whether the body may be in contact with another one.
    touches: bool,
}

impl<'a> Culling<'a> {
    #[inline]
    pub(in crate::dynamics) fn new(scene: &'a Scene, id: BodyId) -> Self {
        let rows = &scene.rows;
        Self {
            scene,
            id,
            shape: rows.shape(id),
            motion: motion_from(&rows.path(id), scene.now),
            extent: rows.extent(id),
            senses: rows.senses(id),
            touches: !rows.is_free(id) || !scene.contacts.of(id).is_empty(),
        }
    }

    /// Whether `pair` certainly has no event before `latest`, because the boxes around its bodies, or a box and a
    /// half-space, stay apart until then. The result is false in less simple cases: a contact, a sensor.
    #[inline]
    pub(in crate::dynamics) fn is_idle(&self, pair: Pair, latest: SimTime) -> bool {
        let (scene, other) = (self.scene, pair.other(self.id));
        if scene.rows.drives(pair) {
            return false;
        }
        let (rows, span) = (&scene.rows, latest.since(scene.now).max(0.0));
        let seen = self.seen(pair, other);
        // As for domains: a margin for the rounding of positions and of the time of a meeting.
        let rounding = DOMAIN_SLACK * (self.extent + rows.extent(other) + seen.position.abs().max_element());
        let apart = match (self.shape, rows.shape(other)) {
            (Shape::Plane(plane), body) => stays_above(plane, body, &seen, span, rounding),
            (body, Shape::Plane(plane)) => stays_above(plane, body, &seen.reversed(), span, rounding),
            (a, b) => {
                let reach = a.half_extents() + b.half_extents();
                let distance = (seen.velocity.abs() + seen.acceleration.abs() * (0.5 * span)) * span;
                seen.position.abs().cmpgt((reach + distance) * (1.0 + DOMAIN_SLACK) + rounding).any()
            }
        };
        if !apart || self.senses || rows.senses(other) {
            return false;
        }
        !self.touches || scene.contacts.between(pair, rows).next().is_none()
    }

    /// The motion of the other body of `pair`, or of its image, seen from this one.
    #[inline]
    fn seen(&self, pair: Pair, other: BodyId) -> Relative {
        let theirs = motion_from(&self.scene.rows.path(other), self.scene.now);
        let offset = theirs.position - self.motion.position;
        // The image of a pair is counted from its first body.
        let position = if self.id == pair.a {
            pair.image_offset(offset, &self.scene.settings.space)
        } else {
            -pair.image_offset(-offset, &self.scene.settings.space)
        };
        Relative {
            position,
            velocity: theirs.velocity - self.motion.velocity,
            acceleration: theirs.acceleration - self.motion.acceleration,
        }
    }
}

/// The motion of a body from `now` on.
#[inline]
fn motion_from(path: &Path, now: SimTime) -> Relative {
    let Path { position, velocity, acceleration, epoch } = *path;
    Relative { position, velocity, acceleration }.from(now.since(epoch))
}

/// Whether the box around a body stays above a half-space for a span; `motion` is the motion of the body relative to
/// the half-space.
fn stays_above(plane: &Plane, body: &Shape, motion: &Relative, span: f64, rounding: f64) -> bool {
    let speed = -plane.normal().dot(motion.velocity);
    let pull = -plane.normal().dot(motion.acceleration);
    let distance = (speed.max(0.0) + pull.max(0.0) * (0.5 * span)) * span;
    plane.distance(motion.position) > (plane.reach_of(body.half_extents()) + distance) * (1.0 + DOMAIN_SLACK) + rounding
}
