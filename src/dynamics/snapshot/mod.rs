//! Snapshots: the physical state of a world as plain data, and a world that continues from one.
//!
//! A snapshot has everything that a later event can depend on, to the bit: paths with their epochs, spins, contacts,
//! the state of time stepping, passages, balance and counters. Domains, neighbours and the queue are built again;
//! predictions are pure functions of the state, so all later events have the same bits. Events not yet taken, and the
//! list of tracked bodies, are not part of it.

pub(super) mod check;
mod restore;
mod stepped;
#[cfg(feature = "record")]
mod thin;

pub use check::RestoreError;
#[cfg(feature = "record")]
pub(crate) use thin::Thin;

use super::body::altered::alterable::Alterable;
use super::body::altered::turned::TurnedCells;
use super::body::driven::Driven;
use super::body::moderate;
use super::body::pair::Pair;
use super::body::sparse_column::Column;
use super::body::table::{BodyTable, Interaction, Mover};
use super::contact::{Contact, Reaction, Surface};
use super::log::audit::Audit;
use super::log::counters::{GroupCount, ImpactCount, RapidImpacts, TimeStepCount};
use super::sensor::passages::Passage;
use super::state::Stepper;
use super::time_stepping::TimeSteppingState;
use super::{BodyId, Settings};
use crate::motion::{Path, SimTime, Spin};
use check::{Checked, has_part, is_finite, is_pair};
use glam::DVec3;

/// The physical state of a world at one instant. It can be written and read with serde, in any format that keeps the
/// bits of an `f64`; all its numbers are finite.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename = "State"))]
pub struct Snapshot {
    now: SimTime,
    /// m/s².
    gravity: DVec3,
    /// Bodies that are present and whose properties commands have changed, by id.
    altered: Vec<(BodyId, Alterable)>,
    /// The grids that are present and have cells that commands have turned, by id.
    turned: Vec<(BodyId, TurnedCells)>,
    /// Number of steps done.
    step: u64,
    /// Groups of impacts so far.
    groups: GroupCount,
    audit: Audit,
    /// Despawned bodies, by id: the first of each row of successive ids, and the length of that row.
    gone: Vec<(BodyId, u32)>,
    // The following columns have one row per body that is present, in the order of the ids.
    paths: Vec<Path>,
    turns: Vec<[i64; 3]>,
    impact_counts: Vec<ImpactCount>,
    // The following columns have as many rows, or no rows if all are at their default.
    spins: Vec<Spin>,
    rapid_impacts: Vec<RapidImpacts>,
    reactions: Vec<Reaction>,
    due: Vec<Option<SimTime>>,
    /// In the order of their pairs, like the passages.
    contacts: Vec<Contact>,
    passages: Vec<(Pair, Passage)>,
    time_stepping: TimeSteppingState,
    /// The bodies that courses move, by id.
    driven: Vec<(BodyId, Driven)>,
    /// How much was advanced by time steps so far.
    time_steps: TimeStepCount,
}

impl Snapshot {
    /// The instant of the snapshot.
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// Number of bodies, despawned ones included.
    pub fn count(&self) -> usize {
        self.gone.iter().fold(self.paths.len(), |count, row| count.saturating_add(row.1 as usize))
    }

    /// The bodies that are present, by id.
    pub(crate) fn present(&self) -> impl Iterator<Item = BodyId> {
        let mut gone = self.gone.iter().peekable();
        let mut next: u32 = 0;
        // A damaged snapshot may have any numbers.
        std::iter::repeat_with(move || {
            while let Some((_, length)) = gone.next_if(|(first, _)| first.0 <= next) {
                next = next.saturating_add(*length);
            }
            let id = BodyId(next);
            next = next.saturating_add(1);
            id
        })
        .take(self.paths.len())
    }

    /// Position counted through all periods (m), velocity (m/s) and angular velocity (rad/s) of the present bodies, by
    /// id.
    pub fn motions(&self) -> impl Iterator<Item = (BodyId, [DVec3; 3])> {
        self.present().zip(&self.paths).enumerate().map(|(row, (id, path))| {
            let spin = self.spins.get(row).copied().unwrap_or_default();
            let driven = self.driven.binary_search_by_key(&id, |row| row.0).ok();
            let spin = driven.map_or_else(
                || spin.at(self.now.since(path.epoch)),
                |place| self.driven[place].1.turning(&spin, self.now).velocity,
            );
            let ahead = [path.velocity_at(self.now), spin];
            let step = self.time_stepping.islands.iter().find_map(|island| island.step_of(id));
            let [velocity, spin] = step.map_or(ahead, |(step, place)| step.at_present(place, ahead, self.now));
            (id, [path.position_at(self.now), velocity, spin])
        })
    }

