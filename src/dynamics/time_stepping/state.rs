//! All islands that are advanced by time steps, and the contact updates that decide which bodies are.

use super::island::{ListedPair, SteppedIsland};
use crate::dynamics::BodyId;
use crate::dynamics::body::sparse_column::Column;
use crate::dynamics::body::table::BodyTable;
use crate::dynamics::snapshot::check::{Checked, RestoreError, has_part, is_finite};
use crate::motion::SimTime;

/// The islands, by number, and the contact updates of all bodies.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct TimeStepping {
    /// An island keeps its number as long as it exists. Numbers decide nothing.
    islands: Vec<SteppedIsland>,
    vacant: Vec<u32>,
    pub(in crate::dynamics) updates: Column<UpdateCount>,
}

/// The same as plain data, with the field names of the recording format.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct TimeSteppingState {
    /// In the order of their first members.
    pub(in crate::dynamics) islands: Vec<SteppedIsland>,
    /// One row per body, or no rows if all are at their default.
    updates: Vec<UpdateCount>,
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

/// The number of no island.
pub(in crate::dynamics) const NO_ISLAND: u32 = u32::MAX;

impl TimeStepping {
    pub(in crate::dynamics) fn with_bodies(count: usize) -> Self {
        Self { islands: Vec::new(), vacant: Vec::new(), updates: Column::new(UpdateCount::NONE, count) }
    }

    /// Adds a body that is no member.
    pub(in crate::dynamics) fn push_body(&mut self) {
        self.updates.push_row();
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

    /// Puts an island back under its number. One without members ends.
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

    pub(in crate::dynamics) fn state(&self) -> TimeSteppingState {
        let islands = self.numbers().into_iter().map(|number| self.get(number).clone()).collect();
        TimeSteppingState { islands, updates: self.updates.rows().to_vec() }
    }

    pub(in crate::dynamics) fn from_state(state: &TimeSteppingState, count: usize) -> Self {
        let new = Self::with_bodies(count);
        Self { islands: state.islands.clone(), updates: new.updates.with_rows(&state.updates), ..new }
    }
}

impl TimeSteppingState {
    /// Refuses what no time stepping of these bodies could have written.
    pub(in crate::dynamics) fn check(&self, rows: &BodyTable) -> Result<(), RestoreError> {
        let mut member = vec![false; rows.count()];
        for island in &self.islands {
            for &id in &island.members {
                let is_new =
                    id.index() < rows.count() && rows.is_free(id) && !std::mem::replace(&mut member[id.index()], true);
                Checked::that(is_new, "members of the time stepping")?;
            }
            island.check(rows)?;
        }
        Checked::column(self.updates.len(), rows.count(), "rows of contact updates")?;
        Checked::that(self.updates.iter().all(|updates| updates.count < u32::MAX / 2), "numbers of the time stepping")
    }
}

impl SteppedIsland {
    fn check(&self, rows: &BodyTable) -> Result<(), RestoreError> {
        let (count, list) = (self.members.len(), &self.list);
        let sorted = |ids: &[BodyId]| ids.windows(2).all(|two| two[0] < two[1]);
        Checked::that(count > 0 && sorted(&self.members), "members of the time stepping")?;
        Checked::all(self.increments.len(), count, "increments of steps")?;
        Checked::column(list.reaches.len(), count, "reaches of the time stepping")?;
        Checked::all(list.moved.len(), list.reaches.len(), "displacements of the time stepping")?;
        let outside = |&id: &BodyId| id.index() < rows.count() && self.place(id).is_none();
        Checked::that(sorted(&list.outside) && list.outside.iter().all(outside), "bodies near the time stepping")?;
        let is_made = !list.reaches.is_empty();
        let bodies = count + list.outside.len();
        let pair = |listed: &ListedPair| {
            let ends = || listed.ends.iter().all(|&end| (end as usize) < bodies);
            let named = || listed.ends.map(|end| self.body(end as usize)) == [listed.pair.a, listed.pair.b];
            has_part(listed.pair, listed.part, rows)
                && (!is_made || (ends() && named()))
                && is_finite(&[listed.push.normal], &[listed.push.tangential])
        };
        Checked::that(list.pairs.iter().all(pair), "contacts of the time stepping")?;
        let increments = self.increments.iter().all(|step| is_finite(&[], &[step.linear, step.angular]));
        let numbers = is_finite(&[self.length, self.cushion, self.lost], &list.moved) && is_finite(&list.reaches, &[]);
        Checked::that(
            increments && numbers && self.length >= 0.0 && self.cushion >= 0.0 && self.blocked < u32::MAX / 2,
            "numbers of the time stepping",
        )
    }
}
