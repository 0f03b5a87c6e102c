//! New domains at a domain exit, and the changes of neighbours that follow.
//!
//! The width of the next domain depends on the number of neighbours: it is wider with few neighbours and narrower with
//! many. A ball in the cell list mostly moves to the next cell.

use std::ops::Range;

use glam::DVec3;

use super::cell_list::CellList;
use super::cell_list::axis::Numbers;
use super::domain::{Domain, Form, clear_margin, widest};
use super::{Broadphase, half};
use crate::dynamics::body::table::{BodyTable, Mover};
use crate::dynamics::{BodyId, Space};
use crate::geometry::Shape;
use crate::motion::{Path, SimTime};

/// With fewer neighbours than this, the next domain is wider.
const FEW: usize = 8;

/// With more neighbours than this, the next domain is narrower.
const MANY: usize = 32;

/// With more neighbours than this, a ball with a domain wider than a cell of the cell list gets a narrower one.
const MANY_OUTSIDE: usize = 16;

/// With more neighbours than this, a body leaves its domain at once for a narrower one. This is for a body that is much
/// larger than its neighbours: its size is not a good measure for its domain.
const NEIGHBOURS_MAX: usize = 256;

/// Largest part of the neighbours that even the narrowest domain would have, at which the next domain is narrower. For
/// evenly spread bodies the domains are then about a seventh as wide as those of the neighbours.
const STAY_MAX: f64 = 2.0 / 3.0;

/// Factor between widths of successive domains.
const STRIDE: f64 = 1.5;

/// First and smallest margin of a domain, relative to the body's largest half extent.
const MARGIN_FIRST: f64 = 0.5;
const MARGIN_FIRST_BALL: f64 = 0.998;
const MARGIN_LEAST: f64 = 0.0625;

impl Broadphase {
    /// Gives a body its first domain.
    pub(in crate::dynamics) fn enter_first_domain(
        &mut self,
        id: BodyId,
        rows: &BodyTable,
        space: &Space,
        now: SimTime,
    ) {
        let shape = rows.shape(id);
        let first = if matches!(shape, Shape::Sphere(_)) { MARGIN_FIRST_BALL } else { MARGIN_FIRST };
        let first = first * shape.half_extents().max_element();
        let margin = self.cell_list_for(id, rows).map_or(first, CellList::margin);
        self.enter_domain(id, margin, rows, space, now);
    }

    /// Gives a body a new domain around its present position, and new neighbours. Returns the rows of new neighbours in
    /// its neighbour list; new neighbours in the cell list are in [`new_cell_neighbours`](Self::new_cell_neighbours).
    pub(in crate::dynamics) fn renew(
        &mut self,
        id: BodyId,
        rows: &BodyTable,
        space: &Space,
        now: SimTime,
    ) -> Range<usize> {
        if !self.enters_adjacent_cell(id, rows, space, now) {
            let margin = self.next_margin(id, rows, space, now);
            self.enter_domain(id, margin, rows, space, now);
            self.cell_list.iter_mut().for_each(|cell_list| cell_list.gather_all_as_new(id));
        }
        let listed = self.update_neighbours(id, rows, space);
        self.leave_if_too_many(id, rows, space, now);
        listed
    }

    /// Whether a body that goes back from `then` to this path, which it had at `now`, may keep its domain. Its exit is
    /// computed again if the path is another one, `moved`, or if it leaves the domain and comes back in between.
    pub(in crate::dynamics) fn stays(
        &mut self,
        id: BodyId,
        (path, moved): (&Path, bool),
        space: &Space,
        [now, then]: [SimTime; 2],
    ) -> bool {
        let domain = self.domains[id.index()];
        let place = path.position_at(now);
        let images = if moved { space.wrap(place).1 } else { domain.images };
        let inside =
            (place - space.shift(images) - domain.center).abs().cmple(half(&domain, self.cell_list.as_ref())).all();
        if inside {
            let crossed = std::array::from_fn(|axis| domain.images[axis] - images[axis]);
            self.update_exit(id, path, crossed, space, now);
            if !moved && self.exit(id) >= then {
                self.domains[id.index()].exit = domain.exit;
            }
        }
        inside
    }

