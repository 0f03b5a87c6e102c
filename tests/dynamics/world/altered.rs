//! Commands that change bodies that are there, and gravity: closed forms, closed books, the same world as one that is
//! made anew, snapshots from before and after.

use carom::geometry::Grid;
use carom::{
    Body, BodyId, CommandError, Course, Event, EventKind, Friction, Layers, Material, MaterialId, Materials, Period,
    Restitution, Settings, Space, World,
};
use glam::DVec3;

use super::{books, check_books, id};
use crate::common::scene::{ball, cube, of_kind, plane, resisting, settings};
use crate::common::{Random, events_until, world};

const X: DVec3 = DVec3::X;
const Z: DVec3 = DVec3::Z;

/// The events of the next `seconds`.
fn after(world: &mut World, seconds: f64) -> Vec<Event> {
    events_until(world, world.now().seconds() + seconds)
}

fn x(steps: i32) -> DVec3 {
    X * f64::from(steps)
}

#[test]
fn a_body_is_put_elsewhere() {
    let lift = cube(1.0, 1.0).kinematic().at(x(20)).moving(Z);
    let gate = cube(1.0, 1.0).fixed().sensor().at(x(10) + Z * 5.0);
    let bodies = [
        ("floor", plane(Z, 0.0)),
        ("gate", gate),
        ("lift", lift),
        ("low", cube(0.5, 1.0).at(Z * 0.5)),
        ("top", cube(0.5, 3.0).at(Z * 1.5)),
    ];
    let mut world = world(settings(Z * -10.0, 0.0, 0.3), bodies);
    let start = books(&world);
    after(&mut world, 0.5);
    let [low, top, lift, gate, floor] = ["low", "top", "lift", "gate", "floor"].map(|name| id(&world, name));
    // What rested on it falls half a metre lower, and it is inside the sensor at once.
    world.set_position(low, x(10) + Z * 5.0).unwrap();
    check_books(&world, start, "just after");
    assert_eq!(world.state(low).position, x(10) + Z * 5.0);
    let events = after(&mut world, 0.5);
    assert_eq!(
        of_kind(&events, EventKind::Enter).iter().map(|event| (event.a, event.b)).collect::<Vec<_>>(),
        [(low, gate)]
    );
    after(&mut world, 1.0);
    // A fall of 1 m takes 0.447 s; the other falls 4.5 m in 0.949 s.
    for (id, place) in [(low, x(10) + Z * 0.5), (top, Z * 0.5)] {
        assert!((world.state(id).position - place).length() < 1e-15, "{}", world.state(id).position);
    }
    world.set_position(lift, Z * 9.0).unwrap();
    assert_eq!((world.state(lift).position, world.state(lift).velocity), (Z * 9.0, Z));
    check_books(&world, start, "in the end");
    // Into another body, a fixed one, to nowhere, and one that is gone.
    let before = world.snapshot();
    let overlap = world.set_position(low, Z * 1.25);
    let depth = world.position(top).z + 1.0 - 1.25;
    assert_eq!(overlap, Err(CommandError::Overlap { body: "low".into(), other: "top".into(), depth }));
    assert_eq!(world.set_position(floor, Z), Err(CommandError::Fixed { body: "floor".into() }));
    assert_eq!(
        world.set_position(low, Z * f64::NAN).unwrap_err().to_string(),
        "the position, velocity or spin of `low` is not finite, or larger than 1e70"
    );
    assert_eq!(world.snapshot(), before, "what is refused changes nothing");
    world.despawn(top).unwrap();
    assert_eq!(world.set_position(top, Z), Err(CommandError::NoSuchBody { body: "top".into() }));
}

