//! The normal where a body meets a part of an outline, and the meetings that are none.
//!
//! A part is met for itself only if no other one is met instead: at a seam the next face counts, and at an edge that
//! the body touches already the contact there.

use crate::dynamics::body::pair::Meeting;
use glam::DVec3;

use super::approach::Approach;
use crate::geometry::closest::triangle::Upright;
use crate::geometry::mesh::lines::across;
use crate::geometry::{Aabb, Facet, Outline, Solid, gap, unit};
use crate::motion::Relative;
use crate::numeric::Interval;
use crate::numeric::tolerance::{CLOSING_SLACK, SEAM_SLACK};
use crate::sweep::{self, Rates, inner_time};

/// The normal where a body meets a part.
pub(super) struct Facing {
    /// From the body into the outline.
    pub(super) normal: DVec3,
    /// Whether the meeting is at a seam, where another part continues the surface.
    pub(super) seam: bool,
}

impl Approach<'_> {
    /// The normal at a part when the outline lies and moves `here`, seen from the body; `None` where the body meets
    /// another part instead, or touches it already.
    pub(super) fn facing(&self, part: u32, here: &Relative, own: DVec3) -> Option<Facing> {
        match self.body {
            Solid::Sphere(radius) => self.facing_of_sphere(part, -here.position, radius, own),
            Solid::Box(half) => self.facing_of_box(part, here, half, own),
            _ => Some(Facing { normal: own, seam: false }),
        }
    }

    /// The normal is that of the part, also where another axis is that of least overlap, but only by rounding.
    ///
    /// The face of a cell is met from its front alone: a box that comes to its edge from the side or from behind meets
    /// the next face there. Of two faces that it meets at their common edge it slides along the one that it approaches
    /// more slowly. A triangle that a face of the box meets edge-on counts only where no other triangle lies on that
    /// face.
    fn facing_of_box(&self, part: u32, here: &Relative, half: DVec3, own: DVec3) -> Option<Facing> {
        let facet = self.outline.facet(part);
        // The body's position, seen from the outline.
        let place = -here.position;
        let normal = towards(&facet, place);
        let overlap = facet.normal.abs().dot(half) - facet.distance(place).abs();
        let grazes = overlap <= self.rounding.depth + self.floor_depth(normal);
        let Solid::Triangle(triangle) = self.outline.solid(part) else {
            let is_own = own == facet.normal || own == -facet.normal;
            if normal != -facet.normal || !(is_own || grazes) {
                return None;
            }
            let all = self.faces_at_edge(part, here, half, normal)?;
            return Some(Facing { normal: unit(all)?, seam: !is_own && all == normal });
        };
        let is_line = matches!(self.outline, Outline::Lines(..));
        let face = unit(Upright::of(triangle).normal).or_else(|| is_line.then(|| across(triangle)));
        let is_own = face.is_some_and(|face| own == face || own == -face);
        match face {
            Some(_) if is_own || grazes => Some(Facing { normal, seam: !is_own }),
            _ => (!self.is_beside_face(part, place, half, own)).then_some(Facing { normal: own, seam: false }),
        }
    }

    /// The sum of `normal` and of the normals of the faces that a box approaches as fast at the edge of a part, where
    /// it only touches that; `None` if it approaches one of them more slowly.
    fn faces_at_edge(&self, part: u32, here: &Relative, half: DVec3, normal: DVec3) -> Option<DVec3> {
        let place = -here.position;
        let closing = |direction: DVec3| -direction.dot(here.velocity);
        let mut all = normal;
        for axis in (0..3).filter(|&axis| normal[axis] == 0.0) {
            let (overlap, other) = self.overlap_along(axis, part, place, half);
            let faster = closing(normal) - closing(other);
            if overlap > self.rounding.depth || faster < -self.rounding.speed {
                continue;
            }
            if faster > self.rounding.speed {
                return None;
            }
            if closing(normal) > self.rounding.speed && self.has_face_at(place, half, [normal, other]) {
                all += other;
            }
        }
        Some(all)
    }

    /// Whether a box only touches a face along its normal, the second one, and along the first one.
    fn has_face_at(&self, place: DVec3, half: DVec3, normals: [DVec3; 2]) -> bool {
        let is_there = |part: u32| {
            let touches = |normal: &DVec3| {
                let axis = normal.abs().max_position();
                self.overlap_along(axis, part, place, half).0 <= self.rounding.depth
            };
            self.outline.facet(part).normal == -normals[1] && normals.iter().all(touches)
        };
        self.outline.first_touching(&Aabb::around(place, half + self.rounding.depth), is_there).is_some()
    }

    /// Whether a box only touches a part, along `own` or an axis, and another part lies there on the face of the box.
    fn is_beside_face(&self, part: u32, place: DVec3, half: DVec3, own: DVec3) -> bool {
        let touched = (0..3).filter_map(|axis| {
            let (overlap, normal) = self.overlap_along(axis, part, place, half);
            (normal == own || overlap <= self.rounding.depth).then_some((axis, normal))
        });
        touched.into_iter().any(|(axis, normal)| {
            let depth = self.rounding.depth;
            let mut face = half - depth;
            face[axis] = half[axis] + depth;
            let lies = |other: u32| {
                let is_flat = self.outline.facet(other).normal.abs() == normal.abs();
                let touches = || gap(Solid::Box(face), self.outline.solid(other), -place);
                is_flat && touches().is_some_and(|gap| gap.separation <= 0.0 && gap.normal == normal)
            };
            self.outline.first_touching(&Aabb::around(place, face), lies).is_some()
        })
    }

    /// How far a box and a part overlap along an axis, m, and the direction along it from the box to the part.
    fn overlap_along(&self, axis: usize, part: u32, place: DVec3, half: DVec3) -> (f64, DVec3) {
        let [low, high] = self.outline.range_along(part, DVec3::AXES[axis]).map(|end| end - place[axis]);
        let (above, below) = (half[axis] - low, half[axis] + high);
        if above <= below { (above, DVec3::AXES[axis]) } else { (below, -DVec3::AXES[axis]) }
    }

    fn facing_of_sphere(&self, part: u32, center: DVec3, radius: f64, own: DVec3) -> Option<Facing> {
        let (point, on_face) = self.outline.near_point(part, center);
        if on_face {
            return Some(Facing { normal: towards(&self.outline.facet(part), center), seam: false });
        }
        let rounding = SEAM_SLACK * (point.abs() + center.abs() + radius).max_element();
        let reach = (center - point).length() + rounding;
        let goes_on = |other: u32| {
            let (over, on_face) = self.outline.near_point(other, center);
            let is_at = || (self.outline.near_point(other, point).0 - point).length() <= rounding;
            on_face && (over - center).length() <= reach && is_at()
        };
        if let Some(face) = self.outline.first_touching(&Aabb::around(point, DVec3::splat(rounding)), goes_on) {
            return Some(Facing { normal: towards(&self.outline.facet(face), center), seam: true });
        }
        // The ball meets the edge or the corner of the part.
        Some(Facing { normal: own, seam: false })
    }

    /// Whether a ball at `center` is nearest to an edge or a corner of the part that it touches already: parts that
    /// share an edge hold it once.
    fn is_held(&self, part: u32, center: DVec3) -> bool {
        let (point, _) = self.outline.near_point(part, center);
        let rounding = SEAM_SLACK * (point.abs() + center.abs()).max_element();
        let is_same = |other: u32| (self.outline.near_point(other, center).0 - point).length() <= rounding;
        self.edges.iter().any(|&other| other != part && is_same(other))
    }

    /// The meeting of a ball with a part in an overlap that begins at an edge that the ball touches already: when it
    /// has come over the face. `None` where the overlap does not begin so.
    pub(super) fn meeting_over_edge(&self, part: u32, piece: Interval) -> Option<Option<Meeting>> {
        if self.edges.is_empty() {
            return None;
        }
        let center = |time: f64| -self.motion.position_at(time);
        let stretches = sweep::later_stretches(self.body, self.outline.solid(part), &self.motion, piece);
        // A ball on the border of the edge belongs to what it moves over.
        let end = stretches.first().map_or(piece.leave, |(stretch, _)| stretch.enter);
        if !self.is_held(part, center(inner_time(Interval { enter: piece.enter.max(0.0), leave: end }))) {
            return None;
        }
        let closing = |(stretch, rates): &(Interval, Rates)| {
            let time = stretch.enter + self.rounding.time_of_closing(rates);
            let is_new = !self.is_held(part, center(inner_time(*stretch)));
            (is_new && time < stretch.leave).then_some(Meeting { time, normal: rates.normal, part })
        };
        Some(stretches.iter().find_map(closing))
    }

    /// How deep the body is in what it rests on in this direction, m.
    fn floor_depth(&self, normal: DVec3) -> f64 {
        self.floors.iter().filter(|floor| floor.0 == normal).map(|floor| floor.1).fold(0.0, f64::max)
    }

    /// Whether a box only slides along a part that it meets when the outline moves so: along an axis, or towards a
    /// floor, they touch, and do not move or move apart.
    pub(super) fn slides(&self, part: u32, here: &Relative) -> bool {
        let Solid::Box(half) = self.body else { return false };
        let (place, still) = (-here.position, self.rounding.speed + CLOSING_SLACK * here.velocity.abs().max_element());
        let closes_not = |normal: DVec3| {
            let (speed, pull) = (normal.dot(here.velocity), normal.dot(here.acceleration));
            speed > still || (speed.abs() <= still && pull.abs() <= self.pulled)
        };
        let along_axis = |axis: usize| {
            let (overlap, normal) = self.overlap_along(axis, part, place, half);
            overlap <= self.rounding.depth + self.floor_depth(normal) && closes_not(normal)
        };
        let on_floor = |&(normal, depth): &(DVec3, f64)| {
            let overlap = normal.abs().dot(half) - (self.outline.range_along(part, normal)[0] - normal.dot(place));
            overlap <= self.rounding.depth + depth && closes_not(normal)
        };
        (0..3).any(along_axis) || self.floors.iter().any(on_floor)
    }
}

/// The facet's normal, with the direction from a body at `place` into the facet.
fn towards(facet: &Facet, place: DVec3) -> DVec3 {
    if facet.distance(place) < 0.0 { facet.normal } else { -facet.normal }
}
