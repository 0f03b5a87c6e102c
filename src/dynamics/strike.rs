//! What an event does to the bodies: bounces, contacts that begin and end, new paths.

use glam::DVec3;

use super::contact::{Bound, Contact, Surface, is_rest, nearest_on_all, nearest_within};
use super::event::{EventKind, Knot};
use super::impact::{Party, approach_speed, resolve};
use super::pair::Pair;
use super::predict::{Ending, Meeting};
use super::stepper::{RunError, Stepper};
use super::{BodyId, Settings};
use crate::geometry::{Solid, gap};
use crate::motion::Path;
use crate::numeric::tolerance::PROJECTION_SLACK;
use crate::sweep::rates_along;

/// What contacts make of a velocity.
struct Settled {
    velocity: DVec3,
    kept: Vec<Contact>,
    ended: Vec<Contact>,
    /// Work of moving supports per mass of the body, J/kg.
    work: f64,
}

impl Stepper {
    /// Two bodies meet: they bounce, or one comes to rest on the other.
    pub(super) fn impact(&mut self, pair: Pair) -> Result<(), RunError> {
        let Some(meeting) = self.scene.meeting(pair) else {
            debug_assert!(false, "an impact of {pair:?} that is not predicted again");
            [pair.a, pair.b].into_iter().for_each(|id| self.predict_if_free(id));
            return Ok(());
        };
        self.count_work(pair.a, pair.b)?;
        self.count_work(pair.b, pair.a)?;
        self.note_depth(pair, meeting.part);
        let [a, b] = [pair.a, pair.b].map(|id| self.party(id));
        // Rounding may turn the slowest approach into none; it never pulls the bodies together.
        let speed = approach_speed(a, b, meeting.normal).max(0.0);
        match self.supported(pair) {
            Some(body) if self.comes_to_rest(pair, &meeting, speed) => self.rest(pair, body, &meeting, speed),
            _ => self.bounce(pair, &meeting, speed),
        }
    }

    fn party(&self, id: BodyId) -> Party {
        let velocity = self.scene.rows.paths[id.index()].velocity_at(self.now);
        Party { velocity, inverse_mass: self.scene.rows.inverse_masses[id.index()] }
    }

    fn note_depth(&mut self, pair: Pair, part: u32) {
        let offset = pair.motion(&self.scene.rows, &self.scene.settings.space, self.now).position;
        let [a, b] = self.scene.solids(pair, part);
        let depth = gap(a, b, offset).map_or(0.0, |gap| -gap.separation);
        self.audit.deepest = self.audit.deepest.max(depth);
    }

    fn restitution(&self, pair: Pair) -> f64 {
        let [a, b] = [pair.a, pair.b].map(|id| self.scene.rows.roles[id.index()].material);
        self.scene.settings.materials.restitution(a, b)
    }

    fn bounce(&mut self, pair: Pair, meeting: &Meeting, speed: f64) -> Result<(), RunError> {
        let normal = meeting.normal;
        let [a, b] = [pair.a, pair.b].map(|id| self.party(id));
        let outcome = resolve(a, b, normal, speed, self.restitution(pair));
        self.audit.dissipated += outcome.dissipated;
        self.audit.work += outcome.work;
        self.note_outside_impulse(pair, normal * outcome.impulse);
        self.log(self.event(pair, EventKind::Impact, meeting, speed, outcome.impulse));
        let mut after = outcome.velocities;
        for (row, id, towards) in [(0, pair.a, normal), (1, pair.b, -normal)] {
            if self.scene.rows.is_free(id) {
                let blow = Bound { normal: towards, limit: towards.dot(after[1 - row]) };
                after[row] = self.keep_contacts(id, after[row], blow)?;
                self.begin_path(id, after[row])?;
            }
        }
        [pair.a, pair.b].into_iter().for_each(|id| self.predict_if_free(id));
        Ok(())
    }

    fn predict_if_free(&mut self, id: BodyId) {
        if self.scene.rows.is_free(id) {
            self.predict(id);
        }
    }

    /// The impulse `push` goes from `a` to `b`; what comes from a body without a mass comes from outside.
    fn note_outside_impulse(&mut self, pair: Pair, push: DVec3) {
        if !self.scene.rows.is_free(pair.a) {
            self.audit.impulse += push;
        }
        if !self.scene.rows.is_free(pair.b) {
            self.audit.impulse -= push;
        }
    }

