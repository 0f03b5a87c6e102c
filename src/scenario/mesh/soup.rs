//! Vertices and triangles as a file gives them.

use glam::DVec3;

/// Triangles as indices of their corners, before anything is checked.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Soup {
    /// The vertices, in the units of the file.
    pub(super) vertices: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
}
