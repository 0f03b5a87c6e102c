//! Random places without overlap: one after the other, each drawn again until it is free.
//!
//! This is random sequential addition (Widom, *Random sequential addition of hard spheres to a volume*, 1966). Equal spheres
//! jam at a packing of 0.384 (Zhang & Torquato, *Precise algorithm to generate random sequential addition of hard
//! hyperspheres at saturation*, 2013), and near that limit the draws for a place have no bound. They are given one, with
//! which spheres in a wide region reach 0.34; what would fill more is refused before anything is drawn. Running out of
//! draws is an error that says how far it went.

use glam::DVec3;

use super::super::problem::{Entry, Report};
use super::draws::Draws;
use super::occupancy::{CollisionFilter, Occupancy};
use crate::dynamics::{Period, Space};
use crate::geometry::Shape;
use crate::scenario::limits::BODIES_MAX;
use crate::scenario::numbers::Triple;
use crate::scenario::problem::check::AXES;
use crate::scenario::problem::error_kinds::Fault;
use crate::scenario::sections::body::{half_widths, volume};

/// Draws for each body, on average, before the region counts as full.
const DRAWS_PER_BODY: u64 = 200;

/// Draws for a single body, and draws on top of the average, so that few bodies may be unlucky.
const DRAWS_FOR_ONE: u64 = 100_000;

/// The packing that equal spheres reach with so many draws: 100,000 of them came to 0.337.
const REACHED: f64 = 0.34;

/// Diameters across a region from which on no luck goes beyond [`REACHED`]: few spheres have more of it, and more draws each.
/// In repeating spaces ten diameters across they came to 0.338 to 0.346, in those of 20 to 39 to 0.338 at most.
const WIDE: f64 = 40.0;

/// How far a packing may be above its limit, no unit: what rounding makes of a sum of volumes.
///
/// Half an ulp of 1, 2⁻⁵³, for each of at most 4 million bodies is 4.4e-10; twice that. Larger: a region could be
/// taken on that has no room for the last body, and be refused after all draws.
const PACKING_SLACK: f64 = BODIES_MAX as f64 * f64::EPSILON;

/// Where bodies may be put.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Region {
    /// Bounds along each axis, m.
    pub(super) ranges: [Period; 3],
    /// Axes along which the region is all of a repeating space, so that solids may lie across its border.
    pub(super) endless: [bool; 3],
}

impl Region {
    /// Checks the bounds, those given or those of a space that repeats.
    pub(super) fn check(
        report: &mut Report<'_>,
        entry: Entry<'_>,
        bounds: [Option<Triple>; 2],
        space: &Space,
    ) -> Option<Self> {
        let ranges = [0, 1, 2].map(|axis| range(report, entry, bounds, space, axis));
        let [Some(x), Some(y), Some(z)] = ranges else { return None };
        let ranges = [x, y, z];
        let endless = [0, 1, 2].map(|axis| space.periods[axis] == Some(ranges[axis]));
        Some(Self { ranges, endless })
    }

    /// Checks that `largest` has room between the bounds.
    pub(super) fn with_room_for(self, report: &mut Report<'_>, entry: Entry<'_>, largest: &Shape) -> Option<Self> {
        let half = half_widths(largest).expect("generators make no planes");
        for axis in 0..3 {
            let (room, width) = (self.widths()[axis], 2.0 * half[axis]);
            if !self.endless[axis] && width > room {
                report.add(entry, "max", Fault::NarrowRegion { axis: AXES[axis], room, width });
                return None;
            }
        }
        Some(self)
    }

    /// m.
    pub(super) fn widths(&self) -> [f64; 3] {
        self.ranges.map(|range| range.max - range.min)
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
        let mut places = Vec::with_capacity(shapes.len());
        for shape in shapes {
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

    /// Refuses at once what cannot find room: more than the region itself, and more equal spheres than the draws will place.
    fn check_packing(&self, shapes: &[Shape], filter: CollisionFilter) -> Result<(), Fault> {
        if !filter.meet(filter) {
            return Ok(());
        }
        let widths = self.widths();
        let packing = shapes.iter().map(volume).sum::<f64>() / widths.iter().product::<f64>();
        let half = half_widths(&shapes[0]).expect("generators make no planes").max_element();
        let is_wide = widths.iter().all(|&width| width >= 2.0 * WIDE * half);
        let all_equal = shapes.iter().all(|shape| matches!(shape, Shape::Sphere(_)) && *shape == shapes[0]);
        // Rounding of the sum must not refuse a region that is filled to the brim.
        let is_beyond = |limit: f64| packing > limit + PACKING_SLACK;
        if is_beyond(1.0) {
            Err(Fault::RegionOverfull { packing })
        } else if all_equal && is_wide && is_beyond(REACHED) {
            Err(Fault::RegionJammed { packing, reached: REACHED })
        } else {
            Ok(())
        }
    }

    /// A place where the solid lies wholly inside, every one as likely as every other.
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

/// The bounds along one axis: those given, or those of a space that repeats there.
fn range(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    bounds: [Option<Triple>; 2],
    space: &Space,
    axis: usize,
) -> Option<Period> {
    let period = space.periods[axis];
    let [min, max] = bounds.map(|bound| bound.map(|bound| bound[axis]));
    let min = min.or(period.map(|period| period.min));
    let max = max.or(period.map(|period| period.max));
    match (min, max) {
        (Some(min), Some(max)) => report.range(entry, &format!("max[{axis}]"), axis, [min, max]),
        _ => {
            report.add(entry, "", Fault::UnboundedRegion { axis: AXES[axis] });
            None
        }
    }
}
