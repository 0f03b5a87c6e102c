//! What may be in a planar world.
//!
//! Nothing holds a body in the plane z = 0. Where positions, velocities, gravity and all normals are in the plane, so is every
//! impulse, exactly: products with 0 and sums of 0 are 0. So it is enough to refuse what would make a normal that is not.

use super::table::BodyTable;
use super::{Body, BodyId, Motion};
use crate::dynamics::SetupError;
use crate::geometry::{Mesh, Shape};

/// Whether a body lies and moves in the plane z = 0, and all normals with which it can be met do so, too.
pub(super) fn is_in_plane(body: &Body) -> bool {
    let is_still = body.course.as_ref().is_none_or(|course| course.axis().z == 0.0);
    let moves_in_it = body.position.z == 0.0 && body.velocity.z == 0.0 && is_still;
    let is_upright = match &body.shape {
        Shape::Sphere(_) | Shape::Box(_) | Shape::Arc(_) => true,
        Shape::Plane(plane) => plane.normal().z == 0.0,
        Shape::Mesh(mesh) => is_prism(mesh),
        // Its lowest face is at its position.
        Shape::Grid(_) => false,
    };
    moves_in_it && is_upright && body.spin.x == 0.0 && body.spin.y == 0.0
}

/// Whether a mesh is an outline in the plane, drawn out along z as far upwards as downwards. What is nearest to a point in the
/// plane is in the plane then: a face, or the middle of an edge.
fn is_prism(mesh: &Mesh) -> bool {
    let height = mesh.bounds().max.z;
    let ends_there = mesh.triangles().iter().flat_map(|triangle| triangle.vertices()).all(|v| v.z.abs() == height);
    let facets = (0..mesh.facet_count() as u32).map(|facet| mesh.facet(facet).normal);
    height > 0.0 && ends_there && facets.into_iter().all(|normal| normal.z == 0.0 || normal.z.abs() == 1.0)
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
