//! Snapshots: the physical state of a world as plain data, and a world that continues from one.
//!
//! A snapshot has everything that a later event can depend on, to the bit: paths with their epochs, spins, contacts,
//! the state of time stepping, passages, balance and counters. Domains, neighbours and the queue are built again;
//! predictions are pure functions of the state, so all later events have the same bits. Events not yet taken, and the
//! list of tracked bodies, are not part of it.

pub(super) mod check;

pub use check::RestoreError;

use super::body::pair::Pair;
use super::body::sparse_column::Column;
use super::body::table::{BodyTable, Interaction, Mover};
use super::body::{check_body, moderate};
use super::contact::{Contact, Contacts, Reaction, Surface};
use super::log::audit::Audit;
use super::log::counters::{GroupCount, ImpactCount, RapidImpacts, TimeStepCount};
use super::sensor::passages::Passage;
use super::state::Stepper;
use super::time_stepping::TimeSteppingState;
use super::time_stepping::state::TimeStepping;
use super::{Body, BodyId, Settings};
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
    /// Number of steps done.
    step: u64,
    /// Groups of impacts so far.
    groups: GroupCount,
    audit: Audit,
    /// Despawned bodies, by id.
    gone: Vec<BodyId>,
    paths: Vec<Path>,
    turns: Vec<[i64; 3]>,
    impact_counts: Vec<ImpactCount>,
    // The following columns have one row per body, or no rows if all are at their default.
    spins: Vec<Spin>,
    rapid_impacts: Vec<RapidImpacts>,
    reactions: Vec<Reaction>,
    due: Vec<Option<SimTime>>,
    /// In the order of their pairs, like the passages.
    contacts: Vec<Contact>,
    passages: Vec<(Pair, Passage)>,
    time_stepping: TimeSteppingState,
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
        self.paths.len()
    }

    /// Position counted through all periods (m), velocity (m/s) and angular velocity (rad/s) of a body.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn motion(&self, id: BodyId) -> [DVec3; 3] {
        let path = &self.paths[id.index()];
        let spin = self.spins.get(id.index()).copied().unwrap_or_default();
        [path.position_at(self.now), path.velocity_at(self.now), spin.at(self.now.since(path.epoch))]
    }

    /// Refuses content that no world of these bodies could have written.
    fn check(&self, rows: &BodyTable, settings: &Settings) -> Result<(), RestoreError> {
        let count = rows.count();
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
        Checked::that(counts && self.audit.is_finite(), "books")?;
        let path = |(id, path): (BodyId, &Path)| self.is_path(id, path, rows, settings);
        Checked::that(rows.ids().zip(&self.paths).all(path), "paths")?;
        let few = |turns: &[i64; 3]| turns.iter().all(|turns| turns.unsigned_abs() < COUNT_MAX);
        Checked::that(self.turns.iter().all(few), "turns")?;
        let turns = |(id, spin): (BodyId, &Spin)| {
            let still = *spin == Spin::default();
            moderate(spin.velocity) && moderate(spin.acceleration) && (still || rows.inverse_inertia(id) > 0.0)
        };
        Checked::that(rows.ids().zip(&self.spins).all(turns), "spins")?;
        let known = |id: &BodyId| id.index() < count || *id == BodyId::NONE;
        let work = |work: &ImpactCount| {
            work.partners.iter().all(known) && work.impacts < u32::MAX / 2 && few_groups(work.group)
        };
        Checked::that(self.impact_counts.iter().all(work), "rows of work")?;
        let calm = self.rapid_impacts.iter().all(|flurry| flurry.count < u32::MAX / 2);
        Checked::that(calm, "rows of flurries")?;
        Checked::that(self.reactions.iter().all(Reaction::is_finite), "reactions")?;
        let waits = |(id, due): (BodyId, &Option<SimTime>)| due.is_none_or(|due| due >= self.now && rows.is_free(id));
        Checked::that(rows.ids().zip(&self.due).all(waits), "due times")?;
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
        self.time_stepping.check(rows, self.now, &self.due)?;
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
            Mover::Kinematic => still(acceleration),
        };
        numbers && near && driven
    }
}

/// Counts are below this, so that sums of a few fit into their type.
const COUNT_MAX: u64 = 1 << 61;

fn few_groups(group: u64) -> bool {
    group < COUNT_MAX
}

impl Contact {
    fn is_sound(&self) -> bool {
        let Self { normal, surface, push, rubbing, met, .. } = *self;
        let reach = if let Surface::Flat { reach } = surface { reach } else { DVec3::ZERO };
        let unit = (normal.length_squared() - 1.0).abs() < 0.5;
        let met = met.is_none_or(|met| is_finite(&[met.approach_speed, met.impulse, met.loss], &[]));
        let directions = rubbing.map(|rubbing| rubbing.along.unwrap_or_default());
        unit && met && is_finite(&[push.normal], &[reach, push.tangential, push.couple]) && is_finite(&[], &directions)
    }
}

