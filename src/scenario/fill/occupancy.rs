//! The occupied places, to test quickly whether a random place is free.
//!
//! Solids are stored by size. Each level has cells whose edge is a power of two, and holds the solids that fit into
//! such a cell, by the cell of their centre. A test looks only at the cells near the solid, on each existing level. If
//! a level has fewer solids than there are cells to look at, as for a large box among small balls, all its solids are
//! tested instead. Meshes have trees of their own. Solids that do not collide with each other may overlap.

use std::collections::{BTreeMap, HashMap};

use glam::DVec3;

use crate::dynamics::{Body, Layers, Period, Response, Space};
use crate::geometry::{Aabb, Outline, Shape, Solid as Convex, gap};
use crate::scenario::sections::body::half_widths;

/// The solids placed so far. Sensors are left out: other bodies may overlap them.
pub(super) struct Occupancy {
    space: Space,
    planes: Vec<(Shape, DVec3, CollisionFilter)>,
    /// Meshes and grids.
    outlines: Vec<(Shape, DVec3, CollisionFilter)>,
    /// The levels by the exponent of their cell edge.
    levels: BTreeMap<i32, Level>,
}

/// The layers that a solid is in, and the layers that it collides with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CollisionFilter {
    pub(super) layers: Layers,
    pub(super) collides_with: Layers,
}

impl CollisionFilter {
    pub(super) fn meet(self, other: Self) -> bool {
        Layers::collide([self.layers, self.collides_with], [other.layers, other.collides_with])
    }
}

struct Level {
    /// Edge of a cell, m; no solid of the level is wider.
    edge: f64,
    solids: Vec<Solid>,
    cells: HashMap<[i64; 3], Vec<u32>>,
}

#[derive(Clone)]
struct Solid {
    shape: Shape,
    /// Half the widths along the axes, m.
    half: DVec3,
    center: DVec3,
    filter: CollisionFilter,
}

impl Occupancy {
    pub(super) fn new(space: Space) -> Self {
        Self { space, planes: Vec::new(), outlines: Vec::new(), levels: BTreeMap::new() }
    }

    pub(super) fn add_body(&mut self, body: &Body) {
        if body.response == Response::Collide {
            let filter = CollisionFilter { layers: body.layers, collides_with: body.collides_with };
            self.add(&body.shape, body.position, filter);
        }
    }

    pub(super) fn add(&mut self, shape: &Shape, position: DVec3, filter: CollisionFilter) {
        match (shape, half_widths(shape)) {
            (Shape::Plane(_), _) => self.planes.push((shape.clone(), position, filter)),
            (Shape::Mesh(_) | Shape::Grid(_), _) => self.outlines.push((shape.clone(), position, filter)),
            (_, Some(half)) => {
                self.add_solid(Solid { shape: shape.clone(), half, center: self.wrapped(position), filter });
            }
            (_, None) => unreachable!("only a plane has no width"),
        }
    }

    /// Whether a solid at `position` overlaps none of the stored solids that it collides with. Touching is allowed.
    pub(super) fn is_free(&self, shape: &Shape, position: DVec3, filter: CollisionFilter) -> bool {
        let half = half_widths(shape).expect("generators make no planes");
        let solid = Solid { shape: shape.clone(), half, center: self.wrapped(position), filter };
        let mut planes = self.planes.iter().filter(|(_, _, other)| filter.meet(*other));
        let outlines = self.outlines.iter().filter(|(_, _, other)| filter.meet(*other));
        let mut outlines = outlines.filter_map(|(shape, origin, _)| Some((shape.outline()?, *origin)));
        planes.all(|(plane, origin, _)| !overlaps(shape, plane, *origin - solid.center))
            && outlines.all(|(outline, origin)| self.is_clear_of(outline, origin, &solid))
            && self.levels.values().all(|level| self.is_free_on(level, &solid))
    }

    /// Whether no image of the solid overlaps a part of the outline at `origin`.
    fn is_clear_of(&self, outline: Outline<'_>, origin: DVec3, solid: &Solid) -> bool {
        let convex = solid.shape.solid().expect("generators make no outlines");
        let bounds = outline.bounds();
        let images = |axis: usize| {
            let (low, high) = (bounds.min[axis] - solid.half[axis], bounds.max[axis] + solid.half[axis]);
            images_between(solid.center[axis] - origin[axis], self.space.periods[axis], [low, high])
        };
        let is_free = |place: DVec3| is_outside(outline, convex, place, solid.half);
        images(0).all(|x| images(1).all(|y| images(2).all(|z| is_free(DVec3::new(x, y, z)))))
    }

