//! A ray through a grid: from cell to cell, in the order in which it crosses the planes between them.
//!
//! Amanatides & Woo, *A fast voxel traversal algorithm for ray tracing*, Eurographics 1987. The parameter of each plane
//! is computed from its coordinate, not added up, so it has the same bits as that of the face of a box there.

use glam::DVec3;

use super::{Grid, Side};
use crate::geometry::cast::AabbCaster;
use crate::geometry::{Ray, Start};

/// Where a ray meets a grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridHit {
    /// The parameter.
    pub t: f64,
    /// The number of the cell; see [`Grid::place_of`].
    pub cell: u32,
    /// Unit normal of the face through which the ray enters, out of the cell. For a ray that begins inside, of the
    /// nearest face.
    pub normal: DVec3,
    /// The relation of the ray's origin to the solid cells.
    pub start: Start,
}

/// The ray on its way.
struct Walk<'a> {
    grid: &'a Grid,
    edges: [f64; 3],
    origin: [f64; 3],
    inverse: [f64; 3],
    /// Whether each coordinate grows.
    up: [bool; 3],
    /// The axes along which the ray does not move and runs in a plane between cells.
    between: [bool; 3],
    /// The next plane along each axis.
    next: [i64; 3],
}

impl Grid {
    /// Where a ray, given in the frame of the grid's body, first meets a solid cell, no farther than the parameter
    /// `until`. The cells are one solid: a ray that begins in one of them meets it at 0, and a ray that only touches an
    /// edge, or runs in the plane of a face, does not meet it.
    ///
    /// ```
    /// use carom::geometry::{Grid, Ray};
    /// use carom::glam::DVec3;
    ///
    /// let grid = Grid::tiles(DVec3::ONE, &["...#", "####"]).unwrap();
    /// let ray = Ray { origin: DVec3::new(0.5, 0.5, 1.5), direction: DVec3::X };
    /// let hit = grid.cast_ray(&ray, f64::INFINITY).unwrap();
    /// assert_eq!((hit.t, grid.place_of(hit.cell), hit.normal), (2.5, [3, 0, 1], -DVec3::X));
    /// ```
    pub fn cast_ray(&self, ray: &Ray, until: f64) -> Option<GridHit> {
        let crossing = AabbCaster::new(ray).cast(&self.bounds, until)?;
        let walk = Walk::new(self, ray, crossing.enter);
        let at_start = if crossing.enter == 0.0 { walk.at_start(ray.origin) } else { None };
        at_start.or_else(|| walk.first(crossing.enter, until))
    }
}

impl<'a> Walk<'a> {
    /// A walk that begins at the parameter `from`, in the cell into which the ray goes there.
    fn new(grid: &'a Grid, ray: &Ray, from: f64) -> Self {
        let Ray { origin, direction } = *ray;
        let inverse = direction.recip();
        // A component whose reciprocal overflows counts as 0.
        let moves = inverse.is_finite_mask();
        let up = inverse.cmpgt(DVec3::ZERO).into();
        let [edges, origin, inverse] = [grid.cell, origin, inverse].map(|vector| vector.to_array());
        let mut walk = Self { grid, edges, origin, inverse, up, between: [false; 3], next: [0; 3] };
        for (axis, place) in origin.into_iter().enumerate() {
            let last = i64::from(grid.size[axis]);
            if !moves.test(axis) {
                let at_end = place == grid.bounds.max[axis];
                let index = if at_end { grid.size[axis] } else { grid.index_of(axis, place.max(0.0)) };
                walk.between[axis] = grid.edge(axis, index) == place;
                walk.up[axis] = false;
                walk.next[axis] = i64::from(index);
                continue;
            }
            let near = i64::from(grid.index_of(axis, ray.at(from)[axis].max(0.0)));
            // The first plane that is crossed after `from`: the guess may be off by rounding.
            let (mut next, step) = (near + i64::from(walk.up[axis]), walk.step(axis));
            while (0..=last).contains(&(next - step)) && walk.parameter(axis, next - step) > from {
                next -= step;
            }
            while (0..=last).contains(&next) && walk.parameter(axis, next) <= from {
                next += step;
            }
            walk.next[axis] = next;
        }
        walk
    }

    /// From one plane or cell to the next.
    #[inline]
    fn step(&self, axis: usize) -> i64 {
        if self.up[axis] { 1 } else { -1 }
    }

    #[inline]
    fn parameter(&self, axis: usize, plane: i64) -> f64 {
        (plane as f64 * self.edges[axis] - self.origin[axis]) * self.inverse[axis]
    }

