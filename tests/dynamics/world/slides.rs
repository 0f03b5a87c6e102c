//! Slides: closed forms, every permutation and mirror, halves, a free body of the same motion, and random walks.

use carom::geometry::{Grid, HalfExtents, Mesh, Radius, Shape, gap};
use carom::{Body, Filter, Hit, Inside, Slide, SlideOptions, SlideShape, SweepHit, World};
use glam::DVec3;

use super::id;
use crate::common::scene::{View, ball, cuboid, plane, settings, solid_cells};
use crate::common::{Random, events_until, is_thorough, solid, world};

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn boxed(half: DVec3) -> SlideShape {
    HalfExtents::new(half).unwrap().into()
}

fn round(radius: f64) -> SlideShape {
    Radius::new(radius).unwrap().into()
}

fn block(half: DVec3, place: DVec3) -> Body {
    cuboid(half, 1.0).fixed().at(place)
}

fn level(bodies: impl IntoIterator<Item = Body>) -> World {
    world(settings(DVec3::ZERO, 0.0, 0.0), bodies.into_iter().enumerate().map(|(n, body)| (format!("{n:03}"), body)))
}

type Found<'w> = Result<Slide<Hit<'w, SweepHit>>, Inside>;

fn slide(world: &World, shape: SlideShape, from: DVec3, motion: DVec3) -> Slide<Hit<'_, SweepHit>> {
    found(world, shape, from, motion, &SlideOptions::default()).unwrap()
}

fn found<'w>(world: &'w World, shape: SlideShape, from: DVec3, motion: DVec3, options: &SlideOptions<'_>) -> Found<'w> {
    world.slide(shape, from, motion, 0.0, &Filter::ALL, options)
}

fn names(slide: &Slide<Hit<'_, SweepHit>>) -> Vec<String> {
    slide.hits.iter().map(|hit| hit.name.to_owned()).collect()
}

/// A shape on a plane goes as far as the plane lets it: cos θ of its motion, for both shapes and many planes.
#[test]
fn a_slide_along_a_wall_covers_the_cosine() {
    let mut random = Random::new(1);
    for round_trip in 0..200 {
        let normal = random.vector(1.0).normalize();
        let shape = if round_trip % 2 == 0 { round(0.5) } else { boxed(at(0.25, 0.5, 0.75)) };
        let reach = if round_trip % 2 == 0 { 0.5 } else { normal.abs().dot(at(0.25, 0.5, 0.75)) };
        let world = level([plane(normal, 0.0)]);
        let wish = random.vector(3.0);
        let motion = if wish.dot(normal) > 0.0 { -wish } else { wish };
        // In touch from the start, and from some distance.
        for above in [0.0, 0.25] {
            let from = normal * (reach + above);
            let slide = slide(&world, shape, from, motion);
            let along = motion - normal * normal.dot(motion);
            let wanted = from + motion - normal * (normal.dot(motion) + above);
            let wanted = if normal.dot(motion) + above < 0.0 { wanted } else { from + motion };
            assert!((slide.to - wanted).length() < 1e-14, "{normal} {motion} {above}: {} for {wanted}", slide.to);
            if above == 0.0 {
                assert!((slide.onward - along).length() < 1e-14 && (slide.left - (motion - along)).length() < 1e-14);
            }
        }
    }
}

/// A corner of three walls, hit in every direction: the slide is that of its three coordinates, in each view to the
/// bit.
#[test]
fn corners_in_every_permutation_and_mirror() {
    let bodies =
        [plane(Z, 0.0), block(at(0.5, 4.0, 4.0), at(3.5, 0.0, 2.0)), block(at(4.0, 0.5, 4.0), at(0.0, 2.5, 2.0))];
    let half = at(0.25, 0.5, 0.75);
    let from = at(0.0, 0.0, 1.0);
    for motion in [at(8.0, 4.0, -2.0), at(4.0, 1.0, -0.5), at(3.0, -2.0, 1.0), at(1.0, 8.0, -4.0)] {
        let wanted = (from + motion).min(at(2.75, 1.5, 100.0)).max(at(-100.0, -100.0, 0.75));
        for view in View::all() {
            let world = level(bodies.iter().map(|body| view.body(body)));
            let slide = slide(&world, boxed(view.seen(half).abs()), view.seen(from), view.seen(motion));
            assert_eq!(view.back(slide.to), wanted, "{motion} {view:?}");
            let blocked = (slide.to - view.seen(from) - view.seen(motion)).abs().cmpgt(DVec3::ZERO);
            assert_eq!(slide.onward, DVec3::select(blocked, DVec3::ZERO, view.seen(motion)), "{motion} {view:?}");
        }
    }
}

/// Floors of flush tiles: no seam stops a slide, in no direction, also with coordinates that round.
#[test]
fn seams_do_not_stop_a_slide() {
    let mut random = Random::new(2);
    for pitch in [1.0, 0.1, 1.0 / 3.0] {
        let tiles = (0..400).map(|n| {
            let place = at(f64::from(n % 20) - 10.0, f64::from(n / 20) - 10.0, 0.0) * pitch;
            block(DVec3::splat(0.5 * pitch), place + at(0.7, 0.3, 0.1))
        });
        let world = level(tiles);
        let top = 0.1 + 0.5 * pitch;
        for n in 0..300 {
            let half = 0.3 * pitch;
            let shape = if n % 2 == 0 { round(half) } else { boxed(DVec3::splat(half)) };
            let from = at(0.7, 0.3, top + half) + at(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 0.0) * pitch;
            let ahead = random.vector(4.0 * pitch).with_z(0.0);
            for motion in [ahead, X * ahead.x, Y * ahead.y, ahead - Z * pitch, X * 4.0 * pitch - Z * 9.0 * pitch] {
                let slide = slide(&world, shape, from, motion);
                let wanted = from + motion.with_z(0.0);
                assert!(
                    (slide.to - wanted).length() <= 1e-13 * pitch,
                    "{pitch} {shape:?} {from} {motion}: {}",
                    slide.to
                );
                assert!(slide.on_floor() && !slide.on_wall() && !slide.on_ceiling(), "{slide:?}");
            }
        }
    }
}