#[test]
fn a_block_slides_with_the_friction_of_its_new_material() {
    let mut materials = Materials::default();
    let of = |friction: f64| Material {
        friction: Friction::new(friction).unwrap(),
        ..Restitution::new(0.0).unwrap().into()
    };
    let [rubber, ice] = [0.9, 0.1].map(|friction| materials.add(of(friction)));
    let gravity = DVec3::new(5.0, 0.0, -10.0);
    let settings = Settings { gravity, materials, rest_height: 1e-6, ..Settings::default() };
    let bodies = [("block", cube(0.5, 2.0).at(Z * 0.5).made_of(rubber)), ("floor", plane(Z, 0.0).made_of(rubber))];
    let mut world = World::new(settings, bodies).unwrap();
    let start = books(&world);
    after(&mut world, 1.0);
    let block = id(&world, "block");
    assert_eq!(world.state(block).velocity, DVec3::ZERO);
    world.set_material(block, ice).unwrap();
    assert_eq!(world.body(block).material, ice);
    after(&mut world, 1.0);
    // It slides with g sin − µ g cos = 5 − 0.1 · 10.
    assert!((world.state(block).velocity - X * 4.0).length() < 1e-12, "{}", world.state(block).velocity);
    world.set_material(block, rubber).unwrap();
    after(&mut world, 2.0);
    // 4 m/s against µ g cos − g sin = 4 m/s²: it stops after a second, 2 m further.
    assert!((world.state(block).position - X * 4.0 - Z * 0.5).length() < 1e-12, "{}", world.state(block).position);
    check_books(&world, start, "in the end");
    let unknown = world.set_material(block, MaterialId(9)).unwrap_err().to_string();
    assert!(unknown.contains("`block` is of a material that is not in the table"), "{unknown}");
}

#[test]
fn a_body_in_other_layers_falls_through_the_floor_and_may_not_come_back_inside_of_one() {
    let (first, ghosts) = (Layers::FIRST, Layers::one(1));
    let bodies = [("ball", ball(0.5, 1.0).at(Z * 0.5)), ("floor", plane(Z, 0.0).colliding_with(first))];
    let mut world = world(settings(Z * -10.0, 0.5, 0.3), bodies);
    let start = books(&world);
    after(&mut world, 0.5);
    let ball = id(&world, "ball");
    world.set_layers(ball, ghosts, Layers::ALL).unwrap();
    let events = after(&mut world, 1.0);
    assert_eq!(events.iter().map(|event| event.kind).collect::<Vec<_>>(), [EventKind::Release]);
    assert!((world.state(ball).position - Z * -4.5).length() < 1e-12, "{}", world.state(ball).position);
    let back = world.set_layers(ball, first, Layers::ALL);
    assert!(matches!(back, Err(CommandError::Overlap { depth, .. }) if (depth - 5.0).abs() < 1e-12), "{back:?}");
    assert_eq!((world.body(ball).layers, world.body(ball).collides_with), (ghosts, Layers::ALL));
    world.set_position(ball, Z * 5.0).unwrap();
    world.set_layers(ball, first, Layers::ALL).unwrap();
    after(&mut world, 9.0);
    assert_eq!(world.state(ball).position, Z * 0.5);
    check_books(&world, start, "in the end");
}

