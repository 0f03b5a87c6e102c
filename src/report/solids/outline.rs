//! The lines of a mesh as in a technical drawing: its borders, where it turns away from the viewer, its sharp edges,
//! and faintly the edges between other facets. Hidden lines are left out. If lines are so close that they would look
//! gray, all but the contour are left out.
//!
//! The picture limits the number of lines, not the mesh: ends of lines lie on a grid as fine as a pen, and lines that
//! coincide on it become one.

use std::collections::{BTreeMap, HashMap};

use glam::{DVec2, DVec3};

use super::mesh_depth::{CELL, DepthMap};
use super::stage::Stage;
use crate::geometry::{Mesh, Triangle};
use crate::report::drawing::line_inside;
use crate::report::motion::curve::straightened;

/// Facets that turn by more than this (35°) meet in a sharp edge, as the cosine of the angle.
const SHARP: f64 = 0.82;

/// Facets whose normals lean towards the viewer by less than this are seen as lines; the rounding error is far smaller.
const LEAN_MIN: f64 = 1e-9;

/// Distance between two tests of whether an edge is hidden, pixels.
const STEP: f64 = 1.0;

/// Largest deviation of a line from the places of the grid that it joins, pixels.
const STRAY_MAX: f64 = 0.4;

/// If the length of lines, in pixels, over the area of the mesh, in square pixels, exceeds this, they look gray.
const CROWDED: f64 = 0.1;

/// Total length of lines that is always drawn, pixels: a sheet seen from its edge has lines and no area.
const LENGTH_FREE: f64 = 4000.0;

/// The lines of a mesh in the picture, pixels.
pub(crate) struct Outline {
    pub(crate) strong: Vec<Vec<DVec2>>,
    pub(crate) faint: Vec<Vec<DVec2>>,
}

/// A place on the grid, in cells.
type Knot = [i32; 2];

/// A line between two places of the grid, the lesser first.
type Line = [Knot; 2];

/// Draws the visible lines of the mesh of a body at `position`.
pub(crate) fn outline(stage: &Stage, depths: &DepthMap, mesh: &Mesh, position: DVec3) -> Outline {
    let mut kinds: [Vec<Line>; 4] = Default::default();
    for edge in edges(mesh) {
        if let Some(kind) = edge.kind(mesh, stage) {
            visible(stage, depths, edge.ends.map(|end| end + position), &mut kinds[kind as usize]);
        }
    }
    let [ends, turns, sharp, mut faint] = kinds.map(distinct);
    let strong = distinct([ends, turns, sharp].map(|lines| uncrowded(lines, depths)).concat());
    if are_crowded(&faint, depths) {
        faint.clear();
    }
    faint.retain(|line| strong.binary_search(line).is_err());
    let [strong, faint] = [strong, faint].map(|lines| chains(&lines, depths));
    Outline { strong, faint }
}

/// An edge of the mesh.
struct Edge {
    /// Its ends, m.
    ends: [DVec3; 2],
    /// The triangles along it, and whether each runs from the first end to the second.
    sides: Vec<(u32, bool)>,
}

#[derive(Clone, Copy)]
enum Kind {
    /// A border of the mesh.
    End,
    /// Between a facet that faces the viewer and one that does not.
    Turn,
    Sharp,
    Facet,
}

impl Edge {
    /// The kind of the edge; `None` within a facet.
    fn kind(&self, mesh: &Mesh, stage: &Stage) -> Option<Kind> {
        let [(one, one_way), (other, other_way)] = self.sides[..] else { return Some(Kind::End) };
        let facets = [mesh.facet_of(one), mesh.facet_of(other)];
        if facets[0] == facets[1] {
            return None;
        }
        let [first, second] = facets.map(|facet| mesh.facet(facet).normal);
        // Neighbours with the same direction along their common edge face opposite sides.
        let second = if one_way == other_way { -second } else { second };
        let [a, b] = [first, second].map(|normal| stage.nearness(normal));
        let turns = (a > LEAN_MIN) != (b > LEAN_MIN) || (a < -LEAN_MIN) != (b < -LEAN_MIN);
        let bent = if first.dot(second) < SHARP { Kind::Sharp } else { Kind::Facet };
        Some(if turns { Kind::Turn } else { bent })
    }
}