/// A shape as wide as a corridor goes through it; one as wide as a hole falls into it from above, and not in passing.
#[test]
fn what_fits_exactly_fits() {
    for width in [1.0, 0.3, 0.1 + 0.2, 1.0 / 3.0] {
        let edge = 0.5 * width + 2.0;
        let hole = [block(at(2.0, 2.0, 1.0), X * edge - Z), block(at(2.0, 2.0, 1.0), X * -edge - Z)];
        let world = level(hole);
        let mover = boxed(DVec3::splat(0.5 * width));
        let above = Z * 0.5 * width;
        let falls = slide(&world, mover, above, Z * -1.5);
        assert_eq!((falls.to, falls.hits.len()), (above - Z * 1.5, 0), "{width}");
        let passes = slide(&world, mover, above - X, at(2.0, 0.0, -0.5));
        assert_eq!(passes.to, above + X, "{width}");
        // Up again, and along the corridor.
        assert_eq!(slide(&world, mover, falls.to, Z * 1.5).to, falls.to + Z * 1.5, "{width}");
        assert_eq!(slide(&world, mover, falls.to, at(0.5, 1.0, 0.25)).to, falls.to + at(0.0, 1.0, 0.25), "{width}");
    }
}

/// A random level on a grid of eighths: boxes around an empty middle, in a room.
fn grid_level(random: &mut Random, count: usize) -> (World, DVec3) {
    let eighths = |random: &mut Random, most: usize| 0.125 * (1 + random.below(most)) as f64;
    let mut bodies: Vec<Body> = [X, -X, Y, -Y, Z, -Z].map(|normal| plane(normal, -6.0)).to_vec();
    let half = at(eighths(random, 6), eighths(random, 6), eighths(random, 6));
    while bodies.len() < count {
        let size = at(eighths(random, 12), eighths(random, 12), eighths(random, 12));
        let place = (random.vector(6.0) * 8.0).round() * 0.125;
        if (place.abs() - size - half).max_element() >= 0.0 {
            bodies.push(block(size, place));
        }
    }
    (level(bodies), half)
}

/// Two half moves go where the whole one goes, to the bit, on a grid of binary numbers.
#[test]
fn two_half_moves_are_one() {
    let mut random = Random::new(3);
    let mut turned = 0;
    for _ in 0..800 {
        let (world, half) = grid_level(&mut random, 30);
        let motion = (random.vector(6.0) * 8.0).round() * 0.125;
        let whole = slide(&world, boxed(half), DVec3::ZERO, motion);
        let first = slide(&world, boxed(half), DVec3::ZERO, motion * 0.5);
        let second = slide(&world, boxed(half), first.to, first.onward);
        assert_eq!((second.to, second.onward * 2.0), (whole.to, whole.onward), "{half} {motion} {:?}", names(&whole));
        turned += whole.hits.len();
    }
    assert!(turned > 400, "{turned}");
}

/// The free body that goes the same way: without gravity, restitution and friction, in one second.
#[test]
fn a_slide_is_the_way_of_a_free_body() {
    let mut random = Random::new(4);
    let mut turned = 0;
    for round_trip in 0..if is_thorough() { 4000 } else { 400 } {
        let mut bodies: Vec<Body> = [X, -X, Y, -Y, Z, -Z].map(|normal| plane(normal, -6.0)).to_vec();
        let radius = random.between(0.2, 0.7);
        let is_ball = round_trip % 2 == 0;
        let half = if is_ball { DVec3::splat(radius) } else { at(0.5, 0.8, 1.1) * radius };
        while bodies.len() < 40 {
            let (size, place) = (DVec3::splat(0.3) + random.vector(0.2), random.vector(6.0));
            let solid =
                if bodies.len().is_multiple_of(3) { ball(size.x, 1.0).fixed().at(place) } else { block(size, place) };
            if (place.abs() - half - size.max_element()).max_element() >= 0.0 {
                bodies.push(solid);
            }
        }
        if round_trip % 5 == 0 {
            bodies.push(plane(random.vector(1.0).normalize(), -2.0));
        }
        let motion = random.vector(8.0);
        let blocks = level(bodies.iter().cloned());
        let shape = if is_ball { round(radius) } else { boxed(half) };
        let slide = slide(&blocks, shape, DVec3::ZERO, motion);
        let mover = if is_ball { ball(radius, 1.0) } else { cuboid(half, 1.0) };
        bodies.push(mover.moving(motion));
        let named = bodies.into_iter().enumerate().map(|(n, body)| (format!("{n:03}"), body));
        let mut run = world(settings(DVec3::ZERO, 0.0, 0.0), named);
        let id = run.ids().last().unwrap();
        events_until(&mut run, 1.0);
        let error = (run.position(id) - slide.to).length();
        // Between two round bodies a ball meets them in turn, ever sooner; within a rest height the run has it touch
        // both.
        let is_round = |hit: &Hit<'_, SweepHit>| matches!(blocks.body(hit.body).shape, Shape::Sphere(_));
        let flat = !is_ball && !slide.hits.iter().any(is_round);
        let allowed = if flat { 1e-12 } else { 4.0 * run.settings().rest_height };
        assert!(
            error < allowed,
            "{round_trip}: {shape:?} {motion}: {} for {}: {error:e}, {:?}",
            slide.to,
            run.position(id),
            names(&slide)
        );
        turned += slide.hits.len();
    }
    assert!(turned > 400, "{turned}");
}

