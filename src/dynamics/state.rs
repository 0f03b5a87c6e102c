//! The state of a simulation, how it is made, and how it is looked at.

use glam::DVec3;
use thiserror::Error;

use super::audit::{Audit, Balance};
use super::body::pair::Pair;
use super::body::sparse_column::Column;
use super::body::table::{BodyTable, Interaction};
use super::body::{check_body, is_too_fast, moderate};
use super::broadphase::Broadphase;
use super::contact::{Contacts, Reaction};
use super::counters::{GroupCount, ImpactCount, RapidImpacts, RepeatCount};
use super::event::{Event, Knot};
use super::prediction::pair_event::Scene;
use super::queue::Queue;
use super::sensor::Passages;
use super::time_stepping::TimeStepping;
use super::{Body, BodyId, Settings};
use crate::motion::{SimTime, Spin};
use crate::numeric::shown;
use crate::numeric::tolerance::START_OVERLAP_SLACK;

/// A world that cannot start.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SetupError {
    /// A position, velocity or spin is not finite, or too large to be squared.
    #[error("the position, velocity or spin of body {body:?} is not finite, or larger than 1e70")]
    #[expect(missing_docs, reason = "the message says it")]
    NotFinite { body: BodyId },
    /// A body goes so far between two instants that the clock tells apart that it might pass what it meets.
    #[error("body {body:?} is too fast for its size: it goes more than 2^60 of its half widths in a second")]
    #[expect(missing_docs, reason = "the message says it")]
    TooFast { body: BodyId },
    /// A body is so far from the periodic cell that the periods between them cannot be counted.
    #[error("body {body:?} is 2^30 periods from the periodic cell, or more")]
    #[expect(missing_docs, reason = "the message says it")]
    TooFar { body: BodyId },
    /// A half-space is given a mass.
    #[error("body {body:?} is a half-space and cannot be free")]
    #[expect(missing_docs, reason = "the message says it")]
    FreePlane { body: BodyId },
    /// A mesh is given a mass or a velocity of its own, or is a sensor.
    #[error("body {body:?} is a mesh and must be fixed, and no sensor")]
    #[expect(missing_docs, reason = "the message says it")]
    MeshNotFixed { body: BodyId },
    /// Two bodies that collide overlap from the start.
    #[error("bodies {a:?} and {b:?} overlap by {} m at the start", shown(*depth))]
    #[expect(missing_docs, reason = "the message says it")]
    Overlap { a: BodyId, b: BodyId, depth: f64 },
}

/// A run that cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum RunError {
    /// A body went through more impacts in one step than the settings allow.
    #[error(
        "body {body:?} had {impacts} impacts in one step, more than `impacts_max` allows, the last with {partner:?}, at {time} s"
    )]
    #[expect(missing_docs, reason = "the message says it")]
    Stalled { body: BodyId, partner: BodyId, impacts: u32, time: SimTime },
    /// Two bodies that no impulse moves close on a third and leave it no room.
    #[error("body {body:?} is squeezed between {:?} and {:?} at {time} s", supports[0], supports[1])]
    #[expect(missing_docs, reason = "the message says it")]
    Squeezed { body: BodyId, supports: [BodyId; 2], time: SimTime },
    /// A body goes so far between two instants that the clock tells apart that it might pass what it meets, or crosses the
    /// room around it in less.
    #[error(
        "body {body:?} is too fast for its size at {time} s: it goes more than 2^60 of its half widths in a second"
    )]
    #[expect(missing_docs, reason = "the message says it")]
    TooFast { body: BodyId, time: SimTime },
    /// A body went through so many periods without meeting anything that they cannot be counted.
    #[error("body {body:?} is 2^30 periods from where its path began, or more, at {time} s")]
    #[expect(missing_docs, reason = "the message says it")]
    TooFar { body: BodyId, time: SimTime },
    /// A body's position, speed or spin left the range of numbers whose squares are finite.
    #[error("the position, velocity or spin of body {body:?} is no longer finite at {time} s")]
    #[expect(missing_docs, reason = "the message says it")]
    NotFinite { body: BodyId, time: SimTime },
}

/// Where a body is and how it moves at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// m; in a periodic space within the cell.
    pub position: DVec3,
    /// m/s.
    pub velocity: DVec3,
    /// Angular velocity, rad/s; zero for all but spheres.
    pub spin: DVec3,
}

