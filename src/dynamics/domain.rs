//! A body leaves its domain: it gets another one, and other neighbours.

use super::BodyId;
use super::changed::Entered;
use super::error::RunError;
use super::parts::Parts;

/// Most domains that a body may leave at one instant. Each is half as wide again as the one before if it is
/// alone, so this many span any distance.
const DOMAINS_MAX: u32 = 1000;

/// A body gets a new domain and other neighbours; what is predicted with those that stay still holds.
pub(super) fn leave_domain(parts: &mut Parts, id: BodyId) -> Result<(), RunError> {
    let now = parts.scene.now;
    parts.scene.check_finite(id)?;
    if !parts.scene.settings.space.is_countable(parts.scene.rows.path(id).position_at(now)) {
        return Err(RunError::TooFar { body: id, time: now });
    }
    // A body that is faster than the clock can tell never gets out of the present.
    if parts.counters.crossings.count(id, now) > DOMAINS_MAX {
        return Err(RunError::TooFast { body: id, time: now });
    }
    let was_ballistic = parts.scene.rows.records.is_ballistic_sphere(id);
    let linked = parts.broadphase.renew(id, &parts.scene.rows, &parts.scene.settings.space, now);
    parts.refresh_record(id);
    parts.changed.entered = Some(Entered { body: id, linked, was_ballistic });
    Ok(())
}
