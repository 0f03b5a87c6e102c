//! From legs to lines: a parabola becomes as many straight pieces as are needed to look smooth. A periodic path is cut
//! where it wraps.
//!
//! A chord over the time h deviates from a parabola with acceleration a by at most a h²/8. So the number of pieces
//! follows from the largest deviation allowed. A kink is a vertex of the line, whatever the timestep of the run was.

use glam::{DVec2, DVec3};

use super::track::Leg;
use crate::dynamics::Period;

/// Most pieces of one leg; a leg that needs more reaches far beyond any picture.
const PIECES_MAX: f64 = 4096.0;

/// Most parts into which one piece is cut in a periodic space.
const WRAPS_MAX: usize = 4096;

/// The points of a line along `leg`, with its ends. No chord deviates by more than `grain` metres. `project` is linear
/// in the position; its second argument is the time since the leg began, s.
pub(crate) fn along(leg: &Leg, grain: f64, project: impl Fn(DVec3, f64) -> DVec2) -> Vec<DVec2> {
    let bend = project(leg.path.acceleration, 0.0) - project(DVec3::ZERO, 0.0);
    let count = (leg.seconds * (bend.length() / (8.0 * grain)).sqrt()).ceil().clamp(1.0, PIECES_MAX);
    let point = |index: usize| {
        let seconds = leg.seconds * (index as f64 / count);
        project(leg.after(seconds), seconds)
    };
    (0..=count as usize).map(point).collect()
}

/// One line along all `legs`, each drawn by `points`, and another one from where the body was put elsewhere. Between
/// two legs the vertex is the knot itself, and not the rounded end of the first polynomial.
pub(crate) fn joined(legs: &[Leg], points: impl Fn(&Leg) -> Vec<DVec2>) -> Vec<Vec<DVec2>> {
    let line = |legs: &[Leg]| {
        let mut line: Vec<DVec2> = Vec::new();
        let mut before: Option<&Leg> = None;
        for leg in legs {
            if before.is_some_and(|before| leg.path.epoch.since(before.path.epoch) == before.seconds) {
                line.pop();
            }
            line.extend(points(leg));
            before = Some(leg);
        }
        line
    };
    legs.chunk_by(|_, next| !next.is_put).map(line).collect()
}

/// Maps a line into the periods of its two axes and cuts it where it wraps; passes each part to `take`.
pub(crate) fn wrapped(points: &[DVec2], periods: [Option<Period>; 2], mut take: impl FnMut(&[DVec2])) {
    if periods == [None, None] {
        return take(points);
    }
    let mut part: Vec<DVec2> = Vec::new();
    let mut home = DVec2::ZERO;
    for ends in points.windows(2) {
        let along = ends[1] - ends[0];
        let cuts = crossings(ends[0], ends[1], periods);
        for shares in cuts.windows(2) {
            // Use the image of the middle: an end on a boundary belongs to both sides.
            let shift = image(ends[0] + along * (0.5 * (shares[0] + shares[1])), periods);
            if shift != home || part.is_empty() {
                take(&part);
                part = vec![ends[0] + along * shares[0] - shift];
                home = shift;
            }
            part.push(ends[0] + along * shares[1] - shift);
        }
    }
    take(&part);
}

/// The displacement from `point` to its image inside the periods.
pub(crate) fn image(point: DVec2, periods: [Option<Period>; 2]) -> DVec2 {
    let shift = |value: f64, period: Option<Period>| {
        period.map_or(0.0, |Period { min, max }| ((value - min) / (max - min)).floor() * (max - min))
    };
    DVec2::new(shift(point.x, periods[0]), shift(point.y, periods[1]))
}

