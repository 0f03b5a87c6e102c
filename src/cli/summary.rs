//! The summary of a run as a text.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use indicatif::HumanBytes;
use textwrap::core::display_width;

use super::exit::{Exit, path};
use super::terminal::Look;
use super::terminal::columns::padded;
use crate::numeric::rounded;
use crate::record::answers::RunEntry;
use crate::record::gas::{Figures, GasReport};
use crate::record::packing::PackingReport;
use crate::record::{Stepped, Summary, Timing};
use crate::scenario::text::printable::printable;

/// The shortest time of a part of a run that is shown, s.
const SECONDS_SHOWN: f64 = 0.0005;

/// Columns at which the whole hash of a state fits behind its label.
const HASH_COLUMNS: usize = 80;

/// Digits of the hash that are shown on a narrower terminal.
const HASH_DIGITS: usize = 32;

/// Most significant digits of a time, s. A sum of steps may be off in the digits behind.
const TIME_DIGITS: usize = 12;

/// A few short lines, with the expectations that were not met at the end.
pub(super) fn text(summary: &Summary, place: &Path, plots: &[PathBuf], look: Look) -> String {
    // The default title of a scenario is the name of its file.
    let mut text = format!("{}\n", printable(&summary.title));
    line(&mut text, "bodies", &format!("{}, {} of them free", summary.bodies, summary.free_bodies));
    line(&mut text, "time", &format!("{} s in {} steps", instant(summary.reached), summary.steps));
    line(&mut text, "events", &events(summary));
    let audit = &summary.audit;
    let [start, end] = [audit.energy_start, audit.energy_end].map(|energy| rounded(energy, 7));
    line(&mut text, "energy", &format!("{start} → {end} J, drift {}", rounded(audit.energy_drift, 2)));
    let parts = [("dissipated", audit.dissipated), ("contact heat", audit.contact_heat), ("work of walls", audit.work)];
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
    line(&mut text, "hash", &hash(&summary.state_hash, look));
    line(&mut text, "computed in", &pace(&summary.timing));
    line(&mut text, "files", &files(summary, place, plots));
    for words in unmet(summary) {
        line(&mut text, &look.marked(false, "not met"), &words);
    }
    text.truncate(text.trim_end().len());
    text
}

/// The expectations that were not met.
fn unmet(summary: &Summary) -> impl Iterator<Item = String> + '_ {
    let unmet = summary.expectations.iter().filter(|verdict| !verdict.met);
    unmet.map(|verdict| format!("{} (found {})", verdict.expected, verdict.found))
}

/// An instant of a run, s, in the digits that mean something.
pub(super) fn instant(seconds: f64) -> String {
    rounded(seconds, TIME_DIGITS)
}

/// How a run of several ended.
pub(super) enum End {
    /// It was halted where it was asked to.
    Halted,
    /// There is no result; errors were shown.
    None,
    /// It came to its end.
    Summary { summary: Box<Summary>, folder: String },
}

/// One of several runs.
pub(super) struct Ended {
    pub(super) file: String,
    pub(super) name: String,
    pub(super) exit: Exit,
    pub(super) end: End,
}

impl Ended {
    fn is_good(&self) -> bool {
        self.exit == Exit::Success
    }

    fn words(&self) -> String {
        match &self.end {
            End::Halted => "halted".to_owned(),
            End::None => "no result, see above".to_owned(),
            End::Summary { summary, .. } => ending(summary, self.exit),
        }
    }

    /// The same for a program.
    pub(super) fn entry(self) -> RunEntry {
        let (state, folder, summary) = match self.end {
            End::Halted => ("halted", None, None),
            End::None => ("none", None, None),
            End::Summary { summary, folder } => ("finished", Some(folder), Some(*summary)),
        };
        RunEntry { file: self.file, exit: self.exit as u8, state, folder, summary }
    }
}

/// The verdict on a run, in one line.
pub(super) fn verdict(name: &str, summary: &Summary, exit: Exit, look: Look) -> String {
    look.verdict(exit == Exit::Success, &format!("{}: {}", printable(name), ending(summary, exit)))
}

