//! Compressed spheres: points at random places that grow, while they move and collide, until they fill a part of a
//! vessel, or until they jam.
//!
//! Random sequential placement jams at a packing of 0.38. Compression reaches random close packing, about 0.64 for
//! equal spheres (Lubachevsky & Stillinger, *Geometric properties of random disk packings*, J. Stat. Phys. 60, 1990).
//! The slower the growth, the denser the spheres are when they jam.

mod ball;
mod cells;
mod growth;
mod sizes;
mod walls;

use std::f64::consts::PI;

use glam::DVec3;

use self::cells::Cells;
use self::growth::Growth;
use self::sizes::Sizes;
use self::walls::Walls;
use super::draws::{Draws, Purpose};
use super::schema;
use crate::dynamics::Space;
use crate::geometry::{Radius, Shape};
use crate::scenario::error_kinds::{Fault, PackingFault};
use crate::scenario::limits::BODIES_MAX;
use crate::scenario::problem::check::AXES;
use crate::scenario::problem::{Entry, Report};
use crate::scenario::text::files::Files;
use crate::scenario::vessel::bounds::Region;
use crate::scenario::vessel::{Vessel, check};
use crate::world::Named;

/// Default speed of the growing surfaces, in units of the speed of the balls along one axis.
const RATE: f64 = 0.01;

/// Largest rate. Above it, the balls hardly move while they grow.
const RATE_MAX: f64 = 1.0;

/// The packing of the densest lattice of equal spheres, π/√18, rounded down. Growing balls of unequal sizes jam far
/// below it, too.
const PACKING_MAX: f64 = 0.74;

/// The packing that balls of very unequal sizes cannot reach by jamming: the small ones fill the gaps of the large ones
/// as densely as these fill the vessel, 1 − 0.36² = 0.87.
const UNEQUAL_MAX: f64 = 0.9;

/// Packing up to which the balls are slow. They seldom meet there, and need no time to find their places.
const LOOSE: f64 = 0.3;

/// The fraction of a radius that is left free, so that rounding does not make two balls overlap.
const FREE: f64 = 1e-10;

/// Least length of a period, in diameters of the largest ball: three cells are needed to distinguish a ball from its
/// images.
const DIAMETERS_MIN: f64 = 3.0;

/// Least part of its bounding box that a vessel may be. A random point then needs 10,000 draws.
const PART_MIN: f64 = 1e-4;

/// A checked compression.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Compressed {
    vessel: Vessel,
    /// The packing at which growth ends.
    packing: f64,
    /// Whether it is to end before, because the balls jam.
    jams: bool,
    rate: f64,
}

/// What a compression is checked with.
pub(super) struct Beside<'a> {
    pub(super) space: &'a Space,
    /// The bodies of the file, whose meshes may be vessels.
    pub(super) bodies: &'a [Named],
    pub(super) files: &'a mut Files,
    /// The number of bodies without this generator.
    pub(super) before: u64,
}

impl Compressed {
    /// Checks the fields, and derives the balls from the packing. Those that are to jam are at most so large.
    pub(super) fn check(
        report: &mut Report<'_>,
        entry: Entry<'_>,
        raw: &schema::Compressed,
        beside: &mut Beside<'_>,
    ) -> Option<(Self, Vec<Shape>)> {
        let count = raw.count.map_or(Some(None), |count| report.count(entry, "count", count).map(Some));
        let rate = within(report, entry, "rate", raw.rate.unwrap_or(RATE), (RATE_MAX, "above 0 and at most 1"));
        let sizes = Sizes::check(report, entry, raw.sizes.is_some(), beside.files);
        let until = until(report, entry, raw, sizes.as_ref());
        let vessel = vessel(report, entry, raw, beside);
        let (count, (packing, jams), rate, sizes, vessel) = (count?, until?, rate?, sizes?, vessel?);
        let most = BODIES_MAX.saturating_sub(beside.before);
        if let Some(count) = count.filter(|&count| count > most) {
            let found = count.saturating_add(beside.before).to_string();
            return report.fail(entry, "count", Fault::TooManyBodies { found });
        }
        // Without a count, sizes are in m, and `Equal` gives none.
        let has_sizes = raw.sizes.is_some() && entry.value("sizes") != "Equal";
        if count.is_none() && (jams || !has_sizes) {
            return report.fail(entry, "", Fault::MissingField { field: "count" });
        }
        let draws = || Draws::new(raw.common().seed, Purpose::Sizes);
        let room = packing * vessel.volume();
        let radii: Vec<f64> = match count {
            Some(count) => {
                sizes.scaled(scale(room, count, &sizes, draws())).all(draws()).take(count as usize).collect()
            }
            None => filling(room, sizes.all(draws()), most).map_err(|fault| report.add(entry, "", fault)).ok()?,
        };
        let shape = |radius| report.quantity(entry, "sizes", Radius::new(radius)).map(Shape::Sphere);
        let shapes: Vec<Shape> = radii.iter().copied().map_while(shape).collect();
        let largest = radii.iter().fold(0.0, |largest: f64, &radius| largest.max(radius));
        if shapes.len() < radii.len() {
            return None;
        }
        let paths =
            [if raw.within.is_some() { "within" } else { "max" }, if count.is_some() { "count" } else { "sizes" }];
        has_room(report, (entry, paths), &vessel, (largest, jams))?;
        Some((Self { vessel, packing, jams, rate }, shapes))
    }

