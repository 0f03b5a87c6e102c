//! Members: bodies that begin or end to be advanced by time steps.

use super::state::{Looks, SleepTimer, StepContact};
use crate::dynamics::BodyId;
use crate::dynamics::contact::lifecycle::log_contact;
use crate::dynamics::contact::{Contact, Reaction};
use crate::dynamics::log::event::EventKind;
use crate::dynamics::parts::Parts;

/// Makes free bodies members, with all bodies of their islands.
pub(in crate::dynamics) fn admit(parts: &mut Parts, bodies: &[BodyId]) {
    let mut left: Vec<BodyId> = bodies.iter().copied().filter(|&id| !parts.scene.in_crowd(id)).collect();
    let mut joined = Vec::new();
    while let Some(id) = left.pop() {
        if std::mem::replace(&mut parts.scene.crowded[id.index()], true) {
            continue;
        }
        parts.scene.rows.records.mark_not_ballistic(id);
        parts.time_stepping.calm.set(id, SleepTimer::from(parts.scene.now, 0.0));
        joined.push(id);
        for row in parts.scene.contacts.of(id).to_vec() {
            let contact = parts.scene.end_contact(row);
            left.extend(parts.scene.free_of(contact.pair));
            keep_touch(parts, &contact);
        }
    }
    for &id in &joined {
        parts.time_stepping.paid.set(id, parts.scene.now);
        parts.put_reaction(id, Reaction::none(parts.scene.now));
    }
    parts.time_stepping.members.extend(&joined);
    parts.time_stepping.members.sort_unstable();
    parts.time_stepping.touches.sort_by_key(StepContact::key);
    joined.into_iter().for_each(|id| parts.changed.body(id));
}

/// A contact becomes one of the time stepping.
pub(in crate::dynamics) fn keep_touch(parts: &mut Parts, contact: &Contact) {
    let told = contact.met.is_none_or(|met| met.again);
    if contact.met.is_some() {
        log_contact(parts, EventKind::Impact, contact);
    }
    parts.time_stepping.touches.push(StepContact { pair: contact.pair, part: contact.part, push: contact.push, told });
}

/// Ends the membership of bodies; their next events have to be predicted.
pub(in crate::dynamics) fn dismiss(parts: &mut Parts, bodies: &[BodyId]) {
    for id in bodies {
        parts.scene.crowded[id.index()] = false;
        parts.scene.due.set(*id, None);
        parts.time_stepping.looks.set(*id, Looks { since: parts.scene.now, ..Looks::NONE });
    }
    let crowded = &parts.scene.crowded;
    parts.time_stepping.members.retain(|id| crowded[id.index()]);
}
