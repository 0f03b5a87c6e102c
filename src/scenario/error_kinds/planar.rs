//! What can be wrong with a planar world.

use thiserror::Error;

/// What a planar world does not have, or only a planar world has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum PlanarFault {
    /// A shape that only a planar world has.
    #[error("only a planar world has {shape}")]
    OnlyPlanar { shape: &'static str },
    /// A shape or a generator that a planar world does not have.
    #[error("a planar world has no {what}")]
    NotPlanar { what: &'static str, instead: &'static str },
    /// A vector that leaves the plane.
    #[error("the third number of a vector must be 0 in a planar world")]
    OffPlane,
    /// A spin about another axis than z.
    #[error("the spin of a disc in a planar world is one number, about z")]
    Tilts,
}

impl PlanarFault {
    /// What to do about it.
    pub(in crate::scenario) const fn help(&self) -> &'static str {
        match self {
            Self::OnlyPlanar { .. } => {
                "add `space: Planar()`, or `Planar(x: (0, 10))` for one that is periodic along x"
            }
            Self::NotPlanar { instead, .. } => instead,
            Self::OffPlane => "write two numbers: (x, y)",
            Self::Tilts => "for example `spin: 3`, in rad/s counterclockwise",
        }
    }
}
