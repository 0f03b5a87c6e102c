//! Bodies that ride: on a face that a course moves.

use std::f64::consts::TAU;

use carom::motion::SimTime;
use carom::{Body, Course, Friction, MaterialId, Materials, Pairing, Restitution, Settings, World};
use glam::DVec3;

use super::unexplained;
use crate::common::scene::{ball, cuboid, plane, settings};
use crate::common::world;

const Z: DVec3 = DVec3::Z;
const G: f64 = 10.0;

fn rough(friction: f64, bodies: Vec<(&'static str, Body)>) -> World {
    under(Z * -G, friction, bodies)
}

fn under(gravity: DVec3, friction: f64, bodies: Vec<(&'static str, Body)>) -> World {
    world(settings(gravity, 0.0, friction), bodies)
}

/// On a slope that swings along its normal a ball rolls as on one at rest, with 5/7 of the acceleration of a block.
#[test]
fn a_ball_rolls_down_a_slope_that_swings() {
    let (normal, down) = (DVec3::new(0.6, 0.0, 0.8), DVec3::new(0.8, 0.0, -0.6));
    let course = Course::sine(normal, 0.01, 1.0, 0.0).unwrap();
    let mut world =
        rough(0.6, vec![("ball", ball(0.1, 1.0).at(normal * 0.1)), ("slope", plane(normal, 0.0).along(course))]);
    let (id, before) = (world.id("ball").unwrap(), world.balance());
    for n in 1..=50 {
        world.step(0.01).unwrap();
        let (t, state) = (0.01 * f64::from(n), world.state(id));
        let speed = 6.0 / 1.4 * t;
        let place = normal * (0.1 + 0.01 * (TAU * t).sin()) + down * (0.5 * speed * t);
        assert!((state.position - place).length() < 1e-12, "{t}: {} for {place}", state.position);
        assert!((state.spin - DVec3::Y * (speed / 0.1)).length() < 1e-11, "{t}: {}", state.spin);
    }
    let (gained, size) = unexplained(&before, &world);
    assert!(gained.abs() < 1e-13 * size && world.audit().contact_heat == 0.0, "{gained:e} {:?}", world.audit());
}

/// The heat and the work of friction do not depend on how its contact ends: at the edge of the floor, or by a command.
/// The force is µ m g; it acts along the way of the floor.
#[test]
fn heat_of_a_slide_on_a_course_is_kept_when_the_contact_ends() {
    let floor = |course: Course| cuboid(DVec3::new(0.3, 0.3, 0.1), 1.0).at(Z * -0.1).along(course);
    let courses = [
        Course::sine(DVec3::X, 0.5, 1.0, 0.0).unwrap(),
        Course::polynomial(DVec3::X, &[0.0, 3.0, 0.0, -1.0], 1.0).unwrap(),
    ];
    for course in courses {
        for at_edge in [true, false] {
            let block = cuboid(DVec3::splat(0.1), 1.0).at(DVec3::new(if at_edge { -0.2 } else { 0.0 }, 0.0, 0.1));
            let mut world = rough(0.1, vec![("block", block), ("floor", floor(course))]);
            world.step(0.06).unwrap();
            if at_edge {
                world.step(0.04).unwrap();
            } else {
                world.despawn(world.id("floor").unwrap()).unwrap();
            }
            // The force is 1 N, so its impulse is the time for which it acted.
            let (audit, t) = (world.audit(), world.audit().impulse.x);
            assert!(t >= 0.06 - 1e-12, "{audit:?}");
            let way = course.at(SimTime::from_seconds(t))[0].x;
            let slip = way - 0.5 * t * t;
            assert!(
                (audit.work - way).abs() < 1e-12 && (audit.contact_heat - slip).abs() < 1e-12,
                "{audit:?} for {way}"
            );
            assert!(!at_edge || (slip - 0.2).abs() < 1e-12, "{slip}");
        }
    }
}

/// A block on a plate that shakes along itself, where gravity pulls it more than friction holds it: it never sticks,
/// and its own acceleration is constant. At the speed at which it would stick friction is as large as the pull or
/// larger.
#[test]
fn a_block_that_slides_ever_faster_on_a_course_never_sticks() {
    let course = Course::sine(DVec3::X, 0.02, 6.0, 0.0).unwrap();
    for (pull, first) in [(1.0, 1.0), (1.0, 2.0), (2.0, 3.0), (5.0, 0.8)] {
        let block = cuboid(DVec3::splat(0.1), 1.0).at(Z * 0.1).moving(DVec3::X * first);
        let bodies = vec![("block", block), ("plate", plane(Z, 0.0).along(course))];
        let mut world = under(DVec3::new(pull, 0.0, -G), 0.1, bodies);
        world.step(3.0).unwrap();
        let state = world.state(world.id("block").unwrap());
        let (speed, way) = (first + 3.0 * (pull - 1.0), 3.0 * first + 4.5 * (pull - 1.0));
        assert!((state.velocity.x - speed).abs() < 1e-9 && (state.position.x - way).abs() < 1e-9, "{pull}: {state:?}");
        assert_eq!(world.events().len(), 1, "{pull}: {:?}", world.events());
    }
    // Near the limit it sticks for a moment of each cycle from when its own speed is that of the plate, after 10⁴
    // cycles.
    let fastest = 0.02 * 6.0 * TAU;
    let block = cuboid(DVec3::splat(0.1), 1.0).at(Z * 0.1).moving(DVec3::X * (fastest + 1.0));
    let bodies = vec![("block", block), ("plate", plane(Z, 0.0).along(course))];
    let mut world = under(DVec3::new(1.0 - 6e-4, 0.0, -G), 0.1, bodies);
    let id = world.id("block").unwrap();
    for (time, speed) in [(1600.0, fastest + 1.0 - 0.96), (2000.0, fastest)] {
        world.step(time - world.now().seconds()).unwrap();
        let found = world.state(id).velocity.x;
        assert!((found - speed).abs() < 1e-9, "{time}: {found} for {speed}");
    }
}

/// A course that ends may stop with a jump of its acceleration: a slip that grew until then ends soon after it.
#[test]
fn slips_end_after_the_end_of_a_course() {
    for (scale, friction) in [(2.4, 0.4), (2.5, 0.4), (3.0, 0.4), (2.4, 0.45), (-2.4, 0.4), (-6.0, 0.3)] {
        let plate = plane(Z, 0.0).along(Course::polynomial(DVec3::X, &[0.0, 0.0, scale, -scale / 0.75], 0.5).unwrap());
        let block = cuboid(DVec3::splat(0.1), 1.0).at(Z * 0.1);
        let mut world = rough(friction, vec![("block", block), ("plate", plate)]);
        world.step(0.7).unwrap();
        let block = world.state(world.id("block").unwrap());
        // By small steps of the law.
        let (mut place, mut speed, mut stuck, step) = (0.0, 0.0, true, 1e-7_f64);
        for n in 0..7_000_000 {
            let t = (f64::from(n) + 0.5) * step;
            let [own, pull] =
                if t < 0.5 { [scale * (2.0 * t - 4.0 * t * t), scale * (2.0 - 8.0 * t)] } else { [0.0, 0.0] };
            let held = if stuck && pull.abs() <= friction * G { pull } else { friction * G * (own - speed).signum() };
            let before = own - speed;
            speed = if stuck && pull.abs() <= friction * G { own } else { speed + held * step };
            stuck = stuck && pull.abs() <= friction * G
                || !stuck && (own - speed) * before <= 0.0 && pull.abs() <= friction * G;
            place += speed * step;
        }
        let off = [block.position.x - place, block.velocity.x - speed];
        assert!(off.iter().all(|off| off.abs() < 1e-5), "{scale}: {block:?} for {place} {speed}");
    }
}

/// Boxes that slid on each other come to rest after their plate has stopped, and fall asleep.
#[test]
fn a_stack_rests_on_a_course_that_has_ended() {
    let course = Course::polynomial(DVec3::X, &[0.0, 0.0, -5.207796056192571, 5.1289148382061], 0.676919806037575);
    let mut materials = Materials::default();
    let ids: Vec<MaterialId> = (0..4).map(|_| materials.add(Restitution::new(0.0).unwrap())).collect();
    for (pair, friction) in ids.windows(2).zip([0.3, 0.1, 0.5]) {
        let friction = Some(Friction::new(friction).unwrap());
        materials.set_pair(pair[0], pair[1], Pairing { friction, ..Pairing::default() });
    }
    let settings = Settings { gravity: Z * -9.81, materials, rest_height: 1e-6, ..Settings::default() };
    let slab = |n: usize, mass: f64| {
        let place = Z * (0.1 + 0.2 * n as f64);
        (["b0", "b1", "b2"][n], cuboid(DVec3::new(1.0, 0.2, 0.1), mass).at(place).made_of(ids[n + 1]))
    };
    let plate = ("plate", plane(Z, 0.0).along(course.unwrap()).made_of(ids[0]));
    let mut world = World::new(settings, [slab(0, 0.5), slab(1, 1.0), slab(2, 2.0), plate]).unwrap();
    let start = world.balance();
    world.step(6.0).unwrap();
    assert_eq!(world.stepping_totals().asleep, 3);
    let (gained, size) = unexplained(&start, &world);
    assert!(gained.abs() < 1e-9 * size, "{gained:e}");
}

/// A course may end after the clock does, beside another one.
#[test]
fn a_course_longer_than_the_clock_carries_a_block() {
    let slow = plane(Z, 0.0).along(Course::polynomial(DVec3::X, &[1.0], 1e13).unwrap());
    let other = plane(DVec3::X, -9.0).along(Course::sine(DVec3::X, 0.1, 1.0, 0.0).unwrap());
    let block = cuboid(DVec3::splat(0.1), 1.0).at(Z * 0.1);
    let mut world = rough(0.3, vec![("block", block), ("other", other), ("slow", slow)]);
    world.step(2.0).unwrap();
    assert_eq!(world.position(world.id("block").unwrap()), Z * 0.1);
}
