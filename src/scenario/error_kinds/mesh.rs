//! What can be wrong with a mesh, in words, and what to do about it.

use thiserror::Error;

use crate::geometry::MeshError;
use crate::scenario::limits::TRIANGLES_MAX;

/// What is wrong with a mesh.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshFault {
    /// It has neither a file nor a list of triangles, or parts of both.
    #[error("a mesh takes either `file`, or `vertices` and `triangles`")]
    UnclearOrigin,
    /// Heights with neither a file nor rows, or both.
    #[error("heights take either `file` or `rows`")]
    UnclearHeights,
    /// A mesh or a grid on a body that forces move.
    #[error("a mesh or a grid cannot be `Free`: it has no mass")]
    Free,
    /// An arc on a body that moves.
    #[error("an arc cannot move")]
    ArcMoves,
    /// A mesh or a grid that is a sensor.
    #[error("a mesh or a grid cannot be a sensor")]
    Senses,
    /// A file name whose ending belongs to no known format.
    #[error("`{file}` has a format that carom does not read here: its name must end in {endings}")]
    UnknownFormat {
        /// The path as it is written.
        file: String,
        /// What it may end in.
        endings: &'static str,
    },
    /// A file with content that does not fit the format of its name.
    #[error("`{file}` is not a valid {format} file: {trouble}")]
    Unsound {
        /// The file.
        file: String,
        /// `OBJ`, `STL` or `CSV`.
        format: &'static str,
        /// What is wrong, and where in the file.
        trouble: String,
    },
    /// More triangles than the limit.
    #[error("the mesh has {found} triangles, more than the {TRIANGLES_MAX} allowed")]
    TooManyTriangles {
        /// How many there are.
        found: usize,
    },
    /// Triangles that are not a valid mesh.
    #[error("{}{error}", of(file))]
    NoMesh {
        /// The file that they come from; `None` if the scenario itself has them.
        file: Option<String>,
        /// What is wrong with them; triangles and vertices are counted from 0.
        error: MeshError,
    },
}

fn of(file: &Option<String>) -> String {
    file.as_ref().map_or_else(String::new, |file| format!("`{file}`: "))
}

impl MeshFault {
    /// What to do about it, in a sentence.
    pub(in crate::scenario) fn help(&self) -> &'static str {
        match self {
            Self::UnclearOrigin => {
                "for example Mesh(file: \"track.obj\") or Mesh(vertices: [(0, 0, 0), (1, 0, 0), (0, 1, 0)], triangles: [(0, 1, 2)])"
            }
            Self::UnclearHeights => {
                "for example Heights(cell: 1, rows: [[0, 0.5], [0, 0]]) or Heights(cell: 1, file: \"hills.csv\")"
            }
            Self::Free => "leave `motion` out, or use `Kinematic` or `Along` a course",
            Self::ArcMoves => "leave `motion` out, or draw the curve as a `Polygon` of short sides",
            Self::Senses => "leave `response` out, or use a `Box` or a `Sphere` as the sensor",
            Self::UnknownFormat { .. } => {
                "save a mesh as Wavefront OBJ or as STL, text or binary, and heights as rows of numbers"
            }
            Self::TooManyTriangles { .. } => "reduce the mesh, or divide it into several bodies",
            Self::Unsound { .. } => "save it again from the program that made it",
            Self::NoMesh { error, .. } => match error {
                MeshError::NotClosed { .. } => {
                    "close the gap, or leave out `closed`: an open mesh is a sheet, solid to both sides"
                }
                MeshError::InsideOut { .. } => {
                    "if all its triangles go round the wrong way, write `flip: true` in the mesh; else turn those of this surface round"
                }
                MeshError::NoSuchVertex { .. } => "the first of `vertices` has the number 0",
                MeshError::Empty => "three corners of a triangle must not lie on one line",
                MeshError::NotFinite { .. } => "coordinates are numbers of size at most 1e70, after scaling too",
                MeshError::TooMany { .. } => "reduce the mesh, or divide it into several bodies",
                MeshError::Outline(_) => "give the corners in order, around one area",
            },
        }
    }
}
