//! The requests of a scenario: recording, measurements, expectations.

use serde::Deserialize;

use super::{request_schema, settings};
use crate::dynamics::{EventKind, Space};
use crate::motion::SimTime;
use crate::scenario::error_kinds::{Fault, PlanarFault};
use crate::scenario::limits::DURATION_MAX;
use crate::scenario::names::NameTable;
use crate::scenario::problem::syntax;
use crate::scenario::problem::{Entry, Report, Site};
use crate::scenario::request_types::{
    Count, Expectation, GasFigure, Observation, PackingFigure, PackingRequest, Recording,
};
use crate::scenario::schema;
use crate::scenario::vessel::check;
use crate::world::Named;

/// Digits of a hash.
const HASH_DIGITS: usize = 64;

/// Default gap of bodies that count as touching, mean diameters. Jammed balls that push each other are nearer. Few
/// others are: six in a thousand pairs of neighbours.
const GAP: f64 = 1e-4;

/// Reads what to record of a run of `duration` s; the duration is `None` if it is wrong.
pub(crate) fn record<'a>(
    top: &schema::Top<'a>,
    table: &NameTable<'_>,
    duration: Option<f64>,
    report: &mut Report<'a>,
) -> Recording {
    let defaults = Recording::default();
    let Some(entry) = settings::field("record", top.record) else { return defaults };
    let Some(raw) = syntax::read::<request_schema::Record>(entry, report) else { return defaults };
    let mut steps = |path, steps: Option<u64>| steps.and_then(|steps| report.count(entry, path, steps));
    let stride = steps("stride", raw.stride).unwrap_or(defaults.stride);
    let energy_stride = steps("energy_stride", raw.energy_stride).unwrap_or(stride);
    let hashes = steps("hashes", raw.hashes).unwrap_or(defaults.hashes);
    let snapshots = steps("snapshots", raw.snapshots);
    Recording {
        stride,
        at: instants(&raw.at, entry, duration, report),
        energy_stride,
        bodies: table.many(report, entry, "bodies", &raw.bodies),
        paths: raw.paths.map(|names| table.many(report, entry, "paths", &names)),
        paths_max: raw.paths_max.unwrap_or(defaults.paths_max),
        events: raw.events,
        format: raw.format,
        hashes,
        snapshots,
    }
}

/// Instants of a run, in order, each once.
fn instants(raw: &[f64], entry: Entry<'_>, duration: Option<f64>, report: &mut Report<'_>) -> Vec<SimTime> {
    let last = duration.unwrap_or(DURATION_MAX);
    let mut instants = Vec::new();
    for (place, &at) in raw.iter().enumerate() {
        if (0.0..=last).contains(&at) {
            instants.push(SimTime::from_seconds(at));
        } else {
            report.out_of_range(entry, &format!("at[{place}]"), "an instant of the run, from 0 s to its duration");
        }
    }
    instants.sort_unstable();
    instants.dedup();
    instants
}

/// Reads what to measure in a space with these bodies; naming it twice changes nothing.
pub(crate) fn observe<'a>(
    top: &schema::Top<'a>,
    (space, bodies): (&Space, &[Named]),
    report: &mut Report<'a>,
) -> Vec<Observation> {
    let mut observations: Vec<Observation> = Vec::new();
    for (place, raw) in top.observe.iter().enumerate() {
        let entry = Entry { site: Site::Item("observe", place), text: raw.get_ron() };
        let observation = match syntax::read_word(entry, report) {
            Some(request_schema::Observation::Gas) => Some(Observation::Gas),
            Some(request_schema::Observation::Packing { .. }) if space.is_planar => {
                let instead = "leave it out: it measures balls in a volume";
                let fault = PlanarFault::NotPlanar { what: "`Packing` to observe", instead };
                report.fail(entry, "", Fault::Planar(fault))
            }
            Some(request_schema::Observation::Packing { within, gap }) => {
                let vessel = check::within(report, entry, within.as_ref(), space, bodies);
                let gap = report.not_negative(entry, "gap", gap.unwrap_or(GAP));
                let request = vessel.zip(gap).map(|(vessel, gap)| PackingRequest { vessel, gap });
                if is_packing_observed(&observations) {
                    report.add(entry, "", Fault::FieldTwice { field: "Packing".to_owned() });
                }
                request.map(Observation::Packing)
            }
            None => None,
        };
        observations.extend(observation.filter(|observation| !observations.contains(observation)));
    }
    observations
}

