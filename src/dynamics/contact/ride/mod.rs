//! Bodies that ride: one body on a flat face that a course moves.
//!
//! Its acceleration is a constant and a multiple of that of the course, so its path is a parabola and the same multiple
//! of the displacement of the course, and likewise its spin: exact for as long as slip and rolling keep their
//! directions and it does not leave. Slip, rolling and spinning begin and end at roots of the margin of friction and of
//! themselves. Where a direction turns, friction is computed again after short spans. Other bodies on a course go in
//! time steps; where there are none, without gravity, their contacts are updated at short intervals.

mod laws;

use glam::DVec3;

use super::update::Update;
use super::{Reaction, Surface};
use crate::dynamics::BodyId;
use crate::dynamics::body::driven::Driven;
use crate::dynamics::body::friction::Mode;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::error::RunError;
use crate::dynamics::log::audit::Audit;
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::motion::{Path, SimTime, Spin};
use crate::numeric::tolerance::{CALM_SLACK, COURSE_UPDATE, TIME_MAX};
use laws::Ride;

/// Lets the body of a settled island ride, if one of its contacts is on a course; or else advances the island by time
/// steps.
pub(super) fn board(sim: &mut Simulation, update: &mut Update) -> Result<(), RunError> {
    let (free, outside) = update.island.bodies.split_at(update.island.free);
    let on_course = |&id: &BodyId| sim.scene.rows.driven(id).is_some();
    if update.island.contacts.is_empty() || !outside.iter().any(on_course) {
        return Ok(());
    }
    let Some(ride) = sim.scene.ride(update) else {
        let mut due = sim.scene.now;
        // Without gravity forces act in a part of each cycle only, so few bodies take few updates.
        if sim.scene.settings.gravity != DVec3::ZERO && sim.scene.can_step() {
            update.is_wedged = true;
        } else {
            let cycles = outside.iter().filter_map(|&id| Some(sim.scene.rows.driven(id)?.course.cycle()));
            due = due.plus(COURSE_UPDATE * cycles.fold(TIME_MAX, f64::min));
        }
        for &id in free {
            let first = sim.scene.due.get(id).map_or(due, |old| old.min(due));
            sim.scene.set_due(id, first);
            sim.to_predict.body(id);
        }
        return Ok(());
    };
    if ride.is_left_behind() {
        return Ok(());
    }
    let (driven, spin, due, ends) = sim.scene.begin_ride(update, ride);
    let id = free[0];
    sim.scene.rows.spins.set(id, spin);
    let contact = sim.scene.contacts.get_mut(update.island.contacts[0]);
    contact.slips.iter_mut().zip(ends).for_each(|(slip, ends)| slip.ends = ends);
    sim.scene.rows.driven.insert(id, driven);
    sim.scene.rows.records.mark_not_ballistic(id);
    sim.scene.due.set(id, due);
    sim.note(id);
    sim.limit_exit(id);
    sim.to_predict.body(id);
    Ok(())
}

impl Scene {
    /// The contact of the one body of an island with the face that carries it; `None` if it cannot ride.
    fn ride(&self, update: &Update) -> Option<Ride> {
        let (&[row], 1) = (&update.island.contacts[..], update.island.free) else { return None };
        let (id, contact) = (update.island.bodies[0], self.contacts.get(row));
        let course = self.rows.driven(contact.pair.other(id))?.course;
        if contact.surface == Surface::Curved {
            return None;
        }
        let (member, normal) = (update.members[0], -contact.outward(id));
        let arm = normal * -if member.inverse_inertia > 0.0 { self.rows.shape(id).half_extents().x } else { 0.0 };
        let seen = |along: DVec3| if contact.pair.b == id { along } else { -along };
        Some(Ride {
            course,
            member,
            now: self.now,
            normal,
            gravity: self.settings.gravity,
            frictions: self.frictions_at(row),
            slips: contact.slips.map(|slip| slip.along.map(seen)),
            arm,
            gives: member.inverse_inertia * arm.length_squared() / member.inverse_mass,
            slack: CALM_SLACK * (self.settings.gravity.length() + course.largest().acceleration),
            still: update.rounding,
        })
    }

