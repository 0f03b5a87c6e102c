//! Commands that change one body: its position, its material, its layers.
//!
//! The body goes out of the world and comes back changed, at the same instant and with the same id: its contacts end,
//! it leaves sensors and enters those that it is in, and its energy at the old place is taken from the balance and that
//! at the new place is added. A command that changes nothing does nothing.

use glam::DVec3;

use super::{CommandError, come_in, go_out};
use crate::dynamics::body::altered::alterable::Alterable;
use crate::dynamics::body::driven::Driven;
use crate::dynamics::body::table::Interaction;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::state::Stepper;
use crate::dynamics::validity::check_body;
use crate::dynamics::{Body, BodyId, Layers, MaterialId};
use crate::motion::{Path, Spin};

impl Stepper {
    /// Puts a free or kinematic body at another position, m; its velocity and spin stay. The difference of its
    /// potential energy is work from outside. For a body on a course it is the position without the displacement, that
    /// of [`body`](Self::body).
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is fixed, when the position is not finite or too large, or
    /// when the body would overlap by more than rounding a body with which it collides.
    pub fn set_position(&mut self, id: BodyId, position: DVec3) -> Result<(), CommandError> {
        self.sim.scene.check_present(id)?;
        if !self.sim.scene.rows.moves(id) {
            return Err(CommandError::Fixed { body: id });
        }
        self.alter(id, |body| body.at(position))
    }

    /// Makes a body one of another material.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body or no such material.
    pub fn set_material(&mut self, id: BodyId, material: MaterialId) -> Result<(), CommandError> {
        self.alter(id, |body| body.made_of(material))
    }

    /// Puts a body into other layers, and lets it collide with others than before.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, or when it overlaps by more than rounding a body with which it
    /// would collide then.
    pub fn set_layers(&mut self, id: BodyId, layers: Layers, collides_with: Layers) -> Result<(), CommandError> {
        self.alter(id, |body| body.in_layers(layers).colliding_with(collides_with))
    }

    fn alter(&mut self, id: BodyId, change: impl Fn(Body) -> Body) -> Result<(), CommandError> {
        self.sim.scene.check_present(id)?;
        let before = self.body(id);
        let body = change(before.clone());
        if body == before {
            return Ok(());
        }
        check_body(id, &body, self.settings())?;
        // A body that stays where it is can only overlap those with which it did not collide.
        let rows = &self.sim.scene.rows;
        let stays = body.position == before.position;
        let is_new = |other: BodyId| !stays || rows.interaction(id, other) != Some(Interaction::Collide);
        self.check_overlap(id, &body, is_new)?;
        self.command(|sim| alter(sim, id, &body, stays))
    }
}

/// Changes a body, which stays where it is or begins anew at its position.
fn alter(sim: &mut Simulation, id: BodyId, body: &Body, stays: bool) -> Result<(), CommandError> {
    go_out(sim, id)?;
    sim.broadphase.remove(id);
    let scene = &mut sim.scene;
    scene.rows.alter(id, Alterable::of(body));
    let member = scene.member(id, scene.now);
    let acceleration = if body.is_free() { scene.settings.gravity } else { DVec3::ZERO };
    let velocity = if body.is_free() { member.linear } else { scene.rows.path(id).velocity };
    let (position, crossed) = scene.settings.space.wrap(body.position);
    let path = Path { position, velocity, acceleration, epoch: scene.now };
    let spin = Spin { velocity: member.angular, acceleration: DVec3::ZERO };
    scene.rows.driven.remove(&id);
    if let Some(course) = &body.course {
        scene.rows.driven.insert(id, Driven::on(**course, Path { velocity: DVec3::ZERO, ..path }));
    }
    let path = scene.rows.driven(id).map_or(path, |driven| driven.path_at(scene.now));
    scene.rows.records.set(id, &path);
    scene.rows.records.mark_not_ballistic(id);
    scene.rows.spins.set(id, spin);
    let turns = &mut scene.rows.turns[id.index()];
    *turns = std::array::from_fn(|axis| i64::from(crossed[axis]) + if stays { turns[axis] } else { 0 });
    sim.note(id);
    sim.broadphase.enter(id, &sim.scene.rows, &sim.scene.settings.space, sim.scene.now);
    sim.limit_exit(id);
    come_in(sim, id)
}
