//! Planar worlds: discs with their own moment of inertia, what is refused, and hard discs beside theory.

use std::f64::consts::PI;

use carom::dynamics::{Body, Settings, SetupError, Space};
use carom::geometry::{CircleArc, Grid, Mesh};
use carom::motion::Course;
use carom::scenario::{Source, parse};
use carom::world::{self, CommandError, World};
use glam::{DVec2, DVec3};

use super::gas::{Gas, Plan};
use crate::common::scene::material;

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

fn plane() -> Settings {
    Settings { space: Space { is_planar: true, ..Space::default() }, ..Settings::default() }
}

fn rough(settings: Settings, restitution: f64, friction: f64) -> Settings {
    let mut settings = settings;
    settings.materials.add(material(restitution, friction));
    settings
}

/// A disc has ½ m r², so a disc that rolls down has 2/3 of the acceleration of one that slides, and a ball 5/7.
#[test]
fn a_disc_rolls_as_a_disc() {
    let (sine, cosine) = (0.6, 0.8);
    for (space, share) in [(plane().space, 2.0 / 3.0), (Space::default(), 5.0 / 7.0)] {
        let settings = rough(Settings { gravity: Y * -10.0, space, ..Settings::default() }, 0.0, 5.0);
        let stuff = carom::dynamics::MaterialId(1);
        let slope = Body::plane(DVec3::new(sine, cosine, 0.0), 0.0).unwrap().made_of(stuff);
        let disc = Body::sphere(0.5, 2.0).unwrap().at(DVec3::new(sine, cosine, 0.0) * 0.5).made_of(stuff);
        let mut world = World::new(settings, [("slope", slope), ("disc", disc)]).unwrap();
        world.step(2.0).unwrap();
        let state = world.state(world.id("disc").unwrap());
        let wanted = share * 10.0 * sine * 2.0;
        assert!((state.velocity.length() - wanted).abs() < 1e-9 * wanted, "{state:?}");
        assert!((state.spin + Z * (wanted / 0.5)).length() < 1e-8 * wanted, "{state:?}");
        assert_eq!([state.position.z, state.velocity.z], [0.0; 2]);
    }
}

/// An impact that friction brings to rolling: the slip loses all, of which a third goes into the speed (1/(1 + m
/// r²/I)).
#[test]
fn an_impact_turns_a_disc_as_a_disc() {
    let stuff = carom::dynamics::MaterialId(1);
    let floor = Body::plane(Y, 0.0).unwrap().made_of(stuff);
    let disc = Body::sphere(0.5, 1.0).unwrap().made_of(stuff).at(Y).moving(DVec3::new(3.0, -4.0, 0.0));
    let mut world = World::new(rough(plane(), 1.0, 1.0), [("floor", floor), ("disc", disc)]).unwrap();
    world.step(0.25).unwrap();
    let state = world.state(world.id("disc").unwrap());
    assert!((state.velocity - DVec3::new(2.0, 4.0, 0.0)).length() < 1e-14, "{state:?}");
    assert!((state.spin + Z * 4.0).length() < 1e-14, "{state:?}");
    // ½ m v² + ½ I ω² with I = ½ m r².
    assert!((world.balance().kinetic - (0.5 * 20.0 + 0.5 * 0.125 * 16.0)).abs() < 1e-13);
}

