//! The record of a run: events, knots of paths, and the balance of energy and momentum.
//!
//! Events and knots are buffers that the caller takes. The balance ([`Audit`]) and the counters add up over the whole
//! run and are part of the physical state.

pub mod audit;
pub(super) mod counters;
pub mod event;
pub(super) mod groups;
pub(super) mod limit;
mod of_pair;

use glam::DVec3;

use super::body::pair::Pair;
use super::body::sparse_column::Column;
use super::body::table::BodyTable;
use crate::dynamics::BodyId;
use crate::motion::{Path, Spin};
use audit::Audit;
use event::{Event, Knot};

/// The record so far.
#[derive(Debug, Clone)]
pub(super) struct Log {
    pub(super) events: Vec<Event>,
    pub(super) knots: Vec<Knot>,
    /// The bodies whose paths are kept as knots.
    pub(super) tracked: Column<bool>,
    pub(super) audit: Audit,
}

impl Log {
    /// The log of `count` bodies without events.
    pub(super) fn with_bodies(count: usize) -> Self {
        let tracked = Column::new(false, count);
        Self { events: Vec::new(), knots: Vec::new(), tracked, audit: Audit::default() }
    }

    /// Notes a new path of a tracked body.
    #[cold]
    pub(super) fn note_path(&mut self, body: BodyId, path: &Path, spin: Spin) {
        self.knots.push(Knot { body, path: *path, spin });
    }

    /// Adds an event and counts it.
    pub(super) fn add(&mut self, event: Event) {
        self.audit.counts[event.kind as usize] += 1;
        // Adding zero turns −0 into 0, which is the same place and direction.
        let (point, normal) = (event.point + DVec3::ZERO, event.normal + DVec3::ZERO);
        self.events.push(Event { point, normal, ..event });
    }

    /// Adds an impulse (N·s) of `a` on `b` to the balance. An impulse from a body that is not free comes from
    /// outside.
    pub(super) fn add_outside_impulse(&mut self, pair: Pair, impulse: DVec3, rows: &BodyTable) {
        if !rows.is_free(pair.a) {
            self.audit.impulse += impulse;
        }
        if !rows.is_free(pair.b) {
            self.audit.impulse -= impulse;
        }
    }
}
