//! The runs with which the plots are tested.

use carom::dynamics::{EventKind, Motion, Response};
use carom::scenario::{Axis, Plane2, Plot};
use glam::DVec3;

use super::{Dice, Run, body, cuboid, plane, sphere};

fn path(plane: Plane2) -> Plot {
    Plot::Path { plane, bodies: Vec::new() }
}

fn height(axis: Axis) -> Plot {
    Plot::Height { axis, bodies: Vec::new() }
}

/// A ball that bounces on a floor and drifts to the right; its rebounds shrink by `restitution`.
pub(crate) fn bounce(restitution: f64, bounces: usize, steps: u32) -> Run {
    let (g, drop, radius) = (9.81, 2.0, 0.1);
    let gravity = DVec3::NEG_Z * g;
    let mut knots = vec![(0.0, DVec3::new(0.0, 0.0, drop), DVec3::X)];
    let mut hits = Vec::new();
    let mut time = (2.0 * (drop - radius) / g).sqrt();
    let mut speed = g * time;
    for _ in 0..bounces {
        hits.push((time, speed));
        speed *= restitution;
        knots.push((time, DVec3::new(time, 0.0, radius), DVec3::new(1.0, 0.0, speed)));
        time += 2.0 * speed / g;
    }
    let duration = time - speed / g;
    let plots = vec![path(Plane2::XZ), height(Axis::Z), Plot::Energy, Plot::Impacts { bodies: Vec::new() }];
    let mut run = Run::new(&format!("A ball that bounces with restitution {restitution}"), duration, steps, plots);
    run.scenario.settings.gravity = gravity;
    run.still(body("floor", plane(DVec3::Z, 0.0), Motion::Fixed, DVec3::ZERO, DVec3::ZERO));
    run.moving("ball", sphere(radius), gravity, &knots);
    for (time, speed) in hits {
        run.happens(time, EventKind::Impact, ["ball", "floor"], DVec3::new(time, 0.0, 0.0), speed);
    }
    run
}

/// Five balls in a row with gaps; the motion of the first passes along the row.
pub(crate) fn cradle() -> Run {
    let names = ["a", "b", "c", "d", "e"];
    let plots = vec![path(Plane2::XZ), height(Axis::X), Plot::Energy, Plot::Impacts { bodies: Vec::new() }];
    let mut run = Run::new("Newton's cradle with gaps", 4.0, 200, plots);
    for (index, name) in names.into_iter().enumerate() {
        let place =
            |index: usize| if index == 0 { DVec3::new(-1.5, 0.0, 0.0) } else { DVec3::X * (1.2 * index as f64) };
        let arrives = if index == 0 { 0.0 } else { 1.7 + 0.2 * (index as f64 - 1.0) };
        let leaves = 1.7 + 0.2 * index as f64;
        let mut knots = vec![(0.0, place(index), if index == 0 { DVec3::X } else { DVec3::ZERO })];
        if index > 0 {
            knots.push((arrives, place(index), DVec3::X));
        }
        if index < 4 {
            let at = place(index) + DVec3::X * (leaves - arrives);
            knots.push((leaves, at, DVec3::ZERO));
            run.happens(leaves, EventKind::Impact, [name, names[index + 1]], at + DVec3::X * 0.5, 1.0);
        }
        run.moving(name, sphere(0.5), DVec3::ZERO, &knots);
    }
    run
}