#[test]
fn what_is_not_in_the_plane_is_refused() {
    let disc = || Body::sphere(0.5, 1.0).unwrap();
    let up = |height: f64| DVec2::new(height, 1.0);
    let skewed = Mesh::new(&[X, Y, Z, -Z], &[[0, 1, 2], [0, 1, 3]]).unwrap();
    let wrong = [
        disc().at(Z * 0.1),
        disc().moving(Z),
        disc().spinning(X),
        disc().along(Course::sine(Z, 1.0, 1.0, 0.0).unwrap()),
        Body::plane(Y + Z, 0.0).unwrap(),
        Body::mesh(skewed),
        Body::mesh(Mesh::prism(&[up(0.0), up(1.0), DVec2::ZERO], 1.0).unwrap()).at(Z * 0.5),
        Body::grid(Grid::tiles(DVec3::ONE, &["#"]).unwrap()),
    ];
    for body in wrong {
        let made = World::new(plane(), [("it", body.clone())]);
        assert!(matches!(made, Err(carom::world::SetupError::OffPlane { .. })), "{body:?}");
    }
    let tilted = World::new(Settings { gravity: Z, ..plane() }, [("disc", disc())]);
    assert!(matches!(tilted, Err(carom::world::SetupError::Setting { field: "gravity", .. })));
    let mut deep = plane();
    deep.space.periods[2] = Some(carom::dynamics::Period { min: 0.0, max: 9.0 });
    assert!(matches!(carom::dynamics::Stepper::new(deep, &[disc()]), Err(SetupError::Setting { field: "space", .. })));

    let mut world = World::new(plane(), [("disc", disc())]).unwrap();
    let id = world.id("disc").unwrap();
    let before = carom::record::state_hash(&world);
    let is_off =
        |found: Result<(), CommandError>| matches!(found, Err(CommandError::OffPlane { .. } | CommandError::Spawn(_)));
    assert!(is_off(world.kick(id, Z)) && is_off(world.set_velocity(id, X + Z)) && is_off(world.set_position(id, Z)));
    assert!(world.spawn("other", &disc().at(X * 3.0 + Z)).is_err());
    assert_eq!(world.set_gravity(Z), Err(CommandError::Gravity));
    assert_eq!(carom::record::state_hash(&world), before);
}

/// Hard discs of diameter 1 m and mass 1 kg on a hexagonal lattice in a periodic rectangle, at 1 J.
fn discs(packing: f64, seed: u32) -> Gas {
    let (columns, rows) = (20, 12);
    let count = f64::from(2 * columns * rows);
    let spacing = (count * PI / 4.0 / packing / (f64::from(columns * rows) * 3.0_f64.sqrt())).sqrt();
    let (x, y) = (f64::from(columns) * spacing, f64::from(rows) * spacing * 3.0_f64.sqrt());
    let text = format!(
        "(timestep: 1, duration: 1, space: Planar(x: (0, {x:?}), y: (0, {y:?})),
        fill: [Lattice(name: \"gas\", shape: Disc(radius: 0.5), kind: Hexagonal, counts: ({columns}, {rows}), min: (0, 0),
            max: ({x:?}, {y:?}), mass: 1, temperature: 1, zero_momentum: true, seed: {seed})])"
    );
    let scenario = parse(&Source::new("discs.ron", text.as_str())).expect("a scenario").scenario;
    Gas { settings: scenario.settings, bodies: scenario.bodies }
}

/// Henderson's equation of state (D. Henderson, *A simple equation of state for hard discs*, Mol. Phys. 30, 971, 1975):
/// Z = (1 + η²/8)/(1 − η)². Beside the virial series it is right to 0.5 % up to a packing of 0.5. The contact value g =
/// (Z − 1)/(2 η) gives Enskog's rate of collisions, 2 √π n d g √(k_B T/m) per disc (Chapman & Cowling, 3rd ed., ch. 16,
/// for discs).
#[test]
fn hard_discs_have_the_pressure_and_the_rate_of_theory() {
    for (packing, allowed) in [(0.1, 0.006), (0.3, 0.01), (0.5, 0.02)] {
        let found = discs(packing, 3).run(Plan { melt: 20.0, span: 150.0, looks: 30 });
        let henderson = (1.0 + packing * packing / 8.0) / (1.0 - packing).powi(2);
        let contact = (henderson - 1.0) / (2.0 * packing);
        let density = packing / (PI / 4.0);
        let temperature = found.figures.temperature.unwrap();
        let rate = 2.0 * PI.sqrt() * density * contact * temperature.sqrt();
        assert_eq!(found.dimension, 2);
        let [z, collisions] = [found.figures.compressibility, found.figures.collision_rate].map(Option::unwrap);
        println!("{packing}: Z {z} for {henderson}, rate {collisions} for {rate}");
        assert!((z / henderson - 1.0).abs() < allowed, "{packing}: {z} {henderson}");
        assert!((collisions / rate - 1.0).abs() < allowed, "{packing}: {collisions} {rate}");
    }
}

fn circle(radius: f64) -> Body {
    Body::arc(CircleArc::new(radius, DVec2::X, DVec2::X).unwrap())
}

