//! Generators: one entry of the file makes many bodies. The same seed gives the same bits.
//!
//! Generators work in two steps. First all of them are checked, so that the number of bodies is known and within its
//! limit before memory is allocated. Then each makes its bodies, after those of the file and in the order of the file.

mod compressed;
pub(super) mod draws;
mod lattice;
mod list;
mod occupancy;
mod rack;
pub(super) mod random;
mod schema;
mod sizes;

use glam::DVec3;

use self::compressed::{Beside, Compressed};
use self::draws::{Draws, Purpose};
use self::lattice::Lattice;
use self::list::List;
use self::occupancy::{CollisionFilter, Occupancy};
use self::rack::Rack;
use self::sizes::{Sizes, sizes};
use super::error_kinds::{Fault, PlanarFault};
use super::limits::BODIES_MAX;
use super::names;
use super::plot::style::Rgb;
use super::problem::syntax;
use super::problem::{Entry, Report};
use super::schema::Motion as RawMotion;
use super::sections::body::{self, Load, Surroundings};
use super::sections::colors::color;
use super::text::files::Files;
use crate::dynamics::{Body, MaterialId, Motion, Response, Space};
use crate::geometry::{Radius, Shape};
use crate::numeric::{OutOfRange, shown};
use crate::scenario::vessel::bounds::Region;
use crate::world::Named;

/// A checked generator.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Recipe {
    name: String,
    count: u64,
    layout: Layout,
    sizes: Sizes,
    stuff: Stuff,
    color: Option<Rgb>,
}

/// Where the bodies go.
#[derive(Debug, Clone, PartialEq)]
enum Layout {
    Lattice(Lattice),
    Random(Region),
    Compressed(Compressed),
    Rack(Rack),
    Listed(Box<List>),
}

/// Their material and motion.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stuff {
    /// `None` if each body has its own.
    load: Option<Load>,
    response: Response,
    material: MaterialId,
    filter: CollisionFilter,
    /// Their mean velocity, m/s.
    velocity: DVec3,
    /// Their angular velocity, rad/s.
    spin: DVec3,
    /// k_B T, J: the mean of m v² along each axis.
    temperature: f64,
    /// Whether the mean of the random velocities is subtracted.
    zero_momentum: bool,
    seed: u64,
    /// Whether there is no motion along z.
    is_planar: bool,
}

/// Reads and checks one generator of a scenario with the `bodies` of the file, and with those of earlier generators:
/// `before` in all.
pub(super) fn check(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    surroundings: &Surroundings<'_>,
    files: &mut Files,
    (bodies, before): (&[Named], u64),
) -> Option<Recipe> {
    let raw: schema::Fill = syntax::read(entry, report)?;
    let (name, common) = match &raw {
        schema::Fill::Lattice(raw) => (&raw.name, raw.common()),
        schema::Fill::Random(raw) => (&raw.name, raw.common()),
        schema::Fill::Compressed(raw) => (&raw.name, raw.common()),
        schema::Fill::Rack(raw) => (&raw.name, raw.common()),
        schema::Fill::FromFile(raw) => (&raw.name, raw.common()),
    };
    let name = names::check(report, entry, name).map(|()| name.clone());
    if let (schema::Fill::Compressed(_), true) = (&raw, surroundings.space.is_planar) {
        let instead =
            "use `Random` up to a packing of 0.54, or `Lattice` of the `kind: Hexagonal` with a `temperature`";
        let fault = PlanarFault::NotPlanar { what: "`Compressed` generator", instead };
        return report.fail(entry, "", Fault::Planar(fault));
    }
    let parts = match &raw {
        schema::Fill::Lattice(raw) => {
            let sizes = sizes(report, entry, raw.shape);
            Lattice::check(report, entry, raw).map(|lattice| (lattice.count(), Layout::Lattice(lattice))).zip(sizes)
        }
        schema::Fill::Random(raw) => sizes(report, entry, raw.shape).and_then(|sizes| {
            let count = report.count(entry, "count", raw.count);
            let region = Region::check(report, (entry, ""), [raw.min, raw.max], surroundings.space)?;
            let region = region.with_room_for(report, entry, &sizes.largest())?;
            Some(((count, Layout::Random(region)), sizes)).filter(|_| count.is_some())
        }),
        schema::Fill::Compressed(raw) => {
            let mut beside = Beside { space: surroundings.space, bodies, files, before };
            Compressed::check(report, entry, raw, &mut beside).map(|(compressed, shapes)| {
                ((Some(shapes.len() as u64), Layout::Compressed(compressed)), Sizes::Each(shapes))
            })
        }
        schema::Fill::Rack(raw) => Rack::check(report, entry, raw)
            .map(|(rack, radius)| ((rack.count(), Layout::Rack(rack)), Sizes::Same(Shape::Sphere(radius)))),
        // Without its file, nothing more is known of it.
        schema::Fill::FromFile(raw) => Some(listed(report, entry, raw, surroundings, files)?),
    };
    let (list, sizes) = match &parts {
        Some(((_, Layout::Listed(list)), sizes)) => (Some(&**list), Some(sizes)),
        parts => (None, parts.as_ref().map(|(_, sizes)| sizes)),
    };
    let stuff = stuff(report, entry, &common, surroundings, list, sizes);
    let color = color(report, entry, common.color);
    let ((count, layout), sizes) = parts?;
    body::fits(report, entry, &sizes.largest(), surroundings.space)?;
    let count = within_limit(report, entry, count, before)?;
    Some(Recipe { name: name?, count, layout, sizes, stuff: stuff?, color: color? })
}