#[test]
fn what_rests_falls_to_where_gravity_points() {
    // A tall stack and a ball between six walls; gravity turns from one to the next, off, and on again.
    let walls = [X, -X, DVec3::Y, -DVec3::Y, Z, -Z];
    let mut bodies: Vec<(String, Body)> = (0..6).map(|n| (format!("wall/{n}"), plane(walls[n], -4.0))).collect();
    bodies.extend((0..5).map(|n| (format!("box/{n}"), cube(0.5, 1.0).at(Z * (f64::from(n) - 3.5)))));
    bodies.push(("ball".to_owned(), ball(0.4, 2.0).at(x(2) - Z * 3.6)));
    let mut world = world(settings(Z * -10.0, 0.2, 0.4), bodies);
    let start = books(&world);
    after(&mut world, 1.0);
    for (row, &down) in [X, Z, -X, -Z, DVec3::Y, -DVec3::Y].iter().enumerate() {
        world.set_gravity(down * 10.0).unwrap();
        check_books(&world, start, &format!("gravity {row}"));
        after(&mut world, 6.0);
        check_books(&world, start, &format!("{row}: at rest"));
        let free = world.ids().filter(|&id| world.body(id).is_free());
        for id in free {
            let state = world.state(id);
            assert_eq!((state.velocity, state.spin), (DVec3::ZERO, DVec3::ZERO), "{row}: {}", world.name(id));
        }
        for id in world.ids() {
            let own = world.contacts().into_iter().filter(|contact| contact.a == id || contact.b == id);
            assert_eq!(world.contacts_of(id), own.collect::<Vec<_>>(), "{row}: {}", world.name(id));
        }
    }
    world.set_gravity(DVec3::ZERO).unwrap();
    let places: Vec<DVec3> = world.ids().map(|id| world.position(id)).collect();
    assert_eq!(after(&mut world, 5.0).iter().filter(|event| event.kind == EventKind::Impact).count(), 0);
    assert_eq!(world.ids().map(|id| world.position(id)).collect::<Vec<_>>(), places, "without gravity all stay");
    check_books(&world, start, "in the end");
    assert_eq!(world.set_gravity(Z * f64::INFINITY), Err(CommandError::Gravity));
}

#[test]
fn a_heap_that_sleeps_falls_up() {
    let mut random = Random::from_state(4);
    let walls = [X, -X, DVec3::Y, -DVec3::Y].map(|normal| plane(normal, -1.5));
    let mut bodies: Vec<(String, Body)> =
        walls.into_iter().enumerate().map(|(n, wall)| (format!("wall/{n}"), wall)).collect();
    bodies.extend([("floor".to_owned(), plane(Z, 0.0)), ("lid".to_owned(), plane(-Z, -20.0))]);
    for n in 0..200 {
        let [a, b, c] = [n % 4, n / 4 % 4, n / 16].map(f64::from);
        let place = DVec3::new(a * 0.7 - 1.05, b * 0.7 - 1.05, 0.4 + c * 0.7) + random.vector(0.02);
        bodies.push((format!("ball/{n}"), ball(0.3, 1.0).at(place)));
    }
    let mut world = world(resisting(settings(Z * -10.0, 0.3, 0.3), 1e-3, 1e-3), bodies);
    after(&mut world, 12.0);
    assert_eq!(world.stepping_totals().asleep, 200, "{:?} {:?}", world.stepping_totals(), world.balance());
    let height = |world: &World| {
        let free = world.ids().filter(|&id| world.body(id).is_free());
        free.map(|id| world.position(id).z).sum::<f64>() / 200.0
    };
    let (start, low) = (books(&world), height(&world));
    world.set_gravity(Z * 10.0).unwrap();
    check_books(&world, start, "turned");
    let events = after(&mut world, 20.0);
    assert_eq!(world.stepping_totals().asleep, 200, "{} events", events.len());
    // As far below the lid as it was above the floor, but for how the balls lie.
    assert!((height(&world) + low - 20.0).abs() < 0.2, "{low} m, {} m", height(&world));
    let (energy, _, scale) = books(&world);
    assert!((energy - start.0).abs() < 1e-9 * scale, "{}", energy - start.0);
}

