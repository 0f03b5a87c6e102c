//! The bodies that are not free, as a picture shows them.

use std::sync::Arc;

use glam::DVec3;

use super::scene::Scene;
use super::track::Leg;
use crate::dynamics::Motion;
use crate::geometry::Shape;
use crate::motion::SimTime;
use crate::report::chart::Span;
use crate::world::{Command, Named, Timed};

/// A body that is not free.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Prop<'a> {
    /// Which body.
    pub(crate) body: &'a Named,
    /// Its shape when the picture is taken: commands may have turned cells of a grid.
    pub(crate) shape: Shape,
    /// Its place when the run starts, m.
    pub(crate) start: DVec3,
    /// Its place when the run ends, or when it is removed, m.
    pub(crate) end: DVec3,
    /// The corners of its way from start to end, m: one line, and another one from each place where a command puts it.
    pub(crate) way: Vec<Vec<DVec3>>,
}

impl<'a> Scene<'a> {
    /// The bodies that are not free and are there when the picture is taken, with their ranks.
    pub(crate) fn still(&self) -> impl Iterator<Item = (usize, &'a Named)> {
        let instant = self.instant();
        self.scenario.bodies.iter().enumerate().filter(move |&(rank, body)| {
            !matches!(body.motion, Motion::Free(_)) && !self.is_gone(rank) && self.tracks[rank].come <= instant
        })
    }

    /// The same with their shapes and their ways.
    pub(crate) fn scenery(&self) -> Vec<Prop<'a>> {
        let instant = self.instant();
        let prop = |(rank, body): (usize, &'a Named)| {
            let straight = body.position + body.velocity * instant.since(self.tracks[rank].come);
            let end = self.last_position(rank).unwrap_or(straight);
            let mut way = self.way(rank, instant);
            if way.is_empty() {
                way.push(vec![body.position, end]);
            }
            Prop { body, shape: self.shape(body, instant), start: body.position, end, way }
        };
        self.still().map(prop).collect()
    }

    fn shape(&self, body: &Named, instant: SimTime) -> Shape {
        let mut shape = body.shape.clone();
        let Shape::Grid(grid) = &mut shape else { return shape };
        for Timed { command, .. } in self.scenario.commands.iter().filter(|timed| timed.at <= instant) {
            match command {
                Command::SetCell { body: name, cell, solid } if *name == body.name => {
                    Arc::make_mut(grid).set(*cell, *solid);
                }
                _ => {}
            }
        }
        shape
    }

    /// Empty if nothing was recorded of the body.
    fn way(&self, body: usize, until: SimTime) -> Vec<Vec<DVec3>> {
        let until = Span::new(f64::NEG_INFINITY, until.seconds());
        let legs: Vec<Leg> = self.whole_legs(body).iter().filter_map(|leg| leg.within(until)).collect();
        let line = |legs: &[Leg]| legs.iter().map(|leg| leg.path.position).chain(legs.last().map(Leg::end)).collect();
        legs.chunk_by(|_, next| !next.is_put).map(line).collect()
    }
}
