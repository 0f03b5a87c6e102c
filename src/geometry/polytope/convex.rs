//! Convex parts of a polygon in the plane.
//!
//! Ears are cut off one by one (Meisters, *Polygons Have Ears*, 1975). Then triangles are merged across every diagonal
//! at whose ends the corners stay convex (Hertel & Mehlhorn, *Fast Triangulation of Simple Polygons*, 1983). The result
//! has at most four times as many parts as the fewest possible, and a convex polygon stays whole. The side of a line on
//! which a point lies is decided without rounding, so the method succeeds for every polygon that does not cross itself.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use glam::DVec2;
use thiserror::Error;

use crate::geometry::exact::determinant_sign;
use crate::geometry::{Aabb, Tree};
use crate::numeric::OutOfRange;
use crate::numeric::quantity::{MAGNITUDE_MIN, is_moderate};
use crate::numeric::tolerance::SEAM_SLACK;

/// Why an outline cannot be used as a lasso.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum LassoError {
    /// Fewer than three points.
    #[error("an outline needs at least 3 points, found {found}")]
    TooFewPoints {
        /// How many were given.
        found: usize,
    },
    /// A point is NaN, infinite or too large.
    #[error("point {index} of the outline must be finite, at most 1e70, found {found}")]
    NotFinite {
        /// Its row.
        index: usize,
        /// What was given.
        found: DVec2,
    },
    /// All points are in one place or on one line.
    #[error("the outline encloses no area: its points lie on one line")]
    NoArea,
    /// Two edges have a point in common that is not just the end of one and the start of the next.
    #[error("the outline crosses or touches itself: its edges from point {first} and from point {second} meet")]
    Crosses {
        /// The row of the point at which the one edge starts.
        first: usize,
        /// The row of the point at which the other edge starts.
        second: usize,
    },
    /// The outline is too small or too large for a plane.
    #[error("the outline has an edge of no usable size: {0}")]
    NoPlane(#[from] OutOfRange),
}

/// Convex polygons of at most `edges_max` (≥ 3) edges, counterclockwise, that together cover the area which `outline`
/// encloses.
///
/// Each edge is an edge of the outline, or occurs a second time in the opposite direction.
pub(in crate::geometry) fn convex_parts(outline: &[DVec2], edges_max: usize) -> Result<Vec<Vec<DVec2>>, LassoError> {
    if outline.len() < 3 {
        return Err(LassoError::TooFewPoints { found: outline.len() });
    }
    let moderate = |point: DVec2| is_moderate(point.x) && is_moderate(point.y);
    if let Some(index) = outline.iter().position(|&point| !moderate(point)) {
        return Err(LassoError::NotFinite { index, found: outline[index] });
    }
    // Products of what is left cannot underflow.
    let flush = |x: f64| if x.abs() < MAGNITUDE_MIN { 0.0 } else { x };
    let points: Vec<DVec2> = outline.iter().map(|point| DVec2::new(flush(point.x), flush(point.y))).collect();
    let polygon = Polygon { points: &points };
    let ring = polygon.counterclockwise(polygon.without_straight_points()?)?;
    let (triangles, diagonals) = polygon.triangles(ring);
    let parts = polygon.merged(triangles, &diagonals, edges_max);
    Ok(parts.iter().map(|part| part.iter().map(|&row| points[row]).collect()).collect())
}

/// Points; everything below refers to them by their rows.
pub(super) struct Polygon<'a> {
    pub(super) points: &'a [DVec2],
}

