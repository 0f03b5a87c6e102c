//! Beyond the horizon: means over time, compared with those of the exact course and its twins.
//!
//! Single paths cannot be predicted there, but means can. Exact runs that begin an ulp apart give the mean and its
//! spread. The result is the deviation of a trajectory in standard deviations of one run. The spread of a few runs is
//! uncertain, so it counts as at least one per cent.

use glam::DVec3;

use super::measured::{Measured, Outcome, Worst};
use crate::motion::SimTime;
use crate::oracle::exact::{Exact, Moment};
use crate::oracle::trajectory::Trajectory;

/// Least spread, over the mean.
const SPREAD_MIN: f64 = 0.01;
/// Least fraction of the course that must be beyond the horizon.
const SHARE_MIN: f64 = 0.1;
/// Least number of rows beyond the horizon.
const ROWS_MIN: usize = 10;

const NAMES: [&str; 3] = ["kinetic energy", "mean square distance from the beginning", "evenness of speeds"];

pub(super) fn beyond(exact: &Exact, theirs: &Trajectory) -> Outcome {
    let until = exact.horizon.until;
    let rows: Vec<usize> = (0..theirs.len()).filter(|&row| theirs.times[row].seconds() > until).collect();
    if exact.horizon.why.is_none() || exact.scenario.duration - until < SHARE_MIN * exact.scenario.duration {
        return Err("the whole course can be predicted");
    }
    if rows.len() < ROWS_MIN {
        return Err("too few rows beyond the horizon");
    }
    let times: Vec<SimTime> = rows.iter().map(|&row| theirs.times[row]).collect();
    let found = means(exact, rows.len(), |place, rank| theirs.tracks[place][rows[rank]]);
    let runs: Vec<[f64; 3]> = exact
        .courses()
        .map(|course| means(exact, times.len(), |place, rank| course.shown_at(exact.free[place], times[rank])))
        .collect();
    let mut worst = Worst::new();
    for (which, name) in NAMES.iter().enumerate() {
        let count = runs.len() as f64;
        let mean = runs.iter().map(|run| run[which]).sum::<f64>() / count;
        let variance = runs.iter().map(|run| (run[which] - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        // The variance of one more run around the mean of these runs.
        let spread = (variance * (1.0 + 1.0 / count)).sqrt().max(SPREAD_MIN * mean.abs());
        if spread > 0.0 {
            worst.see((found[which] - mean) / spread, *name);
        }
    }
    let name = worst.of.ok_or("nothing moves beyond the horizon")?;
    Ok(Measured::new(worst.value, name))
}

/// Mean kinetic energy; mean squared displacement from the beginning; and (mean speed)² over the mean square of the
/// speed.
fn means(exact: &Exact, rows: usize, moment: impl Fn(usize, usize) -> Moment) -> [f64; 3] {
    let (mut energy, mut way, mut speed, mut square) = (0.0, 0.0, 0.0, 0.0);
    for (place, &body) in exact.free.iter().enumerate() {
        let began: DVec3 = exact.bodies[body].position;
        for row in 0..rows {
            let Moment { position, velocity, .. } = moment(place, row);
            energy += 0.5 * exact.mass(body) * velocity.length_squared();
            way += (position - began).length_squared();
            speed += velocity.length();
            square += velocity.length_squared();
        }
    }
    let count = (rows * exact.free.len()) as f64;
    let evenness = if square > 0.0 { (speed / count).powi(2) / (square / count) } else { 0.0 };
    [energy / rows as f64, way / count, evenness]
}
