//! Cutting of lines and convex polygons at a rectangle, and of lines into dashes.

use glam::DVec2;

use super::rect::Rect;

/// Passes the parts of a line that lie in `rect` to `take`, in order.
///
/// Each straight piece is cut by the method of Liang and Barsky, *A new concept and method for line clipping*, 1984.
pub(crate) fn line_inside(points: &[DVec2], rect: Rect, mut take: impl FnMut(Vec<DVec2>)) {
    let mut part: Vec<DVec2> = Vec::new();
    for ends in points.windows(2) {
        let Some((from, to)) = piece_inside(ends[0], ends[1], rect) else { continue };
        if part.last() != Some(&from) {
            flush(&mut part, &mut take);
            part.push(from);
        }
        part.push(to);
    }
    flush(&mut part, &mut take);
}

fn flush(part: &mut Vec<DVec2>, take: &mut impl FnMut(Vec<DVec2>)) {
    if part.len() > 1 {
        take(std::mem::take(part));
    }
    part.clear();
}

/// The part of a straight piece inside `rect`. An end that lies inside keeps its exact coordinates.
fn piece_inside(from: DVec2, to: DVec2, rect: Rect) -> Option<(DVec2, DVec2)> {
    let along = to - from;
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let (start, step) = (from[axis], along[axis]);
        let (low, high) = (rect.min[axis], rect.max[axis]);
        if step == 0.0 {
            if start < low || start > high {
                return None;
            }
            continue;
        }
        let (first, second) = ((low - start) / step, (high - start) / step);
        enter = enter.max(first.min(second));
        leave = leave.min(first.max(second));
    }
    let end = |share: f64| (from + along * share).clamp(rect.min, rect.max);
    (enter <= leave).then(|| (if enter > 0.0 { end(enter) } else { from }, if leave < 1.0 { end(leave) } else { to }))
}

/// The part of a convex polygon inside `rect`; empty when there is none.
///
/// Sutherland and Hodgman, *Reentrant polygon clipping*, 1974.
pub(crate) fn area_inside(points: &[DVec2], rect: Rect) -> Vec<DVec2> {
    let walls =
        [(DVec2::X, rect.min.x), (DVec2::NEG_X, -rect.max.x), (DVec2::Y, rect.min.y), (DVec2::NEG_Y, -rect.max.y)];
    walls.into_iter().fold(points.to_vec(), |area, (inward, least)| area_beyond(&area, inward, least))
}

/// The part of a convex polygon where `inward`·x is at least `least`.
pub(crate) fn area_beyond(points: &[DVec2], inward: DVec2, least: f64) -> Vec<DVec2> {
    let mut kept = Vec::with_capacity(points.len() + 1);
    for (index, &to) in points.iter().enumerate() {
        let from = points[(index + points.len() - 1) % points.len()];
        let (before, after) = (inward.dot(from) - least, inward.dot(to) - least);
        if (before < 0.0) != (after < 0.0) {
            kept.push(from + (to - from) * (before / (before - after)));
        }
        if after >= 0.0 {
            kept.push(to);
        }
    }
    kept
}

/// A line as dashes: `pattern` has the lengths of dashes and gaps in turn, pixels.
pub(crate) fn dashes(points: &[DVec2], pattern: &[f64]) -> Vec<Vec<DVec2>> {
    let mut all = Vec::new();
    let mut current = Vec::from_iter(points.first().copied());
    let (mut place, mut left) = (0, pattern[0]);
    for ends in points.windows(2) {
        let mut from = ends[0];
        while from.distance(ends[1]) > left {
            from += (ends[1] - from).normalize() * left;
            if place % 2 == 0 {
                current.push(from);
                all.push(std::mem::take(&mut current));
            } else {
                current = vec![from];
            }
            place = (place + 1) % pattern.len();
            left = pattern[place];
        }
        left -= from.distance(ends[1]);
        if place % 2 == 0 {
            current.push(ends[1]);
        }
    }
    if current.len() > 1 {
        all.push(current);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECT: Rect = Rect { min: DVec2::ZERO, max: DVec2::splat(10.0) };

    fn points(flat: &[f64]) -> Vec<DVec2> {
        flat.chunks(2).map(|pair| DVec2::new(pair[0], pair[1])).collect()
    }

    #[test]
    fn a_line_is_cut_where_it_leaves() {
        let rows: [(&[f64], &[&[f64]]); 5] = [
            (&[1.0, 1.0, 9.0, 9.0], &[&[1.0, 1.0, 9.0, 9.0]]),
            (&[-5.0, 5.0, 15.0, 5.0], &[&[0.0, 5.0, 10.0, 5.0]]),
            (&[5.0, 5.0, 5.0, 15.0, 7.0, 15.0, 7.0, 5.0], &[&[5.0, 5.0, 5.0, 10.0], &[7.0, 10.0, 7.0, 5.0]]),
            (&[-1.0, -1.0, -1.0, 11.0], &[]),
            (&[5.0, 5.0], &[]),
        ];
        for (line, wanted) in rows {
            let mut parts = Vec::new();
            line_inside(&points(line), RECT, |part| parts.push(part));
            assert_eq!(parts, wanted.iter().map(|part| points(part)).collect::<Vec<_>>(), "{line:?}");
        }
    }

    #[test]
    fn a_polygon_is_cut_at_the_edge() {
        let area = area_inside(&points(&[5.0, 5.0, 15.0, 5.0, 15.0, 15.0, 5.0, 15.0]), RECT);
        assert_eq!(area.len(), 4);
        assert!(area.iter().all(|corner| corner.cmpge(DVec2::splat(5.0)).all() && corner.cmple(RECT.max).all()));
        assert!(area_inside(&points(&[11.0, 0.0, 12.0, 0.0, 12.0, 5.0]), RECT).is_empty());
    }

    #[test]
    fn dashes_run_on_round_a_corner() {
        let dashes = dashes(&points(&[0.0, 0.0, 5.0, 0.0, 5.0, 5.0]), &[4.0, 2.0]);
        assert_eq!(dashes, [points(&[0.0, 0.0, 4.0, 0.0]), points(&[5.0, 1.0, 5.0, 5.0])]);
    }
}
