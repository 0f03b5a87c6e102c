//! The parts of a world that events change, and how paths begin.
//!
//! Events are functions of [`Simulation`]. They have no access to the queue, and record in `to_predict` what has to be
//! predicted again.

use glam::DVec3;

use super::body::pair::Pair;
use super::body::table::{BodyTable, Interaction, Mover};
use super::body::{is_too_fast, moderate};
use super::broadphase::Broadphase;
use super::contact::Reaction;
use super::error::{RunError, SetupError};
use super::log::Log;
use super::log::audit::{Audit, Balance};
use super::log::counters::Counters;
use super::scene::{NO_ISLAND, Scene};
use super::settings::Settings;
use super::time_stepping::island::Step;
use super::time_stepping::state::TimeStepping;
use super::to_predict::ToPredict;
use super::{BodyId, Response};
use crate::geometry::Shape;
use crate::motion::{Path, SimTime, Spin};
use crate::numeric::tolerance::{OVERLAP_ALLOWED, START_OVERLAP_SLACK};

/// Largest distance from the origin, in radii, at which a ball's path may begin for a ballistic sphere. Farther out,
/// rounding might make an impact with visible overlap look like sliding.
const BALLISTIC_REACH: f64 = 8_388_608.0;

/// Everything except the predictions.
#[derive(Debug, Clone)]
pub(super) struct Simulation {
    pub(super) scene: Scene,
    pub(super) broadphase: Broadphase,
    pub(super) time_stepping: TimeStepping,
    pub(super) log: Log,
    pub(super) counters: Counters,
    pub(super) to_predict: ToPredict,
}

impl Simulation {
    /// A world of bodies without contacts and events, with their neighbours.
    pub(super) fn new(settings: Settings, rows: BodyTable, now: SimTime) -> Self {
        let count = rows.count();
        let driven: Vec<BodyId> = rows.driven.keys().copied().collect();
        let mut sim = Self {
            broadphase: Broadphase::new(&rows, &settings.space, now),
            scene: Scene::new(settings, rows, now),
            time_stepping: TimeStepping::with_bodies(count),
            log: Log::with_bodies(count),
            counters: Counters::with_bodies(count, now),
            to_predict: ToPredict::default(),
        };
        driven.into_iter().for_each(|id| sim.limit_exit(id));
        sim
    }

    /// A contact update of a body at the end of this instant.
    pub(super) fn settle_now(&mut self, id: BodyId) {
        self.scene.set_due(id, self.scene.now);
        self.to_predict.own_event(id);
    }

    /// Adds the work of the present contact forces to the balance, and sets the forces from now on.
    pub(super) fn put_reaction(&mut self, body: BodyId, reaction: Reaction) {
        if reaction.is_nonzero() || self.scene.reactions.get(body).is_nonzero() {
            let mut audit = self.log.audit;
            self.scene.add_reaction_work(body, &mut audit);
            self.log.audit = audit;
            self.scene.reactions.set(body, reaction);
        }
    }

    /// Begins a path at the present position of the body.
    pub(super) fn begin_path(
        &mut self,
        body: BodyId,
        velocity: DVec3,
        acceleration: DVec3,
        spin: Spin,
    ) -> Result<(), RunError> {
        // A ballistic sphere has no contacts.
        if !self.scene.rows.records.is_ballistic_sphere(body) {
            self.put_reaction(body, Reaction { since: self.scene.now, ..*self.scene.reactions.get(body) });
        }
        let here = self.scene.rows.path(body).position_at(self.scene.now);
        let (position, crossed) = self.scene.settings.space.wrap(here);
        self.enter_path(body, &Path { position, velocity, acceleration, epoch: self.scene.now }, crossed, spin)
    }

    /// Begins a path that continues the present one, so that no prediction is before the present.
    pub(super) fn go_on_from_here(&mut self, body: BodyId) -> Result<(), RunError> {
        let path = self.scene.rows.path(body);
        let spin = self.scene.rows.turning(body, self.scene.now);
        self.begin_path(body, path.velocity_at(self.scene.now), path.acceleration, spin)?;
        self.to_predict.body(body);
        Ok(())
    }

