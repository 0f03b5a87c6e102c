//! What is wrong with an engine's answers to the casts, group by group.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Cast, CastHit};
use crate::record::answers::ANSWER_SCHEMA;
use crate::record::foreign::{ForeignCast, ForeignCasts, ForeignError};

/// The largest difference of two unit normals that passes.
const NORMAL_OFF: f64 = 0.01;

/// How the answers of an engine compare with the exact ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CastJudgement {
    /// The version of its JSON.
    pub schema: u32,
    /// The largest error of a place that passes, sizes.
    pub within: f64,
    /// The largest difference of unit normals that passes.
    pub normal_within: f64,
    /// The groups that have answers, in the order of the casts.
    pub groups: Vec<CastGroup>,
    /// The number of casts without an answer: they are not judged.
    pub unanswered: usize,
    /// Whether nothing is beyond its limit.
    pub passed: bool,
}

/// The casts of a group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CastGroup {
    /// Its name.
    pub group: String,
    /// The number of its casts that have answers.
    pub casts: usize,
    /// The number of its hits that are not found.
    pub missed: usize,
    /// The number of hits that there are not.
    pub extra: usize,
    /// The largest error of the place of a hit, sizes; `None` where no hit is found.
    pub off: Option<f64>,
    /// The largest length of the difference of two unit normals; `None` where there are none.
    pub normal_off: Option<f64>,
    /// A cast whose answer is wrong: the first hit that is missed or extra, or else the largest error beyond a limit.
    pub wrong: Option<String>,
    /// Whether nothing is beyond its limit.
    pub passed: bool,
}

/// Judges the answers of an engine to `casts`; `within` is the largest error of a place that passes, sizes.
///
/// # Errors
/// [`ForeignError`] with the line where a cast is unknown, or has an answer already; or if there is no answer.
pub fn judge_casts(casts: &[Cast], answers: &ForeignCasts, within: f64) -> Result<CastJudgement, ForeignError> {
    let known: BTreeMap<&str, usize> =
        casts.iter().enumerate().map(|(place, cast)| (cast.name.as_str(), place)).collect();
    let mut found: Vec<Option<&ForeignCast>> = vec![None; casts.len()];
    for row in &answers.rows {
        let Some(&place) = known.get(row.cast.as_str()) else {
            return Err(answers.origin.wrong(row.place, "cast", format!("there is no cast `{}`", row.cast)));
        };
        if let Some(earlier) = found[place].replace(row) {
            let problem = format!("`{}` has an answer already, in {} {}", row.cast, answers.origin.unit, earlier.place);
            return Err(answers.origin.wrong(row.place, "cast", problem));
        }
    }
    let answered: Vec<(&Cast, &ForeignCast)> =
        casts.iter().zip(found).filter_map(|(cast, row)| Some((cast, row?))).collect();
    if answered.is_empty() {
        return Err(answers.origin.wrong(1, "all", "there is no answer to a cast".to_owned()));
    }
    let groups = answered.chunk_by(|a, b| a.0.group == b.0.group).map(|group| judged(group, within));
    let groups: Vec<CastGroup> = groups.collect();
    let passed = groups.iter().all(|group| group.passed);
    let unanswered = casts.len() - answered.len();
    Ok(CastJudgement { schema: ANSWER_SCHEMA, within, normal_within: NORMAL_OFF, groups, unanswered, passed })
}

fn judged(answered: &[(&Cast, &ForeignCast)], within: f64) -> CastGroup {
    let (mut missed, mut extra, mut wrong) = (0, 0, None);
    let (mut off, mut turned) = (None, None);
    for (cast, answer) in answered {
        match (cast.hit(), answer.fraction) {
            (None, None) => {}
            (Some(_), None) | (None, Some(_)) => {
                (missed, extra) = if answer.fraction.is_none() { (missed + 1, extra) } else { (missed, extra + 1) };
                wrong = wrong.or(Some(cast.name.as_str()));
            }
            (Some(CastHit { fraction, normal }), Some(theirs)) => {
                see(&mut off, (theirs - fraction).abs() * cast.motion.length() / cast.size, &cast.name);
                if let Some(theirs) = answer.normal {
                    see(&mut turned, theirs.distance(normal), &cast.name);
                }
            }
        }
    }
    let wrong = wrong.or_else(|| beyond(off, within)).or_else(|| beyond(turned, NORMAL_OFF));
    CastGroup {
        group: answered[0].0.group.clone(),
        casts: answered.len(),
        missed,
        extra,
        off: off.map(|worst| worst.0),
        normal_off: turned.map(|worst| worst.0),
        passed: wrong.is_none(),
        wrong: wrong.map(str::to_owned),
    }
}

/// The name of the cast with the largest value, if that is beyond a limit.
fn beyond(worst: Option<(f64, &str)>, limit: f64) -> Option<&str> {
    worst.filter(|worst| worst.0 > limit).map(|worst| worst.1)
}

/// Keeps the largest value so far, with the name of its cast.
fn see<'a>(worst: &mut Option<(f64, &'a str)>, value: f64, name: &'a str) {
    if worst.is_none_or(|worst| value > worst.0) {
        *worst = Some((value, name));
    }
}
