//! The surface of a mesh or a grid, in one form for both: its parts, which are convex, and the facets that they form.
//!
//! A part is a triangle of a mesh or a face of a cell. Parts of one facet lie in one plane, so a seam between them does
//! not act on a body that slides or bounces there.

use glam::DVec3;
use smallvec::SmallVec;

use super::closest::{Feature, point_on_triangle};
use super::tree::apart_or_in_touch;
use super::{Aabb, Facet, Grid, Lines, Mesh, Solid, Triangle};
use crate::numeric::tolerance::SEAM_SLACK;

/// The surface of a mesh or a grid, in the frame of its body.
///
/// ```
/// use carom::geometry::{Grid, Outline};
/// use carom::glam::DVec3;
///
/// let grid = Grid::tiles(DVec3::ONE, &["##"]).unwrap();
/// let outline = Outline::Grid(&grid);
/// let mut tops = Vec::new();
/// outline.touching(outline.bounds(), |part| {
///     if outline.facet(part).normal == DVec3::Z {
///         tops.push((outline.facet_of(part), outline.primitive(part)));
///     }
/// });
/// // Both cells show a top, and both tops are one facet.
/// assert_eq!((tops[0].0, tops[0].1, tops[1].1), (tops[1].0, 0, 1));
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Outline<'a> {
    /// That of a mesh: its triangles.
    Mesh(&'a Mesh),
    /// That of an upright mesh in a planar world: its lines in the plane.
    Lines(&'a Mesh, &'a Lines),
    /// That of a grid: the faces between solid and empty cells.
    Grid(&'a Grid),
}

impl<'a> Outline<'a> {
    /// The surface of a mesh, or its lines in a planar world.
    #[inline]
    pub(crate) fn of(mesh: &'a Mesh) -> Self {
        mesh.flat_lines().map_or(Self::Mesh(mesh), |lines| Self::Lines(mesh, lines))
    }

    /// The corners of a part of a mesh; two of those of a line are the same.
    #[inline]
    fn corners(self, part: u32) -> [DVec3; 3] {
        match self.solid(part) {
            Solid::Triangle(triangle) => triangle.vertices(),
            _ => unreachable!("the parts of a mesh are triangles"),
        }
    }

    /// The smallest box around all parts, or for a grid around all cells, m.
    #[inline]
    pub fn bounds(self) -> &'a Aabb {
        match self {
            Self::Mesh(mesh) | Self::Lines(mesh, _) => mesh.bounds(),
            Self::Grid(grid) => grid.bounds(),
        }
    }

    /// Whether there is a part with this number.
    pub fn has_part(self, part: u32) -> bool {
        match self {
            Self::Mesh(mesh) => (part as usize) < mesh.triangles().len(),
            Self::Lines(_, lines) => (part as usize) < lines.parts().len(),
            Self::Grid(grid) => grid.has_part(part),
        }
    }

    /// All parts have numbers below this one.
    pub fn numbers(self) -> usize {
        match self {
            Self::Mesh(mesh) => mesh.triangles().len(),
            Self::Lines(_, lines) => lines.parts().len(),
            Self::Grid(grid) => grid.numbers(),
        }
    }

    /// A part as a solid.
    ///
    /// # Panics
    /// When there is no such triangle.
    #[inline]
    pub fn solid(self, part: u32) -> Solid<'a> {
        match self {
            Self::Mesh(mesh) => Solid::Triangle(&mesh.triangles()[part as usize]),
            Self::Lines(_, lines) => Solid::Triangle(&lines.parts()[part as usize]),
            Self::Grid(grid) => {
                let face = grid.face_box(part);
                Solid::Patch { center: face.center(), half: face.half() }
            }
        }
    }

    /// Which facet a part belongs to.
    ///
    /// # Panics
    /// When there is no such triangle.
    #[inline]
    pub fn facet_of(self, part: u32) -> u32 {
        match self {
            Self::Mesh(mesh) => mesh.facet_of(part),
            Self::Lines(mesh, lines) => mesh.facet_of(lines.row(part)),
            Self::Grid(grid) => grid.facet_of(part),
        }
    }

    /// The facet that a part belongs to.
    ///
    /// # Panics
    /// When there is no such triangle.
    #[inline]
    pub fn facet(self, part: u32) -> Facet {
        match self {
            Self::Mesh(mesh) => *mesh.facet(mesh.facet_of(part)),
            Self::Lines(mesh, lines) => *mesh.facet(mesh.facet_of(lines.row(part))),
            Self::Grid(grid) => grid.facet(part),
        }
    }

    /// What a query calls the part: the row of the triangle in the list that the mesh was made from, or the number of
    /// the cell.
    ///
    /// # Panics
    /// When there is no such triangle.
    #[inline]
    pub fn primitive(self, part: u32) -> u32 {
        match self {
            Self::Mesh(mesh) => mesh.source_row(part),
            Self::Lines(mesh, lines) => mesh.source_row(lines.row(part)),
            Self::Grid(_) => part / 6,
        }
    }

    /// The point of a part nearest to another point, m, and whether it is inside the part, not on its border.
    ///
    /// # Panics
    /// When there is no such triangle.
    #[inline]
    pub fn near_point(self, part: u32, to: DVec3) -> (DVec3, bool) {
        match self {
            Self::Mesh(mesh) => {
                let near = point_on_triangle(to, &mesh.triangles()[part as usize]);
                (near.point, near.feature == Feature::Face)
            }
            Self::Lines(_, lines) => {
                let Triangle { a, b, .. } = lines.parts()[part as usize];
                let way = b - a;
                let share = (to - a).dot(way) / way.length_squared();
                let point = if share <= 0.0 {
                    a
                } else if share >= 1.0 {
                    b
                } else {
                    a + way * share
                };
                (point, share > 0.0 && share < 1.0)
            }
            Self::Grid(grid) => {
                let face = grid.face_box(part);
                let inside = to.cmpgt(face.min) & to.cmplt(face.max) | face.min.cmpeq(face.max);
                (to.clamp(face.min, face.max), inside.all())
            }
        }
    }

    /// The part of the same facet that `point` is over, for one that is beyond the border of `part`: of several, that
    /// with the smallest number. `None` over the end of the facet.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub(crate) fn part_over(self, part: u32, point: DVec3) -> Option<u32> {
        let (facet, number) = (self.facet(part), self.facet_of(part));
        let foot = point - facet.normal * facet.distance(point);
        let rounding = SEAM_SLACK * (point.abs().max(foot.abs())).max_element();
        self.first_touching(&Aabb::around(foot, DVec3::splat(rounding)), |other| {
            self.facet_of(other) == number && (self.near_point(other, foot).0 - foot).length() <= rounding
        })
    }

    /// The range of a part along a direction, m times the length of the direction.
    ///
    /// # Panics
    /// When there is no such triangle.
    #[inline]
    pub fn range_along(self, part: u32, along: DVec3) -> [f64; 2] {
        match self {
            Self::Mesh(_) | Self::Lines(..) => {
                let [a, b, c] = self.corners(part).map(|vertex| along.dot(vertex));
                [a.min(b).min(c), a.max(b).max(c)]
            }
            Self::Grid(grid) => grid.face_box(part).extremes(along).map(|corner| along.dot(corner)),
        }
    }

    /// Directions in the plane of a part: it overlaps a box with these half edges, both projected to the plane, exactly
    /// when they overlap along each of these directions.
    ///
    /// # Panics
    /// When there is no such triangle.
    #[inline]
    pub fn separating_directions(self, part: u32, half: DVec3) -> SmallVec<[DVec3; 6]> {
        let normal = self.facet(part).normal;
        match self {
            Self::Lines(_, lines) => {
                let Triangle { a, b, .. } = lines.parts()[part as usize];
                [b - a].into_iter().collect()
            }
            Self::Mesh(_) => {
                let corners = self.corners(part);
                let edges = (0..3).map(|side| normal.cross(corners[(side + 1) % 3] - corners[side]));
                let free = (0..3).filter(|&axis| half[axis] > 0.0).map(|axis| normal.cross(DVec3::AXES[axis]));
                edges.chain(free).collect()
            }
            Self::Grid(_) => DVec3::AXES.into_iter().filter(|axis| axis.dot(normal) == 0.0).collect(),
        }
    }

    /// Visits parts roughly in the order of their bounds, as [`Tree::nearest_first`](super::Tree::nearest_first). Parts
    /// that do not touch `within` may be left out.
    #[inline]
    pub fn nearest_first(
        self,
        within: &Aabb,
        best: f64,
        bound: impl Fn(&Aabb) -> f64,
        visit: impl FnMut(u32, f64) -> f64,
    ) {
        match self {
            Self::Mesh(mesh) => mesh.tree().nearest_first(best, bound, visit),
            Self::Lines(_, lines) => lines.tree().nearest_first(best, bound, visit),
            Self::Grid(grid) => grid.nearest_first(within, best, bound, visit),
        }
    }

    /// Visits every part whose box shares a point with `bounds`, once; touching counts.
    #[inline]
    pub fn touching(self, bounds: &Aabb, mut visit: impl FnMut(u32)) {
        self.nearest_first(bounds, 0.0, apart_or_in_touch(bounds), |part, best| {
            visit(part);
            best
        });
    }

    /// Of the parts whose boxes share a point with `bounds`, the one with the smallest number for which this holds.
    #[inline]
    pub(crate) fn first_touching(self, bounds: &Aabb, holds: impl Fn(u32) -> bool) -> Option<u32> {
        let mut first = None;
        self.touching(bounds, |part| {
            if first.is_none_or(|first| part < first) && holds(part) {
                first = Some(part);
            }
        });
        first
    }

    /// The parts whose boxes share a point with `bounds`, if there are at most `most`.
    pub fn few_touching(self, bounds: &Aabb, most: usize) -> Option<Vec<u32>> {
        let (mut found, mut has_room, none_better) = (Vec::new(), true, -1.0);
        self.nearest_first(bounds, 0.0, apart_or_in_touch(bounds), |part, best| {
            has_room = found.len() < most;
            if !has_room {
                return none_better;
            }
            found.push(part);
            best
        });
        has_room.then_some(found)
    }

    /// Whether a box shares a point with the box around a part.
    pub fn is_near(self, bounds: &Aabb) -> bool {
        self.few_touching(bounds, 0).is_none()
    }

    /// The box around a part, m.
    ///
    /// # Panics
    /// When there is no such triangle.
    #[inline]
    pub fn box_of(self, part: u32) -> Aabb {
        match self {
            Self::Mesh(mesh) => mesh.triangles()[part as usize].bounds(),
            Self::Lines(_, lines) => lines.parts()[part as usize].bounds(),
            Self::Grid(grid) => grid.face_box(part),
        }
    }

    /// The part nearest to a point, and its nearest point, m. `None` for a point that is not finite, and if there is no
    /// part.
    pub fn nearest(self, point: DVec3) -> Option<(u32, DVec3)> {
        match self {
            Self::Mesh(mesh) | Self::Lines(mesh, _) => mesh.nearest(point),
            Self::Grid(grid) => grid.nearest(point),
        }
    }

    /// Whether a point is in a solid cell, or in a closed mesh; on the surface counts.
    pub fn contains(self, point: DVec3) -> bool {
        self.primitive_around(point).is_some()
    }

    /// What a query calls that which contains a point: the cell, or the first triangle of a closed mesh.
    pub fn primitive_around(self, point: DVec3) -> Option<u32> {
        match self {
            Self::Mesh(mesh) | Self::Lines(mesh, _) => mesh.contains(point).then(|| mesh.source_row(0)),
            Self::Grid(grid) => grid.solid_around(point),
        }
    }

    /// How far a point is below the surface of something solid, m; 0 outside.
    pub fn depth_of(self, point: DVec3) -> f64 {
        let surface = self.contains(point).then(|| self.nearest(point)).flatten();
        surface.map_or(0.0, |(_, place)| place.distance(point))
    }
}
