//! Commands: what somebody does to a world from outside, at the present instant.
//!
//! A kick, another velocity for a body that keeps its velocity, a new body, a body taken out, all motion turned round. What
//! comes of it happens in the next [`advance`](Stepper::advance), at this very instant: what was pushed together bounces, what
//! lost its support falls. Energy and momentum that a command brings or takes go into the books as work and impulse from
//! outside. Commands have no events of their own; contacts and passages that end with a body that is taken out do.

use glam::DVec3;
use thiserror::Error;

use super::body::pair::Pair;
use super::body::table::Mover;
use super::body::{check_body, is_too_fast, moderate};
use super::contact::Reaction;
use super::counters::{ImpactCount, RapidImpacts};
use super::event::{EventKind, Knot};
use super::query::Sight;
use super::solver::SolverBody;
use super::state::{RunError, SetupError, Stepper};
use super::{Body, BodyId};
use crate::geometry::{Aabb, Shape};
use crate::motion::{Path, SimTime, Spin};
use crate::numeric::tolerance::START_OVERLAP_SLACK;

/// A command that cannot be carried out. The world is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum CommandError {
    /// There never was such a body, or it was taken out.
    #[error("there is no body {body:?}, or not any more")]
    #[expect(missing_docs, reason = "the message says it")]
    NoSuchBody { body: BodyId },
    /// A kick of a body that no impulse moves.
    #[error("body {body:?} is not free, so no impulse moves it")]
    #[expect(missing_docs, reason = "the message says it")]
    NotFree { body: BodyId },
    /// A velocity for a body whose velocity is not its own.
    #[error("body {body:?} is not kinematic, so its velocity cannot be set")]
    #[expect(missing_docs, reason = "the message says it")]
    NotKinematic { body: BodyId },
    /// A velocity that is not finite, or too large to be squared.
    #[error("the velocity of body {body:?} would not be finite, or larger than 1e70")]
    #[expect(missing_docs, reason = "the message says it")]
    NotFinite { body: BodyId },
    /// A velocity at which a body might pass what it meets.
    #[error("body {body:?} would be too fast for its size: it would go more than 2^60 of its half widths in a second")]
    #[expect(missing_docs, reason = "the message says it")]
    TooFast { body: BodyId },
    /// A body that cannot be, or that overlaps another one.
    #[error(transparent)]
    Spawn(#[from] SetupError),
}

impl From<RunError> for CommandError {
    /// A path that is begun anew fails only when its numbers are too large.
    fn from(error: RunError) -> Self {
        match error {
            RunError::TooFast { body, .. } => Self::TooFast { body },
            RunError::NotFinite { body, .. }
            | RunError::Stalled { body, .. }
            | RunError::Squeezed { body, .. }
            | RunError::TooFar { body, .. } => Self::NotFinite { body },
        }
    }
}

impl Stepper {
    /// Whether there is such a body, and it was not taken out.
    pub fn is_present(&self, id: BodyId) -> bool {
        id.index() < self.scene.rows.count() && !self.scene.rows.is_gone(id)
    }

    /// Gives a free body an impulse through its centre, N·s. It wakes what touches it.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is not free, or when it would become too fast.
    pub fn kick(&mut self, id: BodyId, impulse: DVec3) -> Result<(), CommandError> {
        self.check_present(id)?;
        if !self.scene.rows.is_free(id) {
            return Err(CommandError::NotFree { body: id });
        }
        let struck =
            |member: SolverBody| SolverBody { linear: member.linear + impulse * member.inverse_mass, ..member };
        self.check_velocity(id, struck(self.scene.member(id, self.now)).linear)?;
        if self.in_crowd(id) {
            self.interrupt_crowd()?;
        }
        let before = self.scene.member(id, self.now);
        let after = struck(before);
        self.audit.work += impulse.dot((before.linear + after.linear) * 0.5);
        self.audit.impulse += impulse;
        self.redirect(id, &after)
    }

    /// Refuses a velocity that a body cannot have.
    fn check_velocity(&self, id: BodyId, velocity: DVec3) -> Result<(), CommandError> {
        if !moderate(velocity) {
            return Err(CommandError::NotFinite { body: id });
        }
        if is_too_fast(self.scene.rows.shape(id), velocity) {
            return Err(CommandError::TooFast { body: id });
        }
        Ok(())
    }

