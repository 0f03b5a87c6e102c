//! The bodies of which a run records places and paths.

use crate::dynamics::{BodyId, Motion};
use crate::scenario::{Recording, Scenario};
use crate::world::FutureNames;

/// How many moving bodies have their paths written if the scenario does not say.
const PATHS_DEFAULT: usize = 64;

/// The bodies that can move, with those that come later, in the order of their ids.
pub(crate) fn moving(scenario: &Scenario, future_names: &FutureNames<'_>) -> Vec<BodyId> {
    let moves = scenario.all_bodies().filter(|named| named.body.motion != Motion::Fixed);
    let mut moving: Vec<BodyId> = moves.filter_map(|named| future_names.id(&named.name)).collect();
    moving.sort_unstable();
    moving
}

/// The bodies whose paths are written.
pub(crate) fn followed(record: &Recording, future_names: &FutureNames<'_>, moving: &[BodyId]) -> Vec<BodyId> {
    match &record.paths {
        Some(names) => ids(names, future_names),
        None => spread(moving, PATHS_DEFAULT).collect(),
    }
}

/// At most `count` of the bodies, from all parts of the list: neighbours in it tend to be neighbours in space.
fn spread(bodies: &[BodyId], count: usize) -> impl Iterator<Item = BodyId> {
    let kept = count.min(bodies.len());
    (0..kept).map(move |rank| bodies[rank * bodies.len() / kept])
}

pub(crate) fn ids(names: &[String], future_names: &FutureNames<'_>) -> Vec<BodyId> {
    let mut ids: Vec<BodyId> = names.iter().filter_map(|name| future_names.id(name)).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
