//! Random floors, slopes, walls and corners of tiles: boxes, half-spaces and meshes whose faces are in one plane. A
//! body moves on them as on one large box, in any permutation and mirror of the axes.
//!
//! `CAROM_SCENE=tiling_017` runs only this scene; `CAROM_SCENES=6000` runs that many.

use std::sync::Arc;

use carom::dynamics::{Body, Settings};
use carom::geometry::{Mesh, Shape};
use glam::DVec3;

use crate::common::scene::{Run, STUFF, View, ball, cuboid, plane, settings};
use crate::common::{Random, is_thorough};
use crate::scene::{X, Y, Z, choose, spread, written};

/// How long each scene runs after the fall to the floor, s, and how often places are compared.
const SECONDS: f64 = 2.0;
const LOOKS: u32 = 8;

/// Most tiles along one axis.
const TILES_MAX: f64 = 300.0;

/// More impacts than a body has in any of these scenes without a stall.
const IMPACTS_MAX: u32 = 10_000;

/// Pitches of tiles, m: dyadic ones, and ones that no binary number is.
const PITCHES: [f64; 8] = [1.0, 0.5, 0.25, 0.3, 0.7, 0.1, 1.0 / 3.0, 2.2];

/// Overlaps (negative) and slits between tiles, m.
const SLITS: [f64; 10] = [-1e-3, -1e-9, 0.0, 0.0, 1e-17, 1e-15, 1e-12, 1e-10, 1e-9, 1e-7];

/// Up to this slit, m, a body moves as on one box, to [`SAME`], m, and a thousand roundings of its place. A wider slit
/// may turn it a little at each seam.
const SLIT_MIN: f64 = 1e-12;
const SAME: f64 = 1e-9;
const ROUNDINGS: f64 = 1e-12;
const PER_SLIT: f64 = 40.0;

/// Deepest overlap, relative to the smaller body.
const OVERLAP_MAX: f64 = 1e-9;

/// A scene twice: on tiles, and on large boxes. The moving body is the last one.
struct Scene {
    title: String,
    settings: Settings,
    tiled: Vec<Body>,
    whole: Vec<Body>,
    pitch: f64,
    slit: f64,
    /// The time of the fall to the floor, s.
    fall: f64,
    view: View,
    kind: Kind,
    /// Whether tiles are removed and laid again, or turn all together, where places are compared.
    changes: bool,
}

/// What the tiles are, besides boxes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Fixed,
    /// They all have the same velocity, m/s.
    Kinematic(DVec3),
    /// About half of them are flat meshes.
    Meshes,
    /// A half-space has its surface in the plane of their faces.
    Plane,
}

impl Kind {
    fn random(random: &mut Random) -> Self {
        match random.below(12) {
            0 => Self::Kinematic(DVec3::ZERO),
            1 | 2 => Self::Kinematic(random.vector(0.5)),
            3 => Self::Meshes,
            4 => Self::Plane,
            _ => Self::Fixed,
        }
    }

    fn velocity(self) -> DVec3 {
        if let Self::Kinematic(velocity) = self { velocity } else { DVec3::ZERO }
    }

    fn held(self, body: Body) -> Body {
        if let Self::Kinematic(velocity) = self { body.kinematic().moving(velocity) } else { body.fixed() }
    }
}

/// The body, its start and its motion relative to the floor.
struct Hero {
    body: Body,
    half: DVec3,
    velocity: DVec3,
    /// Height of its start above the floor, m.
    drop: f64,
    /// The fall to the floor, s.
    fall: f64,
    /// Acceleration along the floor, m/s².
    slope: f64,
}

