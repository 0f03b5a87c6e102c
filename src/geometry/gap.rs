//! How far two solids are apart at one instant, and in which direction.
//!
//! The separation is the signed gap: negative means overlap, by the depth of the shortest way out. For
//! boxes it is measured along the axes: two boxes that miss each other by a corner are apart by the larger
//! of the two gaps, not by the distance of the corners. The sign is that of the Euclidean gap.

use glam::DVec3;

use super::{Plane, Solid, triangle_gap};

/// The signed gap of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// Separation, m; negative means overlap.
    pub separation: f64,
    /// Unit vector from `a` to `b` along the shortest way.
    pub normal: DVec3,
}

impl Gap {
    fn reversed(self) -> Self {
        Self { normal: -self.normal, ..self }
    }
}

/// The gap between `a` at the origin and `b` at `offset`; two of half-spaces and sheets have none.
pub fn gap(a: Solid<'_>, b: Solid<'_>, offset: DVec3) -> Option<Gap> {
    Some(match (a, b) {
        (Solid::Sphere(a), Solid::Sphere(b)) => sphere_sphere(a + b, offset),
        (Solid::Box(a), Solid::Box(b)) => box_box(a + b, offset),
        (Solid::Sphere(a), Solid::Box(b)) => sphere_box(a, b, offset),
        (Solid::Sphere(a), Solid::Plane(b)) => half_space(a, b, offset),
        (Solid::Box(a), Solid::Plane(b)) => half_space(b.reach_of(a), b, offset),
        (Solid::Sphere(a), Solid::Triangle(b)) => triangle_gap::sphere_triangle(a, b, offset),
        (Solid::Box(a), Solid::Triangle(b)) => triangle_gap::box_triangle(a, b, offset),
        (Solid::Sphere(a), Solid::Sheet(b)) => sheet(a, b, offset),
        (Solid::Box(a), Solid::Sheet(b)) => sheet(b.reach_of(a), b, offset),
        (_, Solid::Sphere(_) | Solid::Box(_)) => gap(b, a, -offset)?.reversed(),
        (
            Solid::Plane(_) | Solid::Sheet(_) | Solid::Triangle(_),
            Solid::Plane(_) | Solid::Sheet(_) | Solid::Triangle(_),
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

fn half_space(reach: f64, plane: &Plane, offset: DVec3) -> Gap {
    Gap { separation: plane.distance(-offset) - reach, normal: -plane.normal() }
}

fn sheet(reach: f64, plane: &Plane, offset: DVec3) -> Gap {
    let height = plane.distance(-offset);
    let normal = if height > 0.0 { -plane.normal() } else { plane.normal() };
    Gap { separation: height.abs() - reach, normal }
}

/// The axis of the largest component; of equal ones the first.
pub(crate) fn largest(v: DVec3) -> usize {
    if v.x >= v.y && v.x >= v.z { 0 } else { 1 + usize::from(v.z > v.y) }
}

/// The axis as a unit vector towards the side on which `offset` lies.
pub(crate) fn side(offset: DVec3, axis: usize) -> DVec3 {
    DVec3::AXES[axis] * if offset[axis] < 0.0 { -1.0 } else { 1.0 }
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
