//! The known motion of one body: its exact path, as far as it was stored, and its recorded positions.

use glam::DVec3;

use crate::dynamics::Space;
use crate::motion::{Path, SimTime};
use crate::report::chart::Span;

/// Most samples kept of one body's trajectory: more than a picture has columns.
const SAMPLES_MAX: usize = 4096;

/// The smallest relative change of a velocity that is a kink.
const KINK_MIN: f64 = 0.125;

/// A part of a body's path with one polynomial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Leg {
    /// The polynomial.
    pub(crate) path: Path,
    /// Its duration, s.
    pub(crate) seconds: f64,
    /// Whether a command put the body where it begins, so that no line leads there.
    pub(crate) is_put: bool,
}

impl Leg {
    /// The position some seconds after its beginning, m.
    pub(crate) fn after(&self, seconds: f64) -> DVec3 {
        self.path.position + (self.path.velocity + self.path.acceleration * (0.5 * seconds)) * seconds
    }

    /// Its last position, m.
    pub(crate) fn end(&self) -> DVec3 {
        self.path.position_at(self.path.epoch.plus(self.seconds))
    }

    /// Whether the next leg begins without a kink, as the parts of a swing do.
    pub(crate) fn goes_on_in(&self, next: &Self) -> bool {
        let [before, after] = [self, next].map(|leg| leg.path.velocity_at(next.path.epoch));
        (after - before).length() <= KINK_MIN * before.length().max(after.length())
            || (after - before).length() <= KINK_MIN * self.path.acceleration.length() * self.seconds
    }

    /// The part of it within a span of time, s.
    pub(crate) fn within(&self, time: Span) -> Option<Self> {
        let begin = self.path.epoch.seconds();
        let (skip, end) = ((time.low - begin).max(0.0), self.seconds.min(time.high - begin));
        let mut path = self.path;
        if skip > 0.0 {
            let epoch = path.epoch.plus(skip);
            let (position, velocity) = (path.position_at(epoch), path.velocity_at(epoch));
            path = Path { position, velocity, epoch, ..path };
        }
        (skip <= end).then_some(Self { path, seconds: end - skip, is_put: self.is_put && skip == 0.0 })
    }

    /// The smallest span of a coordinate that holds it, m.
    pub(crate) fn covered(&self, axis: usize) -> Span {
        let mut span = Span::EMPTY;
        span.include(self.path.position[axis]);
        span.include(self.end()[axis]);
        // The vertex of the parabola, if it lies on this leg.
        let turn = -self.path.velocity[axis] / self.path.acceleration[axis];
        if turn > 0.0 && turn < self.seconds {
            span.include(self.path.position_at(self.path.epoch.plus(turn))[axis]);
        }
        span
    }
}

/// The last of some legs in order that has begun at an instant; `None` before the first.
pub(crate) fn leg_at(legs: &[Leg], time: SimTime) -> Option<&Leg> {
    legs.get(legs.partition_point(|leg| leg.path.epoch <= time).checked_sub(1)?)
}

/// The known motion of one body; at first nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Track {
    /// The exact path, as far as it was stored.
    knots: Vec<Path>,
    samples: Samples,
    /// The smallest box that holds all recorded positions, m.
    pub(crate) extent: [Span; 3],
    /// First recorded position, m.
    pub(crate) first: Option<DVec3>,
    /// Last recorded time and position, m.
    last: Option<(SimTime, DVec3)>,
    /// When the body was added: the start of the run, unless the scenario adds it later.
    pub(crate) come: SimTime,
    /// When the body was removed, if the scenario removes it.
    pub(crate) gone: Option<SimTime>,
    /// When the scenario puts it elsewhere.
    pub(crate) put: Vec<SimTime>,
}

impl Track {
    /// Adds the next knot. Returns it as the error if it is earlier than the one before.
    pub(crate) fn add_knot(&mut self, path: Path) -> Result<(), Path> {
        if self.knots.last().is_some_and(|knot| knot.epoch > path.epoch) {
            return Err(path);
        }
        self.knots.push(path);
        self.look(path.epoch, path.position);
        Ok(())
    }

    /// Adds the next recorded position. It is stored for lines if `keep` is true.
    pub(crate) fn add_sample(&mut self, time: SimTime, position: DVec3, keep: bool) {
        self.look(time, position);
        if keep {
            self.samples.add(time, position);
        }
    }

    /// Whether an exact path was stored.
    pub(crate) fn has_knots(&self) -> bool {
        !self.knots.is_empty()
    }

    /// Last recorded position, m.
    pub(crate) fn last(&self) -> Option<DVec3> {
        self.last.map(|(_, position)| position)
    }

    /// The legs from the knots. The last knot holds until `knots_end`, or until the body was removed; then the knot of
    /// the removal itself is no leg.
    pub(crate) fn exact_legs(&self, knots_end: SimTime) -> Vec<Leg> {
        let end = self.gone.map_or(knots_end, |gone| gone.min(knots_end));
        let until = |index: usize| self.knots.get(index + 1).map_or(end, |next| next.epoch);
        let leg = |(index, &path): (usize, &Path)| {
            let seconds = until(index).since(path.epoch).max(0.0);
            Leg { path, seconds, is_put: self.put.contains(&path.epoch) }
        };
        let is_there = |knot: &&Path| self.gone.is_none_or(|gone| knot.epoch < gone);
        self.knots.iter().take_while(is_there).enumerate().map(leg).collect()
    }

