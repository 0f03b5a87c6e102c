//! The walls of a vessel: when a growing ball meets one, and the normal there.
//!
//! The distance from a plane changes linearly, so its impact is the root of a linear equation. A ball in a cylinder, a
//! cone or a sphere touches the wall where its distance from the axis or the centre equals a length that changes
//! linearly: a quadratic equation. A mesh has planes within its triangles. Its edges and corners are met like balls of
//! the radius 0.

use glam::DVec3;

use super::ball::{Ball, closing_in};
use crate::geometry::{Aabb, Mesh, Triangle};
use crate::scenario::vessel::{Frustum, Vessel};

/// How far a point may be outside of a triangle or an edge, in units of its length, and still count as on it. Rounding
/// must leave no slit between two triangles. It moves an impact with an edge by less than the square of this.
const SEAM: f64 = 1e-9;

/// Planes, edges and corners of a triangle: its kinds of walls.
const KINDS: u32 = 7;

/// The walls of a vessel, in the frame of the lower corner of its bounding box.
pub(super) enum Walls {
    /// Planes across the axes that have walls.
    Box {
        lengths: DVec3,
        endless: [bool; 3],
    },
    /// Two planes and the side.
    Frustum(Frustum),
    Sphere {
        center: DVec3,
        radius: f64,
    },
    Mesh(MeshWalls),
}

/// The triangles of a mesh, and which of them a ball in each cell can touch.
pub(super) struct MeshWalls {
    sides: Vec<Side>,
    near: Vec<Vec<u32>>,
}

/// A triangle, the unit normal of its facet into the vessel, and the offset of that plane, m.
struct Side {
    triangle: Triangle,
    normal: DVec3,
    offset: f64,
}

/// A ball at an instant.
#[derive(Clone, Copy)]
struct Moving {
    place: DVec3,
    velocity: DVec3,
    radius: f64,
    growth: f64,
}

impl Moving {
    /// Time until it meets the plane on whose positive side it is, s; infinite if it does not.
    fn meets_plane(&self, normal: DVec3, offset: f64) -> f64 {
        let (gap, closing) = (normal.dot(self.place) - offset - self.radius, self.growth - normal.dot(self.velocity));
        if closing > 0.0 { gap.max(0.0) / closing } else { f64::INFINITY }
    }

    /// Time until it meets a line through `origin` along a unit vector, or the point `origin` without one, s.
    fn meets_line(&self, origin: DVec3, along: DVec3) -> f64 {
        let across = |vector: DVec3| vector - along * vector.dot(along);
        closing_in(across(origin - self.place), -across(self.velocity), [self.radius, self.growth])
    }
}

impl Walls {
    /// The walls of a vessel. Balls are in the `cells`, which are boxes, and reach no farther than `largest`, m.
    pub(super) fn new(vessel: &Vessel, cells: impl Iterator<Item = Aabb>, largest: f64) -> Self {
        let bounds = vessel.bounds();
        match vessel {
            Vessel::Box { endless, .. } => Self::Box { lengths: bounds.max - bounds.min, endless: *endless },
            Vessel::Frustum(frustum) => Self::Frustum(Frustum { from: frustum.from - bounds.min, ..*frustum }),
            Vessel::Sphere { center, radius } => Self::Sphere { center: *center - bounds.min, radius: *radius },
            Vessel::Mesh(mesh) => Self::Mesh(MeshWalls::new(mesh, bounds.min, cells, largest)),
        }
    }

    /// Time from `time` until a ball in the cell of this number meets a wall, s, and the number of the wall. Infinite
    /// if it meets none.
    pub(super) fn meeting(&self, ball: &Ball, cell: usize, time: f64) -> (f64, u32) {
        let Ball { velocity, growth, .. } = *ball;
        let moving = Moving { place: ball.position_at(time), velocity, radius: growth * time, growth };
        let mut first = (f64::INFINITY, 0);
        let mut take = |span: f64, wall: u32| {
            if span < first.0 {
                first = (span, wall);
            }
        };
        match self {
            Self::Box { lengths, endless } => {
                for axis in (0..3).filter(|&axis| !endless[axis]) {
                    let normal = DVec3::AXES[axis];
                    let sides = [moving.meets_plane(normal, 0.0), moving.meets_plane(-normal, -lengths[axis])];
                    take(sides[0].min(sides[1]), axis as u32);
                }
            }
            Self::Frustum(frustum) => {
                let Frustum { from, axis, height, radii } = *frustum;
                let offset = axis.dot(from);
                take(moving.meets_plane(axis, offset), 0);
                take(moving.meets_plane(-axis, -offset - height), 1);
                let ((along, across), speed) = (frustum.split(moving.place), velocity.dot(axis));
                let (slope, secant) = (frustum.slope(), frustum.secant());
                let room = [radii[0] + slope * along - moving.radius * secant, slope * speed - growth * secant];
                take(running_out(across, velocity - axis * speed, room), 2);
            }
            Self::Sphere { center, radius } => {
                take(running_out(moving.place - *center, velocity, [radius - moving.radius, -growth]), 0);
            }
            Self::Mesh(walls) => {
                for &row in &walls.near[cell] {
                    walls.sides[row as usize].meeting(&moving, row, &mut take);
                }
            }
        }
        first
    }

