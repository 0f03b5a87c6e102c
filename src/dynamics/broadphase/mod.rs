//! Broad phase: which bodies may collide soon, by domains and neighbours.
//!
//! Every body has a *domain*: a region that it does not leave before its domain exit, which is an event with its own
//! time. Two bodies are neighbours while their domains overlap, and only neighbours are predicted. After a domain exit
//! the body gets a new domain around its position, wider if it had few neighbours and narrower if it had many. So a
//! bullet in empty space crosses any distance in a few domains, and a body at rest never needs a new domain. For balls
//! of similar size in free flight, the domain is a cell of the [cell list](self::cell_list), as long as they have
//! neighbours there. Domains never change a result, only its cost.

pub(super) mod cell_list;
pub(super) mod domain;
pub(super) mod domain_exit;
pub(super) mod domain_update;
pub(super) mod hash_grid;
mod near;
pub(super) mod neighbour_blocks;
pub(super) mod neighbour_diff;
pub(super) mod neighbour_lists;

use std::ops::Range;
use std::sync::OnceLock;

use glam::DVec3;

use super::body::driven::Driven;
use super::body::pair::Pair;
use super::body::table::BodyTable;
use super::{BodyId, Space};
use crate::geometry::{Aabb, Shape};
use crate::motion::{Path, SimTime};
use crate::numeric::tolerance::{DOMAIN_SLACK, TIME_MAX};
use cell_list::CellList;
use cell_list::axis::Numbers;
use domain::{CLEAR_REACH, Domain, Form};
use domain_exit::{leave_time_of_ball, leave_time_of_box, leave_time_of_fall};
use hash_grid::HashGrid;
use neighbour_blocks::NeighbourBlocks;
use neighbour_diff::NeighbourDiff;
use neighbour_lists::{Neighbour, NeighbourLists};

/// Half the edge of the cube in a ball of radius 1, rounded down.
const CUBE_IN_BALL: f64 = 0.577;

/// Largest offset of an image, in periods: the offset counted from either body, also after a change by one period, fits
/// into its type.
const OFFSET_MAX: f64 = 64.0;

/// The domains and neighbours of all bodies.
#[derive(Debug, Clone, Default)]
pub(super) struct Broadphase {
    /// The domains of all bodies outside the cell list.
    pub(super) grid: HashGrid,
    pub(super) cell_list: Option<CellList>,
    /// The domains of the bodies in the cell list, for queries; built by the first query.
    pub(super) cell_grid: OnceLock<HashGrid>,
    pub(super) domains: Vec<Domain>,
    pub(super) neighbour_lists: NeighbourLists,
    /// Half-spaces have no domain; they are few and tested one by one.
    pub(super) planes: Vec<BodyId>,
    /// Neighbours found for a new domain. The memory is kept for the next search.
    pub(super) found: Vec<(BodyId, [i8; 3])>,
    pub(super) neighbour_diff: NeighbourDiff,
}

impl Broadphase {
    /// Gives every body of `rows` its first domain and its neighbours.
    pub(super) fn new(rows: &BodyTable, space: &Space, now: SimTime) -> Self {
        Self::with_cell_list(CellList::new(rows, space), rows, space, now)
    }

    /// The same with this empty cell list, or without one.
    pub(super) fn with_cell_list(cell_list: Option<CellList>, rows: &BodyTable, space: &Space, now: SimTime) -> Self {
        let count = rows.count();
        let mut broadphase = Self {
            grid: HashGrid::with_bodies(count),
            cell_list,
            cell_grid: OnceLock::new(),
            domains: vec![Domain::NONE; count],
            neighbour_lists: NeighbourLists::with_bodies(count),
            planes: Vec::new(),
            found: Vec::new(),
            neighbour_diff: NeighbourDiff::default(),
        };
        for id in rows.present() {
            match rows.shape(id) {
                Shape::Plane(_) => broadphase.planes.push(id),
                _ => broadphase.enter_first_domain(id, rows, space, now),
            }
        }
        for id in rows.present() {
            broadphase.add_neighbours_in_reach(id, rows, space, |_, found| found.retain(|found| found.0 < id));
        }
        broadphase.neighbour_lists.pack();
        rows.present().for_each(|id| broadphase.leave_if_too_many(id, rows, space, now));
        broadphase
    }

    /// Adds a body, the last of `rows`, with its first domain and its neighbours.
    pub(super) fn add(&mut self, id: BodyId, rows: &BodyTable, space: &Space, now: SimTime) {
        self.domains.push(Domain::NONE);
        self.grid.push_body();
        self.cell_list.iter_mut().for_each(CellList::push_body);
        self.cell_grid.get_mut().into_iter().for_each(HashGrid::push_body);
        self.neighbour_lists.push_body();
        self.enter(id, rows, space, now);
    }

