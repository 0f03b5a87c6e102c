//! Bodies that ride: one body on a flat face that a course moves.
//!
//! Its acceleration is a constant and a multiple of that of the course, so its path is a parabola and the same multiple
//! of the displacement of the course: exact for as long as it neither leaves nor begins or ends to slide. These
//! instants are roots of the force, of the margin of friction, and of the slip. Other bodies on a course go in time
//! steps; where there are none, without gravity, their contacts are updated at short intervals.

use glam::DVec3;

use super::update::Update;
use super::{Reaction, Surface};
use crate::dynamics::BodyId;
use crate::dynamics::body::driven::Driven;
use crate::dynamics::body::friction::Mode;
use crate::dynamics::error::RunError;
use crate::dynamics::log::audit::Audit;
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::solver::SolverBody;
use crate::motion::{Course, Path, SimTime, Spin};
use crate::numeric::safe_time;
use crate::numeric::tolerance::{CALM_SLACK, CLOCK_GRAIN, COURSE_MOMENT, COURSE_UPDATE, TIME_MAX};

/// A contact with a face on a course, seen from the body on it.
struct Ride<'a> {
    course: &'a Course,
    /// From the face to the body.
    normal: DVec3,
    gravity: DVec3,
    friction: f64,
    /// The direction in which the body slides over the face.
    slips: Option<DVec3>,
    /// The smallest acceleration that counts, m/s², and the smallest speed, m/s.
    slack: f64,
    still: f64,
}

