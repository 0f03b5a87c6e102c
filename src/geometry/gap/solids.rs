//! The separation of two solids of any kind.

use glam::DVec3;

use super::separation::{Gap, largest, side};
use super::triangle_gap::{box_triangle, sphere_triangle};
use crate::geometry::{ArcPart, CircleArc, Plane, Solid};

/// The gap between `a` at the origin and `b` at `offset`; `None` for two half-spaces, sheets or triangles,
/// and for an arc and what is no ball.
///
/// ```
/// use carom::geometry::{Solid, gap};
/// use carom::glam::DVec3;
///
/// let (ball, cube) = (Solid::Sphere(1.0), Solid::Box(DVec3::ONE));
/// let apart = gap(ball, cube, DVec3::Y * 5.0).unwrap();
/// assert_eq!((apart.separation, apart.normal), (3.0, DVec3::Y));
/// let deep = gap(cube, cube, DVec3::X * 1.5).unwrap();
/// assert_eq!((deep.separation, deep.normal), (-0.5, DVec3::X));
/// ```
pub fn gap(a: Solid<'_>, b: Solid<'_>, offset: DVec3) -> Option<Gap> {
    Some(match (a, b) {
        (Solid::Sphere(a), Solid::Sphere(b)) => sphere_sphere(a + b, offset),
        (Solid::Patch { center, half }, _) => return gap(Solid::Box(half), b, offset - center),
        (_, Solid::Patch { center, half }) => return gap(a, Solid::Box(half), offset + center),
        (Solid::Box(a), Solid::Box(b)) => box_box(a + b, offset),
        (Solid::Sphere(a), Solid::Box(b)) => sphere_box(a, b, offset),
        (Solid::Sphere(a), Solid::Plane(b)) => half_space(a, b, offset),
        (Solid::Box(a), Solid::Plane(b)) => half_space(b.reach_of(a), b, offset),
        (Solid::Sphere(a), Solid::Triangle(b)) => sphere_triangle(a, b, offset),
        (Solid::Box(a), Solid::Triangle(b)) => box_triangle(a, b, offset),
        (Solid::Sphere(a), Solid::Sheet(b)) => sheet(a, b, offset),
        (Solid::Box(a), Solid::Sheet(b)) => sheet(b.reach_of(a), b, offset),
        (Solid::Sphere(a), Solid::Arc(b)) => sphere_arc(a, b, offset),
        (Solid::Box(_), Solid::Arc(_)) | (Solid::Arc(_), Solid::Box(_)) => return None,
        (_, Solid::Sphere(_) | Solid::Box(_)) => gap(b, a, -offset)?.reversed(),
        (
            Solid::Plane(_) | Solid::Sheet(_) | Solid::Arc(_) | Solid::Triangle(_),
            Solid::Plane(_) | Solid::Sheet(_) | Solid::Arc(_) | Solid::Triangle(_),
        ) => return None,
    })
}

fn sphere_sphere(reach: f64, offset: DVec3) -> Gap {
    let distance = offset.length();
    let normal = if distance > 0.0 { offset / distance } else { DVec3::X };
    Gap { separation: distance - reach, normal }
}

fn box_box(reach: DVec3, offset: DVec3) -> Gap {
    let gaps = offset.abs() - reach;
    let axis = largest(gaps);
    Gap { separation: gaps[axis], normal: side(offset, axis) }
}

fn sphere_box(radius: f64, half: DVec3, offset: DVec3) -> Gap {
    let outward = offset - offset.clamp(-half, half);
    let distance = outward.length();
    if distance > 0.0 {
        return Gap { separation: distance - radius, normal: outward / distance };
    }
    let depths = offset.abs() - half;
    let axis = largest(depths);
    Gap { separation: depths[axis] - radius, normal: side(offset, axis) }
}

/// The normal of a centre on the arc is outwards.
fn sphere_arc(radius: f64, arc: &CircleArc, offset: DVec3) -> Gap {
    let centre = (-offset).with_z(0.0);
    let (point, part) = arc.nearest(centre);
    let away = match part {
        ArcPart::Rim => centre.length() - arc.radius(),
        ArcPart::End(_) => (centre - point).length(),
    };
    let along = match part {
        ArcPart::Rim => point / arc.radius() * if away < 0.0 { 1.0 } else { -1.0 },
        ArcPart::End(_) if away > 0.0 => (point - centre) / away,
        ArcPart::End(_) => point / arc.radius(),
    };
    Gap { separation: away.abs() - radius, normal: along }
}

fn half_space(reach: f64, plane: &Plane, offset: DVec3) -> Gap {
    Gap { separation: plane.distance(-offset) - reach, normal: -plane.normal() }
}

fn sheet(reach: f64, plane: &Plane, offset: DVec3) -> Gap {
    let height = plane.distance(-offset);
    let normal = if height > 0.0 { -plane.normal() } else { plane.normal() };
    Gap { separation: height.abs() - reach, normal }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_of_every_pair() {
        let ball = Solid::Sphere(1.0);
        let cube = Solid::Box(DVec3::new(1.0, 2.0, 3.0));
        let plane = Plane::new(DVec3::Z, -1.0).unwrap();
        let floor = Solid::Plane(&plane);
        let sheet = Solid::Sheet(&plane);
        let rows = [
            (ball, ball, DVec3::new(0.0, 3.0, 0.0), 1.0, DVec3::Y),
            (ball, ball, DVec3::new(0.0, 0.0, -1.5), -0.5, -DVec3::Z),
            (ball, ball, DVec3::ZERO, -2.0, DVec3::X),
            (ball, cube, DVec3::new(2.5, 1.0, 0.0), 0.5, DVec3::X),
            (ball, cube, DVec3::new(-4.0, 6.0, 0.0), 4.0, DVec3::new(-0.6, 0.8, 0.0)),
            (ball, cube, DVec3::new(0.5, 0.0, 0.0), -1.5, DVec3::X),
            (cube, cube, DVec3::new(2.5, 1.0, 0.0), 0.5, DVec3::X),
            (cube, cube, DVec3::new(1.5, -3.9, 0.0), -0.10000000000000009, -DVec3::Y),
            (ball, floor, DVec3::new(9.0, 0.0, -3.0), 3.0, -DVec3::Z),
            (cube, floor, DVec3::new(9.0, 0.0, 2.5), -4.5, -DVec3::Z),
            (ball, sheet, DVec3::new(9.0, 0.0, -3.0), 3.0, -DVec3::Z),
            (ball, sheet, DVec3::new(9.0, 0.0, 1.5), -0.5, DVec3::Z),
            (cube, sheet, DVec3::new(9.0, 0.0, 6.0), 2.0, DVec3::Z),
        ];
        for (a, b, offset, separation, normal) in rows {
            assert_eq!(gap(a, b, offset), Some(Gap { separation, normal }), "{a:?} {b:?} {offset}");
            assert_eq!(gap(b, a, -offset).map(|g| g.separation), Some(separation));
        }
        assert_eq!(gap(floor, floor, DVec3::ZERO), None);
        assert_eq!(gap(sheet, floor, DVec3::ZERO), None);
    }
}