    /// The free body of a pair whose other body no impulse moves.
    fn supported(&self, pair: Pair) -> Option<BodyId> {
        match (self.scene.rows.is_free(pair.a), self.scene.rows.is_free(pair.b)) {
            (true, false) => Some(pair.a),
            (false, true) => Some(pair.b),
            _ => None,
        }
    }

    /// Whether the rebound from a partner that no impulse moves would rise less than the rest length.
    fn comes_to_rest(&self, pair: Pair, meeting: &Meeting, speed: f64) -> bool {
        let motion = pair.motion(&self.scene.rows, &self.scene.settings.space, self.now);
        let [a, b] = self.scene.solids(pair, meeting.part);
        let inward = -rates_along(a, b, &motion, meeting.normal).acceleration;
        is_rest(self.restitution(pair) * speed, inward, self.scene.settings.rest_length)
    }

    /// `body` stays on its partner: the closing part of its velocity is taken off.
    fn rest(&mut self, pair: Pair, body: BodyId, meeting: &Meeting, speed: f64) -> Result<(), RunError> {
        let impulse = speed / self.scene.rows.inverse_masses[body.index()];
        let event = self.event(pair, EventKind::Rest, meeting, speed, impulse);
        let event = if body == pair.a { event } else { event.seen_from_b() };
        let support = pair.other(body);
        let lasting = pair.absolute(&self.scene.rows);
        let image = if body == pair.a { lasting.image } else { lasting.image.map(|periods| -periods) };
        let (normal, part) = (event.normal, meeting.part);
        let surface = self.surface(pair, normal, part);
        self.scene.footings[body.index()].contacts.push(Contact { support, image, normal, surface, part });
        self.log(event);
        let contacts = std::mem::take(&mut self.scene.footings[body.index()].contacts);
        let velocity = self.party(body).velocity;
        let Some(settled) = self.settled(velocity, contacts) else {
            return Err(RunError::Squeezed { body, support, time: self.now });
        };
        let velocity = self.settle(body, velocity, settled);
        self.begin_path(body, velocity)?;
        self.predict(body);
        Ok(())
    }

    /// How the contact of two shapes along `normal` will end.
    fn surface(&self, pair: Pair, normal: DVec3, part: u32) -> Surface {
        let offset = pair.motion(&self.scene.rows, &self.scene.settings.space, self.now).position.abs();
        // The centre lies over the face, not beyond its edge. A normal that is tilted by less than a grain has a
        // component 1 besides another one.
        let is_axis = |axis: usize| normal[axis].abs() == 1.0;
        let across = |half: DVec3, axis: usize| normal[axis] == 0.0 && offset[axis] < half[axis];
        let over_face = |half: DVec3| (0..3).all(|axis| is_axis(axis) || across(half, axis));
        let mesh = [pair.a, pair.b].into_iter().find_map(|id| self.scene.rows.mesh(id));
        let facet = mesh.map(|mesh| mesh.facet(mesh.facet_of(part)).normal);
        if facet.is_some_and(|facet| normal == facet || normal == -facet) {
            return Surface::Facet;
        }
        match self.scene.solids(pair, part).into() {
            (_, Solid::Plane(_)) | (Solid::Plane(_), _) => Surface::Flat { reach: DVec3::INFINITY },
            (Solid::Box(a), Solid::Box(b)) => Surface::Flat { reach: a + b },
            (Solid::Box(half), Solid::Sphere(_)) | (Solid::Sphere(_), Solid::Box(half)) if over_face(half) => {
                Surface::Flat { reach: half }
            }
            _ => Surface::Curved,
        }
    }

    /// What remains of `velocity` on `contacts`: what closes is taken off, and so is what opens invisibly. A contact
    /// that opens visibly ends. `None` if the contacts leave no velocity.
    fn settled(&self, velocity: DVec3, contacts: Vec<Contact>) -> Option<Settled> {
        let bounds: Vec<_> = contacts.iter().map(|contact| self.bound(contact)).collect();
        let projection = nearest_within(velocity, &bounds)?;
        let mut work = 0.0;
        for (row, push) in projection.pushes.into_iter().filter(|&(_, push)| push != 0.0) {
            work -= push * bounds[row].limit;
        }
        let (kept, ended) = self.split_by_opening(projection.vector, contacts);
        let bounds: Vec<_> = kept.iter().map(|contact| self.bound(contact)).collect();
        let (velocity, closing_work) = nearest_on_all(projection.vector, &bounds);
        Some(Settled { velocity, kept, ended, work: work + closing_work })
    }

