//! What can be wrong with a world, before it starts and as it runs.

use thiserror::Error;

use super::BodyId;
use crate::motion::SimTime;
use crate::numeric::shown;

/// A world that cannot start.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SetupError {
    /// A position, velocity or spin is not finite, or too large to be squared.
    #[error("the position, velocity or spin of body {body:?} is not finite, or larger than 1e70")]
    #[expect(missing_docs, reason = "the message says it")]
    NotFinite { body: BodyId },
    /// A body goes so far between two instants that the clock tells apart that it might pass what it meets.
    #[error("body {body:?} is too fast for its size: it goes more than 2^60 of its half widths in a second")]
    #[expect(missing_docs, reason = "the message says it")]
    TooFast { body: BodyId },
    /// A body is so far from the periodic cell that the periods between them cannot be counted.
    #[error("body {body:?} is 2^30 periods from the periodic cell, or more")]
    #[expect(missing_docs, reason = "the message says it")]
    TooFar { body: BodyId },
    /// A half-space is given a mass.
    #[error("body {body:?} is a half-space and cannot be free")]
    #[expect(missing_docs, reason = "the message says it")]
    FreePlane { body: BodyId },
    /// A mesh is given a mass or a velocity of its own, or is a sensor.
    #[error("body {body:?} is a mesh and must be fixed, and no sensor")]
    #[expect(missing_docs, reason = "the message says it")]
    MeshNotFixed { body: BodyId },
    /// Two bodies that collide overlap from the start.
    #[error("bodies {a:?} and {b:?} overlap by {} m at the start", shown(*depth))]
    #[expect(missing_docs, reason = "the message says it")]
    Overlap { a: BodyId, b: BodyId, depth: f64 },
}

/// A run that cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum RunError {
    /// A body went through more impacts in one step than the settings allow.
    #[error(
        "body {body:?} had {impacts} impacts in one step, more than `impacts_max` allows, the last with {partner:?}, at {time} s"
    )]
    #[expect(missing_docs, reason = "the message says it")]
    Stalled { body: BodyId, partner: BodyId, impacts: u32, time: SimTime },
    /// Two bodies that no impulse moves close on a third and leave it no room.
    #[error("body {body:?} is squeezed between {:?} and {:?} at {time} s", supports[0], supports[1])]
    #[expect(missing_docs, reason = "the message says it")]
    Squeezed { body: BodyId, supports: [BodyId; 2], time: SimTime },
    /// A body goes so far between two instants that the clock tells apart that it might pass what it meets, or crosses the
    /// room around it in less.
    #[error(
        "body {body:?} is too fast for its size at {time} s: it goes more than 2^60 of its half widths in a second"
    )]
    #[expect(missing_docs, reason = "the message says it")]
    TooFast { body: BodyId, time: SimTime },
    /// A body went through so many periods without meeting anything that they cannot be counted.
    #[error("body {body:?} is 2^30 periods from where its path began, or more, at {time} s")]
    #[expect(missing_docs, reason = "the message says it")]
    TooFar { body: BodyId, time: SimTime },
    /// A body's position, speed or spin left the range of numbers whose squares are finite.
    #[error("the position, velocity or spin of body {body:?} is no longer finite at {time} s")]
    #[expect(missing_docs, reason = "the message says it")]
    NotFinite { body: BodyId, time: SimTime },
}
