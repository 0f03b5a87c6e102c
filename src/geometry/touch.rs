//! The point of contact of two touching solids.

use glam::DVec3;

use super::closest::point_on_triangle;
use super::{Aabb, Solid};

/// The point of contact of `a` at `position_a` and `b` at `position_b` that touch along `normal`, m.
///
/// For a ball it is the point of its surface along the normal. Two boxes touch in an area; the result is the middle of
/// this area. A box touches a plane with a face, an edge or a corner; the result is the middle of this feature. For a
/// box and a triangle, the result is the point of the triangle that is nearest to the middle of this feature.
pub fn touch_point(a: Solid<'_>, position_a: DVec3, b: Solid<'_>, position_b: DVec3, normal: DVec3) -> DVec3 {
    match (a, b) {
        (Solid::Sphere(radius), _) => position_a + normal * radius,
        (_, Solid::Sphere(radius)) => position_b - normal * radius,
        (Solid::Patch { center, half }, _) => touch_point(Solid::Box(half), position_a + center, b, position_b, normal),
        (_, Solid::Patch { center, half }) => touch_point(a, position_a, Solid::Box(half), position_b + center, normal),
        (Solid::Box(a), Solid::Box(b)) => {
            let (a, b) = (Aabb::around(position_a, a), Aabb::around(position_b, b));
            (a.min.max(b.min) + a.max.min(b.max)) * 0.5
        }
        (Solid::Box(half), Solid::Triangle(triangle)) => {
            point_on_triangle(position_a + towards(normal, half), &triangle.shifted(position_b)).point
        }
        (Solid::Triangle(_), Solid::Box(_)) => touch_point(b, position_b, a, position_a, -normal),
        (Solid::Box(half), Solid::Plane(_) | Solid::Sheet(_)) => position_a + towards(normal, half),
        (Solid::Plane(_) | Solid::Sheet(_), Solid::Box(half)) => position_b - towards(normal, half),
        (Solid::Arc(_), _) | (_, Solid::Arc(_)) => position_a,
        (
            Solid::Plane(_) | Solid::Sheet(_) | Solid::Triangle(_),
            Solid::Plane(_) | Solid::Sheet(_) | Solid::Triangle(_),
        ) => position_a,
    }
}

/// The middle of the box's feature that lies farthest along `normal`, seen from the box's centre.
fn towards(normal: DVec3, half: DVec3) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|axis| match normal[axis] {
        0.0 => 0.0,
        component => half[axis] * component.signum(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Plane;

    #[test]
    fn points_of_contact() {
        let ball = Solid::Sphere(2.0);
        let cube = Solid::Box(DVec3::ONE);
        let (flat, tilted) = (Plane::new(DVec3::Z, 0.0).unwrap(), Plane::new(DVec3::new(0.6, 0.0, 0.8), 0.0).unwrap());
        let (floor, slope) = (Solid::Plane(&flat), Solid::Plane(&tilted));
        let at = DVec3::new;
        let rows = [
            (ball, at(0.0, 0.0, 2.0), floor, DVec3::ZERO, -DVec3::Z, DVec3::ZERO),
            (cube, at(5.0, 0.0, 1.0), floor, DVec3::ZERO, -DVec3::Z, at(5.0, 0.0, 0.0)),
            (cube, DVec3::ZERO, slope, DVec3::ZERO, at(-0.6, 0.0, -0.8), at(-1.0, 0.0, -1.0)),
            (cube, DVec3::ZERO, cube, at(2.0, 1.0, 0.5), DVec3::X, at(1.0, 0.5, 0.25)),
            (cube, DVec3::ZERO, ball, at(3.0, 0.5, 0.0), DVec3::X, at(1.0, 0.5, 0.0)),
        ];
        for (a, position_a, b, position_b, normal, point) in rows {
            assert_eq!(touch_point(a, position_a, b, position_b, normal), point, "{a:?} {b:?}");
            assert_eq!(touch_point(b, position_b, a, position_a, -normal), point, "{b:?} {a:?}");
        }
    }
}
