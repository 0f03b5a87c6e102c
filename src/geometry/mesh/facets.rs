//! Facets: neighbouring triangles in one plane.

use glam::DVec3;

use super::weld::Welded;
use crate::geometry::{Triangle, unit};
use crate::numeric::tolerance::FACET_SLACK;

/// The plane of a facet: all points x with `normal`·x = `offset`, m.
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(hidden)]
pub struct Facet {
    /// Unit normal, towards the side from which its triangles are counterclockwise.
    pub normal: DVec3,
    /// Distance of the plane from the origin along the normal, m.
    pub offset: f64,
}

impl Facet {
    /// The plane through triangles that lie in one plane within rounding error.
    ///
    /// The normal is the direction of the sum of their cross products. Each cross product is twice the area of a
    /// triangle long, so the rounding errors of small triangles have little weight. The offset is the middle of the
    /// range of the offsets of all corners, which is exactly their common offset if they agree.
    fn of(triangles: impl Iterator<Item = Triangle> + Clone) -> Self {
        let normal = unit(triangles.clone().map(|triangle| triangle.cross()).sum()).unwrap_or(DVec3::Z);
        let offsets = triangles.flat_map(|triangle| triangle.vertices()).map(|vertex| normal.dot(vertex));
        let wider = |[low, high]: [f64; 2], offset: f64| [low.min(offset), high.max(offset)];
        let [low, high] = offsets.fold([f64::INFINITY, f64::NEG_INFINITY], wider);
        Self { normal, offset: low + 0.5 * (high - low) }
    }

    /// Signed distance of `point` from the plane, m.
    #[inline]
    pub fn distance(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// Whether two triangles with a common edge lie in one plane and face the same side.
///
/// The volume of the solid between the four corners is 0 except for their rounding errors. The error of each corner
/// counts with the area of the opposite triangle.
fn in_one_plane(one: &Triangle, other: &Triangle) -> bool {
    let (cross, across) = (one.cross(), other.cross());
    let size = |triangle: &Triangle| triangle.vertices().into_iter().fold(DVec3::ZERO, |size, v| size.max(v.abs()));
    let grain = FACET_SLACK * size(one).max(size(other)).max_element();
    let volume = |vertex: DVec3| cross.dot(vertex - one.a).abs();
    let flat = other.vertices().into_iter().all(|vertex| volume(vertex) <= grain * (cross.length() + across.length()));
    flat && cross.dot(across) > 0.0
}

/// The facet of every triangle, and the facets. Triangles of one facet are connected through neighbours that lie in one
/// plane.
pub(super) fn facets(welded: &Welded) -> (Vec<u32>, Vec<Facet>) {
    const NONE: u32 = u32::MAX;
    let triangles = &welded.triangles;
    let neighbours = lists(triangles.len(), &welded.neighbours());
    let mut facet_of = vec![NONE; triangles.len()];
    let mut facets = Vec::new();
    for first in 0..triangles.len() {
        if facet_of[first] != NONE {
            continue;
        }
        let row = facets.len() as u32;
        facet_of[first] = row;
        let mut members = vec![first as u32];
        let mut grown = 0;
        while let Some(&triangle) = members.get(grown) {
            grown += 1;
            for &next in neighbours.of(triangle) {
                if facet_of[next as usize] == NONE
                    && in_one_plane(&triangles[triangle as usize], &triangles[next as usize])
                {
                    facet_of[next as usize] = row;
                    members.push(next);
                }
            }
        }
        facets.push(Facet::of(members.iter().map(|&member| triangles[member as usize])));
    }
    (facet_of, facets)
}

/// A list of other rows for every row, all stored in one vector.
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn of(&self, row: u32) -> &[u32] {
        &self.items[self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize]
    }
}

fn lists(count: usize, pairs: &[[u32; 2]]) -> Lists {
    let mut both: Vec<[u32; 2]> = pairs.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
    both.sort_unstable();
    let starts = (0..=count as u32).map(|row| both.partition_point(|pair| pair[0] < row) as u32).collect();
    Lists { starts, items: both.into_iter().map(|pair| pair[1]).collect() }
}