fn ending(summary: &Summary, exit: Exit) -> String {
    let met = summary.expectations.iter().filter(|verdict| verdict.met).count();
    let words = match (&summary.error, summary.expectations.len()) {
        (Some(_), _) => format!("ended with an error at {} s", instant(summary.reached)),
        (None, 0) => "finished; the scenario has no expectations".to_owned(),
        (None, 1) => format!("{met} of 1 expectation met"),
        (None, all) => format!("{met} of {all} expectations met"),
    };
    if summary.is_success() && exit != Exit::Success { words + "; pictures are missing, see above" } else { words }
}

/// The verdicts on several runs, those that failed last, and in the last line that on all of them.
pub(super) fn overview(runs: &[Ended], look: Look) -> String {
    let width = runs.iter().map(|run| display_width(&run.name)).max().unwrap_or(0);
    let (good, bad): (Vec<_>, Vec<_>) = runs.iter().partition(|run| run.is_good());
    let mut text = String::new();
    for run in good.iter().chain(&bad) {
        let _ = writeln!(text, "  {}  {}", look.verdict(run.is_good(), &padded(&run.name, width)), run.words());
        if let End::Summary { summary, .. } = &run.end {
            unmet(summary).for_each(|words| _ = writeln!(text, "      {words}"));
        }
    }
    let names = bad.iter().map(|run| run.name.as_str()).collect::<Vec<_>>().join(", ");
    let all = runs.len();
    let words = if bad.is_empty() {
        format!("{all} of {all} runs as expected")
    } else {
        format!("{} of {all} runs failed: {names}", bad.len())
    };
    text + &look.verdict(bad.is_empty(), &words)
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

/// The hash of a state, or as much of it as fits.
fn hash(hash: &str, look: Look) -> String {
    match hash.get(..HASH_DIGITS).filter(|_| look.width.is_some_and(|width| width < HASH_COLUMNS)) {
        Some(digits) => format!("{digits}..."),
        None => hash.to_owned(),
    }
}

/// The time of the run, and what it was for.
fn pace(timing: &Timing) -> String {
    let Timing { wall_seconds, impacts_per_second, making_seconds, stepping_seconds, writing_seconds, drawing_seconds } =
        *timing;
    let stepping = format!("stepping {stepping_seconds:.3} s at {impacts_per_second:.0} impacts/s");
    let others = [("making bodies", making_seconds), ("writing tables", writing_seconds), ("drawing", drawing_seconds)];
    let others = others.into_iter().filter(|&(_, seconds)| seconds >= SECONDS_SHOWN);
    let others = others.map(|(label, seconds)| format!(", {label} {seconds:.3} s")).collect::<String>();
    format!("{wall_seconds:.3} s: {stepping}{others}")
}

/// The files, pictures with the endings of all their formats.
fn files(summary: &Summary, place: &Path, plots: &[PathBuf]) -> String {
    let tables = summary.tables.keys().map(|table| format!(", {table}")).collect::<String>();
    let mut pictures = String::new();
    for same in plots.chunk_by(|a, b| a.with_extension("") == b.with_extension("")) {
        let ending = |plot: &PathBuf| plot.extension().unwrap_or_default().to_string_lossy().into_owned();
        let more = same[1..].iter().map(|plot| format!(", .{}", ending(plot))).collect::<String>();
        let _ = write!(pictures, ", {}{more}", path(&same[0]));
    }
    format!("{}/: summary.json{tables}{pictures}", path(place))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::terminal::text::rendered;
    use crate::record::{Halt, Job, Outcome};
    use crate::scenario::{Source, parse};

    const LOOKS: [Look; 2] =
        [Look { width: None, colours: false, marks: false }, Look { width: Some(60), colours: true, marks: true }];

    /// The summary of a ball that falls on a floor, with these expectations.
    fn run(expect: &str) -> Summary {
        let text = format!(
            r#"(title: "A ball that falls on a floor from a height of five metres and a half and comes to rest there",
            gravity: (0, 0, -10), timestep: 0.1, duration: 2.5, expect: [{expect}], bodies: [
                (name: "ball", shape: Sphere(radius: 0.5), mass: 1, position: (0, 0, 5.5)),
                (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0))])"#
        );
        let (folder, source) = (tempfile::tempdir().unwrap(), Source::new("ball.ron", &text));
        let scenario = parse(&source).unwrap().scenario;
        let job = Job { scenario: &scenario, source: &source, folder: folder.path(), halt: Halt::default() };
        match job.run(scenario.world().unwrap(), |_| ()).unwrap() {
            Outcome::Finished(summary) => *summary,
            Outcome::Halted { .. } => panic!("nothing halts it"),
        }
    }

    fn told(summary: &Summary, look: Look) -> String {
        let plots = ["path_xz.svg", "path_xz.png", "energy.pdf", "height_z.svg"].map(PathBuf::from);
        let text = text(summary, Path::new("output/ball"), &plots, look);
        let exit = if summary.is_success() { Exit::Success } else { Exit::Unmet };
        rendered(&format!("{text}\n{}", verdict("ball", summary, exit, look)), look)
    }

    #[test]
    fn what_was_not_met_is_marked_and_pictures_are_listed_once() {
        let bad = run("Impacts(exactly: 1), Impacts(exactly: 2), EnergyDrift(below: 1e-9)");
        let (lines, marked) = (told(&bad, LOOKS[0]), told(&bad, LOOKS[1]));
        let red = "  \u{1b}[1m\u{1b}[31m✗\u{1b}[0m not met    exactly 2 impact events (found 1)";
        assert!(marked.contains(red) && !marked.contains("exactly 1 impact"), "{marked}");
        assert!(lines.contains("summary.json, energy.csv, events.csv, paths.csv, trajectory.csv, path_xz.svg, .png, energy.pdf, height_z.svg"), "{lines}");
    }

    #[test]
    fn a_summary_fits_on_a_terminal_and_no_word_is_broken() {
        let summary = run("Impacts(exactly: 2), EnergyDrift(below: 1e-9)");
        let whole = told(&summary, Look { width: None, colours: false, marks: true });
        for width in [60, 80, 120, 200] {
            let shown = told(&summary, Look { width: Some(width), colours: false, marks: true });
            assert!(shown.lines().all(|line| display_width(line) <= width), "{width}:\n{shown}");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            let is_cut =
                |word: &String| width < HASH_COLUMNS && summary.state_hash.starts_with(word.trim_end_matches("..."));
            let (shown, whole) = (words(&shown), words(&whole));
            assert_eq!(shown.len(), whole.len());
            assert!(shown.iter().zip(&whole).all(|(a, b)| a == b || is_cut(a)), "{width}: {shown:?}");
        }
    }

    #[test]
    fn several_runs_end_with_the_verdict_on_all() {
        let ended = |name: &str, exit, end| Ended { file: String::new(), name: name.to_owned(), exit, end };
        let summary = |expect: &str| End::Summary { summary: Box::new(run(expect)), folder: String::new() };
        let mut runs = vec![
            ended("bad", Exit::Unmet, summary("Impacts(exactly: 2), Impacts(exactly: 1)")),
            ended("good", Exit::Success, summary("Impacts(exactly: 1)")),
            ended("blank", Exit::BadInput, summary("")),
            ended("typo", Exit::BadInput, End::None),
            ended("long", Exit::Success, End::Halted),
        ];
        let wanted = [
            "  ✓ good   1 of 1 expectation met",
            "  ✓ long   halted",
            "  ✗ bad    1 of 2 expectations met",
            "      exactly 2 impact events (found 1)",
            "  ✗ blank  finished; the scenario has no expectations; pictures are missing, see above",
            "  ✗ typo   no result, see above",
            "✗ 3 of 5 runs failed: bad, blank, typo",
        ];
        let wanted = wanted.join("\n");
        assert_eq!(overview(&runs, LOOKS[1]), wanted);
        runs.retain(Ended::is_good);
        assert_eq!(overview(&runs, LOOKS[0]).lines().last(), Some("ok: 2 of 2 runs as expected"));
    }
}
