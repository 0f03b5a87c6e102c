//! The metrics: what is measured of a trajectory, each by a plain function of the exact course and the rows.

mod conservation;
mod finding;
mod measured;
mod overlap;
mod pairs;
mod passing;
mod path;
mod rest;
mod statistics;
mod struck;

pub use finding::{Finding, METRICS, Metric, Verdict};
pub(super) use measured::Outcome;
pub(super) use path::{Errors, order};

use super::exact::Exact;
use super::trajectory::Trajectory;

/// All that is measured of one trajectory, in the order of [`METRICS`], without the order of convergence.
pub(super) fn measure(
    exact: &Exact,
    theirs: &Trajectory,
    ideal: &Trajectory,
    errors: &Errors,
) -> Vec<(Metric, Outcome)> {
    let [missed, time] = struck::first(exact, theirs, ideal);
    let (gained, lost) = conservation::energy(exact, theirs, ideal);
    let [place, rest_time, creep] = rest::rest(exact, theirs, ideal);
    vec![
        (Metric::FirstImpactMissed, missed),
        (Metric::FirstImpactTime, time),
        (Metric::TimeLost, path::lag(exact, theirs, ideal)),
        (Metric::PassedThrough, passing::passed(exact, theirs, ideal)),
        (Metric::Overlap, overlap::deepest(exact, theirs, ideal)),
        (Metric::EnergyGained, gained),
        (Metric::EnergyLost, lost),
        (Metric::Momentum, conservation::momentum(exact, theirs)),
        (Metric::Restitution, struck::restitution(exact, theirs, ideal)),
        (Metric::RestPlace, place),
        (Metric::RestTime, rest_time),
        (Metric::Creep, creep),
        (Metric::PathError, errors.measured(exact)),
        (Metric::Statistics, statistics::beyond(exact, theirs)),
    ]
}
