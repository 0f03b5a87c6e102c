//! Solids seen along an axis: balls as circles, boxes as rectangles, half-spaces up to the edge of the view, meshes and
//! grids by their outlines.

mod mesh_depth;
mod mesh_fill;
mod outline;
mod stage;

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use super::chart::{Density, Entry, counted};
use super::coordinates::across;
use super::drawing::{
    Canvas, Color, DRIVEN, DRIVEN_EDGE, Dash, Mark, PAPER, SCENERY, SCENERY_EDGE, SENSOR, Stroke, area_beyond, faded,
    line_inside, patterned,
};
use super::motion::props::Prop;
use super::motion::view::View;
use super::motion::view::sizes::{bounds, half_size};
use crate::dynamics::{Motion, Response};
use crate::geometry::{Mesh, Plane, Shape};
use crate::world::Named;
use mesh_depth::DepthMap;
use mesh_fill::patches;
use outline::outline;
pub(super) use stage::Stage;

/// Smallest half extent that is drawn to scale, pixels; a wall a micrometre thick is drawn this thick.
const HALF_MIN: f64 = 0.6;

/// Smallest radius that is drawn to scale, pixels.
const RADIUS_MIN: f64 = 1.5;

/// Most solids of the scenery that are drawn one by one. If there are more, the smaller ones are drawn as a map of
/// their places.
const PROPS_MAX: usize = 3000;

/// How a solid is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    /// Its filling.
    pub(super) fill: Option<Color>,
    /// Its edge.
    pub(super) edge: Stroke,
    /// The dash pattern of the edge.
    pub(super) dash: Dash,
}

impl Stage {
    /// Draws a ball, a box, a mesh or a grid at `position`; half-spaces are drawn by [`scenery`](Self::scenery).
    pub(super) fn solid(&self, canvas: &mut Canvas, shape: &Shape, position: DVec3, look: Look) {
        if let Some(mesh) = shape.to_mesh() {
            let depths = DepthMap::new(self, &mesh, position);
            return self.mesh(canvas, &mesh, position, &depths, look);
        }
        let center = self.place(position);
        let half = half_size(shape);
        let reach = DVec2::new(half[self.axes[0]], half[self.axes[1]]) * self.scale();
        let round = matches!(shape, Shape::Sphere(_));
        let reach = reach.max(DVec2::splat(if round { RADIUS_MIN } else { HALF_MIN }));
        if round && look.dash.is_solid() && self.frame.rect.holds(center, reach.x) {
            if let Some(fill) = look.fill {
                canvas.push(Mark::Disc(center, reach.x, fill));
            }
            canvas.push(Mark::Ring(center, reach.x, look.edge));
            return;
        }
        let outline: Vec<DVec2> = if round {
            (0..=96)
                .map(|step| {
                    let (sine, cosine) = libm::sincos(TAU * f64::from(step) / 96.0);
                    center + reach * DVec2::new(cosine, sine)
                })
                .collect()
        } else {
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)];
            corners.map(|corner| center + reach * DVec2::from(corner)).to_vec()
        };
        if let Some(fill) = look.fill {
            self.frame.area(canvas, &outline[..outline.len() - 1], fill);
        }
        self.edge(canvas, &outline, look);
    }

    fn edge(&self, canvas: &mut Canvas, outline: &[DVec2], look: Look) {
        line_inside(outline, self.frame.rect, |part| {
            patterned(canvas, &part, look.edge, look.dash);
        });
    }

    /// Draws everything that is not free, the largest first. A kinematic body is drawn faintly where it begins, and
    /// again where it ends.
    pub(super) fn scenery(&self, canvas: &mut Canvas, mut props: Vec<Prop<'_>>, view: &View) {
        props.sort_by(|a, b| self.area(&b.shape).total_cmp(&self.area(&a.shape)));
        let small = props.split_off(props.len().min(PROPS_MAX));
        for Prop { body, shape, start, end, way } in props {
            let mut look = look(body.response, body.motion);
            if start != end {
                let edge = Stroke { color: faded(look.edge.color, 0.6), ..look.edge };
                self.one(canvas, &shape, start, Look { fill: None, edge, dash: Dash::DASHED });
                if !matches!(shape, Shape::Plane(_)) {
                    // The path of its centre.
                    for line in way {
                        let line: Vec<DVec2> = line.into_iter().map(|place| self.place(place)).collect();
                        self.edge(canvas, &line, Look { dash: Dash::DOTTED, ..look });
                    }
                }
            } else if self.surrounds(body, view) {
                look.fill = None;
            }
            if let Shape::Arc(arc) = &shape {
                let line = arc.chords().into_iter().map(|point| self.place(end + point.extend(0.0)));
                self.edge(canvas, &line.collect::<Vec<_>>(), look);
                continue;
            }
            match shape.to_mesh() {
                Some(mesh) => {
                    let depths = DepthMap::new(self, &mesh, end);
                    let fill = look.fill.filter(|_| !self.hides_all(&depths, view));
                    self.mesh(canvas, &mesh, end, &depths, Look { fill, ..look });
                }
                None => self.one(canvas, &shape, end, look),
            }
        }
        let mut map = Density::of_scenery(self.frame.rect);
        small.iter().for_each(|prop| map.add(self.place(prop.end)));
        map.draw(canvas);
    }

    /// The area of a solid in the view, up to a factor, m².
    fn area(&self, shape: &Shape) -> f64 {
        let half = half_size(shape);
        match shape {
            Shape::Plane(_) => f64::INFINITY,
            Shape::Sphere(_) | Shape::Box(_) | Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_) => {
                half[self.axes[0]] * half[self.axes[1]]
            }
        }
    }

    fn one(&self, canvas: &mut Canvas, shape: &Shape, position: DVec3, look: Look) {
        match shape {
            Shape::Plane(plane) => self.half_space(canvas, plane, position, look),
            Shape::Sphere(_) | Shape::Box(_) | Shape::Mesh(_) => self.solid(canvas, shape, position, look),
            // An arc was drawn as a mesh, and so was a grid with a solid cell.
            Shape::Arc(_) | Shape::Grid(_) => {}
        }
    }

    fn mesh(&self, canvas: &mut Canvas, mesh: &Mesh, position: DVec3, depths: &DepthMap, look: Look) {
        if let Some(fill) = look.fill {
            patches(depths).into_iter().for_each(|patch| canvas.push(Mark::Area(patch, fill)));
        }
        let lines = outline(self, depths, mesh, position);
        let faint = Stroke { color: faded(look.edge.color, 0.35), width: 0.6 * look.edge.width };
        lines.faint.into_iter().for_each(|line| canvas.push(Mark::Line(line, faint)));
        lines.strong.into_iter().for_each(|line| canvas.push(Mark::Line(line, look.edge)));
    }

    /// Whether a mesh lies before or behind all motion.
    fn hides_all(&self, depths: &DepthMap, view: &View) -> bool {
        let corner = |x: f64, y: f64| self.frame.place(x, y);
        let [x, y] = view.motion;
        depths.covers(corner(x.low, y.high), corner(x.high, y.low))
    }

    /// Whether a solid, seen along the axis, lies before or behind all motion. Its filling would then tint everything.
    fn surrounds(&self, body: &Named, view: &View) -> bool {
        let around = bounds(&body.shape, body.position);
        body.shape.outline().is_none()
            && [0, 1].into_iter().all(|side| {
                let axis = self.axes[side];
                around.min[axis] <= view.motion[side].low && around.max[axis] >= view.motion[side].high
            })
    }

    fn half_space(&self, canvas: &mut Canvas, plane: &Plane, position: DVec3, look: Look) {
        let [x, y] = [&self.frame.x.span, &self.frame.y.span];
        if plane.normal()[across(self.axes)] != 0.0 {
            return;
        }
        let normal = DVec2::new(plane.normal()[self.axes[0]], plane.normal()[self.axes[1]]);
        let offset = plane.offset() + plane.normal().dot(position);
        let corners = [(x.low, y.low), (x.high, y.low), (x.high, y.high), (x.low, y.high)].map(DVec2::from);
        let inside = area_beyond(&corners, -normal, -offset);
        let placed: Vec<_> = inside.iter().map(|corner| self.frame.place(corner.x, corner.y)).collect();
        if let Some(fill) = look.fill {
            self.frame.area(canvas, &placed, fill);
        }
        let middle = DVec2::new(x.middle(), y.middle());
        let foot = middle + normal * (offset - normal.dot(middle));
        let along = normal.perp() * (x.length() + y.length());
        let ends = [foot - along, foot + along].map(|end| self.frame.place(end.x, end.y));
        self.edge(canvas, &ends, look);
    }
}