    /// The motion of a body on the face that carries it, when its contact has to be updated, and when its slip, rolling
    /// and spinning end.
    fn begin_ride(&self, update: &Update, mut ride: Ride) -> (Driven, Spin, Option<SimTime>, [Option<SimTime>; 3]) {
        let (id, contact, now) = (update.island.bodies[0], self.contacts.get(update.island.contacts[0]), self.now);
        let (course, member) = (ride.course, ride.member);
        let (mut motion, mut span) = (ride.motion(), f64::INFINITY);
        let turns = !ride.is_straight(&motion);
        if turns {
            span = ride.lean(self.due.get(id).map(|due| due.since(now)), self.largest_rise());
            motion = ride.motion();
        }
        let [displacement, speed, _] = course.along(now);
        let [[acceleration, along], [turning, turned]] = [motion.linear, motion.angular];
        // Along the normal it moves with the face.
        let own = (member.linear - along * speed).reject_from_normalized(ride.normal);
        let velocity = if ride.stands() { DVec3::ZERO } else { own };
        let position = self.rows.path(id).position_at(now) - along * displacement;
        let base = Path { position, velocity, acceleration, epoch: now };
        // Zero stays +0, as snapshots have it.
        let spin =
            Spin { velocity: member.angular - turned * speed + DVec3::ZERO, acceleration: turning + DVec3::ZERO };
        let driven = Driven { base, along, turned, course };
        // What other courses move is searched for a cycle.
        let is_other = |&id: &BodyId| self.rows.driven(id).is_some_and(|driven| driven.course != course);
        let others = self.rows.kinematic.iter().any(is_other).then(|| now.plus(course.cycle()));
        let until = ride.until(&motion).into_iter().chain(others).min();
        let mut ends = ride.ends(&motion);
        if turns {
            // A motion whose direction turns ends where so little of it is left that this is not seen.
            let last = now.plus(2.0 * span);
            let fades =
                |mode: Mode| ends[mode as usize].filter(|&end| contact.slip(mode).ends.is_some() && end <= last);
            ends = Mode::ALL.map(fades);
        }
        let span = (turns && ends == [None; 3]).then(|| now.plus(span));
        let due = until.into_iter().chain(span).chain(ends.into_iter().flatten()).min();
        (driven, spin, due, ends.map(|ends| ends.filter(|_| due == ends)))
    }

    /// By how much the force on `b` has changed since it was computed, because one of the two rides on the other, N.
    pub(in crate::dynamics) fn ride_force(&self, pair: Pair) -> DVec3 {
        let change = |id: BodyId| {
            let Driven { base, along, course, .. } = self.rows.driven(id).filter(|_| self.rows.is_free(id))?;
            let gained = course.along(self.now)[2] - course.along(base.epoch)[2];
            Some(*along * (gained / self.rows.inverse_mass(id)))
        };
        change(pair.b).or_else(|| Some(-change(pair.a)?)).unwrap_or(DVec3::ZERO)
    }

    /// Adds the work and impulse of the face that a body rides on, since its reaction was set.
    pub(in crate::dynamics) fn add_ride_work(
        &self,
        id: BodyId,
        driven: &Driven,
        reaction: &Reaction,
        audit: &mut Audit,
    ) {
        let Driven { base, along, course, .. } = driven;
        let (mass, since) = (1.0 / self.rows.inverse_mass(id), reaction.since);
        let [before, after] = [since, self.now].map(|time| (course.along(time), driven.path_at(time)));
        let span = self.now.since(since);
        let pull = base.acceleration - self.settings.gravity;
        let [displaced, gained] = [after.0[0] - before.0[0], after.0[1] - before.0[1]];
        audit.impulse += (*along * gained + pull * span) * mass;
        // The force times the way of the face, and of the body. What the face gives and the body does not take is heat.
        let squares = 0.5 * (after.0[1] + before.0[1]) * gained;
        let by_face = (along.dot(course.axis()) * squares + pull.dot(course.axis()) * displaced) * mass;
        let [v, w] = [before.1.velocity, after.1.velocity];
        let fallen = self.settings.gravity.dot(after.1.position - before.1.position);
        let [spin, spun] = [since, self.now].map(|time| self.rows.spin_at(id, time));
        let inverse_inertia = self.rows.inverse_inertia(id);
        let turning = if inverse_inertia > 0.0 { 0.5 * (spun + spin).dot(spun - spin) / inverse_inertia } else { 0.0 };
        let on_body = (0.5 * (w + v).dot(w - v) - fallen) * mass + turning;
        let heat = by_face - on_body;
        let rounding = CALM_SLACK * (mass * (v.length_squared() + w.length_squared() + fallen.abs()) + turning.abs());
        let heat = if heat.abs() <= rounding { 0.0 } else { heat };
        audit.work += on_body + heat;
        audit.contact_heat += heat;
    }
}
