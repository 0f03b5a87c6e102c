//! The cost of recording: the hash of each step of a gas of 10,976 spheres, at a timestep of one mean free time.
//!
//! `cargo bench --bench recording` prints one line; times are medians.

mod common;
#[path = "common/timing.rs"]
mod timing;

use carom::record::{Cadence, Recorder};
use carom::world::World;
use timing::{median, timed};

/// Cells of the lattice along each edge; four spheres of diameter 1 lie in each.
const SIDE: u32 = 14;
/// Mean free time, s, of 0.13031 √(m / k_B T) (Lue, *Collision statistics in the thermodynamic limit*, J. Chem. Phys.
/// 122, 2005): speeds from −1 to 1 m/s along each axis have k_B T / m = 1/3.
const TIMESTEP: f64 = 0.2257;
const STEPS_TO_MELT: usize = 40;
const STEPS: usize = 60;

fn gas() -> World {
    let (settings, bodies) = common::gas(SIDE);
    let named = bodies.into_iter().enumerate().map(|(row, body)| (format!("{row:05}"), body));
    World::new(settings, named.collect::<Vec<_>>()).unwrap()
}

fn main() {
    let mut world = gas();
    for _ in 0..STEPS_TO_MELT {
        world.step(TIMESTEP).unwrap();
        world.take_events();
    }
    let folder = tempfile::tempdir().unwrap();
    // Snapshots depend on the cadence, so this bench takes none and measures only the hashes of steps.
    let cadence = Cadence { hashes: 1, snapshots: Some(u64::MAX) };
    let mut recorder = Recorder::create(&folder.path().join("gas.carom"), "gas", &world, cadence).unwrap();
    let (mut steps, mut notes, mut snapshots) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..STEPS {
        steps.push(timed(|| world.step(TIMESTEP).unwrap()));
        world.take_events();
        notes.push(timed(|| recorder.note(&world).unwrap()));
        snapshots.push(timed(|| world.snapshot()));
    }
    let [step, note, snapshot] = [steps, notes, snapshots].map(|times| median(times) / 1e3);
    println!(
        "| {} spheres | step {step:.2} ms | hash of a step {note:.2} ms, {:.1} % | snapshot {snapshot:.2} ms |",
        world.count(),
        100.0 * note / step
    );
}
