//! Velocities of bodies in contact: at the end of an instant in which a contact changed, no contact of its island
//! closes.
//!
//! First the approach of all contacts of an island is stopped together, with friction. Then contacts that open visibly
//! end. The other contacts are stabilised: opening and slip too small to be seen is removed, so a body at rest has a
//! velocity of exactly zero. Contact forces follow in [`forces`](super::forces).

use std::collections::BTreeMap;

use glam::{BVec3, DVec3};

use super::forces::solve_forces;
use super::island::Island;
use super::lifecycle::{begin_contact, log_contact, log_end};
use super::ride::board;
use super::stabilise::stabilise;
use super::update::{Turning, Update, add_impulses};
use super::{Contact, Met, Reaction, Surface, is_rest};
use crate::dynamics::body::friction::Mode;
use crate::dynamics::body::pair::{Meeting, Pair};
use crate::dynamics::body::table::Interaction;
use crate::dynamics::error::RunError;
use crate::dynamics::few::{Few, insert};
use crate::dynamics::log::event::EventKind;
use crate::dynamics::log::groups::{group_now, group_of};
use crate::dynamics::log::limit::count_work;
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::solver::{FrictionModel, SMOOTH, SolverBody};
use crate::dynamics::{BodyId, solver};
use crate::geometry::gap::{largest, side};
use crate::geometry::{Gap, Shape, gap};
use crate::motion::{SimTime, Spin};
use crate::numeric::tolerance::{CALM_SLACK, NEGLIGIBLE, STILL_FALL};

/// The axes across a face along which a ball is beyond its edge, or within rounding of it and on its way outwards.
struct Margins {
    beyond: BVec3,
    left: BVec3,
}

/// Settles the island of a body: no contact closes, and the forces of all are known. Returns the bodies that no
/// acceptable forces keep from getting deeper.
pub(in crate::dynamics) fn settle(sim: &mut Simulation, body: BodyId, island: Island) -> Result<Few<BodyId>, RunError> {
    if let Some(&row) = island.contacts.first() {
        let Pair { a, b, .. } = sim.scene.contacts.get(row).pair;
        let partner = if a == body { b } else { a };
        count_work(sim, body, partner)?;
    }
    let ended = cross_seams(sim, &island);
    let island = if ended.is_empty() { island } else { sim.scene.island(body) };
    let mut update = sim.scene.begin_settling(island);
    ended.iter().for_each(|contact| update.change([contact.pair.a, contact.pair.b]));
    update.ended = ended;
    stop_closing(sim, &mut update)?;
    sim.scene.let_go(&mut update)?;
    stabilise(sim, &mut update);
    let (accelerations, due) = solve_forces(sim, &mut update)?;
    log_outcome(sim, &update);
    begin_paths(sim, &update, &accelerations, due)?;
    board(sim, &mut update)?;
    let Update { island: Island { mut bodies, free, .. }, is_wedged, .. } = update;
    bodies.truncate(if is_wedged { free } else { 0 });
    Ok(bodies)
}

/// Passes the balls of an island that come over a seam from face to face: the contacts with the faces ahead begin, and
/// those with the faces that they leave end. Returns the contacts that ended.
///
/// The forces cannot decide it: the slower a ball is, the less does its way around the edge differ from the plane.
fn cross_seams(sim: &mut Simulation, island: &Island) -> Vec<Contact> {
    let mut ended = Vec::new();
    for &row in &island.contacts {
        let contact = *sim.scene.contacts.get(row);
        let pair = contact.pair.as_seen_from_path(&sim.scene.rows);
        let Some((ball, face)) = sim.scene.face_left(pair, &contact) else { continue };
        let ahead: Few<Pair> =
            sim.broadphase.pairs(ball).filter(|&pair| sim.scene.comes_to_face(pair, ball, face)).collect();
        for &pair in &ahead {
            if sim.scene.contacts.between(pair, &sim.scene.rows).next().is_none() {
                let normal = if pair.a == ball { face } else { -face };
                let meeting = Meeting { time: 0.0, normal, part: 0 };
                let group = group_of(sim, pair);
                begin_contact(sim, pair, meeting, None, Met { group, ..Met::default() });
            }
        }
        if !ahead.is_empty() {
            ended.push(sim.scene.end_contact(row));
        }
    }
    ended
}

