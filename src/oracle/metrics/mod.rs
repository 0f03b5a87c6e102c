//! The metrics. Each is a plain function of the exact course and the rows of a trajectory.

mod conservation;
mod finding;
mod measured;
mod overlap;
mod passing;
mod path;
mod rest;
mod statistics;
mod struck;
mod turning;

pub use finding::{Finding, METRICS, Metric, Verdict};
pub(super) use measured::Outcome;
pub(super) use path::{Errors, order};

use struck::Reported;

use super::exact::Exact;
use super::trajectory::Trajectory;

const NO_LOG: &str = "there is no log of events";
const NO_VELOCITIES: &str = "the table has no velocities";

/// All metrics of one trajectory, in the order of [`METRICS`], without the order of convergence.
pub(super) fn measure(
    exact: &Exact,
    theirs: &Trajectory,
    ideal: &Trajectory,
    errors: &Errors,
) -> Vec<(Metric, Outcome)> {
    let without =
        || Reported { first: struck::first(exact, theirs, ideal), all: [Err(NO_LOG), Err(NO_LOG), Err(NO_LOG)] };
    let Reported { first: [missed, time], all } = struck::reported(exact, theirs).unwrap_or_else(without);
    let [all_missed, extra, all_time] = all;
    let (gained, lost) = conservation::energy(exact, theirs, ideal);
    let [place, rest_time, creep] = rest::rest(exact, theirs, ideal);
    let mut outcomes = vec![
        (Metric::FirstImpactMissed, missed),
        (Metric::FirstImpactTime, time),
        (Metric::ImpactsMissed, all_missed),
        (Metric::ImpactsExtra, extra),
        (Metric::ImpactTime, all_time),
        (Metric::TimeLost, path::lag(exact, theirs, ideal)),
        (Metric::PassedThrough, passing::passed(exact, theirs, ideal)),
        (Metric::Overlap, overlap::deepest(exact, theirs, ideal)),
        (Metric::EnergyGained, gained),
        (Metric::EnergyLost, lost),
        (Metric::Momentum, conservation::momentum(exact, theirs)),
        (Metric::Restitution, struck::restitution(exact, theirs, ideal)),
        (Metric::Spin, turning::spin(exact, theirs, ideal, errors.within)),
        (Metric::Slip, turning::slip(exact, theirs, ideal, errors.within)),
        (Metric::RestPlace, place),
        (Metric::RestTime, rest_time),
        (Metric::Creep, creep),
        (Metric::PathError, errors.measured(exact)),
        (Metric::Statistics, statistics::beyond(exact, theirs)),
    ];
    if !theirs.has_velocities {
        let is_blind = |metric| needs_velocities(metric, theirs.impacts.is_some());
        outcomes.iter_mut().filter(|(metric, _)| is_blind(*metric)).for_each(|(_, found)| *found = Err(NO_VELOCITIES));
    }
    outcomes
}

/// Whether a metric is found in the velocities of the rows. With a log of events, first impacts are not.
const fn needs_velocities(metric: Metric, has_log: bool) -> bool {
    match metric {
        Metric::FirstImpactMissed | Metric::FirstImpactTime => !has_log,
        Metric::TimeLost
        | Metric::EnergyGained
        | Metric::EnergyLost
        | Metric::Momentum
        | Metric::Restitution
        | Metric::Slip
        | Metric::RestTime
        | Metric::Statistics => true,
        _ => false,
    }
}
