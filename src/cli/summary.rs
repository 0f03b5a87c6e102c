//! The summary of a run as a text.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use indicatif::HumanBytes;

use super::exit::path;
use crate::numeric::rounded;
use crate::record::gas::{Figures, GasReport};
use crate::record::packing::PackingReport;
use crate::record::{Stepped, Summary, Timing};
use crate::scenario::text::printable::printable;

/// A few short lines.
pub(super) fn text(summary: &Summary, place: &Path, plots: &[PathBuf]) -> String {
    // The default title of a scenario is the name of its file.
    let mut text = format!("{}\n", printable(&summary.title));
    line(&mut text, "bodies", &format!("{}, {} of them free", summary.bodies, summary.free_bodies));
    line(&mut text, "time", &format!("{} s in {} steps", summary.reached, summary.steps));
    line(&mut text, "events", &events(summary));
    let audit = &summary.audit;
    let [start, end] = [audit.energy_start, audit.energy_end].map(|energy| rounded(energy, 7));
    line(&mut text, "energy", &format!("{start} → {end} J, drift {}", rounded(audit.energy_drift, 2)));
    let parts = [("dissipated", audit.dissipated), ("rubbed", audit.rubbed), ("work of walls", audit.work)];
    if parts.iter().any(|&(_, energy)| energy != 0.0) {
        line(&mut text, "", &parts.map(|(label, energy)| format!("{label} {} J", rounded(energy, 7))).join(", "));
    }
    if summary.time_stepping.time_steps > 0 {
        line(&mut text, "time steps", &time_steps(&summary.time_stepping));
    }
    line(&mut text, "overlap", &format!("{} m at most", rounded(audit.deepest_overlap, 2)));
    if let Some(gas) = &summary.gas {
        line(&mut text, "gas", &figures(gas));
    }
    if let Some(packing) = &summary.packing {
        line(&mut text, "packing", &packed(packing));
    }
    line(&mut text, "hash", &summary.state_hash);
    for verdict in &summary.expectations {
        let mark = if verdict.met { "met" } else { "NOT MET" };
        line(&mut text, "expect", &format!("{}: {} (found {})", verdict.expected, mark, verdict.found));
    }
    line(&mut text, "computed in", &pace(&summary.timing));
    let _ = write!(text, "  {:12} {}", "files", files(summary, place, plots));
    text
}

fn line(text: &mut String, label: &str, content: &str) {
    // Writing into a string cannot fail.
    let _ = writeln!(text, "  {label:12} {content}");
}

fn events(summary: &Summary) -> String {
    let happened = summary.events.iter().filter(|&(_, &count)| count > 0);
    let words: Vec<String> = happened.map(|(kind, count)| format!("{count} {kind}")).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

/// How much was advanced by time steps.
fn time_steps(stepped: &Stepped) -> String {
    let Stepped { time_steps, share, largest_island, asleep } = *stepped;
    let share = rounded(100.0 * share, 3);
    format!(
        "{time_steps}, for {share} % of the time of all bodies; largest island {largest_island}, asleep at the end {asleep}"
    )
}

fn figures(gas: &GasReport) -> String {
    let Figures { temperature, pressure, collision_rate, compressibility } = gas.figures;
    let unit = ["N", "N/m", "N/m²"][gas.dimension.clamp(1, 3) - 1];
    let known = [
        temperature.map(|value| format!("k_B T {} J", rounded(value, 6))),
        pressure.map(|value| format!("pressure {} {unit}", rounded(value, 6))),
        collision_rate.map(|value| format!("{} impacts per body and second", rounded(value, 6))),
        compressibility.map(|value| format!("compressibility {}", rounded(value, 6))),
        gas.undefined.as_ref().map(|reason| format!("no pressure: {reason}")),
    ];
    known.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn packed(packing: &PackingReport) -> String {
    let PackingReport { balls, fraction, coordination, rattlers, .. } = *packing;
    let coordination =
        coordination.map_or_else(String::new, |mean| format!(", {} contacts of each held ball", rounded(mean, 4)));
    format!("{balls} balls fill {}{coordination}, {} % rattlers", rounded(fraction, 6), rounded(100.0 * rattlers, 3))
}

/// The time of the run, and the part of it that was not for drawing and writing.
fn pace(timing: &Timing) -> String {
    let Timing { wall_seconds, stepping_seconds, impacts_per_second, .. } = *timing;
    format!("{wall_seconds:.3} s, of which stepping {stepping_seconds:.3} s, at {impacts_per_second:.0} impacts/s")
}

fn files(summary: &Summary, place: &Path, plots: &[PathBuf]) -> String {
    let mut stems: Vec<String> = plots.iter().map(|plot| path(&plot.with_extension(""))).collect();
    stems.dedup();
    let tables = summary.tables.keys().map(|table| format!(", {table}")).collect::<String>();
    let plots = stems.into_iter().map(|stem| format!(", {stem}.svg, .png")).collect::<String>();
    format!("{}/: summary.json{tables}{plots}", path(place))
}

/// The times of the parts of the run, and the amount of work.
pub(super) fn stats(summary: &Summary) -> String {
    let timing = &summary.timing;
    let mut text = "  where the time went\n".to_owned();
    let bytes = summary.tables.values().sum::<u64>();
    let events = summary.events.values().sum::<u64>();
    let impacts = format!("{events} events, {:.0} impacts/s", timing.impacts_per_second);
    let rows = [
        ("making the world", timing.making_seconds, format!("{} bodies", summary.bodies)),
        ("stepping", timing.stepping_seconds, impacts),
        ("writing tables", timing.writing_seconds, HumanBytes(bytes).to_string()),
        ("drawing", timing.drawing_seconds, String::new()),
        ("all", timing.wall_seconds, String::new()),
    ];
    for (label, seconds, work) in rows {
        let share = 100.0 * seconds / timing.wall_seconds;
        let row = format!("    {label:17} {seconds:10.3} s {share:5.1} %  {work}");
        let _ = writeln!(text, "{}", row.trim_end());
    }
    text.truncate(text.trim_end().len());
    text
}