/// A note if not all of the scenery is drawn one by one.
pub(super) fn mapped(props: usize) -> Option<String> {
    let small = props.saturating_sub(PROPS_MAX) as u64;
    (small > 0).then(|| {
        format!("The smaller of what is not free, {}, are shown by where their centres are.", counted(small, "solid"))
    })
}

/// Notes on planes oblique to the view, whose edge is not a line in it.
pub(super) fn oblique(bodies: &[Named], axes: [usize; 2]) -> Vec<String> {
    let across = across(axes);
    let oblique = |body: &&Named| match &body.shape {
        Shape::Plane(plane) => plane.normal()[across] != 0.0 && plane.normal()[across].abs() != 1.0,
        Shape::Sphere(_) | Shape::Box(_) | Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_) => false,
    };
    let names =
        bodies.iter().filter(oblique).map(|body| format!("{} is oblique to this view and not drawn.", body.name));
    names.take(3).collect()
}

/// The style of a body that is not free.
fn look(response: Response, motion: Motion) -> Look {
    let edge = |color| Stroke { color, width: 1.2 };
    match (response, motion) {
        (Response::Sense, _) => Look { fill: Some(faded(SENSOR, 0.10)), edge: edge(SENSOR), dash: Dash::DASHED },
        (Response::Collide, Motion::Kinematic) => {
            Look { fill: Some(DRIVEN), edge: edge(DRIVEN_EDGE), dash: Dash::SOLID }
        }
        (Response::Collide, _) => Look { fill: Some(SCENERY), edge: edge(SCENERY_EDGE), dash: Dash::SOLID },
    }
}

/// The entries of the legend for the kinds of scenery that occur, and for the first places of kinematic bodies if one
/// has moved.
pub(super) fn entries(bodies: &[&Named], has_moved: bool) -> Vec<Entry> {
    let kinds = [
        (Response::Collide, Motion::Fixed, "fixed"),
        (Response::Collide, Motion::Kinematic, "kinematic"),
        (Response::Sense, Motion::Fixed, "sensor"),
        (Response::Sense, Motion::Kinematic, "moving sensor"),
    ];
    let occurs = |response, motion| bodies.iter().any(|body| body.response == response && body.motion == motion);
    let entry = |(response, motion, label)| {
        let look = look(response, motion);
        Entry::patch(look.fill.unwrap_or(PAPER), look.edge.color, look.dash, label)
    };
    let mut entries: Vec<Entry> =
        kinds.into_iter().filter(|&(response, motion, _)| occurs(response, motion)).map(entry).collect();
    if has_moved {
        entries.push(Entry::patch(faded(PAPER, 0.0), faded(DRIVEN_EDGE, 0.6), Dash::DASHED, "kinematic, at the start"));
    }
    entries
}