/// A disc in a smooth circle keeps its angular momentum, so it goes from chord to chord of one length.
#[test]
fn a_disc_in_a_circle_keeps_its_angular_momentum() {
    for (radius, velocity) in
        [(0.25, DVec2::new(1.0, 0.37)), (0.01, DVec2::new(-0.3, 2.0)), (0.7, DVec2::new(0.001, 1.0))]
    {
        let (start, velocity) = (DVec3::new(0.2, -0.05, 0.0), velocity.extend(0.0));
        let disc = Body::sphere(radius, 2.0).unwrap().at(start).moving(velocity);
        let mut world = World::new(plane(), [("circle", circle(1.0)), ("disc", disc)]).unwrap();
        let id = world.id("disc").unwrap();
        let momentum = start.cross(velocity).z;
        let chord = {
            let free = 1.0 - radius;
            let nearest = momentum / velocity.length();
            2.0 * (free * free - nearest * nearest).sqrt() / velocity.length()
        };
        let mut last = None;
        let mut count = 0;
        while count < 20_000 {
            world.step(100.0 * chord).unwrap();
            for event in world.take_events() {
                let time = event.time.seconds();
                if let Some(before) = last.replace(time) {
                    assert!(
                        (time - before - chord).abs() < 1e-11 * time,
                        "{radius} {count}: {} {chord}",
                        time - before
                    );
                }
                count += 1;
            }
            let state = world.state(id);
            let now = state.position.cross(state.velocity).z;
            assert!(
                (now - momentum).abs() < 1e-14 * velocity.length() * (count as f64).sqrt(),
                "{count}: {now} {momentum}"
            );
            assert!(state.position.length() < 1.0 - radius + 1e-14);
        }
    }
}

/// The mean free path in a billiard that mixes is π times its free area over its free perimeter (N. Chernov, *Entropy,
/// Lyapunov exponents, and mean free path for billiards*, J. Stat. Phys. 88, 1997). What is free is what the centre can
/// reach.
#[test]
fn the_mean_free_path_of_a_table_is_its_area_over_its_perimeter() {
    let (radius, half) = (0.1, 0.8);
    let side = |y: f64| Body::mesh(Mesh::wall(&[DVec2::new(-half, y), DVec2::new(half, y)], 2.0).unwrap());
    let bow = |x: f64| {
        let along = DVec2::new(0.0, x.signum());
        Body::arc(CircleArc::new(1.0, -along, along).unwrap()).at(X * x)
    };
    let stadium = vec![side(1.0), side(-1.0), bow(half), bow(-half)];
    let free = 1.0 - radius;
    let stadium_path = PI * (PI * free * free + 4.0 * half * free) / (2.0 * PI * free + 4.0 * half);
    let scatterer = vec![Body::sphere(0.3, 1.0).unwrap().fixed()];
    let reach: f64 = 0.3 + radius;
    let sinai_path = PI * (1.0 - PI * reach * reach) / (2.0 * PI * reach);
    let period = Some(carom::dynamics::Period { min: -0.5, max: 0.5 });
    let mut cell = plane();
    cell.space.periods = [period, period, None];
    for (name, settings, walls, wanted) in
        [("stadium", plane(), stadium, stadium_path), ("Sinai", cell, scatterer, sinai_path)]
    {
        let (mut impacts, mut way) = (0, 0.0);
        for n in 0..8 {
            let angle = 0.3 + 0.7 * f64::from(n);
            let velocity = DVec3::new(libm::cos(angle), libm::sin(angle), 0.0);
            let disc = Body::sphere(radius, 1.0).unwrap().at(DVec3::new(0.4, 0.41, 0.0)).moving(velocity);
            let bodies = walls.iter().cloned().chain([disc]).enumerate().map(|(n, body)| (format!("b{n}"), body));
            let mut world = World::new(settings.clone(), bodies).unwrap();
            world.step(6_000.0).unwrap();
            let events = world.take_events();
            impacts += events.len();
            way += events.last().unwrap().time.seconds() - events[0].time.seconds();
        }
        let found = way / (impacts - 8) as f64;
        println!("{name}: {found} for {wanted} in {impacts} impacts");
        // Free paths scatter by about their mean, and those in a row are nearly independent.
        assert!((found / wanted - 1.0).abs() < 4.0 / (impacts as f64).sqrt(), "{name}: {found} {wanted} {impacts}");
    }
}

