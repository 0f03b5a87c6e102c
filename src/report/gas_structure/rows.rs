//! The positions of the bodies of a gas at the recorded instants of the second half of a run.

use glam::DVec3;

use crate::dynamics::Space;
use crate::motion::SimTime;
use crate::record::tables::read::ReadError;
use crate::report::motion::scene::Scene;

/// Positions at one instant.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Instant {
    /// s.
    pub(super) time: f64,
    /// The position of each chosen body, m; `None` for one that is not there.
    pub(super) places: Vec<Option<DVec3>>,
}

/// Passes each recorded instant from `from` seconds on to `take`, in order. With `follow`, bodies in a periodic space
/// continue beyond its cell: from one row to the next each takes the shortest way.
pub(super) fn each_instant(
    scene: &Scene<'_>,
    chosen: &[usize],
    (from, follow): (f64, bool),
    mut take: impl FnMut(&Instant),
) -> Result<(), ReadError> {
    let mut places = vec![None; scene.tracks.len()];
    chosen.iter().enumerate().for_each(|(place, &body)| places[body] = Some(place));
    let space = &scene.scenario.settings.space;
    let mut before: Vec<Option<DVec3>> = vec![None; chosen.len()];
    let mut now = Instant { time: 0.0, places: vec![None; chosen.len()] };
    let mut at: Option<SimTime> = None;
    let mut hand = |now: &Instant, at: Option<SimTime>| {
        if at.is_some_and(|at| at.seconds() >= from) {
            take(now);
        }
    };
    scene.each_sample(|body, time, position| {
        if at != Some(time) {
            hand(&now, at);
            if follow {
                before.clone_from(&now.places);
            }
            now.places.fill(None);
            (now.time, at) = (time.seconds(), Some(time));
        }
        if let Some(place) = places[body] {
            let earlier = before[place].filter(|_| follow);
            now.places[place] = Some(earlier.map_or(position, |earlier| earlier + shortest(position - earlier, space)));
        }
    })?;
    hand(&now, at);
    Ok(())
}

/// The displacement between two places by the nearest image.
pub(super) fn shortest(mut way: DVec3, space: &Space) -> DVec3 {
    for axis in 0..3 {
        if let Some(period) = space.periods[axis] {
            way[axis] -= (way[axis] / period.length()).round() * period.length();
        }
    }
    way
}
