//! Solids seen obliquely: balls as discs, boxes by their faces towards the viewer, half-spaces by their surface, meshes
//! and grids by their triangles. Far parts are drawn first, and near ones cover them.

use glam::{DVec2, DVec3};

use super::camera::Sight;
use super::room::{Room, others};
use crate::geometry::{Mesh, Plane, Shape};
use crate::report::drawing::{Canvas, Color, Mark, Stroke, faded, pale};

/// Share of its colour in a face that is turned up, right or to the front; light comes from above.
const LIGHT: [f64; 3] = [0.62, 0.82, 0.4];
/// Most triangles of a mesh that are drawn; a mesh with more is drawn as the box around it.
const TRIANGLES_MAX: usize = 20_000;

/// How a solid is drawn.
#[derive(Debug, Clone, Copy)]
pub(in crate::report) struct Paint {
    pub(in crate::report) color: Color,
    pub(in crate::report) edge: Stroke,
    /// Strength of the colour of its faces, and their opacity, from 0 to 1.
    pub(in crate::report) strength: f64,
    pub(in crate::report) cover: f64,
}

/// A part of a solid.
struct Piece {
    nearness: f64,
    form: Form,
    fill: Color,
    edge: Option<Stroke>,
}

enum Form {
    Disc(DVec2, f64),
    Face(Vec<DVec2>),
}

/// Solids that are to be drawn.
pub(in crate::report) struct Solids<'a> {
    sight: &'a Sight,
    room: Room,
    theme: crate::scenario::plot::style::Theme,
    pieces: Vec<Piece>,
}

impl<'a> Solids<'a> {
    pub(in crate::report) fn new(sight: &'a Sight, room: Room, theme: crate::scenario::plot::style::Theme) -> Self {
        Self { sight, room, theme, pieces: Vec::new() }
    }

    /// Adds a solid at `position`.
    pub(in crate::report) fn add(&mut self, shape: &Shape, position: DVec3, paint: Paint) {
        match shape {
            Shape::Sphere(radius) => {
                let fill = self.shade(paint, 0.5);
                let radius = (radius.get() * self.sight.scale).max(1.2);
                let form = Form::Disc(self.sight.place(position), radius);
                let nearness = self.sight.nearness(position);
                self.pieces.push(Piece { nearness, form, fill, edge: Some(paint.edge) });
            }
            Shape::Box(_) => {
                let half = shape.half_extents();
                self.cuboid(position - half, position + half, paint);
            }
            Shape::Plane(plane) => self.surface(plane, position, paint),
            Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_) => match shape.to_mesh() {
                Some(mesh) if mesh.triangles().len() > TRIANGLES_MAX => {
                    self.cuboid(position + mesh.bounds().min, position + mesh.bounds().max, paint);
                }
                Some(mesh) => self.triangles(&mesh, position, paint),
                None => {}
            },
        }
    }

    fn shade(&self, paint: Paint, light: f64) -> Color {
        faded(pale(paint.color, (paint.strength * light).min(1.0), self.theme), paint.cover)
    }

    /// The part of a box within the room.
    fn cuboid(&mut self, min: DVec3, max: DVec3, paint: Paint) {
        let inner = Room { min: min.max(self.room.min), max: max.min(self.room.max) };
        if inner.min.cmpgt(inner.max).any() {
            return;
        }
        for axis in 0..3 {
            let towards = self.sight.camera.towards[axis];
            if towards == 0.0 {
                continue;
            }
            let [b, c] = others(axis);
            let corners = [(false, false), (true, false), (true, true), (false, true)].map(|(right, above)| {
                let mut corner = DVec3::ZERO;
                corner[axis] = inner.end(axis, towards > 0.0);
                (corner[b], corner[c]) = (inner.end(b, right), inner.end(c, above));
                corner
            });
            let light = if axis == 2 && towards > 0.0 { LIGHT[2] } else { LIGHT[axis % 2] };
            self.face(&corners, light, paint, Some(paint.edge));
        }
    }

    /// The surface of a half-space, if its outer side is seen.
    fn surface(&mut self, plane: &Plane, position: DVec3, paint: Paint) {
        let normal = plane.normal();
        let section = self.room.section(normal, plane.offset() + normal.dot(position));
        if section.len() > 2 && normal.dot(self.sight.camera.towards) > 0.0 {
            self.face(&section, LIGHT[2], paint, Some(paint.edge));
        }
    }

    fn triangles(&mut self, mesh: &Mesh, position: DVec3, paint: Paint) {
        for triangle in mesh.triangles() {
            let corners = triangle.vertices().map(|corner| corner + position);
            let light = 0.3 + 0.5 * triangle.cross().normalize_or_zero().dot(DVec3::new(0.3, -0.5, 0.8)).abs();
            let fill = self.shade(paint, light);
            // A thin edge of the same colour closes the gaps.
            self.face(&corners, light, paint, Some(Stroke { color: fill, width: 0.4 }));
        }
    }

    fn face(&mut self, corners: &[DVec3], light: f64, paint: Paint, edge: Option<Stroke>) {
        let nearness = corners.iter().map(|&corner| self.sight.nearness(corner)).sum::<f64>() / corners.len() as f64;
        let outline = corners.iter().map(|&corner| self.sight.place(corner)).collect();
        let fill = self.shade(paint, light);
        self.pieces.push(Piece { nearness, form: Form::Face(outline), fill, edge });
    }

    /// Draws all parts, the farthest first.
    pub(in crate::report) fn draw(mut self, canvas: &mut Canvas) {
        self.pieces.sort_by(|a, b| a.nearness.total_cmp(&b.nearness));
        for Piece { form, fill, edge, .. } in self.pieces {
            match form {
                Form::Disc(center, radius) => {
                    canvas.push(Mark::Disc(center, radius, fill));
                    edge.into_iter().for_each(|edge| canvas.push(Mark::Ring(center, radius, edge)));
                }
                Form::Face(mut outline) => {
                    canvas.push(Mark::Area(outline.clone(), fill));
                    outline.push(outline[0]);
                    edge.into_iter().for_each(|edge| canvas.push(Mark::Line(outline.clone(), edge)));
                }
            }
        }
    }
}