/// The parts of a generator that takes its bodies from a file.
fn listed(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    raw: &schema::FromFile,
    surroundings: &Surroundings<'_>,
    files: &mut Files,
) -> Option<((Option<u64>, Layout), Sizes)> {
    let (list, shapes) = List::check(report, entry, raw, files, surroundings.space)?;
    let sizes = match (shapes, raw.shape) {
        (Some(shapes), _) => Sizes::Each(shapes),
        (None, shape) => sizes(report, entry, shape?)?,
    };
    list.suits(report, entry, &raw.common(), &[sizes.smallest(), sizes.largest()])?;
    Some(((Some(list.count()), Layout::Listed(Box::new(list))), sizes))
}

fn within_limit(report: &mut Report<'_>, entry: Entry<'_>, count: Option<u64>, before: u64) -> Option<u64> {
    let total = count.and_then(|count| count.checked_add(before));
    if total.is_some_and(|total| total <= BODIES_MAX) {
        return count;
    }
    let found = total.map_or_else(|| "more than 2^64".to_owned(), |total| total.to_string());
    let path = ["count", "counts", "rows", "file"]
        .into_iter()
        .find(|path| super::text::locate::value(entry.text, path).is_some());
    report.fail(entry, path.unwrap_or_default(), Fault::TooManyBodies { found })
}

fn stuff(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    raw: &schema::Common<'_>,
    surroundings: &Surroundings<'_>,
    list: Option<&List>,
    sizes: Option<&Sizes>,
) -> Option<Stuff> {
    let kind = raw.motion.unwrap_or(RawMotion::Free);
    let load = match list {
        Some(list) if list.has_loads() => Some(None),
        _ => body::load(report, entry, kind, raw.mass, raw.density).map(Some),
    };
    let velocity = body::velocity(report, entry, kind, raw.velocity);
    let spin = body::spin(report, entry, kind, sizes.map(Sizes::largest).as_ref(), raw.spin);
    let temperature = report.not_negative(entry, "temperature", raw.temperature.unwrap_or_default());
    if raw.temperature.is_some() && kind != RawMotion::Free {
        report.add(entry, "temperature", Fault::ColdMotion);
    }
    let material = surroundings.materials.find(report, entry, "material", raw.material);
    let layers = surroundings.layers.own(report, entry, raw.layer);
    let collides_with = surroundings.layers.others(report, entry, raw.collides_with);
    let load = load?;
    // Mass grows with size. If both ends of the range are allowed, all sizes between are, too.
    let sizes = sizes?;
    if let Some(load) = load {
        load.motion(report, entry, &sizes.smallest()).and(load.motion(report, entry, &sizes.largest()))?;
    }
    Some(Stuff {
        load,
        response: raw.response.unwrap_or(Response::Collide),
        material: material?,
        filter: CollisionFilter { layers: layers?, collides_with: collides_with? },
        velocity: velocity?,
        spin: spin?,
        temperature: temperature?,
        zero_momentum: raw.zero_momentum,
        seed: raw.seed,
        is_planar: surroundings.space.is_planar,
    })
}

/// Makes the bodies of checked generators, in turn.
pub(super) struct Maker {
    occupancy: Occupancy,
    /// How many of the bodies are in the occupancy.
    known: usize,
}

impl Maker {
    pub(super) fn new(space: Space) -> Self {
        Self { occupancy: Occupancy::new(space), known: 0 }
    }

