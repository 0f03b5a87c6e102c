//! Errors of the construction of a mesh.

use glam::DVec3;
use thiserror::Error;

use crate::geometry::polytope::LassoError;

/// Why triangles cannot form a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum MeshError {
    /// There is no triangle with an area.
    #[error("a mesh needs at least one triangle with an area")]
    Empty,
    /// A vertex is not finite, or too large to be squared.
    #[error("vertex {vertex} is not finite, or larger than 1e70")]
    NotFinite { vertex: usize },
    /// A triangle refers to a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {count}, counted from 0")]
    NoSuchVertex { triangle: usize, vertex: u32, count: usize },
    /// More triangles than an index holds.
    #[error("{count} triangles are more than 2³⁰")]
    TooMany { count: usize },
    /// A closed mesh has an edge along which not as many triangles run in one direction as in the other.
    #[error(
        "not closed: the edge from ({}, {}, {}) to ({}, {}, {}) of triangle {triangle} has no neighbour that runs along \
         it the other way", from.x, from.y, from.z, to.x, to.y, to.z
    )]
    NotClosed { triangle: usize, from: DVec3, to: DVec3 },
    /// A closed mesh has a surface that faces inwards, but is not a cavity of a solid around it.
    #[error(
        "inside out: the surface with triangle {triangle} goes round clockwise as seen from outside, and lies in no solid"
    )]
    InsideOut { triangle: usize },
    /// A polygon that encloses nothing, or not one area.
    #[error(transparent)]
    Outline(#[from] LassoError),
}
