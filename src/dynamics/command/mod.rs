//! Commands: changes of a world from outside, at the present instant.
//!
//! The commands are a kick, another velocity, position, material or other layers of a body, a new body, the removal of a
//! body, a cell of a grid made solid or empty, another gravity, and the reversal of all motion. Their consequences are events of the next
//! [`advance`](Stepper::advance), at the same instant: bodies that were moved together bounce, bodies without support
//! fall. Energy and momentum of a command go into the balance as work and impulse from outside. Commands are not in the
//! log; the ends of contacts and passages are, when a body is removed or changed.

mod alter;
mod cells;
mod whole;

use glam::DVec3;
use thiserror::Error;

use super::body::pair::Pair;
use super::body::table::Mover;
use super::body::{is_too_fast, moderate};
use super::contact::Reaction;
use super::contact::lifecycle::log_end;
use super::error::{RunError, SetupError};
use super::impact::set_velocity_after_impact;
use super::log::counters::{ImpactCount, RapidImpacts};
use super::log::event::{EventKind, Knot};
use super::parts::Parts;
use super::query::Sight;
use super::scene::{NO_ISLAND, Scene};
use super::sensor::log_passage;
use super::solver::SolverBody;
use super::state::Stepper;
use super::time_stepping::membership::{interrupt_near, leave_time_stepping};
use super::validity::check_body;
use super::{Body, BodyId};
use crate::geometry::{Aabb, Shape};
use crate::motion::{Path, SimTime, Spin};
use crate::numeric::tolerance::START_OVERLAP_SLACK;

/// A command that cannot be carried out. The world is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum CommandError {
    /// There is no such body, or it was despawned.
    #[error("there is no body {body:?}; it may have been removed")]
    NoSuchBody { body: BodyId },
    /// A kick of a body that is not free.
    #[error("body {body:?} is not free, so no impulse moves it")]
    NotFree { body: BodyId },
    /// A velocity or a position for a fixed body.
    #[error("body {body:?} is fixed, so it cannot be moved")]
    Fixed { body: BodyId },
    /// A velocity for a body on a course.
    #[error("body {body:?} is on a course, which determines its velocity")]
    OnCourse { body: BodyId },
    /// A velocity out of the plane of a planar world.
    #[error("body {body:?} would leave the plane z = 0")]
    OffPlane { body: BodyId },
    /// A velocity that is not finite, or too large to be squared.
    #[error("the velocity of body {body:?} must be finite and at most 1e70 m/s along each axis")]
    NotFinite { body: BodyId },
    /// A velocity with which a body might pass through others.
    #[error("body {body:?} would be too fast for its size: it would move more than 2^60 of its half widths per second")]
    TooFast { body: BodyId },
    /// A cell of a body that is no grid.
    #[error("body {body:?} is no grid, so it has no cells")]
    NotAGrid { body: BodyId },
    /// A cell that the grid does not have.
    #[error("body {body:?} has no cell {cell:?}: its size is {size:?}")]
    NoSuchCell { body: BodyId, cell: [u32; 3], size: [u32; 3] },
    /// A gravity that is not finite, too large to be squared, or not in the plane of a planar world.
    #[error("gravity must be finite, at most 1e70 m/s² along each axis, and in the plane if the world is planar")]
    Gravity,
    /// A body that is not valid, or that overlaps another one.
    #[error(transparent)]
    Spawn(#[from] SetupError),
}

impl From<RunError> for CommandError {
    /// A path that a command begins is refused only if its numbers are too large.
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
    /// Whether there is such a body and it was not despawned.
    pub fn is_present(&self, id: BodyId) -> bool {
        self.parts.scene.is_present(id)
    }

    /// Applies an impulse to the centre of a free body, N·s. It wakes the bodies in contact with it.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is not free, or when it would become too fast.
    pub fn kick(&mut self, id: BodyId, impulse: DVec3) -> Result<(), CommandError> {
        self.command(|parts| kick(parts, id, impulse))
    }

    /// Sets the velocity of a free or kinematic body, m/s; its spin stays. It wakes the bodies in contact with it.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is fixed, or when the velocity is not finite or too fast.
    pub fn set_velocity(&mut self, id: BodyId, velocity: DVec3) -> Result<(), CommandError> {
        self.command(|parts| set_velocity(parts, id, velocity))
    }

