//! Meshes of a scenario: triangles or heights written out in it, or read from a file beside it.
//!
//! A file is read once, however many bodies name it. Two bodies with the same text for their shapes share one mesh. The
//! bytes of every file are kept with the scenario, so that a run can be stored completely.

mod fault;
mod heights;
mod obj;
mod placing;
mod polygon;
pub(super) mod schema;
mod soup;
mod stl;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use glam::DVec3;

use self::placing::Placing;
use self::soup::Soup;
use super::limits::TRIANGLES_MAX;
use super::numbers::PerAxis;
use super::problem::error_kinds::Fault;
use super::problem::{Entry, Report};
use super::text::files::Files;
use crate::geometry::{Mesh, MeshError};
use crate::numeric::quantity::is_positive;

pub use fault::MeshFault;

/// The meshes made so far, and the files of the scenario.
pub(super) struct Meshes {
    pub(super) files: Files,
    read: BTreeMap<String, Arc<Soup>>,
    /// The meshes by the text of their shape.
    made: BTreeMap<String, Arc<Mesh>>,
}

impl Meshes {
    /// No meshes yet.
    pub(super) fn new(files: Files) -> Self {
        Self { files, read: BTreeMap::new(), made: BTreeMap::new() }
    }

    /// The mesh that the shape of `entry` describes.
    pub(super) fn make(&mut self, report: &mut Report<'_>, entry: Entry<'_>, raw: &schema::Mesh) -> Option<Arc<Mesh>> {
        let text = entry.value("shape");
        if let Some(mesh) = self.made.get(text) {
            return Some(Arc::clone(mesh));
        }
        let placing = Placing::check(report, entry, raw);
        let soup = self.soup(raw).map_err(|fault| report.add(entry, path_to_origin(raw), fault)).ok()?;
        let mesh = Arc::new(built(report, entry, raw, &soup, &placing?)?);
        self.made.insert(text.to_owned(), Arc::clone(&mesh));
        Some(mesh)
    }

    /// The mesh of the heights that the shape of `entry` describes.
    pub(super) fn heights(
        &mut self,
        report: &mut Report<'_>,
        entry: Entry<'_>,
        raw: &schema::Heights,
    ) -> Option<Arc<Mesh>> {
        let text = entry.value("shape");
        if let Some(mesh) = self.made.get(text) {
            return Some(Arc::clone(mesh));
        }
        let edges = match raw.cell {
            PerAxis::Same(edge) => [edge; 2],
            PerAxis::Each(edges) => edges,
        };
        if !edges.into_iter().all(is_positive) {
            report.out_of_range(entry, "shape.cell", "a positive finite number of metres");
            return None;
        }
        let path = if raw.file.is_some() { "shape.file" } else { "shape.rows" };
        let rows = match (&raw.file, &raw.rows) {
            (Some(file), None) => self.rows_of(file),
            (None, Some(rows)) => Ok(rows.clone()),
            _ => {
                report.add(entry, "shape", Fault::Mesh(MeshFault::UnclearHeights));
                return None;
            }
        };
        let rows = rows.map_err(|fault| report.add(entry, path, fault)).ok()?;
        let found = 2 * rows.iter().map(Vec::len).sum::<usize>();
        if found > TRIANGLES_MAX {
            report.add(entry, path, Fault::Mesh(MeshFault::TooManyTriangles { found }));
            return None;
        }
        let soup = heights::soup(&rows, edges).map_err(|fault| report.add(entry, path, Fault::Grid(fault))).ok()?;
        let made = Mesh::new(&soup.vertices, &soup.triangles);
        let no_mesh = |error| Fault::Mesh(MeshFault::NoMesh { file: raw.file.clone(), error });
        let mesh = Arc::new(made.map_err(|error| report.add(entry, path, no_mesh(error))).ok()?);
        self.made.insert(text.to_owned(), Arc::clone(&mesh));
        Some(mesh)
    }