    /// The despawned bodies, by id, of a snapshot with `count` bodies.
    fn gone(&self, count: usize) -> Result<impl Iterator<Item = BodyId>, RestoreError> {
        let end = |row: &(BodyId, u32)| row.0.index() + row.1 as usize;
        let sorted = self.gone.windows(2).all(|two| end(&two[0]) < two[1].0.index());
        let sound = sorted && self.gone.iter().all(|row| row.1 > 0 && end(row) <= count);
        Checked::that(sound, "bodies taken out")?;
        Ok(self.gone.iter().flat_map(|&(first, length)| (first.0..first.0 + length).map(BodyId)))
    }

    /// Gives bodies the properties that commands have given them.
    fn alter(&self, rows: &mut BodyTable, settings: &Settings) -> Result<(), RestoreError> {
        let sorted = self.altered.windows(2).all(|two| two[0].0 < two[1].0);
        let is_body = |(id, to): &(BodyId, Alterable)| {
            id.index() < rows.count() && !rows.is_gone(*id) && settings.materials.has(to.material)
        };
        Checked::that(sorted && self.altered.iter().all(is_body), "bodies changed by commands")?;
        self.altered.iter().for_each(|&(id, to)| rows.alter(id, to));
        let sorted = self.turned.windows(2).all(|two| two[0].0 < two[1].0);
        let is_grid = |(id, turned): &(BodyId, TurnedCells)| {
            let is_body = id.index() < rows.count() && !rows.is_gone(*id) && turned.since <= self.now;
            is_body && rows.turn_cells(*id, turned)
        };
        Checked::that(sorted && self.turned.iter().all(is_grid), "cells changed by commands")
    }

    /// Lets courses move the bodies that they moved then.
    fn drive(&self, rows: &mut BodyTable) -> Result<(), RestoreError> {
        let sorted = self.driven.windows(2).all(|two| two[0].0 < two[1].0);
        let moves = |(id, driven): &(BodyId, Driven)| {
            let is_body = id.index() < rows.count() && !rows.is_gone(*id) && rows.moves(*id);
            is_body && driven.is_sound() && driven.base.epoch <= self.now
        };
        Checked::that(sorted && self.driven.iter().all(moves), "bodies on courses")?;
        rows.driven = self.driven.iter().copied().collect();
        Ok(())
    }

    /// Refuses content that no world of these bodies, of which some are taken out, could have written.
    fn check(&self, rows: &BodyTable, settings: &Settings) -> Result<(), RestoreError> {
        let (count, ids) = (rows.present_count(), || rows.present());
        Checked::all(self.paths.len(), count, "paths")?;
        Checked::all(self.turns.len(), count, "rows of turns")?;
        Checked::all(self.impact_counts.len(), count, "rows of work")?;
        for (length, what) in [
            (self.spins.len(), "spins"),
            (self.rapid_impacts.len(), "rows of flurries"),
            (self.reactions.len(), "reactions"),
            (self.due.len(), "due times"),
        ] {
            Checked::column(length, count, what)?;
        }
        let few = |count: u64| count < COUNT_MAX;
        let counts = [self.step, self.groups.count, self.groups.before].into_iter().chain(self.audit.counts).all(few);
        Checked::that(counts && self.audit.is_finite(), "balance")?;
        let path = |(id, path): (BodyId, &Path)| self.is_path(id, path, rows, settings);
        Checked::that(ids().zip(&self.paths).all(path), "paths")?;
        let few = |turns: &[i64; 3]| turns.iter().all(|turns| turns.unsigned_abs() < COUNT_MAX);
        Checked::that(self.turns.iter().all(few), "turns")?;
        let turns = |(id, spin): (BodyId, &Spin)| {
            let still = *spin == Spin::default();
            moderate(spin.velocity) && moderate(spin.acceleration) && (still || rows.inverse_inertia(id) > 0.0)
        };
        Checked::that(ids().zip(&self.spins).all(turns), "spins")?;
        let known = |id: &BodyId| id.index() < rows.count() || *id == BodyId::NONE;
        let work = |work: &ImpactCount| {
            work.partners.iter().all(known) && work.impacts < u32::MAX / 2 && few_groups(work.group)
        };
        Checked::that(self.impact_counts.iter().all(work), "rows of work")?;
        let calm = self.rapid_impacts.iter().all(|flurry| flurry.count < u32::MAX / 2);
        Checked::that(calm, "rows of flurries")?;
        Checked::that(self.reactions.iter().all(Reaction::is_finite), "reactions")?;
        let waits = |(id, due): (BodyId, &Option<SimTime>)| due.is_none_or(|due| due >= self.now && rows.is_free(id));
        Checked::that(ids().zip(&self.due).all(waits), "due times")?;
        self.check_pairs(rows)
    }

    /// Checks the counters of time steps: the number of members must be right, and no time may be after the present.
    fn check_time_steps(&self) -> Result<(), RestoreError> {
        let TimeStepCount { steps, largest, members, since, body_seconds } = self.time_steps;
        let sound = steps < COUNT_MAX
            && largest <= self.count() as u64
            && members == self.time_stepping.islands.iter().map(|island| island.members.len() as u64).sum::<u64>()
            && (SimTime::ZERO..=self.now).contains(&since)
            && is_finite(&[body_seconds], &[])
            && body_seconds >= 0.0;
        Checked::that(sound, "numbers of time steps")
    }

