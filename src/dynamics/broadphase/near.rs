//! Which bodies are near a body: those in domains that overlap its own, and half-spaces and outlines that it may reach
//! without leaving its domain.

use glam::DVec3;

use super::Broadphase;
use super::domain::{Domain, Form};
use crate::dynamics::body::table::BodyTable;
use crate::dynamics::{BodyId, Space};
use crate::geometry::{Aabb, Shape};
use crate::numeric::tolerance::DOMAIN_SLACK;

impl Broadphase {
    /// Finds all bodies that interact with `id` from domains that overlap its own, with the offset of their image. For
    /// a body in the cell list, neighbours there are not included.
    pub(in crate::dynamics) fn near(
        &self,
        id: BodyId,
        rows: &BodyTable,
        space: &Space,
        found: &mut Vec<(BodyId, [i8; 3])>,
    ) {
        found.clear();
        if matches!(rows.shape(id), Shape::Plane(_)) {
            let is_near = |&other: &BodyId| self.plane_is_near(id, other, &self.bounds(other, rows), rows);
            let candidates = rows.present().filter(is_near);
            found.extend(candidates.map(|other| (other, [0; 3])));
            return;
        }
        // A domain with the form of a ball may also belong to a box.
        let round = self.domains[id.index()].form == Form::Ball && matches!(rows.shape(id), Shape::Sphere(_));
        let bounds = self.bounds(id, rows);
        if self.cell(id).is_some() {
            self.around_in_grid(&bounds, round, space, |other, offset| found.push((other, offset)));
        } else {
            self.around(&bounds, round, space, |other, offset| found.push((other, offset)));
        }
        // Whether two bodies interact depends only on their classes, and most candidates are of one class.
        let answer = |other: BodyId| {
            (rows.interaction(id, other).is_some(), [id, other].iter().any(|&id| rows.outline(id).is_some()))
        };
        let mut last = (rows.class_rank(id), answer(id));
        found.retain(|&(other, offset)| {
            let rank = rows.class_rank(other);
            if rank != last.0 {
                last = (rank, answer(other));
            }
            let (deals, has_outline) = last.1;
            let shift = || space.shift(offset.map(i32::from));
            other != id && deals && (!has_outline || self.outline_is_near(id, other, shift, rows))
        });
        let planes = self.planes.iter().filter(|&&plane| self.plane_is_near(plane, id, &bounds, rows));
        found.extend(planes.map(|&plane| (plane, [0; 3])));
    }

    /// Whether a body may reach a part of an outline without leaving its domain; `other` is moved by `shift`. True if
    /// neither has one, and also inside something solid, since a start there is refused.
    fn outline_is_near(&self, id: BodyId, other: BodyId, shift: impl Fn() -> DVec3, rows: &BodyTable) -> bool {
        let (outline, owner, body, shift) = match (rows.outline(id), rows.outline(other)) {
            (Some(outline), _) => (outline, id, other, shift()),
            (_, Some(outline)) => (outline, other, id, -shift()),
            _ => return true,
        };
        let (bounds, Domain { center: place, margin, .. }) = (self.bounds(body, rows), self.domains[owner.index()]);
        let spare = if rows.moves(owner) { margin } else { 0.0 };
        let (center, half) = (bounds.center() + shift - place, bounds.half() + spare);
        let slack = (bounds.center().abs() + shift.abs() + place.abs() + half) * DOMAIN_SLACK;
        outline.is_near(&Aabb::around(center, half + slack)) || outline.contains(center)
    }

    /// Whether a body in these bounds may reach a half-space. For a half-space that moves it is always true.
    fn plane_is_near(&self, plane: BodyId, id: BodyId, bounds: &Aabb, rows: &BodyTable) -> bool {
        let Shape::Plane(solid) = rows.shape(plane) else { return false };
        let offset = bounds.center() - rows.records.get(plane).position();
        let is_near = solid.distance(offset) <= solid.reach_of(bounds.half()) * (1.0 + DOMAIN_SLACK);
        (is_near || rows.moves(plane))
            && !matches!(rows.shape(id), Shape::Plane(_))
            && rows.interaction(plane, id).is_some()
    }
}