/// A box of balls and cubes in flight, some layers, three materials.
fn crowd(random: &mut Random, periodic: bool) -> World {
    let mut materials = Materials::default();
    for restitution in [0.9, 0.6] {
        materials
            .add(Material { friction: Friction::new(0.2).unwrap(), ..Restitution::new(restitution).unwrap().into() });
    }
    let periods = if periodic { [Some(Period { min: -5.0, max: 5.0 }), None, None] } else { [None; 3] };
    let settings =
        Settings { gravity: Z * -5.0, materials, space: Space { periods, ..Space::default() }, ..Settings::default() };
    let mut bodies: Vec<(String, Body)> = [X, -X, DVec3::Y, -DVec3::Y, Z, -Z]
        .iter()
        .enumerate()
        .skip(if periodic { 2 } else { 0 })
        .map(|(n, &normal)| (format!("wall/{n}"), plane(normal, -5.0)))
        .collect();
    for n in 0..18 {
        let place =
            DVec3::new(f64::from(n % 3), f64::from(n / 3 % 3), f64::from(n / 9)) * 2.6 - DVec3::new(2.6, 2.6, 1.3);
        let body = if n % 4 == 0 { cube(0.4, 1.5) } else { ball(0.5, 1.0).spinning(random.vector(2.0)) };
        bodies.push((
            format!("free/{n:02}"),
            body.at(place).moving(random.vector(3.0)).made_of(MaterialId((n % 3) as u16)),
        ));
    }
    World::new(settings, bodies).unwrap()
}

/// Changes something, if it can.
fn change(world: &mut World, random: &mut Random) -> bool {
    let free: Vec<BodyId> = world.ids().filter(|&id| world.body(id).is_free()).collect();
    let id = free[random.below(free.len())];
    match random.below(5) {
        0 => world.set_gravity(random.vector(6.0)).is_ok(),
        1 => world.set_material(id, MaterialId(random.below(3) as u16)).is_ok(),
        2 => world.set_layers(id, Layers::one(random.below(2)).and(Layers::FIRST), Layers::ALL).is_ok(),
        3 => world.set_layers(id, Layers::one(1 + random.below(2)), Layers::FIRST.and(Layers::one(2))).is_ok(),
        _ => world.set_position(id, random.vector(4.0)).is_ok(),
    }
}