    /// Adds a body as it is given. Its id is the number of bodies so far.
    ///
    /// # Errors
    /// [`CommandError::Spawn`] when it is not valid, or overlaps by more than rounding a body with which it collides.
    ///
    /// # Panics
    /// When there are more than 2³² − 2 bodies.
    pub fn spawn(&mut self, body: &Body) -> Result<BodyId, CommandError> {
        let id = BodyId(self.count() as u32);
        assert!(id.0 < u32::MAX - 1, "a body's id has 32 bits");
        check_body(id, body, self.settings())?;
        self.parts.scene.rows.check_with_arcs(id, body)?;
        self.check_overlap(id, body, |_| true)?;
        self.command(|parts| spawn(parts, id, body))?;
        Ok(id)
    }

    /// Removes a body: from now on it interacts with no other body and no query finds it. Its id is never used again.
    /// Its contacts end, and the bodies inside a sensor leave it.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body.
    pub fn despawn(&mut self, id: BodyId) -> Result<(), CommandError> {
        self.command(|parts| despawn(parts, id))?;
        self.queue.clear(id);
        Ok(())
    }

    /// Carries out a command and predicts its changes, even if the command fails half-way.
    fn command(&mut self, act: impl FnOnce(&mut Parts) -> Result<(), CommandError>) -> Result<(), CommandError> {
        self.end_gas(false);
        let done = act(&mut self.parts);
        self.queue.grow(self.count());
        self.predict_changed();
        done
    }

