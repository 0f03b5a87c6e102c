//! A floor made of boxes is a floor. Bodies that slide and roll over seams move as on one box; a real step is a step.

use carom::dynamics::{Body, BodyId, EventKind, Friction, Material, MaterialId, Materials, Restitution, Settings};
use carom::motion::SimTime;
use carom::world::World;
use glam::DVec3;

use crate::common::{events_until, world};

const X: DVec3 = DVec3::X;
const Z: DVec3 = DVec3::Z;
const CLAY: MaterialId = MaterialId(1);
const G: f64 = 10.0;

fn falling(restitution: f64) -> Settings {
    let mut materials = Materials::default();
    materials.add(Restitution::new(restitution).unwrap());
    Settings { gravity: Z * -G, materials, rest_height: 1e-6, ..Settings::default() }
}

/// The same with a material that has friction and no restitution.
fn rough(friction: f64) -> (Settings, MaterialId) {
    let mut settings = falling(0.0);
    let friction = Friction::new(friction).unwrap();
    let rough = settings.materials.add(Material { friction, ..Restitution::new(0.0).unwrap().into() });
    (settings, rough)
}

fn ball(radius: f64) -> Body {
    Body::sphere(radius, 1.0).unwrap().made_of(CLAY)
}

fn cuboid(half: f64, height: f64) -> Body {
    Body::cuboid(DVec3::new(half, 0.4, height), 1.0).unwrap().made_of(CLAY)
}

/// `count` boxes with their tops at `top`, one each `pitch` from `start` on, with gaps between them.
fn tiles(start: f64, pitch: f64, gap: f64, top: f64, count: u32) -> Vec<(String, Body)> {
    let half = DVec3::new(0.5 * (pitch - gap), 3.0, 0.5);
    let tile = Body::cuboid(half, 1.0).unwrap().fixed().made_of(CLAY);
    let place = |row: u32| DVec3::new(start + (f64::from(row) + 0.5) * pitch, 0.0, top - 0.5);
    (0..count).map(|row| (format!("tile{row:03}"), tile.clone().at(place(row)))).collect()
}

fn with_hero(restitution: f64, floor: Vec<(String, Body)>, hero: Body) -> World {
    world(falling(restitution), floor.into_iter().chain([("hero".to_owned(), hero)]))
}

fn hero(world: &World) -> carom::dynamics::State {
    world.state(world.id("hero").unwrap())
}

#[test]
fn a_floor_of_tiles_is_one_floor() {
    for pitch in [1.0, 0.25, 0.3, 0.7, 1.0 / 3.0] {
        for gap in [0.0, 1e-15, 1e-12, 1e-9, -1e-3] {
            for (speed, drop, restitution) in [(0.5, 0.0, 0.0), (5.0, 0.0, 0.0), (5.0, 0.3, 0.5), (3.0, 0.3, 0.0)] {
                let count = (8.0 * 2.0 / pitch) as u32;
                let floor = || tiles(-1.0, pitch, gap, 0.0, count);
                for body in [ball(0.2), cuboid(0.5 * pitch, 0.3), cuboid(pitch, 0.3), cuboid(0.3 * pitch, 0.3)] {
                    let height = body.shape.half_extents().z;
                    let body = body.at(DVec3::new(0.0, 0.0, height + drop)).moving(X * speed);
                    let mut world = with_hero(restitution, floor(), body);
                    events_until(&mut world, 2.0);
                    let end = hero(&world);
                    let context = format!("pitch {pitch}, gap {gap}, {speed} m/s from {drop}: {end:?}");
                    assert!((end.position.x - 2.0 * speed).abs() <= 1e-7, "{context}");
                    assert!((end.velocity - X * speed).length() <= 1e-7, "{context}");
                    assert!((end.position.z - height).abs() <= 1e-9, "{context}");
                }
            }
        }
    }
}

/// A ball with this velocity and spin begins on the point where these tiles meet. Where it is after half a second.
fn slipped(tiles: &[Body], names: &[&str], velocity: DVec3, spin: DVec3) -> [DVec3; 3] {
    let (settings, rough) = rough(1.0);
    let ball = ball(0.1).made_of(rough).at(Z * 0.1).moving(velocity).spinning(spin);
    let floor = tiles.iter().zip(names).map(|(tile, name)| ((*name).to_owned(), tile.clone().made_of(rough)));
    let mut world = world(settings, floor.chain([("hero".to_owned(), ball)]));
    events_until(&mut world, 0.5);
    let end = hero(&world);
    [end.position, end.velocity, end.spin]
}