/// A ball reflected `count` times in a room of planes.
pub(crate) fn room(count: usize) -> Run {
    let (width, height, radius) = (4.0, 3.0, 0.15);
    let mut knots = vec![(0.0, DVec3::new(1.0, 0.7, 0.0), DVec3::new(1.0, 0.618, 0.0))];
    let mut hits = Vec::new();
    for _ in 0..count {
        let (time, position, velocity) = knots[knots.len() - 1];
        let wait = |at: f64, v: f64, size: f64| if v > 0.0 { (size - radius - at) / v } else { (radius - at) / v };
        let (x, y) = (wait(position.x, velocity.x, width), wait(position.y, velocity.y, height));
        let mut next = velocity;
        if x < y {
            next.x = -next.x;
        } else {
            next.y = -next.y;
        }
        let at = position + velocity * x.min(y);
        let wall = if x < y {
            if velocity.x > 0.0 { "right" } else { "left" }
        } else if velocity.y > 0.0 {
            "top"
        } else {
            "bottom"
        };
        hits.push((
            time + x.min(y),
            wall,
            at + (velocity - next).normalize() * radius,
            (velocity - next).length() / 2.0,
        ));
        knots.push((time + x.min(y), at, next));
    }
    let plots = vec![path(Plane2::XY), path(Plane2::XZ), Plot::Impacts { bodies: Vec::new() }, Plot::Energy];
    let mut run = Run::new("A ball in a rectangular room", knots[knots.len() - 1].0 + 1.0, 300, plots);
    let walls = [
        ("left", DVec3::X, 0.0),
        ("right", DVec3::NEG_X, -width),
        ("bottom", DVec3::Y, 0.0),
        ("top", DVec3::NEG_Y, -height),
    ];
    for (name, normal, offset) in walls {
        run.still(body(name, plane(normal, offset), Motion::Fixed, DVec3::ZERO, DVec3::ZERO));
    }
    run.moving("ball", sphere(radius), DVec3::ZERO, &knots);
    for (time, wall, point, speed) in hits {
        run.happens(time, EventKind::Impact, ["ball", wall], point, speed);
    }
    run
}

/// Free flight between random kinks in a periodic box; the first 64 bodies have knots.
pub(crate) fn gas(count: usize, steps: u32) -> Run {
    let plots = vec![path(Plane2::XY), height(Axis::Z), Plot::Energy, Plot::Impacts { bodies: Vec::new() }];
    let mut run = Run::new(&format!("A gas of {count} spheres"), 2.0, steps, plots);
    let size = (count as f64).cbrt() * 1.2;
    run.periodic(size);
    let mut dice = Dice::new(7);
    let names: Vec<String> = (1..=count).map(|n| format!("gas-{n:05}")).collect();
    for (index, name) in names.iter().enumerate() {
        let mut knots = vec![(0.0, dice.vector(0.0, size), dice.vector(-1.5, 1.5))];
        for kink in 1..6 {
            let (time, position, velocity) = knots[kink - 1];
            let next = time + 0.4 * dice.roll();
            let at = position + velocity * (next - time);
            knots.push((next, at, dice.vector(-1.5, 1.5)));
            let other = &names[(index + kink * 17) % count];
            run.happens(next, EventKind::Impact, [name, other], at, velocity.length() * dice.roll());
        }
        run.moving(name, sphere(0.5), DVec3::ZERO, &knots);
    }
    run
}

/// Balls that fly straight between small fixed posts, and the names of the balls.
pub(crate) fn crowd_among_posts(balls: usize, posts: usize) -> (Run, Vec<String>) {
    let mut run = Run::new("A crowd among posts", 1.0, 2, Vec::new());
    let mut dice = Dice::new(3);
    let names: Vec<String> = (0..balls).map(|n| format!("ball/{n:05}")).collect();
    for name in &names {
        let knot = (0.0, dice.vector(0.0, 100.0), dice.vector(-1.0, 1.0));
        run.moving(name, sphere(0.2), DVec3::ZERO, &[knot]);
    }
    for post in 0..posts {
        let place = dice.vector(0.0, 100.0);
        run.still(body(&format!("post/{post:05}"), cuboid(0.1, 0.1, 0.1), Motion::Fixed, place, DVec3::ZERO));
    }
    (run, names)
}

