//! The impacts in an engine's log of events, compared with the exact ones: missed, extra, early or late.
//!
//! Each exact impact is matched with an impact of the same two bodies in a window of time. The window reaches from half
//! the time since their previous paths to half the time to their next ones. Where bodies settle, the number of impacts
//! depends on the resolution. So a slow impact, or an impact of bodies that touch already, may be in the log or not.

use std::collections::BTreeMap;

use crate::dynamics::{Event, EventKind};
use crate::motion::SimTime;
use crate::numeric::rounded;
use crate::oracle::exact::{Exact, is_impact};
use crate::oracle::log::ReportedImpact;
use crate::oracle::metrics::measured::{Measured, Outcome, Worst};
use crate::oracle::trajectory::Trajectory;

/// Fraction of the time to another path by which an impact may be early or late and still be the same.
const ASIDE: f64 = 0.5;
/// Number of timesteps by which it may be early or late in any case: an engine logs an impact at the beginning or at
/// the end of a step.
const ASIDE_STEPS: f64 = 2.0;
/// Fraction of the greatest approach speed up to which an impact is slow.
const SLOW: f64 = 0.01;

const NONE: &str = "no impact that must be told of before the horizon";

/// The findings for a log.
pub(in crate::oracle::metrics) struct Reported {
    /// First impacts missed, and early or late.
    pub(in crate::oracle::metrics) first: [Outcome; 2],
    /// Impacts missed, extra, and early or late.
    pub(in crate::oracle::metrics) all: [Outcome; 3],
}

/// Two bodies, in order.
type Pair = [usize; 2];

/// An exact impact, and the logged impact that matches it.
struct Due {
    pair: Pair,
    time: SimTime,
    /// The window of time in which it may be logged.
    window: [SimTime; 2],
    /// Whether it must be logged.
    is_wanted: bool,
    found: Option<SimTime>,
}

/// A span in which two bodies touch, or bounce slowly. Any number of impacts may be logged in it.
struct Lasting {
    pair: Pair,
    span: [SimTime; 2],
}

/// The findings for the log; `None` without a log.
pub(in crate::oracle::metrics) fn reported(exact: &Exact, theirs: &Trajectory) -> Option<Reported> {
    let impacts = theirs.impacts.as_ref()?;
    let slack = ASIDE_STEPS * theirs.timestep;
    let (mut dues, lasting) = expected(exact, slack);
    let unasked = matched(&mut dues, impacts);
    let is_extra = |impact: &&ReportedImpact| {
        impact.time.seconds() + slack <= exact.horizon.until && !lasting.iter().any(|span| span.has(impact, slack))
    };
    let extra: Vec<&ReportedImpact> = unasked.iter().filter(is_extra).collect();
    let wanted: Vec<&Due> = dues.iter().filter(|due| due.is_wanted).collect();
    let first_of = |body: &usize| wanted.iter().copied().find(|due| due.pair.contains(body));
    let first: Vec<&Due> = exact.free.iter().filter_map(first_of).collect();
    let listed = extra.iter().map(|impact| (impact.bodies, impact.time));
    let extra = Ok(Measured::new(extra.len() as f64, list(exact, listed)));
    Some(Reported {
        first: [missed(exact, &first), late(exact, &first)],
        all: [missed(exact, &wanted), extra, late(exact, &wanted)],
    })
}

/// The exact impacts in order of time, and the spans of lasting contact.
fn expected(exact: &Exact, slack: f64) -> (Vec<Due>, Vec<Lasting>) {
    let fastest = exact.impacts().map(|event| event.approach_speed).fold(0.0, f64::max);
    let mut touching: BTreeMap<Pair, SimTime> =
        exact.touching_at_first().into_iter().map(|pair| (pair, SimTime::ZERO)).collect();
    let (mut dues, mut lasting) = (Vec::new(), Vec::new());
    for event in exact.events.iter().filter(|event| is_impact(event.kind) || event.kind == EventKind::Release) {
        let (pair, is_slow) = (pair(event), event.approach_speed <= SLOW * fastest);
        let since = touching.remove(&pair);
        if is_impact(event.kind) && event.time > SimTime::ZERO {
            dues.push(Due::new(exact, event, slack, !is_slow && since.is_none()));
        }
        lasting.extend(since.map(|since| Lasting { pair, span: [since, event.time] }));
        let is_parting = event.kind == EventKind::Release || (event.kind == EventKind::Impact && !is_slow);
        if !is_parting {
            touching.insert(pair, event.time);
        }
    }
    let end = SimTime::from_seconds(exact.scenario.duration);
    lasting.extend(touching.into_iter().map(|(pair, since)| Lasting { pair, span: [since, end] }));
    (dues, lasting)
}