    /// The velocities that do not press into a contact.
    fn bound(&self, contact: &Contact) -> Bound {
        Bound { normal: contact.normal, limit: contact.normal.dot(self.party(contact.support).velocity) }
    }

    /// The contacts whose gap would open by less than the rest length at `velocity`, and the others.
    ///
    /// How far it opens is decided by the acceleration that the other contacts leave: climbing one slope of a groove,
    /// a body leaves the other one for good, however slowly.
    fn split_by_opening(&self, velocity: DVec3, mut contacts: Vec<Contact>) -> (Vec<Contact>, Vec<Contact>) {
        let Settings { gravity, rest_length, .. } = self.scene.settings;
        let mut ended = Vec::new();
        let mut row = 0;
        while row < contacts.len() {
            let bound = self.bound(&contacts[row]);
            let opening = bound.limit - bound.normal.dot(velocity);
            let others = contacts.iter().enumerate().filter(|&(other, _)| other != row);
            let others: Vec<_> = others.map(|(_, c)| Bound { normal: c.normal, limit: 0.0 }).collect();
            let inward = nearest_within(gravity, &others).map_or(0.0, |free| bound.normal.dot(free.vector));
            if opening <= bound.grain(velocity) || is_rest(opening, inward, rest_length) {
                row += 1;
            } else {
                ended.push(contacts.remove(row));
            }
        }
        (contacts, ended)
    }

    /// Puts down what [`settled`](Self::settled) says of a body that had `velocity`: books, contacts, releases.
    fn settle(&mut self, body: BodyId, velocity: DVec3, settled: Settled) -> DVec3 {
        let mass = 1.0 / self.scene.rows.inverse_masses[body.index()];
        let kinetic = |velocity: DVec3| 0.5 * mass * velocity.length_squared();
        let work = mass * settled.work;
        self.audit.impulse += (settled.velocity - velocity) * mass;
        self.audit.work += work;
        self.audit.dissipated += work - (kinetic(settled.velocity) - kinetic(velocity));
        settled.ended.iter().for_each(|contact| self.log_release(body, contact));
        self.scene.footings[body.index()].contacts = settled.kept;
        settled.velocity
    }

    /// Decides which contacts of a body outlast a blow that gives it `velocity`, and returns what is left of it.
    ///
    /// A contact whose gap would open or close visibly ends; what is invisible is taken off. If without it the
    /// body would close on what struck it (`blow`), the contacts that open end too.
    fn keep_contacts(&mut self, body: BodyId, velocity: DVec3, blow: Bound) -> Result<DVec3, RunError> {
        self.settle_and_drop_footing(body);
        let contacts = std::mem::take(&mut self.scene.footings[body.index()].contacts);
        let Some(first) = contacts.first() else { return Ok(velocity) };
        let support = first.support;
        let Settings { gravity, rest_length, .. } = self.scene.settings;
        let closing = |contact: &Contact| contact.normal.dot(velocity) - self.bound(contact).limit;
        let (mut contacts, mut ended): (Vec<_>, Vec<_>) = contacts.into_iter().partition(|contact| {
            let closing = closing(contact);
            closing <= self.bound(contact).grain(velocity) || is_rest(closing, contact.normal.dot(gravity), rest_length)
        });
        let mut settled = self.settled(velocity, contacts.clone());
        let closes = |settled: &Settled| blow.normal.dot(settled.velocity) - blow.limit > blow.grain(velocity);
        if settled.as_ref().is_some_and(closes) {
            let opens = |contact: &mut Contact| closing(contact) < 0.0;
            ended.extend(contacts.extract_if(.., opens));
            settled = self.settled(velocity, contacts);
        }
        let Some(settled) = settled else {
            return Err(RunError::Squeezed { body, support, time: self.now });
        };
        ended.iter().for_each(|contact| self.log_release(body, contact));
        Ok(self.settle(body, velocity, settled))
    }