    /// Adds the bodies of `recipe` to `bodies`.
    ///
    /// # Errors
    /// [`Fault::RegionFull`], or that of a compression; `bodies` is then unchanged.
    pub(super) fn make(&mut self, recipe: &Recipe, bodies: &mut Vec<Named>) -> Result<(), Fault> {
        let mut shapes = recipe.shapes();
        let places = match &recipe.layout {
            Layout::Lattice(lattice) => lattice.places(),
            Layout::Rack(rack) => rack.places(),
            Layout::Listed(list) => list.places(),
            Layout::Compressed(compressed) => {
                let (places, part) = compressed.places(&shapes, &mut recipe.draws(Purpose::Places))?;
                if part < 1.0 {
                    shapes = recipe.stuff.shrunk(&shapes, part)?;
                }
                places
            }
            Layout::Random(region) => {
                bodies[self.known..].iter().for_each(|body| self.occupancy.add_body(&body.body));
                let places = region.place(
                    &shapes,
                    recipe.stuff.filter,
                    &mut recipe.draws(Purpose::Places),
                    &mut self.occupancy,
                )?;
                self.known = bodies.len() + places.len();
                places
            }
        };
        let first = bodies.len();
        let width = (recipe.count - 1).to_string().len();
        bodies.extend(shapes.into_iter().zip(places).enumerate().map(|(place, (shape, position))| Named {
            name: format!("{}/{place:0width$}", recipe.name),
            body: Body {
                motion: recipe.stuff.motion(&shape),
                shape,
                response: recipe.stuff.response,
                position,
                velocity: recipe.stuff.velocity,
                course: None,
                spin: recipe.stuff.spin,
                material: recipe.stuff.material,
                layers: recipe.stuff.filter.layers,
                collides_with: recipe.stuff.filter.collides_with,
            },
        }));
        if let Layout::Listed(list) = &recipe.layout {
            list.apply(&recipe.name, &mut bodies[first..]);
        }
        recipe.heat(&mut bodies[first..]);
        Ok(())
    }
}

impl Stuff {
    /// The motion of a body; fixed for one whose own is still to come.
    fn motion(&self, shape: &Shape) -> Motion {
        let of = |load: Load| load.of(shape).expect("checked for the smallest and the largest");
        self.load.map_or(Motion::Fixed, of)
    }

    /// Balls with a part of their radii.
    fn shrunk(&self, shapes: &[Shape], part: f64) -> Result<Vec<Shape>, Fault> {
        let shrink = |shape: &Shape| {
            let shape = Radius::new(part * shape.half_extents().x).map(Shape::Sphere)?;
            self.load.map_or(Ok(()), |load| load.of(&shape).map(|_| ()))?;
            Ok(shape)
        };
        let shapes: Result<_, OutOfRange> = shapes.iter().map(shrink).collect();
        shapes
            .map_err(|OutOfRange { allowed, found, .. }| Fault::OutOfRange { allowed, found: shown(found).to_string() })
    }
}

impl Recipe {
    /// How many bodies it makes.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// The colour of its bodies, if it gives them one.
    pub(super) const fn color(&self) -> Option<Rgb> {
        self.color
    }

    fn draws(&self, purpose: Purpose) -> Draws {
        Draws::new(self.stuff.seed, purpose)
    }

    fn shapes(&self) -> Vec<Shape> {
        let mut draws = self.draws(Purpose::Sizes);
        (0..self.count).map(|row| self.sizes.of(row as usize, &mut draws)).collect()
    }

    /// Adds thermal velocities: each component normal, of variance k_B T / m (Maxwell).
    fn heat(&self, bodies: &mut [Named]) {
        if self.stuff.temperature == 0.0 {
            return;
        }
        let axes = if self.stuff.is_planar { DVec3::new(1.0, 1.0, 0.0) } else { DVec3::ONE };
        let mut draws = self.draws(Purpose::Velocities);
        let thermal: Vec<(f64, DVec3)> = bodies
            .iter()
            .filter_map(|body| match body.motion {
                Motion::Free(mass) => Some(mass.get()),
                Motion::Fixed | Motion::Kinematic => None,
            })
            .map(|mass| (mass, draws.normals() * axes * (self.stuff.temperature / mass).sqrt()))
            .collect();
        let drift = if self.stuff.zero_momentum { mean(&thermal) } else { DVec3::ZERO };
        for (body, (_, velocity)) in bodies.iter_mut().zip(thermal) {
            body.body.velocity += velocity - drift;
        }
    }
}

/// The velocity of the centre of mass, m/s.
fn mean(thermal: &[(f64, DVec3)]) -> DVec3 {
    let mass: f64 = thermal.iter().map(|&(mass, _)| mass).sum();
    thermal.iter().map(|&(mass, velocity)| velocity * mass).sum::<DVec3>() / mass
}
