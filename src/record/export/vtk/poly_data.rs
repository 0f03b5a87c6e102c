//! One file of VTK PolyData, as text: points with numbers, and vertices or polygons.
//!
//! Source: *VTK XML Formats*, <https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html>.

use std::fmt::Write;

use glam::DVec3;

use crate::motion::SimTime;
use crate::record::export::pen::push_numbers;

/// The content of a file: one cell for each body, or one for each polygon of it.
#[derive(Default)]
pub(super) struct PolyData {
    points: Vec<DVec3>,
    /// The points of all cells, one cell after the other, and where each cell ends.
    connectivity: Vec<usize>,
    offsets: Vec<usize>,
    /// Whether the cells are polygons; else they are vertices.
    has_polygons: bool,
    /// The body of each cell.
    bodies: Vec<About>,
}

/// The data of a body in each of its cells.
#[derive(Clone, Copy)]
pub(super) struct About {
    pub(super) id: u32,
    pub(super) is_sensor: bool,
    /// Radius, m; zero for a body that is not a ball.
    pub(super) radius: f64,
    pub(super) velocity: DVec3,
    pub(super) spin: DVec3,
}

impl PolyData {
    /// Without points, for vertices or for polygons.
    pub(super) fn new(has_polygons: bool) -> Self {
        Self { has_polygons, ..Self::default() }
    }

    /// Adds a cell of new points.
    pub(super) fn add(&mut self, corners: impl IntoIterator<Item = DVec3>, about: About) {
        for corner in corners {
            self.connectivity.push(self.points.len());
            self.points.push(corner);
        }
        self.offsets.push(self.connectivity.len());
        self.bodies.push(about);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// The whole file, at an instant.
    pub(super) fn text(&self, time: SimTime) -> String {
        let mut text = String::from(concat!(
            "<?xml version=\"1.0\"?>\n",
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n",
            "<PolyData>\n",
        ));
        let (cells, points) = (self.offsets.len(), self.points.len());
        let (vertices, polygons) = if self.has_polygons { (0, cells) } else { (cells, 0) };
        // Writing into a string cannot fail.
        let _ = write!(
            text,
            "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time}</DataArray>\
             </FieldData>\n<Piece NumberOfPoints=\"{points}\" NumberOfVerts=\"{vertices}\" NumberOfLines=\"0\" \
             NumberOfStrips=\"0\" NumberOfPolys=\"{polygons}\">\n"
        );
        self.push_numbers_of_cells(&mut text);
        text.push_str("<Points>\n");
        push_reals(&mut text, "Points", 3, self.points.iter().flat_map(DVec3::to_array));
        text.push_str("</Points>\n");
        let cells = if self.has_polygons { "Polys" } else { "Verts" };
        let _ = writeln!(text, "<{cells}>");
        push_wholes(&mut text, "connectivity", self.connectivity.iter().copied());
        push_wholes(&mut text, "offsets", self.offsets.iter().copied());
        let _ = writeln!(text, "</{cells}>\n</Piece>\n</PolyData>\n</VTKFile>");
        text
    }

    /// Numbers stand at the points of balls, where glyphs look for them, and at the cells of polygons.
    fn push_numbers_of_cells(&self, text: &mut String) {
        let place = if self.has_polygons { "CellData" } else { "PointData" };
        let _ = writeln!(text, "<{place} Vectors=\"velocity\">");
        push_wholes(text, "id", self.bodies.iter().map(|body| body.id as usize));
        push_wholes(text, "sensor", self.bodies.iter().map(|body| usize::from(body.is_sensor)));
        push_reals(text, "velocity", 3, self.bodies.iter().flat_map(|body| body.velocity.to_array()));
        if !self.has_polygons {
            push_reals(text, "radius", 1, self.bodies.iter().map(|body| body.radius));
            push_reals(text, "spin", 3, self.bodies.iter().flat_map(|body| body.spin.to_array()));
        }
        let _ = writeln!(text, "</{place}>");
    }
}

fn push_reals(text: &mut String, name: &str, components: usize, numbers: impl IntoIterator<Item = f64>) {
    let _ = write!(
        text,
        "<DataArray type=\"Float64\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"ascii\">"
    );
    push_numbers(text, numbers);
    text.push_str(" </DataArray>\n");
}

fn push_wholes(text: &mut String, name: &str, numbers: impl Iterator<Item = usize>) {
    let _ = write!(text, "<DataArray type=\"Int64\" Name=\"{name}\" format=\"ascii\">");
    for number in numbers {
        let _ = write!(text, " {number}");
    }
    text.push_str(" </DataArray>\n");
}
