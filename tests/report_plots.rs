//! Plots drawn from tables of known motion.

mod report_runs;
#[path = "report_runs/scenes.rs"]
mod scenes;

use std::fs;
use std::path::{Path, PathBuf};

use carom::report::draw;
use report_runs::Run;

/// Draws all plots of a run and returns the folder they are in.
fn drawn(mut run: Run, name: &str) -> PathBuf {
    let folder = run.write(name);
    let files = draw(&run.scenario, &folder, &folder).unwrap();
    assert_eq!(files.len(), 2 * run.scenario.plots.len());
    folder
}

#[test]
fn samples() {
    let runs = [
        (scenes::bounce(0.8, 14), "bounce"),
        (scenes::bounce(1.0, 60), "elastic"),
        (scenes::cradle(), "cradle"),
        (scenes::room(200), "room"),
        (scenes::gas(1000, 40), "gas1000"),
        (scenes::gas(10_000, 20), "gas10000"),
        (scenes::gas(60, 40), "gas60"),
        (scenes::workshop(), "workshop"),
        (scenes::bullet(), "bullet"),
        (scenes::galperin(), "galperin"),
        (scenes::rack(), "rack"),
        (scenes::still(0.5, 0.0, 1e-9), "still"),
        (scenes::still(1e-9, 1e9, 1e9), "far"),
        (scenes::bounce(1.0, 10_000), "elastic10000"),
    ];
    for (run, name) in runs {
        let start = std::time::Instant::now();
        drawn(run, name);
        println!("{name} {:?}", start.elapsed());
    }
    let _ = (fs::exists(Path::new("")),);
}