    /// Gives a body without a domain its first one, and its neighbours.
    pub(super) fn enter(&mut self, id: BodyId, rows: &BodyTable, space: &Space, now: SimTime) {
        match rows.shape(id) {
            Shape::Plane(_) => self.planes.push(id),
            _ => self.enter_first_domain(id, rows, space, now),
        }
        self.update_neighbours(id, rows, space);
        self.leave_if_too_many(id, rows, space, now);
    }

    /// Removes the domain and the neighbours of a body.
    pub(super) fn remove(&mut self, id: BodyId) {
        for row in (0..self.neighbour_lists.count(id)).rev() {
            self.neighbour_lists.cut(id, row);
        }
        self.leave_grids(id);
        self.planes.retain(|&plane| plane != id);
        self.domains[id.index()].exit = SimTime::NEVER;
    }

    /// Number of neighbours of a body.
    #[inline]
    pub(super) fn count(&self, id: BodyId) -> usize {
        self.neighbour_lists.count(id) + self.cell_list.as_ref().map_or(0, |cell_list| cell_list.count(id))
    }

    /// Gathers the neighbours of a body in the cell list.
    #[inline(always)]
    pub(super) fn gather_neighbours(&mut self, id: BodyId) {
        if let Some(cell_list) = &mut self.cell_list {
            cell_list.gather_neighbours(id);
        }
    }