    fn log_release(&mut self, body: BodyId, contact: &Contact) {
        let pair = Pair::new(body, contact.support, contact.image).as_seen_from_path(&self.scene.rows);
        let normal = if body == pair.a { contact.normal } else { -contact.normal };
        let meeting = Meeting { time: 0.0, normal, part: contact.part };
        let event = self.event(pair, EventKind::Release, &meeting, 0.0, 0.0);
        self.log(if body == pair.a { event } else { event.seen_from_b() });
    }

    /// A body has come to the end of its support.
    pub(super) fn slide_off(&mut self, pair: Pair) -> Result<(), RunError> {
        let Some(Ending { body, row, .. }) = self.scene.release(pair) else { return Ok(()) };
        self.count_work(body, pair.other(body))?;
        let contact = self.scene.footings[body.index()].contacts.remove(row);
        self.log_release(body, &contact);
        let velocity = self.party(body).velocity;
        self.begin_path(body, velocity)?;
        self.predict(body);
        Ok(())
    }

    /// Books what the supports did along the old path.
    fn settle_and_drop_footing(&mut self, body: BodyId) {
        let mut audit = self.audit;
        self.settle_footing(body, &mut audit);
        self.audit = audit;
        self.scene.footings[body.index()].force = DVec3::ZERO;
        self.scene.footings[body.index()].power = 0.0;
    }

    /// Starts a new path at the present: the one place where paths change.
    fn begin_path(&mut self, body: BodyId, velocity: DVec3) -> Result<(), RunError> {
        self.settle_and_drop_footing(body);
        let row = body.index();
        let acceleration = self.stand(body)?;
        let space = self.scene.settings.space;
        let here = self.scene.rows.paths[row].position_at(self.now);
        // Every path begins in the periodic cell. That is decided by where the body is, not by what the broadphase
        // has noticed, for it rounds.
        let crossed = space.cell_of(here);
        let position = here - space.shift(crossed);
        let path = Path { position, velocity, acceleration, epoch: self.now };
        self.scene.rows.paths[row] = path;
        self.check_finite(body)?;
        if self.tracked[row] {
            self.knots.push(Knot { body, path });
        }
        let (turns, images) = (&mut self.scene.rows.turns[row], &mut self.scene.rows.images[row]);
        for axis in 0..3 {
            turns[axis] += i64::from(crossed[axis]);
            images[axis] -= crossed[axis];
        }
        self.broadphase.update_exit(body, &self.scene.rows, &self.scene.settings.space, self.now);
        Ok(())
    }

    /// The acceleration that a body's contacts leave it; contacts that it is pulled away from end.
    fn stand(&mut self, body: BodyId) -> Result<DVec3, RunError> {
        let gravity = self.scene.settings.gravity;
        let contacts = &self.scene.footings[body.index()].contacts;
        let Some(first) = contacts.first() else { return Ok(gravity) };
        let support = first.support;
        let bounds: Vec<_> = contacts.iter().map(|c| Bound { normal: c.normal, limit: 0.0 }).collect();
        let Some(projection) = nearest_within(gravity, &bounds) else {
            return Err(RunError::Squeezed { body, support, time: self.now });
        };
        let least = -PROJECTION_SLACK * gravity.length();
        let (kept, ended): (Vec<_>, Vec<_>) =
            contacts.iter().partition(|contact| contact.normal.dot(projection.vector) >= least);
        let mass = 1.0 / self.scene.rows.inverse_masses[body.index()];
        let pushes = projection.pushes.into_iter().filter(|&(_, push)| push != 0.0);
        let (mut force, mut power) = (DVec3::ZERO, 0.0);
        for (row, push) in pushes {
            let contact = contacts[row];
            force -= contact.normal * (mass * push);
            power -= mass * push * contact.normal.dot(self.party(contact.support).velocity);
        }
        // What rounding leaves of the weight would carry a body at rest into its supports in a long run.
        let pressed = projection.pushes.iter().filter(|push| push.1 != 0.0).map(|push| bounds[push.0]);
        let (acceleration, _) = nearest_on_all(projection.vector, &pressed.collect::<Vec<_>>());
        let ended: Vec<Contact> = ended.into_iter().copied().collect();
        self.scene.footings[body.index()] =
            super::contact::Footing { contacts: kept.into_iter().copied().collect(), force, power };
        ended.iter().for_each(|contact| self.log_release(body, contact));
        Ok(acceleration)
    }
}