impl Polygon<'_> {
    /// On which side of the line from a to b point c lies: `Greater` to the left.
    pub(super) fn turn(&self, [a, b, c]: [usize; 3]) -> Ordering {
        let row = |k: usize| self.points[k].extend(1.0);
        determinant_sign(row(a), row(b), row(c))
    }

    /// The rows that are corners, in order, and at least three.
    pub(super) fn without_straight_points(&self) -> Result<Vec<usize>, LassoError> {
        let mut ring: Vec<usize> = (0..self.points.len()).collect();
        ring.dedup_by_key(|row| self.points[*row].to_array());
        while ring.len() > 1 && self.points[ring[0]] == self.points[ring[ring.len() - 1]] {
            ring.pop();
        }
        let mut k = 0;
        while k < ring.len() {
            let [a, b, c] = around(&ring, k);
            if self.turn([a, b, c]) != Ordering::Equal {
                k += 1;
                continue;
            }
            if ring.len() <= 3 {
                return Err(LassoError::NoArea);
            }
            if self.turns_back(a, b, c) {
                return Err(LassoError::Crosses { first: a.min(b), second: a.max(b) });
            }
            ring.remove(k);
            // Only the turns at its neighbours have changed. The neighbour after the last place is the first.
            k = if k == ring.len() { 0 } else { k.saturating_sub(1) };
        }
        if ring.len() < 3 { Err(LassoError::NoArea) } else { Ok(ring) }
    }

    /// Whether b, on one line with a and c, does not lie between them.
    fn turns_back(&self, a: usize, b: usize, c: usize) -> bool {
        let [a, b, c] = [a, b, c].map(|row| self.points[row]);
        (b.cmplt(a.min(c)) | b.cmpgt(a.max(c))).any()
    }

    /// The rows in counterclockwise order, if two edges meet only at a common end.
    fn counterclockwise(&self, mut ring: Vec<usize>) -> Result<Vec<usize>, LassoError> {
        if let Some([i, j]) = self.crossing(&ring) {
            return Err(LassoError::Crosses { first: ring[i], second: ring[j] });
        }
        let count = ring.len();
        // The turn at the leftmost point (of several, the lowest) has the same sense as the outline.
        let leftmost = (0..count).min_by(|&i, &j| self.sweep_order(ring[i], ring[j])).unwrap_or(0);
        if self.turn(around(&ring, leftmost)) == Ordering::Less {
            ring.reverse();
        }
        Ok(ring)
    }

    /// Whether two closed segments have a point in common.
    pub(super) fn meet(&self, [a, b]: [usize; 2], [c, d]: [usize; 2]) -> bool {
        let sides = [[a, b, c], [a, b, d], [c, d, a], [c, d, b]].map(|corners| self.turn(corners));
        if sides == [Ordering::Equal; 4] {
            let [a, b, c, d] = [a, b, c, d].map(|row| self.points[row]);
            return a.min(b).cmple(c.max(d)).all() && c.min(d).cmple(a.max(b)).all();
        }
        let apart = |p: Ordering, q: Ordering| p == q && p != Ordering::Equal;
        !apart(sides[0], sides[1]) && !apart(sides[2], sides[3])
    }

    /// Triangles that make up a simple ring, and the diagonals between them.
    fn triangles(&self, mut ring: Vec<usize>) -> (Vec<Vec<usize>>, Vec<[usize; 2]>) {
        let (mut triangles, mut diagonals) = (Vec::new(), Vec::new());
        // A convex corner stays convex when an ear is cut off, and only the other corners can lie in an ear.
        let is_blunt = |k: &usize| self.turn(around(&ring, *k)) != Ordering::Greater;
        let blunt: Vec<usize> = (0..ring.len()).filter(is_blunt).map(|k| ring[k]).collect();
        let in_the_way = Tree::new(&blunt.iter().map(|&row| self.spot(row)).collect::<Vec<_>>());
        let mut is_left = vec![true; self.points.len()];
        // The tries since the last ear: a simple polygon always has two ears.
        let (mut k, mut tries) = (0, 0);
        while ring.len() > 3 {
            assert!(tries <= ring.len(), "a simple polygon has two ears");
            k %= ring.len();
            let [a, b, c] = around(&ring, k);
            let is_ear = self.turn([a, b, c]) == Ordering::Greater
                && !self
                    .holds_any([a, b, c], &in_the_way, |item| Some(blunt[item as usize]).filter(|&row| is_left[row]));
            if is_ear {
                triangles.push(vec![a, b, c]);
                diagonals.push([a, c]);
                is_left[b] = false;
                ring.remove(k);
                // The corner before it may be an ear now.
                (k, tries) = (k.saturating_sub(1), 0);
            } else {
                (k, tries) = (k + 1, tries + 1);
            }
        }
        triangles.push(ring);
        (triangles, diagonals)
    }

    /// Whether a counterclockwise triangle contains a point of the tree other than its corners. `row` gives the row of
    /// an item, if it counts.
    fn holds_any(&self, corners: [usize; 3], tree: &Tree, row: impl Fn(u32) -> Option<usize>) -> bool {
        let [a, b, c] = corners;
        let sides = [[a, b], [b, c], [c, a]];
        let within = |p: usize| sides.iter().all(|&[from, to]| self.turn([from, to, p]).is_ge());
        let [one, two, three] = corners.map(|corner| self.points[corner].extend(0.0));
        let bounds = Aabb { min: one.min(two).min(three), max: one.max(two).max(three) };
        let reaches =
            |spots: &Aabb| bounds.touches(spots) && sides.iter().all(|&side| self.reaches_left_of(side, spots));
        // One point is enough. This value is below the bounds of all boxes, so it ends the search.
        let (nothing, enough) = (0.0, -1.0);
        let mut holds = false;
        let bound = |spots: &Aabb| if reaches(spots) { nothing } else { f64::INFINITY };
        tree.nearest_first(nothing, bound, |item, best| {
            holds |= row(item).is_some_and(|row| !corners.contains(&row) && within(row));
            if holds { enough } else { best }
        });
        holds
    }

    /// Whether a part of a box may lie to the left of the line from one point to another, or on it.
    fn reaches_left_of(&self, [from, to]: [usize; 2], spots: &Aabb) -> bool {
        let [from, to] = [from, to].map(|row| self.points[row]);
        let left = (to - from).perp();
        let farthest = DVec2::select(left.cmpgt(DVec2::ZERO), spots.max.truncate(), spots.min.truncate());
        let terms = left.abs().dot(from.abs() + to.abs() + farthest.abs());
        left.dot(farthest - from) >= -SEAM_SLACK * terms
    }

    /// A point as a box without size.
    fn spot(&self, row: usize) -> Aabb {
        let place = self.points[row].extend(0.0);
        Aabb { min: place, max: place }
    }

    /// The parts, merged across every diagonal that is not needed.
    fn merged(&self, mut parts: Vec<Vec<usize>>, diagonals: &[[usize; 2]], edges_max: usize) -> Vec<Vec<usize>> {
        // The part that each edge belongs to.
        let all = parts.iter().enumerate();
        let edges = all.flat_map(|(row, part)| (0..part.len()).map(move |k| (edge(part, k), row)));
        let mut parts_by_edge: BTreeMap<[usize; 2], usize> = edges.collect();
        for &[a, c] in diagonals {
            let of = |edge: [usize; 2]| parts_by_edge.get(&edge).copied();
            let (Some(i), Some(j)) = (of([c, a]), of([a, c])) else { continue };
            if parts[i].len() + parts[j].len() - 2 > edges_max {
                continue;
            }
            // Along the one part from a to c, then along the other from c back to a.
            let whole = [&unrolled(&parts[i], a)[..], &unrolled(&parts[j], c)[1..parts[j].len() - 1]].concat();
            if (0..whole.len()).all(|k| self.turn(around(&whole, k)).is_ge()) {
                let taken = std::mem::take(&mut parts[j]);
                parts_by_edge.extend((0..taken.len()).map(|k| (edge(&taken, k), i)));
                parts[i] = whole;
            }
        }
        parts.retain(|part| !part.is_empty());
        parts
    }
}