    /// The neighbours that were gathered.
    #[inline(always)]
    pub(super) fn cell_neighbours(&self) -> NeighbourBlocks<'_> {
        match &self.cell_list {
            Some(cell_list) => cell_list.cell_neighbours(),
            None => NeighbourBlocks::EMPTY,
        }
    }

    /// The new neighbours, in the cell list, of the body that got a new domain last.
    #[inline]
    pub(super) fn new_cell_neighbours(&self) -> NeighbourBlocks<'_> {
        self.cell_list.as_ref().map_or(NeighbourBlocks::EMPTY, CellList::new_ones)
    }

    /// Upper bound of the radii of the bodies in the cell list, and of the balls around boxes in it, m; infinite
    /// without a cell list.
    #[inline]
    pub(super) fn radius_in_cells(&self) -> f64 {
        self.cell_list.as_ref().map_or(f64::INFINITY, CellList::radius)
    }

    /// The pair of a body and a neighbour in the cell list.
    pub(super) fn pair_in_cells(&self, id: BodyId, other: BodyId) -> Pair {
        let offset = self.cell_list.as_ref().map_or([0; 3], |cell_list| cell_list.offset(id, other));
        self.pair(id, other, offset)
    }

    /// The pair of a body and a neighbour of its neighbour list.
    pub(super) fn pair_listed(&self, id: BodyId, neighbour: &Neighbour) -> Pair {
        self.pair(id, neighbour.id, neighbour.offset)
    }

    /// The pair of two neighbours. The domain of `other` is `offset` periods from its position in the periodic cell.
    #[inline]
    pub(super) fn pair(&self, id: BodyId, other: BodyId, offset: [i8; 3]) -> Pair {
        let [own, theirs] = [id, other].map(|id| self.images(id));
        Pair::new(id, other, std::array::from_fn(|axis| own[axis] - theirs[axis] + i32::from(offset[axis])))
    }

    /// Number of periods between the coordinates of a body's path and those of its domain.
    #[inline]
    pub(super) fn images(&self, id: BodyId) -> [i32; 3] {
        self.domains[id.index()].images
    }

    /// The pairs of a body with its neighbours, each with the nearby image.
    pub(super) fn pairs(&self, id: BodyId) -> impl Iterator<Item = Pair> {
        let listed = self.neighbour_lists.of(id).iter().map(move |neighbour| self.pair_listed(id, neighbour));
        let in_cells = self.cell_list.iter().flat_map(move |cell_list| cell_list.neighbours(id));
        listed.chain(in_cells.map(move |other| self.pair_in_cells(id, other)))
    }

    /// The [pairs](Self::pairs) that are new with a new domain: those of some rows of its neighbour list, and new ones
    /// in the cell list.
    pub(super) fn new_pairs(&self, id: BodyId, listed: Range<usize>) -> impl Iterator<Item = Pair> {
        let listed = self.neighbour_lists.of(id)[listed].iter().map(move |neighbour| self.pair_listed(id, neighbour));
        listed.chain(self.new_cell_neighbours().ids().iter().map(move |&other| self.pair_in_cells(id, other)))
    }

    /// Whether the bodies of a pair are neighbours, with the image of the pair.
    pub(super) fn are_neighbours(&self, pair: Pair) -> bool {
        let shorter = if self.count(pair.b) < self.count(pair.a) { pair.b } else { pair.a };
        self.pairs(shorter).any(|other| other == pair)
    }

    /// The time of the domain exit; may be [never](SimTime::NEVER).
    #[inline]
    pub(super) fn exit(&self, id: BodyId) -> SimTime {
        self.domains[id.index()].exit
    }

    /// Prefetches the domain of a body, and the places of its neighbour list and its cell.
    #[inline]
    pub(super) fn prefetch(&self, id: BodyId) {
        prefetch_index::prefetch_index(&self.domains, id.index());
        self.neighbour_lists.prefetch_list(id);
        self.cell_list.iter().for_each(|cell_list| cell_list.prefetch(id));
    }

    /// Prefetches the neighbour list of a body, and the cells around its own.
    #[inline]
    pub(super) fn prefetch_around(&self, id: BodyId) {
        self.neighbour_lists.prefetch(id);
        self.cell_list.iter().for_each(|cell_list| cell_list.prefetch_around(id));
    }

    /// Computes the domain exit again after the path of a body has changed. `crossed` are the periods by which the path
    /// was moved back.
    #[inline(always)]
    pub(super) fn update_exit(&mut self, id: BodyId, path: &Path, crossed: [i32; 3], space: &Space, now: SimTime) {
        let domain = &mut self.domains[id.index()];
        // The numbers are compared before they are stored: loading several numbers right after they were stored one by
        // one would wait for the stores.
        let images: [i32; 3] = std::array::from_fn(|axis| domain.images[axis] - crossed[axis]);
        let place = path.position_at(now) - domain.center;
        let position = if images == [0; 3] { place } else { place - space.shift(images) };
        domain.images = images;
        let velocity = path.velocity_at(now);
        let (cell_list, margin) = (&self.cell_list, domain.margin);
        let half = half(domain, cell_list.as_ref());
        let leave = match (domain.form, path.acceleration == DVec3::ZERO) {
            (Form::Ball, true) => leave_time_of_ball(position, velocity, margin),
            (Form::Cube | Form::Cell, true) => leave_time_of_box(position, velocity, half),
            (_, false) => leave_time_of_fall(position, velocity, path.acceleration, half),
        };
        // The exit is earlier by more than the rounding of this time and of impact times, which count from the path's
        // epoch. A body must have its neighbours before it can meet them.
        let slack = DOMAIN_SLACK * (SimTime::TICK + leave + now.since(path.epoch));
        let sooner = leave - slack;
        let span = if sooner > 0.0 { sooner } else { 0.0 };
        domain.exit = if leave <= TIME_MAX { now.plus(span) } else { SimTime::NEVER };
    }

    /// Computes the domain exit of a body that a course moves: no later than its largest speed allows. `shown` is when
    /// its motion is to be noted again.
    pub(super) fn limit_exit(&mut self, id: BodyId, driven: &Driven, shown: SimTime, space: &Space, now: SimTime) {
        let domain = self.domains[id.index()];
        let (half, base, largest) = (half(&domain, self.cell_list.as_ref()), &driven.base, driven.largest());
        let (center, swing) = (domain.center + space.shift(domain.images), driven.along.abs());
        let still = base.velocity == DVec3::ZERO && base.acceleration == DVec3::ZERO;
        let farthest = (base.position - center).abs() + swing * largest.displacement;
        let stays = still && farthest.cmplt(half * (1.0 - DOMAIN_SLACK)).all() && domain.form != Form::Ball;
        let leave = if stays || !domain.margin.is_finite() {
            f64::INFINITY
        } else {
            let place = driven.path_at(now).position - center;
            let [velocity, acceleration] =
                [base.velocity_at(now).abs() + swing * largest.speed, base.acceleration.abs()];
            let along = |vector: DVec3| DVec3::X * vector.length();
            if domain.form == Form::Ball {
                leave_time_of_fall(along(place), along(velocity), along(acceleration), DVec3::splat(domain.margin))
            } else {
                leave_time_of_fall(place.abs(), velocity, acceleration, half)
            }
        };
        let sooner = (leave * (1.0 - DOMAIN_SLACK) - DOMAIN_SLACK).max(0.0);
        let exit = if leave <= TIME_MAX { now.plus(sooner) } else { SimTime::NEVER };
        self.domains[id.index()].exit = exit.min(shown);
    }

    /// Whether the reach of a ball is less than a quarter of each period. Then the pair of two such neighbours is the
    /// pair of their nearest images.
    pub(super) fn has_clear_image(&self, id: BodyId, radius: f64, space: &Space) -> bool {
        let reach = radius + 2.0 * self.domains[id.index()].margin;
        space.periods.iter().flatten().all(|period| reach < CLEAR_REACH * period.length())
    }

    /// The bounding box of a body in its domain, enlarged by the rounding.
    pub(super) fn bounds(&self, id: BodyId, rows: &BodyTable) -> Aabb {
        let Domain { center, margin, .. } = self.domains[id.index()];
        let half = rows.shape(id).half_extents() + margin;
        Aabb::around(center, half + (center.abs() + half) * DOMAIN_SLACK)
    }

    /// Calls `found` with every body with a domain that overlaps `bounds`, and perhaps with bodies that miss it
    /// narrowly, with the offset of the image in periods. If `round`, the region is the ball in `bounds`.
    #[inline]
    pub(super) fn around(&self, bounds: &Aabb, round: bool, space: &Space, mut found: impl FnMut(BodyId, [i8; 3])) {
        self.around_in_grid(bounds, round, space, &mut found);
        if let Some(cell_list) = &self.cell_list {
            for offset in offsets(bounds, cell_list.reach(), space) {
                cell_list.touching(&shifted(bounds, offset, space), |other| found(other, offset));
            }
        }
    }

    /// The same without the bodies of the cell list.
    #[inline]
    fn around_in_grid(&self, bounds: &Aabb, round: bool, space: &Space, mut found: impl FnMut(BodyId, [i8; 3])) {
        if self.grid.is_empty() {
            return;
        }
        for offset in offsets(bounds, self.grid.reach(), space) {
            self.grid.query(&shifted(bounds, offset, space), round, |other| found(other, offset));
        }
    }

    /// The grids with the domains of all bodies that have one: one grid or two.
    pub(super) fn grids(&self, rows: &BodyTable) -> impl Iterator<Item = &HashGrid> {
        let cell_grid = self.cell_list.as_ref().map(|cell_list| {
            self.cell_grid.get_or_init(|| {
                let mut grid = HashGrid::fine(rows.count());
                cell_list.members().for_each(|id| grid.place(id, self.bounds(id, rows), false));
                grid
            })
        });
        std::iter::once(&self.grid).chain(cell_grid)
    }

    /// Largest distance from the centre of a domain to the surface of its body, m, half-spaces excepted.
    pub(super) fn reach(&self) -> f64 {
        self.cell_list.as_ref().map_or(0.0, CellList::reach).max(self.grid.reach())
    }

    /// The cell list, if a body may be in it.
    pub(super) fn cell_list_for(&self, id: BodyId, rows: &BodyTable) -> Option<&CellList> {
        self.cell_list.as_ref().filter(|cell_list| cell_list.suits(id, rows))
    }

    /// The cell that is the domain of a body, if it is in the cell list.
    #[inline]
    pub(super) fn cell(&self, id: BodyId) -> Option<Numbers> {
        self.cell_list.as_ref()?.cell(id)
    }
}