/// The deepest overlap of a shape with the bodies of a world, m.
fn depth(world: &World, shape: SlideShape, place: DVec3) -> f64 {
    let own = match shape {
        SlideShape::Ball(radius) => Shape::Sphere(radius),
        SlideShape::Box(half) => Shape::Box(half),
    };
    let one = |body: Body| match &body.shape {
        Shape::Mesh(mesh) => mesh
            .triangles()
            .iter()
            .filter_map(|triangle| gap(solid(&own), carom::geometry::Solid::Triangle(triangle), body.position - place))
            .map(|gap| -gap.separation)
            .fold(0.0, f64::max),
        Shape::Grid(grid) => solid_cells(grid)
            .map(|cell| grid.box_of(cell))
            .filter_map(|cell| {
                let cell = carom::geometry::Solid::Patch { center: cell.center(), half: cell.half() };
                gap(solid(&own), cell, body.position - place)
            })
            .map(|gap| -gap.separation)
            .fold(0.0, f64::max),
        shape => gap(solid(&own), solid(shape), body.position - place).map_or(0.0, |gap| -gap.separation),
    };
    world.ids().map(|id| one(world.body(id))).fold(0.0, f64::max)
}

/// Random walks through random levels: never inside, never out of the room, never stuck where a cast finds a way.
#[test]
fn random_walks_stay_outside_and_move() {
    let mut random = Random::new(5);
    let moves = if is_thorough() { 100_000 } else { 2000 };
    for level_number in 0..10 {
        let is_grid = level_number % 2 == 0;
        let (grid, half) = grid_level(&mut random, 60);
        let mut bodies: Vec<Body> = grid.ids().map(|id| grid.body(id)).collect();
        if !is_grid {
            for body in bodies.iter_mut().skip(6).step_by(2) {
                let (place, size) = (body.position, random.between(0.2, 0.9));
                if place.abs().max_element() > size + half.max_element() {
                    *body = ball(size, 1.0).fixed().at(place);
                }
            }
            bodies.push(plane(at(0.3, 0.4, 0.866).normalize(), -4.0));
        }
        let world = level(bodies);
        let shape = if level_number % 3 == 0 { round(half.min_element()) } else { boxed(half) };
        let mut place = DVec3::ZERO;
        for n in 0..moves {
            let motion = match n % 4 {
                0 => random.vector(0.5),
                1 => X * random.between(-1.0, 1.0),
                2 => at(random.between(-1.0, 1.0), 0.0, -0.2),
                _ => random.vector(4.0),
            };
            let slide = found(&world, shape, place, motion, &SlideOptions::default());
            let slide =
                slide.unwrap_or_else(|inside| panic!("level {level_number}, move {n} from {place}: {inside:?}"));
            let deep = depth(&world, shape, slide.to);
            assert!(deep < 1e-13, "level {level_number}, move {n} of {motion} from {place} to {}: {deep:e}", slide.to);
            assert!(slide.onward.dot(motion) >= 0.0 || slide.hits.len() > 1, "level {level_number}, move {n}");
            if slide.hits.is_empty() {
                assert_eq!(slide.to, place + motion, "level {level_number}, move {n}");
            }
            place = slide.to;
        }
    }
}

#[test]
fn an_overlap_at_the_start_is_told_with_the_way_out() {
    let world = level([block(DVec3::ONE, DVec3::ZERO), plane(Z, -1.0)]);
    let inside = found(&world, boxed(DVec3::splat(0.5)), X * 1.25, Y, &SlideOptions::default()).unwrap_err();
    assert_eq!((inside.body, inside.depth, inside.out), (id(&world, "000"), 0.25, X * 0.25));
    assert_eq!(inside.to_string(), "the shape overlaps body BodyId(0) by 0.25 m");
    let out = slide(&world, boxed(DVec3::splat(0.5)), X * 1.25 + inside.out, Y);
    assert_eq!(out.to, at(1.5, 1.0, 0.0));
    // A hero that rounding put into the wall slides on.
    let world = level([block(at(1.0, 20.0, 1.0), DVec3::ZERO), plane(Z, -1.0)]);
    let mut place = at(1.5, 0.0, -0.5);
    for _ in 0..1000 {
        place += at(-1e-17, 0.001, -1e-17);
        place.x = place.x.next_down();
        place = slide(&world, boxed(DVec3::splat(0.5)), place, at(-0.1, 0.01, -0.1)).to;
    }
    assert!((place - at(1.5, 11.0, -0.5)).length() < 1e-9, "{place}");
}

#[test]
fn numbers_that_cannot_be_move_nothing() {
    let world = level([plane(Z, 0.0)]);
    for motion in [X * f64::NAN, X * f64::INFINITY, X * 1e71] {
        assert_eq!(slide(&world, round(1.0), Z, motion).to, Z);
    }
    assert_eq!(slide(&world, round(1.0), Z, DVec3::ZERO).to, Z);
    for from in [at(f64::INFINITY, 0.0, 0.0), Z * 1e71] {
        let stays = slide(&world, round(1.0), from, X);
        assert_eq!((stays.to, stays.on_floor()), (from, false));
    }
    assert!(slide(&world, round(1.0), X * f64::NAN, X).to.x.is_nan());
    let far = slide(&world, boxed(DVec3::ONE), Z * 9e69, at(9e69, 0.0, 9e69));
    assert_eq!(far.to, at(9e69, 0.0, 1.8e70));
    for duration in [f64::NAN, f64::INFINITY, -1.0, 1e300] {
        let slide = world.slide(round(1.0), Z, X, duration, &Filter::ALL, &SlideOptions::default()).unwrap();
        assert_eq!(slide.to, if duration.is_finite() { Z + X } else { Z });
    }
    assert!(slide(&world, round(1.0), Z, DVec3::ZERO).on_floor());
}

fn walking() -> SlideOptions<'static> {
    SlideOptions { walking: true, ..SlideOptions::default() }
}