    /// The unit normal of a wall into the vessel, where the ball touches it.
    pub(super) fn normal(&self, place: DVec3, wall: u32) -> DVec3 {
        match self {
            Self::Box { lengths, .. } => {
                let axis = wall as usize;
                if place[axis] < 0.5 * lengths[axis] { DVec3::AXES[axis] } else { -DVec3::AXES[axis] }
            }
            Self::Frustum(frustum) if wall < 2 => [frustum.axis, -frustum.axis][wall as usize],
            Self::Frustum(frustum) => {
                let inwards = -frustum.split(place).1.normalize_or(frustum.axis.any_orthonormal_vector());
                (inwards + frustum.axis * frustum.slope()) / frustum.secant()
            }
            Self::Sphere { center, .. } => (*center - place).normalize_or(DVec3::X),
            Self::Mesh(walls) => walls.sides[(wall / KINDS) as usize].inwards(place, wall % KINDS),
        }
    }
}

/// Time until a length has run out that begins as `room`, m, and grows at a rate, m/s, while a point moves away from
/// the origin: the first root of |d + v τ| = L + L′ τ of a point inside, s. Infinite if there is none.
fn running_out(place: DVec3, velocity: DVec3, [room, rate]: [f64; 2]) -> f64 {
    let a = velocity.length_squared() - rate * rate;
    let b = place.dot(velocity) - room * rate;
    // Positive only by rounding.
    let c = (place.length_squared() - room * room).min(0.0);
    let root = (b * b - a * c).max(0.0).sqrt();
    if b > 0.0 {
        -c / (b + root)
    } else if a > 0.0 {
        (root - b) / a
    } else {
        f64::INFINITY
    }
}

impl MeshWalls {
    fn new(mesh: &Mesh, origin: DVec3, cells: impl Iterator<Item = Aabb>, largest: f64) -> Self {
        let side = |(row, triangle): (usize, &Triangle)| {
            let normal = -mesh.facet(mesh.facet_of(row as u32)).normal;
            let triangle = triangle.shifted(-origin);
            Side { triangle, normal, offset: normal.dot(triangle.a) }
        };
        let touching = |cell: Aabb| {
            let mut rows = Vec::new();
            mesh.tree().touching(&Aabb::around(cell.center() + origin, cell.half() + largest), |row| rows.push(row));
            rows.sort_unstable();
            rows
        };
        Self { sides: mesh.triangles().iter().enumerate().map(side).collect(), near: cells.map(touching).collect() }
    }
}

impl Side {
    /// The beginning of an edge, and the vector to its end, m.
    fn edge(&self, number: usize) -> (DVec3, DVec3) {
        let corners = self.triangle.vertices();
        (corners[number], corners[(number + 1) % 3] - corners[number])
    }

    /// Passes to `take` when the ball meets the plane of this triangle, its edges and its corners, with the number of
    /// each, where the triangle, the edge or the corner is there.
    fn meeting(&self, moving: &Moving, row: u32, take: &mut impl FnMut(f64, u32)) {
        let first = row * KINDS;
        let at = |span: f64| moving.place + moving.velocity * span;
        let span = moving.meets_plane(self.normal, self.offset);
        if self.normal.dot(moving.place) > self.offset && span < f64::INFINITY && self.covers(at(span)) {
            take(span, first);
        }
        for number in 0..3 {
            let (origin, way) = self.edge(number);
            let length = way.length();
            let span = moving.meets_line(origin, way / length);
            let share = if span < f64::INFINITY { (at(span) - origin).dot(way) / (length * length) } else { -1.0 };
            if (-SEAM..=1.0 + SEAM).contains(&share) {
                take(span, first + 1 + number as u32);
            }
            take(moving.meets_line(origin, DVec3::ZERO), first + 4 + number as u32);
        }
    }

    /// Whether a point is above the triangle.
    fn covers(&self, point: DVec3) -> bool {
        (0..3).all(|number| {
            let (origin, way) = self.edge(number);
            // The normal points away from the side from which the corners are counterclockwise.
            way.cross(point - origin).dot(self.normal) <= SEAM * way.length_squared()
        })
    }

    /// The unit vector from a part of this triangle to a place.
    fn inwards(&self, place: DVec3, kind: u32) -> DVec3 {
        let (origin, way) = self.edge((kind + 2) as usize % 3);
        let offset = match kind {
            0 => return self.normal,
            1..4 => (place - origin).reject_from(way),
            _ => place - origin,
        };
        offset.normalize_or(self.normal)
    }
}
