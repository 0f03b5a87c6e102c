//! Predictions for a body and a mesh: meetings with its triangles, and the end of a contact with a facet.
//!
//! A mesh is one surface, not a set of separate triangles. Where a ball meets a triangle at an edge that is a seam, it
//! is in contact with the face of the next triangle, so the normal is that of the face. A body that is below a facet by
//! no more than rounding slides on that facet, also across triangles. A meeting at a seam counts only if the pair
//! approaches along the facet's normal. So a seam does not act as a bump, and a real edge keeps its own normal.

use glam::DVec3;

use super::pair_event::{Meeting, Rounding, lies_in};
use crate::dynamics::body::pair::Pair;
use crate::dynamics::contact::{Contact, Surface};
use crate::dynamics::scene::Scene;
use crate::geometry::closest::triangle::Upright;
use crate::geometry::closest::{Feature, point_on_triangle};
use crate::geometry::{Aabb, Facet, Mesh, Solid, gap, unit};
use crate::motion::Relative;
use crate::numeric::tolerance::{SEAM_SLACK, TIME_MAX};
use crate::numeric::{Interval, Intervals, Quadratic};
use crate::sweep::mesh::triangles_on_way;
use crate::sweep::{self, Rates, Start};

/// A body and a mesh in relative motion.
struct MeshApproach<'a> {
    body: Solid<'a>,
    mesh: &'a Mesh,
    /// Motion of the mesh seen from the body.
    motion: Relative,
    rounding: Rounding,
}

/// The normal where a body meets a triangle.
struct Facing {
    /// From the body into the mesh.
    normal: DVec3,
    /// Whether the meeting is at a seam, where another triangle continues the surface.
    seam: bool,
}

impl Scene {
    /// The next meeting of the two bodies of `pair`, one of which is a mesh, if it is no later than `latest`, s from
    /// the start of `motion`. Triangles in contact with the body are skipped.
    pub(in crate::dynamics) fn mesh_meeting(&self, pair: Pair, motion: &Relative, latest: f64) -> Option<Meeting> {
        let (approach, flipped) = self.approach(pair, motion)?;
        let contacts = self.contacts.between(pair, &self.rows).map(|row| self.contacts.get(row));
        let contacts: Vec<&Contact> = contacts.collect();
        let mut first: Option<Meeting> = None;
        triangles_on_way(approach.body, approach.mesh, &approach.motion, latest, |triangle, until| {
            if contacts.iter().any(|contact| contact.holds(triangle, approach.mesh)) {
                return until;
            }
            if let Some(meeting) = approach.meeting(triangle)
                && meeting.time <= latest
                && first.is_none_or(|first| (meeting.time, triangle) < (first.time, first.part))
            {
                first = Some(meeting);
            }
            first.map_or(until, |first| first.time)
        });
        first.map(|met| Meeting { normal: if flipped { -met.normal } else { met.normal }, ..met })
    }

    /// The mesh of a pair as seen from the body, and whether the mesh is the pair's first body.
    fn approach<'a>(&'a self, pair: Pair, motion: &Relative) -> Option<(MeshApproach<'a>, bool)> {
        let rounding = self.rounding(pair);
        let (mesh, body, flipped) = match (self.rows.mesh(pair.a), self.rows.mesh(pair.b)) {
            (None, Some(mesh)) => (mesh, pair.a, false),
            (Some(mesh), None) => (mesh, pair.b, true),
            _ => return None,
        };
        let motion = if flipped { motion.reversed() } else { *motion };
        Some((MeshApproach { body: self.rows.solid(body, 0), mesh, motion, rounding }, flipped))
    }

    /// The overlap of the two bodies of `pair` when the second lies `offset` from the first, m; 0 or less if they do
    /// not overlap.
    pub(in crate::dynamics) fn depth(&self, pair: Pair, offset: DVec3) -> f64 {
        let deep = |part: u32| {
            let [a, b] = self.solids(pair, part);
            gap(a, b, offset).map_or(0.0, |gap| -gap.separation)
        };
        let rest = Relative { position: offset, velocity: DVec3::ZERO, acceleration: DVec3::ZERO };
        let Some((approach, flipped)) = self.approach(pair, &rest) else { return deep(0) };
        let half = self.rows.shape(if flipped { pair.b } else { pair.a }).half_extents();
        let mut deepest = 0.0;
        let bounds = Aabb::around(-approach.motion.position, half);
        approach.mesh.tree().touching(&bounds, |triangle| deepest = f64::max(deepest, deep(triangle)));
        deepest.max(approach.mesh.depth_of(-approach.motion.position))
    }

    /// When a body in contact with a facet has moved beyond its edge, s from the start of `motion`.
    pub(in crate::dynamics) fn facet_leave(&self, pair: Pair, motion: &Relative, contact: &Contact) -> f64 {
        let Some((approach, flipped)) = self.approach(pair, motion) else { return 0.0 };
        let normal = if flipped { -contact.normal } else { contact.normal };
        approach.facet_leave(contact.part, normal)
    }
}

