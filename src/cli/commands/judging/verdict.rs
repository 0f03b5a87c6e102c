//! The output of a judgement: a table, JSON, a page, and an exit code.

use crate::cli::arguments::oracle::Reporting;
use crate::cli::commands::check::read;
use crate::cli::exit::{self, Exit, bad, hand_over, invalid, say, unwritten};
use crate::cli::terminal::{Look, columns};
use crate::numeric::rounded;
use crate::oracle::{Finding, Judged, Judgement, Metric, OracleError, Verdict};
use crate::record::foreign::ForeignError;
use crate::record::write_file;
use crate::report::page;
use crate::scenario::{Thresholds, read_thresholds};

/// Shows why a table cannot be read.
pub(in crate::cli) fn unreadable(error: &ForeignError) -> Exit {
    exit::refused(error, error.is_unreadable())
}

/// Shows why a trajectory cannot be judged.
pub(super) fn refused(error: &OracleError) -> Exit {
    let exit = exit::refused(error, matches!(error, OracleError::Table(table) if table.is_unreadable()));
    if matches!(error, OracleError::Run(_)) { Exit::Unmet } else { exit }
}

/// The limits: those of a file, or the defaults. Other arguments are checked here, too, before anything is computed.
pub(super) fn read_limits(reporting: &Reporting) -> Result<Thresholds, Exit> {
    if let Some(file) = reporting.report.as_ref().filter(|file| file.extension().is_none_or(|ending| ending != "html"))
    {
        return Err(bad(&format!("the name of a page ends in .html, as in judged.html; found {}", file.display())));
    }
    let Some(file) = &reporting.thresholds else { return Ok(Thresholds::default()) };
    read_thresholds(&read(file)?).map_err(|problems| invalid(&problems))
}

/// Writes a judgement in the requested form.
pub(super) fn tell(heading: &str, judgement: &Judgement, reporting: &Reporting) -> Result<Exit, Exit> {
    if let Some(file) = &reporting.report {
        let page = page::of_judgement(heading, judgement);
        write_file(file, page.as_bytes()).map_err(|error| unwritten(&error))?;
    }
    if reporting.json {
        hand_over(&judgement.as_json())?;
    } else {
        say(&table(heading, judgement, Look::of_stdout()))?;
    }
    Ok(if judgement.passed { Exit::Success } else { Exit::Unmet })
}

fn table(heading: &str, judgement: &Judgement, look: Look) -> String {
    let mut text = format!("{heading}\n{}\n", horizon(judgement));
    let mut lines = vec![["metric", "limit"].map(str::to_owned).to_vec()];
    lines[0].extend(judgement.judged.iter().map(name));
    for metric in judgement.measured() {
        let found = judgement.findings(metric);
        let sign = if metric.is_least() { "≥" } else { "≤" };
        let limit = format!("{sign} {} {}", rounded(found[0].limit, 4), found[0].unit).trim().to_owned();
        let mut line = vec![metric.title().to_owned(), limit];
        line.extend(found.into_iter().map(|finding| cell(finding, look)));
        lines.push(line);
    }
    text += &columns::table(&lines, look);
    for (why, metrics) in judgement.unmeasured() {
        let titles: Vec<&str> = metrics.into_iter().map(Metric::title).collect();
        text += &format!("\nnot judged ({why}): {}", titles.join(", "));
    }
    for judged in &judgement.judged {
        text += &notes(judged);
    }
    text + "\n" + &look.marked(judgement.passed, &ending(judgement))
}

/// The verdict, with the metrics that are beyond their limits.
fn ending(judgement: &Judgement) -> String {
    let measured: Vec<Metric> = judgement.measured().collect();
    let is_beyond =
        |metric: &&Metric| judgement.findings(**metric).iter().any(|finding| finding.verdict == Verdict::Fail);
    let beyond: Vec<&str> = measured.iter().filter(is_beyond).map(|metric| metric.title()).collect();
    if judgement.passed {
        return "passed".to_owned();
    }
    format!("failed: {} of {} metrics beyond their limits: {}", beyond.len(), measured.len(), beyond.join(", "))
}

fn name(judged: &Judged) -> String {
    format!("{} (h = {} s)", judged.name, rounded(judged.timestep, 4))
}

fn cell(finding: &Finding, look: Look) -> String {
    match (finding.verdict, finding.value) {
        (Verdict::Pass, Some(value)) => look.marked(true, &format!("pass {}", rounded(value, 3))),
        (Verdict::Fail, Some(value)) => look.marked(false, &format!("FAIL {}", rounded(value, 3))),
        _ => "–".to_owned(),
    }
}

fn horizon(judgement: &Judgement) -> String {
    let size = format!("a size is {} m", rounded(judgement.size, 4));
    match judgement.horizon_reason {
        None => format!("paths are judged over all {} s; {size}", rounded(judgement.duration, 4)),
        Some(why) => {
            let (horizon, duration) = (rounded(judgement.horizon, 4), rounded(judgement.duration, 4));
            format!("paths are judged up to {horizon} of {duration} s, where {why}; {size}")
        }
    }
}

/// The notes on the failures of a trajectory.
fn notes(judged: &Judged) -> String {
    let mut text = String::new();
    for finding in judged.failures().filter(|finding| !finding.note.is_empty()) {
        text += &format!("\n{}: {}: {}", judged.name, finding.metric.title(), finding.note);
    }
    if let Some(left) = &judged.departure {
        text += &format!(
            "\n{}: leaves the exact path at {} s: `{}`, {}",
            judged.name,
            rounded(left.time, 6),
            left.body,
            left.since
        );
    }
    text
}
