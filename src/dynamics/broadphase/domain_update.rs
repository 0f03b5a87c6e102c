//! New domains at a domain exit, and the changes of neighbours that follow.
//!
//! The number of neighbours decides the width of the next domain: few neighbours make it wider, many narrower. A ball
//! in the cell list mostly moves on to the next cell.

use std::ops::Range;

use glam::DVec3;

use super::cell_list::CellList;
use super::cell_list::axis::Numbers;
use super::cell_list::species::radius_around;
use super::domain::{Domain, Form, clear_margin, widest};
use super::{Broadphase, cell_list};
use crate::dynamics::body::table::{BodyTable, Mover};
use crate::dynamics::{BodyId, Space};
use crate::geometry::Shape;
use crate::motion::SimTime;

/// With fewer neighbours than this, the next domain is wider.
const FEW: usize = 8;

/// With more neighbours than this, the next domain is narrower.
const MANY: usize = 32;

/// With more neighbours than this, a ball with a domain wider than a cell of the cell list gets a narrower one.
const MANY_OUTSIDE: usize = 16;

/// With more neighbours than this, a body leaves its domain at once for a narrower one. This is for a body that is
/// large among its neighbours: its size is no measure for its domain.
const NEIGHBOURS_MAX: usize = 256;

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
        if !self.goes_on(id, rows, space, now) {
            let margin = self.next_margin(id, rows, space, now);
            self.enter_domain(id, margin, rows, space, now);
            self.cell_list.iter_mut().for_each(|cell_list| cell_list.gather_all_as_new(id));
        }
        let listed = self.update_neighbours(id, rows, space);
        self.leave_if_too_many(id, rows, now);
        listed
    }

    /// Updates the neighbour list of a body to the bodies in domains that overlap its own; returns the rows of new
    /// ones.
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

    /// Adds neighbours to the list of a body: those in domains that overlap its own, as far as `sift` leaves them.
    /// Returns their rows.
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
    pub(in crate::dynamics) fn leave_if_too_many(&mut self, id: BodyId, rows: &BodyTable, now: SimTime) {
        let least = MARGIN_LEAST * rows.shape(id).half_extents().max_element();
        if self.neighbour_lists.count(id) > NEIGHBOURS_MAX && self.domains[id.index()].margin > least {
            self.domains[id.index()].exit = now;
        }
    }

    /// If a body moves from its cell to an adjacent one, that cell becomes its domain. Returns whether it did.
    fn goes_on(&mut self, id: BodyId, rows: &BodyTable, space: &Space, now: SimTime) -> bool {
        let Some(cell_list) = &mut self.cell_list else { return false };
        let (place, image) = space.wrap(rows.path(id).position_at(now));
        let cell = cell_list.at(place).filter(|_| rows.records.falls_freely(id));
        let goes = |&cell: &Numbers| {
            if cell_list.keeps_lists() {
                cell_list.list_anew(id, cell, place, radius_around(rows.shape(id)))
            } else {
                cell_list.go(id, cell)
            }
        };
        let Some(cell) = cell.filter(goes) else { return false };
        self.take_cell(id, cell, (place, image), rows, space, now);
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
        let (few, many) = match cell {
            Some(_) => (cell_list::FEW, self.cell_list.as_ref().map_or(MANY, CellList::many)),
            None if cell_list.is_some_and(|cell_list| margin > cell_list.margin()) => (FEW, MANY_OUTSIDE),
            None => (FEW, MANY),
        };
        // By rounding, a body may exit a cell that still contains its position.
        let in_cell = cell.is_some() && !cell_list.is_some_and(CellList::keeps_lists);
        let is_still_there =
            || in_cell && cell_list.and_then(|it| it.at(rows.wrapped_position(id, space, now))) == cell;
        // A body that leaves because of too many neighbours gets a narrower domain, also where its cell would hold more:
        // otherwise it would leave that one at once too, without end.
        let has_too_many = self.neighbour_lists.count(id) > NEIGHBOURS_MAX;
        match self.count(id) {
            count if !has_too_many && (count < few || is_still_there()) => margin * STRIDE,
            count if !has_too_many && count <= many => margin,
            _ => (margin / STRIDE).max(MARGIN_LEAST * rows.shape(id).half_extents().max_element()),
        }
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
            if cell_list.list(id, center, radius_around(rows.shape(id))) {
                self.take_cell(id, cell, (center, image), rows, space, now);
                return;
            }
            cell_list.leave(id);
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

    /// Makes the cell of a body its domain, or the sphere around its place if its neighbours are in a list.
    fn take_cell(
        &mut self,
        id: BodyId,
        cell: Numbers,
        (place, images): (DVec3, [i32; 3]),
        rows: &BodyTable,
        space: &Space,
        now: SimTime,
    ) {
        self.move_to_image(id, images);
        let cell_list = self.cell_list.as_ref().expect("the cell list that has the cell");
        let margin = cell_list.margin();
        let (center, form) =
            if cell_list.keeps_lists() { (place, Form::Ball) } else { (cell_list.center(cell), Form::Cell) };
        self.domains[id.index()] = Domain { center, margin, exit: SimTime::NEVER, images, form };
        if self.cell_grid.get().is_some() {
            let bounds = self.bounds(id, rows);
            self.cell_grid.get_mut().into_iter().for_each(|grid| grid.place(id, bounds, false));
        }
        self.update_exit(id, &rows.path(id), [0; 3], space, now);
    }

    /// Changes the image of the periodic cell that the domain of a body is counted in; the images of its neighbours
    /// change with it.
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
mod tests {
    use super::*;
    use crate::dynamics::random::Random;
    use crate::dynamics::state::Stepper;
    use crate::dynamics::{Body, Period, Settings};
    use crate::numeric::whole::floor;

    /// Balls of about one size among some others, boxes and a sensor, in a space with axes that repeat, end at
    /// half-spaces, or are open. One ball in ten is so fast that it leaves an open cell list.
    fn scene(round: u32) -> Stepper {
        let mut random = Random::from_state(u64::from(round) + 70);
        let period = Some(Period { min: -6.0, max: 6.0 });
        let periods = [[period; 3], [period, None, period], [None; 3]][round as usize % 3];
        let mut bodies: Vec<Body> = (0..512u32)
            .map(|n| {
                let place = DVec3::new(f64::from(n % 8), f64::from(n / 8 % 8), f64::from(n / 64)) * 1.5 - 5.25;
                let pace = if n % 10 == 3 { 8.0 } else { 1.0 };
                let body = match n % 40 {
                    7 => Body::cuboid(DVec3::new(0.3, 0.5, 0.4), 1.0),
                    9 => Body::sphere(0.1, 0.1),
                    _ => Body::sphere(0.4 + 0.1 * random.unit(), 1.0),
                };
                body.unwrap().at(place).moving(random.vector(1.0) * pace)
            })
            .collect();
        if round.is_multiple_of(2) {
            bodies.truncate(200);
        }
        if periods[1].is_none() && round % 3 == 1 {
            bodies.extend([(DVec3::Y, -6.0), (-DVec3::Y, -6.0)].map(|(normal, at)| Body::plane(normal, at).unwrap()));
        }
        Stepper::new(Settings { space: Space { periods }, ..Settings::default() }, &bodies).unwrap()
    }

    /// The same without a cell list.
    fn without_cell_list(stepper: &Stepper) -> Stepper {
        let mut other = stepper.clone();
        let space = other.parts.scene.settings.space;
        other.parts.broadphase =
            Broadphase::with_cell_list(None, &other.parts.scene.rows, &space, other.parts.scene.now);
        other.predict_all();
        other
    }

    /// Checks that all nearby bodies are neighbours, for all pairs and their nearest images.
    fn check_neighbours(stepper: &Stepper) {
        let (rows, space) = (&stepper.parts.scene.rows, &stepper.parts.scene.settings.space);
        let ball = |id: BodyId| matches!(rows.shape(id), Shape::Sphere(_)).then(|| rows.shape(id).half_extents().x);
        for id in rows.ids() {
            let known: Vec<BodyId> = stepper.parts.broadphase.pairs(id).map(|pair| pair.other(id)).collect();
            for other in rows.ids().filter(|&other| other != id) {
                let (Some(one), Some(two)) = (ball(id), ball(other)) else { continue };
                let offset = rows.path(other).position_at(stepper.parts.scene.now)
                    - rows.path(id).position_at(stepper.parts.scene.now);
                let nearest = DVec3::from_array(std::array::from_fn(|axis| {
                    space.periods[axis].map_or(offset[axis], |period| {
                        let length = period.length();
                        offset[axis] - length * floor(offset[axis] / length + 0.5) as f64
                    })
                }));
                assert!(nearest.length() > one + two || known.contains(&other), "{id:?} {other:?}");
            }
        }
    }

    #[test]
    fn domains_change_no_result() {
        let mut counts = [0; 3];
        for round in 0..18 {
            let mut stepper = scene(round);
            let mut other = without_cell_list(&stepper);
            for step in 1..60 {
                let before: Vec<_> =
                    stepper.parts.scene.rows.ids().map(|id| stepper.parts.broadphase.cell(id)).collect();
                let target = SimTime::from_seconds(0.1 * f64::from(step));
                let [one, two] = [&mut stepper, &mut other].map(|stepper| {
                    stepper.advance(target, usize::MAX).unwrap();
                    let states: Vec<_> = stepper.parts.scene.rows.ids().map(|id| stepper.state(id)).collect();
                    (stepper.take_events(), states)
                });
                assert_eq!(one, two, "round {round}, step {step}");
                check_neighbours(&stepper);
                let after = stepper.parts.scene.rows.ids().map(|id| stepper.parts.broadphase.cell(id));
                for (before, after) in before.into_iter().zip(after) {
                    counts[0] += usize::from(before.is_some() && after.is_some() && before != after);
                    counts[1] += usize::from(before.is_some() && after.is_none());
                    counts[2] += usize::from(before.is_none() && after.is_some());
                }
            }
        }
        // Balls move from cell to cell, leave the cell list where it is empty, and come back.
        assert!(counts[0] > 1000 && counts[1] > 100 && counts[2] > 10, "{counts:?}");
    }

    /// One of the balls in the cells has a cluster of others, far smaller than a cell, in its domain.
    #[test]
    fn a_ball_with_far_too_many_neighbours_leaves_its_cell_for_good() {
        let place =
            |n: u32, side: u32| DVec3::new(f64::from(n % side), f64::from(n / side % side), f64::from(n / side / side));
        let mut random = Random::from_state(91);
        let large = (0..1000).map(|n| Body::sphere(0.5, 1.0).unwrap().at(place(n, 10) * 5.0));
        let mut bodies: Vec<Body> = large.map(|body| body.moving(random.vector(1.0))).collect();
        let corner = DVec3::splat(21.7);
        bodies.extend((0..512).map(|n| Body::sphere(0.05, 0.1).unwrap().at(corner + place(n, 8) * 0.2)));
        let mut stepper = Stepper::new(Settings::default(), &bodies).unwrap();
        let ids = || (0..1000).map(BodyId);
        let listed = |stepper: &Stepper, id| stepper.parts.broadphase.neighbour_lists.count(id);
        assert!(ids().any(|id| listed(&stepper, id) > NEIGHBOURS_MAX && stepper.parts.broadphase.cell(id).is_some()));
        stepper.advance(SimTime::from_seconds(0.1), usize::MAX).unwrap();
        assert!(ids().all(|id| listed(&stepper, id) <= NEIGHBOURS_MAX));
        assert!(ids().any(|id| stepper.parts.broadphase.cell(id).is_some()));
        check_neighbours(&stepper);
    }

    /// A lattice of equal balls so dense that their lists are kept.
    fn dense() -> Stepper {
        let mut random = Random::from_state(90);
        let corners = [DVec3::ZERO, DVec3::new(0.0, 0.5, 0.5), DVec3::new(0.5, 0.0, 0.5), DVec3::new(0.5, 0.5, 0.0)];
        // Four balls of diameter 1 in each cell: a packing fraction of 0.49.
        let (side, edge) = (7, 1.623);
        let cells = (0..side * side * side).map(|n| [n % side, n / side % side, n / side / side].map(f64::from));
        let places = cells.flat_map(|cell| corners.map(|corner| (DVec3::from_array(cell) + corner + 0.25) * edge));
        let ball = |place| Body::sphere(0.5, 1.0).unwrap().at(place).moving(random.vector(1.0));
        let bodies: Vec<Body> = places.map(ball).collect();
        let period = Some(Period { min: 0.0, max: f64::from(side) * edge });
        Stepper::new(Settings { space: Space { periods: [period; 3] }, ..Settings::default() }, &bodies).unwrap()
    }

    /// Checks the kept lists: each has the balls with domains in reach, and no others.
    fn check_lists(stepper: &Stepper) {
        let (rows, space) = (&stepper.parts.scene.rows, &stepper.parts.scene.settings.space);
        let Broadphase { cell_list, domains, .. } = &stepper.parts.broadphase;
        let lists: Vec<Vec<BodyId>> =
            rows.ids().map(|id| cell_list.as_ref().unwrap().neighbours(id).collect()).collect();
        for (id, other) in rows.ids().flat_map(|id| (0..id.0).map(move |other| (id, BodyId(other)))) {
            let [one, two] = [id, other].map(|id| &domains[id.index()]);
            let room = space.nearest(two.center - one.center).length() - (1.0 + one.margin + two.margin);
            let listed = [(id, other), (other, id)].map(|(id, other)| lists[id.index()].contains(&other));
            // Those that are narrowly out of reach may be listed.
            assert!(listed == [room <= 0.0; 2] || room.abs() < 1e-9, "{id:?} {other:?} {room}");
        }
    }

    #[test]
    fn a_kept_list_is_renewed_when_its_ball_leaves_its_domain() {
        let mut stepper = dense();
        assert!(stepper.parts.broadphase.cell_list.as_ref().is_some_and(CellList::keeps_lists));
        let [mut renewed, mut left] = [0; 2];
        for step in 1..=105 {
            let epochs = |stepper: &Stepper| -> Vec<SimTime> {
                stepper.parts.scene.rows.ids().map(|id| stepper.parts.scene.rows.records.epoch(id)).collect()
            };
            let (before, paths) = (stepper.parts.broadphase.domains.clone(), epochs(&stepper));
            let target = SimTime::from_seconds(0.02 * f64::from(step));
            stepper.advance(target, usize::MAX).unwrap();
            let after = epochs(&stepper);
            for id in stepper.parts.scene.rows.ids() {
                let (was, is) = (&before[id.index()], &stepper.parts.broadphase.domains[id.index()]);
                let is_renewed = was.center != is.center;
                if paths[id.index()] == after[id.index()] {
                    assert_eq!(is_renewed, was.exit <= target, "{id:?} at step {step}");
                    left += usize::from(is_renewed);
                }
                renewed += usize::from(is_renewed);
                let place = stepper.parts.scene.rows.path(id).position_at(target);
                let way = place - stepper.parts.scene.settings.space.shift(is.images) - is.center;
                assert!(way.length() <= is.margin && is.form == Form::Ball, "{id:?} at step {step}: {way}");
            }
            if step % 15 == 0 {
                check_lists(&stepper);
            }
        }
        assert!(renewed > 1000 && left > 50, "{renewed} {left}");
    }
}
