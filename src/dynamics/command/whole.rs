//! Commands that change all bodies: another gravity, and the reversal of all motion.

use glam::DVec3;

use super::{CommandError, book_presence, redirect};
use crate::dynamics::BodyId;
use crate::dynamics::body::moderate;
use crate::dynamics::contact::Reaction;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::state::Stepper;
use crate::dynamics::time_stepping::membership::interrupt_all;

impl Stepper {
    /// Changes gravity, m/s². All forces of contacts are computed again, and bodies that sleep wake. Without gravity
    /// there are no time steps. The difference of the potential energies is work from outside.
    ///
    /// # Errors
    /// [`CommandError::Gravity`] when it is not finite, larger than 1e70, or not in the plane of a planar world.
    pub fn set_gravity(&mut self, gravity: DVec3) -> Result<(), CommandError> {
        if !moderate(gravity) || !self.settings().space.has(gravity) {
            return Err(CommandError::Gravity);
        }
        if gravity == self.settings().gravity {
            return Ok(());
        }
        self.command(|sim| set_gravity(sim, gravity))
    }

    /// Reverses all motion: every velocity and spin becomes its opposite. Motion without loss and friction then runs
    /// back on the same paths, as long as rounding is small. Losses and friction are not undone, and contacts are
    /// updated.
    ///
    /// # Errors
    /// [`CommandError::NotFinite`] when a body has become too fast.
    pub fn reverse(&mut self) -> Result<(), CommandError> {
        self.command(reverse)
    }
}

fn set_gravity(sim: &mut Simulation, gravity: DVec3) -> Result<(), CommandError> {
    interrupt_all(sim)?;
    let present = sim.scene.rows.present();
    let free: Vec<BodyId> = present.filter(|&id| sim.scene.rows.is_free(id)).collect();
    for &id in &free {
        // The work of the contacts up to now was done in the old gravity.
        sim.put_reaction(id, Reaction::none(sim.scene.now));
        book_presence(sim, id, -1.0);
    }
    sim.scene.settings.gravity = gravity;
    sim.scene.rows.records.set_gravity(gravity);
    free.iter().for_each(|&id| book_presence(sim, id, 1.0));
    for &id in &free {
        let member = sim.scene.member(id, sim.scene.now);
        redirect(sim, id, &member)?;
        sim.refresh_record(id);
    }
    Ok(())
}

fn reverse(sim: &mut Simulation) -> Result<(), CommandError> {
    interrupt_all(sim)?;
    sim.log.audit.impulse -= sim.balance().momentum * 2.0;
    let present: Vec<BodyId> = sim.scene.rows.present().collect();
    let moving: Vec<BodyId> =
        present.iter().copied().filter(|&id| sim.scene.rows.moves(id) && !sim.scene.rows.is_on_course(id)).collect();
    for id in moving {
        let member = sim.scene.member(id, sim.scene.now);
        // Zero stays +0, as snapshots have it.
        let reversed = member.moving([DVec3::ZERO - member.linear, DVec3::ZERO - member.angular]);
        redirect(sim, id, &reversed)?;
    }
    // Whether a contact closes is known only after both its bodies are reversed.
    for &id in &present {
        sim.scene.contacts.of(id).to_vec().into_iter().for_each(|row| sim.scene.update_struck(row));
    }
    present.into_iter().for_each(|id| sim.to_predict.body(id));
    Ok(())
}
