//! Bodies that ride: one body on a flat face that a course moves.
//!
//! Its acceleration is a constant and a multiple of that of the course, so its path is a parabola and the same multiple
//! of the displacement of the course, and likewise its spin: exact for as long as slip and rolling keep their
//! directions and it does not leave. Slip, rolling and spinning begin and end at roots of the margin of friction and of
//! themselves. Where a direction turns, friction is computed again after short spans. Other bodies on a course go in
//! time steps; where there are none, without gravity, their contacts are updated at short intervals.

use glam::DVec3;

use super::update::Update;
use super::{Reaction, Surface};
use crate::dynamics::BodyId;
use crate::dynamics::body::driven::Driven;
use crate::dynamics::body::friction::{Frictions, Mode};
use crate::dynamics::error::RunError;
use crate::dynamics::log::audit::Audit;
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::solver::SolverBody;
use crate::motion::{Course, Path, SimTime, Spin};
use crate::numeric::bracket::sign_change;
use crate::numeric::safe_time;
use crate::numeric::tolerance::{CALM_SLACK, CLOCK_GRAIN, COURSE_MOMENT, COURSE_UPDATE, HALVINGS_MAX, TIME_MAX};

/// A contact with a face on a course, seen from the body on it.
#[derive(Clone)]
struct Ride {
    course: Course,
    /// The velocity and the spin of the body now.
    member: SolverBody,
    now: SimTime,
    /// From the face to the body.
    normal: DVec3,
    gravity: DVec3,
    frictions: Frictions,
    /// The directions in which the body slides over the face, rolls and spins on it; `None` where friction holds it.
    slips: [Option<DVec3>; 3],
    /// From the centre of a ball to the face, m; 0 for a box.
    arm: DVec3,
    /// How much easier a force at the face moves the face of the body than its centre, less 1; 0 if it does not turn.
    gives: f64,
    /// The smallest acceleration that counts, m/s², and the smallest speed, m/s.
    slack: f64,
    still: f64,
}

/// A vector that is a constant, and a multiple of the acceleration of the course.
type Affine = [DVec3; 2];

/// The motion of a body that rides.
struct Motion {
    /// Friction per mass, m/s².
    friction: Affine,
    linear: Affine,
    angular: Affine,
}

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
        let turns = !ride.is_straight(&ride.motion());
        let span = if turns {
            ride.lean(self.due.get(id).map(|due| due.since(now)), self.largest_rise())
        } else {
            f64::INFINITY
        };
        let motion = ride.motion();
        let [displacement, speed, _] = course.along(now);
        let [[acceleration, along], [turning, turned]] = [motion.linear, motion.angular];
        // Along the normal it moves with the face.
        let own = (member.linear - along * speed).reject_from_normalized(ride.normal);
        let velocity = if ride.stands() { DVec3::ZERO } else { own };
        let position = self.rows.path(id).position_at(now) - along * displacement;
        let base = Path { position, velocity, acceleration, epoch: now };
        let spin = Spin { velocity: member.angular - turned * speed, acceleration: turning };
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

impl Ride {
    /// Whether the face is drawn away from the body, which has just met it.
    fn is_left_behind(&self) -> bool {
        let [weight, rises] = self.load();
        weight + rises * self.course.along(self.now)[2] < -self.slack
    }

    /// Whether friction lets the body neither slide nor roll.
    fn stands(&self) -> bool {
        self.frictions.sliding > 0.0 && self.slips[Mode::Slip as usize].is_none() && self.gives() == 0.0
    }

    /// [`gives`](Self::gives), if friction does not keep the body from rolling.
    fn gives(&self) -> f64 {
        if self.frictions.rolling > 0.0 && self.slips[Mode::Rolling as usize].is_none() { 0.0 } else { self.gives }
    }

    /// The normal force per mass, m/s²: a constant, and a multiple of the acceleration of the course.
    fn load(&self) -> [f64; 2] {
        [-self.normal.dot(self.gravity), self.normal.dot(self.course.axis())]
    }

    /// The motion of the body with these directions of slip, rolling and spinning.
    fn motion(&self) -> Motion {
        let (gives, [slip, rolling, spinning]) = (self.gives(), self.slips);
        // How fast a couple per mass, and the moment of a force per mass at the face, turn the body, 1/m².
        let [by_couple, by_force] =
            [self.gives, gives].map(|gives| if gives > 0.0 { gives / self.arm.length_squared() } else { 0.0 });
        let [fall, swing] = [self.gravity, self.course.axis()].map(|vector| vector.reject_from_normalized(self.normal));
        let one = |load: f64, fall: DVec3| {
            let against =
                |along: Option<DVec3>, length: f64| along.unwrap_or(DVec3::ZERO) * (-length * load * by_couple);
            let turning = against(rolling, self.frictions.rolling) + against(spinning, self.frictions.spinning);
            let friction = match slip {
                Some(slip) => slip * (-self.frictions.sliding * load),
                None if self.frictions.sliding == 0.0 => DVec3::ZERO,
                None => (fall + turning.cross(self.arm)) / -(1.0 + gives),
            };
            (friction, turning + self.arm.cross(friction) * by_force)
        };
        let [weight, rises] = self.load();
        let (steady, swung) = (one(weight, fall), one(rises, -swing));
        Motion {
            friction: [steady.0, swung.0],
            linear: [fall + steady.0, self.normal * rises + swung.0],
            angular: [steady.1, swung.1],
        }
    }

