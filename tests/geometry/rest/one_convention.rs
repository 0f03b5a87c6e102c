//! Sweeps and casts follow one convention: a ray hits a solid where the sweep of a ball of radius 0 hits it.

use carom::geometry::cast::{
    Crossing, Faces, PlaneCast, ray_aabb, ray_half_space, ray_plane, ray_sphere, ray_triangle,
};
use carom::geometry::{Aabb, Plane, Ray, Solid, Start, Triangle, gap};
use carom::motion::{Path, Relative, SimTime};
use carom::sweep::{Overlap, overlap, overlap_of_paths, pieces};
use glam::DVec3;

use crate::common::Random;

const POINT: Solid<'static> = Solid::Sphere(0.0);

/// The cast at `solid`, centred at `center`. A ray leaves a sheet where it enters it.
fn cast(ray: &Ray, solid: Solid<'_>, center: DVec3, until: f64) -> Option<Crossing> {
    let seen = Ray { origin: ray.origin - center, ..*ray };
    let sheet = |t: f64, normal| {
        let start = if t == 0.0 { Start::Touching } else { Start::Apart };
        Crossing { enter: t, leave: t, normal, start }
    };
    match solid {
        Solid::Arc(_) => unreachable!("an arc does not touch the solids here"),
        Solid::Sphere(radius) => ray_sphere(ray, center, radius, until),
        Solid::Box(half) => ray_aabb(ray, &Aabb::around(center, half), until),
        Solid::Patch { center: off, half } => ray_aabb(ray, &Aabb::around(center + off, half), until),
        Solid::Plane(plane) => ray_half_space(&seen, plane, until),
        Solid::Sheet(plane) => match ray_plane(&seen, plane, Faces::Both, until) {
            PlaneCast::Hit { t, normal, .. } => Some(sheet(t, normal)),
            PlaneCast::Parallel | PlaneCast::Coincident | PlaneCast::Miss => None,
        },
        Solid::Triangle(triangle) => {
            ray_triangle(&seen, triangle, Faces::Both, until).map(|hit| sheet(hit.t, hit.normal))
        }
    }
}

/// The sweep of a point along the ray.
fn sweep(ray: &Ray, solid: Solid<'_>, center: DVec3, until: f64) -> Option<Overlap> {
    let motion = Relative { position: center - ray.origin, velocity: -ray.direction, acceleration: DVec3::ZERO };
    overlap(POINT, solid, &motion, until)
}

/// Whether the ray lies in the plane of a face of a box. There a swept point slides, while a ray counts as inside.
fn slides(ray: &Ray, solid: Solid<'_>, center: DVec3) -> bool {
    let (off, half) = match solid {
        Solid::Box(half) => (DVec3::ZERO, half),
        Solid::Patch { center, half } => (center, half),
        _ => return false,
    };
    (ray.direction.cmpeq(DVec3::ZERO) & (ray.origin - center - off).abs().cmpeq(half)).any()
}

/// Compares the cast with the sweep. Returns whether there was a hit.
fn check(ray: &Ray, solid: Solid<'_>, center: DVec3, until: f64) -> bool {
    let (cast, sweep) = (cast(ray, solid, center, until), sweep(ray, solid, center, until));
    if slides(ray, solid, center) {
        assert_eq!(sweep, None, "{solid:?} at {center}, {ray:?}");
        return false;
    }
    let context = format!("{solid:?} at {center}, {ray:?} until {until}: cast {cast:?}, sweep {sweep:?}");
    let (Some(cast), Some(sweep)) = (cast, sweep) else {
        assert!(cast.is_none() && sweep.is_none(), "{context}");
        return false;
    };
    // Coordinates are below 16 and directions longer than 1/8: at most about a hundred roundings of 16 ε.
    let near = |x: f64, y: f64| x == y || (x - y).abs() <= 1e-11 * (1.0 + x.abs());
    assert!(near(cast.enter, sweep.enter) && near(cast.leave, sweep.leave), "{context}");
    assert!(cast.enter >= 0.0 && cast.leave >= cast.enter && cast.enter <= until, "{context}");
    assert_eq!(cast.start, sweep.start, "{context}");
    assert!((cast.normal + sweep.normal).length() < 1e-6, "{context}");
    assert!((cast.normal.length() - 1.0).abs() < 1e-12, "{context}");
    true
}

