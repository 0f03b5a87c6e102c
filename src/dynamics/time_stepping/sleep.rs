//! Sleep: an island that is at rest leaves the time stepping.
//!
//! An island sleeps when all its members have been so slow for so long that none could rise by a rest length. Its
//! bodies get a velocity of exactly zero and lasting contacts.

use glam::DVec3;

use super::accounts::{book_change, log_release};
use super::island::{ListedPair, SteppedIsland};
use super::membership::dismiss;
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::contact::lifecycle::log_contact;
use crate::dynamics::contact::{Contact, is_rest};
use crate::dynamics::error::RunError;
use crate::dynamics::log::event::EventKind;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::settings::Settings;
use crate::geometry::gap;
use crate::motion::Spin;
use crate::numeric::tolerance::{GAP_KEPT, SLEEP_FALL};

/// Whether an island falls asleep now: all members have been slow for the time in which a body falls through some
/// diameters, and their gaps are as small as at rest.
pub(super) fn sleeps(parts: &Parts, island: &mut SteppedIsland) -> bool {
    let Scene { rows, settings, now, .. } = &parts.scene;
    let slow = 2.0 * settings.gravity.length() * settings.rest_length;
    let mut size: f64 = 0.0;
    let is_slow = |&id: &BodyId| {
        size = size.max(rows.shape(id).half_extents().max_element());
        rows.path(id).velocity_at(*now).length_squared() <= slow
    };
    if !island.members.iter().all(is_slow) {
        island.slow_since = None;
        return false;
    }
    let since = *island.slow_since.get_or_insert(*now);
    now.since(since) >= settings.fall_time(SLEEP_FALL * size) && island.cushion <= GAP_KEPT * settings.rest_length
}

/// Gives bodies at rest a velocity of exactly zero and lasting contacts.
pub(super) fn put_to_sleep(parts: &mut Parts, island: &mut SteppedIsland) -> Result<(), RunError> {
    for &id in &island.members {
        stop(parts, id)?;
    }
    dismiss(parts, &island.members);
    for listed in &island.list.pairs {
        add_resting_contact(parts, listed);
    }
    *island = SteppedIsland::default();
    Ok(())
}

/// Sets the velocity of a body to zero.
fn stop(parts: &mut Parts, id: BodyId) -> Result<(), RunError> {
    let member = parts.scene.member(id, parts.scene.now);
    book_change(parts, &member, &member.stopped(), 0.0);
    parts.begin_path(id, DVec3::ZERO, DVec3::ZERO, Spin::default())
}

/// Stops a body that is pressed against others and is too slow to rise by a rest length.
pub(super) fn stop_invisible(parts: &mut Parts, id: BodyId, pairs: &[ListedPair]) -> Result<(), RunError> {
    let Settings { gravity, rest_length, .. } = parts.scene.settings;
    let is_pressed = |listed: &ListedPair| (listed.pair.a == id || listed.pair.b == id) && listed.push.normal > 0.0;
    let speed = parts.scene.member(id, parts.scene.now).linear.length();
    let stops = pairs.iter().any(is_pressed) && is_rest(speed, gravity.length(), rest_length);
    if stops { stop(parts, id) } else { Ok(()) }
}

/// A listed pair becomes a lasting contact if there is a force.
pub(super) fn add_resting_contact(parts: &mut Parts, listed: &ListedPair) {
    if listed.push.normal <= 0.0 {
        if listed.is_logged {
            log_release(parts, listed);
        }
        return;
    }
    let seen = listed.pair.as_seen_from_path(&parts.scene.rows);
    let normal = parts.scene.normal_of(seen, listed.part);
    let surface = parts.scene.surface(seen, normal, listed.part);
    let contact = Contact::new(listed.pair, listed.part, normal, surface, parts.scene.now, None);
    let contact = Contact { push: listed.push, ..contact };
    parts.scene.contacts.add(contact, &parts.scene.rows);
    parts.scene.free_of(listed.pair).for_each(|id| parts.scene.rows.records.mark_not_ballistic(id));
    if !listed.is_logged {
        log_contact(parts, EventKind::Rest, &contact);
    }
}

impl Scene {
    /// The normal of two bodies at the present.
    pub(super) fn normal_of(&self, pair: Pair, part: u32) -> DVec3 {
        let motion = pair.motion(&self.rows, &self.settings.space, self.now);
        let [a, b] = self.solids(pair, part);
        gap(a, b, motion.position).map_or(DVec3::X, |gap| gap.normal)
    }
}
