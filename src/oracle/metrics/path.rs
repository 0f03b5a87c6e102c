//! How far a trajectory is from the exact path, how far it lags behind, and how the error falls with the timestep.

use super::measured::{Measured, Outcome, Worst};
use crate::numeric::rounded;
use crate::oracle::exact::Exact;
use crate::oracle::trajectory::Trajectory;

/// The delay of a body is measured where it has at least this fraction of its greatest speed.
const FAST: f64 = 0.5;
/// Errors below this are rounding errors and have no order of convergence, in sizes.
const ROUNDING: f64 = 1e-9;
/// Errors above this are outside of the range in which they shrink with the timestep, in sizes.
const COARSE: f64 = 1e3;

/// The distance from the exact path at each time.
#[derive(Debug, Clone)]
pub(in crate::oracle) struct Errors {
    /// For each time, the greatest distance of all bodies, m, with the index of the body.
    pub(in crate::oracle) greatest: Vec<(f64, usize)>,
    /// Root of the mean square up to the horizon, m.
    pub(in crate::oracle) root_mean_square: f64,
    /// The number of times not beyond the horizon.
    pub(in crate::oracle) within: usize,
}

impl Errors {
    pub(in crate::oracle) fn new(exact: &Exact, theirs: &Trajectory, ideal: &Trajectory) -> Self {
        let within = theirs.times.partition_point(|time| time.seconds() <= exact.horizon.until);
        let mut greatest = Vec::with_capacity(theirs.len());
        let mut squares = 0.0;
        for row in 0..theirs.len() {
            let mut worst = Worst::new();
            for place in 0..exact.free.len() {
                let distance = theirs.tracks[place][row].position.distance(ideal.tracks[place][row].position);
                worst.see(distance, place);
                squares += if row < within { distance * distance } else { 0.0 };
            }
            greatest.push((worst.value, worst.of.unwrap_or(0)));
        }
        let count = (within * exact.free.len()).max(1);
        Self { greatest, root_mean_square: (squares / count as f64).sqrt(), within }
    }

    /// The greatest error up to the horizon, m, with its row.
    pub(in crate::oracle) fn worst(&self) -> (f64, usize) {
        let mut worst = Worst::new();
        self.greatest[..self.within].iter().enumerate().for_each(|(row, &(error, _))| worst.see(error, row));
        (worst.value, worst.of.unwrap_or(0))
    }

    pub(super) fn measured(&self, exact: &Exact) -> Outcome {
        if self.within < 2 {
            return Err("the horizon is before the second row");
        }
        let (error, row) = self.worst();
        let name = &exact.names[exact.free[self.greatest[row].1]];
        let note =
            format!("{} m, `{name}`; root mean square {} m", rounded(error, 3), rounded(self.root_mean_square, 3));
        Ok(Measured::new(error / exact.size, note))
    }
}

/// The delay of each body behind the exact body near the end, s; the worst of all bodies. Negative is ahead.
pub(super) fn lag(exact: &Exact, theirs: &Trajectory, ideal: &Trajectory) -> Outcome {
    let mut worst = Worst::new();
    for (place, &body) in exact.free.iter().enumerate() {
        let (track, path) = (&theirs.tracks[place], &ideal.tracks[place]);
        let fastest = path.iter().map(|moment| moment.velocity.length()).fold(0.0, f64::max);
        let last = (1..theirs.len()).rev().find_map(|row| {
            let (found, meant) = (track[row], path[row]);
            let speed = meant.velocity.length();
            let is_alike = found.velocity.dot(meant.velocity) > 0.5 * speed * found.velocity.length();
            let next = theirs.times[(row + 1).min(theirs.len() - 1)];
            let is_flight = !exact.is_bent(body, theirs.times[row - 1], next);
            let is_within = theirs.times[row].seconds() <= exact.horizon.until;
            (is_within && is_alike && is_flight && speed > 0.0 && speed >= FAST * fastest)
                .then(|| (meant.position - found.position).dot(meant.velocity) / (speed * speed))
        });
        if let Some(lag) = last {
            worst.see(lag, body);
        }
    }
    worst.of.ok_or("no body in steady motion that both have")?;
    let word = if worst.value > 0.0 { "behind" } else { "ahead" };
    Ok(Measured::new(worst.value, worst.note(|body| format!("{word}, `{}`", exact.names[body]))))
}

/// The order of convergence: the slope of the logarithm of the error over the logarithm of the timestep, by least
/// squares. If all errors are within their limit, in sizes, they need not fall: an exact method has only rounding
/// errors.
pub(in crate::oracle) fn order(exact: &Exact, points: &[(f64, f64)], limit: f64) -> Outcome {
    let mut steps: Vec<f64> = points.iter().map(|point| point.0).collect();
    steps.sort_by(f64::total_cmp);
    steps.dedup();
    if steps.len() < 2 {
        return Err("several timesteps are needed");
    }
    if points.iter().all(|&(_, error)| error <= ROUNDING * exact.size) {
        return Err("all errors are rounding");
    }
    if points.iter().all(|&(_, error)| error <= limit * exact.size) {
        return Err("all errors are within their limit");
    }
    let is_fit =
        |&&(step, error): &&(f64, f64)| step > 0.0 && error > ROUNDING * exact.size && error < COARSE * exact.size;
    let logs: Vec<(f64, f64)> = points.iter().filter(is_fit).map(|&(step, error)| (step.ln(), error.ln())).collect();
    if logs.len() < 2 {
        return Err("fewer than two errors are between rounding and chaos");
    }
    let count = logs.len() as f64;
    let (x, y) = logs.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (above, below) = logs.iter().fold((0.0, 0.0), |(above, below), point| {
        (above + (point.0 - x) * (point.1 - y), below + (point.0 - x) * (point.0 - x))
    });
    Ok(Measured::new(above / below, format!("of {} timesteps", logs.len())))
}