/// Slopes: of 30 degrees one walks, of 60 degrees it is a wall.
#[test]
fn slopes_that_can_be_walked_and_others() {
    let half_root = 3f64.sqrt() / 2.0;
    let shape = boxed(at(0.25, 0.25, 0.5));
    let walk = |normal: DVec3, motion: DVec3| {
        let world = level([plane(Z, 0.0), plane(normal, 0.0)]);
        // The edge of the box touches the slope where it begins.
        let slide = found(&world, shape, at(-0.25, 0.0, 0.5), motion, &walking()).unwrap();
        (slide.to - at(-0.25, 0.0, 0.5), slide.on_floor(), slide.on_wall())
    };
    let near = |found: DVec3, wanted: DVec3| (found - wanted).length() < 1e-13;
    let (gentle, steep) = (at(-0.5, 0.0, half_root), at(-half_root, 0.0, 0.5));
    let (to, on_floor, _) = walk(gentle, at(1.0, 0.5, -0.25));
    assert!(near(to, at(1.0, 0.5, 1.0 / 3f64.sqrt())) && on_floor, "{to}");
    let (to, on_floor, on_wall) = walk(steep, at(1.0, 0.5, -0.25));
    assert!(near(to, at(0.0, 0.5, 0.0)) && on_floor && on_wall, "{to}");
    // One that stands on a slope stays; without walking it slides down.
    let world = level([plane(gentle, 0.0)]);
    let from = gentle * gentle.abs().dot(at(0.25, 0.25, 0.5));
    let stays = found(&world, shape, from, Z * -0.5, &walking()).unwrap();
    assert!(near(stays.to, from), "{}", stays.to);
    let slides = slide(&world, shape, from, Z * -0.5);
    assert!(near(slides.to, from + at(-0.5 * half_root * 0.5, 0.0, -0.125)), "{}", slides.to - from);
}

/// Stairs of 0.25 m: with steps it climbs them, as far as it would go on level ground; without it stops.
#[test]
fn stairs_are_climbed() {
    let stairs = (1..6).map(|n| {
        let rise = 0.25 * f64::from(n);
        block(at(0.5, 2.0, 0.5 * rise), at(f64::from(n) + 0.5, 0.0, 0.5 * rise))
    });
    for view in View::all() {
        let bodies = [plane(Z, 0.0)].into_iter().chain(stairs.clone());
        let world = level(bodies.map(|body| view.body(&body)));
        let shape = boxed(view.seen(at(0.25, 0.25, 0.5)).abs());
        let options = SlideOptions { step: 0.25, up: view.seen(Z), ..walking() };
        let walk = |motion: DVec3, options: &SlideOptions<'_>| {
            let slide = found(&world, shape, view.seen(Z * 0.5), view.seen(motion), options).unwrap();
            (view.back(slide.to), slide.on_floor(), slide.on_wall())
        };
        assert_eq!(walk(X * 3.0, &options), (at(3.0, 0.0, 1.25), true, false), "{view:?}");
        assert_eq!(walk(at(3.0, 0.5, -0.125), &options), (at(3.0, 0.5, 1.25), true, false), "{view:?}");
        let low = SlideOptions { step: 0.24, ..options };
        assert_eq!(walk(X * 3.0, &low), (at(0.75, 0.0, 0.5), true, true), "{view:?}");
    }
}

/// Down stairs and slopes it stays on the floor with a snap, and jumps off without.
#[test]
fn a_snap_keeps_it_on_the_floor() {
    let world = level([block(at(1.0, 2.0, 0.5), at(-1.0, 0.0, 0.5)), plane(Z, 0.75)]);
    let shape = boxed(DVec3::splat(0.25));
    let from = at(-0.5, 0.0, 1.25);
    let go = |motion: DVec3, snap: f64| {
        let options = SlideOptions { snap, ..walking() };
        let slide = found(&world, shape, from, motion, &options).unwrap();
        (slide.to, slide.on_floor())
    };
    assert_eq!(go(X, 0.0), (at(0.5, 0.0, 1.25), false));
    assert_eq!(go(X, 0.25), (at(0.5, 0.0, 1.0), true));
    assert_eq!(go(X, 0.2), (at(0.5, 0.0, 1.25), false));
    // A jump is no fall.
    assert_eq!(go(X + Z * 0.125, 0.25), (at(0.5, 0.0, 1.375), false));
}

/// A platform that is met from above only.
#[test]
fn one_way_platforms() {
    let world = level([block(at(2.0, 2.0, 0.125), Z * 2.0), plane(Z, 0.0)]);
    let platform = [(id(&world, "000"), Z)];
    let options = SlideOptions { one_way: &platform, ..SlideOptions::default() };
    let shape = boxed(DVec3::splat(0.5));
    let go = |from: DVec3, motion: DVec3| found(&world, shape, from, motion, &options).unwrap();
    assert_eq!(go(Z * 0.5, Z * 3.0).to, Z * 3.5);
    assert_eq!(go(Z * 2.25, X * 0.5).to, at(0.5, 0.0, 2.25));
    assert_eq!(go(X * -4.0 + Z * 2.0, X * 3.0).to, at(-1.0, 0.0, 2.0));
    let landed = go(Z * 3.5, Z * -3.0);
    assert_eq!((landed.to, landed.on_floor()), (Z * 2.625, true));
    assert_eq!(slide(&world, shape, Z * 0.5, Z * 3.0).to, Z * 1.375);
}

