//! Snapshots for bytes that travel: bodies without spin and contact forces have no rows of these.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::check::RestoreError;
use super::{Reaction, Snapshot, Spin};
use crate::motion::SimTime;

/// A snapshot with two of its columns by body.
#[derive(Serialize, Deserialize)]
pub(crate) struct Thin {
    /// Without rows of spins and reactions.
    state: Snapshot,
    spins: Rare<Spin>,
    reactions: Rare<Reaction>,
}

/// The rows of a column that are not at their default, each with its number; `None` for a column without rows.
type Rare<T> = Option<Vec<(u32, T)>>;

impl Thin {
    pub(crate) fn new(mut state: Snapshot) -> Self {
        let zero = |vectors: &[DVec3]| vectors.iter().all(|vector| vector.to_array().map(f64::to_bits) == [0; 3]);
        let spins = rare(&mut state.spins, |spin| zero(&[spin.velocity, spin.acceleration]));
        let reactions = rare(&mut state.reactions, |reaction| {
            let Reaction { since, force, torque, outside, power } = *reaction;
            since == SimTime::ZERO && zero(&[force, torque, outside]) && power.to_bits() == 0
        });
        Self { state, spins, reactions }
    }

    /// The whole snapshot.
    pub(crate) fn whole(self) -> Result<Snapshot, RestoreError> {
        let Self { mut state, spins, reactions } = self;
        let count = state.paths.len();
        state.spins = all(spins, &Spin::default(), count)?;
        state.reactions = all(reactions, &Reaction::none(SimTime::ZERO), count)?;
        Ok(state)
    }
}

/// Takes the rows of a column that are not at their default, to the bit.
fn rare<T>(column: &mut Vec<T>, is_default: impl Fn(&T) -> bool) -> Rare<T> {
    let rows = std::mem::take(column);
    (!rows.is_empty()).then(|| (0..).zip(rows).filter(|(_, row)| !is_default(row)).collect())
}

fn all<T: Clone>(rare: Rare<T>, nothing: &T, count: usize) -> Result<Vec<T>, RestoreError> {
    let Some(rare) = rare else { return Ok(Vec::new()) };
    let mut column = vec![nothing.clone(); count];
    for (row, value) in rare {
        let place = column.get_mut(row as usize);
        *place.ok_or(RestoreError::Unsound { what: "spins or reactions" })? = value;
    }
    Ok(column)
}
