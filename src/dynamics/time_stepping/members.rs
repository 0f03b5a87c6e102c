//! Members: bodies that begin or end to be advanced by time steps.
//!
//! A body becomes a member with its whole island. Its contacts become contacts of the time stepping, which have no
//! surface: they last from step to step as long as there is a force or a gap of at most the rest length.

use super::state::{SleepTimer, StepContact, UpdateCount};
use crate::dynamics::BodyId;
use crate::dynamics::contact::lifecycle::log_contact;
use crate::dynamics::contact::{Contact, Reaction};
use crate::dynamics::log::event::EventKind;
use crate::dynamics::parts::Parts;

/// Makes free bodies members, with all bodies of their islands.
pub(in crate::dynamics) fn admit(parts: &mut Parts, bodies: &[BodyId]) {
    let mut left: Vec<BodyId> = bodies.iter().copied().filter(|&id| !parts.scene.is_time_stepped(id)).collect();
    let mut joined = Vec::new();
    while let Some(id) = left.pop() {
        if std::mem::replace(&mut parts.scene.time_stepped[id.index()], true) {
            continue;
        }
        parts.scene.rows.records.mark_not_ballistic(id);
        parts.time_stepping.sleep_timers.set(id, SleepTimer::from(parts.scene.now, 0.0));
        joined.push(id);
        for row in parts.scene.contacts.of(id).to_vec() {
            let contact = parts.scene.end_contact(row);
            left.extend(parts.scene.free_of(contact.pair));
            keep_contact(parts, &contact);
        }
    }
    for &id in &joined {
        parts.time_stepping.velocity_until.set(id, parts.scene.now);
        parts.put_reaction(id, Reaction::none(parts.scene.now));
    }
    parts.time_stepping.members.extend(&joined);
    parts.time_stepping.members.sort_unstable();
    parts.time_stepping.contacts.sort_by_key(StepContact::key);
    joined.into_iter().for_each(|id| parts.changed.body(id));
}

/// A contact becomes one of the time stepping.
pub(in crate::dynamics) fn keep_contact(parts: &mut Parts, contact: &Contact) {
    let is_logged = contact.met.is_none_or(|met| met.again);
    if contact.met.is_some() {
        log_contact(parts, EventKind::Impact, contact);
    }
    parts.time_stepping.contacts.push(StepContact {
        pair: contact.pair,
        part: contact.part,
        push: contact.push,
        is_logged,
    });
}

/// Ends the membership of bodies; their next events have to be predicted.
pub(in crate::dynamics) fn dismiss(parts: &mut Parts, bodies: &[BodyId]) {
    for id in bodies {
        parts.scene.time_stepped[id.index()] = false;
        parts.scene.due.set(*id, None);
        parts.time_stepping.updates.set(*id, UpdateCount { since: parts.scene.now, ..UpdateCount::NONE });
    }
    let time_stepped = &parts.scene.time_stepped;
    parts.time_stepping.members.retain(|id| time_stepped[id.index()]);
}
