//! Heaps of balls, of cubes, and of both: computing time until they are calm.

use crate::calm::Goal;
use crate::runs::{Bounds, COLUMNS, in_turn};
use crate::scene::{Heap, Scene};
use crate::table::{head, number, row};

/// Runs each heap in both engines until it is calm.
pub(crate) fn heaps(heaps: &[Heap], bounds: Bounds) {
    head(&[&["heap", "N", "µ", "radius m"], &COLUMNS[..], &["kinetic at end / m g r"]].concat());
    for heap in heaps {
        let both = in_turn(|seed| Scene::heap(heap, seed), Goal::Calm, bounds);
        let lift = Scene::heap(heap, 1).lift();
        for runs in &both {
            let Heap { kind, count, radius, friction } = heap;
            let mut cells = vec![kind.to_string(), count.to_string(), friction.to_string(), radius.to_string()];
            cells.extend(runs.cells(&both[1]));
            cells.push(number(runs.median(|run| run.kinetic / lift)));
            row(&cells);
        }
    }
}