fn pair(event: &Event) -> Pair {
    let [a, b] = [event.a.index(), event.b.index()];
    [a.min(b), a.max(b)]
}

impl Due {
    fn new(exact: &Exact, event: &Event, slack: f64, is_judged: bool) -> Self {
        let (pair, time) = (pair(event), event.time);
        let [past, future] = exact.span_around(pair, time);
        let early = (ASIDE * time.since(past)).max(slack);
        let window = [time.plus(-early), time.plus((ASIDE * future.since(time)).max(slack))];
        let is_wanted = is_judged && window[1].seconds() <= exact.horizon.until;
        Self { pair, time, window, is_wanted, found: None }
    }
}

impl Lasting {
    fn has(&self, impact: &ReportedImpact, slack: f64) -> bool {
        let [from, until] = self.span;
        self.pair == impact.bodies && impact.time >= from.plus(-slack) && impact.time <= until.plus(slack)
    }
}

/// Matches each exact impact with a logged one in its window: first as many as possible, then each with the nearest one
/// if that is left over. Returns the logged impacts without a match.
fn matched(dues: &mut [Due], impacts: &[ReportedImpact]) -> Vec<ReportedImpact> {
    let mut left = in_order(dues, impacts);
    for due in dues {
        let Some(found) = due.found else { continue };
        let first = left.partition_point(|impact| impact.time < due.window[0]);
        let waiting = left[first..].iter_mut().take_while(|impact| impact.time <= due.window[1]);
        let own = waiting.filter(|impact| impact.bodies == due.pair);
        let distance = |time: SimTime| time.since(due.time).abs();
        let nearest = own.min_by(|one, other| distance(one.time).total_cmp(&distance(other.time)));
        if let Some(nearest) = nearest.filter(|nearest| distance(nearest.time) < distance(found)) {
            due.found = Some(nearest.time);
            nearest.time = found;
            left.sort_unstable();
        }
    }
    left
}

/// Matches each exact impact with the first logged one in its window that matches no earlier one. Returns the logged
/// impacts without a match.
fn in_order(dues: &mut [Due], impacts: &[ReportedImpact]) -> Vec<ReportedImpact> {
    let mut open: BTreeMap<Pair, Vec<&mut Due>> = BTreeMap::new();
    for due in dues.iter_mut().rev() {
        open.entry(due.pair).or_default().push(due);
    }
    let mut left = Vec::new();
    for impact in impacts {
        let waiting = open.entry(impact.bodies).or_default();
        while waiting.last().is_some_and(|due| due.window[1] < impact.time) {
            waiting.pop();
        }
        match waiting.pop_if(|due| due.window[0] <= impact.time) {
            Some(due) => due.found = Some(impact.time),
            None => left.push(*impact),
        }
    }
    left
}

fn missed(exact: &Exact, dues: &[&Due]) -> Outcome {
    if dues.is_empty() {
        return Err(NONE);
    }
    let missed = dues.iter().filter(|due| due.found.is_none()).map(|due| (due.pair, due.time));
    let names = list(exact, missed.clone());
    Ok(Measured::missed(missed.count(), dues.len(), &names))
}

fn late(exact: &Exact, dues: &[&Due]) -> Outcome {
    let mut worst = Worst::new();
    for due in dues {
        due.found.into_iter().for_each(|found| worst.see(found.since(due.time), *due));
    }
    let due = worst.of.ok_or(if dues.is_empty() { NONE } else { "every impact is missed" })?;
    let word = if worst.value > 0.0 { "later" } else { "earlier" };
    let [a, b] = due.pair.map(|body| &exact.names[body]);
    let meant = rounded(due.time.seconds(), 6);
    Ok(Measured::new(worst.value, worst.note(|_| format!("`{a}` and `{b}`, {word} than {meant} s"))))
}

/// The first three impacts, in words.
fn list(exact: &Exact, impacts: impl Iterator<Item = (Pair, SimTime)>) -> String {
    let mut names: Vec<String> = impacts.map(|(pair, time)| named(exact, pair, time)).collect();
    // Two bodies may have the same first impact.
    names.dedup();
    names.truncate(3);
    names.join("; ")
}

fn named(exact: &Exact, [a, b]: Pair, time: SimTime) -> String {
    format!("`{}` and `{}` at {} s", exact.names[a], exact.names[b], rounded(time.seconds(), 6))
}