    fn rows_of(&mut self, file: &str) -> Result<Vec<Vec<f64>>, Fault> {
        Files::check_name(file).map_err(Fault::File)?;
        if !has_ending(file, &["csv", "txt"]) {
            let (file, endings) = (file.to_owned(), "`.csv` or `.txt`");
            return Err(Fault::Mesh(MeshFault::UnknownFormat { file, endings }));
        }
        let bytes = self.files.read(file).map_err(Fault::File)?;
        heights::read(&bytes).map_err(|trouble| {
            let file = file.to_owned();
            Fault::Mesh(MeshFault::Unsound { file, format: "CSV", trouble })
        })
    }

    fn soup(&mut self, raw: &schema::Mesh) -> Result<Arc<Soup>, Fault> {
        let soup = match (&raw.file, &raw.vertices, &raw.triangles) {
            (Some(file), None, None) => self.soup_of(file)?,
            (None, Some(vertices), Some(triangles)) => {
                let vertices = vertices.iter().map(|&vertex| DVec3::from_array(vertex)).collect();
                Arc::new(Soup { vertices, triangles: triangles.clone() })
            }
            _ => return Err(Fault::Mesh(MeshFault::UnclearOrigin)),
        };
        let found = soup.triangles.len();
        if found > TRIANGLES_MAX { Err(Fault::Mesh(MeshFault::TooManyTriangles { found })) } else { Ok(soup) }
    }

    fn soup_of(&mut self, file: &str) -> Result<Arc<Soup>, Fault> {
        if let Some(soup) = self.read.get(file) {
            return Ok(Arc::clone(soup));
        }
        Files::check_name(file).map_err(Fault::File)?;
        let format = Format::of(file).ok_or_else(|| {
            let file = file.to_owned();
            Fault::Mesh(MeshFault::UnknownFormat { file, endings: "`.obj` or `.stl`" })
        })?;
        let bytes = self.files.read(file).map_err(Fault::File)?;
        let soup = Arc::new(format.read(&bytes).map_err(|trouble| {
            let (file, format) = (file.to_owned(), format.name());
            Fault::Mesh(MeshFault::Unsound { file, format, trouble })
        })?);
        self.read.insert(file.to_owned(), Arc::clone(&soup));
        Ok(soup)
    }
}

/// The field to underline when the triangles cannot be read.
fn path_to_origin(raw: &schema::Mesh) -> &'static str {
    if raw.file.is_some() { "shape.file" } else { "shape" }
}

fn built(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    raw: &schema::Mesh,
    soup: &Soup,
    placing: &Placing,
) -> Option<Mesh> {
    let vertices: Vec<DVec3> = soup.vertices.iter().map(|&vertex| placing.place(vertex)).collect();
    let triangles: Vec<[u32; 3]> = soup.triangles.iter().map(|&triangle| placing.oriented(triangle)).collect();
    let made = if raw.closed { Mesh::closed(&vertices, &triangles) } else { Mesh::new(&vertices, &triangles) };
    made.map_err(|error| {
        let path = match error {
            _ if raw.file.is_some() => "shape.file".to_owned(),
            MeshError::NotFinite { vertex } => format!("shape.vertices[{vertex}]"),
            MeshError::NoSuchVertex { triangle, .. }
            | MeshError::NotClosed { triangle, .. }
            | MeshError::InsideOut { triangle } => {
                format!("shape.triangles[{triangle}]")
            }
            MeshError::Empty | MeshError::TooMany { .. } => "shape.triangles".to_owned(),
        };
        report.add(entry, &path, Fault::Mesh(MeshFault::NoMesh { file: raw.file.clone(), error }));
    })
    .ok()
}

fn has_ending(file: &str, endings: &[&str]) -> bool {
    let ending = Path::new(file).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| endings.iter().any(|known| known.eq_ignore_ascii_case(ending)))
}

#[derive(Clone, Copy)]
enum Format {
    Obj,
    Stl,
}

impl Format {
    fn of(file: &str) -> Option<Self> {
        [Self::Obj, Self::Stl].into_iter().find(|format| has_ending(file, &[format.name()]))
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Obj => "OBJ",
            Self::Stl => "STL",
        }
    }

    fn read(self, bytes: &[u8]) -> Result<Soup, String> {
        match self {
            Self::Obj => obj::read(bytes),
            Self::Stl => stl::read(bytes),
        }
    }
}
