//! Elastic balls in a room: computing time, and the change of the energy.

use crate::calm::Goal;
use crate::runs::{Bounds, COLUMNS, in_turn};
use crate::scene::Scene;
use crate::table::{head, number, row};

/// Simulates these numbers of balls for `simulated` seconds in both engines.
pub(crate) fn room(counts: &[usize], simulated: f64, bounds: Bounds) {
    head(&[&["balls in a room"], &COLUMNS[..], &["energy left", "change of energy"]].concat());
    for &count in counts {
        let both = in_turn(|seed| Scene::room(count, seed), Goal::Simulated(simulated), bounds);
        for runs in &both {
            let left = runs.median(|run| run.kinetic / run.kinetic_start);
            let mut cells = vec![count.to_string()];
            cells.extend(runs.cells(&both[1]));
            cells.extend([format!("{left:.3}"), number(left - 1.0)]);
            row(&cells);
        }
    }
}
