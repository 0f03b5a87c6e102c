//! Predictions for a body and a mesh: meetings with its triangles, and the end of a contact with a facet.
//!
//! A mesh is one surface, not a set of separate triangles. Where a ball meets a triangle at an edge that is a seam, it
//! is in contact with the face of the next triangle, so the normal is that of the face. A body that is below a facet by
//! no more than rounding slides on that facet, also across triangles. A meeting at a seam counts only if the pair
//! approaches along the facet's normal. So a seam does not act as a bump, and a real edge keeps its own normal.

use glam::DVec3;

use super::pair_event::{Meeting, lies_in};
use super::touching::Rounding;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::contact::{Contact, Surface};
use crate::dynamics::few::Few;
use crate::dynamics::scene::Scene;
use crate::geometry::closest::triangle::Upright;
use crate::geometry::closest::{Feature, point_on_triangle};
use crate::geometry::{Aabb, Facet, Mesh, Shape, Solid, gap, unit};
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
    /// What the body rests on: the directions from the body, and how deep it is in there, m.
    floors: Few<(DVec3, f64)>,
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
        let (solid, is_flat) = (self.rows.solid(body, 0), matches!(self.rows.shape(body), Shape::Box(_)));
        let floors = if is_flat { self.floors(body).collect() } else { Few::new() };
        Some((MeshApproach { body: solid, mesh, motion, rounding, floors }, flipped))
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

    /// The triangle of the facet of `part` that is nearest to a body; of equally near ones the first.
    pub(in crate::dynamics) fn nearest_part(&self, pair: Pair, offset: DVec3, part: u32) -> u32 {
        let rest = Relative { position: offset, velocity: DVec3::ZERO, acceleration: DVec3::ZERO };
        let Some((approach, flipped)) = self.approach(pair, &rest) else { return part };
        let (mesh, place) = (approach.mesh, -approach.motion.position);
        let half = self.rows.shape(if flipped { pair.b } else { pair.a }).half_extents();
        let separation = |triangle: u32| {
            let solid = Solid::Triangle(&mesh.triangles()[triangle as usize]);
            gap(approach.body, solid, -place).map_or(f64::INFINITY, |gap| gap.separation)
        };
        let mut nearest = (separation(part), part);
        mesh.tree().touching(&Aabb::around(place, half), |triangle| {
            if mesh.facet_of(triangle) == mesh.facet_of(part) {
                let found = (separation(triangle), triangle);
                nearest = if found < nearest { found } else { nearest };
            }
        });
        nearest.1
    }

    /// Whether a body on a facet stays on it for farther than rounding. One within rounding of the edge has come onto the
    /// facet if it moves inwards, and else is about to go over the edge.
    pub(in crate::dynamics) fn stays_on_facet(&self, pair: Pair, motion: &Relative, normal: DVec3, part: u32) -> bool {
        let rounding = 2.0 * self.rounding(pair).depth;
        let speed = motion.velocity.length().max(f64::MIN_POSITIVE);
        let ahead = Relative { position: motion.position + motion.velocity * (rounding / speed), ..*motion };
        let Some((approach, flipped)) = self.approach(pair, &ahead) else { return false };
        speed * approach.facet_leave(part, if flipped { -normal } else { normal }) > rounding
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
        // A body that leaves a seam on which it grazes is in the mesh only for a moment, but not on its other side.
        let normal = if seam { normal } else { sweep::against_motion(normal, piece, &self.motion) };
        let in_front = |time: f64| sweep::in_front(time, normal, piece, &self.motion);
        let met = |time: f64| Some(Meeting { time: in_front(time), normal, part: triangle });
        let rates = if seam {
            Rates { normal, speed: normal.dot(here.velocity), acceleration: normal.dot(here.acceleration) }
        } else {
            let solid = Solid::Triangle(&self.mesh.triangles()[triangle as usize]);
            sweep::rates_along(self.body, solid, &here, normal)
        };
        let enters = piece.enter > 0.0 && !seam && rates.speed <= 0.0;
        if enters && !self.rounding.turns(&rates) {
            return met(start);
        }
        let time = start + self.rounding.time_of_closing(&rates);
        if lies_in(time, &piece) && (time == start || self.motion.is_straight()) {
            return if time <= TIME_MAX { met(time) } else { None };
        }
        if self.motion.is_straight() {
            return None;
        }
        let deep = self.deep_in(triangle, piece, start);
        if lies_in(time, &piece) && time <= TIME_MAX && deep.is_none_or(|(deep, _)| time <= deep) {
            return met(time);
        }
        let (time, normal) = deep.filter(|&(time, _)| time <= TIME_MAX)?;
        Some(Meeting { time, normal, part: triangle })
    }

    /// When the body first overlaps a triangle by more than rounding in an overlap, and the normal there. What the rates
    /// at the start of the overlap hide, such as another feature of the triangle, is found then.
    fn deep_in(&self, triangle: u32, piece: Interval, start: f64) -> Option<(f64, DVec3)> {
        let solid = Solid::Triangle(&self.mesh.triangles()[triangle as usize]);
        let own = |time: f64| gap(self.body, solid, self.motion.position_at(time));
        let before = own(start).map_or(0.0, |gap| -gap.separation).max(0.0);
        let time = sweep::deeper(self.body, solid, &self.motion, before + self.rounding.depth, piece)?;
        let Facing { normal, .. } = self.facing(triangle, self.motion.position_at(time), own(time)?.normal);
        let speed = normal.dot(self.motion.velocity_at(time));
        (speed < 0.0).then(|| (self.closing_on_facet(triangle, normal, start, time), normal))
    }

    /// When a body that is too deep in a facet at `deep` began to close, not before `start`: when it came over the
    /// triangle, or when the acceleration turned its velocity.
    fn closing_on_facet(&self, triangle: u32, normal: DVec3, start: f64, deep: f64) -> f64 {
        let facet = self.mesh.facet(self.mesh.facet_of(triangle));
        if normal != facet.normal && normal != -facet.normal {
            return deep;
        }
        let footprint = Footprint::of(self.body, normal);
        let seen = Relative { position: self.motion.position - footprint.offset, ..self.motion };
        let times = self.times_on(triangle, facet, &footprint, &seen);
        let Some(over) = times.as_slice().iter().find(|piece| piece.enter <= deep && deep <= piece.leave) else {
            return deep;
        };
        let (speed, pull) = (normal.dot(self.motion.velocity), -normal.dot(self.motion.acceleration));
        let turn = if pull > 0.0 { speed / pull } else { start };
        over.enter.max(turn).max(start).min(deep)
    }

    /// How deep the body is in what it rests on in this direction, m.
    fn floor_depth(&self, normal: DVec3) -> f64 {
        self.floors.iter().filter(|floor| floor.0 == normal).map(|floor| floor.1).fold(0.0, f64::max)
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
        let overlap = facet.normal.abs().dot(half) - facet.distance(place).abs();
        let grazes = overlap <= self.rounding.depth + self.floor_depth(normal);
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
