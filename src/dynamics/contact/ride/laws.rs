//! What friction and a course do to a body that rides: its forces and motion, and how long they hold.

use glam::DVec3;

use crate::dynamics::body::friction::{Frictions, Mode};
use crate::dynamics::solver::SolverBody;
use crate::motion::{Course, SimTime};
use crate::numeric::bracket::sign_change;
use crate::numeric::safe_time;
use crate::numeric::tolerance::{CALM_SLACK, CLOCK_GRAIN, COURSE_MOMENT, HALVINGS_MAX, TIME_MAX};

/// A contact with a face on a course, seen from the body on it.
#[derive(Clone)]
pub(super) struct Ride {
    pub(super) course: Course,
    /// The velocity and the spin of the body now.
    pub(super) member: SolverBody,
    pub(super) now: SimTime,
    /// From the face to the body.
    pub(super) normal: DVec3,
    pub(super) gravity: DVec3,
    pub(super) frictions: Frictions,
    /// The directions in which the body slides over the face, rolls and spins on it; `None` where friction holds it.
    pub(super) slips: [Option<DVec3>; 3],
    /// From the centre of a ball to the face, m; 0 for a box.
    pub(super) arm: DVec3,
    /// How much easier a force at the face moves the face of the body than its centre, less 1; 0 if it does not turn.
    pub(super) gives: f64,
    /// The smallest acceleration that counts, m/s², and the smallest speed, m/s.
    pub(super) slack: f64,
    pub(super) still: f64,
}

/// A vector that is a constant, and a multiple of the acceleration of the course.
type Affine = [DVec3; 2];

/// The motion of a body that rides.
pub(super) struct Motion {
    /// Friction per mass, m/s².
    friction: Affine,
    pub(super) linear: Affine,
    pub(super) angular: Affine,
}

impl Ride {
    /// Whether the face is drawn away from the body, which has just met it.
    pub(super) fn is_left_behind(&self) -> bool {
        self.load_at(self.course.along(self.now)[2]) < -self.slack
    }

    /// Whether friction lets the body neither slide nor roll.
    pub(super) fn stands(&self) -> bool {
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

    /// The same at an acceleration of the course (m/s²).
    fn load_at(&self, acceleration: f64) -> f64 {
        let [weight, rises] = self.load();
        weight + rises * acceleration
    }

    /// The motion of the body with these directions of slip, rolling and spinning.
    pub(super) fn motion(&self) -> Motion {
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
    pub(super) fn is_straight(&self, motion: &Motion) -> bool {
        let rates = self.rates(motion);
        let sizes = [self.gravity.length(), 1.0];
        (0..2).zip(sizes).all(|(part, size)| {
            let keeps = |(along, rate): (&Option<DVec3>, &DVec3)| {
                along.is_none_or(|along| along.cross(*rate).length() <= CALM_SLACK * size)
            };
            self.slips.iter().zip(&rates[part]).all(keeps)
        })
    }

    /// Turns friction against the motions in a span: on average, by Simpson's rule, where they have in the middle the
    /// directions that they would have there without it. Returns the span, s: `longest`, or as much of it as the course
    /// is smooth for. Its jerk turns a direction by an eighth of it times the square of the span, over the motion, more
    /// in the middle than on average; so in a cycle the body is off by a 24th of the friction times the jerk, the third
    /// power of the span and the cycle, over the motion. It is kept below an eighth of `rise`.
    pub(super) fn lean(&mut self, longest: Option<f64>, rise: f64) -> f64 {
        let present = self.present();
        let free = Mode::ALL.map(|mode| {
            let without = Self { frictions: self.frictions.without(mode), ..self.clone() };
            without.rates(&without.motion()).map(|rates| rates[mode as usize])
        });
        let (course, now) = (self.course, self.now);
        let gained = |after: f64| course.along(now.plus(after))[1] - course.along(now)[1];
        let middle = |mode: Mode, half: f64| {
            let [steady, swung] = free[mode as usize];
            present[mode as usize] + steady * half + swung * gained(half)
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
        // If it turns far, the end is not known.
        let rates = self.rates(&self.motion());
        let gained = gained(span);
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
    pub(super) fn until(&self, motion: &Motion) -> Option<SimTime> {
        let (last, largest, least) = (self.now.plus(self.course.cycle()), self.course.largest(), 0.5 * self.slack);
        let ([_, rises], spare) = (self.load(), 2.0 * self.slack);
        // The normal force per mass, and how it changes.
        let pressing = |time: SimTime| {
            let [_, _, acceleration, jerk] = self.course.with_jerk(time);
            [self.load_at(acceleration), rises * jerk]
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
            grip * self.load_at(acceleration) - (steady + swung * acceleration).length() + 2.0 * self.slack
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
    pub(super) fn ends(&self, motion: &Motion) -> [Option<SimTime>; 3] {
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