/// Stops the approach of all contacts together, with Coulomb friction. Friction may wedge bodies so that its impulses
/// have no bound (Painlevé 1895); then this solve is without friction.
fn stop_closing(sim: &mut Simulation, update: &mut Update) -> Result<(), RunError> {
    let Update { island, constraints, members, rounding, .. } = update;
    let fresh = island.contacts.iter().any(|&row| sim.scene.contacts.get(row).met.is_some());
    if !fresh && constraints.iter().all(|constraint| constraint.opening(members) >= -*rounding) {
        return Ok(());
    }
    for (constraint, &row) in constraints.iter_mut().zip(&island.contacts) {
        let frictions = sim.scene.frictions_at(row);
        constraint.friction = Mode::ALL.map(|mode| FrictionModel::holding(frictions.of(mode)));
    }
    let mut solution = solver::solve(members, constraints);
    if solution.as_ref().is_ok_and(|found| !found.is_sound(update.fastest)) {
        constraints.iter_mut().for_each(|constraint| constraint.friction = SMOOTH);
        solution = solver::solve(members, constraints);
    }
    let solution = solution.map_err(|error| sim.scene.squeezed(island, error.constraint))?;
    let struck = |id: &BodyId| group_now(sim, *id).is_some();
    if update.island.bodies[..update.island.free].iter().any(struck) {
        for place in 0..update.constraints.len() {
            let approach_speed = -update.constraints[place].opening(&update.members);
            if approach_speed > NEGLIGIBLE * update.fastest {
                record_impact(sim, update.island.contacts[place], approach_speed);
            }
        }
    }
    add_impulses(sim, update, &solution.members, &solution.impulses);
    update.members = solution.members;
    Ok(())
}

/// Records an impact at a lasting contact.
fn record_impact(sim: &mut Simulation, row: u32, approach_speed: f64) {
    let pair = sim.scene.contacts.get(row).pair;
    if sim.scene.contacts.get(row).met.is_none() {
        let group = group_of(sim, pair);
        let met = Met { approach_speed, group, again: true, ..Met::default() };
        sim.scene.contacts.get_mut(row).met = Some(met);
    }
}

/// Logs the contacts that began or had an impact, and those that ended.
fn log_outcome(sim: &mut Simulation, update: &Update) {
    for &row in &update.island.contacts {
        let contact = *sim.scene.contacts.get(row);
        if let Some(met) = contact.met {
            let kind = match met {
                Met { collapse: true, .. } => EventKind::Collapse,
                Met { again: true, .. } => EventKind::Impact,
                Met { .. } => EventKind::Rest,
            };
            log_contact(sim, kind, &contact);
            sim.scene.contacts.get_mut(row).met = None;
        }
    }
    update.ended.iter().for_each(|contact| log_end(sim, contact));
}

/// Gives the bodies of an island their new paths, where they differ from the old ones.
fn begin_paths(
    sim: &mut Simulation,
    update: &Update,
    accelerations: &[SolverBody],
    due: Option<SimTime>,
) -> Result<(), RunError> {
    let reactions = sim.scene.reactions(update, accelerations);
    for (place, &id) in update.island.bodies[..update.island.free].iter().enumerate() {
        let (motion, change) = (&update.members[place], &accelerations[place]);
        let (path, spin) = (sim.scene.rows.path(id), sim.scene.rows.turning(id, sim.scene.now));
        // Where a contact has ended, the old paths may have an impact before the present, to rounding.
        let same = !update.changed.contains(&id)
            && path.velocity_at(sim.scene.now) == motion.linear
            && path.acceleration == change.linear
            && spin.velocity == motion.angular
            && spin.acceleration == change.angular;
        if !same {
            let spin = Spin { velocity: motion.angular, acceleration: change.angular };
            sim.begin_path(id, motion.linear, change.linear, spin)?;
        }
        let old = *sim.scene.reactions.get(id);
        if (Reaction { since: old.since, ..reactions[place] }) != old {
            sim.put_reaction(id, reactions[place]);
        }
        let before = *sim.scene.due.get(id);
        sim.scene.due.set(id, due);
        // The old prediction covers only times up to the old contact update.
        let looked_ahead = before.is_none_or(|before| due.is_some_and(|due| due <= before));
        if !same || !looked_ahead {
            sim.to_predict.body(id);
        } else if before != due {
            sim.to_predict.own_event(id);
        }
    }
    Ok(())
}

impl Scene {
    /// The free ball of a contact that leaves the face of a box at its edge, and the direction to the face.
    fn face_left(&self, pair: Pair, contact: &Contact) -> Option<(BodyId, DVec3)> {
        let is_ball = |id: &BodyId| self.rows.is_free(*id) && matches!(self.rows.shape(*id), Shape::Sphere(_));
        let ball = [pair.a, pair.b].into_iter().find(is_ball).filter(|_| contact.surface == Surface::Curved)?;
        let towards = contact.outward(ball);
        let face = side(towards, largest(towards.abs()));
        let is_flat = (towards - face).abs().max_element() <= CALM_SLACK;
        (is_flat && self.margins(pair, ball, face)?.left.any()).then_some((ball, face))
    }

