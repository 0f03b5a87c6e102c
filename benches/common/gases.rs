//! Gases of equal and of unlike bodies, at any packing fraction.

use std::f64::consts::PI;

use carom::dynamics::{Body, Period, Restitution, Settings, Space};
use carom::geometry::Shape;
use carom::glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number of random summands. Their sum is approximately normally distributed.
const SUMMANDS: usize = 12;

/// The kind of gas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// Equal elastic spheres.
    Equal,
    /// Every second sphere is smaller by a factor of 1.4.
    Binary,
    /// Diameters are spread evenly between 0.6 and 1.
    Spread,
    /// A restitution of 0.99.
    Lossy,
    /// Six half-spaces in place of the periods.
    Walls,
    /// The same, but one of the half-spaces moves inwards.
    Piston,
    /// Every tenth body is a cube that fits into the sphere.
    Cubes,
}

impl Kind {
    /// The body with the number `row`, at rest.
    fn body(self, row: usize, random: &mut ChaCha8Rng) -> Body {
        let radius = match self {
            Self::Binary if row % 2 == 1 => 0.5 / 1.4,
            Self::Spread => random.random_range(0.3..0.5),
            _ => 0.5,
        };
        let body = if self == Self::Cubes && row.is_multiple_of(10) {
            Body::cuboid(DVec3::splat(0.28), 1.0)
        } else {
            Body::sphere(radius, 1.0)
        };
        body.expect("sizes above zero")
    }
}

fn volume(body: &Body) -> f64 {
    let half = body.shape.half_extents();
    let part = if matches!(body.shape, Shape::Sphere(_)) { PI / 6.0 } else { 1.0 };
    8.0 * part * half.x * half.y * half.z
}

/// The bodies on their lattice. Their velocities have zero mean and a mean square of 3.
pub(crate) fn gas(side: usize, packing: f64, kind: Kind) -> (Settings, Vec<Body>) {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let shapes: Vec<Body> = (0..4 * side.pow(3)).map(|row| kind.body(row, &mut random)).collect();
    let length = (shapes.iter().map(volume).sum::<f64>() / packing).cbrt();
    let edge = length / side as f64;
    let corners = [DVec3::ZERO, DVec3::new(0.0, 0.5, 0.5), DVec3::new(0.5, 0.0, 0.5), DVec3::new(0.5, 0.5, 0.0)];
    let cells = (0..side.pow(3)).map(|n| [n % side, n / side % side, n / side / side].map(|n| n as f64));
    let places = cells.flat_map(|cell| corners.map(|corner| (DVec3::from_array(cell) + corner + 0.25) * edge));
    let mut normal = || (0..SUMMANDS).map(|_| random.random_range(-0.5..0.5)).sum::<f64>();
    let velocities: Vec<DVec3> = shapes.iter().map(|_| DVec3::new(normal(), normal(), normal())).collect();
    let count = shapes.len() as f64;
    let mean = velocities.iter().sum::<DVec3>() / count;
    let square = velocities.iter().map(|velocity| (velocity - mean).length_squared()).sum::<f64>() / count;
    let factor = (3.0 / square).sqrt();
    let mut settings = Settings::default();
    let restitution = if kind == Kind::Lossy { 0.99 } else { 1.0 };
    let material = settings.materials.add(Restitution::new(restitution).expect("a restitution"));
    let moving = shapes.into_iter().zip(places).zip(velocities);
    let mut bodies: Vec<Body> = moving
        .map(|((body, place), velocity)| body.at(place).moving((velocity - mean) * factor).made_of(material))
        .collect();
    if matches!(kind, Kind::Walls | Kind::Piston) {
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let walls = [(axis, -0.5), (-axis, -0.5 - length)];
            bodies.extend(
                walls.map(|(normal, offset)| Body::plane(normal, offset).expect("a unit normal").made_of(material)),
            );
        }
        if kind == Kind::Piston {
            let wall = bodies.pop().expect("six walls");
            bodies.push(wall.moving(DVec3::Z * -0.01).kinematic());
        }
    } else {
        settings.space = Space { periods: [Some(Period { min: 0.0, max: length }); 3], ..Space::default() };
    }
    (settings, bodies)
}
