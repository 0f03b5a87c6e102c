//! The body table as courses move its bodies.

use glam::DVec3;

use super::Driven;
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::table::BodyTable;
use crate::motion::{Path, SimTime, Spin};

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

    /// The spin of a body at `time`, rad/s.
    #[inline]
    pub(in crate::dynamics) fn spin_at(&self, id: BodyId, time: SimTime) -> DVec3 {
        self.turning(id, time).velocity
    }

    /// The spin of a body as it goes on from `time`.
    #[inline]
    pub(in crate::dynamics) fn turning(&self, id: BodyId, time: SimTime) -> Spin {
        let spin = self.spins.get(id);
        let own = || Spin { velocity: spin.at(time.since(self.records.epoch(id))), ..*spin };
        self.driven(id).map_or_else(own, |driven| driven.turning(spin, time))
    }

    /// Since when the motion of a body holds.
    #[inline]
    pub(in crate::dynamics) fn since(&self, id: BodyId) -> SimTime {
        self.driven(id).map_or_else(|| self.records.epoch(id), |driven| driven.base.epoch)
    }
}