/// Platforms that move carry what stands on them, and push what is in their way.
#[test]
fn moving_platforms_carry_and_push() {
    let lift = |velocity: DVec3| cuboid(at(1.0, 1.0, 0.25), 1.0).kinematic().moving(velocity);
    let shape = boxed(DVec3::splat(0.5));
    let from = at(0.25, 0.0, 0.75);
    for velocity in [X, Z, -Z, at(0.5, -1.0, 0.25)] {
        let world = level([lift(velocity), plane(Z, -9.0)]);
        for motion in [DVec3::ZERO, Z * -0.25, X * 0.125] {
            let slide = world.slide(shape, from, motion, 0.5, &Filter::ALL, &SlideOptions::default()).unwrap();
            let wanted = from + velocity * 0.5 + motion.with_z(0.0);
            assert_eq!((slide.to, slide.on_floor()), (wanted, true), "{velocity} {motion} {slide:?}");
            assert_eq!(slide.onward, motion.with_z(0.0), "{velocity} {motion}");
        }
    }
    // A wall that comes pushes it, also off the floor's friction, up to another wall, where nothing is left.
    let wall = || cuboid(at(0.5, 2.0, 2.0), 1.0).kinematic().moving(X * 2.0).at(X * -2.0);
    let world = level([wall(), plane(-X, -3.0)]);
    let push = |duration: f64| world.slide(shape, DVec3::ZERO, Y, duration, &Filter::ALL, &SlideOptions::default());
    assert_eq!(push(0.25).unwrap().to, Y);
    assert_eq!(push(1.0).unwrap().to, at(1.0, 1.0, 0.0));
    let squeezed = push(2.5).unwrap();
    assert!(squeezed.to.x == 2.5 && squeezed.left.x == -2.5, "{squeezed:?}");
    // A platform that crosses in between is met, and one that does not move is not.
    let bar = |velocity: DVec3| cuboid(at(0.125, 0.125, 2.0), 1.0).kinematic().moving(velocity).at(at(2.0, -2.0, 0.0));
    let world = level([bar(Y * 4.0)]);
    let slide = world.slide(shape, DVec3::ZERO, X * 4.0, 1.0, &Filter::ALL, &SlideOptions::default()).unwrap();
    assert_eq!(names(&slide), ["000"], "{slide:?}");
}

/// Hills of triangles: a ball that walks over them is never below.
#[test]
fn a_walk_over_a_mesh() {
    let side = 9;
    let mut random = Random::new(6);
    let corner =
        |n: usize, random: &mut Random| at((n % side) as f64 - 4.0, (n / side) as f64 - 4.0, random.between(0.0, 0.4));
    let corners: Vec<DVec3> = (0..side * side).map(|n| corner(n, &mut random)).collect();
    let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| (y * side + x) as u32));
    let row = side as u32;
    let triangles: Vec<[u32; 3]> = cells.flat_map(|n| [[n, n + 1, n + row + 1], [n, n + row + 1, n + row]]).collect();
    let hills = Body::mesh(Mesh::new(&corners, &triangles).unwrap());
    let room = [X, -X, Y, -Y].map(|normal| plane(normal, -4.0));
    let world = level([hills].into_iter().chain(room));
    for shape in [round(0.3), boxed(at(0.2, 0.3, 0.4))] {
        let options = SlideOptions { snap: 0.5, ..walking() };
        let mut place = found(&world, shape, Z * 3.0, Z * -3.0, &options).unwrap().to;
        let mut stood = 0;
        for n in 0..3000 {
            let motion = random.vector(0.3).with_z(-0.05);
            let slide =
                found(&world, shape, place, motion, &options).unwrap_or_else(|e| panic!("{n}: {e:?} at {place}"));
            stood += usize::from(slide.on_floor());
            place = slide.to;
            let deep = depth(&world, shape, place);
            assert!(deep < 1e-13 && place.z > 0.0, "{shape:?} {n}: {place} {deep:e}");
        }
        assert!(stood > 2900, "{shape:?}: {stood}");
    }
}

fn kin(half: DVec3, place: DVec3, velocity: DVec3) -> Body {
    cuboid(half, 1.0).kinematic().at(place).moving(velocity)
}

/// A slide that takes time, and then the world's step of that time: it may not end inside of anything.
#[track_caller]
fn after(
    world: &mut World,
    shape: SlideShape,
    way: [DVec3; 2],
    duration: f64,
    options: &SlideOptions<'_>,
) -> [DVec3; 2] {
    let slide = world.slide(shape, way[0], way[1], duration, &Filter::ALL, options).unwrap();
    let (to, onward) = (slide.to, slide.onward);
    world.step(duration).unwrap();
    assert!(found(world, shape, to, DVec3::ZERO, options).is_ok(), "{to}");
    [to, onward]
}

#[track_caller]
fn near(found: DVec3, wanted: DVec3) {
    assert!((found - wanted).length() < 1e-12, "{found} for {wanted}");
}

/// Steps while a lift moves: the lift goes on under what stepped onto it, and a door that comes on pushes it back.
#[test]
fn steps_take_time() {
    let options = SlideOptions { step: 0.3, ..walking() };
    let cube = boxed(DVec3::splat(0.5));
    for velocity in [Z, -Z] {
        let bar = kin(at(1.0, 4.0, 0.125), at(2.0, 0.0, 0.125), velocity);
        let mut world = level([kin(at(4.0, 4.0, 0.25), Z * -0.25, velocity), bar]);
        let [to, _] = after(&mut world, cube, [Z * 0.5, X], 0.5, &options);
        near(to, at(1.0, 0.0, 0.75) + velocity * 0.5);
    }
    let door = kin(at(0.5, 4.0, 4.0), at(3.0, 0.0, 4.5), X * -2.0);
    let mut world = level([plane(Z, 0.0), block(at(1.0, 4.0, 0.125), at(2.0, 0.0, 0.125)), door]);
    after(&mut world, cube, [Z * 0.5, X], 0.5, &options);
}

/// A carry that is blocked leaves no momentum.
#[test]
fn a_blocked_carry_is_no_momentum() {
    let cube = boxed(DVec3::splat(0.5));
    let free = SlideOptions::default();
    let mut world =
        level([kin(at(1.0, 5.0, 0.25), at(-1.0, 0.0, -0.25), -Z), block(at(1.0, 5.0, 0.25), at(1.0, 0.0, -0.25))]);
    let [to, onward] = after(&mut world, cube, [at(0.25, 0.0, 0.5), Z * -0.01], 1.0, &free);
    assert_eq!((to, onward), (at(0.25, 0.0, 0.5), DVec3::ZERO));
    let mut world = level([kin(at(2.0, 2.0, 0.25), Z * -0.25, X), block(at(0.5, 5.0, 5.0), at(1.75, 0.0, 5.1))]);
    let [to, onward] = after(&mut world, cube, [Z * 0.5, DVec3::ZERO], 2.0, &free);
    assert_eq!((to, onward), (at(0.75, 0.0, 0.5), DVec3::ZERO));
}