/// All edges, in the order of their vertices' first use.
fn edges(mesh: &Mesh) -> Vec<Edge> {
    let mut numbers: HashMap<[u64; 3], u32> = HashMap::new();
    let mut places: Vec<DVec3> = Vec::new();
    let mut sides: Vec<([u32; 2], u32, bool)> = Vec::with_capacity(3 * mesh.triangles().len());
    for (row, Triangle { a, b, c }) in mesh.triangles().iter().enumerate() {
        let corners = [a, b, c].map(|vertex| {
            *numbers.entry(vertex.to_array().map(f64::to_bits)).or_insert_with(|| {
                places.push(*vertex);
                places.len() as u32 - 1
            })
        });
        for (from, to) in [(0, 1), (1, 2), (2, 0)].map(|(from, to)| (corners[from], corners[to])) {
            sides.push(([from.min(to), from.max(to)], row as u32, from < to));
        }
    }
    sides.sort_unstable();
    let same_edge = |one: &([u32; 2], u32, bool), other: &([u32; 2], u32, bool)| one.0 == other.0;
    let edge = |same: &[([u32; 2], u32, bool)]| Edge {
        ends: same[0].0.map(|number| places[number as usize]),
        sides: same.iter().map(|&(_, triangle, way)| (triangle, way)).collect(),
    };
    sides.chunk_by(same_edge).map(edge).collect()
}

/// Adds the visible parts of an edge.
fn visible(stage: &Stage, depths: &DepthMap, ends: [DVec3; 2], lines: &mut Vec<Line>) {
    let placed = ends.map(|end| stage.place(end));
    let nearness = ends.map(|end| stage.nearness(end));
    let along = placed[1] - placed[0];
    line_inside(&placed, depths.rect, |part| {
        let (from, to) = (part[0], part[part.len() - 1]);
        let count = (from.distance(to) / STEP).ceil().max(1.0);
        let at = |step: f64| from + (to - from) * (step / count);
        let shows = |step: usize| {
            let middle = at(step as f64 + 0.5);
            let share = (middle - placed[0]).dot(along) / along.length_squared();
            depths.shows(middle, nearness[0] + (nearness[1] - nearness[0]) * share)
        };
        let mut begin = None;
        for step in 0..=count as usize {
            match (begin, step < count as usize && shows(step)) {
                (None, true) => begin = Some(step),
                (Some(first), false) => {
                    lines.extend(line(depths, at(first as f64), at(step as f64)));
                    begin = None;
                }
                _ => {}
            }
        }
    });
}

/// A line on the grid; `None` if it is a single point there.
fn line(depths: &DepthMap, from: DVec2, to: DVec2) -> Option<Line> {
    let [from, to] = [from, to].map(|at| {
        let place = ((at - depths.rect.min) / CELL).round();
        [place.x as i32, place.y as i32]
    });
    (from != to).then(|| [from.min(to), from.max(to)])
}

/// Each line once, in order.
fn distinct(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// All lines, or only those on the contour if all would be too many to be distinguished.
fn uncrowded(mut lines: Vec<Line>, depths: &DepthMap) -> Vec<Line> {
    if are_crowded(&lines, depths) {
        lines.retain(|&[from, to]| depths.ends_at([from[0].midpoint(to[0]), from[1].midpoint(to[1])]));
    }
    lines
}

fn are_crowded(lines: &[Line], depths: &DepthMap) -> bool {
    let [length, area] = [lines.iter().map(length).sum::<f64>() * CELL, depths.covered() as f64 * CELL * CELL];
    length > CROWDED * area + LENGTH_FREE
}

fn length(&[from, to]: &Line) -> f64 {
    f64::from(to[0] - from[0]).hypot(f64::from(to[1] - from[1]))
}

/// The lines joined end to end as far as possible, in pixels.
fn chains(lines: &[Line], depths: &DepthMap) -> Vec<Vec<DVec2>> {
    let mut at: BTreeMap<Knot, Vec<usize>> = BTreeMap::new();
    for (row, line) in lines.iter().enumerate() {
        line.iter().for_each(|&end| at.entry(end).or_default().push(row));
    }
    let mut used = vec![false; lines.len()];
    let mut next = |from: Knot| {
        let row = at.get_mut(&from)?;
        row.retain(|&row| !used[row]);
        let row = row.pop()?;
        used[row] = true;
        Some(if lines[row][0] == from { lines[row][1] } else { lines[row][0] })
    };
    let mut chains = Vec::new();
    for &[start, _] in lines {
        while let Some(second) = next(start) {
            let mut chain = vec![start, second];
            while let Some(further) = next(chain[chain.len() - 1]) {
                chain.push(further);
            }
            let placed: Vec<DVec2> = chain.into_iter().map(|knot| place(depths, knot)).collect();
            chains.push(straightened(&placed, STRAY_MAX));
        }
    }
    chains
}

fn place(depths: &DepthMap, knot: Knot) -> DVec2 {
    let place = depths.rect.min + CELL * DVec2::new(f64::from(knot[0]), f64::from(knot[1]));
    place.clamp(depths.rect.min, depths.rect.max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lines_are_one() {
        let lines = vec![[[0, 0], [1, 1]], [[0, 0], [0, 1]], [[0, 0], [1, 1]]];
        assert_eq!(distinct(lines), [[[0, 0], [0, 1]], [[0, 0], [1, 1]]]);
    }
}