/// Lets the body of a settled island ride, if one of its contacts is on a course; or else advances the island by time
/// steps.
pub(super) fn board(sim: &mut Simulation, update: &mut Update, accelerations: &[SolverBody]) -> Result<(), RunError> {
    let (free, outside) = update.island.bodies.split_at(update.island.free);
    let on_course = |&id: &BodyId| sim.scene.rows.driven(id).is_some();
    if update.island.contacts.is_empty() || !outside.iter().any(on_course) {
        return Ok(());
    }
    let Some((driven, due, slide_ends)) = sim.scene.ride(update, accelerations) else {
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
    let id = free[0];
    let spin = Spin { velocity: update.members[0].angular, acceleration: accelerations[0].angular };
    sim.scene.rows.spins.set(id, spin);
    sim.scene.contacts.get_mut(update.island.contacts[0]).slip_mut(Mode::Slip).ends = slide_ends;
    sim.scene.rows.driven.insert(id, driven);
    sim.scene.rows.records.mark_not_ballistic(id);
    sim.scene.due.set(id, due);
    sim.note(id);
    sim.limit_exit(id);
    sim.to_predict.body(id);
    Ok(())
}

impl Scene {
    /// The motion of the one body of an island on the face that carries it, when its contact has to be updated, and
    /// when its slip ends; `None` if it cannot ride.
    fn ride(
        &self,
        update: &Update,
        accelerations: &[SolverBody],
    ) -> Option<(Driven, Option<SimTime>, Option<SimTime>)> {
        let (&[row], 1) = (&update.island.contacts[..], update.island.free) else { return None };
        let (id, contact, now) = (update.island.bodies[0], self.contacts.get(row), self.now);
        let carrier = self.rows.driven(contact.pair.other(id))?;
        let (frictions, member) = (self.frictions_at(row), &update.members[0]);
        let slips = contact.slip(Mode::Slip).along.map(|along| if contact.pair.b == id { along } else { -along });
        let (course, normal) = (&carrier.course, -contact.outward(id));
        let scale = self.settings.gravity.length() + course.largest().acceleration;
        let (friction, slack) = (frictions.of(Mode::Slip), CALM_SLACK * scale);
        let ride =
            Ride { course, normal, gravity: self.settings.gravity, friction, slips, slack, still: update.rounding };
        let turns = member.inverse_inertia > 0.0;
        let (along, acceleration) = ride.motion(turns, accelerations[0].linear)?;
        let lift = normal.dot(along - course.axis());
        let resists = |mode| turns && contact.slip(mode).along.is_some();
        if contact.surface == Surface::Curved
            || lift.abs() > CALM_SLACK
            || resists(Mode::Rolling)
            || resists(Mode::Spinning)
        {
            return None;
        }
        let [displacement, speed, _] = course.along(now);
        // Along the normal it moves with the face.
        let own = member.linear - along * speed;
        let velocity = if ride.holds() && !turns { DVec3::ZERO } else { own.reject_from_normalized(normal) };
        let position = self.rows.path(id).position_at(now) - along * displacement;
        let driven = Driven { base: Path { position, velocity, acceleration, epoch: now }, along, course: *course };
        let update = ride.until(&driven, now);
        let slide_ends = ride.slide_ends(&driven, now);
        // What other courses move is searched for a cycle.
        let is_other = |&id: &BodyId| self.rows.driven(id).is_some_and(|driven| driven.course != *course);
        let others = self.rows.kinematic.iter().any(is_other).then(|| now.plus(course.cycle()));
        let due = update.into_iter().chain(slide_ends).chain(others).min();
        Some((driven, due, slide_ends.filter(|&ends| due == Some(ends))))
    }

    /// Adds the work and impulse of the face that a body rides on, since its reaction was set.
    pub(in crate::dynamics) fn add_ride_work(
        &self,
        id: BodyId,
        driven: &Driven,
        reaction: &Reaction,
        audit: &mut Audit,
    ) {
        let Driven { base, along, course } = driven;
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
        let turned = self.rows.spin_at(id, since.plus(0.5 * span)) * span;
        let on_body = (0.5 * (w + v).dot(w - v) - fallen) * mass + reaction.torque.dot(turned);
        let heat = by_face - on_body;
        let rounding = CALM_SLACK * mass * (v.length_squared() + w.length_squared() + fallen.abs());
        let heat = if heat.abs() <= rounding { 0.0 } else { heat };
        audit.work += on_body + heat;
        audit.contact_heat += heat;
    }
}

impl Ride<'_> {
    /// Whether friction holds the body.
    fn holds(&self) -> bool {
        self.friction > 0.0 && self.slips.is_none()
    }

    /// The displacement of the body per displacement of the course, and its constant acceleration, m/s²; `None` where
    /// its direction of slip, or its spin, would not stay constant. `present` is its acceleration now.
    fn motion(&self, turns: bool, present: DVec3) -> Option<(DVec3, DVec3)> {
        let (normal, axis) = (self.normal, self.course.axis());
        let rises = normal.dot(axis);
        let [swing, fall] = [axis, self.gravity].map(|vector| vector.reject_from_normalized(normal));
        match self.slips {
            Some(_) if turns => None,
            Some(slip) => {
                let is_straight = |vector: DVec3, size: f64| slip.cross(vector).length() <= CALM_SLACK * size;
                let stays = is_straight(swing, 1.0) && is_straight(fall, self.gravity.length());
                let drag = slip * self.friction;
                stays.then(|| (normal * rises - drag * rises, fall + drag * normal.dot(self.gravity)))
            }
            None if self.friction == 0.0 => Some((normal * rises, fall)),
            // A ball rolls, with a constant acceleration; on a face that moves along itself it would turn with it.
            None if turns => {
                (swing.length() <= CALM_SLACK).then(|| (normal * rises, present.reject_from_normalized(normal)))
            }
            None => Some((axis, DVec3::ZERO)),
        }
    }

    /// When the body leaves the face, or begins to slide.
    fn until(&self, driven: &Driven, now: SimTime) -> Option<SimTime> {
        let (last, largest, least) = (now.plus(self.course.cycle()), self.course.largest(), 0.5 * self.slack);
        let rises = self.normal.dot(self.course.axis());
        let (weight, spare) = (-self.normal.dot(self.gravity), 2.0 * self.slack);
        // The normal force per mass, and how it changes.
        let pressing = |time: SimTime| {
            let [_, _, acceleration, jerk] = self.course.with_jerk(time);
            [rises * acceleration + weight, rises * jerk]
        };
        let lifts = self.first_below([now, last], [least, rises.abs() * largest.snap], |time| {
            let [force, slope] = pressing(time);
            [force + spare, slope]
        });
        let [across, fall] = [driven.along, self.gravity].map(|vector| vector.reject_from_normalized(self.normal));
        let steepest = (self.friction * rises.abs() + across.length()) * largest.jerk;
        let margin = |time: SimTime| {
            let held = driven.base.acceleration + across * self.course.along(time)[2] - fall;
            [self.friction * pressing(time)[0] - held.length() + spare, -steepest]
        };
        let slides = if self.holds() { self.first_below([now, last], [least, 0.0], margin) } else { None };
        lifts.into_iter().chain(slides).min()
    }

    /// When its slip over the face ends.
    fn slide_ends(&self, driven: &Driven, now: SimTime) -> Option<SimTime> {
        let slip = self.slips?;
        let (drag, over) = (slip.dot(driven.base.acceleration), slip.dot(driven.along - self.course.axis()));
        let slipping = |time: SimTime| {
            let [_, speed, acceleration] = self.course.along(time);
            [slip.dot(driven.base.velocity_at(time)) + over * speed, drag + over * acceleration]
        };
        // A slip that begins is fast enough to end after some moments.
        let moment = COURSE_MOMENT * self.course.cycle();
        let mut begins = now;
        while let [speed, gain] = slipping(begins)
            && speed <= self.still
            && gain > 0.0
        {
            begins = begins.plus(moment);
        }
        let largest = self.course.largest();
        let left = slip.dot(driven.base.velocity_at(begins)) - over.abs() * largest.speed - self.still;
        let span = if drag < 0.0 {
            // Before, its own speed is larger than that of the face.
            begins = begins.plus((left / -drag).clamp(0.0, TIME_MAX));
            TIME_MAX
        } else {
            // In each later cycle it slips as fast, or faster.
            self.course.cycle()
        };
        self.first_below([begins, begins.plus(span)], [self.still, over.abs() * largest.jerk], slipping)
    }

    /// The first instant between two at which a function is at most `least`. `value` gives the function and its
    /// derivative, which changes by no more than `bend` per second up to the end of the course. There it may jump.
    fn first_below(
        &self,
        [from, until]: [SimTime; 2],
        [least, bend]: [f64; 2],
        value: impl Fn(SimTime) -> [f64; 2],
    ) -> Option<SimTime> {
        let (mut time, end) = (from, self.course.end());
        while time <= until {
            let [here, slope] = value(time);
            if here <= least {
                return Some(time);
            }
            let moves = time < end;
            let next = time.plus(safe_time(here, slope, if moves { bend } else { 0.0 }).clamp(CLOCK_GRAIN, TIME_MAX));
            time = if moves { next.min(end) } else { next };
        }
        None
    }
}