    /// The cell in which the ray is.
    #[inline]
    fn cell(&self) -> [i64; 3] {
        std::array::from_fn(|axis| self.next[axis] - i64::from(self.up[axis]))
    }

    /// Whether the ray is in something solid in a cell. If it runs between cells, all of them have to be solid.
    #[inline(always)]
    fn is_solid(&self, cell: [i64; 3]) -> bool {
        // A negative number becomes one beyond the grid.
        let solid = |cell: [i64; 3]| self.grid.is_solid(cell.map(|n| n as u32));
        let [x, y, z] = self.between;
        if !(x | y | z) {
            return solid(cell);
        }
        let beside = |n: i64| std::array::from_fn(|axis| cell[axis] - (n >> axis & i64::from(self.between[axis])));
        (0..8).all(|n| solid(beside(n)))
    }

    /// The hit of a ray that begins in a solid cell, or at its face.
    fn at_start(&self, origin: DVec3) -> Option<GridHit> {
        let cell = self.cell();
        if !self.is_solid(cell) {
            return None;
        }
        let moves = |axis: &usize| self.inverse[*axis].is_finite();
        let behind = |axis: usize| {
            let mut behind = cell;
            behind[axis] -= self.step(axis);
            behind
        };
        let at_plane = |axis: &usize| {
            let plane = cell[*axis] + i64::from(!self.up[*axis]);
            plane as f64 * self.edges[*axis] == origin[*axis]
        };
        let face = (0..3).filter(moves).filter(at_plane).find(|&axis| !self.is_solid(behind(axis)));
        let number = self.grid.number_of(cell.map(|n| n as u32))?;
        let (normal, start) = match face {
            Some(axis) => (Side::of(axis, !self.up[axis]).normal(), Start::Touching),
            None => (self.grid.facet(self.grid.nearest(origin)?.0).normal, Start::Inside),
        };
        Some(GridHit { t: 0.0, cell: number, normal, start })
    }

    /// The first solid cell that the ray enters from an empty one, after the parameter `from`, or there if it comes
    /// from outside.
    fn first(&self, from: f64, until: f64) -> Option<GridHit> {
        let mut t = from;
        // A ray from outside enters the first cell at `from`, through the faces whose plane it crosses there.
        let mut crossed = std::array::from_fn(|axis| {
            self.inverse[axis].is_finite() && self.parameter(axis, self.next[axis] - self.step(axis)) == from
        });
        let mut ahead: [f64; 3] = std::array::from_fn(|axis| {
            if self.inverse[axis].is_finite() { self.parameter(axis, self.next[axis]) } else { f64::INFINITY }
        });
        let (mut cell, mut next, step) = (self.cell(), self.next, [0, 1, 2].map(|axis| self.step(axis)));
        let last: [i64; 3] =
            std::array::from_fn(|axis| if self.up[axis] { i64::from(self.grid.size[axis]) } else { 0 });
        loop {
            if self.is_solid(cell) {
                return self.hit(t, cell, crossed);
            }
            let least = |x: f64, y: f64| if y < x { y } else { x };
            t = least(least(ahead[0], ahead[1]), ahead[2]);
            // Infinite for a ray without a direction.
            if t > until || !t.is_finite() {
                return None;
            }
            crossed = ahead.map(|parameter| parameter == t);
            for (axis, crossed) in crossed.into_iter().enumerate() {
                if !crossed {
                    continue;
                }
                if next[axis] == last[axis] {
                    return None;
                }
                cell[axis] += step[axis];
                next[axis] += step[axis];
                ahead[axis] = self.parameter(axis, next[axis]);
            }
        }
    }

    /// The hit of a ray that enters a solid cell through planes of the axes `crossed`. Of several faces at one edge,
    /// the first that is part of the surface gives the normal.
    fn hit(&self, t: f64, cell: [i64; 3], crossed: [bool; 3]) -> Option<GridHit> {
        let side = |axis: usize| Side::of(axis, !self.up[axis]);
        let number = self.grid.number_of(cell.map(|n| n as u32))?;
        let faces = self.grid.cells[number as usize];
        let axes = || (0..3).filter(|&axis| crossed[axis]);
        let axis = axes().find(|&axis| faces & side(axis).bit() != 0).or_else(|| axes().next())?;
        let (t, start) = Start::of(t);
        Some(GridHit { t, cell: number, normal: side(axis).normal(), start })
    }
}