/// The fractions of a straight piece at which it passes from one image to the next, with 0 and 1 at the ends.
fn crossings(from: DVec2, to: DVec2, periods: [Option<Period>; 2]) -> Vec<f64> {
    let mut shares = vec![0.0, 1.0];
    for axis in 0..2 {
        let Some(Period { min, max }) = periods[axis] else { continue };
        let (start, end) = ((from[axis] - min) / (max - min), (to[axis] - min) / (max - min));
        let first = start.min(end).floor() + 1.0;
        let walls = (0..WRAPS_MAX).map(|index| first + index as f64).take_while(|&wall| wall < start.max(end));
        shares.extend(walls.map(|wall| (wall - start) / (end - start)));
    }
    shares.sort_by(f64::total_cmp);
    shares.dedup();
    shares
}

/// A line as a function of its horizontal coordinate, thinned to what a column of the picture can show.
///
/// Of all points in one column of `width`, the first, the lowest, the highest and the last are kept.
pub(crate) fn thinned(points: &[DVec2], width: f64) -> Vec<DVec2> {
    let column = |point: &DVec2| (point.x / width).floor();
    let mut kept = Vec::new();
    for group in points.chunk_by(|a, b| column(a) == column(b)) {
        if group.len() <= 4 {
            kept.extend_from_slice(group);
            continue;
        }
        let by_height = |a: &usize, b: &usize| group[*a].y.total_cmp(&group[*b].y);
        let lowest = (0..group.len()).min_by(by_height).unwrap_or(0);
        let highest = (0..group.len()).max_by(by_height).unwrap_or(0);
        let mut chosen = [0, lowest, highest, group.len() - 1];
        chosen.sort_unstable();
        kept.extend(chosen.map(|index| group[index]));
    }
    kept.dedup();
    kept
}

/// The line without unnecessary points: none of those left out is farther than `stray` pixels from it.
///
/// Douglas and Peucker, *Algorithms for the reduction of the number of points required to represent a digitized line*,
/// 1973. A line that comes back to its beginning keeps the point farthest from there.
pub(crate) fn straightened(line: &[DVec2], stray: f64) -> Vec<DVec2> {
    let mut kept = Vec::from_iter(line.first().copied());
    keep(line, stray, &mut kept);
    kept
}

