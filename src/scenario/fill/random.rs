//! Random places without overlap. Bodies are placed one after the other; each place is drawn again until it is free.
//!
//! This is random sequential addition (Widom, *Random sequential addition of hard spheres to a volume*, 1966). Equal
//! spheres jam at a packing of 0.384 (Zhang & Torquato, *Precise algorithm to generate random sequential addition of
//! hard hyperspheres at saturation*, 2013). Near that limit the number of draws for a place has no bound, so it is
//! limited here. With this limit, spheres in a wide region reach a packing of 0.34. A higher packing is refused before
//! anything is drawn. If the draws run out, the error says how many bodies were placed.

use glam::DVec3;

use super::super::problem::{Entry, Report};
use super::draws::Draws;
use super::occupancy::{CollisionFilter, Occupancy};
use crate::dynamics::Period;
use crate::geometry::Shape;
use crate::scenario::error_kinds::Fault;
use crate::scenario::limits::BODIES_MAX;
use crate::scenario::problem::check::AXES;
use crate::scenario::sections::body::{half_widths, volume};
use crate::scenario::vessel::bounds::Region;

/// Draws for each body, on average, before the region counts as full.
const DRAWS_PER_BODY: u64 = 200;

/// Most draws for a single body. As many are added to the total, so that a few bodies may need many draws.
const DRAWS_FOR_ONE: u64 = 100_000;

/// The packing that equal spheres reach with so many draws: 100,000 spheres reached 0.337.
const REACHED: f64 = 0.34;

/// Width of a region, in diameters, from which the packing does not exceed [`REACHED`] by chance. Few spheres fluctuate
/// more, and have more draws each. In periodic spaces ten diameters wide they reached 0.338 to 0.346, in those of 20 to
/// 39 at most 0.338.
const WIDE: f64 = 40.0;

/// Width of a region, in diameters, from which the packing does not exceed that of jammed bodies by chance.
const NARROW: f64 = 10.0;

/// The packing that equal spheres do not exceed in a region that is not narrow: they jam at 0.384 in a wide one.
const SPHERES_JAMMED: f64 = 0.4;

/// The same for equal boxes, which jam near 0.42 (B. Bonnier, M. Hontebeyrie, C. Meyers, *On the random filling of R^d
/// by non-overlapping d-dimensional cubes*, Physica A 198, 1993). Boxes become cubes if each axis is scaled.
const BOXES_JAMMED: f64 = 0.45;

/// The same in a planar world: discs jam at 0.547 (E. Hinrichsen, J. Feder, T. Jøssang, *Geometry of random sequential
/// adsorption*, J. Stat. Phys. 44, 1986), squares near 0.562.
const FLAT_JAMMED: f64 = 0.59;

/// Bodies between two looks at how many draws they need.
const LOOK_EVERY: usize = 1000;

/// How far a packing may exceed its limit, no unit: the rounding error of a sum of volumes.
///
/// Half an ulp of 1, 2⁻⁵³, for each of at most 4 million bodies is 4.4e-10. This is twice that. If it were larger, a
/// region could be accepted that has no room for the last body, and be refused only after all draws.
const PACKING_SLACK: f64 = BODIES_MAX as f64 * f64::EPSILON;

impl Region {
    /// Checks that `largest` has room between the bounds.
    pub(super) fn with_room_for(self, report: &mut Report<'_>, entry: Entry<'_>, largest: &Shape) -> Option<Self> {
        let half = half_widths(largest).expect("generators make no planes");
        for axis in 0..3 {
            let (room, width) = (self.widths()[axis], 2.0 * half[axis]);
            if !self.endless[axis] && width > room {
                return report.fail(entry, "max", Fault::NarrowRegion { axis: AXES[axis], room, width });
            }
        }
        Some(self)
    }

    /// Finds a place for each shape, in turn.
    pub(super) fn place(
        &self,
        shapes: &[Shape],
        filter: CollisionFilter,
        draws: &mut Draws,
        occupancy: &mut Occupancy,
    ) -> Result<Vec<DVec3>, Fault> {
        self.check_packing(shapes, filter)?;
        let wanted = shapes.len() as u64;
        let mut left = DRAWS_PER_BODY * wanted + DRAWS_FOR_ONE;
        let mut before = left;
        let mut places: Vec<DVec3> = Vec::with_capacity(shapes.len());
        for shape in shapes {
            if places.len().is_multiple_of(LOOK_EVERY) && !places.is_empty() {
                // The fuller the region, the more draws a body needs. With half as many as the last ones needed, the
                // rest would need too many.
                let needed = (before - left) / LOOK_EVERY as u64 * (wanted - places.len() as u64);
                if needed / 2 > left {
                    return Err(Fault::RegionFull { placed: places.len() as u64, wanted });
                }
                before = left;
            }
            let draws_max = left.min(DRAWS_FOR_ONE);
            let found = (1..=draws_max)
                .map(|draw| (draw, self.draw(shape, draws)))
                .find(|&(_, place)| occupancy.is_free(shape, place, filter));
            let Some((used, place)) = found else {
                return Err(Fault::RegionFull { placed: places.len() as u64, wanted });
            };
            left -= used;
            occupancy.add(shape, place, filter);
            places.push(place);
        }
        Ok(places)
    }

    /// Refuses at once what cannot fit: more volume than the region has, or more equal spheres than the draws can
    /// place.
    fn check_packing(&self, shapes: &[Shape], filter: CollisionFilter) -> Result<(), Fault> {
        if !filter.meet(filter) {
            return Ok(());
        }
        let widths = self.widths();
        let axes = if self.is_planar { 0..2 } else { 0..3 };
        let room: f64 = widths[axes.clone()].iter().product();
        let packing = shapes.iter().map(|shape| volume(shape, self.is_planar)).sum::<f64>() / room;
        let half = half_widths(&shapes[0]).expect("generators make no planes");
        let is_wide = |least: f64| axes.clone().all(|axis| widths[axis] >= 2.0 * least * half[axis]);
        let limit = match &shapes[0] {
            _ if shapes.iter().any(|shape| *shape != shapes[0]) || !is_wide(NARROW) => 1.0,
            _ if self.is_planar => FLAT_JAMMED,
            Shape::Sphere(_) if is_wide(WIDE) => REACHED,
            Shape::Sphere(_) => SPHERES_JAMMED,
            _ => BOXES_JAMMED,
        };
        // Rounding of the sum must not refuse a region that is filled exactly.
        let is_beyond = |limit: f64| packing > limit + PACKING_SLACK;
        if is_beyond(1.0) {
            Err(Fault::RegionOverfull { packing })
        } else if is_beyond(limit) {
            Err(Fault::RegionJammed { packing, reached: limit })
        } else {
            Ok(())
        }
    }

    /// A uniformly distributed place at which the solid is inside the region. It may lie across the border of a whole
    /// period.
    fn draw(&self, shape: &Shape, draws: &mut Draws) -> DVec3 {
        let half = half_widths(shape).expect("generators make no planes");
        let coordinates = [0, 1, 2].map(|axis| {
            let margin = if self.endless[axis] { 0.0 } else { half[axis] };
            let Period { min, max } = self.ranges[axis];
            draws.between(min + margin, max - margin)
        });
        DVec3::from_array(coordinates)
    }
}
