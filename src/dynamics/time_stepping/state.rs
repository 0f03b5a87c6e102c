//! All islands that are advanced by time steps, and the contact updates that decide which bodies are.

use super::island::SteppedIsland;
use crate::dynamics::BodyId;
use crate::dynamics::body::sparse_column::Column;
use crate::dynamics::body::table::BodyTable;
use crate::motion::SimTime;

/// The islands, by number, and the contact updates of all bodies.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct TimeStepping {
    /// An island keeps its number as long as it exists. Numbers do not affect results.
    islands: Vec<SteppedIsland>,
    vacant: Vec<u32>,
    pub(in crate::dynamics) updates: Column<UpdateCount>,
    /// The bodies that sleep.
    pub(in crate::dynamics) asleep: Column<bool>,
}

/// The same as plain data, with the field names of the recording format.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct TimeSteppingState {
    /// In the order of their first members.
    pub(in crate::dynamics) islands: Vec<SteppedIsland>,
    /// One row per body, or no rows if all are at their default.
    pub(in crate::dynamics) updates: Vec<UpdateCount>,
    /// The bodies that sleep, by id.
    pub(in crate::dynamics) asleep: Vec<BodyId>,
}

/// Number of a body's contact updates together with others.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct UpdateCount {
    /// Number of instants.
    pub(in crate::dynamics) count: u32,
    pub(in crate::dynamics) since: SimTime,
    /// The last of these instants.
    pub(in crate::dynamics) last: Option<SimTime>,
}

impl UpdateCount {
    pub(in crate::dynamics) const NONE: Self = Self { count: 0, since: SimTime::ZERO, last: None };
}

impl TimeStepping {
    pub(in crate::dynamics) fn with_bodies(count: usize) -> Self {
        let (updates, asleep) = (Column::new(UpdateCount::NONE, count), Column::new(false, count));
        Self { islands: Vec::new(), vacant: Vec::new(), updates, asleep }
    }

    /// Adds a body that is not a member.
    pub(in crate::dynamics) fn push_body(&mut self) {
        self.updates.push_row();
        self.asleep.push_row();
    }

    /// Adds an island; returns its number.
    pub(super) fn add(&mut self, island: SteppedIsland) -> u32 {
        let number = self.vacant.pop().unwrap_or_else(|| {
            self.islands.push(SteppedIsland::default());
            self.islands.len() as u32 - 1
        });
        self.islands[number as usize] = island;
        number
    }

    /// Takes an island out, to work on it.
    pub(super) fn take(&mut self, number: u32) -> SteppedIsland {
        std::mem::take(&mut self.islands[number as usize])
    }

    /// Puts an island back under its number. An island without members ends.
    pub(super) fn put(&mut self, number: u32, island: SteppedIsland) {
        if island.members.is_empty() {
            self.vacant.push(number);
        } else {
            self.islands[number as usize] = island;
        }
    }

    pub(in crate::dynamics) fn get(&self, number: u32) -> &SteppedIsland {
        &self.islands[number as usize]
    }

    /// The numbers of all islands, in the order of their first members.
    pub(super) fn numbers(&self) -> Vec<u32> {
        let first = |number: u32| self.get(number).members.first().copied();
        let mut numbers: Vec<u32> = (0..self.islands.len() as u32).filter(|&number| first(number).is_some()).collect();
        numbers.sort_by_key(|&number| first(number));
        numbers
    }

    /// All islands, in the order of their first members.
    pub(in crate::dynamics) fn islands(&self) -> impl Iterator<Item = &SteppedIsland> {
        self.numbers().into_iter().map(|number| self.get(number))
    }

    /// The bodies that sleep, by id.
    pub(in crate::dynamics) fn sleepers(&self) -> impl Iterator<Item = BodyId> {
        self.asleep.stored().filter(|&(_, &asleep)| asleep).map(|(id, _)| id)
    }

    pub(in crate::dynamics) fn state(&self, present: impl Iterator<Item = BodyId>) -> TimeSteppingState {
        let islands = self.islands().cloned().collect();
        TimeSteppingState { islands, updates: self.updates.rows_of(present), asleep: self.sleepers().collect() }
    }

    pub(in crate::dynamics) fn from_state(state: &TimeSteppingState, rows: &BodyTable) -> Self {
        let mut new = Self::with_bodies(rows.count());
        state.asleep.iter().for_each(|&id| new.asleep.set(id, true));
        Self { islands: state.islands.clone(), updates: new.updates.with_rows(rows.present(), &state.updates), ..new }
    }
}

#[cfg(test)]
pub(super) mod tests;
