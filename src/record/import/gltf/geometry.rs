//! The triangles of a part of a mesh.

use glam::DVec3;

use super::super::error::Trouble;
use super::buffers::Loaded;
use super::document::{Primitive, REMEDY};
use crate::numeric::quantity::is_moderate;
use crate::scenario::limits::TRIANGLES_MAX;

/// 32-bit numbers with a point.
const FLOAT: u32 = 5126;

/// The corners and the triangles of a part, or why it can have none.
type Part = Result<(Vec<DVec3>, Vec<[u32; 3]>), String>;

pub(super) fn triangles(loaded: &Loaded<'_>, primitive: &Primitive) -> Result<Part, Trouble> {
    if primitive.extensions.get("KHR_draco_mesh_compression").is_some() {
        return Ok(Err("it is compressed by Draco".to_owned()));
    }
    let Some(position) = primitive.attributes.position else { return Ok(Err("it has no positions".to_owned())) };
    let accessor = loaded.accessor(position)?;
    if accessor.sparse.is_some() {
        return Ok(Err("its positions are sparse".to_owned()));
    }
    if (accessor.component_type, accessor.kind.as_str()) != (FLOAT, "VEC3") {
        return Ok(Err("its positions are no numbers of 32 bits".to_owned()));
    }
    let part =
        |bytes: &[u8], axis: usize| f64::from(f32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[4 * axis + byte])));
    let corners = loaded.elements(accessor, 12)?;
    let corners: Vec<DVec3> =
        corners.iter().map(|bytes| DVec3::new(part(bytes, 0), part(bytes, 1), part(bytes, 2))).collect();
    if !corners.iter().all(|corner| corner.to_array().into_iter().all(is_moderate)) {
        return Err(Trouble::new("a coordinate is not finite", REMEDY));
    }
    let rows = match primitive.indices {
        Some(row) => indices(loaded, row)?,
        None => (0..corners.len() as u32).collect(),
    };
    if let Some(row) = rows.iter().find(|&&row| row as usize >= corners.len()) {
        return Err(Trouble::new(format!("there is no corner {row}"), REMEDY));
    }
    let turned = |(place, corners): (usize, &[u32])| {
        if place % 2 == 0 { [corners[0], corners[1], corners[2]] } else { [corners[1], corners[0], corners[2]] }
    };
    let list: Vec<[u32; 3]> = match primitive.mode.unwrap_or(4) {
        4 => rows.as_chunks().0.to_vec(),
        5 => rows.windows(3).enumerate().map(turned).collect(),
        6 => rows.get(1..).unwrap_or_default().windows(2).map(|pair| [rows[0], pair[0], pair[1]]).collect(),
        _ => return Ok(Err("it has points or lines and no triangles".to_owned())),
    };
    if list.len() > TRIANGLES_MAX {
        return Ok(Err(format!("it has {} triangles, more than {TRIANGLES_MAX}", list.len())));
    }
    Ok(Ok((corners, list)))
}

/// The rows of corners, which have 1, 2 or 4 bytes.
fn indices(loaded: &Loaded<'_>, row: usize) -> Result<Vec<u32>, Trouble> {
    let accessor = loaded.accessor(row)?;
    let size = match accessor.component_type {
        5121 => 1,
        5123 => 2,
        5125 => 4,
        other => return Err(Trouble::new(format!("indices of the type {other} are not known"), REMEDY)),
    };
    let number = |bytes: &&[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
    Ok(loaded.elements(accessor, size)?.iter().map(number).collect())
}
