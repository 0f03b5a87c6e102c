//! Groups of impacts: those that share bodies at one instant.

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::simulation::Simulation;

/// The number of the group that an impact of the present belongs to. Impacts that share a free body, now or in an
/// earlier round of this instant, are one group.
pub(in crate::dynamics) fn group_of(sim: &mut Simulation, pair: Pair) -> u64 {
    group_of_free(sim, sim.scene.free_of(pair))
}

/// The same for the free bodies of an impact.
#[inline]
pub(in crate::dynamics) fn group_of_free(
    sim: &mut Simulation,
    bodies: impl IntoIterator<Item = BodyId> + Clone,
) -> u64 {
    sim.counters.groups.begin_instant(sim.scene.now);
    let known = |id: BodyId| group_now(sim, id);
    let before = bodies.clone().into_iter().filter_map(known).min();
    let group = before.unwrap_or(sim.counters.groups.count + 1);
    sim.counters.groups.count = sim.counters.groups.count.max(group);
    for id in bodies {
        sim.counters.work[id.index()].group = group;
    }
    group
}

/// The group that a body's impacts at this instant belong to, if it had any.
#[inline]
pub(in crate::dynamics) fn group_now(sim: &Simulation, id: BodyId) -> Option<u64> {
    let group = sim.counters.work[id.index()].group;
    (sim.counters.groups.instant == sim.scene.now && group > sim.counters.groups.before).then_some(group)
}