#[test]
fn a_ray_meets_what_a_ball_of_radius_0_meets() {
    let mut random = Random::new(1907);
    let mut hits = [0; 6];
    for row in 0..40_000 {
        let whole = row % 2 == 0;
        let mut vector = |size: f64| if whole { random.vector(size + 0.5).round() } else { random.vector(size) };
        let (origin, direction, center) = (vector(6.0), vector(4.0), vector(3.0));
        let (half, normal, [a, b, c]) = (vector(3.0).abs(), vector(3.0), [vector(4.0), vector(4.0), vector(4.0)]);
        if direction.length() < 0.125 || normal.length() < 0.125 || half.min_element() <= 0.0 {
            continue;
        }
        let (plane, triangle) = (Plane::new(normal, center.x).unwrap(), Triangle { a, b, c });
        let ray = Ray { origin, direction };
        let until = if row % 3 == 0 { f64::INFINITY } else { random.between(0.0, 3.0) };
        let solids = [
            Solid::Sphere(half.x),
            Solid::Box(half),
            Solid::Plane(&plane),
            Solid::Sheet(&plane),
            Solid::Triangle(&triangle),
            Solid::Patch { center: a, half },
        ];
        for (hits, solid) in hits.iter_mut().zip(solids) {
            *hits += usize::from(check(&ray, solid, center, until));
        }
    }
    assert!(hits.iter().all(|&hits| hits > 400), "{hits:?}");
}

/// The cast and the sweep report the same start: apart, touching on the way in, touching on the way out, or inside.
#[test]
fn both_say_how_the_two_lie_at_the_start() {
    let plane = Plane::new(DVec3::Z, 1.0).unwrap();
    let solids = [Solid::Sphere(1.0), Solid::Box(DVec3::ONE), Solid::Plane(&plane)];
    for solid in solids {
        for (height, speed, expected) in [
            (3.0, -1.0, Some((2.0, Start::Apart))),
            (1.0, -1.0, Some((0.0, Start::Touching))),
            (1.0, 1.0, None),
            (0.5, -1.0, Some((0.0, Start::Inside))),
            (0.5, 1.0, Some((0.0, Start::Inside))),
        ] {
            let ray = Ray { origin: DVec3::Z * height, direction: DVec3::Z * speed };
            let cast = cast(&ray, solid, DVec3::ZERO, 9.0);
            let sweep = sweep(&ray, solid, DVec3::ZERO, 9.0);
            assert_eq!(cast.map(|met| (met.enter, met.start)), expected, "{solid:?} {ray:?}");
            assert_eq!(sweep.map(|met| (met.enter, met.start)), expected, "{solid:?} {ray:?}");
            assert!(cast.is_none_or(|met| met.normal == DVec3::Z), "{solid:?} {ray:?}");
        }
    }
}

