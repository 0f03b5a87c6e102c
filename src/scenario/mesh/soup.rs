//! Vertices and triangles as a file gives them.

use glam::DVec3;

/// Triangles by the rows of their corners, before anything is checked.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Soup {
    /// In the units of the file.
    pub(super) vertices: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
}
