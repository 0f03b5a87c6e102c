//! Rollback under commands: a world that goes back some frames, after inputs that were guessed wrong, comes to the same
//! events and the same bits.

use carom::dynamics::Event;
use carom::world::{Command, Snapshot, World};

use super::commanded::{Kind, command, start};
use crate::common::{Random, is_thorough};

const FRAMES: usize = 40;
const BACK: usize = 8;

/// What happened in a frame: its inputs, its duration in s, and what came of it.
struct Frame {
    before: Vec<u8>,
    inputs: Vec<Command>,
    seconds: f64,
    events: Vec<Event>,
    after: Snapshot,
}

/// Carries out what the world takes, and steps.
fn step(world: &mut World, inputs: &[Command], seconds: f64) -> Result<Vec<Event>, String> {
    for input in inputs {
        let _ = world.carry_out(input);
    }
    world.step(seconds).map_err(|error| error.to_string())?;
    Ok(world.take_events())
}

/// Runs a world, and beside it one that goes back again and again. Returns the numbers of events and of ways back.
fn go(seed: u64, kind: Kind) -> Result<[usize; 2], String> {
    let mut random = Random::new(seed);
    let mut world = start(&mut random, kind);
    let (mut other, mut frames) = (world.clone(), Vec::<Frame>::new());
    let mut counts = [0; 2];
    // Some worlds get few commands, so that mostly no body comes, goes or is altered.
    let rare = 1 + random.below(6);
    let (mut spawned, mut agreed) = (0, 0);
    let mut input = |world: &World, random: &mut Random| {
        spawned += 1;
        command(world, kind, random, spawned)
    };
    for number in 0..FRAMES {
        let mut before = vec![7; 3];
        world.save_into(&mut before);
        let inputs: Vec<Command> =
            (0..usize::from(random.below(rare) == 0)).map(|_| input(&world, &mut random)).collect();
        let seconds = random.between(0.005, 0.1);
        let events = step(&mut world, &inputs, seconds)?;
        counts[0] += events.len();
        frames.push(Frame { before, inputs, seconds, events, after: world.snapshot() });
        let (wrong, long) = (random.below(3) == 0, random.between(0.0, 0.3));
        let guesses: Vec<Command> = (0..usize::from(wrong)).map(|_| input(&other, &mut random)).collect();
        // An error ends this run, but not the other world: it goes back.
        let _ = step(&mut other, &guesses, if random.below(2) == 0 { seconds } else { long });
        if number + 1 < FRAMES && random.below(3) > 0 {
            continue;
        }
        counts[1] += 1;
        // Back to a state that both worlds have had.
        let first = agreed - random.below(1 + BACK.min(agreed));
        other.restore_from(&frames[first].before).map_err(|error| format!("frame {number}: {error}"))?;
        agreed = frames.len();
        for (row, frame) in frames.iter().enumerate().skip(first) {
            let mut again = Vec::new();
            other.save_into(&mut again);
            if again != frame.before {
                return Err(format!("frame {number}, back to {first}: frame {row} begins with other bytes"));
            }
            if step(&mut other, &frame.inputs, frame.seconds)? != frame.events || other.snapshot() != frame.after {
                return Err(format!("frame {number}, back to {first}: frame {row} goes another way"));
            }
        }
        if other.contacts() != world.contacts() || other.audit() != world.audit() {
            return Err(format!("frame {number}, back to {first}: other contacts or accounts"));
        }
    }
    Ok(counts)
}

#[test]
fn worlds_that_go_back_come_to_the_same_bits() {
    let seeds = if is_thorough() { 300 } else { 6 };
    let (mut counts, mut faults) = ([0; 2], Vec::new());
    for kind in [Kind::Room, Kind::Hall, Kind::Gas, Kind::Heap, Kind::Cells, Kind::Pit] {
        for seed in 0..seeds {
            match go(seed, kind) {
                Ok(found) => counts = [counts[0] + found[0], counts[1] + found[1]],
                Err(fault) => faults.push(format!("{kind:?} {seed}: {fault}")),
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(counts[0] > 500 * seeds as usize && counts[1] > 50 * seeds as usize, "{counts:?}");
}