    fn check_pairs(&self, rows: &BodyTable) -> Result<(), RestoreError> {
        let sorted = self.contacts.windows(2).all(|two| two[0].key() < two[1].key());
        let contact = |contact: &Contact| has_part(contact.pair, contact.part, rows) && contact.is_sound();
        Checked::that(sorted && self.contacts.iter().all(contact), "contacts")?;
        let sorted = self.passages.windows(2).all(|two| two[0].0 < two[1].0);
        let passage = |(pair, _): &(Pair, Passage)| {
            is_pair(*pair, rows) && matches!(rows.interaction(pair.a, pair.b), Some(Interaction::Sense { .. }))
        };
        Checked::that(sorted && self.passages.iter().all(passage), "passages")?;
        let due = Column::new(None, rows.count()).with_rows(rows.present(), &self.due);
        self.time_stepping.check(rows, self.now, &due)?;
        self.check_time_steps()
    }

    /// Whether a body can have this path.
    fn is_path(&self, id: BodyId, path: &Path, rows: &BodyTable, settings: &Settings) -> bool {
        let Path { position, velocity, acceleration, epoch } = *path;
        if !(moderate(position) && moderate(velocity) && moderate(acceleration) && epoch <= self.now) {
            return false;
        }
        let places = [position, path.position_at(self.now)];
        let numbers = moderate(places[1]) && moderate(path.velocity_at(self.now));
        let near = places.into_iter().all(|place| settings.space.is_countable(place));
        let still = |vector: DVec3| vector == DVec3::ZERO;
        let driven = match rows.role(id).mover {
            Mover::Free => true,
            Mover::Fixed => still(velocity) && still(acceleration),
            Mover::Kinematic => still(acceleration) || rows.driven(id).is_some(),
        };
        numbers && near && driven
    }
}

/// Ids in their order, as the first of each row of successive ids and the length of that row.
fn successive(ids: impl Iterator<Item = BodyId>) -> Vec<(BodyId, u32)> {
    let mut rows: Vec<(BodyId, u32)> = Vec::new();
    for id in ids {
        match rows.last_mut() {
            Some((first, length)) if first.0 + *length == id.0 => *length += 1,
            _ => rows.push((id, 1)),
        }
    }
    rows
}

/// Counts are below this, so that sums of a few fit into their type.
const COUNT_MAX: u64 = 1 << 61;

fn few_groups(group: u64) -> bool {
    group < COUNT_MAX
}

impl Contact {
    fn is_sound(&self) -> bool {
        let Self { normal, surface, force, slips, met, .. } = *self;
        let reach = if let Surface::Flat { reach } = surface { reach } else { DVec3::ZERO };
        let unit = (normal.length_squared() - 1.0).abs() < 0.5;
        let met = met.is_none_or(|met| is_finite(&[met.approach_speed, met.impulse, met.loss], &[]));
        let directions = slips.map(|slip| slip.along.unwrap_or_default());
        unit && met
            && is_finite(&[force.normal], &[reach, force.tangential, force.couple])
            && is_finite(&[], &directions)
    }
}

impl Reaction {
    fn is_finite(&self) -> bool {
        is_finite(&[self.power], &[self.force, self.torque, self.outside])
    }
}

impl Audit {
    fn is_finite(&self) -> bool {
        let Self { dissipated, contact_heat, work, impulse, virial, deepest, .. } = *self;
        is_finite(&[dissipated, contact_heat, work, deepest], &[impulse, virial])
    }
}

impl Stepper {
    /// The physical state now, between two calls of any kind: after a step, or within a step that ended with a full
    /// event buffer.
    pub fn snapshot(&self) -> Snapshot {
        let scene = &self.sim.scene;
        let present = || scene.rows.present();
        Snapshot {
            now: self.sim.scene.now,
            gravity: scene.settings.gravity,
            altered: scene.rows.altered().collect(),
            turned: scene.rows.turned().collect(),
            step: self.sim.counters.step,
            groups: self.sim.counters.groups,
            audit: self.sim.log.audit,
            gone: successive(scene.rows.gone()),
            paths: present().map(|id| scene.rows.path(id)).collect(),
            turns: present().map(|id| scene.rows.turns[id.index()]).collect(),
            impact_counts: present().map(|id| self.sim.counters.work[id.index()]).collect(),
            spins: scene.rows.spins.rows_of(present()),
            rapid_impacts: self.sim.counters.flurries.rows_of(present()),
            reactions: scene.reactions.rows_of(present()),
            due: scene.due.rows_of(present()),
            contacts: scene.contacts.sorted(),
            passages: scene.passages.iter().collect(),
            time_stepping: self.sim.time_stepping.state(present()),
            driven: scene.rows.driven.iter().map(|(&id, &driven)| (id, driven)).collect(),
            time_steps: self.sim.counters.time_steps,
        }
    }
}
