//! `carom oracle casts`: the casts as a table, and what is wrong with an engine's answers.

use std::path::Path;

use super::verdict::unreadable;
use crate::cli::exit::{Exit, hand_over, print, say};
use crate::cli::terminal::{Look, columns};
use crate::numeric::rounded;
use crate::oracle::{CastGroup, CastJudgement, cast_table, casts, judge_casts};
use crate::record::answers::as_json;
use crate::record::foreign::read_foreign_casts;

/// Prints the casts, or judges the answers in a file.
pub(super) fn command(answers: Option<&Path>, within: f64, json: bool) -> Result<Exit, Exit> {
    let Some(file) = answers else {
        print(cast_table(&casts()).as_bytes())?;
        return Ok(Exit::Success);
    };
    let read = read_foreign_casts(file).and_then(|answers| judge_casts(&casts(), &answers, within));
    let judgement = read.map_err(|error| unreadable(&error))?;
    if json {
        hand_over(&as_json(&judgement))?;
    } else {
        say(&table(&judgement, Look::of_stdout()))?;
    }
    Ok(if judgement.passed { Exit::Success } else { Exit::Unmet })
}

fn table(judgement: &CastJudgement, look: Look) -> String {
    let head = ["group", "casts", "missed", "extra", "off, sizes", "normal off", "", "such as"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    lines.extend(judgement.groups.iter().map(|group| line(group, look)));
    let mut text = columns::table(&lines, look);
    if judgement.unanswered > 0 {
        text += &format!("\nnot judged: {} casts without an answer", judgement.unanswered);
    }
    let failed = judgement.groups.iter().filter(|group| !group.passed).count();
    let ending = match failed {
        0 => "passed".to_owned(),
        _ => format!("failed: {failed} of {} groups have a wrong answer", judgement.groups.len()),
    };
    text + "\n" + &look.marked(judgement.passed, &ending)
}

fn line(group: &CastGroup, look: Look) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| rounded(value, 2));
    let counts = [group.casts, group.missed, group.extra].map(|count| count.to_string());
    let mut cells = vec![group.group.clone()];
    cells.extend(counts);
    cells.extend([number(group.off), number(group.normal_off)]);
    cells.push(look.marked(group.passed, if group.passed { "pass" } else { "FAIL" }));
    cells.push(group.wrong.clone().unwrap_or_default());
    cells
}
