//! Groups of impacts: those that share bodies at one instant.

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::parts::Parts;

/// The number of the group that an impact of the present belongs to. Impacts that share a free body, now or in an
/// earlier round of this instant, are one group.
pub(in crate::dynamics) fn group_of(parts: &mut Parts, pair: Pair) -> u64 {
    group_of_free(parts, parts.scene.free_of(pair))
}

/// The same for the free bodies of an impact.
#[inline]
pub(in crate::dynamics) fn group_of_free(parts: &mut Parts, bodies: impl IntoIterator<Item = BodyId> + Clone) -> u64 {
    parts.counters.groups.begin_instant(parts.scene.now);
    let known = |id: BodyId| group_now(parts, id);
    let before = bodies.clone().into_iter().filter_map(known).min();
    let group = before.unwrap_or(parts.counters.groups.count + 1);
    parts.counters.groups.count = parts.counters.groups.count.max(group);
    for id in bodies {
        parts.counters.work[id.index()].group = group;
    }
    group
}

/// The group that a body's impacts at this instant belong to, if it had any.
#[inline]
pub(in crate::dynamics) fn group_now(parts: &Parts, id: BodyId) -> Option<u64> {
    let group = parts.counters.work[id.index()].group;
    (parts.counters.groups.instant == parts.scene.now && group > parts.counters.groups.before).then_some(group)
}