    /// Updates the neighbour list of a body: it then has the bodies in domains that overlap its own. Returns the rows
    /// of the new neighbours.
    pub(in crate::dynamics) fn update_neighbours(
        &mut self,
        id: BodyId,
        rows: &BodyTable,
        space: &Space,
    ) -> Range<usize> {
        let is_flying = self.cell(id).is_some();
        if is_flying && self.planes.is_empty() && self.grid.is_empty() && self.neighbour_lists.count(id) == 0 {
            return 0..0;
        }
        self.add_neighbours_in_reach(id, rows, space, |broadphase, found| broadphase.keep(id, found))
    }

    /// Adds neighbours to the list of a body: the bodies in domains that overlap its own, except those that `sift`
    /// removes. Returns their rows.
    pub(in crate::dynamics) fn add_neighbours_in_reach(
        &mut self,
        id: BodyId,
        rows: &BodyTable,
        space: &Space,
        sift: impl FnOnce(&mut Self, &mut Vec<(BodyId, [i8; 3])>),
    ) -> Range<usize> {
        let mut found = std::mem::take(&mut self.found);
        self.near(id, rows, space, &mut found);
        sift(self, &mut found);
        let first = self.neighbour_lists.count(id);
        found.iter().for_each(|&(other, offset)| self.neighbour_lists.link(id, other, offset));
        self.found = found;
        first..self.neighbour_lists.count(id)
    }

    /// A body with far too many neighbours leaves its domain now, if the next one is narrower.
    #[inline]
    pub(in crate::dynamics) fn leave_if_too_many(&mut self, id: BodyId, rows: &BodyTable, space: &Space, now: SimTime) {
        if self.has_too_many(id)
            && self.narrower(id, rows) < self.domains[id.index()].margin
            && self.is_narrowed_for_less(id, rows, space, now)
        {
            self.domains[id.index()].exit = now;
        }
    }

    /// If a body moves from its cell to an adjacent one, that cell becomes its domain. Returns whether it did.
    fn enters_adjacent_cell(&mut self, id: BodyId, rows: &BodyTable, space: &Space, now: SimTime) -> bool {
        let Some(cell_list) = &mut self.cell_list else { return false };
        let (place, image) = space.wrap(rows.path(id).position_at(now));
        let cell = cell_list.at(place).filter(|_| rows.records.falls_freely(id));
        let Some(cell) = cell.filter(|&cell| cell_list.go(id, cell)) else { return false };
        self.take_cell(id, cell, image, rows, space, now);
        true
    }

    /// Removes the neighbours that are not `found`, and leaves in `found` only new ones.
    fn keep(&mut self, id: BodyId, found: &mut Vec<(BodyId, [i8; 3])>) {
        self.neighbour_diff.set(found);
        for row in (0..self.neighbour_lists.count(id)).rev() {
            if !self.neighbour_diff.mark(found, &self.neighbour_lists.of(id)[row]) {
                self.neighbour_lists.cut(id, row);
            }
        }
        let mut met = self.neighbour_diff.kept();
        found.retain(|_| met.next() == Some(&false));
    }

    /// The margin of the next domain, m.
    fn next_margin(&self, id: BodyId, rows: &BodyTable, space: &Space, now: SimTime) -> f64 {
        let margin = self.domains[id.index()].margin;
        let (cell, cell_list) = (self.cell(id), self.cell_list_for(id, rows));
        let many = match cell {
            Some(_) => self.cell_list.as_ref().map_or(MANY, CellList::many),
            None if cell_list.is_some_and(|cell_list| margin > cell_list.margin()) => MANY_OUTSIDE,
            None => MANY,
        };
        // By rounding, a body may exit a cell that still contains its position.
        let is_still_there =
            || cell.is_some() && cell_list.and_then(|it| it.at(rows.wrapped_position(id, space, now))) == cell;
        match self.count(id) {
            // This also applies if `many` is larger for its cell. Otherwise the body would leave the same cell at once,
            // without end.
            _ if self.has_too_many(id) && self.is_narrowed_for_less(id, rows, space, now) => self.narrower(id, rows),
            count if self.has_few(id, count) || is_still_there() => margin * STRIDE,
            count if count <= many || !self.is_narrowed_for_less(id, rows, space, now) => margin,
            _ => self.narrower(id, rows),
        }
    }

