//! Commands that change one cell of a grid.
//!
//! Contacts with faces that are gone end, and bodies that move near the grid are predicted again. All other bodies go
//! on undisturbed: what is predicted again has the same bits.

use glam::DVec3;

use super::CommandError;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::table::Interaction;
use crate::dynamics::contact::lifecycle::{log_end, wake};
use crate::dynamics::contact::{Contact, Surface};
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::state::Stepper;
use crate::dynamics::time_stepping::membership::leave_parts;
use crate::dynamics::{Body, BodyId, Motion};
use crate::geometry::{Aabb, Grid, HalfExtents, Shape};
use crate::numeric::tolerance::START_OVERLAP_SLACK;

impl Stepper {
    /// Makes a cell of a grid solid or empty. What rests on a cell that is taken away falls; all else goes on.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is no grid, when it has no such cell, or when a body would
    /// overlap the new solid cell by more than rounding.
    pub fn set_cell(&mut self, id: BodyId, cell: [u32; 3], solid: bool) -> Result<(), CommandError> {
        self.sim.scene.check_present(id)?;
        let body = self.body(id);
        let Shape::Grid(grid) = &body.shape else { return Err(CommandError::NotAGrid { body: id }) };
        if (0..3).any(|axis| cell[axis] >= grid.size()[axis]) {
            return Err(CommandError::NoSuchCell { body: id, cell, size: grid.size() });
        }
        if grid.is_solid(cell) == solid {
            return Ok(());
        }
        if let Some(block) = block(&body, grid, cell).filter(|_| solid) {
            self.check_overlap(id, &block, |_| true)?;
        }
        let bounds = grid.box_of(cell);
        drop(body);
        self.command(|sim| set_cell(sim, id, &bounds, cell, solid))
    }
}

/// A fixed box in the place of a cell.
fn block(body: &Body, grid: &Grid, cell: [u32; 3]) -> Option<Body> {
    let bounds = grid.box_of(cell);
    let shape = Shape::Box(HalfExtents::new(bounds.half()).ok()?);
    Some(Body { shape, motion: Motion::Fixed, position: body.position + bounds.center(), ..body.clone() })
}

fn set_cell(sim: &mut Simulation, id: BodyId, bounds: &Aabb, cell: [u32; 3], solid: bool) -> Result<(), CommandError> {
    let position = sim.scene.rows.path(id).position_at(sim.scene.now);
    let bounds = bounds.shifted(position);
    let near = bodies_near(sim, id, &bounds);
    sim.scene.rows.set_cell(id, cell, solid, sim.scene.now);
    // A body that slides may have its contact from a face where it was before.
    for pair in sim.pairs_of(id) {
        if leave_faces(sim, pair) {
            // What rounding hides depends on the contacts, so predictions begin anew.
            sim.go_on_from_here(pair.other(id))?;
            wake(sim, pair);
        }
    }
    leave_parts(sim, id, solid.then_some(&bounds))?;
    for &other in &near {
        sim.broadphase.update_neighbours(other, &sim.scene.rows, &sim.scene.settings.space);
        sim.to_predict.body(other);
    }
    // A prediction may reach far ahead, to a face that is gone or into the new cell.
    for other in sim.pairs_of(id).into_iter().map(|pair| pair.other(id)) {
        let path = sim.scene.rows.path(other);
        if path.velocity != DVec3::ZERO || path.acceleration != DVec3::ZERO {
            sim.to_predict.body(other);
        }
    }
    Ok(())
}

/// The free bodies that collide with a grid and may touch the box of a cell before their next domain exit, by id. All
/// that touch it now are among them.
fn bodies_near(sim: &Simulation, id: BodyId, bounds: &Aabb) -> Vec<BodyId> {
    let (rows, space) = (&sim.scene.rows, &sim.scene.settings.space);
    let slack = bounds.farthest() * START_OVERLAP_SLACK;
    let seen = Aabb { min: bounds.min - slack, max: bounds.max + slack };
    let mut near = Vec::new();
    sim.broadphase.around(&seen, false, space, |other, _| near.push(other));
    near.retain(|&other| rows.interaction(id, other) == Some(Interaction::Collide));
    near.sort_unstable();
    near.dedup();
    near
}

/// Ends the contacts of a body with faces that are gone. If it stands on another face of the same facet, too, the
/// contact goes on there. Returns whether one has ended.
fn leave_faces(sim: &mut Simulation, pair: Pair) -> bool {
    let rows: Vec<u32> = sim.scene.contacts.between(pair, &sim.scene.rows).collect();
    let offset = pair.motion(&sim.scene.rows, &sim.scene.settings.space, sim.scene.now).position;
    let mut has_ended = false;
    for row in rows {
        let contact = *sim.scene.contacts.get(row);
        if sim.scene.rows.has_part([pair.a, pair.b], contact.part) {
            continue;
        }
        let is_flat = contact.surface == Surface::Facet;
        match sim.scene.part_beside(pair, offset, contact.part).filter(|_| is_flat) {
            Some(part) => {
                sim.scene.contacts.remove(row);
                // A body that has come to rest in a heap has a contact with each face that carried it.
                let Scene { contacts, rows, .. } = &sim.scene;
                let is_held = contacts.between(pair, rows).any(|row| contacts.get(row).part == part);
                if is_held {
                    has_ended = true;
                } else {
                    sim.scene.contacts.add(Contact { part, ..contact }, &sim.scene.rows);
                }
            }
            None => {
                let contact = sim.scene.end_contact(row);
                log_end(sim, &contact);
                has_ended = true;
            }
        }
    }
    has_ended
}