    /// Refuses a body that overlaps one of `others`, by the same test as at the start.
    fn check_overlap(&self, id: BodyId, body: &Body, others: impl Fn(BodyId) -> bool) -> Result<(), SetupError> {
        let half = body.shape.half_extents();
        let displaced = body.course.as_ref().map_or(DVec3::ZERO, |course| course.at(self.now())[0]);
        let own_now = Body { position: body.position + displaced, course: None, ..body.clone() };
        let near: Vec<BodyId> = match body.shape {
            Shape::Plane(_) => self.parts.scene.rows.present().collect(),
            _ => {
                let place = own_now.position;
                let bounds = Aabb::around(place, half + (place.abs() + half) * START_OVERLAP_SLACK);
                self.overlapping(&bounds, &Sight::ALL).into_iter().map(|hit| hit.spot.body).collect()
            }
        };
        for other in near.into_iter().filter(|&other| other != id && others(other)) {
            // The other body was checked when it was added, and both are where they are now.
            let position = self.parts.scene.rows.path(other).position_at(self.now());
            let other_now = Body { position, course: None, ..self.body(other) };
            let both = Self::new(self.parts.scene.settings.clone(), &[other_now, own_now.clone()]);
            let own = |row: BodyId| if row.0 == 0 { other } else { id };
            match both {
                Err(SetupError::Overlap { depth, .. }) => return Err(SetupError::Overlap { a: other, b: id, depth }),
                Err(SetupError::FillsArc { body, arc }) => {
                    return Err(SetupError::FillsArc { body: own(body), arc: own(arc) });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn kick(parts: &mut Parts, id: BodyId, impulse: DVec3) -> Result<(), CommandError> {
    parts.scene.check_present(id)?;
    if !parts.scene.rows.is_free(id) {
        return Err(CommandError::NotFree { body: id });
    }
    strike(parts, id, |member| (impulse, member.linear + impulse * member.inverse_mass))
}

/// Gives a free body an impulse and the velocity after it, as computed from its motion at the present.
fn strike(parts: &mut Parts, id: BodyId, struck: impl Fn(&SolverBody) -> (DVec3, DVec3)) -> Result<(), CommandError> {
    parts.scene.check_velocity(id, struck(&parts.scene.member(id, parts.scene.now)).1)?;
    if parts.scene.is_time_stepped(id) {
        interrupt_near(parts, id)?;
    }
    let before = parts.scene.member(id, parts.scene.now);
    let (impulse, linear) = struck(&before);
    parts.log.audit.work += impulse.dot((before.linear + linear) * 0.5);
    parts.log.audit.impulse += impulse;
    redirect(parts, id, &SolverBody { linear, ..before })
}

fn set_velocity(parts: &mut Parts, id: BodyId, velocity: DVec3) -> Result<(), CommandError> {
    parts.scene.check_present(id)?;
    match parts.scene.rows.role(id).mover {
        Mover::Free => return strike(parts, id, |member| ((velocity - member.linear) / member.inverse_mass, velocity)),
        Mover::Fixed => return Err(CommandError::Fixed { body: id }),
        Mover::Kinematic if parts.scene.rows.driven(id).is_some() => return Err(CommandError::OnCourse { body: id }),
        Mover::Kinematic => {}
    }
    parts.scene.check_velocity(id, velocity)?;
    parts.begin_path(id, velocity, DVec3::ZERO, Spin::default())?;
    interrupt_near(parts, id)?;
    for pair in parts.pairs_of(id) {
        parts.scene.disturb_contacts(pair);
    }
    parts.predict_with_neighbours(id);
    Ok(())
}

fn spawn(parts: &mut Parts, id: BodyId, body: &Body) -> Result<(), CommandError> {
    push_row(parts, id, body);
    parts.broadphase.add(id, &parts.scene.rows, &parts.scene.settings.space, parts.scene.now);
    parts.limit_exit(id);
    come_in(parts, id)
}

/// A body with a domain and neighbours begins to interact.
fn come_in(parts: &mut Parts, id: BodyId) -> Result<(), CommandError> {
    interrupt_near(parts, id)?;
    book_presence(parts, id, 1.0);
    parts.refresh_record(id);
    parts.predict_with_neighbours(id);
    Ok(())
}

fn despawn(parts: &mut Parts, id: BodyId) -> Result<(), CommandError> {
    parts.scene.check_present(id)?;
    go_out(parts, id)?;
    stop_for_good(parts, id);
    parts.broadphase.remove(id);
    Ok(())
}

/// Ends all that a body has to do with others. They are predicted again.
fn go_out(parts: &mut Parts, id: BodyId) -> Result<(), CommandError> {
    interrupt_near(parts, id)?;
    leave_time_stepping(parts, id);
    let pairs = parts.pairs_of(id);
    for &pair in &pairs {
        let rows: Vec<u32> = parts.scene.contacts.between(pair, &parts.scene.rows).collect();
        for &row in &rows {
            let contact = parts.scene.end_contact(row);
            log_end(parts, &contact);
        }
        // What rounding hides depends on the contacts, so the other body's predictions begin anew.
        let other = pair.other(id);
        if !rows.is_empty() && parts.scene.rows.is_free(other) {
            parts.go_on_from_here(other)?;
        }
    }
    leave_sensors(parts, id);
    book_presence(parts, id, -1.0);
    parts.put_reaction(id, Reaction::none(parts.scene.now));
    parts.scene.reactions.set(id, Reaction::none(SimTime::ZERO));
    parts.scene.due.set(id, None);
    parts.counters.flurries.set(id, RapidImpacts::NONE);
    // A body for which no events with this body are predicted, such as a floor or a sensor, needs no new prediction.
    for other in pairs.into_iter().map(|pair| pair.other(id)) {
        if parts.scene.rows.predicts_with(other, id) {
            parts.changed.body(other);
        }
    }
    Ok(())
}

/// Gives a moving body another velocity and spin.
fn redirect(parts: &mut Parts, id: BodyId, member: &SolverBody) -> Result<(), CommandError> {
    if parts.scene.rows.is_free(id) && !parts.scene.is_time_stepped(id) {
        set_velocity_after_impact(parts, id, member)?;
    } else {
        // Members of islands get gravity with their next step; other bodies have no acceleration.
        parts.begin_path(id, member.linear, DVec3::ZERO, Spin { velocity: member.angular, ..Spin::default() })?;
    }
    parts.predict_with_neighbours(id);
    Ok(())
}

/// Adds a row to every table.
fn push_row(parts: &mut Parts, id: BodyId, body: &Body) {
    let scene = &mut parts.scene;
    scene.rows.push_body(id, body, &scene.settings, scene.now);
    scene.contacts.push_body();
    scene.reactions.push_row();
    scene.due.push_row();
    scene.stepped_in.push(NO_ISLAND);
    parts.log.tracked.push_row();
    parts.counters.work.push(ImpactCount::NONE);
    parts.counters.flurries.push_row();
    parts.time_stepping.push_body();
}

/// Adds a spawned (`sign` 1) or despawned (−1) body to the balance: its energy is work from outside, and its momentum
/// is an impulse from outside. The momentum due to its weight since the start is subtracted. So at any time the rest of
/// the change of momentum since the start is due to the weight of the present bodies over that whole time.
fn book_presence(parts: &mut Parts, id: BodyId, sign: f64) {
    if !parts.scene.rows.is_free(id) {
        return;
    }
    let (gravity, elapsed) = (parts.scene.settings.gravity, parts.scene.now.since(SimTime::ZERO));
    let (member, mass) = (parts.scene.member(id, parts.scene.now), 1.0 / parts.scene.rows.inverse_mass(id));
    let energy = member.energy() - mass * gravity.dot(parts.scene.unwrapped_position(id));
    parts.log.audit.work += sign * energy;
    parts.log.audit.impulse += (member.linear - gravity * elapsed) * (sign * mass);
}

/// Logs that a body leaves the sensors it is in, and that others leave it.
fn leave_sensors(parts: &mut Parts, id: BodyId) {
    for (pair, passage) in parts.scene.passages.of(id) {
        if passage.inside {
            log_passage(parts, pair.as_seen_from_path(&parts.scene.rows), EventKind::Leave);
        }
        parts.scene.passages.remove(&pair);
    }
}

/// Sets a despawned body to rest at its present position, without any interaction.
fn stop_for_good(parts: &mut Parts, id: BodyId) {
    let here = parts.scene.rows.path(id).position_at(parts.scene.now);
    let path = Path { position: here, velocity: DVec3::ZERO, acceleration: DVec3::ZERO, epoch: parts.scene.now };
    parts.scene.rows.records.set(id, &path);
    parts.scene.rows.records.mark_not_ballistic(id);
    parts.scene.rows.spins.set(id, Spin::default());
    parts.scene.rows.take_out(id);
    parts.counters.work[id.index()] = ImpactCount::NONE;
    if *parts.log.tracked.get(id) {
        parts.log.tracked.set(id, false);
        parts.log.knots.push(Knot { body: id, path, spin: Spin::default() });
    }
    if parts.scene.rows.present_count() == 0 {
        forget_rows(parts);
    }
}

/// Drops the columns after the last body: the snapshot of an empty world cannot tell whether there was something in them.
fn forget_rows(parts: &mut Parts) {
    parts.scene.rows.spins.clear();
    parts.scene.reactions.clear();
    parts.scene.due.clear();
    parts.counters.flurries.clear();
    parts.time_stepping.updates.clear();
}

impl Scene {
    fn is_present(&self, id: BodyId) -> bool {
        id.index() < self.rows.count() && !self.rows.is_gone(id)
    }

    /// Refuses a velocity that a body cannot have.
    fn check_velocity(&self, id: BodyId, velocity: DVec3) -> Result<(), CommandError> {
        if !moderate(velocity) {
            return Err(CommandError::NotFinite { body: id });
        }
        if !self.settings.space.has(velocity) {
            return Err(CommandError::OffPlane { body: id });
        }
        if is_too_fast(self.rows.shape(id), velocity) {
            return Err(CommandError::TooFast { body: id });
        }
        Ok(())
    }

    fn check_present(&self, id: BodyId) -> Result<(), CommandError> {
        if self.is_present(id) { Ok(()) } else { Err(CommandError::NoSuchBody { body: id }) }
    }

    /// Schedules an update of the contacts of a pair, which may have to bounce.
    fn disturb_contacts(&mut self, pair: Pair) {
        let rows: Vec<u32> = self.contacts.between(pair, &self.rows).collect();
        for &row in &rows {
            self.update_struck(row);
        }
        if !rows.is_empty() {
            self.free_of(pair).for_each(|id| self.set_due(id, self.now));
        }
    }
}
