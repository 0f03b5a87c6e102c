//! The paths and the impacts of a run in memory, for films.

use super::error::ExportError;
use super::roster::{Roster, Rows};
use crate::dynamics::{Event, EventKind, Knot};
use crate::motion::{Path, SimTime};

/// Most paths of all bodies, which take 88 bytes each.
const PATHS_MAX: usize = 10_000_000;

/// All paths and impacts of a part of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPaths {
    /// The first instant.
    pub from: SimTime,
    /// The last instant.
    pub until: SimTime,
    /// The bodies of the scenario, also fixed ones and those that come later.
    pub bodies: Vec<BodyPaths>,
    /// The impacts in order.
    pub impacts: Vec<PathImpact>,
    /// The rows in `bodies` by the ids of the bodies.
    rows: Rows,
    count: usize,
}

/// The paths of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyPaths {
    /// The name of the body.
    pub name: String,
    /// Its paths in order, the first one from before [`RunPaths::from`] if it was there then. Each holds until the next
    /// one begins. In a periodic space each begins within the periodic cell.
    pub paths: Vec<Path>,
}

/// An impact of two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathImpact {
    /// When.
    pub time: SimTime,
    /// The rows of the bodies in [`RunPaths::bodies`].
    pub bodies: [usize; 2],
    /// Where, m.
    pub point: glam::DVec3,
    /// Unit normal there, from the first body to the second.
    pub normal: glam::DVec3,
}

impl RunPaths {
    pub(super) fn begin(roster: &Roster, from: SimTime, until: SimTime) -> Self {
        let bodies = roster.members.iter().map(|member| BodyPaths { name: member.name.clone(), paths: Vec::new() });
        Self { from, until, bodies: bodies.collect(), impacts: Vec::new(), rows: roster.rows(), count: 0 }
    }

    pub(super) fn knot(&mut self, knot: &Knot) -> Result<(), ExportError> {
        self.count += 1;
        if self.count > PATHS_MAX {
            return Err(ExportError::TooManyPaths { most: PATHS_MAX });
        }
        if let Some(row) = self.rows.of(knot.body) {
            self.bodies[row].paths.push(knot.path);
        }
        Ok(())
    }

    pub(super) fn event(&mut self, event: &Event) {
        if let (EventKind::Impact, Some(a), Some(b)) = (event.kind, self.rows.of(event.a), self.rows.of(event.b)) {
            let Event { time, point, normal, .. } = *event;
            self.impacts.push(PathImpact { time, bodies: [a, b], point, normal });
        }
    }
}