/// Adds the necessary points of a line after its first point.
fn keep(line: &[DVec2], stray: f64, kept: &mut Vec<DVec2>) {
    let [first, .., last] = *line else { return };
    let (along, length) = ((last - first).normalize_or_zero(), first.distance(last));
    let away = |&place: &usize| {
        let point = line[place] - first;
        point.distance(along * point.dot(along).clamp(0.0, length))
    };
    let farthest = (1..line.len() - 1).max_by(|a, b| away(a).total_cmp(&away(b)));
    match farthest.filter(|place| away(place) > stray) {
        Some(place) => {
            keep(&line[..=place], stray, kept);
            keep(&line[place..], stray, kept);
        }
        None => kept.push(last),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Path, SimTime};

    fn leg(velocity: DVec3, acceleration: DVec3, seconds: f64) -> Leg {
        let path = Path { position: DVec3::new(0.0, 0.0, 1.0), velocity, acceleration, epoch: SimTime::ZERO };
        Leg { path, seconds, is_put: false }
    }

    #[test]
    fn a_straight_leg_is_one_piece_and_a_parabola_is_as_fine_as_asked() {
        let flat = |position: DVec3, _| DVec2::new(position.x, position.z);
        let straight = along(&leg(DVec3::new(2.0, 0.0, 1.0), DVec3::ZERO, 3.0), 1e-9, flat);
        assert_eq!(straight, [DVec2::new(0.0, 1.0), DVec2::new(6.0, 4.0)]);
        let fall = leg(DVec3::X, DVec3::NEG_Z * 10.0, 1.0);
        for grain in [1e-1, 1e-3, 1e-6] {
            let points = along(&fall, grain, flat);
            let slips_visibly = points.windows(2).map(|ends| {
                let middle = ends[0].midpoint(ends[1]);
                (1.0 - 5.0 * middle.x * middle.x - middle.y).abs()
            });
            assert!(slips_visibly.fold(0.0, f64::max) <= grain * 1.001, "{grain}");
            assert_eq!(points.last(), Some(&DVec2::new(1.0, -4.0)), "the kink is a vertex, to the bit");
        }
    }

    #[test]
    fn the_kinks_of_a_line_are_its_knots() {
        let knot = |seconds: f64, x: f64, v: f64| Path {
            position: DVec3::X * x,
            velocity: DVec3::X * v,
            acceleration: DVec3::ZERO,
            epoch: SimTime::from_seconds(seconds),
        };
        // 0.1 + 0.7 · 0.3 is not 0.31 in floats, and the vertex must be 0.31.
        let legs = [
            Leg { path: knot(0.0, 0.1, 0.7), seconds: 0.3, is_put: false },
            Leg { path: knot(0.3, 0.31, -1.0), seconds: 0.25, is_put: false },
            Leg { path: knot(1.0, 0.06, 0.0), seconds: 1.0, is_put: false },
        ];
        let lines = |legs: &[Leg]| {
            let lines = joined(legs, |leg| along(leg, 1e-3, |position, _| DVec2::new(position.x, 0.0)));
            lines.iter().map(|line| line.iter().map(|point| point.x).collect()).collect::<Vec<Vec<f64>>>()
        };
        let wanted = [0.1, 0.31, 0.31 - 0.25, 0.06, 0.06];
        assert_eq!(lines(&legs), [wanted], "a gap keeps both its ends");
        let put = [legs[0], Leg { is_put: true, ..legs[1] }];
        assert_eq!(lines(&put), [[0.1, legs[0].end().x], [0.31, 0.31 - 0.25]], "no line leads to where it is put");
    }

    #[test]
    fn a_way_is_cut_where_it_wraps() {
        let period = Period { min: 0.0, max: 1.0 };
        let mut parts = Vec::new();
        let line = [DVec2::new(0.5, 0.25), DVec2::new(2.5, 0.25)];
        wrapped(&line, [Some(period), None], |part| parts.push(part.to_vec()));
        parts.retain(|part| part.len() > 1);
        let ends: Vec<_> = parts.iter().map(|part| (part[0].x, part[part.len() - 1].x)).collect();
        assert_eq!(ends, [(0.5, 1.0), (0.0, 1.0), (0.0, 0.5)]);
    }

    #[test]
    fn thinning_keeps_the_envelope() {
        let wave: Vec<_> = (0..10_000).map(|i| DVec2::new(f64::from(i) * 1e-3, f64::from(i % 17))).collect();
        let kept = thinned(&wave, 1.0);
        assert!(kept.len() <= 40);
        assert_eq!(kept.iter().map(|point| point.y).fold(0.0, f64::max), 16.0);
        assert_eq!((kept[0], kept[kept.len() - 1]), (wave[0], wave[9999]));
    }

    #[test]
    fn straightening_keeps_what_can_be_seen() {
        let at = |x: f64, y: f64| DVec2::new(x, y);
        let stairs: Vec<DVec2> = (0..100).map(|row| at((f64::from(row) / 3.0).floor() * 0.5, f64::from(row))).collect();
        assert_eq!(straightened(&stairs, 0.5), [stairs[0], stairs[99]]);
        let bend = [at(0.0, 0.0), at(0.0, 1.0), at(0.0, 5.0), at(3.0, 8.0), at(5.0, 10.0)];
        assert_eq!(straightened(&bend, 0.5), [bend[0], bend[2], bend[4]]);
        let back = [at(0.0, 0.0), at(4.0, 0.0), at(9.0, 0.0), at(0.0, 0.0)];
        assert_eq!(straightened(&back, 0.5), [back[0], back[2], back[3]]);
        assert_eq!(straightened(&back[..1], 0.5), back[..1]);
    }
}