impl Hero {
    fn random(random: &mut Random) -> Self {
        let speed = spread(random, 0.1, 100.0);
        let heading = choose(random, &[0.0, 0.0, 1.0, 0.3]);
        let slope = choose(random, &[0.0, 0.0, 0.0, -3.0, 8.0]);
        let far = random.below(20) == 0;
        let drop = if far { spread(random, 10.0, 1000.0) } else { choose(random, &[0.0, 0.0, 0.0, 0.3, 1.0]) };
        let up = if far || random.below(4) > 0 { 0.0 } else { random.between(-3.0, 3.0) };
        let velocity = DVec3::new(speed, heading * speed, up);
        Self { body: ball(0.1, 1.0), half: DVec3::ZERO, velocity, drop, fall: (2.0 * drop / 10.0_f64).sqrt(), slope }
    }

    /// A ball or a box whose width is often a multiple of the pitch.
    fn shaped(self, random: &mut Random, pitch: f64) -> Self {
        let width = |random: &mut Random| match random.below(4) {
            0 => 0.5 * pitch.min(4.0),
            1 => pitch.min(2.0),
            2 => 0.3,
            _ => spread(random, 0.02, 0.5),
        };
        if random.below(2) == 0 {
            let radius = width(random).min(0.5);
            // Without spin it slides, with this one it rolls.
            let spin = Y * (choose(random, &[0.0, 0.0, 1.0]) * self.velocity.x / radius);
            return Self { body: ball(radius, 1.0).spinning(spin), half: DVec3::splat(radius), ..self };
        }
        let half = DVec3::new(width(random), width(random), spread(random, 0.05, 0.5));
        Self { body: cuboid(half, 1.0), half, ..self }
    }

    /// The least and the largest coordinates that it reaches from `start`.
    fn range(&self, start: DVec3) -> [DVec3; 2] {
        let time = self.fall + SECONDS;
        let end = start + self.velocity * time + X * (0.5 * self.slope * time * time);
        // A ball that rolls has 5/7 of the acceleration of one that slides.
        let turn = if self.slope < 0.0 { 0.7 * self.velocity.x * self.velocity.x / -self.slope } else { 0.0 };
        let turn = start + X * turn;
        [start.min(end).min(turn), start.max(end).max(turn)]
    }

    /// A pitch, made coarser where the way along an axis crosses too many tiles.
    fn pitch(&self, random: &mut Random, axis: usize, most: f64) -> f64 {
        let [least, last] = self.range(DVec3::ZERO);
        let (pitch, length) = (choose(random, &PITCHES), (last - least)[axis] + 4.0);
        pitch * (length / pitch / most).log2().ceil().max(0.0).exp2()
    }
}

/// The tiles along one direction: their middles and half widths. The seams are at multiples of the pitch.
fn strips(from: f64, to: f64, pitch: f64, slit: f64) -> Vec<(f64, f64)> {
    let (first, last) = ((from / pitch).floor(), (to / pitch).ceil());
    let middle = |n: f64| (first + n + 0.5) * pitch;
    (0..(last - first) as u32).map(|n| (middle(f64::from(n)), 0.5 * (pitch - slit))).collect()
}

/// A flat square of two triangles with its face up.
fn sheet(half: DVec3) -> Body {
    let corner = |x: f64, y: f64| DVec3::new(x * half.x, y * half.y, 0.0);
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    Body::mesh(Arc::new(Mesh::new(&corners, &[[0, 1, 2], [0, 2, 3]]).unwrap())).made_of(STUFF)
}

/// 0, 1, or a random number between them.
fn share(random: &mut Random) -> f64 {
    match random.below(4) {
        0 => 1.0,
        1 => random.unit(),
        _ => 0.0,
    }
}