/// Bodies, what is predicted for them, and what has happened so far.
#[derive(Debug, Clone)]
pub struct Stepper {
    pub(super) now: SimTime,
    pub(super) scene: Scene,
    pub(super) broadphase: Broadphase,
    pub(super) queue: Queue,
    pub(super) events: Vec<Event>,
    pub(super) knots: Vec<Knot>,
    /// Whose new paths are put down as knots.
    pub(super) tracked: Column<bool>,
    pub(super) audit: Audit,
    pub(super) step: u64,
    pub(super) work: Vec<ImpactCount>,
    /// New domains.
    pub(super) crossings: RepeatCount,
    /// Looks at bodies in touch.
    pub(super) looks: RepeatCount,
    /// Of bodies that lose energy at impacts.
    pub(super) flurries: Column<RapidImpacts>,
    pub(super) groups: GroupCount,
    pub(super) crowd: TimeStepping,
}

impl Stepper {
    /// A world with `bodies` at time 0. A body's id is its row.
    ///
    /// # Errors
    /// [`SetupError`] when a body cannot be, or when two that collide overlap by more than rounding.
    ///
    /// # Panics
    /// When there are more than 2³² − 2 bodies.
    pub fn new(settings: Settings, bodies: &[Body]) -> Result<Self, SetupError> {
        assert!(bodies.len() < u32::MAX as usize, "a body's id has 32 bits");
        bodies.iter().enumerate().try_for_each(|(row, body)| check_body(BodyId(row as u32), body, &settings.space))?;
        let rows = BodyTable::new(bodies, &settings, SimTime::ZERO);
        let mut stepper = Self::with_rows(settings, rows, SimTime::ZERO);
        stepper.check_start()?;
        stepper.predict_all();
        Ok(stepper)
    }

    /// Bodies that touch nothing and to which nothing has happened, with their neighbours.
    pub(super) fn with_rows(settings: Settings, rows: BodyTable, now: SimTime) -> Self {
        let count = rows.count();
        let broadphase = Broadphase::new(&rows, &settings.space, now);
        let scene = Scene {
            settings,
            rows,
            contacts: Contacts::with_bodies(count),
            reactions: Column::new(Reaction::none(SimTime::ZERO), count),
            due: Column::new(None, count),
            crowded: vec![false; count],
            passages: Passages::default(),
        };
        Self {
            now,
            scene,
            broadphase,
            queue: Queue::with_bodies(count),
            events: Vec::new(),
            knots: Vec::new(),
            tracked: Column::new(false, count),
            audit: Audit::default(),
            step: 0,
            work: vec![ImpactCount::NONE; count],
            crossings: RepeatCount::none(now),
            looks: RepeatCount::none(now),
            flurries: Column::new(RapidImpacts::NONE, count),
            groups: GroupCount { count: 0, instant: now, before: 0 },
            crowd: TimeStepping::with_bodies(count),
        }
    }

    /// Predicts what comes next for everybody.
    pub(super) fn predict_all(&mut self) {
        self.scene.rows.ids().for_each(|id| self.refresh_record(id));
        self.scene.rows.ids().for_each(|id| self.predict(id));
    }

    /// The present.
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// What holds for the whole world.
    pub fn settings(&self) -> &Settings {
        &self.scene.settings
    }

    /// How many bodies there are or were: their ids are the numbers below this.
    pub fn count(&self) -> usize {
        self.scene.rows.count()
    }

    /// Who was taken out, by id.
    pub fn gone(&self) -> impl ExactSizeIterator<Item = BodyId> {
        self.scene.rows.gone()
    }

    /// Who is tracked, by id.
    pub fn tracked(&self) -> impl Iterator<Item = BodyId> {
        self.scene.rows.ids().filter(|&id| *self.tracked.get(id))
    }

