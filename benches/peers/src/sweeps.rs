//! Times of impact of pairs in uniform straight motion: carom's sweeps compared with parry's shape casts.

use std::fmt;
use std::hint::black_box;

use carom::geometry::{Plane, Solid};
use carom::glam::DVec3;
use carom::motion::Relative;
use carom::sweep::overlap;
use cpu_time::ThreadTime;
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{ShapeCastOptions, cast_shapes};
use parry3d_f64::shape::{Ball, Cuboid, HalfSpace, Shape};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::rapier::to_rapier;
use crate::scene::vector;
use crate::table::{head, median, number, row};

/// The number of pairs of each kind, and how often all of them are computed.
const PAIRS: usize = 10_000;
const ROUNDS: usize = 21;
/// Window of a sweep, s.
const UNTIL: f64 = 10.0;
/// Distance at the start (m), and the time after which the second body would be near the first (s).
const DISTANCE: f64 = 5.0;
const NEAR: f64 = 1.5;

/// The kind of the pair. Sizes are random.
#[derive(Debug, Clone, Copy)]
enum Kind {
    BallBall,
    BallPlane,
    BoxBox,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BallBall => "ball–ball",
            Self::BallPlane => "ball–plane",
            Self::BoxBox => "box–box",
        })
    }
}

/// A place and a velocity.
#[derive(Debug, Clone, Copy)]
struct Straight {
    /// Position, m.
    position: DVec3,
    /// Velocity, m/s.
    velocity: DVec3,
}

/// A solid that owns its plane.
enum Owned {
    Ball(f64),
    Box(DVec3),
    Plane(Plane),
}

impl Owned {
    fn solid(&self) -> Solid<'_> {
        match self {
            Self::Ball(radius) => Solid::Sphere(*radius),
            Self::Box(half) => Solid::Box(*half),
            Self::Plane(plane) => Solid::Plane(plane),
        }
    }

    fn shape(&self) -> Box<dyn Shape> {
        match self {
            Self::Ball(radius) => Box::new(Ball::new(*radius)),
            Self::Box(half) => Box::new(Cuboid::new(to_rapier(*half))),
            Self::Plane(plane) => Box::new(HalfSpace::new(to_rapier(plane.normal()))),
        }
    }
}

/// Two bodies, as carom needs them.
struct Pair {
    motions: [Straight; 2],
    solids: [Owned; 2],
}

impl Pair {
    fn new(kind: Kind, random: &mut ChaCha8Rng) -> Self {
        let away = vector(random, 1.0).normalize() * DISTANCE;
        let aim = vector(random, 1.6);
        let a = Straight { position: vector(random, 10.0), velocity: vector(random, 3.0) };
        let b = Straight { position: a.position + away, velocity: a.velocity + (aim - away) / NEAR };
        // The plane contains the second position, and the first position is in front of it.
        let normal = (vector(random, 1.0).normalize() - away / DISTANCE).normalize();
        let mut size = || random.random_range(0.3..0.7);
        let solids = match kind {
            Kind::BallBall => [Owned::Ball(size()), Owned::Ball(size())],
            Kind::BallPlane => [Owned::Ball(size()), Owned::Plane(Plane::new(normal, 0.0).expect("a unit vector"))],
            Kind::BoxBox => [(); 2].map(|()| Owned::Box(DVec3::new(size(), size(), size()))),
        };
        Self { motions: [a, b], solids }
    }

    fn time(&self) -> Option<f64> {
        let [a, b] = &self.motions;
        let position = b.position - a.position;
        let motion = Relative { position, velocity: b.velocity - a.velocity, acceleration: DVec3::ZERO };
        overlap(self.solids[0].solid(), self.solids[1].solid(), &motion, UNTIL).map(|overlap| overlap.enter)
    }
}

/// The same pair, as parry needs it.
struct Peer {
    poses: [Pose; 2],
    velocities: [Vector; 2],
    shapes: [Box<dyn Shape>; 2],
}

impl Peer {
    fn new(pair: &Pair) -> Self {
        Self {
            poses: pair.motions.map(|motion| Pose::from_translation(to_rapier(motion.position))),
            velocities: pair.motions.map(|motion| to_rapier(motion.velocity)),
            shapes: [pair.solids[0].shape(), pair.solids[1].shape()],
        }
    }

    fn time(&self) -> Option<f64> {
        let ([a, b], options) = (&self.shapes, ShapeCastOptions::with_max_time_of_impact(UNTIL));
        let [velocity_a, velocity_b] = self.velocities;
        let hit = cast_shapes(&self.poses[0], velocity_a, &**a, &self.poses[1], velocity_b, &**b, options);
        hit.expect("parry knows the pair").map(|hit| hit.time_of_impact)
    }
}

/// Computes the same pairs in both libraries.
pub(crate) fn sweeps() {
    head(&[
        "pair",
        "carom ns",
        "parry ns",
        "carom / parry",
        "pairs",
        "carom hits",
        "parry hits",
        "only one hits",
        "largest difference of times s",
    ]);
    for kind in [Kind::BallBall, Kind::BallPlane, Kind::BoxBox] {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let pairs: Vec<Pair> = (0..PAIRS).map(|_| Pair::new(kind, &mut random)).collect();
        let peers: Vec<Peer> = pairs.iter().map(Peer::new).collect();
        let both: Vec<_> = pairs.iter().zip(&peers).map(|(pair, peer)| (pair.time(), peer.time())).collect();
        let apart = both.iter().filter_map(|(carom, parry)| Some((carom.as_ref()? - parry.as_ref()?).abs()));
        let rounds = (0..ROUNDS).map(|_| (nanoseconds(&pairs, Pair::time), nanoseconds(&peers, Peer::time)));
        let rounds: Vec<(f64, f64)> = rounds.collect();
        let carom = median(rounds.iter().map(|round| round.0));
        let parry = median(rounds.iter().map(|round| round.1));
        row(&[
            kind.to_string(),
            number(carom),
            number(parry),
            number(carom / parry),
            PAIRS.to_string(),
            both.iter().filter(|times| times.0.is_some()).count().to_string(),
            both.iter().filter(|times| times.1.is_some()).count().to_string(),
            both.iter().filter(|times| times.0.is_some() != times.1.is_some()).count().to_string(),
            number(apart.fold(0.0, f64::max)),
        ]);
    }
}

/// Mean computing time per pair, ns.
fn nanoseconds<T>(pairs: &[T], time: impl Fn(&T) -> Option<f64>) -> f64 {
    let clock = ThreadTime::now();
    for pair in pairs {
        black_box(time(black_box(pair)));
    }
    clock.elapsed().as_secs_f64() * 1e9 / pairs.len() as f64
}