fn scene(random: &mut Random) -> Scene {
    let (restitution, mut friction, slit) = (share(random), share(random), choose(random, &SLITS));
    let hero = Hero::random(random);
    let pitch = hero.pitch(random, 0, TILES_MAX);
    let rows = (hero.velocity.y != 0.0 && random.below(2) == 0).then(|| hero.pitch(random, 1, 0.03 * TILES_MAX));
    let hero = hero.shaped(random, pitch);
    let kind = Kind::random(random);
    let top = choose(random, &[0.0, 0.0, 0.1, -7.7]);

    // Some start on a seam, or with their own edge on it.
    let mut place = match random.below(4) {
        0 => 0.0,
        1 => hero.half.x,
        2 => 0.5 * pitch,
        _ => random.between(0.0, pitch),
    };
    if slit > SLIT_MIN && (place / pitch - (place / pitch).round()).abs() * pitch < 2.0 * slit {
        place += 0.1 * pitch;
    }
    let start = DVec3::new(place, rows.map_or(0.0, |pitch| 0.3 * pitch), top + hero.half.z + hero.drop);
    let [least, most] = hero.range(start);
    let margin = hero.half + pitch + DVec3::new(1.0, 4.0, 0.0);
    let (least, most) = (least - margin, most + margin);

    let (middle, half) = (0.5 * (least + most), 0.5 * (most - least));
    let mut tiled = Vec::new();
    for (x, half_x) in strips(least.x, most.x, pitch, slit) {
        let columns = rows.map_or(vec![(middle.y, half.y)], |pitch| strips(least.y, most.y, pitch, slit));
        for (y, half_y) in columns {
            // With the thickness the faces differ by rounding.
            let half = DVec3::new(half_x, half_y, choose(random, &[0.5, 0.3, 0.1]));
            let is_mesh = kind == Kind::Meshes && random.below(2) == 0;
            let at = DVec3::new(x, y, top - half.z);
            tiled.push(if is_mesh { sheet(half).at(at + Z * half.z) } else { kind.held(cuboid(half, 1.0).at(at)) });
        }
    }
    let large = DVec3::new(half.x, half.y, 0.5);
    let mut whole = vec![kind.held(cuboid(large, 1.0).at(DVec3::new(middle.x, middle.y, top - 0.5)))];
    if kind == Kind::Plane {
        tiled.push(plane(Z, top));
    }

    // A wall of tiles beside the body, whose seams are elsewhere, and often a pull towards it.
    let mut gravity = DVec3::new(hero.slope, 0.0, -10.0);
    let mut velocity = hero.velocity;
    if rows.is_none() && kind != Kind::Meshes && random.below(4) == 0 {
        let side = start.y + hero.half.y;
        let wall = |x: f64, half_x: f64| {
            let at = DVec3::new(x, side + 0.5, top + 1.0);
            kind.held(cuboid(DVec3::new(half_x, 0.5, 3.0), 1.0).at(at))
        };
        tiled.extend(strips(least.x, most.x, 0.77 * pitch, slit).into_iter().map(|(x, half_x)| wall(x, half_x)));
        whole.push(wall(middle.x, half.x));
        gravity.y = if hero.drop > 1.0 { 0.0 } else { choose(random, &[0.0, 5.0]) };
        velocity.y = 0.0;
    }
    // Where the direction of slip turns, friction is computed anew at intervals, which seams make shorter.
    if gravity.y != 0.0 || (hero.slope != 0.0 && velocity.y != 0.0) || whole.len() > 1 {
        friction = 0.0;
    }
    let body = hero.body.clone().moving(velocity + kind.velocity()).at(start);
    let far = choose(random, &[0.0, 0.0, 1.0, 10.0, 1000.0]);
    let origin = random.vector(far);
    for bodies in [&mut tiled, &mut whole] {
        bodies.push(body.clone());
        for body in bodies.iter_mut() {
            match body.shape {
                Shape::Plane(_) => *body = plane(Z, top + origin.z),
                _ => body.position += origin,
            }
        }
    }
    let view = if kind == Kind::Meshes { View::PLAIN } else { choose(random, &View::all()) };
    let shape = if matches!(body.shape, Shape::Sphere(_)) { "ball" } else { "box" };
    let title = format!(
        "{shape} {}, pitch {pitch:?}, {rows:?}, slit {slit:e}, e {restitution:.2}, mu {friction:.2}, {velocity} m/s from \
         {} m at {place:?}, gravity {gravity}, top {top}, {kind:?}, origin {origin}, {view:?}",
        hero.half, hero.drop
    );
    let settings = Settings { impacts_max: IMPACTS_MAX, ..settings(gravity, restitution, friction) };
    // An elastic body hops by the rounding of its place, with the root of it in its speed.
    let changes = random.below(3) == 0 && (restitution < 1.0 || !matches!(kind, Kind::Kinematic(_)));
    Scene { title, settings, tiled, whole, pitch, slit, fall: hero.fall, view, kind, changes }
}