/// Friction begins to move a ball off some of the tiles that it stands on. No name of a tile matters.
#[test]
fn a_ball_that_begins_on_a_seam_slips_as_on_one_floor() {
    let tile = |x: f64, y: f64, half: f64| {
        Body::cuboid(DVec3::new(half, 4.0, 0.5), 1.0).unwrap().fixed().at(DVec3::new(x, y, -0.5))
    };
    let plain = [tile(0.0, 0.0, 4.0)];
    let seam = [tile(-2.0, 0.0, 2.0), tile(2.0, 0.0, 2.0)];
    let corner = [tile(-2.0, -4.0, 2.0), tile(2.0, -4.0, 2.0), tile(-2.0, 4.0, 2.0), tile(2.0, 4.0, 2.0)];
    let names = [["a", "b", "c", "d"], ["d", "a", "b", "c"], ["z", "y", "k", "b"], ["b", "z", "a", "y"]];
    let mut wrong = Vec::new();
    for velocity in [DVec3::ZERO, DVec3::Y, X + DVec3::Y] {
        for turn in 0..16 {
            let (sine, cosine) = (f64::from(turn) * std::f64::consts::TAU / 16.0).sin_cos();
            let spin = DVec3::new(13.0 * cosine, 13.0 * sine, 2.0);
            let wanted = slipped(&plain, &["a"], velocity, spin);
            for (tiles, names) in names.iter().flat_map(|names| [(&seam[..], names), (&corner, names)]) {
                let found = slipped(tiles, names, velocity, spin);
                let off = found.iter().zip(wanted).map(|(found, wanted)| (found - wanted).abs().max_element());
                let off = off.fold(0.0, f64::max);
                if off > 1e-9 {
                    wrong.push(format!("{} tiles {names:?}, {velocity} m/s, {spin} rad/s: {off:e} off", tiles.len()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where a body and a ball that touch are after 0.6 s on these tiles: the ball slides, rolls or is pushed, and a
/// contact ends while others slide. `names` are those of tiles, ball and body.
fn pushed(tiles: &[Body], names: [&str; 4], ball: &Body, other: &Body, gravity: DVec3) -> [DVec3; 4] {
    let (settings, rough) = rough(0.1);
    let settings = Settings { gravity, ..settings };
    let named = |(name, body): (&str, &Body)| (name.to_owned(), body.clone().made_of(rough));
    let floor = names[..2].iter().copied().zip(tiles);
    let bodies = floor.chain([(names[2], ball), (names[3], other)]).map(named);
    let mut world = world(settings, bodies);
    events_until(&mut world, 0.6);
    let [ball, other] = [names[2], names[3]].map(|name| world.state(world.id(name).unwrap()));
    [ball.position, ball.velocity, other.position, other.velocity]
}

/// A contact that ends takes no friction from those that go on, whatever the names of the bodies.
#[test]
fn bodies_that_part_go_on_as_on_one_floor() {
    let plate = |y: f64| Body::cuboid(DVec3::new(4.0, 2.0, 0.25), 1.0).unwrap().fixed().at(DVec3::new(0.0, y, -0.25));
    let plain = [Body::cuboid(DVec3::new(4.0, 4.0, 0.25), 1.0).unwrap().fixed().at(Z * -0.25)];
    let seam = [plate(-2.0), plate(2.0)];
    let ball = |y: f64, speed: f64, spin: f64| {
        let ball = Body::sphere(0.25, 1.0).unwrap().at(DVec3::new(0.0, y, 0.25));
        ball.moving(DVec3::Y * speed).spinning(X * -spin)
    };
    let cube = |y: f64, speed: f64| {
        let cube = Body::cuboid(DVec3::splat(0.25), 1.0).unwrap().at(DVec3::new(0.0, y, 0.25));
        cube.moving(DVec3::Y * speed)
    };
    let slant = DVec3::new(0.0, 1.0, -9.81);
    let scenes = [
        (ball(0.0, 0.5, 0.0), cube(-0.5, 0.5), Z * -9.81),
        (ball(0.0, 0.5, 2.0), cube(-0.5, 0.6), Z * -9.81),
        (ball(-0.1, 0.5, 2.0), cube(0.4, 0.5), Z * -9.81),
        (ball(-0.1, 0.5, 2.0), ball(0.4, 0.5, 0.0), slant),
    ];
    let names = [["t", "u", "ball", "cube"], ["t", "u", "cube", "ball"], ["z", "y", "b", "a"], ["a", "b", "y", "z"]];
    for (place, (ball, other, gravity)) in scenes.iter().enumerate() {
        let wanted = pushed(&plain, ["t", "u", "a", "z"], ball, other, *gravity);
        for (tiles, names) in names.iter().flat_map(|names| [(&plain[..], names), (&seam, names)]) {
            let found = pushed(tiles, *names, ball, other, *gravity);
            let off = found.iter().zip(wanted).map(|(found, wanted)| (found - wanted).length()).fold(0.0, f64::max);
            assert!(off < 1e-9, "scene {place}, {} tiles, {names:?}: {found:?}, not {wanted:?}", tiles.len());
        }
    }
    // The first ball rolls when it has lost 2/7 of its speed, and the cube slides on to v² / (2 µ g).
    let [ball, velocity, cube, _] = pushed(&seam, ["t", "u", "ball", "cube"], &scenes[0].0, &scenes[0].1, scenes[0].2);
    let rolls = 2.0 * 0.5 / (7.0 * 0.981);
    let way = 0.5 * rolls - 0.5 * 0.981 * rolls * rolls + 5.0 / 7.0 * 0.5 * (0.6 - rolls);
    assert!((velocity.y - 5.0 / 7.0 * 0.5).abs() < 1e-12 && (ball.y - way).abs() < 1e-12, "{ball} {velocity}");
    assert!((cube.y + 0.5 - 0.5 * 0.5 / (2.0 * 0.981)).abs() < 1e-12, "{cube}");
}

/// A ball that gravity moves off a seam, or off the edge of a lone box, has no speed there. It leaves the end of the
/// floor after √(2 s / a), with 5/7 of the acceleration where it rolls (solid sphere, I = 2/5 m r²).
#[test]
fn a_ball_that_starts_at_rest_on_an_edge_falls_off_the_end() {
    let half = DVec3::new(1.0, 1.0, 0.5);
    let tile = Body::cuboid(half, 1.0).unwrap().fixed();
    let at = |along: DVec3| tile.clone().at(along - Z * 0.5);
    for along in [X, -X, DVec3::Y, -DVec3::Y] {
        let floors = [vec![at(along)], vec![at(along), at(-along)], vec![at(-along), at(along)]];
        for (friction, share) in [(0.0, 1.0), (0.9, 5.0 / 7.0)] {
            for floor in &floors {
                let (settings, stuff) = rough(friction);
                let settings = Settings { gravity: along * 0.5 - Z * 9.0, ..settings };
                let bodies = floor.iter().cloned().chain([ball(0.1).at(Z * 0.1)]);
                let names = ["a", "b", "c"].map(str::to_owned).into_iter();
                let mut world = world(settings, names.zip(bodies.map(|body| body.made_of(stuff))));
                let events = events_until(&mut world, 5.0);
                let last = events.iter().rfind(|event| event.kind == EventKind::Release).unwrap();
                let wanted = f64::sqrt(2.0 * 2.0 / (0.5 * share));
                let context = format!("{} tiles along {along}, {share}: {last:?}", floor.len());
                assert!((last.time.seconds() - wanted).abs() < 1e-9, "{context}");
                let ball = world.ids().last().unwrap();
                assert!(world.state(ball).position.z < -1.0, "{context}");
            }
        }
    }
}

#[test]
fn a_ball_that_came_over_a_seam_falls_off_the_end() {
    for gap in [0.0, 1e-12, 1e-9, -1e-3] {
        for speed in [0.5, 1.3, 5.0] {
            let body = ball(0.2).at(DVec3::new(0.5, 0.0, 0.2)).moving(X * speed);
            let mut world = with_hero(0.0, tiles(0.0, 1.0, gap, 0.0, 2), body);
            let events = events_until(&mut world, 1.5 / speed + 2.0);
            assert!(hero(&world).position.z < -1.0, "{gap} {speed}: {:?}", hero(&world));
            let released = events.iter().filter(|event| event.kind == EventKind::Release).count();
            assert_eq!(released, 2, "{gap} {speed}: {events:?}");
        }
    }
}

/// Where a ball is that began `way` before the point where four tiles meet, in the direction `along`, and how fast,
/// after two and a half times the time that it needs to get there; m and m/s from this point, along and across.
fn crossed(middle: DVec3, along: DVec3, [way, aside, speed]: [f64; 3], friction: f64, is_rolling: bool) -> [f64; 4] {
    let (settings, rough) = rough(friction);
    let (radius, across) = (0.125, DVec3::new(-along.y, along.x, 0.0));
    let start = middle - along * way + across * aside + Z * radius;
    let spin = if is_rolling { across * (speed / radius) } else { DVec3::ZERO };
    let ball = ball(radius).made_of(rough).at(start).moving(along * speed).spinning(spin);
    let quarters = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
    let tile = Body::cuboid(DVec3::new(1.0, 1.0, 0.5), 1.0).unwrap().fixed().made_of(rough);
    let tiles = quarters.map(|(x, y)| (format!("tile {x} {y}"), tile.clone().at(middle + DVec3::new(x, y, -0.5))));
    let mut world = world(settings, tiles.into_iter().chain([("hero".to_owned(), ball)]));
    events_until(&mut world, if speed > 0.0 { 2.5 * way / speed } else { 10.0 });
    let (end, to) = (hero(&world), hero(&world).position - middle);
    [to.dot(along), to.dot(across), end.velocity.dot(along), end.velocity.dot(across)]
}

#[test]
fn the_slowest_balls_cross_seams() {
    for middle in [DVec3::ZERO, DVec3::new(7.1, -0.2, 0.0)] {
        for along in [X, -X, DVec3::Y, -DVec3::Y, DVec3::new(0.6, 0.8, 0.0)] {
            for speed in [1e-3, 1e-5, 1e-6, 3e-7, 1e-8, 1e-9] {
                for (seconds, aside) in [(0.002, 0.0), (0.05, 0.0), (1.0, 0.0), (1.0, 1e-9), (1.0, 0.3)] {
                    for (friction, is_rolling) in [(0.0, false), (0.5, true)] {
                        let way = seconds * speed;
                        let [to, off, fast, drift] = crossed(middle, along, [way, aside, speed], friction, is_rolling);
                        let context =
                            format!("{speed} m/s along {along} from {way} m, {aside} m aside of {middle}, {friction}");
                        let rounding = 1e-14;
                        assert!((to - 1.5 * way).abs() <= 1e-6 * way + rounding, "{context}: at {to}");
                        assert!((off - aside).abs() <= 1e-6 * way + rounding, "{context}: {off} off");
                        assert!((fast - speed).abs() <= 1e-6 * speed, "{context}: {fast} m/s");
                        assert!(drift.abs() <= 1e-6 * speed, "{context}: {drift} m/s across");
                    }
                }
            }
        }
    }
}

#[test]
fn a_ball_at_rest_beside_a_seam_stays() {
    for middle in [DVec3::ZERO, DVec3::new(7.1, -0.2, 0.0)] {
        for along in [X, DVec3::Y, DVec3::new(0.6, 0.8, 0.0)] {
            for (way, aside) in [(0.0, 0.0), (1e-13, 0.0), (1e-12, 1e-12), (1e-10, 0.0), (1e-9, 2e-10), (1e-7, 1e-9)] {
                for friction in [0.0, 0.5] {
                    let [to, off, fast, drift] = crossed(middle, along, [way, aside, 0.0], friction, false);
                    let context = format!("{way} m before and {aside} m aside of {middle} along {along}, {friction}");
                    assert!((to + way).abs() <= 1e-14 && (off - aside).abs() <= 1e-14, "{context}: at {to}, {off}");
                    assert!(fast == 0.0 && drift == 0.0, "{context}: {fast} and {drift} m/s");
                }
            }
        }
    }
}

/// A body lies as deep as the rounding of its fall, which is more than that of its place.
#[test]
fn a_box_that_fell_far_slides_over_seams() {
    for (height, pitch) in [(10.0, 0.3), (100.0, 0.3), (300.0, 1.0), (1000.0, 0.7)] {
        for top in [0.0, 0.1, -7.7] {
            let fall = f64::sqrt(2.0 * height / G);
            let body = cuboid(0.21, 0.3).at(DVec3::new(0.05, 0.0, top + 0.3 + height)).moving(X * 0.9);
            let mut world = with_hero(0.0, tiles(-1.0, pitch, 0.0, top, (30.0 / pitch) as u32), body);
            events_until(&mut world, fall + 3.0);
            let end = hero(&world);
            assert!((end.position.x - 0.05 - 0.9 * (fall + 3.0)).abs() < 1e-9, "{height} {pitch} {top}: {end:?}");
        }
    }
}

/// At the moment without a floor the body lies in the other tiles by more than the rounding of its place.
#[test]
fn tiles_that_are_laid_again_change_nothing() {
    for height in [0.0, 1.0, 100.0, 280.0, 300.0, 1000.0] {
        for speed in [0.9, -0.9, 7.0] {
            let fall = f64::sqrt(2.0 * height / G);
            let seconds = [0.1, 0.2, 0.45, 0.7].map(|later| fall + later);
            let body = cuboid(0.21, 0.3).at(DVec3::new(0.05, 0.0, 0.3 + height)).moving(X * speed);
            let floor = tiles(-(fall + 2.0) * 7.0, 0.5, 0.0, 0.0, (56.0 * (fall + 2.0)) as u32);
            let mut world = with_hero(0.0, floor, body);
            for (round, seconds) in seconds.into_iter().enumerate() {
                world.advance(SimTime::from_seconds(seconds), usize::MAX).unwrap();
                let place = hero(&world).position;
                assert!((place - DVec3::new(0.05 + speed * seconds, 0.0, 0.3)).length() < 1e-9, "{height} m: {place}");
                let near = |id| world.name(id) != "hero" && (world.state(id).position.x - place.x).abs() < 1.0;
                let near: Vec<BodyId> = world.ids().filter(|&id| near(id)).collect();
                for (count, id) in near.into_iter().enumerate().filter(|(count, _)| count % 2 == round % 2) {
                    let tile = world.body(id);
                    world.despawn(id).unwrap();
                    world.spawn(format!("again{round}_{count}"), &tile).unwrap();
                }
            }
        }
    }
}

#[test]
fn a_step_stops_a_box_and_not_a_ball() {
    for step in [1e-3, 1e-6, 1e-9, 1e-12] {
        let floor = || {
            let mut floor = tiles(-2.0, 2.0, 0.0, 0.0, 1);
            floor.extend(tiles(0.0, 2.0, 0.0, step, 1).into_iter().map(|(_, tile)| ("step".to_owned(), tile)));
            floor
        };
        let mut world = with_hero(0.0, floor(), cuboid(0.3, 0.3).at(DVec3::new(-1.0, 0.0, 0.3)).moving(X * 2.0));
        events_until(&mut world, 1.5);
        assert_eq!(hero(&world).velocity, DVec3::ZERO, "{step}");
        assert!((hero(&world).position.x + 0.3).abs() < 1e-12, "{step}");
        // It loses the motion along the normal at the edge, v h/r, and g h/v to rise.
        let mut world = with_hero(0.0, floor(), ball(0.2).at(DVec3::new(-1.0, 0.0, 0.2)).moving(X * 2.0));
        events_until(&mut world, 1.2);
        let lost = 2.0 - hero(&world).velocity.x;
        assert!(lost >= 0.0 && lost <= 25.0 * step, "{step}: {lost}");
        assert!(hero(&world).position.z >= 0.2, "{step}: {:?}", hero(&world));
    }
}

/// At these speeds the ball leaves neither edge of the gap.
#[test]
fn a_slow_ball_rolls_over_a_gap() {
    for speed in [0.3, 1.0, 3.0, 10.0] {
        for gap in [1e-8, 1e-7, 1e-6, 1e-5, 1e-4] {
            let body = ball(0.2).at(DVec3::new(0.5, 0.0, 0.2)).moving(X * speed);
            let mut world = with_hero(0.0, tiles(0.0, 1.0, gap, 0.0, 2), body);
            events_until(&mut world, 1.0 / speed);
            let (end, change) = (hero(&world), (hero(&world).velocity - X * speed).length());
            assert!(change <= 1e-4 * speed, "{speed} m/s, gap {gap}: {end:?}");
            assert!((end.position.z - 0.2).abs() <= 1e-8, "{speed} m/s, gap {gap}: {end:?}");
        }
    }
}

#[test]
fn a_half_space_that_is_set_in_motion_carries_on() {
    let plate = Body::plane(Z, 0.0).unwrap().kinematic().made_of(CLAY);
    let mut world = world(falling(0.5), [("hero", ball(0.005).at(Z * 0.006)), ("plate", plate)]);
    events_until(&mut world, 1.0);
    world.set_velocity(world.id("plate").unwrap(), Z * 0.1).unwrap();
    world.advance(SimTime::from_seconds(2.0), usize::MAX).unwrap();
    assert!((hero(&world).position.z - 0.105).abs() < 1e-9, "{:?}", hero(&world));
}