    /// Slip, rolling and spinning of a motion relative to the face, as motions of the face of the body.
    fn modes(&self, linear: DVec3, angular: DVec3) -> [DVec3; 3] {
        let along = angular.project_onto_normalized(self.normal);
        let [rolling, spinning] = [angular - along, along].map(|angular| angular * self.arm.length());
        [linear.reject_from_normalized(self.normal) + angular.cross(self.arm), rolling, spinning]
    }

    /// Slip, rolling and spinning at the present, m/s.
    fn present(&self) -> [DVec3; 3] {
        let Self { course, member, now, .. } = self;
        self.modes(member.linear - course.axis() * course.along(*now)[1], member.angular)
    }

    /// How they change, m/s²: the constant parts, and the multiples of the acceleration of the course.
    fn rates(&self, motion: &Motion) -> [[DVec3; 3]; 2] {
        let Motion { linear: [steady, swung], angular, .. } = *motion;
        [self.modes(steady, angular[0]), self.modes(swung - self.course.axis(), angular[1])]
    }

    /// Whether slip, rolling and spinning keep their directions.
    fn is_straight(&self, motion: &Motion) -> bool {
        let rates = self.rates(motion);
        let sizes = [self.gravity.length(), 1.0];
        (0..2).zip(sizes).all(|(part, size)| {
            let keeps = |(along, rate): (&Option<DVec3>, &DVec3)| {
                along.is_none_or(|along| along.cross(*rate).length() <= CALM_SLACK * size)
            };
            self.slips.iter().zip(&rates[part]).all(keeps)
        })
    }

    /// Turns friction against the motions in the middle of a span, with the directions that they have there without it:
    /// the midpoint rule, as between other updates. Returns the span, s: `longest`, or as much of it as the course is
    /// smooth for. Its jerk turns a direction by an eighth of it times the square of the span, over the motion, more in
    /// the middle than on average; so in a cycle the body is off by a 24th of the friction times the jerk, the third
    /// power of the span and the cycle, over the motion. It is kept below an eighth of `rise`.
    fn lean(&mut self, longest: Option<f64>, rise: f64) -> f64 {
        let present = self.present();
        let free = Mode::ALL.map(|mode| {
            let without = Self { frictions: self.frictions.without(mode), ..self.clone() };
            without.rates(&without.motion()).map(|rates| rates[mode as usize])
        });
        let middle = |mode: Mode, half: f64| {
            let gained = self.course.along(self.now.plus(half))[1] - self.course.along(self.now)[1];
            let [steady, swung] = free[mode as usize];
            present[mode as usize] + steady * half + swung * gained
        };
        let (largest, [weight, rises]) = (self.course.largest(), self.load());
        let load = weight.abs() + rises.abs() * largest.acceleration;
        let is_off = |span: f64| {
            let off = |mode: Mode| {
                let lever = if mode == Mode::Slip { 1.0 } else { self.arm.length() };
                let friction = self.frictions.of(mode) / lever * load;
                let turned = friction * largest.jerk * span * span * span * self.course.cycle();
                self.slips[mode as usize].is_some() && turned > 3.0 * rise * middle(mode, 0.5 * span).length()
            };
            Mode::ALL.into_iter().any(off)
        };
        let mut span = longest.unwrap_or(f64::INFINITY).min(self.course.cycle());
        let mut halvings = 0;
        while is_off(span) && halvings < HALVINGS_MAX {
            span *= 0.5;
            halvings += 1;
        }
        let to = |vector: DVec3| if vector == DVec3::ZERO { vector } else { vector / vector.length() };
        for mode in [Mode::Slip, Mode::Rolling] {
            self.slips[mode as usize] = self.slips[mode as usize].map(|_| to(middle(mode, 0.5 * span)));
        }
        // On average it is shorter, by Simpson's rule, unless it turns so far that the end is not known.
        let rates = self.rates(&self.motion());
        let gained = self.course.along(self.now.plus(span))[1] - self.course.along(self.now)[1];
        for mode in [Mode::Slip, Mode::Rolling] {
            let end = present[mode as usize] + rates[0][mode as usize] * span + rates[1][mode as usize] * gained;
            let ends = [present[mode as usize], end].map(to);
            self.slips[mode as usize] = self.slips[mode as usize].map(|along| {
                let is_near = ends.iter().all(|end| end.dot(along) > 0.5);
                if is_near { (ends[0] + along * 4.0 + ends[1]) / 6.0 } else { along }
            });
        }
        span
    }

