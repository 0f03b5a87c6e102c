//! What can be wrong with a command.

use thiserror::Error;

use crate::numeric::shown;

/// What is wrong with a command.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum CommandFault {
    /// A command for an instant after the end of the run.
    #[error("the run ends at {} s, found a command for {} s", shown(*duration), shown(*at))]
    TooLate { at: f64, duration: f64 },
    /// A kick of a body that is not free.
    #[error("`{body}` is {motion}, so no impulse moves it")]
    NotFree { body: String, motion: &'static str },
    /// A velocity or a position for a fixed body.
    #[error("`{body}` is `Fixed`, so it cannot be moved")]
    Fixed { body: String },
    /// A spin for a body that is no free ball.
    #[error("`{body}` never turns")]
    NeverTurns { body: String },
    /// A velocity for a body on a course.
    #[error("`{body}` is on a course, which determines its velocity")]
    OnCourse { body: String },
    /// A body that is not there yet.
    #[error("`{body}` is added only at {since} s")]
    NotYet { body: String, since: f64 },
    /// A body of a measured gas that comes, goes or is put elsewhere, or another gravity for it.
    #[error("bodies of an observed gas cannot be added, removed or put elsewhere, and its gravity stays")]
    ChangedGas,
    /// A cell of a body that is no grid.
    #[error("`{body}` is no grid, so it has no cells")]
    NotAGrid { body: String },
    /// A cell that a grid does not have.
    #[error(
        "`{body}` has no cell ({}, {}, {}): there are {} × {} × {}", cell[0], cell[1], cell[2], size[0], size[1], size[2]
    )]
    NoSuchCell { body: String, cell: [u32; 3], size: [u32; 3] },
    /// A body that is not there any more.
    #[error("`{body}` was removed at {since} s")]
    Gone { body: String, since: f64 },
}

impl CommandFault {
    /// What to do about it.
    pub(crate) const fn help(&self) -> &'static str {
        match self {
            Self::TooLate { .. } => "choose an earlier time, or a longer duration; the end itself is allowed",
            Self::NotFree { .. } => "kick a body that is `Free`; a `Kinematic` one takes SetVelocity",
            Self::Fixed { .. } => "let the body be `Kinematic` or `Free`",
            Self::NeverTurns { .. } => "only a `Free` ball or disc has a spin, or takes a kick beside its centre",
            Self::OnCourse { .. } => "leave it out, or give the course as `Knots`",
            Self::ChangedGas => "leave out observe: [Gas], or this command",
            Self::NotAGrid { .. } => "give it the shape `Tiles` or `Voxels`",
            Self::NoSuchCell { .. } => "cells are counted from 0 along x, y and z",
            Self::NotYet { .. } => {
                "let the command come later, or the body sooner; at one time the order is that of the file"
            }
            Self::Gone { .. } => "let the command come sooner; at one time the order is that of the file",
        }
    }
}
