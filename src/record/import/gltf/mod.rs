//! Triangle meshes of glTF 2.0, as text with its buffers or as one binary file.
//!
//! Source: the Khronos Group, *glTF 2.0 Specification*, ISO/IEC 12113:2022. Each node with a mesh becomes a fixed mesh,
//! in the place in which the scene has it. In glTF y points upwards: (x, y, z) becomes (x, −z, y).

mod buffers;
mod document;
mod geometry;

use std::path::Path;

use glam::{DMat4, DQuat, DVec3};

use self::buffers::Loaded;
use self::document::{Document, Node, REMEDY};
use super::draft::{Draft, Names, Surface};
use super::error::Trouble;
use super::request::ImportRequest;
use crate::geometry::Mesh;

/// Most nodes within each other.
const DEPTH_MAX: usize = 200;

pub(super) fn read(file: &Path, bytes: &[u8], request: &ImportRequest) -> Result<Draft, Trouble> {
    let (text, binary) = buffers::parts(bytes)?;
    let document: Document =
        serde_json::from_slice(text).map_err(|error| Trouble::json(&error, "a model in glTF 2.0"))?;
    if !document.asset.version.starts_with('2') {
        let problem = format!("it is of the version {} of glTF", document.asset.version);
        return Err(Trouble::new(problem, REMEDY));
    }
    let loaded = Loaded::new(&document, file, binary)?;
    let scale = request.scale.unwrap_or(1.0);
    let mut walk = Walk { document: &document, loaded, names: Names::default(), draft: Draft::default() };
    // From y upwards to z upwards.
    let turned = DMat4::from_cols_array(&[
        scale, 0.0, 0.0, 0.0, 0.0, 0.0, scale, 0.0, 0.0, -scale, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ]);
    for root in roots(&document) {
        walk.node(root, turned, 0)?;
    }
    let mut draft = walk.draft;
    if draft.meshes.is_empty() {
        return Err(draft.nothing("it has no mesh that a scenario can have", REMEDY));
    }
    draft.has_gravity = true;
    draft.notes.push("y upwards has become z upwards; meshes are fixed sheets, or say closed: true".to_owned());
    for (list, what) in
        [(&document.animations, "animations"), (&document.skins, "skins"), (&document.cameras, "cameras")]
    {
        if !list.is_empty() {
            draft.missing.push(format!("{what}: {}", list.len()));
        }
    }
    Ok(draft)
}

/// The nodes of the scene, or else those that no other node has.
fn roots(document: &Document) -> Vec<usize> {
    let scene = document.scene.unwrap_or_default();
    if let Some(scene) = document.scenes.get(scene) {
        return scene.nodes.clone();
    }
    let is_child = |row: &usize| document.nodes.iter().any(|node| node.children.contains(row));
    (0..document.nodes.len()).filter(|row| !is_child(row)).collect()
}

/// The way through the nodes of a scene.
struct Walk<'a> {
    document: &'a Document,
    loaded: Loaded<'a>,
    names: Names,
    draft: Draft,
}

impl Walk<'_> {
    fn node(&mut self, row: usize, above: DMat4, depth: usize) -> Result<(), Trouble> {
        let at = || format!("nodes[{row}]");
        let node =
            self.document.nodes.get(row).ok_or_else(|| Trouble::new("there is no such node", REMEDY).at(at()))?;
        if depth > DEPTH_MAX {
            return Err(Trouble::new("nodes lie too deep within each other, or in a circle", REMEDY).at(at()));
        }
        let matrix = above * own(node);
        if let Some(mesh) = node.mesh {
            self.mesh(node, mesh, matrix)?;
        }
        node.children.iter().try_for_each(|&child| self.node(child, matrix, depth + 1))
    }

    fn mesh(&mut self, node: &Node, row: usize, matrix: DMat4) -> Result<(), Trouble> {
        let at = format!("meshes[{row}]");
        let mesh = self.document.meshes.get(row);
        let mesh = mesh.ok_or_else(|| Trouble::new("there is no such mesh", REMEDY).at(&at))?;
        let word = node.name.as_deref().or(mesh.name.as_deref()).unwrap_or("mesh");
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for primitive in &mesh.primitives {
            match geometry::triangles(&self.loaded, primitive).map_err(|trouble| trouble.at(&at))? {
                Ok((corners, list)) => {
                    let first = vertices.len() as u32;
                    vertices.extend(corners.into_iter().map(|corner: DVec3| matrix.transform_point3(corner)));
                    triangles.extend(list.into_iter().map(|corners: [u32; 3]| corners.map(|corner| first + corner)));
                }
                Err(why) => self.draft.missing.push(format!("a part of the mesh {word:?}: {why}")),
            }
        }
        if matrix.determinant() < 0.0 {
            triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        if triangles.is_empty() {
            return Ok(());
        }
        match Mesh::new(&vertices, &triangles) {
            Ok(_) => {
                let name = self.names.fit(word, "mesh");
                self.draft.meshes.push(Surface { name, vertices, triangles });
            }
            Err(error) => self.draft.missing.push(format!("the mesh {word:?}: {error}")),
        }
        Ok(())
    }
}

/// From the coordinates of a node to those of the node above.
fn own(node: &Node) -> DMat4 {
    node.matrix.map_or_else(
        || {
            let rotation = DQuat::from_array(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
            let scale = DVec3::from_array(node.scale.unwrap_or([1.0; 3]));
            let translation = DVec3::from_array(node.translation.unwrap_or_default());
            // A file has rotations as numbers of 32 bits, which are not quite of length 1.
            let length = rotation.length();
            let rotation = if length > 0.0 { rotation / length } else { DQuat::IDENTITY };
            DMat4::from_scale_rotation_translation(scale, rotation, translation)
        },
        |matrix| DMat4::from_cols_array(&matrix),
    )
}
