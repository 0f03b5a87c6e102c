//! Errors of a world, with the names of their bodies.

use thiserror::Error;

use crate::dynamics::{self, BodyId};
use crate::motion::SimTime;
use crate::numeric::shown;

/// Why bodies cannot make a world.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum SetupError {
    /// A setting with which no world can run.
    #[error("the setting `{field}` must be {must}")]
    Setting { field: &'static str, must: &'static str },
    /// Two bodies have one name.
    #[error("two bodies are called `{name}`")]
    DuplicateName { name: String },
    /// A position, velocity or spin is not finite, or too large to be squared.
    #[error("the position, velocity or spin of `{body}` is not finite, or larger than 1e70")]
    NotFinite { body: String },
    /// A body moves so far in one tick of the clock that it might pass through another body.
    #[error(
        "`{body}` is too fast for its size: it moves more than 2^60 of its half widths per second; make it slower or larger"
    )]
    TooFast { body: String },
    /// A body is so far from the periodic cell that the periods between them cannot be counted.
    #[error("`{body}` is 2^30 periods from the periodic cell, or more: place it in the cell")]
    TooFar { body: String },
    /// A body that is wider than a period of space, so that it would overlap its own image.
    #[error(
        "`{body}` is {} m wide along {axis}, where space repeats every {} m: make it smaller or the period longer",
        shown(*width), shown(*period)
    )]
    WiderThanPeriod { body: String, axis: &'static str, width: f64, period: f64 },
    /// A body of a planar world that is not in its plane.
    #[error(
        "`{body}` is not in the plane z = 0: position, velocity and course need z = 0, a spin x = y = 0, and its faces have \
         to be upright"
    )]
    OffPlane { body: String },
    /// A box that moves in a world with an arc.
    #[error("`{body}` is a box that moves and `{arc}` an arc: only discs can meet an arc")]
    BoxWithArc { body: String, arc: String },
    /// A disc that touches an arc along all of it, so that no normal is that of their contact.
    #[error(
        "the disc `{body}` lies in the hollow of the arc `{arc}` and is as large as its circle: make the disc smaller"
    )]
    FillsArc { body: String, arc: String },
    /// A half-space is given a mass.
    #[error("`{body}` is a half-space and cannot be free")]
    FreePlane { body: String },
    /// A mesh or a grid is given a mass, or is a sensor.
    #[error("`{body}` is a mesh or a grid and must be fixed or kinematic, and no sensor")]
    MeshNoObstacle { body: String },
    /// An arc that moves, or is a sensor.
    #[error("`{body}` is an arc and must be fixed, and no sensor")]
    ArcNotFixed { body: String },
    /// A course of a body that cannot have one.
    #[error("`{body}` cannot have a course: only a kinematic body without another velocity can")]
    NoCourse { body: String },
    /// A body of a material that is not in the table of the settings.
    #[error(
        "`{body}` is of a material that is not in the table of the settings: take one that `Materials::add` returned"
    )]
    NoSuchMaterial { body: String },
    /// Two bodies that collide overlap at the start.
    #[error("`{a}` and `{b}` overlap by {} m at the start", shown(*depth))]
    Overlap { a: String, b: String, depth: f64 },
}

impl SetupError {
    /// The names of the one or two bodies that it is about; empty where there is none.
    #[cfg(feature = "scenario")]
    pub(crate) fn bodies(&self) -> [&str; 2] {
        match self {
            Self::Setting { .. } => [""; 2],
            Self::DuplicateName { name: body }
            | Self::NotFinite { body }
            | Self::TooFast { body }
            | Self::TooFar { body }
            | Self::WiderThanPeriod { body, .. }
            | Self::OffPlane { body }
            | Self::FreePlane { body }
            | Self::MeshNoObstacle { body }
            | Self::ArcNotFixed { body }
            | Self::NoCourse { body }
            | Self::NoSuchMaterial { body } => [body, ""],
            Self::BoxWithArc { body: a, arc: b } | Self::FillsArc { body: a, arc: b } | Self::Overlap { a, b, .. } => {
                [a, b]
            }
        }
    }

