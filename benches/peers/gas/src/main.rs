//! Simulates one gas in a periodic cube until a given time: `gas SPHERES PACKING TIME [KIND]`.
//!
//! The initial state is that of EDMD: a face-centred cubic lattice of spheres of diameter 1 and mass 1, with velocities
//! of kT = 1. The program prints the number of impacts, the compressibility factor Z of equal elastic spheres from
//! their virial, and a checksum of all impacts. The checksum shows whether another build gives the same bits. The other
//! kinds of gas are in [`gases`].

#[path = "../../../common/gases.rs"]
mod gases;

use std::process::ExitCode;

use carom::dynamics::{Event, Progress, Stepper};
use carom::motion::SimTime;
use gases::{Kind, gas};

/// Events in the buffer before they are dropped.
const BUFFER: usize = 10_000;

/// The arguments of the program.
struct Wanted {
    spheres: usize,
    packing: f64,
    time: f64,
    kind: Kind,
}

impl Wanted {
    fn read() -> Option<Self> {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let ([spheres, packing, time], kind) = match &words[..] {
            [spheres, packing, time] => ([spheres, packing, time], Kind::Equal),
            [spheres, packing, time, kind] => ([spheres, packing, time], named(kind)?),
            _ => return None,
        };
        Some(Self { spheres: spheres.parse().ok()?, packing: packing.parse().ok()?, time: time.parse().ok()?, kind })
    }

    /// Cells along each edge of the cube. Each cell has four spheres.
    fn side(&self) -> Option<usize> {
        (1..=1000).find(|side| 4 * side * side * side == self.spheres)
    }
}

/// The kind of gas with this name.
fn named(name: &str) -> Option<Kind> {
    Some(match name {
        "equal" => Kind::Equal,
        "binary" => Kind::Binary,
        "spread" => Kind::Spread,
        "lossy" => Kind::Lossy,
        "walls" => Kind::Walls,
        "piston" => Kind::Piston,
        "cubes" => Kind::Cubes,
        _ => return None,
    })
}

/// Adds one impact to a checksum (Fowler, Noll & Vo, by words instead of bytes).
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