/// Ball, crate, piston and gate: every kind of body and of event.
pub(crate) fn workshop() -> Run {
    let g = 9.81;
    let plots =
        vec![path(Plane2::XZ), height(Axis::Z), height(Axis::X), Plot::Energy, Plot::Impacts { bodies: Vec::new() }];
    let mut run = Run::new("Ball, crate and piston", 4.0, 200, plots);
    run.scenario.settings.gravity = DVec3::NEG_Z * g;
    run.still(body("floor", plane(DVec3::Z, 0.0), Motion::Fixed, DVec3::ZERO, DVec3::ZERO));
    run.still(body("slope", plane(DVec3::new(-1.0, 0.0, 2.0), -4.0), Motion::Fixed, DVec3::ZERO, DVec3::ZERO));
    run.still(body("piston", cuboid(0.1, 2.0, 1.0), Motion::Kinematic, DVec3::new(-2.0, 0.0, 1.0), DVec3::X * 0.5));
    let mut gate = body("gate", cuboid(0.02, 1.0, 1.0), Motion::Fixed, DVec3::new(1.5, 0.0, 1.0), DVec3::ZERO);
    gate.body.response = Response::Sense;
    run.still(gate);
    run.still(body("shelf", cuboid(0.6, 1.0, 0.08), Motion::Fixed, DVec3::new(4.2, 0.0, 0.9), DVec3::ZERO));
    let fall = (2.0 * 1.9 / g).sqrt();
    let rebound = 0.8 * g * fall;
    let second = fall + 2.0 * rebound / g;
    let knots = [
        (0.0, DVec3::new(0.0, 0.0, 2.0), DVec3::X * 1.2),
        (fall, DVec3::new(1.2 * fall, 0.0, 0.1), DVec3::new(1.2, 0.0, rebound)),
        (second, DVec3::new(1.2 * second, 0.0, 0.1), DVec3::new(1.2, 0.0, 0.8 * rebound)),
    ];
    run.moving("ball", sphere(0.1), DVec3::NEG_Z * g, &knots);
    run.moving("crate", cuboid(0.4, 0.4, 0.3), DVec3::ZERO, &[(0.0, DVec3::new(3.0, 0.0, 0.3), DVec3::ZERO)]);
    run.happens(fall, EventKind::Impact, ["ball", "floor"], DVec3::new(1.2 * fall, 0.0, 0.0), g * fall);
    run.happens(second, EventKind::Impact, ["ball", "floor"], DVec3::new(1.2 * second, 0.0, 0.0), rebound);
    run.happens(1.15, EventKind::Enter, ["ball", "gate"], DVec3::new(1.48, 0.0, 1.0), 1.2);
    run.happens(1.35, EventKind::Leave, ["ball", "gate"], DVec3::new(1.52, 0.0, 1.0), 0.0);
    run.happens(0.0, EventKind::Rest, ["crate", "floor"], DVec3::new(3.0, 0.0, 0.0), 0.0);
    run.happens(3.0, EventKind::Release, ["crate", "floor"], DVec3::new(3.0, 0.0, 0.0), 0.0);
    for (time, kind) in [(0.5, EventKind::Slip), (0.9, EventKind::Stick), (1.6, EventKind::Slip)] {
        run.happens(time, kind, ["crate", "floor"], DVec3::new(3.0, 0.0, 0.0), 0.0);
    }
    run.happens(0.2, EventKind::Collapse, ["ball", "crate"], DVec3::new(3.0, 0.0, 0.6), 0.1);
    let stepped = [(0.1, EventKind::Join), (0.8, EventKind::Sleep), (1.0, EventKind::Wake), (1.5, EventKind::Join)];
    for (time, kind) in stepped.into_iter().chain([(1.7, EventKind::Quit)]) {
        run.changes(time, kind, "crate", DVec3::new(3.0, 0.0, 0.3));
    }
    run.contact_heat = 0.25;
    run.scenario.duration = second;
    run
}

/// A bullet at 10⁶ m/s that bounces off a wall of 1 µm and leaves.
pub(crate) fn bullet() -> Run {
    let plots = vec![path(Plane2::XZ), height(Axis::X), Plot::Impacts { bodies: Vec::new() }];
    let mut run = Run::new("A bullet at 10⁶ m/s and a wall of 1 µm", 1.0, 100, plots);
    run.still(body("wall", cuboid(5e-7, 0.5, 0.5), Motion::Fixed, DVec3::X, DVec3::ZERO));
    let far = 1.0 - 5e-7 - 0.005;
    let knots = [(0.0, DVec3::ZERO, DVec3::X * 1e6), (far / 1e6, DVec3::X * far, DVec3::X * -1e6)];
    run.moving("bullet", sphere(0.005), DVec3::ZERO, &knots);
    run.happens(far / 1e6, EventKind::Impact, ["bullet", "wall"], DVec3::X * (1.0 - 5e-7), 1e6);
    run
}

