//! Properties and results of a run, as named facts. The page of one run lists them; the page of several shows them side
//! by side.

use super::results::Results;
use super::words::{number, vector, whole, with_unit};
use crate::dynamics::EventKind;
use crate::record::gas::Figures;
use crate::scenario::Axis;
use crate::scenario::text::printable::printable;

/// A fact: its name, and its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fact {
    pub(super) label: String,
    pub(super) value: String,
    /// Whether it is a hash.
    pub(super) is_hash: bool,
    /// The number that the value shows, with its unit, if it is one.
    pub(super) measured: Option<(f64, &'static str)>,
}

/// Facts that belong together.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) facts: Vec<Fact>,
}

fn fact(label: impl Into<String>, value: impl Into<String>) -> Fact {
    Fact { label: label.into(), value: value.into(), is_hash: false, measured: None }
}

fn measured(label: impl Into<String>, value: f64, unit: &'static str) -> Fact {
    Fact { measured: Some((value, unit)), ..fact(label, with_unit(value, unit)) }
}

fn counted(label: impl Into<String>, value: u64) -> Fact {
    Fact { measured: Some((value as f64, "")), ..fact(label, whole(value)) }
}

fn hash(label: &str, value: &str) -> Fact {
    Fact { is_hash: true, ..fact(label, value) }
}

/// All groups that a run has.
pub(super) fn groups(run: &Results) -> Vec<Group> {
    let groups = [
        Group { title: "Settings", facts: settings(run) },
        Group { title: "Course", facts: course(run) },
        Group { title: "Energy", facts: energy(run) },
        Group { title: "Momentum and overlap", facts: momentum(run) },
        Group { title: "Time stepping", facts: time_stepping(run) },
        Group { title: "Gas", facts: gas(run) },
        Group { title: "Packing", facts: packing(run) },
    ];
    groups.into_iter().filter(|group| !group.facts.is_empty()).collect()
}

fn settings(run: &Results) -> Vec<Fact> {
    let Results { summary, scenario, .. } = run;
    let settings = &scenario.settings;
    let mut facts = vec![
        hash("scenario (BLAKE3)", &summary.scenario_hash),
        measured("timestep", summary.timestep, "s"),
        measured("duration", summary.duration, "s"),
        fact("gravity", vector(settings.gravity.to_array(), "m/s²")),
        measured("rest height", settings.rest_height, "m"),
    ];
    for (axis, period) in [Axis::X, Axis::Y, Axis::Z].into_iter().zip(settings.space.periods) {
        if let Some(period) = period {
            let label = format!("{axis:?} repeats").to_lowercase();
            facts.push(fact(label, format!("from {} to {}", number(period.min), with_unit(period.max, "m"))));
        }
    }
    facts.push(counted("bodies", summary.bodies as u64));
    facts.push(counted("free bodies", summary.free_bodies as u64));
    facts.push(fact("carom", summary.carom.clone()));
    facts
}

fn course(run: &Results) -> Vec<Fact> {
    let summary = &run.summary;
    let mut facts = vec![measured("reached", summary.reached, "s"), counted("steps", summary.steps)];
    if let Some(coarsest) = &summary.coarsest {
        let text = format!("{} of the size of {}", number(coarsest.ratio()), printable(&coarsest.body));
        facts.push(fact("coarsest rounding of a position", text));
    }
    facts.push(hash("final state (BLAKE3)", &summary.state_hash));
    for kind in EventKind::ALL {
        let count = summary.events.get(kind.name()).copied().unwrap_or_default();
        if count > 0 || kind == EventKind::Impact {
            facts.push(counted(format!("events: {}", kind.name()), count));
        }
    }
    facts
}

fn energy(run: &Results) -> Vec<Fact> {
    let audit = &run.summary.audit;
    let mut facts = vec![
        measured("energy at the start", audit.energy_start, "J"),
        measured("energy at the end", audit.energy_end, "J"),
    ];
    let parts = [
        ("impact heat", audit.dissipated),
        ("contact heat", audit.contact_heat),
        ("work of walls and commands", audit.work),
    ];
    facts.extend(parts.map(|(label, energy)| measured(label, energy, "J")));
    facts.push(measured("error of the energy balance, relative", audit.energy_drift, ""));
    facts
}

fn momentum(run: &Results) -> Vec<Fact> {
    let audit = &run.summary.audit;
    vec![
        fact("momentum at the start", vector(audit.momentum_start, "kg·m/s")),
        fact("momentum at the end", vector(audit.momentum_end, "kg·m/s")),
        measured("error of the momentum balance, relative", audit.momentum_drift, ""),
        measured("deepest overlap", audit.deepest_overlap, "m"),
    ]
}

/// Empty if no body was advanced by time steps.
fn time_stepping(run: &Results) -> Vec<Fact> {
    let stepped = &run.summary.time_stepping;
    if stepped.time_steps == 0 {
        return Vec::new();
    }
    vec![
        counted("time steps", stepped.time_steps),
        fact("share of the time of all bodies", format!("{}\u{a0}%", number(100.0 * stepped.share))),
        counted("largest island", stepped.largest_island),
        counted("asleep at the end", stepped.asleep),
    ]
}

fn gas(run: &Results) -> Vec<Fact> {
    let Some(gas) = &run.summary.gas else { return Vec::new() };
    let Figures { temperature, pressure, collision_rate, compressibility } = gas.figures;
    let unit = ["N", "N/m", "N/m²"][gas.dimension.clamp(1, 3) - 1];
    let rows = [
        ("k_B T", temperature, "J"),
        ("pressure", pressure, unit),
        ("impacts of one body", collision_rate, "1/s"),
        ("compressibility", compressibility, ""),
        ("kurtosis of the velocities", gas.kurtosis, ""),
    ];
    let mut facts = vec![
        counted("bodies of the gas", gas.bodies as u64),
        fact("means over", format!("{} to {}", number(gas.from), with_unit(gas.until, "s"))),
    ];
    for (label, value, unit) in rows {
        facts.extend(value.map(|value| measured(label, value, unit)));
    }
    facts.extend(gas.undefined.as_ref().map(|reason| fact("no pressure", printable(reason))));
    facts
}

fn packing(run: &Results) -> Vec<Fact> {
    let Some(packing) = &run.summary.packing else { return Vec::new() };
    let mut facts = vec![
        counted("balls", packing.balls as u64),
        measured("part of the vessel that they fill", packing.fraction, ""),
        fact("rattlers", format!("{}\u{a0}%", number(100.0 * packing.rattlers))),
    ];
    facts.extend(packing.coordination.map(|mean| measured("contacts of each held ball", mean, "")));
    facts
}
