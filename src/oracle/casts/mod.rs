//! Casts over many scales: rays, balls and boxes that move straight until they meet a ball or a box.
//!
//! An engine answers each cast, and [`judge_casts`] compares the answers with those of carom. What an engine keeps,
//! such as a skin or a tolerance, shows in the groups where sizes, distances or places are far from one.

mod made;
mod verdict;

use glam::DVec3;

use crate::geometry::Solid;
use crate::motion::Relative;
use crate::sweep::overlap;
pub use made::casts;
pub use verdict::{CastGroup, CastJudgement, judge_casts};

/// The columns of the table of casts.
const COLUMNS: &str =
    "cast,shape,hx,hy,hz,x,y,z,dx,dy,dz,target,target_hx,target_hy,target_hz,target_x,target_y,target_z";

/// The shape of what moves, or of what it moves to.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "a new shape would need answers from every engine")]
pub enum CastShape {
    /// A point: the cast is that of a ray.
    Point,
    /// A ball of this radius, m.
    Ball(f64),
    /// An axis-aligned box with these half extents, m.
    Cuboid(DVec3),
}

/// One cast.
#[derive(Debug, Clone, PartialEq)]
pub struct Cast {
    /// Its name, which no other cast has.
    pub name: String,
    /// The name of its group.
    pub group: String,
    /// What moves.
    pub shape: CastShape,
    /// Where its centre begins, m.
    pub from: DVec3,
    /// How far it moves, m.
    pub motion: DVec3,
    /// What it may meet.
    pub target: CastShape,
    /// The centre of that, m.
    pub at: DVec3,
    /// The unit of distances in the judgement, m: shapes are about as large, or larger.
    pub size: f64,
}

/// What a cast meets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CastHit {
    /// The part of the motion that is free, from 0 to 1.
    pub fraction: f64,
    /// Unit normal of the contact, out of the target.
    pub normal: DVec3,
}

impl CastShape {
    /// Its half extents, m.
    fn half(self) -> DVec3 {
        match self {
            Self::Point => DVec3::ZERO,
            Self::Ball(radius) => DVec3::splat(radius),
            Self::Cuboid(half) => half,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Point => "ray",
            Self::Ball(_) => "ball",
            Self::Cuboid(_) => "box",
        }
    }

    fn solid(self) -> Solid<'static> {
        match self {
            // A ray is the sweep of a ball of radius 0, see `geometry::cast`.
            Self::Point => Solid::Sphere(0.0),
            Self::Ball(radius) => Solid::Sphere(radius),
            Self::Cuboid(half) => Solid::Box(half),
        }
    }
}

impl Cast {
    /// The exact answer; `None` if nothing is met.
    pub fn hit(&self) -> Option<CastHit> {
        let motion = Relative { position: self.from - self.at, velocity: self.motion, acceleration: DVec3::ZERO };
        let met = overlap(self.target.solid(), self.shape.solid(), &motion, 1.0)?;
        Some(CastHit { fraction: met.enter, normal: met.normal })
    }
}

/// The casts as a CSV table, a row for each: its name; what moves (`ray`, `ball` or `box`) with its half extents (m; of
/// a ball, three times the radius), the place of its centre (m) and its motion (m); the target (`ball` or `box`) with
/// its half extents and its place.
pub fn cast_table(casts: &[Cast]) -> String {
    let numbers = |vectors: &[DVec3]| {
        let numbers: Vec<String> =
            vectors.iter().flat_map(DVec3::to_array).map(|number| format!("{number:?}")).collect();
        numbers.join(",")
    };
    let line = |cast: &Cast| {
        let moving = numbers(&[cast.shape.half(), cast.from, cast.motion]);
        let still = numbers(&[cast.target.half(), cast.at]);
        format!("{},{},{moving},{},{still}\n", cast.name, cast.shape.word(), cast.target.word())
    };
    let lines: String = casts.iter().map(line).collect();
    format!("{COLUMNS}\n{lines}")
}