/// Reads what must hold at the end.
pub(crate) fn expect<'a>(
    top: &schema::Top<'a>,
    table: &NameTable<'_>,
    observations: &[Observation],
    report: &mut Report<'a>,
) -> Vec<Expectation> {
    each("expect", &top.expect, report, |report, entry, raw| {
        let expectation = expectation(report, entry, table, raw);
        if matches!(expectation, Some(Expectation::Gas { .. })) && !observations.contains(&Observation::Gas) {
            report.add(entry, "", Fault::GasNotObserved);
        }
        if matches!(expectation, Some(Expectation::Packing { .. })) && !is_packing_observed(observations) {
            report.add(entry, "", Fault::PackingNotObserved);
        }
        expectation
    })
}

/// Whether a packing is measured.
pub(crate) fn is_packing_observed(observations: &[Observation]) -> bool {
    observations.iter().any(|observation| matches!(observation, Observation::Packing(_)))
}

/// Reads each item of the list `field`; an error in one item does not hide errors in the next.
pub(crate) fn each<'a, T: Deserialize<'a>, U>(
    field: &'static str,
    list: &[schema::Raw<'a>],
    report: &mut Report<'a>,
    mut understand: impl FnMut(&mut Report<'a>, Entry<'a>, T) -> Option<U>,
) -> Vec<U> {
    let mut read = |(place, raw): (usize, &schema::Raw<'a>)| {
        let entry = Entry { site: Site::Item(field, place), text: raw.get_ron() };
        let item = syntax::read(entry, report)?;
        understand(report, entry, item)
    };
    list.iter().enumerate().filter_map(&mut read).collect()
}

fn expectation(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    table: &NameTable<'_>,
    raw: request_schema::Expectation,
) -> Option<Expectation> {
    use request_schema::Expectation as Raw;
    let gas = |figure, value: Option<(f64, f64)>| value.map(|(near, within)| Expectation::Gas { figure, near, within });
    let packing =
        |figure, value: Option<(f64, f64)>| value.map(|(near, within)| Expectation::Packing { figure, near, within });
    match raw {
        Raw::Impacts(raw) => events(report, entry, table, EventKind::Impact, &raw),
        Raw::Enters(raw) => events(report, entry, table, EventKind::Enter, &raw),
        Raw::Leaves(raw) => events(report, entry, table, EventKind::Leave, &raw),
        Raw::Rests(raw) => events(report, entry, table, EventKind::Rest, &raw),
        Raw::Releases(raw) => events(report, entry, table, EventKind::Release, &raw),
        Raw::Sticks(raw) => events(report, entry, table, EventKind::Stick, &raw),
        Raw::Slips(raw) => events(report, entry, table, EventKind::Slip, &raw),
        Raw::Collapses(raw) => events(report, entry, table, EventKind::Collapse, &raw),
        Raw::Joins(raw) => events(report, entry, table, EventKind::Join, &raw),
        Raw::Quits(raw) => events(report, entry, table, EventKind::Quit, &raw),
        Raw::Sleeps(raw) => events(report, entry, table, EventKind::Sleep, &raw),
        Raw::Wakes(raw) => events(report, entry, table, EventKind::Wake, &raw),
        Raw::EnergyDrift { below } => {
            report.positive(entry, "below", below).map(|below| Expectation::EnergyDrift { below })
        }
        Raw::MomentumDrift { below } => {
            report.positive(entry, "below", below).map(|below| Expectation::MomentumDrift { below })
        }
        Raw::Deepest { below } => report.positive(entry, "below", below).map(|below| Expectation::Deepest { below }),
        Raw::Position(raw) => {
            let (body, near, within) = vicinity(report, entry, table, &raw)?;
            Some(Expectation::Position { body, near, within })
        }
        Raw::Velocity(raw) => {
            let (body, near, within) = vicinity(report, entry, table, &raw)?;
            Some(Expectation::Velocity { body, near, within })
        }
        Raw::AtRest { bodies } => {
            let bodies = table.many(report, entry, "bodies", &bodies);
            Some(Expectation::AtRest { bodies })
        }
        Raw::LastEvent { kind, body, near, within } => {
            let near = report.not_negative(entry, "near", near);
            let within = report.not_negative(entry, "within", within);
            let body = table.one(report, entry, "body", &body);
            Some(Expectation::LastEvent { kind, body: body?, near: near?, within: within? })
        }
        Raw::Temperature(raw) => gas(GasFigure::Temperature, figure(report, entry, &raw)),
        Raw::Pressure(raw) => gas(GasFigure::Pressure, figure(report, entry, &raw)),
        Raw::CollisionRate(raw) => gas(GasFigure::CollisionRate, figure(report, entry, &raw)),
        Raw::Compressibility(raw) => gas(GasFigure::Compressibility, figure(report, entry, &raw)),
        Raw::Fraction(raw) => packing(PackingFigure::Fraction, figure(report, entry, &raw)),
        Raw::Coordination(raw) => packing(PackingFigure::Coordination, figure(report, entry, &raw)),
        Raw::Rattlers(raw) => packing(PackingFigure::Rattlers, figure(report, entry, &raw)),
        Raw::Hash(digits) => hash(report, entry, digits),
    }
}

fn events(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    table: &NameTable<'_>,
    kind: EventKind,
    raw: &request_schema::Events,
) -> Option<Expectation> {
    let clear = match (raw.exactly, raw.at_least, raw.at_most) {
        (Some(_), None, None) | (None, Some(_), None) | (None, None, Some(_)) => true,
        (None, Some(least), Some(most)) => least <= most,
        _ => false,
    };
    if !clear {
        report.add(entry, "", Fault::UnclearCount);
    }
    check_number(report, entry, kind, &raw.bodies)?;
    let mut bodies = Vec::new();
    for (place, name) in raw.bodies.iter().enumerate() {
        bodies.extend(table.one(report, entry, &format!("bodies[{place}]"), name));
    }
    let count = Count { exactly: raw.exactly, at_least: raw.at_least, at_most: raw.at_most };
    clear.then_some(Expectation::Events { kind, bodies, count })
}

/// Refuses more names than an event of this kind has bodies, and one name twice.
pub(crate) fn check_number(report: &mut Report<'_>, entry: Entry<'_>, kind: EventKind, names: &[String]) -> Option<()> {
    let (most, wanted) =
        if kind.has_one_body() { (1, "such an event has one body") } else { (2, "an event has two bodies") };
    let (wanted, found) = match names {
        [first, second] if most == 2 && first == second => ("an event has two different bodies", 1),
        names if names.len() <= most => return Some(()),
        names => (wanted, names.len()),
    };
    report.fail(entry, "bodies", Fault::TooManyNames { wanted, found })
}

fn vicinity(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    table: &NameTable<'_>,
    raw: &request_schema::Vicinity,
) -> Option<(String, [f64; 3], f64)> {
    let near = report.vector(entry, "near", raw.near);
    let within = report.not_negative(entry, "within", raw.within);
    let body = table.one(report, entry, "body", &raw.body);
    Some((body?, near?.to_array(), within?))
}

/// The wanted value of a mean or of a number of a packing, and the largest difference.
fn figure(report: &mut Report<'_>, entry: Entry<'_>, raw: &request_schema::Figure) -> Option<(f64, f64)> {
    let near = report.not_negative(entry, "near", raw.near);
    let within = report.not_negative(entry, "within", raw.within);
    near.zip(within)
}

fn hash(report: &mut Report<'_>, entry: Entry<'_>, digits: String) -> Option<Expectation> {
    if digits.len() == HASH_DIGITS && digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
        return Some(Expectation::Hash(digits.to_ascii_lowercase()));
    }
    report.fail(entry, "", Fault::NotAHash { found: digits })
}