    /// Whether a ball comes onto a box, or stays on it, whose face in the direction `face` it touches to rounding.
    fn comes_to_face(&self, pair: Pair, ball: BodyId, face: DVec3) -> bool {
        let Some(margins) = self.margins(pair, ball, face) else { return false };
        let motion = pair.motion(&self.rows, &self.settings.space, self.now);
        let ([a, b], rounding) = (self.solids(pair, 0), self.gap_rounding(pair, motion.position));
        let towards = |normal: DVec3| if pair.a == ball { normal.dot(face) } else { -normal.dot(face) };
        let touches = |found: Gap| found.separation <= rounding && towards(found.normal) > 0.0;
        self.rows.interaction(pair.a, pair.b) == Some(Interaction::Collide)
            && !(margins.beyond | margins.left).any()
            && motion.velocity.dot(face).abs() <= self.rounding(pair).speed
            && gap(a, b, motion.position).is_some_and(touches)
    }

    /// Where a ball is relative to the edges of a face of a box; `None` for another body.
    fn margins(&self, pair: Pair, ball: BodyId, face: DVec3) -> Option<Margins> {
        let Shape::Box(half) = self.rows.shape(pair.other(ball)) else { return None };
        if self.has_outline(pair) {
            return None;
        }
        let motion = pair.motion(&self.rows, &self.settings.space, self.now);
        // Forces take a ball that is nearer to the edge than this as beyond it.
        let near = DVec3::splat(4.0 * self.gap_rounding(pair, motion.position));
        let slow = DVec3::splat(self.rounding(pair).speed);
        let (inside, leaves) = (half.get() - motion.position.abs(), motion.velocity * motion.position.signum());
        let across = face.cmpeq(DVec3::ZERO);
        Some(Margins { beyond: across & inside.cmplt(-near), left: across & inside.cmple(near) & leaves.cmpgt(slow) })
    }

    /// The gaps, normals and velocities of an island at the present.
    fn begin_settling(&mut self, island: Island) -> Update {
        let (mut gaps, mut changed) = (Few::new(), Few::new());
        for &row in &island.contacts {
            let before = self.contacts.get(row).surface;
            gaps.push(self.refresh(row));
            let contact = self.contacts.get(row);
            // A new kind of surface ends the contact at another time, so the paths are predicted again.
            if contact.met.is_some() || contact.surface != before {
                [contact.pair.a, contact.pair.b].into_iter().for_each(|id| _ = insert(&mut changed, id));
            }
        }
        let members: Few<SolverBody> = island.bodies.iter().map(|&id| self.member(id, self.now)).collect();
        let constraints = self.constraints(&island);
        let ends = constraints
            .iter()
            .flat_map(|constraint| [(constraint.a, constraint.arms[0]), (constraint.b, constraint.arms[1])]);
        let fastest = |(row, arm): (usize, DVec3)| {
            let SolverBody { linear, angular, .. } = members[row];
            linear.abs().max_element() + angular.cross(arm).abs().max_element()
        };
        let fastest = ends.map(fastest).fold(0.0, f64::max);
        // A speed below that of a fall during `STILL_FALL` counts as zero. Otherwise friction could reverse it again
        // and again at one instant, ever more slowly, without end.
        let fall = STILL_FALL * self.settings.gravity.abs().max_element();
        let rounding = fall.max(CALM_SLACK * fastest);
        let ended = Vec::new();
        let turning = Few::from_elem(Turning::default(), constraints.len());
        Update { island, constraints, turning, gaps, members, fastest, rounding, ended, changed, is_wedged: false }
    }

    /// Updates a contact on a curved surface; returns its gap, m.
    fn refresh(&mut self, row: u32) -> f64 {
        let contact = *self.contacts.get(row);
        if contact.surface != Surface::Curved {
            return 0.0;
        }
        let pair = contact.pair.as_seen_from_path(&self.rows);
        let offset = pair.motion(&self.rows, &self.settings.space, self.now).position;
        let [a, b] = self.solids(pair, contact.part);
        let Some(found) = gap(a, b, offset) else { return 0.0 };
        // Where a contact begins, the normal from the sweep is more exact than the normal computed from the positions.
        let normal = if contact.met.is_some_and(|met| !met.again) { contact.normal } else { found.normal };
        let touches = found.separation <= self.gap_rounding(pair, offset);
        let surface = if touches { self.surface(pair, normal, contact.part) } else { contact.surface };
        let contact = self.contacts.get_mut(row);
        (contact.normal, contact.surface) = (normal, surface);
        found.separation
    }

