//! Snapshots: the physical state of a world as plain data, and a world that goes on from one.
//!
//! A snapshot has what a later event can depend on, to the bit: paths with their epochs, spins, contacts, the crowd,
//! passages, books and counts. Domains, neighbours and the queue are made anew; predictions are pure functions of the
//! state, so what follows has the same bits. It has neither the events that were not taken yet nor who is tracked.

use glam::DVec3;
use thiserror::Error;

use super::audit::Audit;
use super::body::{check_body, moderate};
use super::column::Column;
use super::contact::{Contact, Contacts, Footing, Surface};
use super::crowd::{Crowd, CrowdState};
use super::pair::Pair;
use super::predict::Passage;
use super::rows::{Dealing, Mover, Rows};
use super::stepper::{SetupError, Stepper};
use super::tally::{Flurry, Groups, Work};
use super::{Body, BodyId, Settings};
use crate::motion::{Path, SimTime, Spin};

/// The physical state of a world at one instant. It can be written and read with serde, in any format that keeps the bits
/// of an `f64`; all its numbers are finite.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename = "State"))]
pub struct Snapshot {
    now: SimTime,
    /// Steps that were taken.
    step: u64,
    /// Groups of impacts that there were.
    groups: Groups,
    audit: Audit,
    /// Who was taken out, by id.
    gone: Vec<BodyId>,
    paths: Vec<Path>,
    turns: Vec<[i64; 3]>,
    work: Vec<Work>,
    // Columns from here on have a row for each body, or none where none has anything to say.
    spins: Vec<Spin>,
    flurries: Vec<Flurry>,
    footings: Vec<Footing>,
    due: Vec<Option<SimTime>>,
    /// In the order of their pairs, as the passages.
    contacts: Vec<Contact>,
    passages: Vec<(Pair, Passage)>,
    crowd: CrowdState,
}

