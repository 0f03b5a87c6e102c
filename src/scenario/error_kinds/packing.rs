//! What can be wrong with a packing or its vessel, in words, and what to do about it.

use thiserror::Error;

use crate::geometry::MeshError;
use crate::numeric::{rounded, shown};

/// What is wrong with a packing of balls in a vessel.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PackingFault {
    /// Two ends of the growth, or none.
    #[error("a compression takes either `packing` or `until`")]
    UnclearEnd,
    /// Two vessels.
    #[error("a compression takes either `within`, or `min` and `max`")]
    UnclearVessel,
    /// A vessel that is no mesh of the scenario.
    #[error("there is no body `{name}` with a mesh")]
    NoMesh {
        /// The name.
        name: String,
    },
    /// A mesh without an inside.
    #[error("the mesh of `{name}` encloses nothing: {error}")]
    Open {
        /// The name.
        name: String,
        /// Why.
        error: MeshError,
    },
    /// A cylinder or a cone without a length.
    #[error("`from` and `to` are one point")]
    Flat,
    /// So small a part of its bounding box that random points do not find it.
    #[error("the vessel fills only {} of the box around it", shown(*part))]
    Thin {
        /// The part.
        part: f64,
    },
    /// A line of a file that is not a diameter.
    #[error("`{file}`, line {line}: a diameter is a positive finite number, from 1e-70 to 1e70 m, found `{found}`")]
    Diameter {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The word found there.
        found: String,
    },
    /// A file without a number.
    #[error("`{file}` has no diameters")]
    NoDiameters {
        /// The file.
        file: String,
    },
    /// Not even one ball fills that much.
    #[error("one ball fills more than the packing allows: {} m³ of {} m³", shown(*ball), shown(*room))]
    NoBall {
        /// Volume of the first ball, m³.
        ball: f64,
        /// The volume to fill, m³.
        room: f64,
    },
    /// Balls that jam before they reach their radii.
    #[error("the balls jammed at a packing of {}, below {}", rounded(*reached, 4), shown(*packing))]
    Jammed {
        /// What they were to reach.
        packing: f64,
        /// What they reached.
        reached: f64,
    },
    /// Balls that do not jam.
    #[error("the balls fill {} of the vessel and have not jammed", shown(*packing))]
    NotJammed {
        /// The most that is tried.
        packing: f64,
    },
}

impl PackingFault {
    /// What to do about it, in a sentence.
    pub(in crate::scenario) const fn help(&self) -> &'static str {
        match self {
            Self::UnclearEnd => "`packing: 0.6` is short for `until: Packing(0.6)`; the other is `until: Jammed`",
            Self::UnclearVessel => "`min` and `max` are short for `within: Box(min: .., max: ..)`: leave one out",
            Self::NoMesh { .. } => "name a body of `bodies` whose shape is a `Mesh`, as in within: Mesh(\"hopper\")",
            Self::Open { .. } => "close the surface with triangles, such as a lid; it may be a sheet (`closed: false`)",
            Self::Flat => "let them be the middles of the two ends",
            Self::Thin { .. } => "divide it into shorter vessels, or lay it along an axis",
            Self::Diameter { .. } => "write diameters with blanks, commas or lines between them; # begins a comment",
            Self::NoDiameters { .. } => "write at least one diameter (m) into it",
            Self::NoBall { .. } => "without `count` sizes are in m: make them smaller, or give `count`",
            Self::Jammed { .. } => {
                "lower `packing` or `rate`: slower growth jams at a denser packing, up to about 0.64 for equal balls; or say until: Jammed"
            }
            Self::NotJammed { .. } => "say until: Packing(0.6), or take more balls",
        }
    }
}
