//! Facets: neighbouring triangles of one plane.

use std::collections::VecDeque;

use glam::DVec3;

use super::weld::Welded;
use crate::geometry::{Triangle, unit};
use crate::numeric::tolerance::FACET_SLACK;

/// The plane of a facet: all points x with `normal`·x = `offset`, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facet {
    /// Unit normal, to the side from which its triangles go round counterclockwise.
    pub normal: DVec3,
    /// Distance of the plane from the origin along the normal, m.
    pub offset: f64,
}

impl Facet {
    /// The plane of one triangle.
    fn of(triangle: &Triangle) -> Self {
        let normal = unit(triangle.cross()).unwrap_or(DVec3::Z);
        Self { normal, offset: normal.dot(triangle.a) }
    }

    /// Signed distance of `point` from the plane, m.
    #[inline]
    pub fn distance(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// Whether a triangle lies in the plane to rounding, and is turned the same way.
    fn holds(&self, triangle: &Triangle) -> bool {
        let grain = |v: DVec3| FACET_SLACK * (self.normal.abs().dot(v.abs()) + self.offset.abs());
        let near = |v: DVec3| self.distance(v).abs() <= grain(v);
        triangle.vertices().into_iter().all(near) && self.normal.dot(triangle.cross()) > 0.0
    }
}

/// The facet of every triangle, and the facets. A facet has the plane of its first triangle, and grows over shared
/// edges as long as the next triangle lies in that plane.
pub(super) fn facets(welded: &Welded) -> (Vec<u32>, Vec<Facet>) {
    const NONE: u32 = u32::MAX;
    let count = welded.triangles.len();
    let neighbours = lists(count, &welded.neighbours());
    let mut facet_of = vec![NONE; count];
    let mut facets = Vec::new();
    for first in 0..count {
        if facet_of[first] != NONE {
            continue;
        }
        let (row, facet) = (facets.len() as u32, Facet::of(&welded.triangles[first]));
        facets.push(facet);
        facet_of[first] = row;
        let mut growing = VecDeque::from([first as u32]);
        while let Some(triangle) = growing.pop_front() {
            for &next in neighbours.of(triangle) {
                if facet_of[next as usize] == NONE && facet.holds(&welded.triangles[next as usize]) {
                    facet_of[next as usize] = row;
                    growing.push_back(next);
                }
            }
        }
    }
    (facet_of, facets)
}

/// For every row a list of others, side by side in one vector.
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