impl Contact {
    /// Whether a triangle of the mesh belongs to this contact.
    fn holds(&self, triangle: u32, mesh: &Mesh) -> bool {
        match self.surface {
            Surface::Facet => mesh.facet_of(triangle) == mesh.facet_of(self.part),
            Surface::Flat { .. } | Surface::Endless | Surface::Curved => triangle == self.part,
        }
    }
}

impl MeshApproach<'_> {
    /// When the body first approaches a triangle from which it has no gap.
    fn meeting(&self, triangle: u32) -> Option<Meeting> {
        let solid = Solid::Triangle(&self.mesh.triangles()[triangle as usize]);
        if self.motion.is_straight() {
            let overlap = sweep::overlap(self.body, solid, &self.motion, TIME_MAX)?;
            let began = if overlap.start == Start::Inside { f64::NEG_INFINITY } else { overlap.enter };
            let piece = Interval { enter: began, leave: overlap.leave };
            return self.meeting_in(triangle, piece, overlap.normal);
        }
        let pieces = sweep::pieces(self.body, solid, &self.motion);
        let ahead = pieces.as_slice().iter().filter(|piece| piece.leave > 0.0 && piece.enter <= TIME_MAX);
        ahead.map(|&piece| self.meeting_in(triangle, piece, self.own_normal(solid, piece)?)).find_map(|met| met)
    }

    fn own_normal(&self, triangle: Solid<'_>, piece: Interval) -> Option<DVec3> {
        if piece.enter >= 0.0 {
            Some(sweep::normal_at_entry(self.body, triangle, &self.motion, piece))
        } else {
            gap(self.body, triangle, self.motion.position).map(|gap| gap.normal)
        }
    }

    /// The meeting in one overlap with a triangle. `own` is the normal of the triangle alone.
    fn meeting_in(&self, triangle: u32, piece: Interval, own: DVec3) -> Option<Meeting> {
        let start = piece.enter.max(0.0);
        let here = self.motion.from(start);
        let Facing { normal, seam } = self.facing(triangle, here.position, own);
        let normal = sweep::against_motion(normal, piece, &self.motion);
        let in_front = |time: f64| sweep::in_front(time, normal, piece, &self.motion);
        let met = |time: f64| Some(Meeting { time: in_front(time), normal, part: triangle });
        if piece.enter > 0.0 && !seam && normal.dot(here.velocity) <= 0.0 {
            return met(start);
        }
        let rates = if seam {
            Rates { normal, speed: normal.dot(here.velocity), acceleration: normal.dot(here.acceleration) }
        } else {
            let solid = Solid::Triangle(&self.mesh.triangles()[triangle as usize]);
            sweep::rates_along(self.body, solid, &here, normal)
        };
        let time = start + self.rounding.time_of_closing(&rates);
        (lies_in(time, &piece) && time <= TIME_MAX).then_some(())?;
        met(time)
    }

    /// The normal at a triangle when the mesh lies at `position` from the body.
    fn facing(&self, triangle: u32, position: DVec3, own: DVec3) -> Facing {
        // The body's position, seen from the mesh.
        let place = -position;
        let itself = Facing { normal: own, seam: false };
        match self.body {
            Solid::Sphere(radius) => self.facing_of_sphere(triangle, place, radius).unwrap_or(itself),
            Solid::Box(half) => self.facing_of_box(triangle, place, half, own).unwrap_or(itself),
            Solid::Plane(_) | Solid::Sheet(_) | Solid::Triangle(_) => itself,
        }
    }

    /// `None` where another axis than the triangle's normal is the axis of least overlap, by more than rounding.
    fn facing_of_box(&self, triangle: u32, place: DVec3, half: DVec3, own: DVec3) -> Option<Facing> {
        let facet = self.mesh.facet(self.mesh.facet_of(triangle));
        let normal = towards(facet, place);
        let face = unit(Upright::of(&self.mesh.triangles()[triangle as usize]).normal)?;
        if own == face || own == -face {
            return Some(Facing { normal, seam: false });
        }
        let reach = facet.normal.abs().dot(half);
        let size = facet.normal.abs().dot(place.abs()) + facet.offset.abs() + reach;
        let grazes = reach - facet.distance(place).abs() <= SEAM_SLACK * size;
        grazes.then_some(Facing { normal, seam: true })
    }

    /// `None` where the ball meets the triangle's own edge or vertex.
    fn facing_of_sphere(&self, triangle: u32, center: DVec3, radius: f64) -> Option<Facing> {
        let nearest = point_on_triangle(center, &self.mesh.triangles()[triangle as usize]);
        if nearest.feature == Feature::Face {
            let facet = self.mesh.facet(self.mesh.facet_of(triangle));
            return Some(Facing { normal: towards(facet, center), seam: false });
        }
        let point = nearest.point;
        let rounding = SEAM_SLACK * (point.abs() + center.abs() + radius).max_element();
        let reach = (center - point).length() + rounding;
        let mut face: Option<u32> = None;
        self.mesh.tree().touching(&Aabb::around(point, DVec3::splat(rounding)), |other| {
            let solid = &self.mesh.triangles()[other as usize];
            let goes_on = (point_on_triangle(point, solid).point - point).length() <= rounding;
            let over = point_on_triangle(center, solid);
            if goes_on && over.feature == Feature::Face && (over.point - center).length() <= reach {
                face = Some(face.map_or(other, |face| face.min(other)));
            }
        });
        let facet = self.mesh.facet(self.mesh.facet_of(face?));
        Some(Facing { normal: towards(facet, center), seam: true })
    }

    /// The end of the first uninterrupted time on the triangles of a facet; 0 if the body is not on it.
    fn facet_leave(&self, part: u32, normal: DVec3) -> f64 {
        let facet = self.mesh.facet(self.mesh.facet_of(part));
        let footprint = Footprint::of(self.body, normal);
        let seen = Relative { position: self.motion.position - footprint.offset, ..self.motion };
        // A body may rest at a small distance from the facet.
        let apart = facet.distance(-seen.position).abs();
        let reach = Solid::Box(footprint.half + facet.normal.abs() * apart);
        let mut pieces: Vec<Interval> = Vec::new();
        triangles_on_way(reach, self.mesh, &seen, TIME_MAX, |triangle, until| {
            if self.mesh.facet_of(triangle) == self.mesh.facet_of(part) {
                pieces.extend(self.times_on(triangle, facet, &footprint, &seen).as_slice());
            }
            until
        });
        pieces.sort_by(|x, y| x.enter.total_cmp(&y.enter));
        let ahead = pieces.iter().filter(|piece| piece.leave > 0.0);
        ahead.fold(0.0, |leave, piece| if piece.enter <= leave { piece.leave.max(leave) } else { leave })
    }

    /// When the footprint overlaps a triangle, both projected along the facet's normal. The triangle is enlarged by a
    /// rounding, so that seams have no gap.
    fn times_on(&self, triangle: u32, facet: &Facet, footprint: &Footprint, seen: &Relative) -> Intervals {
        let vertices = self.mesh.triangles()[triangle as usize].vertices();
        let place = seen.reversed();
        let size = self.mesh.bounds().min.abs().max(self.mesh.bounds().max.abs());
        let within = |across: DVec3| {
            let heights = vertices.map(|vertex| across.dot(vertex));
            let slack = across.abs().dot(footprint.half) + SEAM_SLACK * across.abs().dot(size);
            let low = heights[0].min(heights[1]).min(heights[2]) - slack;
            let high = heights[0].max(heights[1]).max(heights[2]) + slack;
            let way = sweep::projected(&place, across);
            let back = Quadratic { c0: -way.c0, c1: -way.c1, c2: -way.c2 };
            way.plus(-high).not_above_zero().intersection(&back.plus(low).not_above_zero())
        };
        let edges = (0..3).map(|side| facet.normal.cross(vertices[(side + 1) % 3] - vertices[side]));
        let free = (0..3).filter(|&axis| footprint.half[axis] > 0.0).map(|axis| facet.normal.cross(DVec3::AXES[axis]));
        edges.chain(free).fold(Intervals::ALL, |common, across| common.intersection(&within(across)))
    }
}

/// The facet's normal, with the direction from a body at `place` into the facet.
fn towards(facet: &Facet, place: DVec3) -> DVec3 {
    if facet.distance(place) < 0.0 { facet.normal } else { -facet.normal }
}

/// The part of a body in contact with a plane: a point, an edge or a face.
struct Footprint {
    /// Its centre, from the body's position, m.
    offset: DVec3,
    /// Half its widths along the axes, m.
    half: DVec3,
}

impl Footprint {
    /// The part of the body farthest along `normal`.
    fn of(body: Solid<'_>, normal: DVec3) -> Self {
        let half = match body {
            Solid::Box(half) => half,
            Solid::Sphere(radius) => return Self { offset: normal * radius, half: DVec3::ZERO },
            Solid::Plane(_) | Solid::Sheet(_) | Solid::Triangle(_) => {
                return Self { offset: DVec3::ZERO, half: DVec3::ZERO };
            }
        };
        let flat = normal.cmpeq(DVec3::ZERO);
        let offset = DVec3::select(flat, DVec3::ZERO, half * normal.signum());
        Self { offset, half: DVec3::select(flat, half, DVec3::ZERO) }
    }
}