    /// The legs from start to end: exact until `knots_end` if knots were stored, otherwise chords between recorded
    /// positions. In a periodic space each leg begins in the image where the one before ended.
    pub(crate) fn legs(&self, knots_end: SimTime, space: &Space) -> Vec<Leg> {
        let mut rows = self.samples.rows.clone();
        // Thinning may have dropped the last position, which is the end of the line.
        rows.extend(self.last.filter(|last| !rows.is_empty() && rows.last() != Some(last)));
        let exact = self.has_knots();
        let later = rows.windows(2).filter(|ends| !exact || ends[0].0 >= knots_end);
        let mut legs = self.exact_legs(knots_end);
        let is_put_in = |from: SimTime, to: SimTime| self.put.iter().any(|&put| from < put && put <= to);
        let mut is_put = false;
        for ends in later {
            // Where it was between the last look and the command is not known.
            if is_put_in(ends[0].0, ends[1].0) {
                is_put = true;
                continue;
            }
            legs.push(Leg { is_put, ..chord(ends[0], ends[1], space) });
            is_put = false;
        }
        unroll(&mut legs, space);
        legs
    }

    /// The path of the body at `time` according to its knots; at a knot, that which begins there.
    pub(crate) fn exact_path(&self, time: SimTime) -> Option<&Path> {
        let next = self.knots.partition_point(|path| path.epoch <= time);
        self.knots.get(next.checked_sub(1)?)
    }

    fn look(&mut self, time: SimTime, position: DVec3) {
        for axis in 0..3 {
            self.extent[axis].include(position[axis]);
        }
        self.first = self.first.or(Some(position));
        self.last = Some((time, position));
    }
}

/// Positions at times: all of them, or every second, fourth, … if there are more than [`SAMPLES_MAX`].
#[derive(Debug, Clone)]
struct Samples {
    rows: Vec<(SimTime, DVec3)>,
    seen: usize,
    stride: usize,
}

impl Default for Samples {
    fn default() -> Self {
        Self { rows: Vec::new(), seen: 0, stride: 1 }
    }
}

impl Samples {
    fn add(&mut self, time: SimTime, position: DVec3) {
        if self.seen.is_multiple_of(self.stride) {
            if self.rows.len() == SAMPLES_MAX {
                let mut index = 0;
                self.rows.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                self.stride *= 2;
            }
            if self.seen.is_multiple_of(self.stride) {
                self.rows.push((time, position));
            }
        }
        self.seen += 1;
    }
}

/// Moves each leg by whole periods to where the one before it ended. Knots and positions are given within the period,
/// and a line between two images is not the path of a body. One that is put elsewhere begins there.
fn unroll(legs: &mut [Leg], space: &Space) {
    for next in 1..legs.len() {
        if legs[next].is_put {
            continue;
        }
        let jump = legs[next].path.position - legs[next - 1].end();
        for axis in 0..3 {
            if let Some(period) = space.periods[axis] {
                let length = period.max - period.min;
                legs[next].path.position[axis] -= (jump[axis] / length).round() * length;
            }
        }
    }
}

/// The displacement between two places by the nearest image.
pub(crate) fn shortest(mut way: DVec3, space: &Space) -> DVec3 {
    for axis in 0..3 {
        if let Some(period) = space.periods[axis] {
            way[axis] -= (way[axis] / period.length()).round() * period.length();
        }
    }
    way
}

/// The straight leg between two recorded positions; on a periodic axis to the nearest image.
fn chord(from: (SimTime, DVec3), to: (SimTime, DVec3), space: &Space) -> Leg {
    let seconds = to.0.since(from.0).max(f64::MIN_POSITIVE);
    let velocity = shortest(to.1 - from.1, space) / seconds;
    let path = Path { position: from.1, velocity, acceleration: DVec3::ZERO, epoch: from.0 };
    Leg { path, seconds, is_put: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::Period;

    #[test]
    fn a_long_track_is_thinned_evenly() {
        let mut samples = Samples::default();
        for step in 0..10 * SAMPLES_MAX {
            samples.add(SimTime::from_seconds(step as f64), DVec3::ZERO);
        }
        assert!(samples.rows.len() <= SAMPLES_MAX && samples.rows.len() > SAMPLES_MAX / 2);
        let steps: Vec<_> = samples.rows.windows(2).map(|ends| ends[1].0.since(ends[0].0)).collect();
        assert!(steps.iter().all(|&step| step == samples.stride as f64), "{steps:?}");
    }

    #[test]
    fn a_chord_takes_the_short_way_round() {
        let mut space = Space::default();
        space.periods[0] = Some(Period { min: 0.0, max: 10.0 });
        let at = |seconds, x| (SimTime::from_seconds(seconds), DVec3::new(x, 0.0, 0.0));
        let leg = chord(at(0.0, 9.5), at(1.0, 0.5), &space);
        assert_eq!(leg.end(), DVec3::new(10.5, 0.0, 0.0));
    }

    #[test]
    fn legs_go_on_where_the_one_before_ended() {
        let mut space = Space::default();
        space.periods[0] = Some(Period { min: 0.0, max: 10.0 });
        let knot = |seconds, x, speed| Path {
            position: DVec3::new(x, 0.0, 0.0),
            velocity: DVec3::X * speed,
            acceleration: DVec3::ZERO,
            epoch: SimTime::from_seconds(seconds),
        };
        let mut track = Track::default();
        // The body crosses the border twice and comes back; each knot is stored within the period.
        for path in [knot(0.0, 9.0, 2.0), knot(1.0, 1.0, 10.0), knot(2.0, 1.0, -3.0)] {
            track.add_knot(path).unwrap();
        }
        let legs = track.legs(SimTime::from_seconds(3.0), &space);
        assert_eq!(legs.iter().map(|leg| leg.path.position.x).collect::<Vec<_>>(), [9.0, 11.0, 21.0]);
        assert_eq!(legs[2].end().x, 18.0);
    }
}