    /// The positions of the balls after their growth, and the part of their radii that they have then.
    ///
    /// # Errors
    /// [`Fault::Packing`].
    pub(super) fn places(&self, shapes: &[Shape], draws: &mut Draws) -> Result<(Vec<DVec3>, f64), Fault> {
        let bounds = self.vessel.bounds();
        let widths = bounds.max - bounds.min;
        let radii: Vec<f64> = shapes.iter().map(|shape| radius(shape) * (1.0 + FREE)).collect();
        let largest = radii.iter().fold(0.0, |largest: f64, &radius| largest.max(radius));
        let mean = radii.iter().sum::<f64>() / radii.len() as f64;
        let mut point = || loop {
            let place = widths * DVec3::new(draws.unit(), draws.unit(), draws.unit());
            if matches!(self.vessel, Vessel::Box { .. }) || self.vessel.gap(bounds.min + place) > 0.0 {
                return (place, draws.normals());
            }
        };
        let points: Vec<(DVec3, DVec3)> = radii.iter().map(|_| point()).collect();
        let cells = Cells::new(widths, self.vessel.endless(), 2.0 * largest, radii.len());
        let walls = Walls::new(&self.vessel, cells.boxes(), largest);
        let slow = libm::cbrt((LOOSE / self.packing).min(1.0));
        let grown = Growth::new((cells, walls), &points, &radii, [slow, mean / self.rate]).run(self.rate, self.jams);
        let (packing, part) = (self.packing, grown.part);
        let places = grown.places.into_iter().map(|place| bounds.min + place).collect();
        match (self.jams, part < 1.0) {
            (true, false) => Err(Fault::Packing(PackingFault::NotJammed { packing })),
            (false, true) => {
                Err(Fault::Packing(PackingFault::Jammed { packing, reached: packing * part * part * part }))
            }
            _ => Ok((places, part)),
        }
    }
}

/// The packing at which growth ends, and whether the balls are to jam before.
fn until(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    raw: &schema::Compressed,
    sizes: Option<&Sizes>,
) -> Option<(f64, bool)> {
    let (path, packing) = match (raw.packing, raw.until) {
        (Some(packing), None) => ("packing", packing),
        (None, Some(schema::Until::Packing(packing))) => ("until", packing),
        (None, Some(schema::Until::Jammed)) => {
            return Some((if sizes?.are_equal() { PACKING_MAX } else { UNEQUAL_MAX }, true));
        }
        _ => return report.fail(entry, "until", Fault::Packing(PackingFault::UnclearEnd)),
    };
    let packing = within(report, entry, path, packing, (PACKING_MAX, "above 0 and at most 0.74"))?;
    Some((packing, false))
}

fn vessel(report: &mut Report<'_>, entry: Entry<'_>, raw: &schema::Compressed, beside: &Beside<'_>) -> Option<Vessel> {
    let vessel = match (&raw.within, raw.min.is_some() || raw.max.is_some()) {
        (Some(_), true) => return report.fail(entry, "within", Fault::Packing(PackingFault::UnclearVessel)),
        (Some(within), false) => check::within(report, entry, Some(within), beside.space, beside.bodies)?,
        (None, _) => check::boxed(Region::check(report, (entry, ""), [raw.min, raw.max], beside.space)?),
    };
    let widths = vessel.bounds().max - vessel.bounds().min;
    let part = vessel.volume() / (widths.x * widths.y * widths.z);
    if part >= PART_MIN {
        return Some(vessel);
    }
    report.fail(entry, "within", Fault::Packing(PackingFault::Thin { part }))
}

/// Checks that there is room for the largest ball between the walls of a box, and for its images beside it. The two
/// paths are those of the fields to blame.
fn has_room(
    report: &mut Report<'_>,
    (entry, [walls, sizes]): (Entry<'_>, [&str; 2]),
    vessel: &Vessel,
    (largest, jams): (f64, bool),
) -> Option<()> {
    let Vessel::Box { ranges, endless } = *vessel else { return Some(()) };
    let width = 2.0 * largest;
    for axis in 0..3 {
        let room = ranges[axis].max - ranges[axis].min;
        if endless[axis] && room / width < DIAMETERS_MIN {
            return report.fail(entry, sizes, Fault::FewDiameters { axis: AXES[axis], diameters: room / width });
        }
        if !endless[axis] && !jams && width > room {
            return report.fail(entry, walls, Fault::NarrowRegion { axis: AXES[axis], room, width });
        }
    }
    Some(())
}

/// A number above 0 and up to a limit.
fn within(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    path: &str,
    value: f64,
    (most, allowed): (f64, &'static str),
) -> Option<f64> {
    if value > 0.0 && value <= most { Some(value) } else { report.refuse(entry, path, allowed) }
}

/// The factor from relative sizes to radii for which `count` balls have this total volume, m³.
fn scale(volume: f64, count: u64, sizes: &Sizes, draws: Draws) -> f64 {
    let sum: f64 = match *sizes {
        Sizes::Uniform(min, max) if min == max => count as f64 * cube(max),
        _ => sizes.all(draws).take(count as usize).map(cube).sum(),
    };
    libm::cbrt(volume / (4.0 / 3.0 * PI * sum))
}

/// As many of `radii`, m, as have no more than this total volume, m³.
fn filling(room: f64, radii: impl Iterator<Item = f64>, most: u64) -> Result<Vec<f64>, Fault> {
    let (mut taken, mut left) = (Vec::new(), room);
    for radius in radii {
        let ball = 4.0 / 3.0 * PI * cube(radius);
        left -= ball;
        if left < 0.0 && taken.is_empty() {
            return Err(Fault::Packing(PackingFault::NoBall { ball, room }));
        }
        if left < 0.0 {
            break;
        }
        if taken.len() as u64 == most {
            return Err(Fault::TooManyBodies { found: format!("more than {most}") });
        }
        taken.push(radius);
    }
    Ok(taken)
}

fn cube(size: f64) -> f64 {
    size * size * size
}

fn radius(shape: &Shape) -> f64 {
    shape.half_extents().x
}
