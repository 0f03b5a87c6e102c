//! Domain exits: a body gets a new domain and new neighbours.
//!
//! The path does not change, so predictions with the remaining neighbours stay valid.

use super::BodyId;
use super::error::RunError;
use super::simulation::Simulation;
use super::to_predict::Entered;

/// Largest number of domain exits of a body at one instant. Without neighbours, each domain is 1.5 times as wide as the
/// one before, so this many domains span any distance.
const DOMAINS_MAX: u32 = 1000;

/// Gives a body a new domain and new neighbours. Predictions with the remaining neighbours stay valid.
pub(super) fn leave_domain(sim: &mut Simulation, id: BodyId) -> Result<(), RunError> {
    let now = sim.scene.now;
    sim.scene.check_finite(id)?;
    if !sim.scene.settings.space.is_countable(sim.scene.rows.path(id).position_at(now)) {
        return Err(RunError::TooFar { body: id, time: now });
    }
    // A body too fast for the resolution of the clock would leave domains at one instant without end.
    if sim.counters.crossings.count(id, now) > DOMAINS_MAX {
        return Err(RunError::TooFast { body: id, time: now });
    }
    if sim.scene.rows.driven(id).is_some() {
        sim.note(id);
    }
    if sim.broadphase.domains[id.index()].margin == f64::INFINITY {
        sim.limit_exit(id);
        sim.to_predict.own_event(id);
        return Ok(());
    }
    let was_ballistic = sim.scene.rows.records.is_ballistic_sphere(id);
    let margin = sim.broadphase.domains[id.index()].margin;
    let listed = sim.broadphase.renew(id, &sim.scene.rows, &sim.scene.settings.space, now);
    sim.limit_exit(id);
    // Whether a body that was a ballistic sphere still is one depends only on the size of its domain.
    if !was_ballistic || sim.broadphase.domains[id.index()].margin != margin {
        sim.refresh_record(id);
    }
    sim.to_predict.entered = Some(Entered { body: id, listed, was_ballistic });
    Ok(())
}
