//! Energy and momentum gained and lost.

use glam::DVec3;

use super::measured::{Measured, Outcome, Worst};
use crate::dynamics::Motion;
use crate::numeric::rounded;
use crate::oracle::exact::Exact;
use crate::oracle::trajectory::Trajectory;

/// Change of the exact energy up to which it counts as conserved, over the largest kinetic energy.
const CONSERVED: f64 = 1e-9;

/// The energy gained and the energy lost, over the largest kinetic energy of the exact course. Only the motion of
/// centres counts, not the spins. A row is compared with the exact energies from the row before to the row after, so
/// that an impact which is a little early or late is not counted here, too. Beyond the horizon only a conserved energy
/// can be compared.
pub(super) fn energy(exact: &Exact, theirs: &Trajectory, ideal: &Trajectory) -> (Outcome, Outcome) {
    let meant: Vec<[f64; 2]> = (0..ideal.len()).map(|row| energies(exact, ideal, row)).collect();
    let total: Vec<f64> = meant.iter().map(|parts| parts[0] + parts[1]).collect();
    let kinetic = meant.iter().map(|parts| parts[0]).fold(0.0, f64::max);
    let scale = if kinetic > 0.0 { kinetic } else { rest_scale(exact) };
    let spread = total.iter().fold(0.0_f64, |most, energy| most.max((energy - total[0]).abs()));
    let is_conserved = spread <= CONSERVED * scale;
    let (mut gained, mut lost) = (Worst::new(), Worst::new());
    for (row, time) in theirs.times.iter().enumerate() {
        if !is_conserved && time.seconds() > exact.horizon.until {
            break;
        }
        let found: f64 = energies(exact, theirs, row).iter().sum();
        let around = &total[row.saturating_sub(1)..(row + 2).min(total.len())];
        let [low, high] =
            [f64::min, f64::max].map(|pick: fn(f64, f64) -> f64| around.iter().copied().fold(total[row], pick));
        gained.see((found - high).max(0.0) / scale, row);
        lost.see((low - found).max(0.0) / scale, row);
    }
    let told = |worst: Worst<usize>| Ok(Measured::new(worst.value, when(worst, theirs)));
    (told(gained), told(lost))
}

/// Kinetic and potential energy of the free bodies, J.
fn energies(exact: &Exact, of: &Trajectory, row: usize) -> [f64; 2] {
    let gravity = exact.scenario.settings.gravity;
    let mut sums = [0.0; 2];
    for (track, &body) in of.tracks.iter().zip(&exact.free) {
        let (mass, moment) = (exact.mass(body), track[row]);
        // Heights are counted from the first place of each body, so that the sum loses no digits.
        let way = moment.position - exact.bodies[body].position;
        sums[0] += 0.5 * mass * moment.velocity.length_squared();
        sums[1] -= mass * gravity.dot(way);
    }
    sums
}

/// The unit if nothing moves: the work of lifting the smallest body by its size.
fn rest_scale(exact: &Exact) -> f64 {
    let gravity = exact.scenario.settings.gravity.length();
    let work = exact.free.iter().map(|&body| exact.mass(body) * gravity * exact.size).fold(f64::INFINITY, f64::min);
    if work > 0.0 { work } else { 1.0 }
}

/// The momentum gained or lost, over the largest sum of the magnitudes of the momenta. It is judged only if all bodies
/// are free.
pub(super) fn momentum(exact: &Exact, theirs: &Trajectory) -> Outcome {
    if exact.bodies.iter().any(|body| !matches!(body.motion, Motion::Free(_))) {
        return Err("fixed or kinematic bodies take momentum");
    }
    let gravity = exact.scenario.settings.gravity;
    let mass: f64 = exact.free.iter().map(|&body| exact.mass(body)).sum();
    let sums = |row: usize| {
        theirs.tracks.iter().zip(&exact.free).fold((DVec3::ZERO, 0.0), |(vector, sum), (track, &body)| {
            let momentum = exact.mass(body) * track[row].velocity;
            (vector + momentum, sum + momentum.length())
        })
    };
    let began: DVec3 = exact.free.iter().map(|&body| exact.mass(body) * exact.bodies[body].velocity).sum();
    let scale = (0..theirs.len()).map(|row| sums(row).1).fold(0.0, f64::max);
    let mut worst = Worst::new();
    for (row, time) in theirs.times.iter().enumerate() {
        let meant = began + mass * gravity * time.seconds();
        worst.see((sums(row).0 - meant).length(), row);
    }
    if scale > 0.0 { Ok(Measured::new(worst.value / scale, when(worst, theirs))) } else { Err("nothing moves") }
}

/// The time of the worst row, in words; empty if all rows agree.
fn when(worst: Worst<usize>, theirs: &Trajectory) -> String {
    worst.note(|row| format!("at {} s", rounded(theirs.times[row].seconds(), 6)))
}