    /// Whether a level is free for the solid and its images in a periodic space.
    fn is_free_on(&self, level: &Level, solid: &Solid) -> bool {
        let [xs, ys, zs] = [0, 1, 2].map(|axis| self.images(level, solid, axis));
        xs.into_iter().flatten().all(|x| {
            ys.into_iter().flatten().all(|y| {
                zs.into_iter().flatten().all(|z| level.is_free(&Solid { center: DVec3::new(x, y, z), ..solid.clone() }))
            })
        })
    }

    /// Coordinates along one axis of the images that could overlap a solid of the level.
    fn images(&self, level: &Level, solid: &Solid, axis: usize) -> [Option<f64>; 3] {
        let x = solid.center[axis];
        let Some(period) = self.space.periods[axis] else { return [Some(x), None, None] };
        let length = period.max - period.min;
        let near = solid.half[axis] + 0.5 * level.edge;
        let lower = (x + near > period.max).then_some(x - length);
        let upper = (x - near < period.min).then_some(x + length);
        [Some(x), lower, upper]
    }

    fn add_solid(&mut self, solid: Solid) {
        let exponent = exponent_above(2.0 * solid.half.max_element());
        let level = self.levels.entry(exponent).or_insert_with(|| Level {
            edge: power_of_two(exponent),
            solids: Vec::new(),
            cells: HashMap::new(),
        });
        let row = u32::try_from(level.solids.len()).expect("far fewer bodies are allowed");
        level.cells.entry(level.cell(solid.center)).or_default().push(row);
        level.solids.push(solid);
    }

    /// The image of `position` in the first period.
    fn wrapped(&self, position: DVec3) -> DVec3 {
        self.space.wrap(position).0
    }
}

impl Level {
    fn is_free(&self, solid: &Solid) -> bool {
        let spread = solid.half + 0.5 * self.edge;
        let (from, to) = (self.cell(solid.center - spread), self.cell(solid.center + spread));
        let cells: f64 = (0..3).map(|axis| (to[axis] - from[axis] + 1) as f64).product();
        if cells > self.solids.len() as f64 {
            return !self.solids.iter().any(|other| overlap(solid, other));
        }
        (from[0]..=to[0])
            .all(|i| (from[1]..=to[1]).all(|j| (from[2]..=to[2]).all(|k| self.is_free_in([i, j, k], solid))))
    }

    fn is_free_in(&self, cell: [i64; 3], solid: &Solid) -> bool {
        let Some(rows) = self.cells.get(&cell) else { return true };
        !rows.iter().any(|&row| overlap(solid, &self.solids[row as usize]))
    }

    /// The cell that holds a point. Far away, where cells are finer than floats, all points share the last cell.
    fn cell(&self, point: DVec3) -> [i64; 3] {
        const LAST: f64 = 1e15;
        (point / self.edge).floor().clamp(DVec3::splat(-LAST), DVec3::splat(LAST)).to_array().map(|index| index as i64)
    }
}

/// All images of the coordinate `x` that lie in a closed range.
fn images_between(x: f64, period: Option<Period>, [low, high]: [f64; 2]) -> impl Iterator<Item = f64> {
    let length = period.map_or(f64::INFINITY, |period| period.max - period.min);
    let first = ((low - x) / length).ceil();
    let last = ((high - x) / length).floor();
    let shifts = (0_u32..).map(move |step| first + f64::from(step)).take_while(move |&shift| shift <= last);
    let shifts = shifts.map(move |shift| if period.is_some() { x + shift * length } else { x });
    shifts.filter(move |image| (low..=high).contains(image))
}

/// Whether a solid at `place`, seen from the outline, overlaps none of its parts.
fn is_outside(outline: Outline<'_>, convex: Convex<'_>, place: DVec3, half: DVec3) -> bool {
    let mut free = !outline.contains(place);
    outline.touching(&Aabb::around(place, half), |part| {
        free = free && gap(convex, outline.solid(part), -place).is_none_or(|gap| gap.separation >= 0.0);
    });
    free
}

/// Whether two solids collide with each other and share inner points.
fn overlap(a: &Solid, b: &Solid) -> bool {
    a.filter.meet(b.filter) && overlaps(&a.shape, &b.shape, b.center - a.center)
}

fn overlaps(a: &Shape, b: &Shape, offset: DVec3) -> bool {
    let both = a.solid().zip(b.solid());
    both.and_then(|(a, b)| gap(a, b, offset)).is_some_and(|gap| gap.separation < 0.0)
}

/// The exponent of the least power of two above `width`, which is a normal number.
fn exponent_above(width: f64) -> i32 {
    ((width.to_bits() >> 52) & 0x7ff) as i32 - 1022
}