/// A world that is changed is the world that is made anew with these bodies, this gravity and these places.
#[test]
fn a_changed_world_goes_on_like_a_new_one() {
    let mut random = Random::from_state(7);
    let mut compared = 0;
    for round in 0..60 {
        let mut changed = crowd(&mut random, round % 2 == 1);
        after(&mut changed, 0.3 * random.unit());
        if !(0..3).fold(false, |any, _| change(&mut changed, &mut random) || any) {
            continue;
        }
        let settings = changed.settings().clone();
        let bodies = changed.ids().map(|id| (changed.name(id).to_owned(), changed.body(id)));
        let Ok(mut new) = World::new(settings, bodies.collect::<Vec<_>>()) else { continue };
        // Until the first impacts: the error of rounding grows with each.
        for world in [&mut changed, &mut new] {
            world.take_events();
            world.step(0.25).unwrap();
        }
        let kinds = |world: &mut World| {
            let events = world.take_events().into_iter();
            events.filter(|event| event.kind == EventKind::Impact).map(|event| (event.a, event.b)).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&mut changed), kinds(&mut new), "round {round}");
        for id in changed.ids() {
            let (one, other) = (changed.state(id), new.state(id));
            assert!((one.position - other.position).length() < 1e-9, "round {round}: {}", changed.name(id));
            assert!((one.velocity - other.velocity).length() < 1e-8, "round {round}: {}", changed.name(id));
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn snapshots_know_what_was_changed() {
    let mut random = Random::from_state(70);
    for round in 0..40 {
        let mut world = crowd(&mut random, round % 2 == 0);
        after(&mut world, 0.2);
        let early = world.snapshot();
        let before: Vec<Body> = world.ids().map(|id| world.body(id)).collect();
        let gravity = world.settings().gravity;
        (0..6).for_each(|_| _ = change(&mut world, &mut random));
        after(&mut world, 0.3);
        let late = world.snapshot();
        let mut loaded: World = serde_json::from_str(&serde_json::to_string(&world).unwrap()).unwrap();
        assert_eq!(loaded.snapshot(), late);
        let events = after(&mut world, 0.5);
        assert_eq!(after(&mut loaded, 0.5), events, "round {round}");
        // Back behind the changes, and forward again.
        world.restore(&early).unwrap();
        assert_eq!(
            (world.ids().map(|id| world.body(id)).collect::<Vec<_>>(), world.settings().gravity),
            (before, gravity)
        );
        world.restore(&late).unwrap();
        assert_eq!(world.snapshot(), late);
        assert_eq!(after(&mut world, 0.5), events, "round {round}");
    }
}

/// Balls that were poured into a box, and are advanced by time steps, are changed one after the other.
#[test]
fn a_heap_goes_on_when_some_of_it_is_changed() {
    let mut random = Random::from_state(71);
    let walls = [X, -X, DVec3::Y, -DVec3::Y].map(|normal| plane(normal, -1.2));
    let walls = walls.into_iter().enumerate().map(|(n, wall)| (format!("wall/{n}"), wall));
    let mut bodies: Vec<(String, Body)> = walls.chain([("floor".to_owned(), plane(Z, 0.0))]).collect();
    for n in 0..60 {
        let place =
            DVec3::new(f64::from(n % 3), f64::from(n / 3 % 3), f64::from(n / 9)) * 0.7 - DVec3::new(0.7, 0.7, -0.4);
        bodies.push((format!("ball/{n}"), ball(0.3, 1.0).at(place + random.vector(0.03))));
    }
    let mut world = world(settings(Z * -10.0, 0.3, 0.3), bodies);
    after(&mut world, 1.5);
    let (start, mut changed) = (books(&world), 0);
    for round in 0..40 {
        let balls: Vec<BodyId> = world.ids().filter(|&id| world.body(id).is_free()).collect();
        let id = balls[random.below(balls.len())];
        let done = match random.below(4) {
            0 => {
                world.set_position(id, DVec3::new(random.unit() - 0.5, random.unit() - 0.5, 2.0 + 4.0 * random.unit()))
            }
            1 => world.set_material(id, MaterialId(random.below(2) as u16)),
            2 => world.set_layers(id, Layers::FIRST.and(Layers::one(1)), Layers::ALL),
            _ => world.set_gravity(Z * -10.0 + random.vector(2.0)),
        };
        changed += usize::from(done.is_ok());
        let mut twin = world.clone();
        let events = after(&mut world, 0.1);
        assert_eq!(after(&mut twin, 0.1), events, "round {round}");
        let (energy, _, scale) = books(&world);
        assert!((energy - start.0).abs() < 1e-9 * scale, "round {round}: {} J", energy - start.0);
        for (row, &one) in balls.iter().enumerate() {
            let place = world.position(one);
            let inside = place.x.abs().max(place.y.abs()) <= 0.9 + 1e-9 && place.z >= 0.3 - 1e-9;
            assert!(inside, "round {round}: {place}");
            let apart = |&other: &BodyId| (world.position(other) - place).length() >= 0.6 - 1e-9;
            assert!(balls[row + 1..].iter().all(apart), "round {round}: {}", world.name(one));
        }
    }
    assert!(changed > 30 && world.stepping_totals().time_steps > 100, "{changed} {:?}", world.stepping_totals());
}

#[test]
fn a_command_that_changes_nothing_does_nothing() {
    let gate = cube(1.0, 1.0).fixed().sensor();
    let bodies =
        [("ball", ball(0.2, 1.0)), ("gate", gate), ("low", cube(0.5, 1.0).at(x(5))), ("top", cube(0.5, 1.0).at(x(6)))];
    let mut world = world(settings(DVec3::ZERO, 0.5, 0.3), bodies);
    assert_eq!(after(&mut world, 1.0).len(), 1, "it is in the sensor from the beginning");
    let before = world.snapshot();
    for name in ["ball", "low"] {
        let id = id(&world, name);
        let body = world.body(id);
        world.set_position(id, body.position).unwrap();
        world.set_material(id, body.material).unwrap();
        world.set_layers(id, body.layers, body.collides_with).unwrap();
    }
    world.set_gravity(DVec3::ZERO).unwrap();
    assert_eq!(world.snapshot(), before);
    assert_eq!(after(&mut world, 1.0), []);
    // Out of the sensor and into it again.
    let ball = id(&world, "ball");
    world.set_position(ball, x(-5)).unwrap();
    world.set_position(ball, x(0)).unwrap();
    let kinds: Vec<EventKind> = after(&mut world, 1.0).iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::Leave, EventKind::Enter]);
}

