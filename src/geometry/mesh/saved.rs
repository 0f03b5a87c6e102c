//! A mesh as serde writes and reads it.

use glam::DVec3;

use super::{Mesh, MeshError};

/// The triangles that have an area, with their own corners, and what else a mesh cannot be made from.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Saved {
    corners: Vec<[DVec3; 3]>,
    /// The row of each triangle in the list that the mesh was made from.
    sources: Vec<u32>,
    closed: bool,
}

impl From<Mesh> for Saved {
    fn from(mesh: Mesh) -> Self {
        let corners = mesh.triangles.iter().map(|triangle| [triangle.a, triangle.b, triangle.c]).collect();
        Self { corners, sources: mesh.sources, closed: mesh.closed }
    }
}

impl TryFrom<Saved> for Mesh {
    type Error = MeshError;

    fn try_from(Saved { corners, sources, closed }: Saved) -> Result<Self, MeshError> {
        let make = if closed { Self::closed } else { Self::new };
        let rows: Vec<[u32; 3]> = (0..corners.len() as u32).map(|row| [3 * row, 3 * row + 1, 3 * row + 2]).collect();
        let mesh = make(corners.as_flattened(), &rows)?;
        let has_all = sources.len() == mesh.triangles.len();
        Ok(if has_all { Self { sources, ..mesh } } else { mesh })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_is_the_same_after_it_was_saved() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.3, 0.1, 0.7)];
        let [tetrahedron, open] = [
            // The second has no area.
            vec![[0, 2, 1], [0, 0, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
            vec![[0, 1, 2], [1, 1, 2], [4, 3, 2], [0, 4, 1]],
        ];
        let meshes = [Mesh::closed(&corners, &tetrahedron), Mesh::new(&corners, &open)].map(Result::unwrap);
        for mesh in meshes {
            let text = serde_json::to_string(&mesh).unwrap();
            assert_eq!(serde_json::from_str::<Mesh>(&text).unwrap(), mesh);
        }
        let nothing = r#"{"corners": [], "sources": [], "closed": false}"#;
        assert!(serde_json::from_str::<Mesh>(nothing).unwrap_err().to_string().contains("triangle"));
    }
}
