//! The triangles of a mesh that a moving ball may meet. The filter omits no triangle that the ball meets, however small
//! the ball, thin the triangle or flat the path.

use carom::geometry::{Mesh, Outline, Solid, Triangle, unit};
use carom::motion::Relative;
use carom::sweep::{outline::parts_on_way, overlap};
use glam::DVec3;

use crate::common::Random;

/// Whether the filter passes the triangle of a mesh with one triangle for the window [0, `until`].
fn is_on_way(radius: f64, mesh: &Mesh, motion: &Relative, until: f64) -> bool {
    let mut is_asked = false;
    parts_on_way(Solid::Sphere(radius), Outline::Mesh(mesh), motion, until, |_, until| {
        is_asked = true;
        until
    });
    is_asked
}

/// A triangle with a size of about 1 m. Half of them are slivers, with a height down to 1e-12 m.
fn triangle(random: &mut Random) -> Triangle {
    let [a, b, c] = [(); 3].map(|()| random.vector(1.0));
    if random.below(2) == 0 {
        return Triangle { a, b, c };
    }
    let height = 10f64.powf(random.between(-12.0, -1.0));
    Triangle { a, b, c: a + (b - a) * random.between(-0.2, 1.2) + c * height }
}

/// A random point of the triangle, sometimes on an edge or at a corner.
fn place_on(triangle: &Triangle, random: &mut Random) -> DVec3 {
    let mut weights = [(); 3].map(|()| random.unit());
    match random.below(8) {
        0 => weights[random.below(3)] = 0.0,
        1 => weights = [1.0, 0.0, 0.0],
        _ => {}
    }
    let sum: f64 = weights.iter().sum();
    triangle.vertices().iter().zip(weights).map(|(&vertex, weight)| vertex * (weight / sum)).sum()
}

#[test]
fn no_triangle_that_a_ball_meets_is_left_out() {
    let mut random = Random::new(46);
    let (mut met, mut lost) = (0, 0);
    for round in 0..200_000 {
        let sheet = triangle(&mut random);
        let Ok(mesh) = Mesh::new(&sheet.vertices(), &[[0, 1, 2]]) else { continue };
        let radius = 10f64.powf(random.between(-14.0, 0.0));
        let speed = 10f64.powf(random.between(-6.0, 3.0));
        // Half of the paths are at a small angle to the triangle.
        let rise = if round % 4 < 2 { 10f64.powf(random.between(-9.0, 0.0)) } else { 1.0 };
        let normal = unit(sheet.cross()).unwrap_or(DVec3::Z);
        let way = random.vector(speed);
        let velocity = way - normal * (normal.dot(way) * (1.0 - rise));
        let acceleration = if round % 2 == 0 { DVec3::ZERO } else { random.vector(speed) };
        let (place, time) = (place_on(&sheet, &mut random), random.between(0.1, 1.0));
        // At `time`, the centre of the ball is at `place` and has this velocity.
        let ball = Relative {
            position: place - velocity * time + acceleration * (0.5 * time * time),
            velocity: velocity - acceleration * time,
            acceleration,
        };
        let motion = ball.reversed();
        let Some(found) = overlap(Solid::Sphere(radius), Solid::Triangle(&sheet), &motion, 2.0) else { continue };
        met += 1;
        let is_left_out = [2.0, found.enter].into_iter().any(|until| !is_on_way(radius, &mesh, &motion, until));
        lost += usize::from(is_left_out);
    }
    assert!(met > 150_000, "{met}");
    assert_eq!(lost, 0, "of {met}");
}

/// The ball moves to the middle of the triangle and must meet it after nearly 1 s.
#[test]
fn a_tiny_ball_does_not_fall_through_a_triangle() {
    let at = DVec3::new;
    let vertices = [
        at(0.7353355105861406, -0.8137118032822988, 0.31593457029517324),
        at(-0.05425162865349753, 0.54237926089551, -0.7013014353453848),
        at(0.45729150120262857, -0.3362205697523764, -0.03805743166922775),
    ];
    let mesh = Mesh::new(&vertices, &[[0, 1, 2]]).unwrap();
    let motion = Relative {
        position: -at(0.20732699729472018, 0.09312145879954567, -0.36380917499158927),
        velocity: -at(-0.01411031206925012, 0.024227151469970384, -0.017470004282764406),
        acceleration: DVec3::ZERO,
    };
    for radius in [9.57968e-11, 5.3e-10] {
        let found = overlap(Solid::Sphere(radius), Solid::Triangle(&mesh.triangles()[0]), &motion, 2.0).unwrap();
        assert!((0.9..=1.0).contains(&found.enter), "{radius}: {found:?}");
        assert!(is_on_way(radius, &mesh, &motion, 2.0) && is_on_way(radius, &mesh, &motion, found.enter), "{radius}");
    }
}