    /// When the body leaves the face, or begins to slide or roll.
    fn until(&self, motion: &Motion) -> Option<SimTime> {
        let (last, largest, least) = (self.now.plus(self.course.cycle()), self.course.largest(), 0.5 * self.slack);
        let ([weight, rises], spare) = (self.load(), 2.0 * self.slack);
        // The normal force per mass, and how it changes.
        let pressing = |time: SimTime| {
            let [_, _, acceleration, jerk] = self.course.with_jerk(time);
            [rises * acceleration + weight, rises * jerk]
        };
        let lifts = self.first_below([self.now, last], [least, rises.abs() * largest.snap], |time| {
            let [force, slope] = pressing(time);
            [force + spare, slope]
        });
        // Where the force vanishes before, the body leaves.
        let slides = self.gives_way(motion).filter(|&time| pressing(time)[0] > 0.0);
        lifts.into_iter().chain(slides).min()
    }

    /// When friction no longer holds the body against sliding or rolling.
    ///
    /// The margin of friction is a concave function of the acceleration of the course: a line less the length of
    /// a vector that is linear in it. So it has one root on each side of the present at most, and none before the
    /// acceleration at which the face loses the body, if it is positive there.
    fn gives_way(&self, motion: &Motion) -> Option<SimTime> {
        let (largest, [weight, rises], [steady, swung]) = (self.course.largest(), self.load(), motion.friction);
        let is_held = |mode: Mode| self.frictions.of(mode) > 0.0 && self.slips[mode as usize].is_none();
        let Frictions { sliding, rolling, .. } = self.frictions;
        let holds_rolling = is_held(Mode::Rolling) && self.gives > 0.0;
        let grips = [(is_held(Mode::Slip), sliding), (holds_rolling, rolling / self.arm.length())];
        let grip = grips.into_iter().filter(|(holds, _)| *holds).map(|(_, grip)| grip).min_by(f64::total_cmp)?;
        let margin = |acceleration: f64| {
            grip * (weight + rises * acceleration) - (steady + swung * acceleration).length() + 2.0 * self.slack
        };
        let now = self.course.along(self.now)[2];
        if margin(now) <= 0.0 {
            return Some(self.now);
        }
        let last = self.now.plus(self.course.cycle());
        let least = 0.5 * self.slack / (1.0 + grip * rises.abs() + swung.length());
        let on_side = |side: f64| {
            let lost = if side * rises < 0.0 { (-weight / rises - now) * side } else { f64::INFINITY };
            let farthest = lost.min(largest.acceleration - now * side);
            if farthest <= 0.0 || margin(now + side * farthest) >= 0.0 {
                return None;
            }
            let (reach, _) = sign_change(|way| margin(now + side * way), 0.0, farthest);
            self.first_below([self.now, last], [least, largest.snap], |time| {
                let [_, _, acceleration, jerk] = self.course.with_jerk(time);
                [reach - (acceleration - now) * side, -jerk * side]
            })
        };
        [1.0, -1.0].into_iter().filter_map(on_side).min()
    }

    /// When its slip over the face, its rolling and its spinning end.
    fn ends(&self, motion: &Motion) -> [Option<SimTime>; 3] {
        let (present, rates) = (self.present(), self.rates(motion));
        Mode::ALL.map(|mode| {
            let along = self.slips[mode as usize]?;
            let [drag, over] = rates.map(|rate| along.dot(rate[mode as usize]));
            self.end_of(along.dot(present[mode as usize]) - over * self.course.along(self.now)[1], drag, over)
        })
    }

    /// When a motion ends that is `start`, m/s, and `drag` times the time, and `over` times the speed of the course.
    fn end_of(&self, start: f64, drag: f64, over: f64) -> Option<SimTime> {
        let slipping = |time: SimTime| {
            let [_, speed, acceleration] = self.course.along(time);
            [start + drag * time.since(self.now) + over * speed, drag + over * acceleration]
        };
        // A slip that begins is fast enough to end after some moments.
        let moment = COURSE_MOMENT * self.course.cycle();
        let mut begins = self.now;
        while let [speed, gain] = slipping(begins)
            && speed <= self.still
            && gain > 0.0
        {
            begins = begins.plus(moment);
        }
        let largest = self.course.largest();
        let left = start + drag * begins.since(self.now) - over.abs() * largest.speed - self.still;
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
