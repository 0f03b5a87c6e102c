//! One gas of hard spheres in a periodic cube, up to some time: `gas SPHERES PACKING TIME`.
//!
//! It begins as EDMD does: a face-centred cubic lattice of spheres of diameter 1 and mass 1, with velocities of kT = 1. It
//! prints the number of impacts, the compressibility factor Z from their virial, and a checksum of all of them, which shows
//! whether another build gives the same bits.

use std::process::ExitCode;

use carom::dynamics::{Body, Event, Period, Settings, Space, Stepper};
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
}

impl Wanted {
    fn read() -> Option<Self> {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let [spheres, packing, time] = &words[..] else { return None };
        Some(Self { spheres: spheres.parse().ok()?, packing: packing.parse().ok()?, time: time.parse().ok()? })
    }

    /// Cells along each edge of the cube, each with four spheres.
    fn side(&self) -> Option<usize> {
        (1..=1000).find(|side| 4 * side * side * side == self.spheres)
    }
}

/// The spheres on their lattice, with velocities that have no mean and a mean square of 3.
fn gas(side: usize, packing: f64) -> (Settings, Vec<Body>) {
    let edge = (4.0 * std::f64::consts::PI / 6.0 / packing).cbrt();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let corners =
        [DVec3::ZERO, DVec3::new(0.0, 0.5, 0.5), DVec3::new(0.5, 0.0, 0.5), DVec3::new(0.5, 0.5, 0.0)];
    let cells = (0..side.pow(3)).map(|n| [n % side, n / side % side, n / side / side].map(|n| n as f64));
    let places: Vec<DVec3> =
        cells.flat_map(|cell| corners.map(|corner| (DVec3::from_array(cell) + corner + 0.25) * edge)).collect();
    let mut normal = || (0..SUMMANDS).map(|_| random.random_range(-0.5..0.5)).sum::<f64>();
    let velocities: Vec<DVec3> = places.iter().map(|_| DVec3::new(normal(), normal(), normal())).collect();
    let count = places.len() as f64;
    let mean = velocities.iter().sum::<DVec3>() / count;
    let square = velocities.iter().map(|velocity| (velocity - mean).length_squared()).sum::<f64>() / count;
    let factor = (3.0 / square).sqrt();
    let balls = places.into_iter().zip(velocities);
    let bodies = balls.map(|(place, velocity)| {
        Body::sphere(0.5, 1.0).expect("a ball").at(place).moving((velocity - mean) * factor)
    });
    let period = Some(Period { min: 0.0, max: side as f64 * edge });
    (Settings { space: Space { periods: [period; 3] }, ..Settings::default() }, bodies.collect())
}

/// A checksum with one more impact (Fowler, Noll & Vo, by words instead of bytes).
fn mixed(checksum: u64, event: &Event) -> u64 {
    let bodies = u64::from(event.a.0) << 32 | u64::from(event.b.0);
    let numbers = [event.time.seconds(), event.impulse, event.point.x, event.normal.z].map(f64::to_bits);
    numbers.into_iter().chain([bodies]).fold(checksum, |sum, word| (sum ^ word).wrapping_mul(0x0000_0100_0000_01B3))
}

fn main() -> ExitCode {
    let Some((wanted, side)) = Wanted::read().and_then(|wanted| Some((wanted.side()?, wanted))).map(|(s, w)| (w, s))
    else {
        eprintln!("gas SPHERES PACKING TIME: the number of spheres is 4 n³, the time is in units of the diameter and kT");
        return ExitCode::FAILURE;
    };
    let (settings, spheres) = gas(side, wanted.packing);
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
        if progress == carom::dynamics::Progress::Reached {
            break;
        }
    }
    let z = 1.0 + virial / (3.0 * wanted.spheres as f64 * wanted.time);
    println!("{impacts} impacts, Z {z:.4}, checksum {checksum:016x}");
    ExitCode::SUCCESS
}