    /// Begins `path` at the present. Paths change only here. Every path begins in the periodic cell; `crossed` are the
    /// periods by which the body is moved back for that. They are computed from the position, not from domains, which
    /// are affected by rounding.
    #[inline(always)]
    pub(super) fn enter_path(
        &mut self,
        body: BodyId,
        path: &Path,
        crossed: [i32; 3],
        spin: Spin,
    ) -> Result<(), RunError> {
        debug_assert_eq!(path.epoch, self.scene.now);
        if !self.scene.rows.driven.is_empty() {
            self.scene.rows.driven.remove(&body);
        }
        self.scene.rows.records.set(body, path);
        self.scene.rows.spins.set(body, spin);
        self.scene.check_motion(body, [path.position, path.velocity, path.acceleration], &spin)?;
        self.scene.check_speed(body, path.velocity)?;
        if *self.log.tracked.get(body) {
            self.log.note_path(body, path, spin);
        }
        self.scene.rows.cross(body, crossed);
        self.broadphase.update_exit(body, path, crossed, &self.scene.settings.space, self.scene.now);
        if !self.scene.rows.records.stays_ballistic_sphere(body, path, BALLISTIC_REACH) {
            self.refresh_record(body);
        }
        debug_assert_eq!(
            self.scene.rows.records.is_ballistic_sphere(body),
            self.qualifies_as_ballistic(body),
            "the line of {body:?}"
        );
        Ok(())
    }

    /// Records the path on which a tracked body is shown from now on.
    pub(super) fn note(&mut self, body: BodyId) {
        if *self.log.tracked.get(body) {
            let Scene { rows, now, .. } = &self.scene;
            let (path, spin) = (rows.path(body), rows.spins.get(body));
            let (shown, spin) = rows.driven(body).map_or((path, *spin), |driven| driven.shown_at(spin, *now));
            self.log.note_path(body, &shown, spin);
        }
    }

    /// Sets the domain exit of a body that a course moves.
    pub(super) fn limit_exit(&mut self, body: BodyId) {
        if let Some(driven) = self.scene.rows.driven(body) {
            let now = self.scene.now;
            let shown = if *self.log.tracked.get(body) { driven.course.next_shown(now) } else { SimTime::NEVER };
            self.broadphase.limit_exit(body, driven, shown, &self.scene.settings.space, now);
        }
    }

    /// Requests new predictions for a body with another path, and for the neighbours that own the predictions with it.
    pub(super) fn predict_with_neighbours(&mut self, body: BodyId) {
        let rows = &self.scene.rows;
        // A free body that collides owns the predictions with all others, or has a share in them.
        if !rows.is_free(body) || rows.senses(body) {
            for other in self.pairs_of(body).into_iter().map(|pair| pair.other(body)) {
                if !self.scene.rows.predicts_with(body, other) {
                    self.to_predict.body(other);
                }
            }
        }
        self.to_predict.body(body);
    }

    /// All pairs of a body with its neighbours, in order.
    pub(super) fn pairs_of(&self, body: BodyId) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = self.broadphase.pairs(body).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Updates whether the record of a body is that of a ballistic sphere.
    pub(super) fn refresh_record(&mut self, body: BodyId) {
        self.scene.rows.records.set_ballistic_sphere(body, self.qualifies_as_ballistic(body));
    }

    fn qualifies_as_ballistic(&self, body: BodyId) -> bool {
        let role = self.scene.rows.role(body);
        let path = self.scene.rows.path(body);
        match self.scene.rows.shape(body) {
            Shape::Sphere(radius) => {
                role.mover == Mover::Free
                    && role.response == Response::Collide
                    && path.acceleration == self.scene.settings.gravity
                    && self.scene.rows.records.holds_epoch(body)
                    && path.position.abs().max_element() <= BALLISTIC_REACH * radius.get()
                    && self.scene.due.get(body).is_none()
                    && self.scene.contacts.of(body).is_empty()
                    && self.broadphase.has_clear_image(body, radius.get(), &self.scene.settings.space)
            }
            _ => false,
        }
    }

    /// The present step of a body that is advanced by time steps, and its place in the island.
    fn step_of(&self, id: BodyId) -> Option<(&Step, usize)> {
        match self.scene.stepped_in[id.index()] {
            NO_ISLAND => None,
            number => self.time_stepping.get(number).step_of(id),
        }
    }

    /// The velocity and the spin of a body at the present.
    pub(super) fn at_present(&self, id: BodyId) -> [DVec3; 2] {
        let Scene { rows, now, .. } = &self.scene;
        let path = rows.path(id);
        let ahead = [path.velocity_at(*now), rows.spin_at(id, *now)];
        self.step_of(id).map_or(ahead, |(step, place)| step.at_present(place, ahead, *now))
    }

    /// Energy and momentum of all free bodies at the present.
    pub(super) fn balance(&self) -> Balance {
        let (mut balance, now) = (Balance::default(), self.scene.now);
        for id in self.scene.rows.present().filter(|&id| self.scene.rows.is_free(id)) {
            let ahead = self.scene.member(id, now);
            let (kinetic, velocity) = match self.step_of(id) {
                Some((step, place)) => {
                    let [velocity, _] = step.at_present(place, [ahead.linear, ahead.angular], now);
                    (step.kinetic_energy(place, &ahead, now), velocity)
                }
                None => (ahead.energy(), ahead.linear),
            };
            let mass = 1.0 / ahead.inverse_mass;
            balance.kinetic += kinetic;
            balance.potential -= mass * self.scene.settings.gravity.dot(self.scene.unwrapped_position(id));
            balance.momentum += velocity * mass;
            balance.momentum_scale += velocity.length() * mass;
            balance.mass += mass;
        }
        balance
    }

