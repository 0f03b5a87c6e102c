//! The restitution that the rows show: separation speed over approach speed of isolated impacts.

use super::first::rows;
use super::jumps::{Jump, Rows};
use crate::dynamics::{Event, EventKind};
use crate::geometry::Shape;
use crate::numeric::rounded;
use crate::oracle::exact::Exact;
use crate::oracle::metrics::measured::{Measured, Outcome, Worst};
use crate::oracle::trajectory::Trajectory;

/// The exact course, sampled at the times of the rows, must show its own restitution to within this error.
const SHOWN: f64 = 1e-6;
/// Distance from the exact path beyond which the normal between two curved bodies counts as changed, in sizes.
const ASTRAY: f64 = 0.05;
/// Least approach speed, over the exact one.
const SLOW: f64 = 0.2;

pub(in crate::oracle::metrics) fn restitution(exact: &Exact, theirs: &Trajectory, ideal: &Trajectory) -> Outcome {
    let (mut worst, mut count) = (Worst::new(), 0_u32);
    let mut sum = 0.0;
    for event in exact.impacts().filter(|event| event.kind == EventKind::Impact && event.approach_speed > 0.0) {
        let meant = exact.restitution(event);
        let shown = shown(exact, ideal, event, ideal).filter(|shown| (shown - meant).abs() <= SHOWN);
        let Some((shown, found)) = shown.zip(self::shown(exact, theirs, event, ideal)) else { continue };
        worst.see(found - shown, (event.time, meant, found));
        (count, sum) = (count + 1, sum + (found - shown));
    }
    let (time, meant, found) = worst.of.ok_or("no impact that the rows show alone")?;
    let mean = rounded(sum / f64::from(count), 2);
    let note = if worst.value == 0.0 {
        format!("of {count}")
    } else {
        format!(
            "{} in place of {} at {} s; mean {mean} of {count}",
            rounded(found, 4),
            rounded(meant, 4),
            rounded(time.seconds(), 6)
        )
    };
    Ok(Measured::new(worst.value, note))
}

/// The restitution of an impact in the rows of a trajectory, if no other impact is near.
fn shown(exact: &Exact, of: &Trajectory, event: &Event, ideal: &Trajectory) -> Option<f64> {
    let bodies = [event.a.index(), event.b.index()];
    let mover = bodies.into_iter().find(|&body| exact.bodies[body].is_free())?;
    let place = exact.free.iter().position(|&body| body == mover)?;
    let span = exact.span_around(bodies, event.time);
    let rows = rows(exact, of, place);
    let jump = rows.find(exact.jump(mover, event.time), rows.row_before(span[0]), span[1])?;
    let ends = [jump.before, jump.after].map(|row| of.times[row]);
    let is_alone = ends[0] >= span[0] && ends[1] <= span[1];
    if !is_alone || is_astray(exact, of, ideal, bodies, jump) {
        return None;
    }
    let speeds = speeds(exact, of, event, jump, &rows);
    (speeds[0] < -SLOW * event.approach_speed).then(|| -speeds[1] / speeds[0])
}

/// Whether the normal may have changed. At a half-space it cannot; otherwise it does if the path deviates.
fn is_astray(exact: &Exact, of: &Trajectory, ideal: &Trajectory, bodies: [usize; 2], jump: Jump) -> bool {
    let is_flat = bodies.iter().any(|&body| matches!(exact.bodies[body].shape, Shape::Plane(_)));
    let slips_visibly = |&body: &usize| {
        let [found, meant] = [of, ideal].map(|track| track.moment(exact, body, jump.before).position);
        found.distance(meant) > ASTRAY * exact.size
    };
    !is_flat && bodies.iter().any(slips_visibly)
}

/// The relative speeds along the normal just before and just after, m/s; negative if they approach.
fn speeds(exact: &Exact, of: &Trajectory, event: &Event, jump: Jump, rows: &Rows<'_>) -> [f64; 2] {
    let [a, b] = [event.a.index(), event.b.index()];
    let pull = (exact.gravity_of(b) - exact.gravity_of(a)).dot(event.normal);
    let at = |row: usize| {
        let velocity = |body: usize| of.moment(exact, body, row).velocity;
        (velocity(b) - velocity(a)).dot(event.normal)
    };
    let span = rows.times[jump.after].since(rows.times[jump.before]);
    [at(jump.before) + pull * jump.meeting, at(jump.after) - pull * (span - jump.meeting)]
}