    /// The error that a body of the island has no space: it is squeezed between the two bodies that are not free and
    /// push most against each other.
    pub(in crate::dynamics) fn squeezed(&self, island: &Island, constraint: usize) -> RunError {
        let rows = &self.rows;
        let pair = self.contacts.get(island.contacts[constraint]).pair;
        let body = if rows.is_free(pair.a) { pair.a } else { pair.b };
        let outward = |&row: &u32| {
            let Contact { pair, normal, .. } = *self.contacts.get(row);
            let (a, b) = (rows.is_free(pair.a), rows.is_free(pair.b));
            if a && b { None } else { Some(if a { (pair.b, normal) } else { (pair.a, -normal) }) }
        };
        self.squeezed_by(body, island.contacts.iter().filter_map(outward))
    }

    /// The error that `body` is squeezed between the two bodies of `outside` that push most against each other.
    /// `outside` has their impulses, or else the normals of their contacts; these point to the bodies squeezed.
    pub(in crate::dynamics) fn squeezed_by(
        &self,
        body: BodyId,
        outside: impl Iterator<Item = (BodyId, DVec3)>,
    ) -> RunError {
        let mut forces: BTreeMap<BodyId, DVec3> = BTreeMap::new();
        outside.for_each(|(id, force)| *forces.entry(id).or_default() += force);
        let forces: Vec<(BodyId, DVec3)> = forces.into_iter().collect();
        let pairs =
            forces.iter().enumerate().flat_map(|(place, one)| forces[..place].iter().map(move |other| (one, other)));
        let opposed = pairs.min_by(|x, y| x.0.1.dot(x.1.1).total_cmp(&y.0.1.dot(y.1.1)));
        let alone = || [forces.first().map_or(body, |force| force.0); 2];
        let [one, other] = opposed.map_or_else(alone, |(one, other)| [one.0, other.0]);
        RunError::Squeezed { body, supports: [one.min(other), one.max(other)], time: self.now }
    }

    /// Ends the contacts that open visibly, or that no force presses together.
    ///
    /// All contacts of the island together decide the forces. For example, a ball that climbs one side of a groove
    /// leaves the other side for good, however slowly.
    fn let_go(&mut self, update: &mut Update) -> Result<(), RunError> {
        let openings: Few<f64> =
            update.constraints.iter().map(|constraint| constraint.opening(&update.members)).collect();
        if openings.iter().all(|&opening| opening <= update.rounding) {
            return Ok(());
        }
        let (bound, rest_height) = (self.bound(update, &self.curves(update)), self.settings.rest_height);
        let impulses = self.solve_accelerations(update, &bound, true)?.impulses;
        let opens = |&place: &usize| {
            let pair = self.contacts.get(update.island.contacts[place]).pair;
            let pressing = self.pressing(pair, impulses[place].normal);
            openings[place] > update.rounding && !(pressing > 0.0 && is_rest(openings[place], pressing, rest_height))
        };
        let parting: Few<usize> = (0..update.constraints.len()).filter(opens).collect();
        self.end(update, &parting);
        Ok(())
    }

    /// Ends the contacts at these places of an island.
    pub(in crate::dynamics) fn end(&mut self, update: &mut Update, places: &[usize]) {
        for &place in places.iter().rev() {
            let row = update.island.contacts.remove(place);
            update.island.ends.remove(place);
            update.constraints.remove(place);
            update.turning.remove(place);
            update.gaps.remove(place);
            let contact = self.end_contact(row);
            update.change([contact.pair.a, contact.pair.b]);
            update.ended.push(contact);
        }
    }

    /// The reaction of each free body of an island.
    fn reactions(&self, update: &Update, accelerations: &[SolverBody]) -> Few<Reaction> {
        let gravity = self.settings.gravity;
        let reaction = |member: &SolverBody| {
            let torque =
                if member.inverse_inertia > 0.0 { member.angular / member.inverse_inertia } else { DVec3::ZERO };
            Reaction { force: (member.linear - gravity) / member.inverse_mass, torque, ..Reaction::none(self.now) }
        };
        let mut reactions: Few<Reaction> = accelerations[..update.island.free].iter().map(reaction).collect();
        for (constraint, &row) in update.constraints.iter().zip(&update.island.contacts) {
            let force = self.contacts.get(row).force;
            let force = force.vector(constraint.normal);
            for (own, other, force) in [(constraint.a, constraint.b, -force), (constraint.b, constraint.a, force)] {
                if own < update.island.free && other >= update.island.free {
                    reactions[own].outside += force;
                    reactions[own].power += force.dot(update.members[other].linear);
                }
            }
        }
        reactions
    }
}