/// A thrown point passes through a sheet twice, from opposite sides, and so through a large triangle. If the plane is a
/// half-space, the point is inside between these two times.
#[test]
fn a_sheet_is_met_from_both_sides_on_a_curved_path_too() {
    let plane = Plane::new(DVec3::Z, 4.0).unwrap();
    let (a, b, c) = (DVec3::new(-9.0, -9.0, 4.0), DVec3::new(9.0, -9.0, 4.0), DVec3::new(0.0, 9.0, 4.0));
    let triangle = Triangle { a, b, c };
    // The times of the crossings solve 10 t − 5 t² = 4.
    let times = [1.0 - 0.2f64.sqrt(), 1.0 + 0.2f64.sqrt()];
    let thrown = Relative { position: DVec3::ZERO, velocity: DVec3::Z * -10.0, acceleration: DVec3::Z * 10.0 };
    for solid in [Solid::Sheet(&plane), Solid::Triangle(&triangle)] {
        let up = overlap(POINT, solid, &thrown, 9.0).unwrap();
        assert!((up.enter - times[0]).abs() < 1e-14 && up.leave == up.enter, "{solid:?} {up:?}");
        assert_eq!((up.normal, up.start), (DVec3::Z, Start::Apart), "{solid:?}");
        let down = overlap(POINT, solid, &thrown.from(1.0), 9.0).unwrap();
        assert!((1.0 + down.enter - times[1]).abs() < 1e-14, "{solid:?} {down:?}");
        assert_eq!(down.normal, -DVec3::Z, "{solid:?}");
        assert_eq!(overlap(POINT, solid, &thrown, 0.5), None, "{solid:?}");
        // With exchanged roles, the sheet moves and meets the point.
        let other = overlap(solid, POINT, &thrown.reversed(), 9.0).unwrap();
        assert_eq!((other.enter, other.normal), (up.enter, -up.normal), "{solid:?}");
    }
    let aside = Relative { position: DVec3::X * 20.0, ..thrown };
    assert_eq!(overlap(POINT, Solid::Triangle(&triangle), &aside, 9.0), None);
    let turns_at_the_sheet = Plane::new(DVec3::Z, 5.0).unwrap();
    assert_eq!(overlap(POINT, Solid::Sheet(&turns_at_the_sheet), &thrown, 9.0), None, "a graze");
}

#[test]
fn a_sheet_is_a_solid_like_the_others() {
    let plane = Plane::new(DVec3::Z, 0.0).unwrap();
    let sheet = Solid::Sheet(&plane);
    let falling = |height: f64, speed: f64| Relative {
        position: DVec3::Z * -height,
        velocity: DVec3::Z * -speed,
        acceleration: DVec3::ZERO,
    };
    for solid in [Solid::Sphere(1.0), Solid::Box(DVec3::ONE)] {
        for (height, speed, enter, leave, normal) in [(5.0, -2.0, 2.0, 3.0, -DVec3::Z), (-5.0, 2.0, 2.0, 3.0, DVec3::Z)]
        {
            let motion = falling(height, speed);
            let met = overlap(solid, sheet, &motion, 9.0).unwrap();
            assert_eq!((met.enter, met.leave, met.normal), (enter, leave, normal), "{solid:?}");
            let all = pieces(solid, sheet, &motion);
            assert_eq!(all.as_slice().iter().map(|one| (one.enter, one.leave)).collect::<Vec<_>>(), [(enter, leave)]);
            assert_eq!(gap(solid, sheet, motion.position).map(|gap| (gap.separation, gap.normal)), Some((4.0, normal)));
            assert_eq!(overlap(sheet, solid, &motion.reversed(), 9.0).map(|met| met.normal), Some(-normal));
        }
        assert_eq!(
            overlap(solid, Solid::Plane(&plane), &falling(-5.0, 2.0), 9.0).map(|met| met.start),
            Some(Start::Inside)
        );
    }
    assert_eq!(overlap(sheet, sheet, &falling(5.0, -2.0), 9.0), None);
}

/// The sweep of two paths with different epochs agrees with the sweep of their difference.
#[test]
fn two_paths_are_swept_from_the_instant_that_is_asked_about() {
    let gravity = DVec3::Z * -10.0;
    let at = SimTime::from_seconds;
    let a = Path { position: DVec3::ZERO, velocity: DVec3::new(1.0, 0.0, 8.0), acceleration: gravity, epoch: at(2.0) };
    let b = Path {
        position: DVec3::new(6.0, 0.0, 2.75),
        velocity: DVec3::new(-1.0, 0.0, 3.0),
        acceleration: gravity,
        epoch: at(2.5),
    };
    let ball = Solid::Sphere(0.5);
    let start = at(2.25);
    let found = overlap_of_paths((ball, &a), (ball, &b), start, 9.0);
    let motion = Relative {
        position: b.position_at(start) - a.position_at(start),
        velocity: b.velocity_at(start) - a.velocity_at(start),
        acceleration: DVec3::ZERO,
    };
    assert_eq!(found, overlap(ball, ball, &motion, 9.0));
    let met = start.plus(found.unwrap().enter);
    assert!(((b.position_at(met) - a.position_at(met)).length() - 1.0).abs() < 1e-13);
}