    pub(super) fn named(error: dynamics::SetupError, name: impl Fn(BodyId) -> String) -> Self {
        match error {
            dynamics::SetupError::Setting { field, must } => Self::Setting { field, must },
            dynamics::SetupError::NotFinite { body } => Self::NotFinite { body: name(body) },
            dynamics::SetupError::TooFast { body } => Self::TooFast { body: name(body) },
            dynamics::SetupError::TooFar { body } => Self::TooFar { body: name(body) },
            dynamics::SetupError::WiderThanPeriod { body, axis, width, period } => {
                Self::WiderThanPeriod { body: name(body), axis, width, period }
            }
            dynamics::SetupError::OffPlane { body } => Self::OffPlane { body: name(body) },
            dynamics::SetupError::BoxWithArc { body, arc } => Self::BoxWithArc { body: name(body), arc: name(arc) },
            dynamics::SetupError::FillsArc { body, arc } => Self::FillsArc { body: name(body), arc: name(arc) },
            dynamics::SetupError::FreePlane { body } => Self::FreePlane { body: name(body) },
            dynamics::SetupError::MeshNoObstacle { body } => Self::MeshNoObstacle { body: name(body) },
            dynamics::SetupError::ArcNotFixed { body } => Self::ArcNotFixed { body: name(body) },
            dynamics::SetupError::NoCourse { body } => Self::NoCourse { body: name(body) },
            dynamics::SetupError::NoSuchMaterial { body } => Self::NoSuchMaterial { body: name(body) },
            dynamics::SetupError::Overlap { a, b, depth } => Self::Overlap { a: name(a), b: name(b), depth },
        }
    }
}

/// Why a run cannot go on.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum RunError {
    /// A step that is no span of time.
    #[error(
        "a step of {seconds} s is not possible: give a finite duration that is not negative, and not beyond 2^42 s from the start"
    )]
    Duration { seconds: f64 },
    /// One body had more impacts in a step than `impacts_max` allows.
    #[error(
        "`{body}` had {impacts} impacts in one step, more than `impacts_max` allows, the last with `{partner}`, at {time} s; \
         raise `impacts_max` or shorten `timestep` if there can be so many"
    )]
    Stalled { body: String, partner: String, impacts: u32, time: SimTime },
    /// Bodies of prescribed velocity leave no space for a free body, directly or through other free bodies.
    #[error("`{body}` is squeezed between `{}` and `{}` at {time} s", supports[0], supports[1])]
    Squeezed { body: String, supports: [String; 2], time: SimTime },
    /// A body moves so far in one tick of the clock that it might pass through another body.
    #[error("`{body}` is too fast for its size at {time} s: it moves more than 2^60 of its half widths per second")]
    TooFast { body: String, time: SimTime },
    /// A body went through more periods without an impact than can be counted.
    #[error("`{body}` is 2^30 periods from where its path began, or more, at {time} s")]
    TooFar { body: String, time: SimTime },
    /// A number became too large to be squared.
    #[error("the position, velocity or spin of `{body}` is no longer finite at {time} s")]
    NotFinite { body: String, time: SimTime },
    /// A scheduled command could not be carried out; the world is at its instant.
    #[error("{origin}: {}", not_carried_out(*at, error))]
    Command { at: SimTime, origin: String, error: Box<CommandError> },
}

fn not_carried_out(at: SimTime, error: &CommandError) -> String {
    format!("the command for {at} s cannot be carried out: {error}")
}

impl RunError {
    /// What went wrong, without the place where a command is written: a copy of its file is at another place.
    #[cfg(feature = "record")]
    pub(crate) fn cause(&self) -> String {
        match self {
            Self::Command { at, error, .. } => not_carried_out(*at, error),
            other => other.to_string(),
        }
    }

    pub(super) fn named(error: dynamics::RunError, name: impl Fn(BodyId) -> String) -> Self {
        match error {
            dynamics::RunError::Stalled { body, partner, impacts, time } => {
                Self::Stalled { body: name(body), partner: name(partner), impacts, time }
            }
            dynamics::RunError::Squeezed { body, supports, time } => {
                Self::Squeezed { body: name(body), supports: supports.map(&name), time }
            }
            dynamics::RunError::TooFast { body, time } => Self::TooFast { body: name(body), time },
            dynamics::RunError::TooFar { body, time } => Self::TooFar { body: name(body), time },
            dynamics::RunError::NotFinite { body, time } => Self::NotFinite { body: name(body), time },
        }
    }
}

