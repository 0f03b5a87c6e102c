//! An overlap that is shorter than the resolution of the numbers is a hit too: nothing passes through a thin obstacle.

use carom::geometry::cast::{Crossing, ray_aabb, ray_sphere};
use carom::geometry::{Aabb, Plane, Ray, Solid, Triangle};
use carom::motion::Relative;
use carom::sweep::{self, Overlap, box_plane::box_sheet, overlap, sphere_plane::sphere_sheet};
use glam::DVec3;

use crate::common::Random;

/// The number of bodies that are shot at each kind of target.
const SHOTS: usize = 1_000_000;

/// A body that moves to a plane through the origin. Its centre crosses the plane at a given point.
struct Shot {
    /// The motion of the body relative to the target.
    body: Relative,
    /// The time at which the centre crosses the plane, to rounding, s.
    time: f64,
    /// The distance that the body moves along the normal in 0 to 50 ulps of that time, m.
    reach: f64,
}

impl Shot {
    /// A shot at `place`, a point of the plane with this unit normal.
    fn at(random: &mut Random, place: DVec3, normal: DVec3, is_curved: bool) -> Self {
        let time = random.between(0.1, 30.0);
        let (speed, pull) = (random.between(0.5, 20.0), random.between(0.01, 0.5));
        let mut velocity = random.vector(speed);
        // A minimum speed along the normal, because a body that moves along the plane only grazes it.
        velocity += normal * (0.5_f64).copysign(velocity.dot(normal));
        let acceleration = if is_curved { random.vector(pull) } else { DVec3::ZERO };
        let body = Relative {
            position: place - velocity * time + acceleration * (0.5 * time * time),
            velocity: velocity - acceleration * time,
            acceleration,
        };
        let grain = time.next_up() - time;
        let grains = random.below(101) as f64;
        let reach = (0.5 * grains * grain * velocity.dot(normal).abs()).max(1e-30);
        Self { body, time, reach }
    }

    /// Whether the sweep reports a hit on the way in, no later than the centre crosses the plane.
    fn hits(&self, overlap: Option<Overlap>) -> bool {
        overlap.is_some_and(|Overlap { enter, leave, normal, .. }| {
            let velocity = self.body.velocity + self.body.acceleration * enter;
            // The normal points from the body to the target.
            enter <= leave && enter <= self.time * (1.0 + 1e-9) && normal.dot(velocity) > 0.0
        })
    }

    /// The motion of the target relative to the body.
    fn of_target(&self) -> Relative {
        self.body.reversed()
    }

    /// The path of the centre if the shot is straight.
    fn ray(&self) -> Ray {
        Ray { origin: self.body.position, direction: self.body.velocity }
    }

    /// Whether the cast along that path reports a hit from outside, no later than at the plane.
    fn is_cast_at(&self, met: Option<Crossing>) -> bool {
        met.is_some_and(|Crossing { enter, leave, normal, .. }| {
            enter <= leave && enter <= self.time * (1.0 + 1e-9) && normal.dot(self.body.velocity) < 0.0
        })
    }

    /// Half edges of a cube that extends by `reach` along the normal.
    fn cube(&self, normal: DVec3) -> DVec3 {
        DVec3::splat(self.reach / normal.abs().element_sum())
    }
}

/// A random unit vector; half of these are along an axis.
fn direction(random: &mut Random) -> DVec3 {
    if random.below(2) == 0 { DVec3::AXES[random.below(3)] } else { random.vector(1.0).normalize() }
}

#[test]
fn nothing_slips_through_a_sheet() {
    let mut random = Random::new(1);
    for round in 0..SHOTS {
        let normal = direction(&mut random);
        let plane = Plane::new(normal, 0.0).unwrap();
        let normal = plane.normal();
        let place = normal.any_orthonormal_vector() * random.between(-5.0, 5.0);
        for is_curved in [false, true] {
            let shot = Shot::at(&mut random, place, normal, is_curved);
            let target = shot.of_target();
            assert!(shot.hits(sphere_sheet(shot.reach, &plane, &target, 100.0)), "{round} {is_curved}: ball {normal}");
            let cube = shot.cube(normal);
            assert!(shot.hits(box_sheet(cube, &plane, &target, 100.0)), "{round} {is_curved}: box {normal}");
        }
    }
}

/// Whether the body hits one of the targets. Each hit target must also have a piece.
fn is_hit(shot: &Shot, body: Solid<'_>, targets: &[Solid<'_>]) -> bool {
    let target = shot.of_target();
    let mut hits = targets.iter().map(|&solid| {
        let pieces = sweep::pieces(body, solid, &target);
        let met = shot.hits(sweep::overlap(body, solid, &target, 100.0));
        let has_piece = pieces.as_slice().iter().any(|piece| piece.leave > 0.0);
        assert!(has_piece || !met, "{target:?}");
        met
    });
    hits.any(|hit| hit)
}