/// Walking up a slope to a wall stops there: it does not climb the wall, and the rise of a slope is no momentum.
#[test]
fn walking_climbs_no_wall() {
    let slope = at(-0.6, 0.0, 0.8);
    let world = level([plane(slope, 0.0), block(at(1.0, 50.0, 50.0), X * 2.0)]);
    let ball = round(0.5);
    for motion in [at(1.0, 0.0, -0.1), at(1.0, 0.25, -0.1)] {
        let stopped = found(&world, ball, at(0.5, 0.0, 1.0), motion, &walking()).unwrap();
        near(stopped.to, at(0.5, motion.y, 1.0));
        assert_eq!((stopped.onward, stopped.on_floor(), stopped.on_wall()), (Y * motion.y, true, true));
    }
    let world = level([plane(slope, 0.0)]);
    let climbs = found(&world, ball, slope * 0.5, at(1.0, 0.0, -0.1), &walking()).unwrap();
    near(climbs.to, slope * 0.5 + at(1.0, 0.0, 0.75));
    assert_eq!(climbs.onward, X);
    // Walls that lean back, in any order, beside a floor and beside each other.
    for names in [["a", "b"], ["b", "a"]] {
        let bodies = [plane(at(-0.8, 0.0, 0.6), 0.0), plane(Z, 0.0)];
        let world = crate::common::world(settings(DVec3::ZERO, 0.0, 0.0), names.into_iter().zip(bodies));
        let stays = found(&world, ball, at(-0.25, 0.0, 0.5), at(0.05, 0.0, -0.1), &walking()).unwrap();
        near(stays.to, at(-0.25, 0.0, 0.5));
    }
    let leaning = at(-5.0, 5.0, 1.0) / 51f64.sqrt();
    let world = level([plane(at(0.6, -0.8, 0.0), -0.5), plane(leaning, -0.5)]);
    let between = found(&world, ball, DVec3::ZERO, at(1.0, 0.5, -0.1), &walking()).unwrap();
    assert!(between.to.z <= 1e-12, "{}", between.to);
}

/// A shape at rest is pushed, in any direction; and a wedge leaves the way along its edge.
#[test]
fn pushes_and_wedges() {
    let normal = at(1.0, 2.0, 2.0) / 3.0;
    let pusher = ball(1.0, 1.0).kinematic().at(at(-1.5, 1.0, 1.0)).moving(X);
    let mut world = level([plane(normal, 0.0), pusher]);
    after(&mut world, round(0.5), [normal * 0.5, DVec3::ZERO], 1.0, &SlideOptions::default());
    let wedge = [block(at(1.0, 50.0, 1.0), at(-1.45, 0.0, -1.0)), block(at(1.0, 50.0, 1.0), at(1.45, 0.0, -1.0))];
    let world = level(wedge);
    let along = slide(&world, round(0.5), at(-0.4, 0.0, 1.0), at(2.0, 1.0, -4.0));
    assert!((along.to.y - 1.0).abs() < 1e-12 && !along.is_stuck, "{along:?}");
    // One plane is met once, also where it is met at a grazing angle.
    let tilted = at(0.8819043926215713, 0.47090494846784975, 0.022207471338927982);
    let world = level([plane(tilted, -0.880877852524693), block(at(1.125, 0.875, 0.25), at(-0.75, -1.375, -0.375))]);
    let from = at(0.04163219597762141, -0.125, 0.05937816487682525);
    let motion = at(-1.2227238492427128, -0.7164336767339408, 0.0);
    let options = SlideOptions { slope_max: 0.5, ..walking() };
    let met = found(&world, boxed(at(0.375, 0.375, 0.5)), from, motion, &options).unwrap();
    assert!(met.hits.len() < 10 && !met.is_stuck, "{}", met.hits.len());
}

/// Walls and floors are told also where the motion is nearly along them, and where it falls down a steep slope.
#[test]
fn what_is_touched_is_told() {
    let world = level([block(at(0.5, 50.0, 5.0), at(2.0, 0.0, 0.0)), plane(Z, 0.0)]);
    for n in 1..150 {
        let motion = at(0.1 * 0.9f64.powi(n), 1.0, -0.1);
        let slide = slide(&world, boxed(at(0.5, 0.5, 1.0)), at(1.0, 0.0, 1.0), motion);
        assert!(slide.on_wall() && slide.on_floor(), "{motion}");
    }
    let world = level([plane(at(-0.8, 0.0, 0.6), 0.0)]);
    let falls = slide(&world, round(0.5), at(-0.4, 0.0, 0.3), Z * -1.0);
    assert!(falls.on_wall() && !falls.on_floor());
}

/// A curb that ends where the motion ends is stepped over, and no platform that is met from above stops what comes from
/// the side.
#[test]
fn curbs_and_edges() {
    let world = level([block(at(0.05, 5.0, 0.05), at(1.0, 0.0, 0.05)), plane(Z, 0.0)]);
    for way in [1.0, 1.05, 1.5] {
        let options = SlideOptions { step: 0.25, ..walking() };
        let over = found(&world, boxed(at(0.25, 0.25, 0.5)), at(0.25, 0.0, 0.5), X * way, &options).unwrap();
        assert!((over.to.x - 0.25 - way).abs() < 1e-12 && over.on_floor(), "{}", over.to);
    }
    let world = level([block(at(2.0, 2.0, 0.125), Z * 2.0)]);
    let platform = [(id(&world, "000"), Z)];
    let options = SlideOptions { one_way: &platform, ..SlideOptions::default() };
    let passes = found(&world, round(0.5), at(-4.0, 0.0, 2.13), X * 4.0, &options).unwrap();
    assert_eq!(passes.to, at(0.0, 0.0, 2.13));
}

