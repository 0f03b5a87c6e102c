//! Worlds that continue from a snapshot: a new one, and one that goes back.
//!
//! A new world builds everything from the snapshot. A world that goes back a little keeps what still holds: a body with
//! the path that it had then keeps its predictions, and its domain if it was in it then. What differs is predicted
//! again, as after a command.

use glam::DVec3;

use super::check::{Checked, RestoreError};
use super::{BodyId, BodyTable, Column, Settings, Snapshot, Stepper, successive};
use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::{Body, moderate};
use crate::dynamics::contact::{Contact, Contacts, Reaction};
use crate::dynamics::gas::may_be_gas;
use crate::dynamics::log::counters::{Counters, RapidImpacts};
use crate::dynamics::scene::NO_ISLAND;
use crate::dynamics::time_stepping::state::TimeStepping;
use crate::dynamics::validity::check_body;
use crate::motion::{Path, SimTime, Spin};

impl Stepper {
    /// A world of `bodies` that continues from `snapshot`. All later events have the bits that they would have had in
    /// the world of the snapshot, if that had these settings and these bodies.
    ///
    /// Gravity, positions, velocities and what commands have changed come from the snapshot, all other properties from
    /// `bodies`, despawned ones included. A despawned body stays where it is in `bodies`. The event buffer is empty,
    /// and no body is tracked.
    ///
    /// # Errors
    /// [`RestoreError`] when a setting or a body is not valid, or when the snapshot is not one of such bodies.
    /// Settings, sizes and masses are not part of a snapshot; a change of these is not detected.
    ///
    /// # Panics
    /// When there are more than 2³² − 2 bodies.
    pub fn restore(settings: Settings, bodies: &[Body], snapshot: &Snapshot) -> Result<Self, RestoreError> {
        assert!(bodies.len() < u32::MAX as usize, "a body's id has 32 bits");
        let settings = Settings { gravity: snapshot.gravity, ..settings };
        settings.check()?;
        bodies.iter().enumerate().try_for_each(|(row, body)| check_body(BodyId(row as u32), body, &settings))?;
        Checked::all(snapshot.count(), bodies.len(), "paths")?;
        let mut rows = BodyTable::new(bodies, &settings, SimTime::ZERO);
        for id in snapshot.gone(bodies.len())? {
            let (position, still) = (bodies[id.index()].position, DVec3::ZERO);
            rows.take_out(id);
            rows.records.set(id, &Path { position, velocity: still, acceleration: still, epoch: SimTime::ZERO });
        }
        snapshot.alter(&mut rows, &settings)?;
        snapshot.drive(&mut rows)?;
        snapshot.check(&rows, &settings)?;
        for (id, path) in snapshot.present().zip(&snapshot.paths) {
            rows.records.set(id, path);
        }
        let mut stepper = Self::with_rows(settings, rows, snapshot.now);
        stepper.take_up(snapshot);
        stepper.predict_all();
        Ok(stepper)
    }

    /// Restores the state that is neither paths nor properties of bodies.
    fn take_up(&mut self, snapshot: &Snapshot) {
        let (count, parts) = (self.count(), &mut self.sim);
        let present = || snapshot.present();
        let scene = &mut parts.scene;
        scene.now = snapshot.now;
        scene.rows.spins = Column::new(Spin::default(), count).with_rows(present(), &snapshot.spins);
        present().zip(&snapshot.turns).for_each(|(id, turns)| scene.rows.turns[id.index()] = *turns);
        scene.reactions = Column::new(Reaction::none(SimTime::ZERO), count).with_rows(present(), &snapshot.reactions);
        scene.due = Column::new(None, count).with_rows(present(), &snapshot.due);
        scene.contacts = Contacts::with_bodies(count);
        for contact in &snapshot.contacts {
            scene.contacts.add(*contact, &scene.rows);
        }
        scene.passages = snapshot.passages.iter().copied().collect();
        scene.stepped_in.fill(NO_ISLAND);
        for (number, island) in snapshot.time_stepping.islands.iter().enumerate() {
            island.members.iter().for_each(|id| scene.stepped_in[id.index()] = number as u32);
        }
        parts.time_stepping = TimeStepping::from_state(&snapshot.time_stepping, &scene.rows);
        parts.log.audit = snapshot.audit;
        parts.counters = Counters {
            step: snapshot.step,
            groups: snapshot.groups,
            time_steps: snapshot.time_steps,
            flurries: Column::new(RapidImpacts::NONE, count).with_rows(present(), &snapshot.rapid_impacts),
            ..Counters::with_bodies(count, snapshot.now)
        };
        present().zip(&snapshot.impact_counts).for_each(|(id, work)| parts.counters.work[id.index()] = *work);
    }

