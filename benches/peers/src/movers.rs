//! A character that walks over tiles and over voxels: carom's slide beside Rapier's character controller. Time of a
//! step, and how often it is stuck where the way is free, inside of something, or outside of the level.

use carom::geometry::{Aabb, Grid, HalfExtents, Ray};
use carom::glam::DVec3;
use carom::{Body, Filter, Settings, SlideOptions, World};
use cpu_time::ThreadTime;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapier3d_f64::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use rapier3d_f64::prelude::{ColliderBuilder, IVector, PhysicsWorld, Pose, SharedShape, Vector};

use crate::rapier::to_rapier;
use crate::table::{head, number, row};

/// Tiles of 1 m along an edge of the floor.
const SIDE: u32 = 100;

/// Half the edges of the character, m.
const HERO: DVec3 = DVec3::new(0.3, 0.3, 0.9);

/// Length of a frame, s; speed, m/s; gravity, m/s².
const FRAME: f64 = 1.0 / 60.0;
const SPEED: f64 = 6.0;
const GRAVITY: f64 = 10.0;

/// Height of the steps, m.
const STEP: f64 = 0.25;

/// Overlaps from here on count as inside, m.
const INSIDE: f64 = 1e-6;

/// The boxes of the level: half edges and places. One tile in eight is a wall, one a step; around it is a wall.
fn level() -> Vec<(DVec3, DVec3)> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let tile = |n: u32, random: &mut ChaCha8Rng| {
        let place = DVec3::new(f64::from(n % SIDE), f64::from(n / SIDE), 0.0);
        let kind = random.random_range(0..8);
        let height = match kind {
            _ if place.max_element() < 3.0 => 0.0,
            0 => 2.0,
            1 => STEP,
            _ => 0.0,
        };
        let half = DVec3::new(0.5, 0.5, 0.5 + 0.5 * height);
        (half, place + DVec3::Z * (half.z - 1.0))
    };
    let mut boxes: Vec<_> = (0..SIDE * SIDE).map(|n| tile(n, &mut random)).collect();
    let (middle, half) = (0.5 * f64::from(SIDE - 1), 0.5 * f64::from(SIDE));
    for side in [DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y] {
        let along = side.abs();
        let size = along + (1.0 - along) * half + DVec3::Z;
        boxes.push((size.with_z(3.0), DVec3::new(middle, middle, 2.0) + side * (half + 1.0)));
    }
    boxes
}

/// The voxels of the level: a floor of 1 m with walls of 2 m on one in eight of its places and around it.
fn voxels() -> Vec<[u32; 3]> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let columns = (0..SIDE * SIDE).map(|n| ([n % SIDE, n / SIDE], random.random_range(0..8) == 0));
    let height = |[x, y]: [u32; 2], is_wall: bool| {
        let is_rim = [x, y].iter().any(|&n| n == 0 || n == SIDE - 1);
        if is_rim || is_wall && x.max(y) > 3 { 3 } else { 1 }
    };
    columns.flat_map(|(column, is_wall)| (0..height(column, is_wall)).map(move |z| [column[0], column[1], z])).collect()
}

/// What a character does: the motion of each frame, without gravity.
fn wishes(steps: usize) -> Vec<DVec3> {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut heading = 0.0;
    let wish = |n: usize| {
        heading = if n.is_multiple_of(60) { random.random_range(0.0..6.3) } else { heading };
        let turn: f64 = heading + random.random_range(-0.1..0.1);
        DVec3::new(turn.cos(), turn.sin(), 0.0) * (SPEED * FRAME)
    };
    (0..steps).map(wish).collect()
}

