//! The first impact of each body: missed, early or late.

use glam::DVec3;

use super::jumps::{Jump, Rows};
use crate::motion::SimTime;
use crate::numeric::rounded;
use crate::oracle::exact::Exact;
use crate::oracle::metrics::measured::{Measured, Outcome, Worst};
use crate::oracle::trajectory::Trajectory;

/// Fraction of the time to the next path by which an impact may be late. A later one counts as missed.
const LATE: f64 = 0.5;
/// Number of rows by which it may be late in any case.
const LATE_ROWS: f64 = 5.0;

const NONE: &str = "no first impact that the rows can show";

/// An impact of the exact course.
#[derive(Clone, Copy)]
struct First {
    time: SimTime,
    jump: DVec3,
    /// Until when it may be found.
    until: SimTime,
}

/// The number of first impacts that are missed, and how early or late the worst of the others is.
pub(in crate::oracle::metrics) fn first(exact: &Exact, theirs: &Trajectory, ideal: &Trajectory) -> [Outcome; 2] {
    let mut missed: Vec<&str> = Vec::new();
    let mut judged = 0;
    let mut worst = Worst::new();
    for (place, &body) in exact.free.iter().enumerate() {
        let Some(first) = first_of(exact, theirs, body) else { continue };
        let rows = |of: &'_ Trajectory| -> Option<Jump> { rows(exact, of, place).find(first.jump, 0, first.until) };
        let is_shown = rows(ideal).is_some_and(|jump| holds(ideal, jump, first.time));
        if !is_shown {
            continue;
        }
        judged += 1;
        match rows(theirs) {
            Some(jump) => worst.see(delay(exact, theirs, body, jump, first.time), (body, first.time)),
            None => missed.push(&exact.names[body]),
        }
    }
    if judged == 0 {
        return [Err(NONE), Err(NONE)];
    }
    let names = missed.iter().take(3).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let missed = Measured::missed(missed.len(), judged, &names);
    let time = worst.of.ok_or("every first impact is missed").map(|(body, due): (usize, SimTime)| {
        let word = if worst.value > 0.0 { "later" } else { "earlier" };
        let note = worst.note(|_| format!("`{}`, {word} than {} s", exact.names[body], rounded(due.seconds(), 6)));
        Measured::new(worst.value, note)
    });
    [Ok(missed), time]
}

/// The rows of a free body.
pub(super) fn rows<'a>(exact: &Exact, of: &'a Trajectory, place: usize) -> Rows<'a> {
    Rows { times: &of.times, moments: &of.tracks[place], gravity: exact.gravity_of(exact.free[place]) }
}

fn first_of(exact: &Exact, theirs: &Trajectory, body: usize) -> Option<First> {
    let is_own = |event: &&crate::dynamics::Event| event.a.index() == body || event.b.index() == body;
    let event = exact.impacts().filter(is_own).find(|event| event.time > SimTime::ZERO && event.impulse > 0.0)?;
    let (time, jump) = (event.time, exact.jump(body, event.time));
    let next = exact.knots(body).find(|&knot| knot > time).map_or(exact.scenario.duration, SimTime::seconds);
    let end = theirs.times[theirs.len() - 1].seconds();
    let wait = (LATE * (next - time.seconds())).max(LATE_ROWS * longest_span(theirs));
    let until = time.plus(wait);
    // An impact so near the end could be found only after it.
    let is_too_late =
        until.seconds() > end && time.seconds() + LATE_ROWS * longest_span(theirs) > end && theirs.len() > 12;
    (jump != DVec3::ZERO && !is_too_late).then_some(First { time, jump, until })
}

fn longest_span(theirs: &Trajectory) -> f64 {
    theirs.times.windows(2).map(|pair| pair[1].since(pair[0])).fold(0.0, f64::max)
}

fn holds(of: &Trajectory, jump: Jump, time: SimTime) -> bool {
    of.times[jump.before] <= time && time <= of.times[jump.after]
}

/// The delay of a jump after `time`, s. If only the span of the jump is known, it counts from the nearer end.
pub(super) fn delay(exact: &Exact, of: &Trajectory, body: usize, jump: Jump, time: SimTime) -> f64 {
    let (before, after) = (of.times[jump.before], of.times[jump.after]);
    let knots =
        exact.knots(body).filter(|&knot| knot > before.min(time) && knot < after.max(time) && knot != time).count();
    if knots == 0 && exact.falls_around(body, time) {
        return before.since(time) + jump.meeting;
    }
    if time < before {
        before.since(time)
    } else if time > after {
        after.since(time)
    } else {
        0.0
    }
}