    /// Whether a narrower domain may have far fewer neighbours. It has not if most neighbours are such because of their
    /// own wide domains: then it would only be left sooner. A body in a cell gets another kind of domain, so its
    /// neighbours say nothing.
    fn is_narrowed_for_less(&self, id: BodyId, rows: &BodyTable, space: &Space, now: SimTime) -> bool {
        if self.cell(id).is_some() {
            return true;
        }
        let (place, half) = (rows.wrapped_position(id, space, now), rows.shape(id).half_extents());
        let listed = self.neighbour_lists.of(id);
        let stays = |other: BodyId| {
            let (shape, domain) = (rows.shape(other), &self.domains[other.index()]);
            let reach = half + shape.half_extents() + domain.margin;
            space.nearest(domain.center - place).abs().cmple(reach).all()
        };
        let stay = listed.iter().filter(|neighbour| stays(neighbour.id)).count();
        stay as f64 <= STAY_MAX * listed.len() as f64
    }

    /// Whether a body with `count` neighbours has so few that a wider domain saves work.
    fn has_few(&self, id: BodyId, count: usize) -> bool {
        match &self.cell_list {
            Some(cell_list) if cell_list.cell(id).is_some() => cell_list.has_few(id, self.neighbour_lists.count(id)),
            _ => count < FEW,
        }
    }

    fn has_too_many(&self, id: BodyId) -> bool {
        self.neighbour_lists.count(id) > NEIGHBOURS_MAX
    }

    /// The margin of the next narrower domain, m.
    fn narrower(&self, id: BodyId, rows: &BodyTable) -> f64 {
        let least = MARGIN_LEAST * rows.shape(id).half_extents().max_element();
        (self.domains[id.index()].margin / STRIDE).max(least)
    }

    /// Gives a body a domain of about this margin around its present position.
    fn enter_domain(&mut self, id: BodyId, margin: f64, rows: &BodyTable, space: &Space, now: SimTime) {
        self.leave_grids(id);
        let path = rows.path(id);
        let (center, image) = space.wrap(path.position_at(now));
        let cell_list = self.cell_list_for(id, rows).filter(|cell_list| cell_list.is_as_wide_as(margin));
        let half = rows.shape(id).half_extents();
        if let Some(cell) = cell_list.and_then(|cell_list| cell_list.at(center)) {
            let cell_list = self.cell_list.as_mut().expect("the cell list that has the cell");
            cell_list.join(id, cell);
            self.take_cell(id, cell, image, rows, space, now);
            return;
        }
        self.move_to_image(id, image);
        let margin = if rows.role(id).mover == Mover::Fixed { 0.0 } else { widest(margin, half, space) };
        let straight = path.acceleration == DVec3::ZERO;
        let ball = matches!(rows.shape(id), Shape::Sphere(_));
        let (round, margin) = (straight && ball, if ball { clear_margin(margin, half.x, space) } else { margin });
        let form = if round { Form::Ball } else { Form::Cube };
        self.domains[id.index()] = Domain { center, margin, exit: SimTime::NEVER, images: image, form };
        self.grid.place(id, self.bounds(id, rows), round);
        self.update_exit(id, &path, [0; 3], space, now);
    }

    /// Makes the cell of a body its domain.
    fn take_cell(
        &mut self,
        id: BodyId,
        cell: Numbers,
        images: [i32; 3],
        rows: &BodyTable,
        space: &Space,
        now: SimTime,
    ) {
        self.move_to_image(id, images);
        let cell_list = self.cell_list.as_ref().expect("the cell list that has the cell");
        let margin = cell_list.margin();
        let center = cell_list.center(cell);
        self.domains[id.index()] = Domain { center, margin, exit: SimTime::NEVER, images, form: Form::Cell };
        if self.cell_grid.get().is_some() {
            let bounds = self.bounds(id, rows);
            self.cell_grid.get_mut().into_iter().for_each(|grid| grid.place(id, bounds, false));
        }
        self.update_exit(id, &rows.path(id), [0; 3], space, now);
    }

    /// Changes the image of the periodic cell in which the domain of a body is counted, and the images of its
    /// neighbours accordingly.
    fn move_to_image(&mut self, id: BodyId, image: [i32; 3]) {
        let before = self.images(id);
        let moved = std::array::from_fn(|axis| (image[axis] - before[axis]) as i8);
        self.neighbour_lists.move_to_image(id, moved);
    }

    /// Removes the domain of a body.
    pub(in crate::dynamics) fn leave_grids(&mut self, id: BodyId) {
        self.grid.remove(id);
        self.cell_grid.get_mut().into_iter().for_each(|grid| grid.remove(id));
        self.cell_list.iter_mut().for_each(|cell_list| cell_list.leave(id));
    }
}

#[cfg(test)]
mod tests;
