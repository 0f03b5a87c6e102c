//! A packing of balls, measured: how much of a vessel they fill, how many contacts they have, and how they lie near
//! the wall.
//!
//! A ball is a *rattler* if it touches fewer than four others that are no rattlers, since three do not hold it. The
//! others are the backbone. A ball outside of the vessel holds those inside like a wall. Jammed spheres without
//! friction have six contacts each on average (Donev, Torquato & Stillinger, *Pair correlation function characteristics
//! of nearly jammed disordered and ordered hard-sphere packings*, Phys. Rev. E 71, 2005).

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::dynamics::{Period, Response};
use crate::geometry::{Aabb, Shape, Tree};
use crate::scenario::vessel::Vessel;
use crate::scenario::{PackingFigure, PackingRequest, sphere_volume};
use crate::world::World;

/// Contacts that hold a ball in place.
const HELD: usize = 4;

/// Layers in one mean diameter, and most layers.
const LAYERS_A_DIAMETER: f64 = 20.0;
const LAYERS_MAX: usize = 200;

/// Points at which the profile is measured. They are spread evenly, so a layer with a hundredth of them is known to a
/// few thousandths.
const POINTS: u32 = 1 << 19;

/// A packing at the end of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PackingReport {
    /// The number of balls with their centres in the vessel.
    pub balls: usize,
    /// Volume of the vessel, m³.
    pub volume: f64,
    /// Volume of the balls over that of the vessel.
    pub fraction: f64,
    /// Mean diameter of the balls, m.
    pub diameter: f64,
    /// Bodies touch if their gap is at most this, m.
    pub gap: f64,
    /// Mean number of contacts of a ball of the backbone, with walls and balls outside too; `None` without such a ball.
    pub coordination: Option<f64>,
    /// The number of rattlers over that of all balls.
    pub rattlers: f64,
}

impl PackingReport {
    /// One of its numbers, if there is such a number.
    pub fn figure(&self, figure: PackingFigure) -> Option<f64> {
        match figure {
            PackingFigure::Fraction => Some(self.fraction),
            PackingFigure::Coordination => self.coordination,
            PackingFigure::Rattlers => Some(self.rattlers),
        }
    }
}

/// A layer of the vessel along its walls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layer {
    /// Smallest distance from the wall, mean diameters.
    pub low: f64,
    /// Largest distance from the wall, mean diameters.
    pub high: f64,
    /// The part of it that balls fill.
    pub fraction: f64,
}

/// A measured packing.
#[derive(Debug, Clone, PartialEq)]
pub struct Packing {
    /// Its numbers.
    pub report: PackingReport,
    /// From the wall inwards; empty for a vessel without walls.
    pub profile: Vec<Layer>,
}

impl Packing {
    /// Measures the balls of `world` as they are now, fixed or free, without sensors.
    pub fn measure(world: &World, request: &PackingRequest) -> Self {
        let PackingRequest { vessel, gap } = request;
        let bodies = world.ids().map(|id| world.body(id)).filter(|body| body.response == Response::Collide);
        let balls = bodies.filter_map(|body| match body.shape {
            Shape::Sphere(radius) => Some((body.position, radius.get())),
            _ => None,
        });
        let (inside, outside): (Vec<_>, Vec<_>) = balls.partition(|(center, _)| vessel.gap(*center) >= 0.0);
        let count = inside.len();
        let balls = Balls::new([inside, outside].concat(), count, &world.settings().space.periods);
        let radii = balls.spheres[..count].iter().map(|(_, radius)| *radius);
        let diameter = 2.0 * radii.clone().sum::<f64>() / count.max(1) as f64;
        let volume = vessel.volume();
        // A sum of nothing is −0.
        let filled = 0.0 + radii.map(sphere_volume).sum::<f64>();
        let gap = gap * diameter;
        let backbone: Vec<usize> = balls.backbone(vessel, gap).into_iter().flatten().collect();
        let contacts: usize = backbone.iter().sum();
        let report = PackingReport {
            balls: count,
            volume,
            fraction: filled / volume,
            diameter,
            gap,
            coordination: (!backbone.is_empty()).then(|| contacts as f64 / backbone.len() as f64),
            rattlers: (count - backbone.len()) as f64 / count.max(1) as f64,
        };
        Self { report, profile: balls.profile(vessel, diameter) }
    }
}

