//! The physical state of a world at the present: all that a prediction may look at.

use super::body::sparse_column::Column;
use super::body::table::BodyTable;
use super::contact::{Contacts, Reaction};
use super::sensor::passages::Passages;
use super::{BodyId, Settings};
use crate::motion::SimTime;

/// Everything a prediction may look at: the physical state of a world.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    /// The present.
    pub(super) now: SimTime,
    pub(super) settings: Settings,
    pub(super) rows: BodyTable,
    pub(super) contacts: Contacts,
    pub(super) reactions: Column<Reaction>,
    /// When the bodies' contacts are to be looked at. No path is followed beyond that.
    pub(super) due: Column<Option<SimTime>>,
    /// Who advances in common ticks ([`crowd`](crate::dynamics::time_stepping)).
    pub(super) crowded: Vec<bool>,
    /// By the pair's [`absolute`](super::body::pair::Pair::absolute) image.
    pub(super) passages: Passages,
}

impl Scene {
    /// The state at `now` of bodies that touch nothing and are in no sensor.
    pub(super) fn new(settings: Settings, rows: BodyTable, now: SimTime) -> Self {
        let count = rows.count();
        Self {
            now,
            settings,
            rows,
            contacts: Contacts::with_bodies(count),
            reactions: Column::new(Reaction::none(SimTime::ZERO), count),
            due: Column::new(None, count),
            crowded: vec![false; count],
            passages: Passages::default(),
        }
    }

    /// Moves on to an instant that is not before the present.
    #[inline(always)]
    pub(super) fn go_to(&mut self, time: SimTime) {
        debug_assert!(time >= self.now, "{time} lies before {}", self.now);
        self.now = time.max(self.now);
    }

    /// A body's contacts are to be looked at then; until it begins a path without that it is no ballistic sphere.
    pub(super) fn set_due(&mut self, id: BodyId, due: SimTime) {
        self.due.set(id, Some(due));
        self.rows.records.mark_not_ballistic(id);
    }
}
