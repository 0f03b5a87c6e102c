//! Beginning and end of contacts, and their events in the log.
//!
//! A contact begins with an impact without rebound and ends when its bodies separate, when an impact has a rebound, or
//! at the edge of a support. Each change wakes the bodies: their island is updated at the end of the instant.

use glam::DVec3;

use super::{Contact, Met, Surface};
use crate::dynamics::body::pair::{Meeting, Pair};
use crate::dynamics::error::RunError;
use crate::dynamics::log::event::{Event, EventKind};
use crate::dynamics::log::limit::count_work;
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::geometry::Solid;

/// Two bodies stay in contact after an impact without rebound, in the contact of this row if they were in contact
/// before. Their island is updated at the end of the instant.
pub(in crate::dynamics) fn begin_contact(
    sim: &mut Simulation,
    pair: Pair,
    Meeting { normal, part, .. }: Meeting,
    row: Option<u32>,
    met: Met,
) {
    match row {
        Some(row) => {
            let contact = sim.scene.contacts.get_mut(row);
            let before = contact.met.map_or((0.0, 0.0), |before| (before.impulse, before.loss));
            contact.met = Some(Met { impulse: met.impulse + before.0, loss: met.loss + before.1, ..met });
            contact.struck = None;
        }
        None => {
            let normal = sim.scene.normal_of_rest(pair, normal);
            let surface = sim.scene.surface(pair, normal, part);
            let lasting = pair.absolute(&sim.scene.rows);
            sim.scene
                .contacts
                .add(Contact::new(lasting, part, normal, surface, sim.scene.now, Some(met)), &sim.scene.rows);
        }
    }
    wake(sim, pair);
}

/// Schedules a contact update of the bodies of a pair for the end of the instant.
pub(in crate::dynamics) fn wake(sim: &mut Simulation, pair: Pair) {
    sim.to_predict.pair(pair);
    sim.scene.free_of(pair).for_each(|id| sim.settle_now(id));
}

/// Logs the end of a contact. A contact that began and ends at one instant is logged as an impact without rebound.
pub(in crate::dynamics) fn log_end(sim: &mut Simulation, contact: &Contact) {
    if contact.met.is_some() {
        log_contact(sim, EventKind::Impact, contact);
    }
    if contact.met.is_none_or(|met| met.again) {
        log_contact(sim, EventKind::Release, contact);
    }
}

/// Logs a change of a contact. The free body comes first where the other is not free.
pub(in crate::dynamics) fn log_contact(sim: &mut Simulation, kind: EventKind, contact: &Contact) {
    let pair = contact.pair.as_seen_from_path(&sim.scene.rows);
    let meeting = Meeting { time: 0.0, normal: contact.normal, part: contact.part };
    let event = sim.scene.event(pair, kind, &meeting, 0.0, 0.0);
    let met = contact.met.filter(|_| matches!(kind, EventKind::Rest | EventKind::Collapse | EventKind::Impact));
    let event = met.map_or(event, |met| {
        let Met { approach_speed, impulse, loss, group, .. } = met;
        Event { approach_speed, impulse, loss, group, ..event }
    });
    let turned = kind != EventKind::Impact && !sim.scene.rows.is_free(pair.a);
    sim.log.add(if turned { event.seen_from_b() } else { event });
}

/// A body has come to the edge of a flat support: a ball rolls over the edge, a box is free.
pub(in crate::dynamics) fn slide_off(sim: &mut Simulation, pair: Pair) -> Result<(), RunError> {
    let Some((_, row)) = sim.scene.release(pair) else { return Ok(()) };
    count_work(sim, pair.a, pair.b)?;
    count_work(sim, pair.b, pair.a)?;
    let part = sim.scene.contacts.get(row).part;
    let is_ball = |solid: &Solid<'_>| matches!(solid, Solid::Sphere(_));
    if sim.scene.solids(pair, part).iter().any(is_ball) {
        let offset = pair.motion(&sim.scene.rows, &sim.scene.settings.space, sim.scene.now).position;
        let part = sim.scene.nearest_part(pair, offset, part);
        let contact = sim.scene.contacts.remove(row);
        sim.scene.contacts.add(Contact { part, surface: Surface::Curved, ..contact }, &sim.scene.rows);
    } else {
        let contact = sim.scene.end_contact(row);
        log_end(sim, &contact);
    }
    // On its old path, the body may have an impact with its former support at this instant, to rounding.
    for id in sim.scene.free_of(pair) {
        sim.go_on_from_here(id)?;
    }
    wake(sim, pair);
    Ok(())
}

impl Scene {
    /// Ends a contact.
    pub(in crate::dynamics) fn end_contact(&mut self, row: u32) -> Contact {
        let contact = self.contacts.remove(row);
        for id in self.free_of(contact.pair) {
            self.set_due(id, self.now);
        }
        contact
    }

    /// The kind of surface of a contact along `normal`. It determines how the contact will end.
    pub(in crate::dynamics) fn surface(&self, pair: Pair, normal: DVec3, part: u32) -> Surface {
        let motion = pair.motion(&self.rows, &self.settings.space, self.now);
        let (offset, outward) = (motion.position.abs(), motion.velocity * motion.position.signum());
        // The centre lies over the face, not beyond its edge. A normal that is tilted by less than a rounding has one
        // component 1 and another that is not 0.
        let is_axis = |axis: usize| normal[axis].abs() == 1.0;
        // A body within rounding of the edge has come onto the face if it moves inwards, and else is about to leave it.
        let rounding = self.rounding(pair);
        let across = |half: DVec3, axis: usize| {
            let inside = half[axis] - offset[axis];
            normal[axis] == 0.0
                && (inside > rounding.depth || (inside >= -rounding.depth && outward[axis] < -rounding.speed))
        };
        let over_face = |half: DVec3| (0..3).all(|axis| is_axis(axis) || across(half, axis));
        let outline = [pair.a, pair.b].into_iter().find_map(|id| self.rows.outline(id));
        let facet = outline.map(|outline| outline.facet(part).normal);
        let solids = self.solids(pair, part);
        if facet.is_some_and(|facet| normal == facet || normal == -facet) {
            let is_ball = solids.iter().any(|solid| matches!(solid, Solid::Sphere(_)));
            let stays = !is_ball || self.stays_on_facet(pair, &motion, normal, part);
            return if stays { Surface::Facet } else { Surface::Curved };
        }
        match solids.into() {
            (_, Solid::Plane(_)) | (Solid::Plane(_), _) => Surface::Endless,
            (Solid::Box(a), Solid::Box(b)) => Surface::Flat { reach: a + b },
            (Solid::Box(half), Solid::Sphere(_)) | (Solid::Sphere(_), Solid::Box(half)) if over_face(half) => {
                Surface::Flat { reach: half }
            }
            _ => Surface::Curved,
        }
    }
}