/// Kinematic bodies in a periodic space are met in each image.
#[test]
fn images_of_kinematic_bodies() {
    let period = Some(carom::Period { min: 0.0, max: 10.0 });
    let space = carom::Space { periods: [period, None, None], ..carom::Space::default() };
    let settings = carom::Settings { space, ..settings(DVec3::ZERO, 0.0, 0.0) };
    let bar = kin(at(0.5, 2.0, 2.0), at(8.0, 5.0, 0.0), Y * 0.001);
    let world = world(settings, [("bar", bar)]);
    for (motion, wanted) in [(8.0, 7.25), (6.0, 7.0), (6.5, 7.25), (-8.0, -1.25), (-2.0, -1.0)] {
        let slide = world.slide(
            boxed(DVec3::splat(0.25)),
            at(1.0, 5.0, 0.0),
            X * motion,
            1.0,
            &Filter::ALL,
            &SlideOptions::default(),
        );
        assert_eq!(slide.unwrap().to, at(wanted, 5.0, 0.0), "{motion}");
    }
}

/// The rounding of a very thick floor does not stop what walks from it to a tile.
#[test]
fn a_tile_beside_a_thick_floor() {
    let thick = block(DVec3::splat(4096.3), at(-4096.3, 0.0, -4096.3));
    let world = level([thick, block(at(1.0, 1.0, 0.5), at(1.0, 0.0, -0.5))]);
    let hero = boxed(DVec3::splat(0.4));
    for x in [-0.1, -0.5, -0.3, 0.3] {
        let stands = slide(&world, hero, at(x, 0.0, 2.0), Z * -3.0).to;
        let walks = slide(&world, hero, stands, at(1.5, 0.0, -0.1));
        assert!((walks.to.x - x - 1.5).abs() < 1e-11, "{x}: {}", walks.to);
        assert!(found(&world, hero, walks.to, X, &SlideOptions::default()).is_ok());
    }
}

/// Of an axis along which a cast finds the way free, a motion along it goes all the way.
#[test]
fn a_free_axis_moves() {
    let mut random = Random::new(7);
    let mut free = 0;
    for _ in 0..40 {
        let (world, half) = grid_level(&mut random, 60);
        let mut place = DVec3::ZERO;
        for n in 0..300 {
            place = slide(&world, boxed(half), place, random.vector(1.0)).to;
            let motion = DVec3::AXES[n % 3] * random.between(-1.0, 1.0);
            let ray = carom::geometry::Ray { origin: place, direction: motion };
            if world.cast_box(HalfExtents::new(half).unwrap(), &ray, 1.0, &Filter::ALL).is_none() {
                assert_eq!(slide(&world, boxed(half), place, motion).to, place + motion);
                free += 1;
            }
        }
    }
    assert!(free > 3000, "{free}");
}

/// The domains of bodies change no slide: a restored world has others, and gives the same bits.
#[test]
fn a_restored_world_has_the_same_slides() {
    let mut random = Random::new(8);
    let mut met = 0;
    for _ in 0..30 {
        let (grid, half) = grid_level(&mut random, 30);
        let mut bodies: Vec<Body> = grid.ids().map(|id| grid.body(id)).collect();
        for n in 0..20 {
            let size = random.between(0.05, 0.1);
            let place = at(f64::from(n % 5) - 2.0, f64::from(n / 5) - 2.0, 5.0);
            bodies.push(ball(size, 1.0).at(place).moving(random.vector(3.0)).colliding_with(carom::Layers::NONE));
        }
        // One box with large coordinates, which have a large rounding.
        bodies.push(block(at(500.0, 500.0, 0.5), at(700.0, 0.0, -9.0)));
        let mut world = level(bodies);
        world.step(random.between(0.1, 0.4)).unwrap();
        let mut other = world.clone();
        other.restore(&world.snapshot()).unwrap();
        for _ in 0..20 {
            let (motion, options) = (random.vector(9.0), SlideOptions::default());
            let [one, two] = [&world, &other].map(|world| found(world, boxed(half), DVec3::ZERO, motion, &options));
            assert_eq!(one, two, "{motion}");
            met += one.map_or(0, |slide| slide.hits.len());
        }
    }
    assert!(met > 300, "{met}");
}

/// Walks in voxels: never inside, never stuck, and each slide is that among the boxes of the solid cells.
#[test]
fn walks_in_voxels_are_those_among_boxes() {
    let mut random = Random::new(8);
    let moves = if is_thorough() { 50_000 } else { 1000 };
    for level_number in 0..10 {
        let cell = [DVec3::ONE, at(0.5, 1.0, 2.0), at(0.7, 0.9, 1.1)][level_number % 3];
        let solid: Vec<bool> = (0..512).map(|n| random.below(4) == 0 && n != 4 * 64 + 4 * 8 + 4).collect();
        let grid = Grid::voxels(cell, [8; 3], |[x, y, z]| solid[(z * 64 + y * 8 + x) as usize]).unwrap();
        let position = if level_number % 2 == 0 { DVec3::ZERO } else { at(-3.3, 0.25, 10.0) };
        let boxes: Vec<Body> = solid_cells(&grid)
            .map(|cell| grid.box_of(cell))
            .map(|cell| block(cell.half(), position + cell.center()))
            .collect();
        let start = position + grid.box_of([4, 4, 4]).center();
        let worlds = [level([Body::grid(grid).at(position)]), level(boxes)];
        let half = cell * [0.5, 0.45, 0.3][level_number % 3];
        let shape = if level_number % 4 == 3 { round(half.min_element()) } else { boxed(half) };
        let mut place = start;
        for n in 0..moves {
            let motion = match n % 4 {
                0 => random.vector(0.5),
                1 => X * random.between(-1.0, 1.0),
                2 => at(random.between(-1.0, 1.0), 0.0, -0.2),
                _ => random.vector(4.0),
            };
            let [slide, other] = [&worlds[0], &worlds[1]].map(|world| {
                let slide = found(world, shape, place, motion, &SlideOptions::default());
                slide.unwrap_or_else(|inside| panic!("level {level_number}, move {n} from {place}: {inside:?}"))
            });
            let context = format!("level {level_number}, move {n} of {motion} from {place} to {}", slide.to);
            assert!(depth(&worlds[0], shape, slide.to) < 1e-13, "{context}");
            let near = 1e-12 * (1.0 + slide.to.abs().max_element());
            assert!((slide.to - other.to).length() < near, "{context}, among boxes to {}", other.to);
            // Where it grazes an edge or bounces in a gap exactly as wide as it is, rounding grows.
            let apart = (slide.onward - other.onward).length();
            let bound = || 100.0 * change_by_rounding(&worlds[0], shape, [place, motion]);
            assert!(apart < 1e-11 || apart < bound(), "{context}: {} {}", slide.onward, other.onward);
            place = if (slide.to - start).abs().max_element() > 20.0 { start } else { slide.to };
        }
    }
}