/// Balls, to be found by their places.
struct Balls {
    /// Centres and radii, m.
    spheres: Vec<(DVec3, f64)>,
    /// How many of them are in the vessel. They come first.
    inside: usize,
    tree: Option<Tree>,
    /// The vectors to the images of a point, itself included, m.
    images: Vec<DVec3>,
}

impl Balls {
    fn new(spheres: Vec<(DVec3, f64)>, inside: usize, periods: &[Option<Period>; 3]) -> Self {
        let bounds: Vec<Aabb> =
            spheres.iter().map(|&(center, radius)| Aabb::around(center, DVec3::splat(radius))).collect();
        let steps =
            |axis: usize| periods[axis].map_or(vec![0.0], |period| vec![0.0, -period.length(), period.length()]);
        let [xs, ys, zs] = [0, 1, 2].map(steps);
        let lines = ys.iter().flat_map(|&y| zs.iter().map(move |&z| (y, z)));
        let images = lines.flat_map(|(y, z)| xs.iter().map(move |&x| DVec3::new(x, y, z))).collect();
        Self { tree: (!bounds.is_empty()).then(|| Tree::new(&bounds)), spheres, inside, images }
    }

    /// Calls `visit` with each ball whose surface may be within `reach` of a point, m, and the distance of its centre.
    fn near(&self, point: DVec3, reach: f64, mut visit: impl FnMut(usize, f64)) {
        let Some(tree) = &self.tree else { return };
        for &image in &self.images {
            let place = point + image;
            tree.touching(&Aabb::around(place, DVec3::splat(reach)), |row| {
                visit(row as usize, self.spheres[row as usize].0.distance(place));
            });
        }
    }

    /// The number of contacts of each ball inside with walls, balls outside and others of the backbone; `None` for a
    /// rattler.
    fn backbone(&self, vessel: &Vessel, gap: f64) -> Vec<Option<usize>> {
        let mut contacts = Vec::with_capacity(self.inside);
        let mut others: Vec<Vec<usize>> = Vec::with_capacity(self.inside);
        for (own, &(center, radius)) in self.spheres[..self.inside].iter().enumerate() {
            let mut touched = Vec::new();
            self.near(center, radius + gap, |row, distance| {
                if row != own && distance - radius - self.spheres[row].1 <= gap {
                    touched.push(row);
                }
            });
            contacts.push(Some(touched.len() + vessel.walls_at(center, radius, gap)));
            touched.retain(|&row| row < self.inside);
            others.push(touched);
        }
        let is_loose = |contacts: Option<usize>| contacts.is_some_and(|count| count < HELD);
        let mut loose: Vec<usize> = (0..contacts.len()).filter(|&row| is_loose(contacts[row])).collect();
        while let Some(row) = loose.pop() {
            if contacts[row].take().is_none() {
                continue;
            }
            for &other in &others[row] {
                contacts[other] = contacts[other].map(|count| count - 1);
                if is_loose(contacts[other]) {
                    loose.push(other);
                }
            }
        }
        contacts
    }

    /// How full each layer along the walls is. The points are multiples of three irrational numbers without their whole
    /// parts (Niederreiter, *Random Number Generation and Quasi-Monte Carlo Methods*, 1992, ch. 3).
    fn profile(&self, vessel: &Vessel, diameter: f64) -> Vec<Layer> {
        let bounds = vessel.bounds();
        let steps = DVec3::new(2.0, 3.0, 5.0).map(f64::sqrt);
        let mut counts = [[0_u32; 2]; LAYERS_MAX];
        for number in 0..POINTS {
            let point = bounds.min + (steps * f64::from(number)).fract() * (bounds.max - bounds.min);
            let layer = vessel.gap(point) / diameter * LAYERS_A_DIAMETER;
            if !(0.0..LAYERS_MAX as f64).contains(&layer) {
                continue;
            }
            let mut is_filled = false;
            self.near(point, 0.0, |row, distance| is_filled |= distance <= self.spheres[row].1);
            counts[layer as usize][usize::from(is_filled)] += 1;
        }
        let layer = |(row, &[void, filled]): (usize, &[u32; 2])| Layer {
            low: row as f64 / LAYERS_A_DIAMETER,
            high: (row + 1) as f64 / LAYERS_A_DIAMETER,
            fraction: f64::from(filled) / f64::from(void + filled),
        };
        counts.iter().enumerate().map(layer).take_while(|layer| layer.fraction.is_finite()).collect()
    }
}
