//! Compares carom with Rapier and parry: the same scenes, alternately in one process, as Markdown tables.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml -- heaps --n 100,1000 --limit 60`. See README.md.

mod calm;
mod carom;
mod engine;
mod heaps;
mod movers;
mod overlap;
mod rapier;
mod room;
mod runs;
mod scene;
mod sweeps;
mod table;

use clap::{Parser, ValueEnum};

use engine::Name;
use runs::Bounds;
use scene::{Heap, Kind};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Balls in a pit, until they are calm.
    Heaps,
    /// Cubes in a pit, then balls and cubes.
    Boxes,
    /// Elastic balls in a room, for 10 s.
    Room,
    /// Times of impact of single pairs.
    Sweeps,
    /// A character on tiles.
    Movers,
    /// All of them.
    All,
}

#[derive(Debug, Parser)]
struct Arguments {
    #[arg(value_enum, default_value = "all")]
    part: Part,
    /// Less of everything: heaps of at most 1,000, one radius, 1 s in the room.
    #[arg(long)]
    quick: bool,
    /// Bodies of a heap or in the room.
    #[arg(long, value_delimiter = ',', value_name = "N")]
    n: Vec<usize>,
    /// Friction.
    #[arg(long, value_delimiter = ',', value_name = "X", default_value = "0,0.5")]
    mu: Vec<f64>,
    /// Radius of a ball, half the edge of a cube, m.
    #[arg(long, value_delimiter = ',', value_name = "R")]
    radius: Vec<f64>,
    /// Give Rapier boxes as walls: it takes less time with them than with half-spaces.
    #[arg(long)]
    box_walls: bool,
    /// Computing seconds after which a run is stopped.
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0)]
    limit: f64,
    /// Runs of each scene; the table has medians.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
}

impl Arguments {
    /// The numbers of bodies, with these defaults if the command line gives none.
    fn counts<'a>(&'a self, counts: &'a [usize]) -> &'a [usize] {
        if self.n.is_empty() { counts } else { &self.n }
    }

    fn heaps(&self, kinds: &[Kind], radii: &[f64]) -> Vec<Heap> {
        let counts = self.counts(if self.quick { &[100, 1000] } else { &[100, 1000, 10_000] });
        let radii = if self.radius.is_empty() { radii } else { &self.radius };
        let mut heaps = Vec::new();
        for &kind in kinds {
            for &radius in radii {
                for &count in counts {
                    heaps.extend(self.mu.iter().map(|&friction| Heap { kind, count, radius, friction }));
                }
            }
        }
        heaps
    }
}

fn main() {
    let arguments = Arguments::parse();
    let wants = |part| arguments.part == part || arguments.part == Part::All;
    let peer = if arguments.box_walls { Name::RapierBoxWalls } else { Name::Rapier };
    let bounds = Bounds { seeds: arguments.seeds, peer, limit: arguments.limit };
    if wants(Part::Heaps) {
        let radii: &[f64] = if arguments.quick { &[0.5] } else { &[0.5, 0.05] };
        heaps::heaps(&arguments.heaps(&[Kind::Balls], radii), bounds);
    }
    if wants(Part::Boxes) {
        heaps::heaps(&arguments.heaps(&[Kind::Cubes, Kind::Mixed], &[0.5]), bounds);
    }
    if wants(Part::Room) {
        room::room(arguments.counts(&[10_000]), if arguments.quick { 1.0 } else { 10.0 }, bounds);
    }
    if wants(Part::Sweeps) {
        sweeps::sweeps();
    }
    if wants(Part::Movers) {
        movers::movers(if arguments.quick { 2000 } else { 100_000 });
    }
}