fn edge(ring: &[usize], k: usize) -> [usize; 2] {
    [ring[k], ring[(k + 1) % ring.len()]]
}

/// The corner in place `k`, between its neighbours.
fn around(ring: &[usize], k: usize) -> [usize; 3] {
    let count = ring.len();
    [ring[(k + count - 1) % count], ring[k], ring[(k + 1) % count]]
}

/// The same ring, starting at `start`.
fn unrolled(ring: &[usize], start: usize) -> Vec<usize> {
    let skip = ring.iter().position(|&row| row == start).unwrap_or(0);
    ring.iter().cycle().skip(skip).take(ring.len()).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice the area that a ring encloses counterclockwise.
    fn area(ring: &[DVec2]) -> f64 {
        (0..ring.len()).map(|k| ring[k].perp_dot(ring[(k + 1) % ring.len()])).sum()
    }

    /// Points around the origin at equal angles, at these distances.
    fn star(count: u32, distance: impl Fn(u32) -> f64) -> Vec<DVec2> {
        let angle = |k: u32| f64::from(k) / f64::from(count) * std::f64::consts::TAU;
        (0..count).map(|k| DVec2::from_angle(angle(k)) * distance(k)).collect()
    }

    #[test]
    fn outlines_of_many_points_come_apart() {
        const COUNT: u32 = 20_000;
        let teeth = (0..COUNT / 2)
            .flat_map(|k| [(k, 0.0), (k, 1.0)])
            .map(|(k, y)| DVec2::new(0.5 * f64::from(k) + 0.3 * y, if k % 2 == 0 { y } else { 1.0 - y }));
        let comb: Vec<DVec2> =
            [DVec2::new(f64::from(COUNT), -3.0), DVec2::new(-1.0, -3.0)].into_iter().chain(teeth).collect();
        let side = |k: u32| f64::from(k) / f64::from(COUNT / 4);
        // Rotated, so that the box around a tooth or an ear contains many points that are not near it.
        let turned = |outline: &[DVec2]| outline.iter().map(|p| DVec2::from_angle(0.7).rotate(*p)).collect::<Vec<_>>();
        let long_teeth: Vec<DVec2> = comb.iter().map(|p| DVec2::new(p.x, if p.y > 0.5 { 5e3 } else { p.y })).collect();
        let straight = (0..COUNT).map(|k| match k / (COUNT / 4) {
            0 => DVec2::new(side(k), 0.0),
            1 => DVec2::new(1.0, side(k) - 1.0),
            2 => DVec2::new(3.0 - side(k), 1.0),
            _ => DVec2::new(0.0, 4.0 - side(k)),
        });
        let rows = [
            ("a circle", star(COUNT, |_| 1.0)),
            ("a star", star(COUNT, |k| 1.0 + 0.5 * f64::from(k % 2))),
            ("waves", star(COUNT, |k| 2.0 + (0.01 * f64::from(k)).sin())),
            ("a turned comb", turned(&comb)),
            ("a turned comb with long teeth", turned(&long_teeth)),
            ("a comb", comb),
            ("needles", star(COUNT, |k| 1.0 - 0.99 * f64::from(k % 2))),
            ("a square with many points on its sides", straight.collect()),
        ];
        for (name, outline) in rows {
            let parts = convex_parts(&outline, 30).unwrap_or_else(|error| panic!("{name}: {error}"));
            let (sum, whole): (f64, f64) = (parts.iter().map(|part| area(part)).sum(), area(&outline).abs());
            // One rounding error for each point, of the size of the coordinates.
            assert!((sum - whole).abs() <= 1e-9 * whole, "{name}: {sum} of {whole}");
            assert!(parts.iter().all(|part| (3..=30).contains(&part.len()) && area(part) > 0.0), "{name}");
        }
        let mut crossed = star(COUNT, |_| 1.0);
        crossed.swap(7, 9_999);
        assert!(matches!(convex_parts(&crossed, 30), Err(LassoError::Crosses { .. })));
    }
}