    /// Gives a kinematic body another velocity, m/s. It pushes what it touches, and wakes it.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is not kinematic, or when the velocity is not finite.
    pub fn set_velocity(&mut self, id: BodyId, velocity: DVec3) -> Result<(), CommandError> {
        self.check_present(id)?;
        if self.scene.rows.role(id).mover != Mover::Kinematic {
            return Err(CommandError::NotKinematic { body: id });
        }
        self.check_velocity(id, velocity)?;
        self.interrupt_crowd()?;
        self.begin_path(id, velocity, DVec3::ZERO, Spin::default())?;
        for pair in self.pairs_of(id) {
            self.disturb_contacts(pair);
        }
        self.predict_with_all(id);
        Ok(())
    }

    /// A new body, where and as it is given; its id is the number of bodies that there were.
    ///
    /// # Errors
    /// [`CommandError::Spawn`] when it cannot be, or overlaps by more than rounding a body with which it collides.
    ///
    /// # Panics
    /// When there are more than 2³² − 2 bodies.
    pub fn spawn(&mut self, body: &Body) -> Result<BodyId, CommandError> {
        let id = BodyId(self.scene.rows.count() as u32);
        assert!(id.0 < u32::MAX - 1, "a body's id has 32 bits");
        check_body(id, body, &self.scene.settings.space)?;
        self.check_room(id, body)?;
        self.interrupt_crowd()?;
        self.push_row(id, body);
        self.broadphase.add(id, &self.scene.rows, &self.scene.settings.space, self.now);
        self.book_presence(id, 1.0);
        self.refresh_record(id);
        self.predict_with_all(id);
        Ok(id)
    }

    /// Takes a body out: from now on nobody meets it, sees it or rests on it, and its id is never given again. What touches it
    /// is released, and what is inside a sensor leaves it.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body.
    pub fn despawn(&mut self, id: BodyId) -> Result<(), CommandError> {
        self.check_present(id)?;
        self.interrupt_crowd()?;
        self.leave_crowd(id);
        let pairs = self.pairs_of(id);
        for &pair in &pairs {
            let rows: Vec<u32> = self.scene.contacts.between(pair, &self.scene.rows).collect();
            for row in rows {
                let contact = self.end_contact(row);
                self.log_end(&contact);
            }
        }
        self.leave_sensors(id);
        self.book_presence(id, -1.0);
        // A body that others look at, such as a floor or a sensor, awaits nothing from them.
        let others = pairs.into_iter().map(|pair| pair.other(id));
        let bereft: Vec<BodyId> = others.filter(|&other| self.scene.rows.looks_at(other, id)).collect();
        self.stop_for_good(id);
        self.broadphase.remove(id);
        bereft.into_iter().for_each(|other| self.predict(other));
        Ok(())
    }

    /// Turns all motion round: every velocity and spin becomes its opposite. Motion without loss and friction then runs back
    /// the way it came, as long as rounding has not grown large; what losses and friction have done is not undone, and
    /// contacts are looked at anew.
    ///
    /// # Errors
    /// [`CommandError::NotFinite`] when a body has become too fast.
    pub fn reverse(&mut self) -> Result<(), CommandError> {
        self.interrupt_crowd()?;
        self.audit.impulse -= self.balance().momentum * 2.0;
        let moving: Vec<BodyId> = self.scene.rows.ids().filter(|&id| self.scene.rows.moves(id)).collect();
        for id in moving {
            let member = self.scene.member(id, self.now);
            self.redirect(id, &SolverBody { linear: -member.linear, angular: -member.angular, ..member })?;
        }
        // Whether a contact closes is known when both its bodies are turned round.
        for id in self.scene.rows.ids() {
            self.scene.contacts.of(id).to_vec().into_iter().for_each(|row| self.note_struck(row));
        }
        self.scene.rows.ids().for_each(|id| self.predict(id));
        Ok(())
    }

    fn check_present(&self, id: BodyId) -> Result<(), CommandError> {
        if self.is_present(id) { Ok(()) } else { Err(CommandError::NoSuchBody { body: id }) }
    }

    /// Gives a body that moves another motion.
    fn redirect(&mut self, id: BodyId, member: &SolverBody) -> Result<(), CommandError> {
        if self.scene.rows.is_free(id) && !self.in_crowd(id) {
            self.set_velocity_after_impact(id, member)?;
        } else {
            // The crowd gives the acceleration; nothing else gives any to the others.
            self.begin_path(id, member.linear, DVec3::ZERO, Spin { velocity: member.angular, ..Spin::default() })?;
        }
        self.predict_with_all(id);
        Ok(())
    }

