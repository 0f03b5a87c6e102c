//! A body of a film: where it is at each instant, and the path behind it.

use glam::DVec3;

use crate::motion::SimTime;
use crate::report::chart::Span;
use crate::report::motion::scene::Scene;
use crate::report::motion::track::{Leg, leg_at};
use crate::world::Named;

/// A body and its exact motion.
pub(super) struct Actor<'a> {
    pub(super) body: &'a Named,
    /// In a periodic space each leg begins in the image where the one before ended.
    legs: Vec<Leg>,
    /// When it is removed.
    gone: Option<SimTime>,
    /// The time of the film, s.
    window: Span,
}

impl<'a> Actor<'a> {
    /// A body of the scene by its rank, in a film of some seconds of the run.
    pub(super) fn new(scene: &Scene<'a>, rank: usize, window: Span) -> Self {
        Self { body: &scene.scenario.bodies[rank], legs: scene.whole_legs(rank), gone: scene.tracks[rank].gone, window }
    }

    /// Where it is, m; `None` before it comes and from its removal on.
    pub(super) fn place(&self, time: SimTime) -> Option<DVec3> {
        if self.gone.is_some_and(|gone| gone <= time) {
            return None;
        }
        Some(leg_at(&self.legs, time)?.path.position_at(time))
    }

    /// Where it is first or last if it is not there, m.
    pub(super) fn place_or_end(&self, time: SimTime) -> Option<DVec3> {
        let first = self.legs.first().map(|leg| leg.path.position);
        let before = self.legs.first().is_some_and(|leg| leg.path.epoch > time);
        self.place(time).or_else(|| if before { first } else { self.legs.last().map(Leg::end) })
    }

    /// Whether it is there, in one place, from the beginning to the end.
    pub(super) fn is_still(&self) -> bool {
        let Some(first) = self.legs.first() else { return false };
        let rests = |leg: &Leg| leg.path.velocity == DVec3::ZERO && leg.path.acceleration == DVec3::ZERO;
        first.path.epoch.seconds() <= self.window.low
            && self.gone.is_none_or(|gone| gone.seconds() > self.window.high)
            && self.legs.iter().all(|leg| rests(leg) && leg.path.position == first.path.position)
    }

    /// The part of its path from one instant to another, s, within the time of the film.
    pub(super) fn path(&self, from: f64, until: f64) -> Vec<Leg> {
        let part = Span::new(from.max(self.window.low), until);
        if part.length() == 0.0 {
            return Vec::new();
        }
        let count = |time: f64| self.legs.partition_point(|leg| leg.path.epoch.seconds() <= time);
        let legs = &self.legs[count(part.low).saturating_sub(1)..count(part.high)];
        legs.iter().filter_map(|leg| leg.within(part)).collect()
    }
}