/// Why a command cannot be carried out. The world is unchanged.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum CommandError {
    /// There never was such a body, or it was removed.
    #[error("there is no body `{body}`; it may have been removed")]
    NoSuchBody { body: String },
    /// A kick of a body that is not free.
    #[error("`{body}` is not free, so no impulse moves it: only a free body can be kicked")]
    NotFree { body: String },
    /// A velocity or a position for a fixed body.
    #[error("`{body}` is fixed, so it cannot be moved: make it free or kinematic")]
    Fixed { body: String },
    /// A spin for a body that is no free ball.
    #[error("`{body}` never turns: only a free ball or disc does")]
    NeverTurns { body: String },
    /// A velocity for a body on a course.
    #[error("`{body}` is on a course, which determines its velocity")]
    OnCourse { body: String },
    /// A velocity out of the plane of a planar world.
    #[error("`{body}` would leave the plane z = 0: give a vector whose z is 0")]
    OffPlane { body: String },
    /// A velocity that is not finite, or too large to be squared.
    #[error("the velocity of `{body}` must be finite and at most 1e70 m/s along each axis")]
    NotFinite { body: String },
    /// A velocity at which a body might pass through another one.
    #[error("`{body}` would be too fast for its size: it would move more than 2^60 of its half widths per second")]
    TooFast { body: String },
    /// A gravity that is not finite, too large to be squared, or not in the plane of a planar world.
    #[error("gravity must be finite, at most 1e70 m/s² along each axis, and in the plane if the world is planar")]
    Gravity,
    /// A cell of a body that is no grid.
    #[error("`{body}` is no grid, so it has no cells: give it the shape `Tiles` or `Voxels`")]
    NotAGrid { body: String },
    /// A cell that the grid does not have.
    #[error(
        "`{body}` has no cell ({}, {}, {}): its cells are counted from 0, and there are {} × {} × {}",
        cell[0], cell[1], cell[2], size[0], size[1], size[2]
    )]
    NoSuchCell { body: String, cell: [u32; 3], size: [u32; 3] },
    /// A name that another body has or had.
    #[error("the name `{name}` is taken, now or earlier in the run: give each new body a name of its own")]
    NameTaken { name: String },
    /// A new body, or one at a new position or in new layers, that overlaps another one.
    #[error(
        "`{body}` would overlap `{other}` by {} m: place it elsewhere, or wait until there is enough space", shown(*depth)
    )]
    Overlap { body: String, other: String, depth: f64 },
    /// A new body that is not valid.
    #[error(transparent)]
    Spawn(SetupError),
    /// A command for an instant that is over.
    #[error("a command for {at} s is too late: the time is already {now} s")]
    Past { at: SimTime, now: SimTime },
}

impl CommandError {
    /// The error with names; `count` bodies have one so far.
    pub(super) fn named(error: dynamics::CommandError, count: usize, name: impl Fn(BodyId) -> String) -> Self {
        use dynamics::CommandError as Other;
        match error {
            Other::NoSuchBody { body } if body.index() >= count => {
                Self::NoSuchBody { body: format!("number {}", body.0) }
            }
            Other::NoSuchBody { body } => Self::NoSuchBody { body: name(body) },
            Other::NotFree { body } => Self::NotFree { body: name(body) },
            Other::Fixed { body } => Self::Fixed { body: name(body) },
            Other::OffPlane { body } => Self::OffPlane { body: name(body) },
            Other::NeverTurns { body } => Self::NeverTurns { body: name(body) },
            Other::OnCourse { body } => Self::OnCourse { body: name(body) },
            Other::NotFinite { body } => Self::NotFinite { body: name(body) },
            Other::TooFast { body } => Self::TooFast { body: name(body) },
            Other::Spawn(dynamics::SetupError::Overlap { a, b, depth }) => {
                Self::Overlap { body: name(b), other: name(a), depth }
            }
            Other::Gravity => Self::Gravity,
            Other::NotAGrid { body } => Self::NotAGrid { body: name(body) },
            Other::NoSuchCell { body, cell, size } => Self::NoSuchCell { body: name(body), cell, size },
            Other::Spawn(error) => Self::Spawn(SetupError::named(error, name)),
        }
    }
}
