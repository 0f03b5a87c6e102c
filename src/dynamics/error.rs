//! Errors of a world: before the start, and during a run.
//!
//! Each error names the bodies by id; layers above translate ids to names.

use thiserror::Error;

use super::BodyId;
use crate::motion::SimTime;
use crate::numeric::shown;

/// A world that cannot start.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum SetupError {
    /// A setting with which no world can run.
    #[error("the setting `{field}` must be {must}")]
    Setting { field: &'static str, must: &'static str },
    /// A position, velocity or spin is not finite, or too large to be squared.
    #[error("the position, velocity or spin of body {body:?} is not finite, or larger than 1e70")]
    NotFinite { body: BodyId },
    /// A body moves so far between two ticks of the clock that it might pass through others.
    #[error("body {body:?} is too fast for its size: it moves more than 2^60 of its half widths per second")]
    TooFast { body: BodyId },
    /// A body is so far from the periodic cell that the number of periods between them cannot be counted.
    #[error("body {body:?} is 2^30 periods from the periodic cell, or more")]
    TooFar { body: BodyId },
    /// A body that is wider than a period of space, so that it would overlap its own image.
    #[error("body {body:?} is {} m wide along {axis}, where space repeats every {} m", shown(*width), shown(*period))]
    WiderThanPeriod { body: BodyId, axis: &'static str, width: f64, period: f64 },
    /// A body of a planar world that is not in its plane.
    #[error(
        "body {body:?} is not in the plane z = 0: position, velocity and course need z = 0, a spin x = y = 0, and its faces \
         have to be upright"
    )]
    OffPlane { body: BodyId },
    /// A box that moves in a world with an arc.
    #[error("body {body:?} is a box that moves and {arc:?} an arc: only discs can meet an arc")]
    BoxWithArc { body: BodyId, arc: BodyId },
    /// A disc that touches an arc along all of it.
    #[error("body {body:?} lies in the hollow of the arc {arc:?} and is as large as its circle")]
    FillsArc { body: BodyId, arc: BodyId },
    /// A half-space with a mass.
    #[error("body {body:?} is a half-space and cannot be free")]
    FreePlane { body: BodyId },
    /// A mesh or a grid that is free, or a sensor.
    #[error("body {body:?} is a mesh or a grid and must be fixed or kinematic, and no sensor")]
    MeshNoObstacle { body: BodyId },
    /// An arc that moves, or is a sensor.
    #[error("body {body:?} is an arc and must be fixed, and no sensor")]
    ArcNotFixed { body: BodyId },
    /// A course of a body that cannot have one.
    #[error("body {body:?} cannot have a course: only a kinematic body without another velocity can")]
    NoCourse { body: BodyId },
    /// A body of a material that is not in the table of the settings.
    #[error("body {body:?} is of a material that is not in the table")]
    NoSuchMaterial { body: BodyId },
    /// Two bodies that collide overlap from the start, by more than rounding and 2⁻³³ of the smaller one.
    #[error("bodies {a:?} and {b:?} overlap by {} m at the start", shown(*depth))]
    Overlap { a: BodyId, b: BodyId, depth: f64 },
}

/// A run that cannot continue.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum RunError {
    /// A body had more impacts in one step than the settings allow.
    #[error(
        "body {body:?} had {impacts} impacts in one step, more than `impacts_max` allows, the last with {partner:?}, at {time} s"
    )]
    Stalled { body: BodyId, partner: BodyId, impacts: u32, time: SimTime },
    /// Bodies of prescribed velocity leave a free body no space, directly or through other free bodies.
    #[error("body {body:?} is squeezed between {:?} and {:?} at {time} s", supports[0], supports[1])]
    Squeezed { body: BodyId, supports: [BodyId; 2], time: SimTime },
    /// A body moves so far between two ticks of the clock that it might pass through others, or crosses its domain in
    /// less.
    #[error(
        "body {body:?} is too fast for its size at {time} s: it moves more than 2^60 of its half widths per second"
    )]
    TooFast { body: BodyId, time: SimTime },
    /// A body crossed so many periods without an impact that they cannot be counted.
    #[error("body {body:?} is 2^30 periods from where its path began, or more, at {time} s")]
    TooFar { body: BodyId, time: SimTime },
    /// A position, velocity or spin left the range of numbers with finite squares.
    #[error("the position, velocity or spin of body {body:?} is no longer finite at {time} s")]
    NotFinite { body: BodyId, time: SimTime },
}
