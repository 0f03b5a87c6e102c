//! One gas in a periodic cube, up to some time: `gas SPHERES PACKING TIME [KIND]`.
//!
//! It begins as EDMD does: a face-centred cubic lattice of spheres of diameter 1 and mass 1, with velocities of kT = 1. It
//! prints the number of impacts, the compressibility factor Z of equal elastic spheres from their virial, and a checksum of
//! all impacts, which shows whether another build gives the same bits. The other kinds of gas are in [`Kind`].

use std::f64::consts::PI;
use std::process::ExitCode;

use carom::dynamics::{Body, Event, Period, Progress, Restitution, Settings, Space, Stepper};
use carom::geometry::Shape;
use carom::glam::DVec3;
use carom::motion::SimTime;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Events in the buffer before they are dropped.
const BUFFER: usize = 10_000;

/// Numbers in a sum that is nearly normal.
const SUMMANDS: usize = 12;

/// What the program is asked for.
struct Wanted {
    spheres: usize,
    packing: f64,
    time: f64,
    kind: Kind,
}

/// The kind of gas.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
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
    /// The same, with one of them that moves inwards.
    Piston,
    /// Every tenth body is a cube that fits into the sphere.
    Cubes,
}

impl Wanted {
    fn read() -> Option<Self> {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let ([spheres, packing, time], kind) = match &words[..] {
            [spheres, packing, time] => ([spheres, packing, time], Kind::Equal),
            [spheres, packing, time, kind] => ([spheres, packing, time], Kind::named(kind)?),
            _ => return None,
        };
        Some(Self { spheres: spheres.parse().ok()?, packing: packing.parse().ok()?, time: time.parse().ok()?, kind })
    }

    /// Cells along each edge of the cube, each with four spheres.
    fn side(&self) -> Option<usize> {
        (1..=1000).find(|side| 4 * side * side * side == self.spheres)
    }
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "equal" => Self::Equal,
            "binary" => Self::Binary,
            "spread" => Self::Spread,
            "lossy" => Self::Lossy,
            "walls" => Self::Walls,
            "piston" => Self::Piston,
            "cubes" => Self::Cubes,
            _ => return None,
        })
    }

    /// The shape in a row, at rest.
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

/// The bodies on their lattice, with velocities that have no mean and a mean square of 3.
fn gas(side: usize, packing: f64, kind: Kind) -> (Settings, Vec<Body>) {
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
        settings.space = Space { periods: [Some(Period { min: 0.0, max: length }); 3] };
    }
    (settings, bodies)
}

/// A checksum with one more impact (Fowler, Noll & Vo, by words instead of bytes).
fn mixed(checksum: u64, event: &Event) -> u64 {
    let bodies = u64::from(event.a.0) << 32 | u64::from(event.b.0);
    let numbers = [event.time.seconds(), event.impulse, event.point.x, event.normal.z].map(f64::to_bits);
    numbers.into_iter().chain([bodies]).fold(checksum, |sum, word| (sum ^ word).wrapping_mul(0x0000_0100_0000_01B3))
}

fn main() -> ExitCode {
    let Some((side, wanted)) = Wanted::read().and_then(|wanted| Some((wanted.side()?, wanted))) else {
        eprintln!(
            "gas SPHERES PACKING TIME [KIND]: the number of spheres is 4 n³, the time is in units of the diameter and kT"
        );
        return ExitCode::FAILURE;
    };
    let (settings, spheres) = gas(side, wanted.packing, wanted.kind);
    let mut stepper = Stepper::new(settings, &spheres).expect("a gas");
    drop(spheres);
    let target = SimTime::from_seconds(wanted.time);
    let (mut impacts, mut virial, mut checksum) = (0, 0.0, 0);
    loop {
        let progress = stepper.advance(target, BUFFER).expect("a gas goes on");
        let events = stepper.take_events();
        impacts += events.len();
        virial += events.iter().map(|event| event.impulse).sum::<f64>();
        checksum = events.iter().fold(checksum, mixed);
        if progress == Progress::Reached {
            break;
        }
    }
    let z = 1.0 + virial / (3.0 * wanted.spheres as f64 * wanted.time);
    println!("{impacts} impacts, Z {z:.4}, checksum {checksum:016x}");
    ExitCode::SUCCESS
}
