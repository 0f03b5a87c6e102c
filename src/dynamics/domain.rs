//! Domain exits: a body gets a new domain and new neighbours.
//!
//! The path does not change, so predictions with the remaining neighbours stay valid.

use super::BodyId;
use super::changed::Entered;
use super::error::RunError;
use super::parts::Parts;

/// Largest number of domain exits of a body at one instant. Without neighbours, each domain is 1.5 times as wide as the
/// one before, so this many domains span any distance.
const DOMAINS_MAX: u32 = 1000;

/// Gives a body a new domain and new neighbours. Predictions with the remaining neighbours stay valid.
pub(super) fn leave_domain(parts: &mut Parts, id: BodyId) -> Result<(), RunError> {
    let now = parts.scene.now;
    parts.scene.check_finite(id)?;
    if !parts.scene.settings.space.is_countable(parts.scene.rows.path(id).position_at(now)) {
        return Err(RunError::TooFar { body: id, time: now });
    }
    // A body too fast for the resolution of the clock would leave domains at one instant without end.
    if parts.counters.crossings.count(id, now) > DOMAINS_MAX {
        return Err(RunError::TooFast { body: id, time: now });
    }
    if parts.scene.rows.driven(id).is_some() {
        parts.note(id);
    }
    if parts.broadphase.domains[id.index()].margin == f64::INFINITY {
        parts.limit_exit(id);
        parts.changed.own_event(id);
        return Ok(());
    }
    let was_ballistic = parts.scene.rows.records.is_ballistic_sphere(id);
    let margin = parts.broadphase.domains[id.index()].margin;
    let listed = parts.broadphase.renew(id, &parts.scene.rows, &parts.scene.settings.space, now);
    parts.limit_exit(id);
    // Whether a body that was a ballistic sphere still is one depends only on the size of its domain.
    if !was_ballistic || parts.broadphase.domains[id.index()].margin != margin {
        parts.refresh_record(id);
    }
    parts.changed.entered = Some(Entered { body: id, listed, goes_on: was_ballistic });
    Ok(())
}