impl Reaction {
    fn is_finite(&self) -> bool {
        is_finite(&[self.power], &[self.force, self.torque, self.outside])
    }
}

impl Audit {
    fn is_finite(&self) -> bool {
        let Self { dissipated, rubbed, work, impulse, virial, deepest, .. } = *self;
        is_finite(&[dissipated, rubbed, work, deepest], &[impulse, virial])
    }
}

impl Stepper {
    /// The physical state now, between two calls of any kind: after a step, or within a step that ended with a full
    /// event buffer.
    pub fn snapshot(&self) -> Snapshot {
        let scene = &self.parts.scene;
        Snapshot {
            now: self.parts.scene.now,
            step: self.parts.counters.step,
            groups: self.parts.counters.groups,
            audit: self.parts.log.audit,
            gone: scene.rows.gone().collect(),
            paths: scene.rows.ids().map(|id| scene.rows.path(id)).collect(),
            turns: scene.rows.turns.clone(),
            impact_counts: self.parts.counters.work.clone(),
            spins: scene.rows.spins.to_rows(),
            rapid_impacts: self.parts.counters.flurries.to_rows(),
            reactions: scene.reactions.to_rows(),
            due: scene.due.to_rows(),
            contacts: scene.contacts.sorted(),
            passages: scene.passages.iter().collect(),
            time_stepping: self.parts.time_stepping.state(),
            time_steps: self.parts.counters.time_steps,
        }
    }

    /// A world of `bodies` that continues from `snapshot`. All later events have the bits that they would have had in
    /// the world of the snapshot, if that had these settings and these bodies.
    ///
    /// Positions and velocities come from the snapshot, all other properties from `bodies`, despawned ones included.
    /// The event buffer is empty, and no body is tracked.
    ///
    /// # Errors
    /// [`RestoreError`] when a body is not valid, or when the snapshot is not one of such bodies. Settings, sizes and
    /// masses are not part of a snapshot; a change of these is not detected.
    ///
    /// # Panics
    /// When there are more than 2³² − 2 bodies.
    pub fn restore(settings: Settings, bodies: &[Body], snapshot: &Snapshot) -> Result<Self, RestoreError> {
        assert!(bodies.len() < u32::MAX as usize, "a body's id has 32 bits");
        bodies.iter().enumerate().try_for_each(|(row, body)| check_body(BodyId(row as u32), body, &settings.space))?;
        Checked::all(snapshot.paths.len(), bodies.len(), "paths")?;
        let mut rows = BodyTable::new(bodies, &settings, SimTime::ZERO);
        let sorted = snapshot.gone.windows(2).all(|two| two[0] < two[1]);
        Checked::that(sorted && snapshot.gone.iter().all(|id| id.index() < bodies.len()), "bodies taken out")?;
        snapshot.gone.iter().for_each(|&id| rows.take_out(id));
        snapshot.check(&rows, &settings)?;
        for (id, path) in rows.ids().zip(&snapshot.paths) {
            rows.records.set(id, path);
        }
        rows.spins = Column::new(Spin::default(), bodies.len()).with_rows(&snapshot.spins);
        rows.turns.clone_from(&snapshot.turns);
        let mut stepper = Self::with_rows(settings, rows, snapshot.now);
        stepper.take_up(snapshot);
        stepper.predict_all();
        Ok(stepper)
    }

    /// Restores the state that is not in the body table.
    fn take_up(&mut self, snapshot: &Snapshot) {
        let count = self.parts.scene.rows.count();
        (self.parts.counters.step, self.parts.counters.groups, self.parts.log.audit) =
            (snapshot.step, snapshot.groups, snapshot.audit);
        self.parts.counters.time_steps = snapshot.time_steps;
        self.parts.counters.work.clone_from(&snapshot.impact_counts);
        self.parts.counters.flurries = Column::new(RapidImpacts::NONE, count).with_rows(&snapshot.rapid_impacts);
        let scene = &mut self.parts.scene;
        scene.reactions = Column::new(Reaction::none(SimTime::ZERO), count).with_rows(&snapshot.reactions);
        scene.due = Column::new(None, count).with_rows(&snapshot.due);
        scene.contacts = Contacts::with_bodies(count);
        for contact in &snapshot.contacts {
            scene.contacts.add(*contact, &scene.rows);
        }
        scene.passages = snapshot.passages.iter().copied().collect();
        for (number, island) in snapshot.time_stepping.islands.iter().enumerate() {
            island.members.iter().for_each(|id| scene.stepped_in[id.index()] = number as u32);
        }
        self.parts.time_stepping = TimeStepping::from_state(&snapshot.time_stepping, count);
    }

    /// A body's properties, also of a despawned one, and its motion now.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn body(&self, id: BodyId) -> Body {
        let path = self.parts.scene.rows.path(id);
        let state = self.state(id);
        let velocity = path.velocity_at(self.parts.scene.now);
        Body {
            position: path.position_at(self.parts.scene.now),
            velocity,
            spin: state.spin,
            ..self.parts.scene.rows.body(id)
        }
    }
}
