//! What a slide is asked with, and what it answers.

use glam::DVec3;
use thiserror::Error;

use crate::dynamics::BodyId;
use crate::geometry::{HalfExtents, Radius, Solid};
use crate::numeric::shown;

/// Most bodies that one slide meets. It then stops.
pub const SLIDE_HITS_MAX: usize = 64;

/// A shape that slides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SlideShape {
    /// A ball.
    Ball(Radius),
    /// An axis-aligned box.
    Box(HalfExtents),
}

impl From<Radius> for SlideShape {
    fn from(radius: Radius) -> Self {
        Self::Ball(radius)
    }
}

impl From<HalfExtents> for SlideShape {
    fn from(half: HalfExtents) -> Self {
        Self::Box(half)
    }
}

impl SlideShape {
    pub(super) fn half(&self) -> DVec3 {
        self.solid().half_extents()
    }

    pub(super) fn solid(&self) -> Solid<'static> {
        match self {
            Self::Ball(radius) => Solid::Sphere(radius.get()),
            Self::Box(half) => Solid::Box(half.get()),
        }
    }
}

/// How a shape slides. The default is a free body: no steps, no snap, no bodies with one side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlideOptions<'a> {
    /// The direction up, of any length; one without a length counts as z, the default.
    pub up: DVec3,
    /// Steepest floor, as its rise over its run: 1 is 45 degrees, which is the default. Steeper ones are walls.
    pub slope_max: f64,
    /// Whether it walks. On a floor its motion then keeps its part across `up`, and does not slide down; and no wall
    /// lifts it.
    pub walking: bool,
    /// Height of the highest step that it takes when it stands on a floor, m, finite; 0 for none.
    pub step: f64,
    /// How far below it may find a floor that it stays on, if it stood on one and does not go up, m, finite; 0 for
    /// none.
    pub snap: f64,
    /// Bodies that are only met from one side, each with the normal of that side: where the surface is within 60
    /// degrees of it. Elsewhere they let the shape through.
    pub one_way: &'a [(BodyId, DVec3)],
}

impl Default for SlideOptions<'_> {
    fn default() -> Self {
        Self { up: DVec3::Z, slope_max: 1.0, walking: false, step: 0.0, snap: 0.0, one_way: &[] }
    }
}

/// Where a slide ends, and what it met: `H` is a hit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Slide<H> {
    /// The place at the end, m.
    pub to: DVec3,
    /// What was blocked: the way from `to` to where it would be without the bodies that it met, m.
    pub left: DVec3,
    /// The motion without what was blocked, and without the carry, m: what a shape with momentum goes on with. On a
    /// floor that it walks it has no rise.
    pub onward: DVec3,
    /// What it met, in order. `t` is the share of the slide, from 0 to 1. The floors of steps and of the snap are not
    /// among them.
    pub hits: Vec<H>,
    /// The floor on which it stands at the end.
    pub floor: Option<H>,
    /// A wall that blocks the motion at the end.
    pub wall: Option<H>,
    /// A ceiling that it touches at the end.
    pub ceiling: Option<H>,
    /// Whether it stopped before its end: squeezed between bodies that move, or after [`SLIDE_HITS_MAX`] hits. Then
    /// nothing goes on.
    pub is_stuck: bool,
}

impl<H> Slide<H> {
    /// Whether it stands on a floor at the end.
    pub fn on_floor(&self) -> bool {
        self.floor.is_some()
    }

    /// Whether a wall blocks the motion at the end.
    pub fn on_wall(&self) -> bool {
        self.wall.is_some()
    }

    /// Whether it touches a ceiling at the end.
    pub fn on_ceiling(&self) -> bool {
        self.ceiling.is_some()
    }

    /// The same with other hits.
    pub(crate) fn map<T>(self, told: impl Fn(H) -> T) -> Slide<T> {
        let Self { to, left, onward, hits, floor, wall, ceiling, is_stuck } = self;
        let [floor, wall, ceiling] = [floor, wall, ceiling].map(|hit| hit.map(&told));
        Slide { to, left, onward, hits: hits.into_iter().map(told).collect(), floor, wall, ceiling, is_stuck }
    }
}

/// A shape that overlaps a body at the start of a slide, by more than rounding.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("the shape overlaps body {body:?} by {} m", shown(*depth))]
#[non_exhaustive]
pub struct Inside {
    /// The body in which it is deepest.
    pub body: BodyId,
    /// How deep, m.
    pub depth: f64,
    /// The shortest way out of that body, m.
    pub out: DVec3,
}
