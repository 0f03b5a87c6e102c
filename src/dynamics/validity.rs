//! What may be in a world: each body by itself, and in planar worlds all together.
//!
//! Nothing holds a body in the plane z = 0. Where positions, velocities, gravity and all normals are in the plane, so
//! is every impulse, exactly: products with 0 and sums of 0 are 0. So it is enough to refuse what would make a normal
//! that is not.

use glam::DVec3;

use super::body::table::BodyTable;
use super::body::{is_too_fast, moderate};
use super::{Body, BodyId, Motion, Response, Settings, SetupError, Space};
use crate::geometry::Shape;
use crate::numeric::quantity::is_moderate;

/// Refuses a body that no step could move.
pub(super) fn check_body(id: BodyId, body: &Body, settings: &Settings) -> Result<(), SetupError> {
    if !moderate(body.position) || !moderate(body.velocity) || !moderate(body.spin) {
        return Err(SetupError::NotFinite { body: id });
    }
    if is_too_fast(&body.shape, body.velocity) {
        return Err(SetupError::TooFast { body: id });
    }
    if !settings.space.is_countable(body.position) {
        return Err(SetupError::TooFar { body: id });
    }
    check_width(id, &body.shape, &settings.space)?;
    let is_arc = matches!(body.shape, Shape::Arc(_));
    if is_arc && !settings.space.is_planar || settings.space.is_planar && !is_in_plane(body) {
        return Err(SetupError::OffPlane { body: id });
    }
    if body.is_free() && matches!(body.shape, Shape::Plane(_)) {
        return Err(SetupError::FreePlane { body: id });
    }
    let collides = body.response == Response::Collide;
    if body.shape.outline().is_some() && (body.is_free() || !collides) {
        return Err(SetupError::MeshNoObstacle { body: id });
    }
    if is_arc && !(body.motion == Motion::Fixed && collides) {
        return Err(SetupError::ArcNotFixed { body: id });
    }
    if let Some(course) = &body.course {
        if body.motion != Motion::Kinematic || body.velocity != DVec3::ZERO {
            return Err(SetupError::NoCourse { body: id });
        }
        let largest = course.largest();
        if !is_moderate(largest.jerk) || is_too_fast(&body.shape, course.axis() * largest.speed) {
            return Err(SetupError::TooFast { body: id });
        }
    }
    if !settings.materials.has(body.material) {
        return Err(SetupError::NoSuchMaterial { body: id });
    }
    Ok(())
}

/// Refuses a body that would overlap its own image.
fn check_width(id: BodyId, shape: &Shape, space: &Space) -> Result<(), SetupError> {
    for (axis, period) in space.periods.iter().enumerate() {
        let Some(period) = period.map(|period| period.length()) else { continue };
        let width = shape.widths()[axis];
        // A half-space has one image only. A body as wide as the period only touches its own.
        if width.is_finite() && width > period {
            return Err(SetupError::WiderThanPeriod { body: id, axis: ["x", "y", "z"][axis], width, period });
        }
    }
    Ok(())
}

/// Whether a body lies and moves in the plane z = 0, and all normals with which it can be met do so, too.
fn is_in_plane(body: &Body) -> bool {
    let is_still = body.course.as_ref().is_none_or(|course| course.axis().z == 0.0);
    let moves_in_it = body.position.z == 0.0 && body.velocity.z == 0.0 && is_still;
    let is_upright = match &body.shape {
        Shape::Sphere(_) | Shape::Box(_) | Shape::Arc(_) => true,
        Shape::Plane(plane) => plane.normal().z == 0.0,
        Shape::Mesh(mesh) => mesh.lines().is_some(),
        // Its lowest face is at its position.
        Shape::Grid(_) => false,
    };
    moves_in_it && is_upright && body.spin.x == 0.0 && body.spin.y == 0.0
}

impl BodyTable {
    /// Refuses a world in which boxes move and arcs stand.
    pub(in crate::dynamics) fn check_arcs(&self) -> Result<(), SetupError> {
        match self.an_arc().and_then(|arc| Some((self.a_moving_box()?, arc))) {
            Some((body, arc)) => Err(SetupError::BoxWithArc { body, arc }),
            None => Ok(()),
        }
    }

    /// The same for a world to which a body is added.
    pub(in crate::dynamics) fn check_with_arcs(&self, id: BodyId, body: &Body) -> Result<(), SetupError> {
        let clash = match (&body.shape, body.motion) {
            (Shape::Arc(_), _) => self.a_moving_box().map(|other| (other, id)),
            (Shape::Box(_), Motion::Free(_) | Motion::Kinematic) => self.an_arc().map(|arc| (id, arc)),
            _ => None,
        };
        clash.map_or(Ok(()), |(body, arc)| Err(SetupError::BoxWithArc { body, arc }))
    }

    fn an_arc(&self) -> Option<BodyId> {
        self.arcs.iter().map(|&(id, _)| id).find(|&id| !self.is_gone(id))
    }

    fn a_moving_box(&self) -> Option<BodyId> {
        self.present().find(|&id| self.moves(id) && matches!(self.shape(id), Shape::Box(_)))
    }
}
