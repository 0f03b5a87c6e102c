//! The nearest body to a point.
//!
//! The grid is searched from near to far until no domain can be nearer than the best body found.

use glam::DVec3;

use super::{Best, Candidate, Rank, Sight, Spot, moderate};
use crate::dynamics::Stepper;
use crate::dynamics::broadphase::offsets;
use crate::geometry::{Aabb, Outline, Solid, gap, unit};

/// The nearest point of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearHit {
    /// The body, and the point of its surface nearest to the query point.
    pub spot: Spot,
    /// Distance of the query point from that point, m; negative inside the body.
    pub separation: f64,
    /// Unit normal out of the body at its point: towards the query point, if that is outside.
    pub normal: DVec3,
}

impl Stepper {
    /// The body nearest to `point`, at most `within` m away (inclusive; may be infinite).
    ///
    /// A point inside a ball, a box, a half-space, a grid or a closed mesh has a negative separation from it, measured
    /// along the shortest way out. So of several bodies that contain the point, the nearest is the one in which it is
    /// deepest, and `within` 0 finds only bodies that contain the point.
    pub fn closest_point(&self, point: DVec3, within: f64, sight: &Sight<'_>) -> Option<NearHit> {
        let cell = self.cell(point).filter(|_| moderate(point) && !within.is_nan())?;
        let mut best = Best(None);
        let mut last = within;
        let mut look = |found: Candidate, within: f64| {
            let (rank, hit) = self.nearness(point, &found)?;
            (hit.separation <= within).then(|| {
                best.offer(rank, hit);
                hit.separation
            })
        };
        for plane in self.planes(sight) {
            last = look(plane, last).unwrap_or(last);
        }
        let (space, rows) = (&self.sim.scene.settings.space, &self.sim.scene.rows);
        let mut search = |image: [i32; 3], last: f64| {
            self.broadphase().grids(rows).fold(last, |last, grid| {
                grid.nearest(point - space.shift(image), last, |id, within| {
                    let seen = sight.sees(id, rows).then(|| self.standing(id, image));
                    seen.and_then(|found| look(found, within)).unwrap_or(within)
                })
            })
        };
        last = search(cell, last);
        if self.is_open() {
            return best.answer();
        }
        // An image that lies wholly more than a period away is farther than the next image.
        let period = |axis: usize| space.periods[axis].map_or(last, |period| period.length());
        let half = DVec3::from_array(std::array::from_fn(|axis| last.max(0.0).min(period(axis))));
        let bounds = Aabb::around(point - space.shift(cell), half);
        for offset in offsets(&bounds, self.broadphase().reach(), space).filter(|&offset| offset != [0; 3]) {
            last = search(std::array::from_fn(|axis| cell[axis] + i32::from(offset[axis])), last);
        }
        best.answer()
    }

    /// The separation of a body from a point, and the nearest point.
    fn nearness(&self, point: DVec3, found: &Candidate) -> Option<(Rank, NearHit)> {
        let offset = found.position - point;
        let (separation, normal, primitive) = match self.sim.scene.rows.outline(found.id) {
            Some(outline) => near_outline(outline, -offset)?,
            None => {
                let gap = gap(Solid::Sphere(0.0), self.sim.scene.rows.solid(found.id, 0), offset)?;
                (gap.separation, -gap.normal, 0)
            }
        };
        let spot = Spot { body: found.id, primitive, position: found.position, point: point - normal * separation };
        Some((Rank::new(separation, found, primitive), NearHit { spot, separation, normal }))
    }
}

/// Separation, normal and primitive of the part nearest to a point in the frame of the outline.
fn near_outline(outline: Outline<'_>, point: DVec3) -> Option<(f64, DVec3, u32)> {
    let (part, near) = outline.nearest(point)?;
    let outward = point - near;
    let front = outline.facet(part).normal;
    let inside = outline.contains(point);
    let separation = if inside { -outward.length() } else { outward.length() };
    let normal = unit(if inside { -outward } else { outward }).unwrap_or(front);
    Some((separation, normal, outline.primitive(part)))
}