#[test]
fn nothing_slips_through_a_triangle_nor_between_two() {
    let mut random = Random::new(2);
    for round in 0..SHOTS {
        let normal = direction(&mut random);
        let across = normal.any_orthonormal_vector();
        let (u, v) = (across * random.between(1.0, 3.0), normal.cross(across) * random.between(1.0, 3.0));
        let corners = [-u - v, u - v, u + v, v - u];
        let [first, second] = [[0, 1, 2], [0, 2, 3]].map(|[a, b, c]: [usize; 3]| Triangle {
            a: corners[a],
            b: corners[b],
            c: corners[c],
        });
        // Anywhere in the square, or on the common edge of the two triangles.
        let (along, beside) = (random.between(-0.9, 0.9), random.between(-0.9, 0.9));
        let place = if round % 4 == 0 { u * along + v * along } else { u * along + v * beside };
        let targets = [&first, &second].map(Solid::Triangle);
        for is_curved in [false, true] {
            let shot = Shot::at(&mut random, place, normal, is_curved);
            assert!(is_hit(&shot, Solid::Sphere(shot.reach), &targets), "{round} {is_curved}: ball {normal}");
            let cube = Solid::Box(shot.cube(normal));
            assert!(is_hit(&shot, cube, &targets), "{round} {is_curved}: box {normal}");
            let met = targets.map(|target| overlap(Solid::Sphere(0.0), target, &shot.of_target(), 100.0));
            assert!(met.iter().any(|met| shot.hits(*met)), "{round} {is_curved}: point {normal} {met:?}");
        }
    }
}

#[test]
fn nothing_slips_through_a_thin_wall() {
    let mut random = Random::new(3);
    for round in 0..SHOTS {
        let axis = random.below(3);
        let normal = DVec3::AXES[axis];
        let mut place = DVec3::new(random.between(-0.9, 0.9), random.between(-0.9, 0.9), random.between(-0.9, 0.9));
        place[axis] = 0.0;
        for is_curved in [false, true] {
            let shot = Shot::at(&mut random, place, normal, is_curved);
            let part = random.unit() * shot.reach;
            let mut wall = DVec3::ONE;
            wall[axis] = (shot.reach - part).max(1e-30);
            let ball = Solid::Sphere(part.max(1e-30));
            assert!(is_hit(&shot, ball, &[Solid::Box(wall)]), "{round} {is_curved}: ball");
            let cube = Solid::Box(DVec3::splat(part.max(1e-30)));
            assert!(is_hit(&shot, cube, &[Solid::Box(wall)]), "{round} {is_curved}: box");
            assert!(is_hit(&shot, Solid::Sphere(0.0), &[Solid::Box(wall)]), "{round} {is_curved}: point");
            if !is_curved {
                let met = ray_aabb(&shot.ray(), &Aabb::around(DVec3::ZERO, wall), 100.0);
                assert!(shot.is_cast_at(met), "{round}: {met:?}");
            }
        }
    }
}

#[test]
fn no_ray_slips_through_a_tiny_ball() {
    let mut random = Random::new(4);
    let (mut hits, mut instants) = (0, 0);
    for round in 0..SHOTS {
        let normal = direction(&mut random);
        let shot = Shot::at(&mut random, DVec3::ZERO, normal, false);
        let cast = ray_sphere(&shot.ray(), DVec3::ZERO, shot.reach, 100.0);
        let swept = overlap(Solid::Sphere(0.0), Solid::Sphere(shot.reach), &shot.of_target(), 100.0);
        // The rounding of the path decides whether the ray misses. The cast and the sweep round in the same way.
        assert_eq!(cast.is_some(), swept.is_some(), "{round}: {cast:?} {swept:?}");
        assert!(cast.is_none() || shot.is_cast_at(cast), "{round}: {cast:?}");
        hits += u32::from(cast.is_some());
        instants += u32::from(cast.is_some_and(|cast| cast.enter == cast.leave));
    }
    assert!(hits > 500_000 && instants > 1_000, "{hits} {instants}");
}

/// Rays along x hit bodies that are so thin that the parameters of both ends round to the same number.
#[test]
fn a_ray_crosses_what_is_thinner_than_its_parameters_tell_apart() {
    for far in [20.0, 20.1, 1e3] {
        for speed in [1.0, 0.3] {
            let ray = Ray { origin: DVec3::X * -far, direction: DVec3::X * speed };
            let motion = Relative { position: DVec3::X * far, velocity: DVec3::X * -speed, acceleration: DVec3::ZERO };
            for thin in [5e-16, 1e-16, 1e-30] {
                let (wall, ball) = (DVec3::new(thin, 1.0, 1.0), thin);
                let casts =
                    [ray_aabb(&ray, &Aabb::around(DVec3::ZERO, wall), 1e4), ray_sphere(&ray, DVec3::ZERO, ball, 1e4)];
                for (cast, solid) in casts.into_iter().zip([Solid::Box(wall), Solid::Sphere(ball)]) {
                    let swept = overlap(Solid::Sphere(0.0), solid, &motion, 1e4).unwrap();
                    let cast = cast.unwrap_or_else(|| panic!("{solid:?} from {far} at {speed}"));
                    let near = |x: f64, y: f64| (x - y).abs() <= 4.0 * f64::EPSILON * y;
                    assert!(near(cast.enter, swept.enter) && near(cast.leave, swept.leave), "{cast:?} {swept:?}");
                    assert_eq!((cast.normal, cast.start), (-swept.normal, swept.start), "{solid:?}");
                }
            }
        }
    }
}
