//! What happens in a run that is run again, in words.

use crate::dynamics::Event;
use crate::motion::SimTime;
use crate::numeric::{rounded, shown};
use crate::record::replay::Rerun;
use crate::world::World;
use glam::DVec3;

/// Significant digits of an instant in words.
const TIME_DIGITS: usize = 12;

/// Something that happens, with all digits.
#[derive(PartialEq)]
pub(super) struct Happening {
    exact: String,
    /// The same as people write it.
    short: String,
}

/// What happens up to the end of a step.
pub(super) fn happenings(run: &mut Rerun, step: u64) -> Vec<Happening> {
    let mut told = Vec::new();
    let ended = run.go_to(step, |world, event| {
        let exact = words(world, event, &event.time.to_string());
        told.push(Happening { exact, short: words(world, event, &rounded(event.time.seconds(), TIME_DIGITS)) });
    });
    if let Err(error) = ended {
        let words = format!("the end of the run: {error}");
        told.push(Happening { exact: words.clone(), short: words });
    }
    told
}

fn words(world: &World, event: &Event, time: &str) -> String {
    let Event { kind, a, point, approach_speed, impulse, .. } = *event;
    let (a, point) = (world.name(a), triple(point));
    let Some(b) = event.partner().map(|id| world.name(id)) else {
        return format!("{kind} of `{a}` at {time} s, at {point}");
    };
    let [approach_speed, impulse] = [approach_speed, impulse].map(shown);
    format!(
        "{kind} of `{a}` and `{b}` at {time} s, at {point}, approach speed {approach_speed} m/s, impulse {impulse} N·s"
    )
}

/// A vector in words, in its fewest digits.
fn triple(vector: DVec3) -> String {
    format!("({})", vector.to_array().map(shown).join(", "))
}

/// The first happenings up to the instant `end` that differ, with as many digits as it takes to see it.
pub(super) fn first_other(happened: [Vec<Happening>; 2], end: SimTime) -> Option<[String; 2]> {
    let [mut xs, mut ys] = happened.map(Vec::into_iter);
    loop {
        let pair = [xs.next(), ys.next()];
        match &pair {
            [None, None] => return None,
            [x, y] if x != y => {
                let is_clear = match [x, y] {
                    [Some(x), Some(y)] => x.short != y.short,
                    _ => true,
                };
                let words = |told: Happening| if is_clear { told.short } else { told.exact };
                let none = || format!("no more event up to {} s", rounded(end.seconds(), TIME_DIGITS));
                return Some(pair.map(|told| told.map_or_else(none, words)));
            }
            _ => {}
        }
    }
}