    /// The balance up to the present.
    pub(super) fn audit(&self) -> Audit {
        let mut audit = self.log.audit;
        for id in self.scene.rows.present() {
            self.scene.add_reaction_work(id, &mut audit);
        }
        for island in self.time_stepping.islands() {
            self.scene.add_step(island, &mut audit);
        }
        audit
    }

    /// Refuses a world in which bodies overlap, or a disc fills the circle of an arc.
    pub(super) fn check_start(&self) -> Result<(), SetupError> {
        let mut deepest: Option<(Pair, f64)> = None;
        for id in self.scene.rows.ids() {
            let pairs = self.broadphase.pairs(id).filter(|pair| pair.a == id);
            for pair in pairs.filter(|pair| self.scene.rows.interaction(pair.a, pair.b) == Some(Interaction::Collide)) {
                let depth = self.scene.start_overlap(pair)?;
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
}

impl Scene {
    /// Position counted through all periods that the body has crossed, m.
    pub(super) fn unwrapped_position(&self, id: BodyId) -> DVec3 {
        let turns = self.rows.turns[id.index()].map(|turns| turns as f64);
        self.rows.path(id).position_at(self.now) + self.settings.space.shift_far(turns)
    }

    /// Adds the work and impulse of the contacts of a body since its reaction was set.
    pub(super) fn add_reaction_work(&self, id: BodyId, audit: &mut Audit) {
        let reaction = self.reactions.get(id);
        if !reaction.is_nonzero() {
            return;
        }
        if let Some(driven) = self.rows.driven(id) {
            return self.add_ride_work(id, driven, reaction, audit);
        }
        let (path, spin) = (self.rows.path(id), self.rows.spins.get(id));
        let span = self.now.since(reaction.since);
        let displacement = path.position_at(self.now) - path.position_at(reaction.since);
        let middle = 0.5 * (self.now.since(path.epoch) + reaction.since.since(path.epoch));
        let turned = spin.at(middle) * span;
        let work = reaction.power * span;
        audit.impulse += reaction.outside * span;
        audit.work += work;
        audit.contact_heat += work - reaction.force.dot(displacement) - reaction.torque.dot(turned);
    }

    /// The overlap of a pair, m; 0 if it is no more than rounding or the overlap that time steps allow. So a world can
    /// start with the final positions of a heap from another run.
    ///
    /// # Errors
    /// [`SetupError::FillsArc`] for a disc that touches an arc everywhere: their contact has no normal.
    fn start_overlap(&self, pair: Pair) -> Result<f64, SetupError> {
        let offset = pair.motion(&self.rows, &self.settings.space, self.now).position;
        let rounding = START_OVERLAP_SLACK * (self.rows.extent(pair.a) + self.rows.extent(pair.b));
        let [a, b] = [pair.a, pair.b].map(|id| self.rows.shape(id).half_extents().min_element());
        let slack = rounding.max(OVERLAP_ALLOWED * a.min(b));
        let depth = self.depth(pair, offset);
        if depth > slack {
            return Ok(depth);
        }
        let (body, arc) = match (self.rows.shape(pair.a), self.rows.shape(pair.b)) {
            (_, Shape::Arc(_)) if a >= b => (pair.a, pair.b),
            (Shape::Arc(_), _) if b >= a => (pair.b, pair.a),
            _ => return Ok(0.0),
        };
        if offset.length() <= slack { Err(SetupError::FillsArc { body, arc }) } else { Ok(0.0) }
    }

    /// Whether the numbers of a body still have finite squares.
    pub(super) fn check_finite(&self, id: BodyId) -> Result<(), RunError> {
        let path = self.rows.path(id);
        let along = [path.position_at(self.now), path.velocity_at(self.now), path.acceleration];
        self.check_motion(id, along, self.rows.spins.get(id))
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

    /// Whether a body is slow enough for its size to begin a path with this velocity.
    #[inline(always)]
    pub(super) fn check_speed(&self, id: BodyId, velocity: DVec3) -> Result<(), RunError> {
        let BodyTable { slow, .. } = self.rows;
        if velocity.length_squared() <= slow * slow || !is_too_fast(self.rows.shape(id), velocity) {
            Ok(())
        } else {
            Err(RunError::TooFast { body: id, time: self.now })
        }
    }
}