/// Two blocks and a wall: 3141 impacts, nearly all of them in a small part of the run.
pub(crate) fn galperin() -> Run {
    let plots = vec![Plot::Impacts { bodies: Vec::new() }, height(Axis::X)];
    let mut run = Run::new("Galperin's π: mass ratio 10⁶", 40.0, 400, plots);
    run.still(body("wall", plane(DVec3::X, 0.0), Motion::Fixed, DVec3::ZERO, DVec3::ZERO));
    let mut knots = vec![(0.0, DVec3::X, DVec3::ZERO)];
    for n in 1..=3141 {
        let angle = std::f64::consts::PI * f64::from(n) / 3142.0;
        let time = 10.0 - 0.02 / angle.tan();
        let speed = 1000.0 * angle.sin();
        let names = if n % 2 == 1 { ["big", "small"] } else { ["small", "wall"] };
        run.happens(time.clamp(0.5, 39.0), EventKind::Impact, names, DVec3::X * 0.001, speed);
    }
    run.moving("small", cuboid(0.05, 0.05, 0.05), DVec3::ZERO, &knots);
    knots = vec![(0.0, DVec3::X * 10.0, DVec3::NEG_X), (10.0, DVec3::X * 0.1, DVec3::X)];
    run.moving("big", cuboid(0.2, 0.2, 0.2), DVec3::ZERO, &knots);
    run
}

/// A rack of balls and a cue ball: grouped names beside a single one.
pub(crate) fn rack() -> Run {
    let mut run = Run::new(
        "The break",
        1.5,
        150,
        vec![path(Plane2::XY), height(Axis::X), Plot::Energy, Plot::Impacts { bodies: Vec::new() }],
    );
    let mut dice = Dice::new(3);
    for (name, position, half) in [
        ("left", (-0.3, 0.0), (0.05, 0.7)),
        ("right", (2.6, 0.0), (0.05, 0.7)),
        ("lower", (1.15, -0.7), (1.5, 0.05)),
        ("upper", (1.15, 0.7), (1.5, 0.05)),
    ] {
        let place = DVec3::new(position.0, position.1, 0.0);
        run.still(body(name, cuboid(half.0, half.1, 0.05), Motion::Fixed, place, DVec3::ZERO));
    }
    run.moving(
        "cue",
        sphere(0.0286),
        DVec3::ZERO,
        &[(0.0, DVec3::ZERO, DVec3::X * 5.0), (0.3, DVec3::X * 1.5, DVec3::new(-0.3, 0.1, 0.0))],
    );
    for row in 0..5_i32 {
        for column in 0..=row {
            let place =
                DVec3::new(1.557 + 0.0497 * f64::from(row), 0.0574 * (f64::from(column) - 0.5 * f64::from(row)), 0.0);
            let name = format!("ball-{}", row * (row + 1) / 2 + column + 1);
            let away = DVec3::new(dice.roll() - 0.3, dice.roll() - 0.5, 0.0) * 0.8;
            run.moving(&name, sphere(0.0286), DVec3::ZERO, &[(0.0, place, DVec3::ZERO), (0.3, place, away)]);
            run.happens(0.3, EventKind::Impact, ["cue", &name], place, 1.0 + dice.roll());
        }
    }
    run
}

/// One body at rest at a given position, for a short time.
pub(crate) fn still(size: f64, place: f64, duration: f64) -> Run {
    let plots = vec![path(Plane2::YZ), height(Axis::Y), Plot::Energy, Plot::Impacts { bodies: Vec::new() }];
    let mut run = Run::new("Nothing happens", duration, 1, plots);
    run.moving("ball", sphere(size), DVec3::ZERO, &[(0.0, DVec3::splat(place), DVec3::ZERO)]);
    run
}