    /// Goes back to a snapshot of this world, with the same bits as [`restore`](Self::restore) in less time. Returns
    /// whether it did: it does not if the world has other bodies or properties now, or was not as far. Events and knots
    /// that were not taken are dropped; tracked bodies stay tracked.
    ///
    /// # Errors
    /// [`RestoreError`] when the snapshot is damaged; the world is then unchanged.
    pub(crate) fn go_back(&mut self, snapshot: &Snapshot) -> Result<bool, RestoreError> {
        if !self.has_still(snapshot) {
            return Ok(false);
        }
        snapshot.check(&self.sim.scene.rows, &self.sim.scene.settings)?;
        let (mut differs, then) = (self.differences(snapshot), self.now());
        self.take_up(snapshot);
        (self.sim.log.events, self.sim.log.knots) = (Vec::new(), Vec::new());
        let (parts, times) = (&mut self.sim, [snapshot.now, then]);
        let mut renewed = Vec::new();
        for (id, path) in snapshot.present().zip(&snapshot.paths) {
            let (moved, exit) = (differs[id.index()], parts.broadphase.exit(id));
            if moved {
                parts.scene.rows.records.set(id, path);
            }
            if !parts.broadphase.stays(id, (path, moved), &parts.scene.settings.space, times) {
                renewed.push(id);
            } else if !moved && parts.broadphase.exit(id) != exit {
                parts.to_predict.own_event(id);
            }
        }
        for id in renewed {
            parts.broadphase.renew(id, &parts.scene.rows, &parts.scene.settings.space, snapshot.now);
            differs[id.index()] = true;
        }
        for id in snapshot.present().filter(|id| differs[id.index()]) {
            parts.refresh_record(id);
            parts.predict_with_neighbours(id);
        }
        parts.to_predict.bodies.sort_unstable();
        parts.to_predict.bodies.dedup();
        self.predict_changed();
        Ok(true)
    }

    /// Whether the snapshot is an earlier state of the same bodies with the same properties, in a world without the gas
    /// loop. After an error a body may have no place.
    fn has_still(&self, snapshot: &Snapshot) -> bool {
        let (scene, rows) = (&self.sim.scene, &self.sim.scene.rows);
        let has_place = |id: BodyId| moderate(rows.path(id).position) && moderate(rows.path(id).velocity);
        snapshot.now <= scene.now
            && snapshot.gravity == scene.settings.gravity
            && snapshot.count() == rows.count()
            && snapshot.gone == successive(rows.gone())
            && rows.altered().eq(snapshot.altered.iter().copied())
            && rows.turned().eq(snapshot.turned.iter().cloned())
            && !may_be_gas(&scene.settings)
            && (rows.driven.is_empty() && snapshot.driven.is_empty())
            && rows.present().all(has_place)
    }

    /// The bodies that have another path, or other contacts, than in the snapshot.
    fn differences(&self, snapshot: &Snapshot) -> Vec<bool> {
        let scene = &self.sim.scene;
        let mut differs = vec![false; scene.rows.count()];
        for (row, (id, path)) in snapshot.present().zip(&snapshot.paths).enumerate() {
            let spin = snapshot.spins.get(row).copied().unwrap_or_default();
            let due = snapshot.due.get(row).copied().flatten();
            differs[id.index()] = bits(&scene.rows.path(id), scene.rows.spins.get(id)) != bits(path, &spin)
                || *scene.due.get(id) != due
                || scene.is_time_stepped(id);
        }
        let mut mark = |pair: Pair| [pair.a, pair.b].into_iter().for_each(|id| differs[id.index()] = true);
        let contacts = scene.contacts.sorted();
        unlike(&contacts, &snapshot.contacts, Contact::key).for_each(|contact| mark(contact.pair));
        let passages: Vec<_> = scene.passages.iter().collect();
        unlike(&passages, &snapshot.passages, |passage| passage.0).for_each(|passage| mark(passage.0));
        let members = snapshot.time_stepping.islands.iter().flat_map(|island| &island.members);
        members.for_each(|id| differs[id.index()] = true);
        differs
    }
}

/// All that tells two motions apart, also −0 from 0.
fn bits(path: &Path, spin: &Spin) -> ([[u64; 3]; 5], SimTime) {
    let vectors = [path.position, path.velocity, path.acceleration, spin.velocity, spin.acceleration];
    (vectors.map(|vector| vector.to_array().map(f64::to_bits)), path.epoch)
}

/// The rows of each of two lists that the other does not have, or has with the same key in another way. Both are sorted
/// by their keys.
fn unlike<'a, T: PartialEq, K: Ord>(one: &'a [T], other: &'a [T], key: fn(&T) -> K) -> impl Iterator<Item = &'a T> {
    let missing = move |rows: &'a [T], among: &'a [T]| {
        let is_among =
            move |row: &T| among.binary_search_by(|it| key(it).cmp(&key(row))).is_ok_and(|at| among[at] == *row);
        rows.iter().filter(move |row| !is_among(row))
    };
    missing(one, other).chain(missing(other, one))
}
