//! Where and when bodies come to rest, and whether they stay at rest.

use super::measured::{Measured, Outcome, Worst};
use crate::numeric::rounded;
use crate::oracle::exact::{Exact, Moment};
use crate::oracle::trajectory::Trajectory;
use glam::DVec3;

/// Speed below which a body counts as at rest, m/s.
const STILL: f64 = 1e-3;

const NONE: &str = "no body comes to rest before the horizon";

/// The place of rest, the time of rest, and the creep after it.
pub(super) fn rest(exact: &Exact, theirs: &Trajectory, ideal: &Trajectory) -> [Outcome; 3] {
    if exact.horizon.why.is_some() {
        return [Err(NONE), Err(NONE), Err(NONE)];
    }
    let (mut place, mut time, mut creep) = (Worst::new(), Worst::new(), Worst::new());
    for (rank, &body) in exact.free.iter().enumerate() {
        let (track, path) = (&theirs.tracks[rank], &ideal.tracks[rank]);
        let last = path[path.len() - 1];
        let Some(meant) = still_from(path).filter(|_| last.velocity == DVec3::ZERO) else { continue };
        place.see(track[track.len() - 1].position.distance(last.position), body);
        let found = still_from(track);
        let end = theirs.times[theirs.len() - 1];
        let late = theirs.times[found.unwrap_or(theirs.len() - 1)].since(theirs.times[meant]);
        time.see(late, (body, found.is_some()));
        // The second half of the time at rest; in the first half a body may settle.
        let half = theirs.times[meant].plus(0.5 * end.since(theirs.times[meant]));
        let from = theirs.times.partition_point(|&time| time < half);
        if from + 1 < theirs.len() {
            let span = end.since(theirs.times[from]);
            let way = |rows: &[Moment]| rows[rows.len() - 1].position - rows[from].position;
            creep.see((way(track) - way(path)).length() / span, body);
        }
    }
    let name = |body: usize| format!("`{}`", exact.names[body]);
    let no_creep = if place.of.is_some() { "too few rows at rest" } else { NONE };
    let placed = place.of.ok_or(NONE).map(|body| {
        let note = place.note(|_| format!("{} m, {}", rounded(place.value, 3), name(body)));
        Measured::new(place.value / exact.size, note)
    });
    let timed = time.of.ok_or(NONE).map(|(body, is_still)| {
        let word = if time.value > 0.0 { "late" } else { "early" };
        let settled = || time.note(|_| format!("{word}, {}", name(body)));
        let note = if is_still { settled() } else { format!("{} is not at rest at the end", name(body)) };
        Measured::new(time.value, note)
    });
    let crept = creep.of.ok_or(no_creep).map(|_| Measured::new(creep.value, creep.note(name)));
    [placed, timed, crept]
}

/// The first row from which on a body is at rest to the end.
fn still_from(track: &[Moment]) -> Option<usize> {
    let moving = track.iter().rposition(|moment| moment.velocity.length() > STILL);
    let from = moving.map_or(0, |row| row + 1);
    (from < track.len()).then_some(from)
}
