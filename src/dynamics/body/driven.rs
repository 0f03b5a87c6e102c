//! Bodies on a course, and bodies that ride on one.
//!
//! In the path records such a body has, at any instant, the parabola that touches its motion at that instant. So all that
//! looks at the present is as for other bodies; what looks ahead asks here.

use std::collections::BTreeMap;

use glam::DVec3;

use super::pair::Pair;
use super::table::BodyTable;
use crate::dynamics::BodyId;
use crate::motion::course::Largest;
use crate::motion::{Course, Path, SimTime};

/// A motion: a parabola, and a multiple of the displacement of a course.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct Driven {
    /// The parabola.
    pub(in crate::dynamics) base: Path,
    /// Displacement per displacement of the course; the axis of the course for a body on it.
    pub(in crate::dynamics) along: DVec3,
    pub(in crate::dynamics) course: Course,
}

/// All such bodies, by id.
pub(in crate::dynamics) type DrivenBodies = BTreeMap<BodyId, Driven>;

impl Driven {
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

    /// The parabola to show from `time` until [`next_shown`](Course::next_shown): it begins and ends at the right places.
    pub(in crate::dynamics) fn shown_at(&self, time: SimTime) -> Path {
        let (path, next) = (self.path_at(time), self.course.next_shown(time));
        if next == SimTime::NEVER {
            return path;
        }
        let span = next.since(time);
        let way = self.path_at(next).position - path.position;
        Path { acceleration: (way / span - path.velocity) * (2.0 / span), ..path }
    }

    /// Bounds of the part that is due to the course.
    pub(in crate::dynamics) fn largest(&self) -> Largest {
        self.course.largest()
    }

    /// Whether all its numbers are finite, with finite squares.
    pub(in crate::dynamics) fn is_sound(&self) -> bool {
        let Path { position, velocity, acceleration, .. } = self.base;
        self.course.is_sound() && [position, velocity, acceleration, self.along].into_iter().all(super::moderate)
    }
}

impl BodyTable {
    /// The motion of a body on a course, or of one that rides.
    #[inline]
    pub(in crate::dynamics) fn driven(&self, id: BodyId) -> Option<&Driven> {
        if self.driven.is_empty() { None } else { self.driven.get(&id) }
    }

    /// Whether a body is on a course itself, and does not only ride.
    pub(in crate::dynamics) fn is_on_course(&self, id: BodyId) -> bool {
        self.driven(id).is_some() && !self.is_free(id)
    }

    /// Whether a course moves one of the two bodies.
    #[inline]
    pub(in crate::dynamics) fn drives(&self, pair: Pair) -> bool {
        !self.driven.is_empty() && (self.driven.contains_key(&pair.a) || self.driven.contains_key(&pair.b))
    }

    /// Gives the bodies of courses their paths at the present.
    #[inline]
    pub(in crate::dynamics) fn follow(&mut self, now: SimTime) {
        for (&id, driven) in &self.driven {
            self.records.set(id, &driven.path_at(now));
        }
    }

    /// The path of a body that holds, or touches its motion, at `time`.
    #[inline]
    pub(in crate::dynamics) fn path_from(&self, id: BodyId, time: SimTime) -> Path {
        self.driven(id).map_or_else(|| self.path(id), |driven| driven.path_at(time))
    }

    /// The largest coordinate of a body when its path begins, or of its course, m.
    #[inline]
    pub(in crate::dynamics) fn reach(&self, id: BodyId) -> f64 {
        let swing = |driven: &Driven| driven.base.position.abs() + driven.along.abs() * driven.largest().displacement;
        let place = self.driven(id).map_or_else(|| self.records.get(id).position().abs(), swing);
        place.max_element()
    }

    /// The largest component of its velocity when its path begins, or on its course, m/s.
    #[inline]
    pub(in crate::dynamics) fn speed(&self, id: BodyId) -> f64 {
        let swing = |driven: &Driven| driven.base.velocity.abs() + driven.along.abs() * driven.largest().speed;
        let velocity = self.driven(id).map_or_else(|| self.records.get(id).velocity().abs(), swing);
        velocity.max_element()
    }

    /// Since when the motion of a body holds.
    #[inline]
    pub(in crate::dynamics) fn since(&self, id: BodyId) -> SimTime {
        self.driven(id).map_or_else(|| self.records.epoch(id), |driven| driven.base.epoch)
    }
}
