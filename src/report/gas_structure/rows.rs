//! What the bodies of a gas have at the recorded instants of the second half of a run.

use glam::DVec3;

use crate::motion::SimTime;
use crate::record::tables::read::ReadError;
use crate::report::motion::scene::Scene;
use crate::report::motion::track::shortest;

/// What is read of each body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    /// Its position, m.
    Place,
    /// Its position, m, which in a periodic space goes on beyond the cell: from one row to the next by the shortest
    /// way.
    Way,
    /// Its velocity, m/s.
    Velocity,
}

/// What bodies have at one instant.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Instant {
    /// s.
    pub(super) time: f64,
    /// That of each chosen body; `None` for one that is not there.
    pub(super) values: Vec<Option<DVec3>>,
}

/// Passes each recorded instant from `from` seconds on to `take`, in order.
pub(super) fn each_instant(
    scene: &Scene<'_>,
    chosen: &[usize],
    (from, quantity): (f64, Quantity),
    mut take: impl FnMut(&Instant),
) -> Result<(), ReadError> {
    let mut places = vec![None; scene.tracks.len()];
    chosen.iter().enumerate().for_each(|(place, &body)| places[body] = Some(place));
    let space = &scene.scenario.settings.space;
    let mut before: Vec<Option<DVec3>> = vec![None; chosen.len()];
    let follow = quantity == Quantity::Way;
    let mut now = Instant { time: 0.0, values: vec![None; chosen.len()] };
    let mut at: Option<SimTime> = None;
    let mut hand = |now: &Instant, at: Option<SimTime>| {
        if at.is_some_and(|at| at.seconds() >= from) {
            take(now);
        }
    };
    scene.each_sample(|body, time, [position, velocity]| {
        if at != Some(time) {
            hand(&now, at);
            if follow {
                before.clone_from(&now.values);
            }
            now.values.fill(None);
            (now.time, at) = (time.seconds(), Some(time));
        }
        if let Some(place) = places[body] {
            let earlier = before[place].filter(|_| follow);
            now.values[place] = Some(match earlier {
                Some(earlier) => earlier + shortest(position - earlier, space),
                None if quantity == Quantity::Velocity => velocity,
                None => position,
            });
        }
    })?;
    hand(&now, at);
    Ok(())
}
