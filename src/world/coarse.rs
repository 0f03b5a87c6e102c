//! Bodies that are so far from the origin that numbers are coarse beside their size.

use std::fmt;

use glam::DVec3;

use super::World;
use crate::dynamics::{BodyId, Coarseness};
use crate::numeric::tolerance::COARSENESS_MAX;

/// A body at a place where numbers are coarse beside its size.
#[derive(Debug, Clone, PartialEq)]
pub struct Coarse {
    /// Its name.
    pub body: String,
    /// Where it is, and how coarse numbers are there.
    pub found: Coarseness,
}

impl fmt::Display for Coarse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Coarseness { place: DVec3 { x, y, z }, spacing, size } = self.found;
        let body = &self.body;
        write!(f, "`{body}` is at ({x:e}, {y:e}, {z:e}) m, where numbers are {spacing:.1e} m apart: ")?;
        write!(f, "{:.1e} of its size of {size:e} m", self.found.ratio())
    }
}

impl World {
    /// The bodies at places where numbers are farther apart than a millionth of their size
    /// ([`COARSENESS_MAX`]): there, overlaps of that depth and impacts that come so much too late are mere rounding. Move the
    /// scene near the origin, or choose other units.
    pub fn coarse(&self) -> Vec<Coarse> {
        let found = self.each_coarseness().filter(|(_, found)| found.ratio() > COARSENESS_MAX);
        found.map(|(id, found)| self.called_coarse(id, found)).collect()
    }

    /// The body for which numbers are coarsest where it is now, beside its size, however fine; `None` without bodies that
    /// have a size.
    pub fn coarsest(&self) -> Option<Coarse> {
        let coarser = |a: (BodyId, Coarseness), b: (BodyId, Coarseness)| if b.1.ratio() > a.1.ratio() { b } else { a };
        self.each_coarseness().reduce(coarser).map(|(id, found)| self.called_coarse(id, found))
    }

    fn each_coarseness(&self) -> impl Iterator<Item = (BodyId, Coarseness)> {
        self.ids().filter_map(|id| Some((id, self.stepper.coarseness(id)?)))
    }

    fn called_coarse(&self, id: BodyId, found: Coarseness) -> Coarse {
        Coarse { body: self.name(id).to_owned(), found }
    }
}
