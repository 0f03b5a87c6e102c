//! Bodies that are so far from the origin that numbers are coarse relative to their size.

use std::fmt;

use glam::DVec3;

use super::World;
use crate::dynamics::{BodyId, Coarseness};
use crate::numeric::{rounded, shown};

/// A body at a place where numbers are coarse relative to its size.
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
        let (ratio, spacing, size) = (rounded(self.found.ratio(), 2), rounded(spacing, 2), shown(size));
        let part = if self.found.ratio() < 1.0 { "of" } else { "times" };
        let [x, y, z] = [x, y, z].map(shown);
        write!(
            f,
            "`{body}` is at ({x}, {y}, {z}) m, where numbers are {spacing} m apart: {ratio} {part} its size of {size} m"
        )
    }
}

impl World {
    /// The bodies at places where the distance of neighbouring numbers is more than a millionth of their size
    /// ([`Coarseness::is_coarse`]). There, overlaps and delays of impacts of that order are only rounding errors. Move
    /// the scene near the origin, or make the bodies larger.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let ball = || Body::sphere(0.5, 1.0).unwrap();
    /// let bodies = [("far", ball().at(DVec3::X * 1e12)), ("near", ball().at(DVec3::X * 3.0))];
    /// let world = World::new(Settings::default(), bodies).unwrap();
    /// let coarse = world.coarse();
    /// assert_eq!((coarse.len(), coarse[0].body.as_str()), (1, "far"));
    /// // Between 2³⁹ and 2⁴⁰ the numbers are 2⁻¹³ apart.
    /// assert_eq!(coarse[0].found.spacing, 1.0 / 8192.0);
    /// assert_eq!(world.coarsest().as_ref(), coarse.first());
    /// ```
    pub fn coarse(&self) -> Vec<Coarse> {
        let found = self.each_coarseness().filter(|(_, found)| found.is_coarse());
        found.map(|(id, found)| self.called_coarse(id, found)).collect()
    }

    /// The body with the coarsest numbers relative to its size, even if they are fine; `None` without bodies that have
    /// a size.
    pub fn coarsest(&self) -> Option<Coarse> {
        let coarser = |a: (BodyId, Coarseness), b: (BodyId, Coarseness)| if b.1.is_coarser_than(&a.1) { b } else { a };
        self.each_coarseness().reduce(coarser).map(|(id, found)| self.called_coarse(id, found))
    }

    fn each_coarseness(&self) -> impl Iterator<Item = (BodyId, Coarseness)> {
        self.ids().filter_map(|id| Some((id, self.stepper.coarseness(id)?)))
    }

    fn called_coarse(&self, id: BodyId, found: Coarseness) -> Coarse {
        Coarse { body: self.name(id).to_owned(), found }
    }
}