/// Balls that fall in a heap, some of them far from the next one, while it is advanced by time steps.
#[test]
fn another_gravity_changes_no_velocity_at_once() {
    for to in [Z * -8.0, X * 3.0, DVec3::ZERO] {
        let walls = [X, -X, DVec3::Y, -DVec3::Y].map(|normal| plane(normal, -1.2));
        let walls = walls.into_iter().enumerate().map(|(n, wall)| (format!("wall/{n}"), wall));
        let mut bodies: Vec<(String, Body)> = walls.chain([("floor".to_owned(), plane(Z, 0.0))]).collect();
        for n in 0..40 {
            let at = |part: i32| f64::from(n / part % 3) * 0.7 - 0.7;
            let [a, b] = [f64::from(n % 5) * 0.013, f64::from(n % 4) * 0.017];
            bodies.push((
                format!("ball/{n}"),
                ball(0.3, 1.0).at(DVec3::new(at(1) + a, at(3) + b, 0.4 + 0.7 * f64::from(n / 9))),
            ));
        }
        let mut world = world(settings(Z * -9.0, 0.0, 0.0), bodies);
        while world.stepping_totals().time_steps < 4 {
            after(&mut world, 0.01);
        }
        let start = books(&world);
        let balls: Vec<BodyId> = world.ids().filter(|&id| world.body(id).is_free()).collect();
        let alone = |&&one: &&BodyId| {
            let near = |&other: &BodyId| other != one && (world.position(other) - world.position(one)).length() < 0.61;
            !balls.iter().any(near)
        };
        let alone: Vec<(BodyId, DVec3)> =
            balls.iter().filter(alone).map(|&id| (id, world.state(id).velocity)).collect();
        assert!(!alone.is_empty());
        world.set_gravity(to).unwrap();
        world.step(0.0).unwrap();
        for (id, velocity) in alone {
            assert!(
                (world.state(id).velocity - velocity).length() < 0.02,
                "{}: {velocity}, {}",
                world.name(id),
                world.state(id).velocity
            );
        }
        check_books(&world, start, "at once");
        after(&mut world, 0.5);
        check_books(&world, start, "later");
    }
}

#[test]
fn what_carries_a_stack_gets_another_material() {
    let lift = Body::cuboid(DVec3::new(1.0, 1.0, 0.25), 5.0).unwrap().kinematic().at(x(-3) + Z * 0.8).moving(Z * 0.5);
    let mut bodies = vec![("lift".to_owned(), lift)];
    bodies.extend((0..4).map(|n| (format!("stack/{n}"), cube(0.3, 1.0).at(x(-3) + Z * (1.35 + 0.6 * f64::from(n))))));
    let mut world = world(settings(Z * -9.0, 0.0, 0.6), bodies);
    let lift = id(&world, "lift");
    for round in 0..60 {
        world.set_material(lift, MaterialId(round % 2)).unwrap();
        after(&mut world, 0.1);
    }
    let gap = world.position(id(&world, "stack/0")).z - world.position(lift).z - 0.55;
    assert!(gap.abs() < 1e-9, "{gap}");
}

