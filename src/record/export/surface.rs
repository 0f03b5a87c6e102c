//! The surfaces of solids as polygons.

use glam::DVec3;

use crate::geometry::{Plane, Shape, Triangle};
use crate::world::World;

use super::roster::{Member, Roster};

/// A surface: corners, m, and polygons as indices of corners, counter-clockwise seen from outside.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Surface {
    pub(super) corners: Vec<DVec3>,
    pub(super) polygons: Vec<Vec<u32>>,
}

impl Surface {
    /// The surface of a box, a mesh, a grid or a part of a plane, relative to the position of the body; empty for a
    /// ball. A plane has no end, so it becomes a square around its point nearest to the middle of `view`, which is also
    /// relative to the body.
    pub(super) fn of(shape: &Shape, view: &View) -> Self {
        match shape {
            Shape::Sphere(_) => Self::default(),
            Shape::Box(half) => cuboid(half.get()),
            Shape::Plane(plane) => square(plane, view),
            Shape::Arc(_) => shape.to_mesh().map_or_else(Self::default, |mesh| Self::of(&Shape::Mesh(mesh), view)),
            Shape::Mesh(mesh) => {
                let corners: Vec<DVec3> = mesh.triangles().iter().flat_map(Triangle::vertices).collect();
                let polygons = (0..corners.len() as u32).step_by(3).map(|first| vec![first, first + 1, first + 2]);
                Self { polygons: polygons.collect(), corners }
            }
            Shape::Grid(grid) => {
                let (corners, triangles) = grid.triangles();
                Self { corners, polygons: triangles.into_iter().map(Vec::from).collect() }
            }
        }
    }
}

/// The region of the bodies, to which planes are cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    middle: DVec3,
    /// Half the diagonal of all bodies, m.
    reach: f64,
}

impl View {
    /// The region around all members of finite size that are present, and around the periodic cell.
    pub(super) fn of(world: &World, roster: &Roster) -> Self {
        let cell = match world.settings().space.periods {
            [Some(x), Some(y), Some(z)] => vec![DVec3::new(x.min, y.min, z.min), DVec3::new(x.max, y.max, z.max)],
            _ => Vec::new(),
        };
        let present = roster.members.iter().filter(|member| world.is_present(member.id));
        let ends = present.filter_map(|member| ends(world, member)).flatten();
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for end in ends.chain(cell) {
            (low, high) = (low.min(end), high.max(end));
        }
        if low.x > high.x {
            return Self { middle: DVec3::ZERO, reach: 1.0 };
        }
        Self { middle: 0.5 * (low + high), reach: 0.5 * (high - low).length() }
    }

    /// The same region relative to `position`.
    pub(super) fn seen_from(self, position: DVec3) -> Self {
        Self { middle: self.middle - position, ..self }
    }
}

fn ends(world: &World, member: &Member) -> Option<[DVec3; 2]> {
    let position = world.state(member.id).position;
    match &member.shape {
        Shape::Plane(_) => None,
        Shape::Mesh(mesh) => Some([position + mesh.bounds().min, position + mesh.bounds().max]),
        Shape::Grid(grid) => Some([position, position + grid.bounds().max]),
        shape => Some([position - shape.half_extents(), position + shape.half_extents()]),
    }
}

/// The faces of a box: two across each axis, by the signs of their corners.
fn cuboid(half: DVec3) -> Surface {
    let sign = |bit: u32, row: u32| if row >> bit & 1 == 1 { 1.0 } else { -1.0 };
    let corners = (0..8).map(|row| half * DVec3::new(sign(0, row), sign(1, row), sign(2, row))).collect();
    let faces =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]].map(|face| face.to_vec());
    Surface { corners, polygons: faces.to_vec() }
}

fn square(plane: &Plane, view: &View) -> Surface {
    let normal = plane.normal();
    let foot = view.middle - normal * plane.distance(view.middle);
    // The axis farthest from the normal gives a direction in the plane.
    let away = normal.abs();
    let axis = if away.x <= away.y && away.x <= away.z {
        DVec3::X
    } else if away.y <= away.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let across = normal.cross(axis);
    let right = across / across.length() * view.reach;
    let up = normal.cross(right);
    let corners = vec![foot - right - up, foot + right - up, foot + right + up, foot - right + up];
    Surface { corners, polygons: vec![vec![0, 1, 2, 3]] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::HalfExtents;

    /// Six times the volume that the polygons enclose.
    fn volume(surface: &Surface) -> f64 {
        let fan = |polygon: &Vec<u32>| {
            let corner = |row: usize| surface.corners[polygon[row] as usize];
            (1..polygon.len() - 1).map(|row| corner(0).dot(corner(row).cross(corner(row + 1)))).sum::<f64>()
        };
        surface.polygons.iter().map(fan).sum()
    }

    #[test]
    fn the_faces_of_a_box_look_outwards() {
        let half = DVec3::new(1.0, 2.0, 4.0);
        let view = View { middle: DVec3::ZERO, reach: 1.0 };
        let surface = Surface::of(&Shape::Box(HalfExtents::new(half).unwrap()), &view);
        assert_eq!(volume(&surface), 6.0 * 64.0);
    }

    #[test]
    fn a_plane_is_cut_around_the_view_and_looks_along_its_normal() {
        let view = View { middle: DVec3::new(3.0, 4.0, 5.0), reach: 2.0 };
        for normal in [DVec3::Z, DVec3::new(0.6, 0.0, -0.8), DVec3::NEG_Y] {
            let plane = Plane::new(normal, 0.5).unwrap();
            let Surface { corners, .. } = Surface::of(&Shape::Plane(plane), &view);
            assert!(corners.iter().all(|&corner| plane.distance(corner).abs() < 1e-14));
            let turn = (corners[1] - corners[0]).cross(corners[2] - corners[1]);
            assert!((turn.normalize() - normal).length() < 1e-14, "{normal}");
        }
    }
}
