//! The judgement: exact course and tables in, findings out.

use serde::Serialize;

use super::exact::Exact;
use super::metrics::{self, Errors, Finding, METRICS, Metric, Outcome, Verdict};
use super::trajectory::Trajectory;
use crate::dynamics::Event;
use crate::numeric::rounded;
use crate::record::answers::{ANSWER_SCHEMA, as_json};
use crate::scenario::Thresholds;

/// The findings for all trajectories of one scene.
#[derive(Debug, Clone, Serialize)]
pub struct Judgement {
    /// The version of its JSON.
    pub schema: u32,
    /// The title of the scene.
    pub title: String,
    /// Its length, s.
    pub duration: f64,
    /// The time up to which paths are judged, s.
    pub horizon: f64,
    /// Why not further.
    pub horizon_reason: Option<&'static str>,
    /// Half the width of the smallest free body, m: the unit of `sizes`.
    pub size: f64,
    /// One entry for each trajectory.
    pub judged: Vec<Judged>,
    /// The order of convergence over all of them.
    pub order: Finding,
    /// Whether no value is beyond its limit.
    pub passed: bool,
}

/// The findings for one trajectory.
#[derive(Debug, Clone, Serialize)]
pub struct Judged {
    /// Its name.
    pub name: String,
    /// The engine's timestep, s.
    pub timestep: f64,
    /// The number of its times.
    pub times: usize,
    /// The findings of all metrics except the order of convergence, in the order of [`METRICS`].
    pub findings: Vec<Finding>,
    /// Where it first deviates from the exact path by more than the limit.
    pub departure: Option<Departure>,
    /// Time (s) and greatest distance from the exact path (m), up to the horizon.
    #[serde(skip)]
    pub errors: Vec<(f64, f64)>,
}

/// Where a trajectory deviates from the exact path.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Departure {
    /// The time of the row, s.
    pub time: f64,
    /// Which body.
    pub body: String,
    /// The last event of that body before, in words.
    pub since: String,
}

/// Judges trajectories of one scene, all of which have the bodies of `exact`.
pub fn judge(exact: &Exact, trajectories: &[Trajectory], thresholds: &Thresholds) -> Judgement {
    let mut points = Vec::new();
    let judged = trajectories.iter().map(|theirs| {
        let ideal = theirs.ideal(exact);
        let errors = Errors::new(exact, theirs, &ideal);
        points.push((theirs.timestep, errors.worst().0));
        one(exact, theirs, &ideal, &errors, thresholds)
    });
    let judged: Vec<Judged> = judged.collect();
    let order = Finding::of(Metric::Order, metrics::order(exact, &points, thresholds.path_error), thresholds);
    let passed = order.verdict != Verdict::Fail && judged.iter().all(|judged| judged.failures().next().is_none());
    Judgement {
        schema: ANSWER_SCHEMA,
        title: exact.scenario.title.clone(),
        duration: exact.scenario.duration,
        horizon: exact.horizon.until,
        horizon_reason: exact.horizon.why,
        size: exact.size,
        judged,
        order,
        passed,
    }
}

fn one(exact: &Exact, theirs: &Trajectory, ideal: &Trajectory, errors: &Errors, thresholds: &Thresholds) -> Judged {
    let outcomes = metrics::measure(exact, theirs, ideal, errors);
    let finding = |(metric, outcome): (Metric, Outcome)| Finding::of(metric, outcome, thresholds);
    let seconds = theirs.times.iter().map(|time| time.seconds());
    Judged {
        name: theirs.name.clone(),
        timestep: theirs.timestep,
        times: theirs.len(),
        findings: outcomes.into_iter().map(finding).collect(),
        departure: departure(exact, theirs, errors, thresholds),
        errors: seconds.zip(errors.greatest.iter().map(|error| error.0)).take(errors.within).collect(),
    }
}

fn departure(exact: &Exact, theirs: &Trajectory, errors: &Errors, thresholds: &Thresholds) -> Option<Departure> {
    let limit = thresholds.path_error * exact.size;
    let row = errors.greatest[..errors.within].iter().position(|error| error.0 > limit)?;
    let (body, time) = (exact.free[errors.greatest[row].1], theirs.times[row]);
    let is_own = |event: &&Event| event.a.index() == body || event.b.index() == body;
    let last = exact.events.iter().take_while(|event| event.time <= time).filter(is_own).last();
    let since = match last {
        None => "in its first flight".to_owned(),
        Some(event) => {
            let other = if event.a.index() == body { event.b } else { event.a };
            let with = event.partner().map(|_| format!(" with `{}`", exact.names[other.index()])).unwrap_or_default();
            format!("after {}{with} at {} s", event.kind, rounded(event.time.seconds(), 6))
        }
    };
    Some(Departure { time: time.seconds(), body: exact.names[body].clone(), since })
}

impl Judgement {
    /// All of it as JSON, in lines.
    pub fn as_json(&self) -> String {
        as_json(self)
    }

    /// The findings of a metric, one for each trajectory. The order of convergence has a single finding for all of
    /// them.
    pub fn findings(&self, metric: Metric) -> Vec<&Finding> {
        if metric == Metric::Order {
            return vec![&self.order];
        }
        self.judged.iter().filter_map(|judged| judged.finding(metric)).collect()
    }

    /// The metrics with a value for at least one trajectory.
    pub fn measured(&self) -> impl Iterator<Item = Metric> + '_ {
        METRICS.into_iter().filter(|&metric| self.is_measured(metric))
    }

    /// The other metrics, by the reason.
    pub fn unmeasured(&self) -> Vec<(&str, Vec<Metric>)> {
        let mut reasons: Vec<(&str, Vec<Metric>)> = Vec::new();
        for metric in METRICS.into_iter().filter(|&metric| !self.is_measured(metric)) {
            let findings = self.findings(metric);
            let Some(why) = findings.first().map(|finding| finding.note.as_str()) else { continue };
            match reasons.iter_mut().find(|(known, _)| *known == why) {
                Some((_, metrics)) => metrics.push(metric),
                None => reasons.push((why, vec![metric])),
            }
        }
        reasons
    }

    fn is_measured(&self, metric: Metric) -> bool {
        self.findings(metric).iter().any(|finding| finding.verdict != Verdict::NotJudged)
    }
}

impl Judged {
    /// The findings beyond their limit.
    pub fn failures(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.verdict == Verdict::Fail)
    }

    /// The finding of a metric; the order of convergence is that of all trajectories together.
    pub fn finding(&self, metric: Metric) -> Option<&Finding> {
        debug_assert!(METRICS.contains(&metric));
        self.findings.iter().find(|finding| finding.metric == metric)
    }
}