/// The position of a body on a course is set as it is given: without the displacement.
#[test]
fn a_body_on_a_course_is_put_elsewhere() {
    let swing = carom::Course::sine(X, 0.5, 1.0, 0.0).unwrap();
    let rest = Z * 3.0;
    let mut world = world(settings(Z * -10.0, 0.0, 0.0), [("swing", cube(0.5, 1.0).at(rest).along(swing))]);
    world.step(0.25).unwrap();
    let swing = id(&world, "swing");
    let away = X * 0.5;
    for (wanted, asked) in [(rest, rest), (Z * 5.0, Z * 5.0), (Z * 5.0 + away, world.position(swing) + Z * 2.0)] {
        world.set_position(swing, asked).unwrap();
        assert_eq!((world.body(swing).position, world.position(swing)), (wanted, wanted + away), "{asked}");
    }
    // Where it is, is not what it is given.
    let here = world.position(swing);
    world.set_position(swing, here).unwrap();
    assert_eq!(world.position(swing), here + away);
    world.step(0.5).unwrap();
    assert!((world.position(swing) - (here - away)).length() < 1e-12, "{}", world.position(swing));
}

/// A course counts where a body comes, where it is put, in whose layers it is, and where a cell becomes solid.
#[test]
fn nothing_that_a_course_carries_is_put_into_a_body() {
    // At 0.5 s it displaces by 20 m.
    let course = Course::sine(X, 20.0, 1.0, 0.75).unwrap();
    let carried = || ball(0.5, 1.0).kinematic().along(course);
    let cells = Grid::voxels(DVec3::ONE, [4, 1, 1], |cell| cell[0] == 0).unwrap();
    let grid = Body::grid(cells).at(DVec3::new(-2.5, -0.5, -0.5)).along(course);
    let ghost = carried().colliding_with(Layers::NONE);
    let bodies =
        vec![("ball", ball(0.5, 1.0).at(X * 20.0)), ("far", carried().at(X * 90.0)), ("ghost", ghost), ("grid", grid)];
    let mut world = world(settings(DVec3::ZERO, 1.0, 0.0), bodies);
    world.step(0.5).unwrap();
    let before = world.snapshot();
    let [far, ghost, grid] = ["far", "ghost", "grid"].map(|name| id(&world, name));
    let refused = [
        world.spawn("new", &carried()).map(drop),
        world.set_position(far, DVec3::ZERO),
        world.set_layers(ghost, Layers::FIRST, Layers::ALL),
        world.set_cell(grid, [2, 0, 0], true),
    ];
    for (number, result) in refused.into_iter().enumerate() {
        let text = result.unwrap_err().to_string();
        assert!(text.contains("overlap") && text.contains("ball"), "{number}: {text}");
    }
    assert_eq!(world.snapshot(), before, "what is refused changes nothing");
    // Where the course begins, nothing is in the way.
    world.spawn("new", &carried().at(X * -20.0)).unwrap();
}

/// What changes a body where it is does not change its way through the periods; a body that is put somewhere is there.
#[test]
fn a_body_keeps_its_way_through_the_periods_when_its_material_changes() {
    let mut materials = Materials::default();
    let other = materials.add(Material::default());
    let periods = [Some(Period { min: 0.0, max: 10.0 }), None, None];
    let space = Space { periods, ..Space::default() };
    let settings = Settings { gravity: X * 2.0, materials, space, ..Settings::default() };
    let mut world = World::new(settings, [("ball", ball(0.5, 1.0).at(X).made_of(MaterialId(0)))]).unwrap();
    let ball = id(&world, "ball");
    let start = books(&world);
    after(&mut world, 5.0);
    let way = |world: &World| world.position(ball) + X * (10.0 * world.turns(ball)[0] as f64);
    assert_eq!(way(&world), X * 26.0);
    world.set_material(ball, other).unwrap();
    world.set_layers(ball, Layers::one(1), Layers::ALL).unwrap();
    assert_eq!((way(&world), world.audit().work), (X * 26.0, 0.0));
    check_books(&world, start, "after a change of material");
    world.set_position(ball, X * 33.0).unwrap();
    assert_eq!((way(&world), world.position(ball)), (X * 33.0, X * 3.0));
    check_books(&world, start, "at another place");
}