/// Half the edges of the box that a body does not leave before its domain: the domain itself, or the cube in a ball, m.
#[inline(always)]
fn half(domain: &Domain, cell_list: Option<&CellList>) -> DVec3 {
    match domain.form {
        Form::Cell => cell_list.map_or(DVec3::ZERO, CellList::half),
        Form::Ball => DVec3::splat(CUBE_IN_BALL * domain.margin),
        Form::Cube => DVec3::splat(domain.margin),
    }
}

/// A box in the coordinates of the image `offset` periods away.
pub(super) fn shifted(bounds: &Aabb, offset: [i8; 3], space: &Space) -> Aabb {
    bounds.shifted(-space.shift(offset.map(i32::from)))
}

/// The offsets, in periods, of images of bodies that may overlap `bounds`: −1, 0 or 1 along each axis, and more only
/// for bodies that fill the period.
///
/// Every body is stored at its position in the periodic cell and extends at most `reach` from its centre. So only a box
/// near the border of the cell overlaps images beyond it.
pub(super) fn offsets(bounds: &Aabb, reach: f64, space: &Space) -> impl Iterator<Item = [i8; 3]> + use<> {
    combinations(std::array::from_fn(|axis| match space.periods[axis] {
        Some(period) => {
            let low = (bounds.min[axis] - reach - period.max) / period.length();
            let high = (bounds.max[axis] + reach - period.min) / period.length();
            // If a body fills many periods, its distant images lie within the nearer ones.
            low.ceil().max(-OFFSET_MAX) as i8..=high.floor().min(OFFSET_MAX) as i8
        }
        None => 0..=0,
    }))
}

/// All combinations of one item of each axis.
pub(super) fn combinations<T: Copy>(axes: [impl Iterator<Item = T> + Clone; 3]) -> impl Iterator<Item = [T; 3]> {
    let [x, y, z] = axes;
    x.flat_map(move |x| {
        let z = z.clone();
        y.clone().flat_map(move |y| z.clone().map(move |z| [x, y, z]))
    })
}