/// A snapshot that a world cannot go on from.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum RestoreError {
    /// One of the bodies cannot be.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A snapshot of more or fewer bodies.
    #[error("the snapshot has {found} {what} for {wanted} bodies")]
    #[expect(missing_docs, reason = "the message says it")]
    Length { what: &'static str, found: usize, wanted: usize },
    /// What no world of these bodies writes: numbers that are not finite, bodies that do not exist or cannot do that.
    #[error("the {what} in the snapshot are not those of these bodies, or damaged")]
    #[expect(missing_docs, reason = "the message says it")]
    Unsound { what: &'static str },
}

/// Checks of parts of a snapshot.
pub(super) struct Checked;

impl Checked {
    pub(super) fn that(sound: bool, what: &'static str) -> Result<(), RestoreError> {
        if sound { Ok(()) } else { Err(RestoreError::Unsound { what }) }
    }

    /// A column has a row for each body, or none.
    pub(super) fn column(found: usize, wanted: usize, what: &'static str) -> Result<(), RestoreError> {
        if found == 0 { Ok(()) } else { Self::all(found, wanted, what) }
    }

    fn all(found: usize, wanted: usize, what: &'static str) -> Result<(), RestoreError> {
        if found == wanted { Ok(()) } else { Err(RestoreError::Length { what, found, wanted }) }
    }
}

impl Snapshot {
    /// When it was taken.
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// How many bodies it has, those that were taken out included.
    pub fn count(&self) -> usize {
        self.paths.len()
    }

    /// Where a body is, counted through all periods (m), how fast it goes (m/s), and how it spins (rad/s).
    ///
    /// # Panics
    /// When there is no such body.
    pub fn motion(&self, id: BodyId) -> [DVec3; 3] {
        let path = &self.paths[id.index()];
        let spin = self.spins.get(id.index()).copied().unwrap_or_default();
        [path.position_at(self.now), path.velocity_at(self.now), spin.at(self.now.since(path.epoch))]
    }

    /// Refuses what no world of bodies of these natures could have written.
    fn check(&self, rows: &Rows, settings: &Settings) -> Result<(), RestoreError> {
        let count = rows.count();
        Checked::all(self.turns.len(), count, "rows of turns")?;
        Checked::all(self.work.len(), count, "rows of work")?;
        for (length, what) in [
            (self.spins.len(), "spins"),
            (self.flurries.len(), "rows of flurries"),
            (self.footings.len(), "footings"),
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
        let known = |id: &BodyId| id.index() < count || *id == BodyId::NOBODY;
        let work =
            |work: &Work| work.partners.iter().all(known) && work.impacts < u32::MAX / 2 && few_groups(work.group);
        Checked::that(self.work.iter().all(work), "rows of work")?;
        let calm = self.flurries.iter().all(|flurry| flurry.count < u32::MAX / 2);
        Checked::that(calm, "rows of flurries")?;
        Checked::that(self.footings.iter().all(Footing::is_finite), "footings")?;
        let waits = |(id, due): (BodyId, &Option<SimTime>)| due.is_none_or(|due| due >= self.now && rows.is_free(id));
        Checked::that(rows.ids().zip(&self.due).all(waits), "due times")?;
        self.check_pairs(rows)
    }

    fn check_pairs(&self, rows: &Rows) -> Result<(), RestoreError> {
        let sorted = self.contacts.windows(2).all(|two| two[0].key() < two[1].key());
        let contact = |contact: &Contact| has_part(contact.pair, contact.part, rows) && contact.is_sound();
        Checked::that(sorted && self.contacts.iter().all(contact), "contacts")?;
        let sorted = self.passages.windows(2).all(|two| two[0].0 < two[1].0);
        let passage = |(pair, _): &(Pair, Passage)| {
            is_pair(*pair, rows) && matches!(rows.dealing(pair.a, pair.b), Some(Dealing::Sense { .. }))
        };
        Checked::that(sorted && self.passages.iter().all(passage), "passages")?;
        self.crowd.check(rows)
    }

    /// Whether a body can be on a path.
    fn is_path(&self, id: BodyId, path: &Path, rows: &Rows, settings: &Settings) -> bool {
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

/// Counts are below this: sums of a few fit into their type.
const COUNT_MAX: u64 = 1 << 61;

fn few_groups(group: u64) -> bool {
    group < COUNT_MAX
}

/// Whether all these numbers are finite.
pub(super) fn is_finite(numbers: &[f64], vectors: &[DVec3]) -> bool {
    numbers.iter().all(|number| number.is_finite()) && vectors.iter().all(|vector| vector.is_finite())
}

fn is_pair(pair: Pair, rows: &Rows) -> bool {
    pair.a < pair.b && pair.b.index() < rows.count()
}

/// Whether two bodies collide, and the one that is a mesh has this triangle.
pub(super) fn has_part(pair: Pair, part: u32, rows: &Rows) -> bool {
    let parts = |id: BodyId| rows.mesh(id).map(|mesh| mesh.triangles().len());
    is_pair(pair, rows)
        && rows.dealing(pair.a, pair.b) == Some(Dealing::Collide)
        && (part as usize) < parts(pair.a).or(parts(pair.b)).unwrap_or(1)
}

impl Contact {
    fn is_sound(&self) -> bool {
        let Self { normal, surface, push, slides, met, .. } = *self;
        let reach = if let Surface::Flat { reach } = surface { reach } else { DVec3::ZERO };
        let unit = (normal.length_squared() - 1.0).abs() < 0.5;
        let met = met.is_none_or(|met| is_finite(&[met.approach_speed, met.impulse, met.loss], &[]));
        unit && met && is_finite(&[push.normal], &[reach, push.tangential, slides.unwrap_or_default()])
    }
}

impl Footing {
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
    /// The physical state now, between two calls of any kind: after a step, or in the middle of one whose event buffer was
    /// full.
    pub fn snapshot(&self) -> Snapshot {
        let scene = &self.scene;
        Snapshot {
            now: self.now,
            step: self.step,
            groups: self.groups,
            audit: self.audit,
            gone: scene.rows.gone().collect(),
            paths: scene.rows.ids().map(|id| scene.rows.path(id)).collect(),
            turns: scene.rows.turns.clone(),
            work: self.work.clone(),
            spins: scene.rows.spins.rows().to_vec(),
            flurries: self.flurries.rows().to_vec(),
            footings: scene.footings.rows().to_vec(),
            due: scene.due.rows().to_vec(),
            contacts: scene.contacts.sorted(),
            passages: scene.passages.iter().collect(),
            crowd: self.crowd.state(),
        }
    }

    /// A world of `bodies` that goes on from `snapshot`: everything that follows has the bits that it would have had in the
    /// world of which the snapshot was taken, if that had these settings and these bodies.
    ///
    /// Of the bodies counts what they are; where they are and how they move is in the snapshot. Those that were taken out
    /// are among them. The event buffer is empty, and nobody is tracked.
    ///
    /// # Errors
    /// [`RestoreError`] when a body cannot be, or when the snapshot is not one of such bodies. Settings, sizes and masses
    /// are not in it, and whether they are the same is not seen.
    ///
    /// # Panics
    /// When there are more than 2³² − 2 bodies.
    pub fn restore(settings: Settings, bodies: &[Body], snapshot: &Snapshot) -> Result<Self, RestoreError> {
        assert!(bodies.len() < u32::MAX as usize, "a body's id has 32 bits");
        bodies.iter().enumerate().try_for_each(|(row, body)| check_body(BodyId(row as u32), body, &settings.space))?;
        Checked::all(snapshot.paths.len(), bodies.len(), "paths")?;
        let mut rows = Rows::new(bodies, &settings, SimTime::ZERO);
        let sorted = snapshot.gone.windows(2).all(|two| two[0] < two[1]);
        Checked::that(sorted && snapshot.gone.iter().all(|id| id.index() < bodies.len()), "bodies taken out")?;
        snapshot.gone.iter().for_each(|&id| rows.take_out(id));
        snapshot.check(&rows, &settings)?;
        for (id, path) in rows.ids().zip(&snapshot.paths) {
            rows.lines.set(id, path);
        }
        rows.spins = Column::new(Spin::default(), bodies.len()).with_rows(&snapshot.spins);
        rows.turns.clone_from(&snapshot.turns);
        let mut stepper = Self::with_rows(settings, rows, snapshot.now);
        stepper.take_up(snapshot);
        stepper.look_ahead();
        Ok(stepper)
    }

    /// Takes up what is not in the rows.
    fn take_up(&mut self, snapshot: &Snapshot) {
        let count = self.scene.rows.count();
        (self.step, self.groups, self.audit) = (snapshot.step, snapshot.groups, snapshot.audit);
        self.work.clone_from(&snapshot.work);
        self.flurries = Column::new(Flurry::NONE, count).with_rows(&snapshot.flurries);
        let scene = &mut self.scene;
        scene.footings = Column::new(Footing::none(SimTime::ZERO), count).with_rows(&snapshot.footings);
        scene.due = Column::new(None, count).with_rows(&snapshot.due);
        scene.contacts = Contacts::with_bodies(count);
        for contact in &snapshot.contacts {
            scene.contacts.add(*contact, &scene.rows);
        }
        scene.passages = snapshot.passages.iter().copied().collect();
        for id in &snapshot.crowd.members {
            scene.crowded[id.index()] = true;
        }
        self.crowd = Crowd::from_state(&snapshot.crowd, count);
    }

    /// What a body is, or was before it was taken out, and how it moves now.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn body(&self, id: BodyId) -> Body {
        let path = self.scene.rows.path(id);
        let state = self.state(id);
        let velocity = path.velocity_at(self.now);
        Body { position: path.position_at(self.now), velocity, spin: state.spin, ..self.scene.rows.body(id) }
    }
}
