//! Commands: changes of a world from outside, at the present instant.
//!
//! The commands are a kick, another velocity, spin, position, material or other layers of a body, a new body, the
//! removal of a body, a cell of a grid made solid or empty, another gravity, and the reversal of all motion. Their
//! consequences are events of the next [`advance`](Stepper::advance), at the same instant: bodies that were moved
//! together bounce, bodies without support fall. Energy and momentum of a command go into the balance as work and
//! impulse from outside. Commands are not in the log; the ends of contacts and passages are, when a body is removed or
//! changed.

mod alter;
mod cells;
mod motion;
mod whole;

use glam::DVec3;
use thiserror::Error;

use super::body::pair::Pair;
use super::contact::Reaction;
use super::contact::lifecycle::log_end;
use super::error::{RunError, SetupError};
use super::impact::set_velocity_after_impact;
use super::log::counters::{ImpactCount, RapidImpacts};
use super::log::event::{EventKind, Knot};
use super::query::Sight;
use super::scene::{NO_ISLAND, Scene};
use super::sensor::log_passage;
use super::simulation::Simulation;
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
    /// A spin for a body that is no free ball.
    #[error("body {body:?} never turns")]
    NeverTurns { body: BodyId },
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
        self.sim.scene.is_present(id)
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
        self.sim.scene.rows.check_with_arcs(id, body)?;
        self.check_overlap(id, body, |_| true)?;
        self.command(|sim| spawn(sim, id, body))?;
        Ok(id)
    }

    /// Removes a body: from now on it interacts with no other body and no query finds it. Its id is never used again.
    /// Its contacts end, and the bodies inside a sensor leave it.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body.
    pub fn despawn(&mut self, id: BodyId) -> Result<(), CommandError> {
        self.command(|sim| despawn(sim, id))?;
        self.queue.clear(id);
        Ok(())
    }

    /// Carries out a command and predicts its changes, even if the command fails half-way.
    fn command(&mut self, act: impl FnOnce(&mut Simulation) -> Result<(), CommandError>) -> Result<(), CommandError> {
        self.end_gas(false);
        let done = act(&mut self.sim);
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
            Shape::Plane(_) => self.sim.scene.rows.present().collect(),
            _ => {
                let place = own_now.position;
                let bounds = Aabb::around(place, half + (place.abs() + half) * START_OVERLAP_SLACK);
                self.overlapping(&bounds, &Sight::ALL).into_iter().map(|hit| hit.spot.body).collect()
            }
        };
        for other in near.into_iter().filter(|&other| other != id && others(other)) {
            // The other body was checked when it was added, and both are where they are now.
            let position = self.sim.scene.rows.path(other).position_at(self.now());
            let other_now = Body { position, course: None, ..self.body(other) };
            let both = Self::new(self.sim.scene.settings.clone(), &[other_now, own_now.clone()]);
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

fn spawn(sim: &mut Simulation, id: BodyId, body: &Body) -> Result<(), CommandError> {
    push_row(sim, id, body);
    sim.broadphase.add(id, &sim.scene.rows, &sim.scene.settings.space, sim.scene.now);
    sim.limit_exit(id);
    come_in(sim, id)
}

/// A body with a domain and neighbours begins to interact.
fn come_in(sim: &mut Simulation, id: BodyId) -> Result<(), CommandError> {
    interrupt_near(sim, id)?;
    book_presence(sim, id, 1.0);
    sim.refresh_record(id);
    sim.predict_with_neighbours(id);
    Ok(())
}

fn despawn(sim: &mut Simulation, id: BodyId) -> Result<(), CommandError> {
    sim.scene.check_present(id)?;
    go_out(sim, id)?;
    stop_for_good(sim, id);
    sim.broadphase.remove(id);
    Ok(())
}

/// Ends all that a body has to do with others. They are predicted again.
fn go_out(sim: &mut Simulation, id: BodyId) -> Result<(), CommandError> {
    interrupt_near(sim, id)?;
    leave_time_stepping(sim, id);
    let pairs = sim.pairs_of(id);
    for &pair in &pairs {
        let rows: Vec<u32> = sim.scene.contacts.between(pair, &sim.scene.rows).collect();
        for &row in &rows {
            let contact = sim.scene.end_contact(row);
            log_end(sim, &contact);
        }
        // What rounding hides depends on the contacts, so the other body's predictions begin anew.
        let other = pair.other(id);
        if !rows.is_empty() && sim.scene.rows.is_free(other) {
            sim.go_on_from_here(other)?;
        }
    }
    leave_sensors(sim, id);
    book_presence(sim, id, -1.0);
    sim.put_reaction(id, Reaction::none(sim.scene.now));
    sim.scene.reactions.set(id, Reaction::none(SimTime::ZERO));
    sim.scene.due.set(id, None);
    sim.counters.flurries.set(id, RapidImpacts::NONE);
    // A body for which no events with this body are predicted, such as a floor or a sensor, needs no new prediction.
    for other in pairs.into_iter().map(|pair| pair.other(id)) {
        if sim.scene.rows.predicts_with(other, id) {
            sim.to_predict.body(other);
        }
    }
    Ok(())
}

/// Gives a moving body another velocity and spin.
fn redirect(sim: &mut Simulation, id: BodyId, member: &SolverBody) -> Result<(), CommandError> {
    if sim.scene.rows.is_free(id) && !sim.scene.is_time_stepped(id) {
        set_velocity_after_impact(sim, id, member)?;
    } else {
        // Members of islands get gravity with their next step; other bodies have no acceleration.
        sim.begin_path(id, member.linear, DVec3::ZERO, Spin { velocity: member.angular, ..Spin::default() })?;
    }
    sim.predict_with_neighbours(id);
    Ok(())
}

/// Adds a row to every table.
fn push_row(sim: &mut Simulation, id: BodyId, body: &Body) {
    let scene = &mut sim.scene;
    scene.rows.push_body(id, body, &scene.settings, scene.now);
    scene.contacts.push_body();
    scene.reactions.push_row();
    scene.due.push_row();
    scene.stepped_in.push(NO_ISLAND);
    sim.log.tracked.push_row();
    sim.counters.work.push(ImpactCount::NONE);
    sim.counters.flurries.push_row();
    sim.time_stepping.push_body();
}

/// Adds a spawned (`sign` 1) or despawned (−1) body to the balance: its energy is work from outside, and its momentum
/// is an impulse from outside. The momentum due to its weight since the start is subtracted. So at any time the rest of
/// the change of momentum since the start is due to the weight of the present bodies over that whole time.
fn book_presence(sim: &mut Simulation, id: BodyId, sign: f64) {
    if !sim.scene.rows.is_free(id) {
        return;
    }
    let (gravity, elapsed) = (sim.scene.settings.gravity, sim.scene.now.since(SimTime::ZERO));
    let (member, mass) = (sim.scene.member(id, sim.scene.now), 1.0 / sim.scene.rows.inverse_mass(id));
    let energy = member.energy() - mass * gravity.dot(sim.scene.unwrapped_position(id));
    sim.log.audit.work += sign * energy;
    sim.log.audit.impulse += (member.linear - gravity * elapsed) * (sign * mass);
}

/// Logs that a body leaves the sensors it is in, and that others leave it.
fn leave_sensors(sim: &mut Simulation, id: BodyId) {
    for (pair, passage) in sim.scene.passages.of(id) {
        if passage.inside {
            log_passage(sim, pair.as_seen_from_path(&sim.scene.rows), EventKind::Leave);
        }
        sim.scene.passages.remove(&pair);
    }
}

/// Sets a despawned body to rest at its present position, without any interaction.
fn stop_for_good(sim: &mut Simulation, id: BodyId) {
    let here = sim.scene.rows.path(id).position_at(sim.scene.now);
    let path = Path { position: here, velocity: DVec3::ZERO, acceleration: DVec3::ZERO, epoch: sim.scene.now };
    sim.scene.rows.records.set(id, &path);
    sim.scene.rows.records.mark_not_ballistic(id);
    sim.scene.rows.spins.set(id, Spin::default());
    sim.scene.rows.take_out(id);
    sim.counters.work[id.index()] = ImpactCount::NONE;
    if *sim.log.tracked.get(id) {
        sim.log.tracked.set(id, false);
        sim.log.knots.push(Knot { body: id, path, spin: Spin::default() });
    }
    if sim.scene.rows.present_count() == 0 {
        forget_rows(sim);
    }
}

/// Drops the columns after the last body: the snapshot of an empty world cannot tell whether there was something in
/// them.
fn forget_rows(sim: &mut Simulation) {
    sim.scene.rows.spins.clear();
    sim.scene.reactions.clear();
    sim.scene.due.clear();
    sim.counters.flurries.clear();
    sim.time_stepping.updates.clear();
}

impl Scene {
    fn is_present(&self, id: BodyId) -> bool {
        id.index() < self.rows.count() && !self.rows.is_gone(id)
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
