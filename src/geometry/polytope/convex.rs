//! Convex parts of a polygon in the plane.
//!
//! Ears are cut off one by one (Meisters, *Polygons Have Ears*, 1975), then triangles are put together again across
//! every diagonal that leaves both its ends convex (Hertel & Mehlhorn, *Fast Triangulation of Simple Polygons*, 1983): at
//! most four times as many parts as the fewest possible, and a convex polygon comes back whole. Which side of a line a
//! point lies on is decided without rounding, so a polygon that does not cross itself always comes apart.

use std::cmp::Ordering;

use glam::DVec2;
use thiserror::Error;

use crate::geometry::exact::determinant_sign;
use crate::numeric::OutOfRange;
use crate::numeric::quantity::{MAGNITUDE_MIN, is_moderate};

/// Why an outline encloses nothing that could be caught.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum LassoError {
    /// Fewer than three points.
    #[error("a lasso needs at least 3 points, found {found}")]
    TooFewPoints {
        /// How many were given.
        found: usize,
    },
    /// A point that is nowhere.
    #[error("point {index} of the lasso must be finite, at most 1e70, found {found}")]
    NotFinite {
        /// Its row.
        index: usize,
        /// What was given.
        found: DVec2,
    },
    /// All points on one place or line.
    #[error("the lasso encloses no area: its points lie on one line; draw around something")]
    NoArea,
    /// Two edges that share more than the end of one that is the start of the next.
    #[error(
        "the lasso crosses or touches itself: its edges from point {first} and from point {second} meet; redraw it"
    )]
    Crosses {
        /// The row of the point at which the one edge starts.
        first: usize,
        /// The row of the point at which the other edge starts.
        second: usize,
    },
    /// The outline is too small or too large for a plane.
    #[error("the lasso has an edge of no usable size: {0}")]
    NoPlane(#[from] OutOfRange),
}

/// Convex polygons of at most `edges_max` (≥ 3) edges, counterclockwise, that make up what `outline` encloses.
///
/// Each edge is an edge of the outline or occurs once more, the other way round.
pub(super) fn convex_parts(outline: &[DVec2], edges_max: usize) -> Result<Vec<Vec<DVec2>>, LassoError> {
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

/// Points by row; everything below speaks of rows.
struct Polygon<'a> {
    points: &'a [DVec2],
}

impl Polygon<'_> {
    /// On which side of the line from a to b point c lies: `Greater` to the left.
    fn turn(&self, [a, b, c]: [usize; 3]) -> Ordering {
        let row = |k: usize| self.points[k].extend(1.0);
        determinant_sign(row(a), row(b), row(c))
    }

    /// The rows that are corners, in order, and not fewer than three.
    fn without_straight_points(&self) -> Result<Vec<usize>, LassoError> {
        let mut ring: Vec<usize> = (0..self.points.len()).collect();
        ring.dedup_by_key(|row| self.points[*row].to_array());
        while ring.len() > 1 && self.points[ring[0]] == self.points[ring[ring.len() - 1]] {
            ring.pop();
        }
        while let Some(k) = (0..ring.len()).find(|&k| self.turn(around(&ring, k)) == Ordering::Equal) {
            if ring.len() <= 3 {
                return Err(LassoError::NoArea);
            }
            let [a, b, c] = around(&ring, k);
            if self.turns_back(a, b, c) {
                return Err(LassoError::Crosses { first: a.min(b), second: a.max(b) });
            }
            ring.remove(k);
        }
        if ring.len() < 3 { Err(LassoError::NoArea) } else { Ok(ring) }
    }

    /// Whether of three points on one line b does not lie between a and c.
    fn turns_back(&self, a: usize, b: usize, c: usize) -> bool {
        let [a, b, c] = [a, b, c].map(|row| self.points[row]);
        (b.cmplt(a.min(c)) | b.cmpgt(a.max(c))).any()
    }

    /// The rows in counterclockwise order, if no two edges meet but in a common end.
    fn counterclockwise(&self, mut ring: Vec<usize>) -> Result<Vec<usize>, LassoError> {
        let count = ring.len();
        for i in 0..count {
            for j in i + 2..count - usize::from(i == 0) {
                if self.meet([ring[i], ring[i + 1]], [ring[j], ring[(j + 1) % count]]) {
                    return Err(LassoError::Crosses { first: ring[i], second: ring[j] });
                }
            }
        }
        // The outline turns its own way at its leftmost point, the lowest of several.
        let place = |k: usize| self.points[ring[k]];
        let before = |i: usize, j: usize| place(i).x.total_cmp(&place(j).x).then(place(i).y.total_cmp(&place(j).y));
        let leftmost = (0..count).min_by(|&i, &j| before(i, j)).unwrap_or(0);
        if self.turn(around(&ring, leftmost)) == Ordering::Less {
            ring.reverse();
        }
        Ok(ring)
    }

    /// Whether two closed segments have a point in common.
    fn meet(&self, [a, b]: [usize; 2], [c, d]: [usize; 2]) -> bool {
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
        while ring.len() > 3 {
            let ear = (0..ring.len()).find(|&k| self.is_ear(&ring, k)).expect("a simple polygon has two ears");
            let [a, b, c] = around(&ring, ear);
            triangles.push(vec![a, b, c]);
            diagonals.push([a, c]);
            ring.remove(ear);
        }
        triangles.push(ring);
        (triangles, diagonals)
    }

    fn is_ear(&self, ring: &[usize], k: usize) -> bool {
        let [a, b, c] = around(ring, k);
        let within = |p: usize| [[a, b, p], [b, c, p], [c, a, p]].iter().all(|&sides| self.turn(sides).is_ge());
        self.turn([a, b, c]) == Ordering::Greater && !ring.iter().any(|&p| ![a, b, c].contains(&p) && within(p))
    }

    /// The parts, put together across every diagonal that is not needed.
    fn merged(&self, mut parts: Vec<Vec<usize>>, diagonals: &[[usize; 2]], edges_max: usize) -> Vec<Vec<usize>> {
        for &[a, c] in diagonals {
            let from =
                |start, end| parts.iter().position(|part| (0..part.len()).any(|k| edge(part, k) == [start, end]));
            let (Some(i), Some(j)) = (from(c, a), from(a, c)) else { continue };
            // From a round the one part to c, and from c round the other back to a.
            let whole = [&unrolled(&parts[i], a)[..], &unrolled(&parts[j], c)[1..parts[j].len() - 1]].concat();
            let convex = (0..whole.len()).all(|k| self.turn(around(&whole, k)).is_ge());
            if convex && whole.len() <= edges_max {
                parts[i] = whole;
                parts.remove(j);
            }
        }
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

/// The same ring, begun at `start`.
fn unrolled(ring: &[usize], start: usize) -> Vec<usize> {
    let skip = ring.iter().position(|&row| row == start).unwrap_or(0);
    ring.iter().cycle().skip(skip).take(ring.len()).copied().collect()
}
