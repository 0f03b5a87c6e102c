//! The scene: the physical state of a world at the present.
//!
//! Predictions are functions of the scene alone. Time stepping, counters and the log are other parts of a world.

use super::body::sparse_column::Column;
use super::body::table::BodyTable;
use super::contact::{Contacts, Reaction};
use super::sensor::passages::Passages;
use super::{BodyId, Settings};
use crate::motion::SimTime;

/// The number of a body that is in no island.
pub(super) const NO_ISLAND: u32 = u32::MAX;

/// The physical state of a world.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    /// The present.
    pub(super) now: SimTime,
    pub(super) settings: Settings,
    pub(super) rows: BodyTable,
    pub(super) contacts: Contacts,
    pub(super) reactions: Column<Reaction>,
    /// The next contact update of each body. Its path is not used beyond that time.
    pub(super) due: Column<Option<SimTime>>,
    /// The number of the island in which each body is advanced by [time steps](crate::dynamics::time_stepping).
    pub(super) stepped_in: Vec<u32>,
    /// Passages through sensors, by the pair's [`absolute`](super::body::pair::Pair::absolute) image.
    pub(super) passages: Passages,
}

impl Scene {
    /// The state at `now` of bodies without contacts, outside of all sensors.
    pub(super) fn new(settings: Settings, rows: BodyTable, now: SimTime) -> Self {
        let count = rows.count();
        Self {
            now,
            settings,
            rows,
            contacts: Contacts::with_bodies(count),
            reactions: Column::new(Reaction::none(SimTime::ZERO), count),
            due: Column::new(None, count),
            stepped_in: vec![NO_ISLAND; count],
            passages: Passages::default(),
        }
    }

    /// Advances to an instant that is not before the present.
    #[inline(always)]
    pub(super) fn go_to(&mut self, time: SimTime) {
        debug_assert!(time >= self.now, "{time} lies before {}", self.now);
        self.now = time.max(self.now);
        self.rows.follow(self.now);
    }

    /// Whether a body is a box that falls freely, without contacts.
    pub(super) fn is_free_box(&self, id: BodyId) -> bool {
        self.rows.records.get(id).is_free_box()
            && self.due.get(id).is_none()
            && self.contacts.of(id).is_empty()
            && self.stepped_in[id.index()] == NO_ISLAND
    }

    /// Sets the next contact update of a body. The body is not a ballistic sphere until a path begins without such an
    /// update.
    pub(super) fn set_due(&mut self, id: BodyId, due: SimTime) {
        self.due.set(id, Some(due));
        self.rows.records.mark_not_ballistic(id);
    }
}
