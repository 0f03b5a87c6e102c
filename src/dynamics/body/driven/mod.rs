//! Bodies on a course, and bodies that ride on one.
//!
//! In the path records such a body has, at any instant, the parabola that touches its motion at that instant. So all
//! that looks at the present is as for other bodies; what looks ahead asks here.

mod rows;

use std::collections::BTreeMap;

use glam::DVec3;

use crate::dynamics::{Body, BodyId, Motion};
use crate::motion::course::Largest;
use crate::motion::{Course, Path, SimTime, Spin};
use crate::numeric::tolerance::COURSE_MOMENT;

/// A motion: a parabola, and a multiple of the displacement of a course.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct Driven {
    /// The parabola.
    pub(in crate::dynamics) base: Path,
    /// Displacement per displacement of the course; the axis of the course for a body on it.
    pub(in crate::dynamics) along: DVec3,
    /// Angular velocity per speed of the course, rad/m, of a ball that rides.
    pub(in crate::dynamics) turned: DVec3,
    pub(in crate::dynamics) course: Course,
}

/// All such bodies, by id.
pub(in crate::dynamics) type DrivenBodies = BTreeMap<BodyId, Driven>;

impl Driven {
    /// The motion of a body on a course around a place that rests.
    pub(in crate::dynamics) fn on(course: Course, rest: Path) -> Self {
        Self { base: rest, along: course.axis(), turned: DVec3::ZERO, course }
    }

    /// The parabola that touches the motion at `time`.
    pub(in crate::dynamics) fn path_at(&self, time: SimTime) -> Path {
        let [displacement, speed, acceleration] = self.course.along(time);
        Path {
            position: self.base.position_at(time) + self.along * displacement,
            velocity: self.base.velocity_at(time) + self.along * speed,
            acceleration: self.base.acceleration + self.along * acceleration,
            epoch: time,
        }
    }

    /// The spin that touches the motion at `time`, where `base` is that without the course.
    pub(in crate::dynamics) fn turning(&self, base: &Spin, time: SimTime) -> Spin {
        let [_, speed, acceleration] = self.course.along(time);
        Spin {
            velocity: base.at(time.since(self.base.epoch)) + self.turned * speed,
            acceleration: base.acceleration + self.turned * acceleration,
        }
    }

    /// The parabola and the spin to show from `time` until [`next_shown`](Course::next_shown): they begin and end at
    /// the right places. For a moment they are those that touch the motion, since rounding would decide on others.
    pub(in crate::dynamics) fn shown_at(&self, base: &Spin, time: SimTime) -> (Path, Spin) {
        let (path, spin, next) = (self.path_at(time), self.turning(base, time), self.course.next_shown(time));
        let span = next.since(time);
        if next == SimTime::NEVER || span < COURSE_MOMENT * self.course.cycle() {
            return (path, spin);
        }
        let way = self.path_at(next).position - path.position;
        let gained = self.turning(base, next).velocity - spin.velocity;
        let path = Path { acceleration: (way / span - path.velocity) * (2.0 / span), ..path };
        (path, Spin { acceleration: gained / span, ..spin })
    }

    /// Bounds of the part that is due to the course.
    pub(in crate::dynamics) fn largest(&self) -> Largest {
        self.course.largest()
    }

    /// The largest acceleration that is due to the course from an instant on, m/s².
    pub(in crate::dynamics) fn most_acceleration(&self, from: SimTime) -> f64 {
        if from < self.course.end() { self.largest().acceleration * self.along.length() } else { 0.0 }
    }

    /// Whether all its numbers are finite, with finite squares.
    pub(in crate::dynamics) fn is_sound(&self) -> bool {
        let Path { position, velocity, acceleration, .. } = self.base;
        self.course.is_sound()
            && [position, velocity, acceleration, self.along, self.turned].into_iter().all(super::moderate)
    }
}

/// The first path of a body.
pub(in crate::dynamics) fn first_path(body: &Body, gravity: DVec3, epoch: SimTime) -> Path {
    let Body { position, velocity, .. } = *body;
    match body.motion {
        Motion::Free(_) => Path { position, velocity, acceleration: gravity, epoch },
        // A fixed body does not move; its given velocity is ignored.
        Motion::Fixed => Path { position, velocity: DVec3::ZERO, acceleration: DVec3::ZERO, epoch },
        Motion::Kinematic => Path { position, velocity, acceleration: DVec3::ZERO, epoch },
    }
}
