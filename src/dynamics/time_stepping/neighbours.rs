//! Neighbours of a member: all bodies that may touch it within the step, whatever their domains.
//!
//! Domains depend on the history of the bodies, so the result of a time step must not depend on them. They only serve
//! to find all bodies within a reach that is computed from the state alone.

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::table::Interaction;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::geometry::Aabb;
use crate::numeric::tolerance::DOMAIN_SLACK;

/// Calls `found` with every pair of a body and another that it collides with and that is less than `reach` from it, and
/// with some others.
pub(super) fn pairs_within(parts: &Parts, id: BodyId, reach: f64, mut found: impl FnMut(Pair)) {
    let (rows, space) = (&parts.scene.rows, &parts.scene.settings.space);
    let mut offer = |other: BodyId, offset: [i8; 3]| {
        if other != id && rows.interaction(id, other) == Some(Interaction::Collide) {
            found(parts.broadphase.pair(id, other, offset));
        }
    };
    parts.broadphase.planes.iter().for_each(|&plane| offer(plane, [0; 3]));
    let place = rows.path(id).position_at(parts.scene.now) - space.shift(parts.broadphase.images(id));
    let half = rows.shape(id).half_extents() + reach;
    let bounds = Aabb::around(place, half + (place.abs() + half) * DOMAIN_SLACK);
    parts.broadphase.around(&bounds, false, space, offer);
}

impl Scene {
    /// The speed of the fastest kinematic body, m/s.
    pub(super) fn fastest_wall(&self) -> f64 {
        let speeds = self.rows.kinematic.iter().map(|&id| self.rows.path(id).velocity.length());
        speeds.fold(0.0, f64::max)
    }
}