    /// Finds what comes next for a body with another path, and for those who look at it without being looked at.
    fn predict_with_all(&mut self, id: BodyId) {
        for other in self.pairs_of(id).into_iter().map(|pair| pair.other(id)) {
            if !self.scene.rows.looks_at(id, other) {
                self.predict(other);
            }
        }
        self.predict(id);
    }

    /// All pairs that a body makes with its neighbours, in their order.
    fn pairs_of(&self, id: BodyId) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = self.broadphase.pairs(id).collect();
        pairs.sort_unstable();
        pairs
    }

    /// The contacts of a pair are to be looked at, and may have been struck.
    fn disturb_contacts(&mut self, pair: Pair) {
        let rows: Vec<u32> = self.scene.contacts.between(pair, &self.scene.rows).collect();
        for &row in &rows {
            self.note_struck(row);
        }
        if !rows.is_empty() {
            self.free_of(pair).for_each(|id| self.scene.set_due(id, self.now));
        }
    }

    /// Refuses a body that overlaps another one, as it would be refused in the beginning.
    fn check_room(&self, id: BodyId, body: &Body) -> Result<(), SetupError> {
        let half = body.shape.half_extents();
        let near: Vec<BodyId> = match body.shape {
            Shape::Plane(_) => self.scene.rows.ids().filter(|&other| !self.scene.rows.is_gone(other)).collect(),
            _ => {
                let bounds = Aabb::around(body.position, half + (body.position.abs() + half) * START_OVERLAP_SLACK);
                self.overlapping(&bounds, &Sight::ALL).into_iter().map(|hit| hit.spot.body).collect()
            }
        };
        for other in near {
            // What the other one is was checked when it came.
            let both = Self::new(self.scene.settings.clone(), &[self.body(other), body.clone()]);
            if let Err(SetupError::Overlap { depth, .. }) = both {
                return Err(SetupError::Overlap { a: other, b: id, depth });
            }
        }
        Ok(())
    }

    /// One more row in every table.
    fn push_row(&mut self, id: BodyId, body: &Body) {
        let scene = &mut self.scene;
        scene.rows.push_body(id, body, &scene.settings, self.now);
        scene.contacts.push_body();
        scene.reactions.push_row();
        scene.due.push_row();
        scene.crowded.push(false);
        self.queue.push_body();
        self.tracked.push_row();
        self.work.push(ImpactCount::NONE);
        self.flurries.push_row();
        self.crowd.push_body();
    }

    /// Books that a body comes (1) or goes (−1): its energy is work from outside, its momentum an impulse. Of that, what
    /// its weight has given since the start counts the other way, so that the weight of all that are there explains the
    /// rest whenever one looks.
    fn book_presence(&mut self, id: BodyId, sign: f64) {
        if !self.scene.rows.is_free(id) {
            return;
        }
        let (gravity, elapsed) = (self.scene.settings.gravity, self.now.since(SimTime::ZERO));
        let (member, mass) = (self.scene.member(id, self.now), 1.0 / self.scene.rows.inverse_mass(id));
        let energy = member.energy() - mass * gravity.dot(self.unwrapped_position(id));
        self.audit.work += sign * energy;
        self.audit.impulse += (member.linear - gravity * elapsed) * (sign * mass);
    }

    /// Tells that a body leaves the sensors that it is in, and that others leave it.
    fn leave_sensors(&mut self, id: BodyId) {
        for (pair, passage) in self.scene.passages.of(id) {
            if passage.inside {
                self.log_passage(pair.as_seen_from_path(&self.scene.rows), EventKind::Leave);
            }
            self.scene.passages.remove(&pair);
        }
    }

    /// A body that touches nothing stays where it is, out of everybody's way.
    fn stop_for_good(&mut self, id: BodyId) {
        self.put_reaction(id, Reaction::none(self.now));
        self.scene.reactions.set(id, Reaction::none(SimTime::ZERO));
        let here = self.scene.rows.path(id).position_at(self.now);
        let path = Path { position: here, velocity: DVec3::ZERO, acceleration: DVec3::ZERO, epoch: self.now };
        self.scene.rows.records.set(id, &path);
        self.scene.rows.records.mark_not_ballistic(id);
        self.scene.rows.spins.set(id, Spin::default());
        self.scene.due.set(id, None);
        self.scene.rows.take_out(id);
        self.work[id.index()] = ImpactCount::NONE;
        self.flurries.set(id, RapidImpacts::NONE);
        if *self.tracked.get(id) {
            self.tracked.set(id, false);
            self.knots.push(Knot { body: id, path });
        }
        self.queue.clear(id);
    }
}