/// Gives all tiles the same new velocity if they are kinematic; lays about half of them again if they are not.
fn change(scene: &Scene, random: &mut Random, [on_tiles, on_box]: [&mut Run; 2]) -> Result<(), String> {
    if let Kind::Kinematic(velocity) = scene.kind {
        // With friction, a new velocity along the floor would turn the slip.
        let change = if scene.settings.materials.friction(STUFF, STUFF) > 0.0 { Z } else { DVec3::ONE };
        let velocity = velocity + change * random.vector(0.5);
        (0..scene.tiled.len() - 1).for_each(|row| on_tiles.set_velocity(row, velocity));
        (0..scene.whole.len() - 1).for_each(|row| on_box.set_velocity(row, velocity));
        return Ok(());
    }
    (0..scene.tiled.len() - 1).filter(|_| random.below(2) == 0).try_for_each(|row| on_tiles.replace(row))
}

/// How the body on tiles differs from the body on large boxes.
fn fault_of(scene: &Scene) -> Option<String> {
    let Scene { settings, tiled, whole, pitch, slit, fall, view, .. } = scene;
    let [mut on_tiles, mut on_box] = [tiled, whole].map(|bodies| Run::seen(*view, settings, bodies));
    let [hero, twin] = [tiled, whole].map(|bodies| bodies.len() - 1);
    let (mut way, mut before, mut random) = (0.0, tiled[hero].position, Random::new(tiled.len() as u64));
    for look in 1..=LOOKS {
        let time = fall + SECONDS * f64::from(look) / f64::from(LOOKS);
        for run in [&mut on_tiles, &mut on_box] {
            if let Err(error) = run.advance(time, usize::MAX) {
                return Some(format!("until {time} s: {error}"));
            }
        }
        let (found, wanted) = (on_tiles.position(hero), on_box.position(twin));
        way += (wanted - before).abs().dot(X + Y);
        before = wanted;
        let seams = 2.0 * (1.0 + way / pitch);
        let slack = SAME + ROUNDINGS * wanted.length() + if *slit > SLIT_MIN { PER_SLIT * slit * seams } else { 0.0 };
        if scene.changes
            && let Err(error) = change(scene, &mut random, [&mut on_tiles, &mut on_box])
        {
            return Some(format!("at {time} s: {error}"));
        }
        let off = (found - wanted).length();
        if off.is_nan() || off > slack {
            let speeds = [on_tiles.velocity(hero), on_box.velocity(twin)];
            return Some(format!("at {time} s {found} for {wanted}, off by {off:e}, not {slack:e}; {speeds:?}"));
        }
    }
    let overlap = on_tiles.overlap();
    (overlap > OVERLAP_MAX).then(|| format!("an overlap of {overlap:e}"))
}

fn count() -> u64 {
    let usual = if is_thorough() { 2000 } else { 200 };
    std::env::var("CAROM_SCENES").map_or(usual, |count| count.parse().expect("CAROM_SCENES is a number"))
}

#[test]
fn a_tiling_moves_a_body_as_one_large_box_does() {
    let only = std::env::var("CAROM_SCENE").ok();
    let mut faults = Vec::new();
    for seed in 0..count() {
        let name = format!("tiling_{seed:03}");
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let scene = scene(&mut Random::new(seed * 104_729));
        if let Some(fault) = fault_of(&scene) {
            let file = written(&name, &scene.title, &scene.settings, &scene.tiled, SECONDS + scene.fall);
            faults.push(format!("{name}: {}: {fault}\n  {}", scene.title, file.display()));
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), count(), faults.join("\n"));
}