/// How much the motion at the end changes if the start is elsewhere by the rounding within which shapes touch.
fn change_by_rounding(world: &World, shape: SlideShape, [place, motion]: [DVec3; 2]) -> f64 {
    let onward = |from| found(world, shape, from, motion, &SlideOptions::default()).map(|slide| slide.onward);
    let wanted = onward(place).unwrap();
    let starts = [X, -X, Y, -Y, Z, -Z].map(|axis| place * (DVec3::ONE + axis * 16.0 * f64::EPSILON));
    starts.into_iter().filter_map(|from| onward(from).ok()).map(|found| (found - wanted).length()).fold(0.0, f64::max)
}

/// A box that lands with its edge exactly where two flush solids meet slides on, in each order of them.
#[test]
fn a_landing_at_a_seam() {
    for (cell, origin) in [(1.0, 0.0), (0.7, 0.1), (0.3, -17.7)] {
        let place = DVec3::splat(origin);
        let grid = |solid: [bool; 2]| {
            let sizes = DVec3::splat(cell);
            let grid = Grid::voxels(sizes, [2, 1, 1], |[x, ..]| solid[x as usize]).unwrap();
            Body::grid(grid).at(place + at(-cell, -0.5 * cell, -cell))
        };
        let cube = |x: f64| block(DVec3::splat(0.5 * cell), place + at(x, 0.0, -0.5) * cell);
        let [left, right] = [[true, false], [false, true]];
        let levels = [
            level([grid([true; 2])]),
            level([cube(-0.5), cube(0.5)]),
            level([cube(0.5), cube(-0.5)]),
            level([grid(left), grid(right)]),
            level([grid(right), grid(left)]),
        ];
        for (n, world) in levels.iter().enumerate() {
            for motion in [at(1.0, 0.0, -2.0), at(2.0, 0.0, -1.0), at(1.0, 0.5, -1.0), at(1.0, -1.0, -1.0)] {
                for mirror in [1.0, -1.0] {
                    let half = DVec3::splat(0.25 * cell);
                    let motion = motion * at(mirror, 1.0, 1.0) * cell;
                    let from = place + at(-half.x * mirror, 0.0, half.x) - motion * 0.5;
                    let on = slide(world, boxed(half), from, motion);
                    let wanted = (from + motion).with_z(place.z + half.z);
                    assert!((on.to - wanted).length() < 1e-13, "{cell} {n} {motion}: {} for {wanted}", on.to);
                }
            }
        }
    }
}

/// However long a slide lasts, a platform on a course carries it to the end of that.
#[test]
fn a_slide_may_last_for_ever() {
    let up = carom::Course::polynomial(Z, &[0.0, 0.0, 3.0, -2.0], 1.0).unwrap();
    let sine = carom::Course::sine(X, 1.5, 0.25, 0.0).unwrap();
    let lift = cuboid(at(1.0, 1.0, 0.5), 1.0).along(up);
    let world = level([lift, cuboid(DVec3::ONE, 1.0).at(Y * 50.0).along(sine)]);
    for duration in [1.0, 2.0, 1e10, 4.398e12, 4.4e12, 1e13, 1e70, 1e300, f64::MAX] {
        let slide = world.slide(round(0.5), Z, DVec3::ZERO, duration, &Filter::ALL, &SlideOptions::default()).unwrap();
        assert!((slide.to - Z * 2.0).length() < 1e-12 && slide.on_floor(), "{duration}: {slide:?}");
    }
}

/// Where the images of a kinematic body cannot be counted there are none, and a shape as wide as many periods is inside
/// of some.
#[test]
fn slides_far_away_in_a_periodic_space() {
    let periods = [Some(carom::Period { min: -3.5, max: 3.5 }); 3];
    let settings = carom::Settings {
        space: carom::Space { periods, ..carom::Space::default() },
        ..settings(DVec3::ZERO, 0.0, 0.0)
    };
    let world =
        world(settings, [("lift", kin(DVec3::splat(0.5), DVec3::ZERO, Z)), ("rock", ball(0.5, 1.0).at(Y * 2.0))]);
    let ask = |shape: SlideShape, from: DVec3, motion: DVec3| {
        world.slide(shape, from, motion, 0.5, &Filter::ALL, &SlideOptions { snap: 0.25, ..SlideOptions::default() })
    };
    for far in [1e11, 1e18, 6e19, 1e30, 1e70].into_iter().flat_map(|far| [far, -far]) {
        for from in [X * far, Y * far, Z * far, DVec3::splat(far)] {
            let slide = ask(round(0.25), from, X).unwrap();
            assert_eq!((slide.to, slide.hits.len(), slide.on_floor()), (from + X, 0, false), "{from}");
        }
        // A very long way ends at the first body, or where it crosses no more borders.
        for motion in [X, -Y, Z, DVec3::splat(1.0)] {
            assert!(ask(round(0.25), at(1.5, 1.5, 1.5), motion * far).is_ok(), "{motion} {far}");
        }
    }
    for wide in [4.0, 20.0, 1e3, 1e9, 1e30, 1e70] {
        for shape in [round(wide), boxed(DVec3::splat(wide))] {
            assert!(ask(shape, at(1.5, 1.5, 1.5), X).is_err(), "{wide}");
        }
    }
}