/// A disc that slides or rolls in a bowl is a pendulum: (1 + share) θ″ = −g sin θ / (R − r), with share ½ if it rolls.
#[test]
fn a_disc_in_a_bowl_is_a_pendulum() {
    let (bowl, radius, gravity, start) = (2.0, 0.25, 10.0, 1.2_f64);
    for (friction, share) in [(0.0, 0.0), (3.0, 0.5)] {
        let mut errors = Vec::new();
        for rest_height in [1e-5, 1e-7] {
            let stuff = carom::dynamics::MaterialId(1);
            let settings = Settings { gravity: Y * -gravity, rest_height, ..rough(plane(), 0.0, friction) };
            let arc = Body::arc(CircleArc::new(bowl, -DVec2::X, DVec2::X).unwrap()).made_of(stuff);
            let length = bowl - radius;
            let place = |angle: f64| DVec3::new(libm::sin(angle), -libm::cos(angle), 0.0) * length;
            let disc = Body::sphere(radius, 1.0).unwrap().made_of(stuff).at(place(start));
            let mut world = World::new(settings, [("bowl", arc), ("disc", disc)]).unwrap();
            let id = world.id("disc").unwrap();
            let at_start = world.balance().kinetic + world.balance().potential;
            let pull = gravity / length / (1.0 + share);
            let slope = |[angle, rate]: [f64; 2]| [rate, -pull * libm::sin(angle)];
            let (mut state, step) = ([start, 0.0], 1e-4);
            let mut worst: f64 = 0.0;
            for _ in 0..50 {
                for _ in 0..1000 {
                    let add = |to: [f64; 2], by: [f64; 2], of: f64| [to[0] + by[0] * of, to[1] + by[1] * of];
                    let a = slope(state);
                    let b = slope(add(state, a, 0.5 * step));
                    let c = slope(add(state, b, 0.5 * step));
                    let d = slope(add(state, c, step));
                    for n in 0..2 {
                        state[n] += step / 6.0 * (a[n] + 2.0 * b[n] + 2.0 * c[n] + d[n]);
                    }
                }
                world.step(0.1).unwrap();
                let found = world.state(id).position;
                worst = worst.max((found - place(state[0])).length());
                assert!(found.length() < length + 2.0 * rest_height, "{found}");
            }
            let energy = world.balance().kinetic + world.balance().potential;
            // The forces of each span are along one normal: see `docs/method.md`.
            assert!((energy - at_start).abs() < 2.0 * gravity * rest_height, "{energy} {at_start}");
            errors.push(worst);
        }
        println!("friction {friction}: {errors:?}");
        assert!(errors[0] < 5e-3 && errors[1] < 0.2 * errors[0] + 1e-6, "{friction}: {errors:?}");
    }
}

#[test]
fn only_discs_meet_an_arc() {
    let cube = || Body::cuboid(DVec3::splat(0.1), 1.0).unwrap();
    let refused = World::new(plane(), [("circle", circle(1.0)), ("box", cube())]);
    assert!(matches!(refused, Err(carom::world::SetupError::BoxWithArc { .. })));
    let mut world = World::new(plane(), [("circle", circle(1.0)), ("post", cube().fixed())]).unwrap();
    assert!(world.spawn("box", &cube().at(X * 0.5)).is_err());
    world.despawn(world.id("circle").unwrap()).unwrap();
    world.spawn("box", &cube().at(X * 0.5)).unwrap();
    assert!(world.spawn("arc", &circle(3.0)).is_err());
    assert!(World::new(Settings::default(), [("circle", circle(1.0))]).is_err());
}

/// A disc that touches an arc everywhere has a contact without a normal: it would sink into the arc.
#[test]
fn a_disc_as_large_as_the_circle_of_an_arc_has_no_place_in_its_hollow() {
    let disc = |radius: f64, place: DVec3| Body::sphere(radius, 1.0).unwrap().at(Y + place);
    let half = || Body::arc(CircleArc::new(1.0, -DVec2::X, DVec2::X).unwrap()).at(Y);
    let is_meant = |error: &world::SetupError| matches!(error, world::SetupError::FillsArc { body, arc } if body == "disc" && arc == "arc");
    let rows = [
        (circle(1.0).at(Y), disc(1.0, DVec3::ZERO), false),
        (circle(1.0).at(Y), disc(1.0 + f64::EPSILON, X * f64::EPSILON), false),
        (circle(1.0).at(Y), disc(1.0 - 4.0 * f64::EPSILON, DVec3::ZERO), true),
        (circle(1.0).at(Y), disc(1.0, Y * 2.0), true),
        (half(), disc(1.0, DVec3::ZERO), false),
        (half(), disc(1.0, Y * 0.5), true),
        // On both ends of the arc.
        (half(), disc(1.25, Y * 0.75), true),
    ];
    for (row, (arc, disc, is_right)) in rows.into_iter().enumerate() {
        let bodies = [("arc", arc), ("disc", disc)];
        let [a, b] = bodies.clone();
        for bodies in [bodies, [b, a]] {
            let whole = World::new(plane(), bodies.clone()).map(|_| ()).map_err(|error| is_meant(&error));
            assert_eq!(whole, if is_right { Ok(()) } else { Err(true) }, "{row}");
            let [first, (name, second)] = bodies;
            match World::new(plane(), [first]).unwrap().spawn(name, &second) {
                Ok(_) => assert!(is_right, "{row}"),
                Err(CommandError::Spawn(error)) => assert!(!is_right && is_meant(&error), "{row}: {error:?}"),
                Err(error) => panic!("{row}: {error:?}"),
            }
        }
    }
    let text = "(timestep: 1, duration: 1, space: Planar(), bodies: [(name: \"a\", shape: Arc(radius: 1)), (name: \"d\", shape: Disc(radius: 1), mass: 1)])";
    let error = parse(&Source::new("x.ron", text)).unwrap().scenario.world().err().unwrap();
    assert_eq!(
        error.to_string(),
        "the disc `d` lies in the hollow of the arc `a` and is as large as its circle: make the disc smaller"
    );
}

