//! The names of the bodies in a recording.

use std::path::Path;

use crate::dynamics::BodyId;
use crate::record::recording::Reader;
use crate::record::replay::{ReplayError, recorded_scenario};
use crate::world::Command;

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
