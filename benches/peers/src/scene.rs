//! The scenes that both engines get: free bodies of one size between walls.

use std::f64::consts::PI;
use std::fmt;

use carom::glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Gravity of a heap, m/s².
const GRAVITY: f64 = 9.81;
/// Mass density of all bodies, kg/m³.
const DENSITY: f64 = 1.0;
/// Distance of neighbours in the lattice of a heap, and maximum displacement of a body along an axis, in diameters.
const SPACING: f64 = 1.2;
const OFF: f64 = 0.09;
/// Height of the lowest layer of a heap, in diameters.
const LOWEST: f64 = 0.7;
/// The share of the volume of the room that balls fill.
const PACKING: f64 = 0.26;

/// The shape of a free body. The radius of a cube is half its edge. Cubes do not rotate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Ball,
    Cube,
}

/// The shapes of which a heap consists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Balls,
    Cubes,
    /// Balls and cubes alternate along each axis.
    Mixed,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Balls => "balls",
            Self::Cubes => "cubes",
            Self::Mixed => "balls and cubes",
        })
    }
}

/// A free body at the start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item {
    pub(crate) shape: Shape,
    /// Position, m.
    pub(crate) position: DVec3,
    /// Velocity, m/s.
    pub(crate) velocity: DVec3,
}

/// A half-space: all points x with `normal`·x < `offset` (m) are solid.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wall {
    pub(crate) normal: DVec3,
    pub(crate) offset: f64,
}

/// Free bodies between walls.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(crate) items: Vec<Item>,
    pub(crate) walls: Vec<Wall>,
    /// Radius of every body, m.
    pub(crate) radius: f64,
    /// Along −z, m/s².
    pub(crate) gravity: f64,
    pub(crate) restitution: f64,
    pub(crate) friction: f64,
}

/// The parameters of a heap.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heap {
    pub(crate) kind: Kind,
    pub(crate) count: usize,
    /// Radius, m.
    pub(crate) radius: f64,
    pub(crate) friction: f64,
}

impl Scene {
    /// Bodies above the floor of a square pit, on a lattice with (`count`/2)^⅓ bodies per side. Each body is slightly
    /// off its place.
    pub(crate) fn heap(heap: &Heap, seed: u64) -> Self {
        let Heap { kind, count, radius, friction } = *heap;
        let side = (1..).find(|side: &usize| 2 * side.pow(3) >= count).unwrap_or(1);
        let diameter = 2.0 * radius;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let items = cells(side).take(count).map(|cell| {
            let off = vector(&mut random, OFF);
            let lattice = cell.map(|n| n as f64 * SPACING);
            let corner = DVec3::new(0.5 * SPACING, 0.5 * SPACING, LOWEST);
            let position = (DVec3::from_array(lattice) + corner + off) * diameter;
            let shape = match kind {
                Kind::Balls => Shape::Ball,
                Kind::Cubes => Shape::Cube,
                Kind::Mixed if cell.iter().sum::<usize>() % 2 == 0 => Shape::Ball,
                Kind::Mixed => Shape::Cube,
            };
            Item { shape, position, velocity: DVec3::ZERO }
        });
        let items = items.collect();
        let mut walls = vec![Wall { normal: DVec3::Z, offset: 0.0 }];
        walls.extend([DVec3::X, DVec3::Y].into_iter().flat_map(|axis| facing(axis, side as f64 * SPACING * diameter)));
        Self { items, walls, radius, gravity: GRAVITY, restitution: 0.3, friction }
    }

    /// Elastic balls of radius 0.5 m in a cubic room without gravity, with velocities of at most 1 m/s along each axis.
    pub(crate) fn room(count: usize, seed: u64) -> Self {
        let radius = 0.5;
        let side = (1..).find(|side: &usize| side.pow(3) >= count).unwrap_or(1);
        let edge = (count as f64 * ball_volume(radius) / PACKING).cbrt();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let items = cells(side).take(count).map(|cell| {
            let position = (DVec3::from_array(cell.map(|n| n as f64)) + 0.5) * (edge / side as f64);
            Item { shape: Shape::Ball, position, velocity: vector(&mut random, 1.0) }
        });
        let items = items.collect();
        let walls = DVec3::AXES.into_iter().flat_map(|axis| facing(axis, edge)).collect();
        Self { items, walls, radius, gravity: 0.0, restitution: 1.0, friction: 0.0 }
    }

    /// The energy that lifts every body by its radius: the sum of m g r, J.
    pub(crate) fn lift(&self) -> f64 {
        self.items.iter().map(|item| self.mass(item.shape)).sum::<f64>() * self.gravity * self.radius
    }

    /// Mass of a body, kg.
    pub(crate) fn mass(&self, shape: Shape) -> f64 {
        DENSITY
            * match shape {
                Shape::Ball => ball_volume(self.radius),
                Shape::Cube => 8.0 * self.radius.powi(3),
            }
    }
}

/// Two walls that face each other, `width` apart, the first through the origin.
fn facing(axis: DVec3, width: f64) -> [Wall; 2] {
    [Wall { normal: axis, offset: 0.0 }, Wall { normal: -axis, offset: -width }]
}

/// The cells of a lattice of `side` × `side` columns, layer by layer upwards.
fn cells(side: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..).map(move |n| [n % side, n / side % side, n / side / side])
}

fn ball_volume(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius.powi(3)
}

/// A vector with components in [−`size`, `size`).
pub(crate) fn vector(random: &mut ChaCha8Rng, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.random_range(-size..size)))
}