/// Discs that fall through a hopper of segments onto a polygon and into a bowl.
fn busy() -> Vec<(String, Body)> {
    let stuff = carom::dynamics::MaterialId(1);
    let wall = |from: [f64; 2], to: [f64; 2]| Body::mesh(Mesh::wall(&[from.into(), to.into()], 3.0).unwrap());
    let rock = [[-0.6, 0.2], [0.7, 0.0], [0.1, 0.8]].map(DVec2::from);
    let fixed = [
        wall([-2.0, 3.5], [-0.3, 2.0]),
        wall([2.0, 3.5], [0.3, 2.1]),
        Body::mesh(Mesh::prism(&rock, 1.0).unwrap()),
        Body::arc(CircleArc::new(3.0, DVec2::new(-1.0, 0.1), DVec2::new(1.0, 0.3)).unwrap()).at(Y * 2.0),
    ];
    let discs = (0..40).map(|n| {
        let place = DVec3::new(f64::from(n % 8) * 0.4 - 1.4, f64::from(n / 8) * 0.4 + 4.0, 0.0);
        Body::sphere(0.1 + 0.002 * f64::from(n), 1.0).unwrap().at(place).moving(X * f64::from(n % 3))
    });
    fixed.into_iter().chain(discs).enumerate().map(|(n, body)| (format!("{n:02}"), body.made_of(stuff))).collect()
}

/// The events of a busy world do not depend on its timestep, on the order of its bodies, or on whether it is saved,
/// restored or written as bytes on the way.
#[test]
fn a_planar_world_keeps_the_promises() {
    let settings = Settings { gravity: Y * -10.0, ..rough(plane(), 0.5, 0.3) };
    let bodies = busy();
    let make = |bodies: &[(String, Body)]| World::new(settings.clone(), bodies.iter().cloned()).unwrap();
    let mut whole = make(&bodies);
    whole.step(3.0).unwrap();
    let events = whole.take_events();
    assert!(events.len() > 500, "{}", events.len());
    for event in &events {
        assert_eq!([event.point.z, event.normal.z], [0.0; 2], "{event:?}");
    }
    let reversed: Vec<(String, Body)> = bodies.iter().rev().cloned().collect();
    let mut parts = make(&reversed);
    let mut seen = Vec::new();
    for step in 0..300 {
        parts.advance(carom::motion::SimTime::from_seconds(0.01 * f64::from(step + 1)), usize::MAX).unwrap();
        seen.extend(parts.take_events());
        if step % 50 == 25 {
            let mut bytes = Vec::new();
            parts.save_into(&mut bytes);
            let mut other = make(&bodies);
            other.restore_from(&bytes).unwrap();
            let copy = serde_json::to_string(&other).unwrap();
            parts = serde_json::from_str(&copy).unwrap();
            let snapshot = parts.snapshot();
            parts.restore(&snapshot).unwrap();
        }
    }
    assert_eq!(seen.len(), events.len());
    let told = |event: &carom::dynamics::Event| (event.time, event.kind, event.a, event.b, event.impulse.to_bits());
    assert!(seen.iter().map(told).eq(events.iter().map(told)));
    assert_eq!(carom::record::state_hash(&parts), carom::record::state_hash(&whole));
}
