//! The names of the bodies in a recording.

use std::collections::BTreeSet;
use std::path::Path;

use crate::dynamics::BodyId;
use crate::record::recording::{Difference, Reader};
use crate::record::replay::{ReplayError, recorded_scenario};
use crate::world::{Command, Snapshot};

/// The names of the bodies of a recording in the order of their ids, if it has a scenario.
pub(super) struct Names(Vec<String>);

impl Names {
    /// The bodies of the beginning, and then those that commands bring, in the order of their coming.
    pub(super) fn of(recording: &Reader, file: &Path) -> Result<Self, ReplayError> {
        if recording.header().script.is_none() {
            return Ok(Self(Vec::new()));
        }
        let world = recorded_scenario(recording.header(), file)?.1.world()?;
        let first = world.ids().map(|id| world.name(id).to_owned());
        let later = world.scheduled().iter().filter_map(|timed| match &timed.command {
            Command::Spawn(named) => Some(named.name.clone()),
            _ => None,
        });
        Ok(Self(first.chain(later).collect()))
    }

    /// The name of a body; its number, if the world has no scenario.
    pub(super) fn name(&self, id: BodyId) -> String {
        self.0.get(id.index()).map_or_else(|| format!("number {}", id.0), Clone::clone)
    }
}

/// A body that is there in one of two states alone. Other bodies have other ids, so their numbers cannot be compared.
pub(super) fn presence(states: [&Snapshot; 2], names: &[Names; 2]) -> Option<Difference> {
    let present =
        |side: usize| -> BTreeSet<String> { states[side].motions().map(|(id, _)| names[side].name(id)).collect() };
    let [was, is] = [present(0), present(1)];
    let body = was.symmetric_difference(&is).next()?.clone();
    let word = |there: bool| if there { "present" } else { "absent" }.to_owned();
    let (recorded, found) = (word(was.contains(&body)), word(is.contains(&body)));
    Some(Difference { body: Some(body), field: "presence".to_owned(), recorded, found, ulps: None })
}