    /// Where a body is now and how it moves; one that was taken out stays where that was. Looking does not change its path.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn state(&self, id: BodyId) -> State {
        let rows = &self.scene.rows;
        let path = rows.path(id);
        State {
            position: self.scene.settings.space.wrap(path.position_at(self.now)).0,
            velocity: path.velocity_at(self.now),
            spin: rows.spins.get(id).at(self.now.since(path.epoch)),
        }
    }

    /// The events since the last call, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The knots of tracked bodies since the last call, in order.
    pub fn take_knots(&mut self) -> Vec<Knot> {
        std::mem::take(&mut self.knots)
    }

    /// From now on puts down every path that `id` begins, beginning with the present one.
    pub fn track(&mut self, id: BodyId) {
        self.tracked.set(id, true);
        self.knots.push(Knot { body: id, path: self.scene.rows.path(id) });
    }

    /// The books up to now.
    pub fn audit(&self) -> Audit {
        let mut audit = self.audit;
        for id in self.scene.rows.ids() {
            self.settle_footing(id, &mut audit);
        }
        audit
    }

    /// Energy and momentum of all free bodies now; of those in a crowd, the height is that at the end of their tick, as their
    /// velocity is.
    pub fn balance(&self) -> Balance {
        let mut balance = Balance::default();
        for id in self.scene.rows.ids().filter(|&id| self.scene.rows.is_free(id)) {
            let mass = 1.0 / self.scene.rows.inverse_mass(id);
            let velocity = self.scene.rows.path(id).velocity_at(self.now);
            balance.kinetic += 0.5 * mass * velocity.length_squared();
            balance.kinetic += self.spin_energy(id);
            balance.potential -= mass * self.scene.settings.gravity.dot(self.unwrapped_position(id));
            balance.momentum += velocity * mass;
            balance.momentum_scale += velocity.length() * mass;
            balance.mass += mass;
        }
        balance
    }

    /// ½ I ω², J.
    fn spin_energy(&self, id: BodyId) -> f64 {
        let inverse_inertia = self.scene.rows.inverse_inertia(id);
        if inverse_inertia == 0.0 {
            return 0.0;
        }
        let spin = self.scene.rows.spins.get(id).at(self.now.since(self.scene.rows.path(id).epoch));
        0.5 * spin.length_squared() / inverse_inertia
    }

    /// Position counted through all periods that the body has crossed, m; in a crowd, at the end of the tick, for which
    /// gravity has given its velocity.
    pub(super) fn unwrapped_position(&self, id: BodyId) -> DVec3 {
        let turns = self.scene.rows.turns[id.index()].map(|turns| turns as f64);
        self.scene.rows.path(id).position_at(self.counted_until(id)) + self.scene.settings.space.shift_far(turns)
    }

    /// Adds what the contacts of a body have done since they were last looked at.
    pub(super) fn settle_footing(&self, id: BodyId, audit: &mut Audit) {
        let reaction = self.scene.reactions.get(id);
        if !reaction.is_nonzero() {
            return;
        }
        let (path, spin) = (self.scene.rows.path(id), self.scene.rows.spins.get(id));
        let span = self.now.since(reaction.since);
        let way = path.position_at(self.now) - path.position_at(reaction.since);
        let middle = 0.5 * (self.now.since(path.epoch) + reaction.since.since(path.epoch));
        let turned = spin.at(middle) * span;
        let work = reaction.power * span;
        audit.impulse += reaction.outside * span;
        audit.work += work;
        audit.rubbed += work - reaction.force.dot(way) - reaction.torque.dot(turned);
    }

    /// Refuses a pair that overlaps.
    fn check_start(&self) -> Result<(), SetupError> {
        let mut deepest: Option<(Pair, f64)> = None;
        for id in self.scene.rows.ids() {
            let pairs = self.broadphase.pairs(id).filter(|pair| pair.a == id);
            for pair in pairs.filter(|pair| self.scene.rows.interaction(pair.a, pair.b) == Some(Interaction::Collide)) {
                let depth = self.start_overlap(pair);
                if depth > 0.0 && deepest.is_none_or(|(_, most)| depth > most) {
                    deepest = Some((pair, depth));
                }
            }
        }
        match deepest {
            Some((pair, depth)) => Err(SetupError::Overlap { a: pair.a, b: pair.b, depth }),
            None => Ok(()),
        }
    }

    /// By how much a pair overlaps beyond rounding, m; 0 if it does not.
    fn start_overlap(&self, pair: Pair) -> f64 {
        let offset = pair.motion(&self.scene.rows, &self.scene.settings.space, self.now).position;
        let slack = START_OVERLAP_SLACK * (self.scene.rows.extent(pair.a) + self.scene.rows.extent(pair.b));
        let depth = self.scene.depth(pair, offset);
        if depth > slack { depth } else { 0.0 }
    }

    /// Whether the numbers of a body are still of a size whose squares are finite.
    pub(super) fn check_finite(&self, id: BodyId) -> Result<(), RunError> {
        let path = self.scene.rows.path(id);
        let along = [path.position_at(self.now), path.velocity_at(self.now), path.acceleration];
        self.check_motion(id, along, self.scene.rows.spins.get(id))
    }

    /// The same for a body with this position, velocity and acceleration.
    #[inline(always)]
    pub(super) fn check_motion(&self, id: BodyId, along: [DVec3; 3], spin: &Spin) -> Result<(), RunError> {
        let [position, velocity, acceleration] = along;
        let moves = moderate(position) & moderate(velocity) & moderate(acceleration);
        if moves & moderate(spin.velocity) & moderate(spin.acceleration) {
            Ok(())
        } else {
            Err(RunError::NotFinite { body: id, time: self.now })
        }
    }

    /// Whether a body that begins a path with this velocity is slow enough to be met.
    #[inline(always)]
    pub(super) fn check_speed(&self, id: BodyId, velocity: DVec3) -> Result<(), RunError> {
        let BodyTable { slow, .. } = self.scene.rows;
        if velocity.length_squared() <= slow * slow || !is_too_fast(self.scene.rows.shape(id), velocity) {
            Ok(())
        } else {
            Err(RunError::TooFast { body: id, time: self.now })
        }
    }
}
