//! Meshes of a scenario: triangles or heights written out in it, or read from a file beside it.
//!
//! A file is read once, however many bodies name it. Two bodies with the same text for their shapes share one mesh. The
//! bytes of every file are kept with the scenario, so that a run can be stored completely.

mod heights;
mod obj;
pub(super) mod placing;
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
use super::error_kinds::{Fault, MeshFault};
use super::limits::TRIANGLES_MAX;
use super::problem::{Entry, Report};
use super::text::files::Files;
use crate::geometry::{Mesh, MeshError};
use crate::numeric::quantity::is_positive;

/// A format of files.
struct Format<T> {
    name: &'static str,
    endings: &'static [&'static str],
    read: fn(&[u8]) -> Result<T, String>,
}

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
        self.once(entry, |meshes| {
            let placing = Placing::check(report, entry, raw);
            let soup = meshes.soup(raw).map_err(|fault| report.add(entry, path_to_origin(raw), fault)).ok()?;
            built(report, entry, raw, &soup, &placing?)
        })
    }

    /// The mesh of the heights that the shape of `entry` describes.
    pub(super) fn heights(
        &mut self,
        report: &mut Report<'_>,
        entry: Entry<'_>,
        raw: &schema::Heights,
    ) -> Option<Arc<Mesh>> {
        self.once(entry, |meshes| meshes.over(report, entry, raw))
    }

    /// The mesh of a shape, made once for each text.
    fn once(&mut self, entry: Entry<'_>, make: impl FnOnce(&mut Self) -> Option<Mesh>) -> Option<Arc<Mesh>> {
        let text = entry.value("shape");
        if let Some(mesh) = self.made.get(text) {
            return Some(Arc::clone(mesh));
        }
        let mesh = Arc::new(make(self)?);
        self.made.insert(text.to_owned(), Arc::clone(&mesh));
        Some(mesh)
    }

    fn over(&mut self, report: &mut Report<'_>, entry: Entry<'_>, raw: &schema::Heights) -> Option<Mesh> {
        let edges = raw.cell.each();
        if !edges.into_iter().all(is_positive) {
            return report.refuse(entry, "shape.cell", "a positive finite number of metres");
        }
        let path = if raw.file.is_some() { "shape.file" } else { "shape.rows" };
        let rows = match (&raw.file, &raw.rows) {
            (Some(file), None) => self.rows_of(file),
            (None, Some(rows)) => Ok(rows.clone()),
            _ => return report.fail(entry, "shape", Fault::Mesh(MeshFault::UnclearHeights)),
        };
        let rows = rows.map_err(|fault| report.add(entry, path, fault)).ok()?;
        let found = 2 * rows.iter().map(Vec::len).sum::<usize>();
        if found > TRIANGLES_MAX {
            return report.fail(entry, path, Fault::Mesh(MeshFault::TooManyTriangles { found }));
        }
        let soup = heights::soup(&rows, edges).map_err(|fault| report.add(entry, path, Fault::Grid(fault))).ok()?;
        let made = Mesh::new(&soup.vertices, &soup.triangles);
        let no_mesh = |error| Fault::Mesh(MeshFault::NoMesh { file: raw.file.clone(), error });
        made.map_err(|error| report.add(entry, path, no_mesh(error))).ok()
    }

    fn rows_of(&mut self, file: &str) -> Result<Vec<Vec<f64>>, Fault> {
        let csv = Format { name: "CSV", endings: &["csv", "txt"], read: heights::read };
        self.content(file, "`.csv` or `.txt`", [csv])
    }

    /// What is in a file of one of `formats`, which have the `endings`.
    fn content<T, const N: usize>(
        &mut self,
        file: &str,
        endings: &'static str,
        formats: [Format<T>; N],
    ) -> Result<T, Fault> {
        Files::check_name(file).map_err(Fault::File)?;
        let format = formats.into_iter().find(|format| has_ending(file, format.endings));
        let format = format.ok_or_else(|| Fault::Mesh(MeshFault::UnknownFormat { file: file.to_owned(), endings }))?;
        let bytes = self.files.read(file).map_err(Fault::File)?;
        (format.read)(&bytes)
            .map_err(|trouble| Fault::Mesh(MeshFault::Unsound { file: file.to_owned(), format: format.name, trouble }))
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
        let obj = Format { name: "OBJ", endings: &["obj"], read: obj::read };
        let stl = Format { name: "STL", endings: &["stl"], read: stl::read };
        let soup = Arc::new(self.content(file, "`.obj` or `.stl`", [obj, stl])?);
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
            MeshError::Empty | MeshError::TooMany { .. } | MeshError::Outline(_) => "shape.triangles".to_owned(),
        };
        report.add(entry, &path, Fault::Mesh(MeshFault::NoMesh { file: raw.file.clone(), error }));
    })
    .ok()
}

fn has_ending(file: &str, endings: &[&str]) -> bool {
    let ending = Path::new(file).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| endings.iter().any(|known| known.eq_ignore_ascii_case(ending)))
}
