//! Heaps of balls, of cubes and of both: computing time until they are calm.

use crate::calm::{Goal, Run, run};
use crate::engine::Name;
use crate::scene::{GRAVITY, Heap, Scene};
use crate::table::{Runs, head, number, ratio, row, step_median, step_worst};

/// Runs all `heaps` in both engines in turn, with seeds from 1 to `seeds`, each for at most `limit` seconds of computing.
pub(crate) fn heaps(heaps: &[Heap], seeds: u64, limit: f64) {
    head(&[
        "heap, N, µ, radius",
        "engine",
        "calm",
        "computing s",
        "carom / Rapier",
        "simulated s",
        "deepest overlap / diameter",
        "kinetic at end / m g r",
        "median step ms",
        "worst / median step",
    ]);
    for heap in heaps {
        let mut runs = Name::BOTH.map(|_| Runs(Vec::new()));
        for seed in 1..=seeds {
            let scene = Scene::heap(heap, seed);
            for (name, runs) in Name::BOTH.into_iter().zip(&mut runs) {
                runs.0.push(run(name, &scene, Goal::Calm, limit));
            }
        }
        let ratio = ratio(&runs[0], &runs[1]);
        for (name, runs) in Name::BOTH.into_iter().zip(&runs) {
            write(heap, name, runs, if name == Name::Carom { &ratio } else { "1" });
        }
    }
}

fn write(heap: &Heap, name: Name, runs: &Runs, ratio: &str) {
    let scene = Scene::heap(heap, 1);
    let weight = scene.items.iter().map(|item| scene.mass(item.shape)).sum::<f64>() * GRAVITY * heap.radius;
    row(&[
        format!("{:?}, {}, {}, {} m", heap.kind, heap.count, heap.friction, heap.radius),
        name.to_string(),
        runs.ends(),
        runs.computing_shown(),
        ratio.to_owned(),
        number(runs.median(|run: &Run| run.simulated)),
        number(runs.largest(|run: &Run| run.deepest)),
        number(runs.median(|run: &Run| run.kinetic / weight)),
        number(1e3 * runs.median(step_median)),
        number(runs.median(step_worst)),
    ]);
}