/// Walks, and writes a row: `go` returns the next place, and whether it stands.
fn walk(name: &str, world: &World, wishes: &[DVec3], mut go: impl FnMut(DVec3, DVec3) -> (DVec3, bool)) {
    let half = HalfExtents::new(HERO).expect("a box");
    let (mut place, mut fall) = (DVec3::new(1.0, 1.0, HERO.z + 0.1), 0.0);
    let (mut time, mut stuck, mut inside, mut outside, mut way) = (0.0, 0, 0, 0, 0.0);
    for &wish in wishes {
        fall -= GRAVITY * FRAME;
        let motion = wish + DVec3::Z * (fall * FRAME);
        let begin = ThreadTime::now();
        let (next, stands) = go(place, motion);
        time += begin.elapsed().as_secs_f64();
        // A little above the floor the way ahead is free.
        let ray = Ray { origin: place + DVec3::Z * 0.02, direction: wish };
        let is_free = world.cast_box(half, &ray, 1.0, &Filter::ALL).is_none();
        stuck += usize::from(is_free && (next - place).dot(wish) < 0.5 * wish.length_squared());
        let bounds = Aabb { min: next - HERO + INSIDE, max: next + HERO - INSIDE };
        inside += usize::from(!world.overlapping(&bounds, &Filter::ALL).is_empty());
        let is_out = next.z < 0.0 || next.min_element() < -0.5 || next.truncate().max_element() > f64::from(SIDE) - 0.5;
        outside += usize::from(is_out);
        way += (next - place).with_z(0.0).length();
        (place, fall) = (next, if stands { 0.0 } else { fall });
    }
    let share = |count: usize| number(count as f64 / wishes.len() as f64);
    let micros = number(1e6 * time / wishes.len() as f64);
    row(&[name.to_owned(), micros, share(stuck), share(inside), share(outside), number(way)]);
}

/// Walks for so many frames.
pub(crate) fn movers(steps: usize) {
    let wishes = wishes(steps);
    let level = level();
    let body = |(n, &(half, place)): (usize, &(DVec3, DVec3))| {
        (format!("{n:05}"), Body::cuboid(half, 1.0).expect("a box").fixed().at(place))
    };
    let bodies: Vec<_> = level.iter().enumerate().map(body).collect();
    let tile = |&(half, place): &(DVec3, DVec3)| {
        ColliderBuilder::cuboid(half.x, half.y, half.z).translation(to_rapier(place))
    };
    both("walk over tiles", bodies, level.iter().map(tile), &wishes);

    let solid = voxels();
    let place = DVec3::new(-0.5, -0.5, -1.0);
    let mut cells = vec![false; (SIDE * SIDE * 3) as usize];
    solid.iter().for_each(|&[x, y, z]| cells[((z * SIDE + y) * SIDE + x) as usize] = true);
    let grid = Grid::voxels(DVec3::ONE, [SIDE, SIDE, 3], |[x, y, z]| cells[((z * SIDE + y) * SIDE + x) as usize]);
    let body = Body::grid(grid.expect("a grid")).at(place);
    let keys: Vec<IVector> = solid.iter().map(|&[x, y, z]| IVector::new(x.into(), y.into(), z.into())).collect();
    let collider = ColliderBuilder::voxels(Vector::ONE, &keys).translation(to_rapier(place));
    both("walk over voxels", vec![("voxels".to_owned(), body)], [collider].into_iter(), &wishes);
}

/// Walks in one level with both.
fn both(
    title: &str,
    bodies: Vec<(String, Body)>,
    colliders: impl Iterator<Item = ColliderBuilder>,
    wishes: &[DVec3],
) {
    let world = World::new(Settings::default(), bodies).expect("a valid level");
    let hero = HalfExtents::new(HERO).expect("a box");
    let options = SlideOptions { walking: true, step: STEP, snap: STEP, ..SlideOptions::default() };
    let mut rapier = PhysicsWorld::default();
    for collider in colliders {
        rapier.insert_collider(collider, None);
    }
    rapier.step();
    let shape = SharedShape::cuboid(HERO.x, HERO.y, HERO.z);
    let autostep = CharacterAutostep {
        max_height: CharacterLength::Absolute(STEP * 1.1),
        min_width: CharacterLength::Absolute(0.1),
        include_dynamic_bodies: false,
    };
    let controller = KinematicCharacterController {
        up: Vector::Z,
        autostep: Some(autostep),
        snap_to_ground: Some(CharacterLength::Absolute(STEP)),
        ..KinematicCharacterController::default()
    };
    head(&[title, "µs a step", "stuck", "inside", "outside", "way, m"]);
    walk("carom", &world, wishes, |place, motion| {
        let slide = world.slide(hero, place, motion, 0.0, &Filter::ALL, &options).expect("it is never inside");
        (slide.to, slide.on_floor())
    });
    walk("Rapier's controller", &world, wishes, |place, motion| {
        let (pose, queries) = (Pose::from_translation(to_rapier(place)), rapier.query_pipeline());
        let moved = controller.move_shape(FRAME, &queries, &*shape, &pose, to_rapier(motion), |_| {});
        let way = moved.translation;
        (place + DVec3::new(way.x, way.y, way.z), moved.grounded)
    });
}