fn power_of_two(exponent: i32) -> f64 {
    libm::ldexp(1.0, exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{HalfExtents, Plane, Radius};

    const USUAL: CollisionFilter = CollisionFilter { layers: Layers::FIRST, collides_with: Layers::ALL };

    fn sphere(radius: f64) -> Shape {
        Shape::Sphere(Radius::new(radius).unwrap())
    }

    fn cuboid(x: f64, y: f64, z: f64) -> Shape {
        Shape::Box(HalfExtents::new(DVec3::new(x, y, z)).unwrap())
    }

    #[test]
    fn each_pair_of_shapes_is_told_apart_from_touching() {
        let plane = Shape::Plane(Plane::new(DVec3::Z, 0.0).unwrap());
        // The shape at the origin, the new shape, a place where they just touch, and one where they overlap.
        let rows = [
            (sphere(1.0), sphere(0.5), DVec3::X * 1.5, DVec3::X * 1.49),
            (sphere(0.01), sphere(100.0), DVec3::Y * 100.01, DVec3::Y * 100.0),
            (cuboid(1.0, 2.0, 3.0), sphere(0.5), DVec3::Z * 3.5, DVec3::Z * 3.49),
            (sphere(5.0), cuboid(4.0, 4.0, 4.0), DVec3::new(7.0, 8.0, 0.0), DVec3::new(6.9, 7.9, 0.0)),
            (cuboid(1.0, 2.0, 3.0), cuboid(1.0, 1.0, 1.0), DVec3::Y * 3.0, DVec3::splat(1.9)),
            (plane.clone(), sphere(0.5), DVec3::Z * 0.5, DVec3::Z * 0.49),
            (plane, cuboid(1.0, 2.0, 3.0), DVec3::Z * 3.0, DVec3::Z * -9.0),
        ];
        for (stands, comes, touching, inside) in rows {
            let mut occupancy = Occupancy::new(Space::default());
            occupancy.add(&stands, DVec3::ZERO, USUAL);
            assert!(occupancy.is_free(&comes, touching, USUAL), "{stands:?} {comes:?}");
            assert!(!occupancy.is_free(&comes, inside, USUAL), "{stands:?} {comes:?}");
        }
    }

    #[test]
    fn images_across_the_border_count() {
        let period = Some(Period { min: 0.0, max: 10.0 });
        let mut occupancy = Occupancy::new(Space { periods: [period, period, None], ..Space::default() });
        occupancy.add(&sphere(1.0), DVec3::new(0.5, 9.5, 0.0), USUAL);
        assert!(!occupancy.is_free(&sphere(0.5), DVec3::new(9.8, 0.3, 0.0), USUAL));
        assert!(!occupancy.is_free(&sphere(0.5), DVec3::new(-20.2, 30.3, 0.0), USUAL));
        assert!(occupancy.is_free(&sphere(0.5), DVec3::new(9.8, 0.3, 10.0), USUAL));
        assert!(
            !occupancy.is_free(&sphere(4.0), DVec3::new(6.5, 7.5, 0.0), USUAL),
            "a larger one that reaches over the border"
        );
    }

    #[test]
    fn solids_that_have_nothing_to_do_with_each_other_may_share_a_place() {
        let [ground, ghosts] = [Layers::one(1), Layers::one(2)];
        let ghost = CollisionFilter { layers: ghosts, collides_with: ground };
        let shy = CollisionFilter { layers: ghosts, collides_with: Layers::NONE };
        let rows = [
            (USUAL, USUAL, false),
            (USUAL, ghost, true),
            (ghost, ghost, true),
            (CollisionFilter { layers: ground, collides_with: Layers::ALL }, ghost, false),
            (CollisionFilter { layers: ground, collides_with: Layers::ALL }, shy, true),
        ];
        let plane = Shape::Plane(Plane::new(DVec3::Z, 0.0).unwrap());
        for (stands, comes, free) in rows {
            for shape in [sphere(1.0), plane.clone()] {
                let mut occupancy = Occupancy::new(Space::default());
                occupancy.add(&shape, DVec3::ZERO, stands);
                assert_eq!(occupancy.is_free(&sphere(1.0), DVec3::ZERO, comes), free, "{shape:?} {stands:?} {comes:?}");
            }
        }
    }

    #[test]
    fn images_within_a_range() {
        let period = Some(Period { min: 0.0, max: 10.0 });
        let rows = [
            (3.0, None, [2.0, 4.0], vec![3.0]),
            (5.0, None, [2.0, 4.0], vec![]),
            (3.0, period, [2.0, 4.0], vec![3.0]),
            (13.0, period, [2.0, 4.0], vec![3.0]),
            (-7.0, period, [3.0, 13.0], vec![3.0, 13.0]),
            (9.5, period, [-1.0, 1.0], vec![-0.5]),
            (5.0, period, [-1.0, 1.0], vec![]),
        ];
        for (x, period, range, wanted) in rows {
            assert_eq!(images_between(x, period, range).collect::<Vec<_>>(), wanted, "{x} {range:?}");
        }
    }
}
