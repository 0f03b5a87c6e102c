//! What bytes of a world's state are made of: the snapshot, and whose state it is.

use serde::{Deserialize, Serialize};

use super::{RestoreError, Snapshot};
use crate::dynamics::{Body, BodyId, Settings, snapshot};
use crate::world::World;

/// A snapshot that needs few bytes.
#[derive(Serialize, Deserialize)]
pub(crate) struct Thin {
    spawned: Vec<String>,
    commands: usize,
    state: snapshot::Thin,
}

impl Thin {
    pub(crate) fn new(snapshot: Snapshot) -> Self {
        let Snapshot { spawned, commands, state } = snapshot;
        Self { spawned, commands, state: snapshot::Thin::new(state) }
    }

    pub(crate) fn whole(self) -> Result<Snapshot, RestoreError> {
        let Self { spawned, commands, state } = self;
        Ok(Snapshot { spawned, commands, state: state.whole().map_err(RestoreError::State)? })
    }
}

impl World {
    /// The hash of what no command changes in the bodies and settings of the beginning. `hash` is called once.
    pub(crate) fn beginning(
        &self,
        hash: impl FnOnce(&Settings, &mut dyn Iterator<Item = (&str, Body)>) -> u128,
    ) -> u128 {
        let first = self.names.all().len() - self.names.later().len();
        let bodies = self.names.all()[..first].iter().zip(0..);
        let mut bodies = bodies.map(|(name, row)| (name.as_str(), unmoved(self.stepper.given(BodyId(row)))));
        let settings = Settings { gravity: glam::DVec3::ZERO, ..self.settings().clone() };
        *self.names.beginning.get_or_init(|| hash(&settings, &mut bodies))
    }

    /// The bodies of `snapshot` that came after the beginning and are present in it, without their motion.
    ///
    /// # Errors
    /// [`RestoreError`] when the snapshot has bodies that this world does not know.
    pub(crate) fn came_later(&self, snapshot: &Snapshot) -> Result<Vec<(String, Body)>, RestoreError> {
        let (newcomers, rows) = (self.newcomers(snapshot)?, self.ids_issued());
        let first = rows - self.names.later().len();
        let later = snapshot.state.present().filter(|id| id.index() >= first);
        Ok(later
            .map(|id| match id.index().checked_sub(rows) {
                None => (self.name(id).to_owned(), unmoved(self.stepper.given(id))),
                Some(row) => (newcomers[row].name.clone(), unmoved(newcomers[row].body.clone())),
            })
            .collect())
    }
}

/// A body without the motion that a snapshot has.
fn unmoved(body: Body) -> Body {
    let zero = glam::DVec3::ZERO;
    Body { position: zero, velocity: zero, spin: zero, course: None, ..body }
}
