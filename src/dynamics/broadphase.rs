//! Who could meet whom: domains and neighbour lists.
//!
//! Every body has a *domain*: the box it is sure to stay in until it leaves it, which is an event with a time of
//! its own. Two bodies are neighbours while their domains touch, and only neighbours are predicted. When a
//! body leaves its domain it gets a new one around the place where it is, wider if it had few neighbours
//! and narrower if it had many; so a bullet in empty space crosses any distance in a few domains, and
//! a body at rest never needs another. Domains never change a result, only what it costs.

use std::ops::Range;

use glam::DVec3;

use super::grid::Grid;
use super::known::Known;
use super::leave::{leave_time_of_ball, leave_time_of_box, leave_time_of_fall};
use super::links::Links;
use super::rows::{Mover, Rows};
use super::{BodyId, Space};
use crate::geometry::{Aabb, Shape};
use crate::motion::{Path, SimTime};
use crate::numeric::tolerance::{DOMAIN_SLACK, TIME_MAX};

/// With fewer neighbours than this the next domain is wider.
const FEW: usize = 8;

/// With more neighbours than this the next domain is narrower.
const MANY: usize = 32;

/// With more neighbours than this a domain is left at once for a narrower one: a body that is large among its neighbours,
/// whose own size says nothing about how far it should look.
const CROWD: usize = 256;

/// How much wider or narrower.
const STRIDE: f64 = 1.5;

/// Room around a body in its first domain, and at least, in its largest half extent.
const MARGIN_FIRST: f64 = 0.5;
const MARGIN_FIRST_BALL: f64 = 0.998;
const MARGIN_LEAST: f64 = 0.0625;

/// Half the edge of the cube in a ball of radius 1, a little less.
const CUBE_IN_BALL: f64 = 0.577;

/// Part of a period beyond which a ball's room must not reach for its images to be told apart by their distance.
const ROOMY: f64 = 0.249;
const ROOMY_CUT: f64 = 0.2475;

/// Most periods by which an image may be off: counted from either body, and when one goes on by a period, it fits its type.
const OFFSET_MAX: f64 = 64.0;

/// Where a body's position stays, in the periodic cell's coordinates.
#[derive(Debug, Clone, Copy)]
struct Room {
    center: DVec3,
    /// Half the edge, or the radius, m.
    margin: f64,
    /// When the body leaves it; [never](SimTime::NEVER) perhaps.
    exit: SimTime,
}

/// The domains and neighbours of all bodies.
#[derive(Debug, Clone, Default)]
pub(super) struct Broadphase {
    pub(super) grid: Grid,
    rooms: Vec<Room>,
    pub(super) links: Links,
    /// Half-spaces have no domain; they are few, and asked one by one.
    pub(super) planes: Vec<BodyId>,
    /// Neighbours found for a new domain, kept for their room in memory.
    found: Vec<(BodyId, [i8; 3])>,
    known: Known,
}

impl Broadphase {
    /// Gives every body of `rows` its first domain and its neighbours.
    pub(super) fn new(rows: &mut Rows, space: &Space, now: SimTime) -> Self {
        let count = rows.count();
        let mut broadphase = Self {
            grid: Grid::with_bodies(count),
            rooms: vec![Room { center: DVec3::ZERO, margin: 0.0, exit: SimTime::NEVER }; count],
            links: Links::with_bodies(count),
            planes: Vec::new(),
            found: Vec::new(),
            known: Known::default(),
        };
        for id in rows.ids() {
            match rows.shape(id) {
                _ if rows.is_gone(id) => {}
                Shape::Plane(_) => broadphase.planes.push(id),
                _ => broadphase.enter_first_domain(id, rows, space, now),
            }
        }
        for id in rows.ids().filter(|&id| !rows.is_gone(id)) {
            let mut found = std::mem::take(&mut broadphase.found);
            broadphase.near(id, rows, space, &mut found);
            for &(other, offset) in found.iter().filter(|found| found.0 < id) {
                broadphase.links.link(id, other, offset);
            }
            broadphase.found = found;
        }
        broadphase.links.pack();
        rows.ids().for_each(|id| broadphase.leave_if_crowded(id, rows, now));
        broadphase
    }

    /// One more body, the last of `rows`, with its first domain and its neighbours.
    pub(super) fn add(&mut self, id: BodyId, rows: &mut Rows, space: &Space, now: SimTime) {
        self.rooms.push(Room { center: DVec3::ZERO, margin: 0.0, exit: SimTime::NEVER });
        self.grid.push_body();
        self.links.push_body();
        match rows.shape(id) {
            Shape::Plane(_) => self.planes.push(id),
            _ => self.enter_first_domain(id, rows, space, now),
        }
        let mut found = std::mem::take(&mut self.found);
        self.near(id, rows, space, &mut found);
        found.iter().for_each(|&(other, offset)| self.links.link(id, other, offset));
        self.found = found;
        self.leave_if_crowded(id, rows, now);
    }

    /// A body has neither domain nor neighbours any more.
    pub(super) fn remove(&mut self, id: BodyId) {
        for row in (0..self.links.count(id)).rev() {
            self.links.cut(id, row);
        }
        self.grid.remove(id);
        self.planes.retain(|&plane| plane != id);
        self.rooms[id.index()].exit = SimTime::NEVER;
    }

    fn enter_first_domain(&mut self, id: BodyId, rows: &mut Rows, space: &Space, now: SimTime) {
        let shape = rows.shape(id);
        let first = if matches!(shape, Shape::Sphere(_)) { MARGIN_FIRST_BALL } else { MARGIN_FIRST };
        let margin = first * shape.half_extents().max_element();
        self.enter_domain(id, margin, rows, space, now);
    }

    /// When the body leaves its domain, if ever.
    #[inline]
    pub(super) fn exit(&self, id: BodyId) -> Option<SimTime> {
        let exit = self.rooms[id.index()].exit;
        (exit != SimTime::NEVER).then_some(exit)
    }

    /// Calls for a body's room, and for where its list is.
    #[inline]
    pub(super) fn call(&self, id: BodyId) {
        prefetch_index::prefetch_index(&self.rooms, id.index());
        self.links.call_list(id);
    }

    /// Looks up anew when the body leaves its domain, after its path has changed.
    #[inline]
    pub(super) fn update_exit(&mut self, id: BodyId, path: &Path, images: [i32; 3], space: &Space, now: SimTime) {
        let round = self.grid.is_round(id);
        let room = &mut self.rooms[id.index()];
        let place = path.position_at(now) - room.center;
        let position = if images == [0; 3] { place } else { place - space.shift(images) };
        let velocity = path.velocity_at(now);
        let leave = match (round, path.acceleration == DVec3::ZERO) {
            (true, true) => leave_time_of_ball(position, velocity, room.margin),
            (false, true) => leave_time_of_box(position, velocity, room.margin),
            (_, false) => {
                let margin = if round { CUBE_IN_BALL * room.margin } else { room.margin };
                leave_time_of_fall(position, velocity, path.acceleration, margin)
            }
        };
        // Sooner by more than the rounding of this time and of those of impacts, which count from the path's
        // beginning: a body must know its neighbours before it can meet them.
        let slack = DOMAIN_SLACK * (1.0 + leave + now.since(path.epoch));
        let sooner = leave - slack;
        let span = if sooner > 0.0 { sooner } else { 0.0 };
        room.exit = if leave <= TIME_MAX { now.plus(span) } else { SimTime::NEVER };
    }

    /// Whether a ball is sure to stay within a quarter of each period, so that of two such neighbours the nearest images
    /// are meant.
    pub(super) fn is_roomy(&self, id: BodyId, radius: f64, space: &Space) -> bool {
        let reach = radius + 2.0 * self.rooms[id.index()].margin;
        space.periods.iter().flatten().all(|period| reach < ROOMY * period.length())
    }

    /// Gives a body a new domain around the place where it is now, and the neighbours that go with it; returns the rows
    /// of those that are new.
    pub(super) fn renew(&mut self, id: BodyId, rows: &mut Rows, space: &Space, now: SimTime) -> Range<usize> {
        let margin = self.next_margin(id, rows);
        let before = rows.images[id.index()];
        self.enter_domain(id, margin, rows, space, now);
        let moved = std::array::from_fn(|axis| (rows.images[id.index()][axis] - before[axis]) as i8);
        self.links.move_to_image(id, moved);
        let mut found = std::mem::take(&mut self.found);
        self.near(id, rows, space, &mut found);
        let first = self.keep(id, &mut found);
        found.iter().for_each(|&(other, offset)| self.links.link(id, other, offset));
        self.found = found;
        self.leave_if_crowded(id, rows, now);
        first..self.links.count(id)
    }

    /// A body with far too many neighbours leaves its domain now, if the next one is narrower.
    fn leave_if_crowded(&mut self, id: BodyId, rows: &Rows, now: SimTime) {
        let least = MARGIN_LEAST * rows.shape(id).half_extents().max_element();
        if self.links.count(id) > CROWD && self.rooms[id.index()].margin > least {
            self.rooms[id.index()].exit = now;
        }
    }

    /// Cuts the links to all that are not `found`, and leaves in `found` those who are new. Returns how many were kept.
    fn keep(&mut self, id: BodyId, found: &mut Vec<(BodyId, [i8; 3])>) -> usize {
        let mut kept = 0;
        self.known.note(found);
        for row in (0..self.links.count(id)).rev() {
            if self.known.meet(found, &self.links.of(id)[row]) {
                kept += 1;
            } else {
                self.links.cut(id, row);
            }
        }
        let mut met = self.known.met();
        found.retain(|_| met.next() == Some(&false));
        kept
    }

    fn next_margin(&self, id: BodyId, rows: &Rows) -> f64 {
        let margin = self.rooms[id.index()].margin;
        let size = rows.shape(id).half_extents().max_element();
        match self.links.count(id) {
            0..FEW => margin * STRIDE,
            FEW..=MANY => margin,
            _ => (margin / STRIDE).max(MARGIN_LEAST * size),
        }
    }

    fn enter_domain(&mut self, id: BodyId, margin: f64, rows: &mut Rows, space: &Space, now: SimTime) {
        let path = rows.path(id);
        let position = path.position_at(now);
        let image = space.cell_of(position);
        rows.images[id.index()] = image;
        let center = position - space.shift(image);
        let half = rows.shape(id).half_extents();
        let margin = if rows.role(id).mover == Mover::Fixed { 0.0 } else { widest(margin, half, space) };
        let straight = path.acceleration == DVec3::ZERO;
        let ball = matches!(rows.shape(id), Shape::Sphere(_));
        let (round, margin) = (straight && ball, if ball { roomy(margin, half.x, space) } else { margin });
        self.rooms[id.index()] = Room { center, margin, exit: SimTime::NEVER };
        self.grid.place(id, self.bounds(id, rows), round);
        self.update_exit(id, &path, image, space, now);
    }

    /// The domain as a box, with the slack that keeps its body inside.
    fn bounds(&self, id: BodyId, rows: &Rows) -> Aabb {
        let Room { center, margin, .. } = self.rooms[id.index()];
        let half = rows.shape(id).half_extents() + margin;
        Aabb::around(center, half + (center.abs() + half) * DOMAIN_SLACK)
    }

    /// Finds all bodies that `id` has to do with and whose domains touch its own, with the offset of their image.
    fn near(&self, id: BodyId, rows: &Rows, space: &Space, found: &mut Vec<(BodyId, [i8; 3])>) {
        found.clear();
        if matches!(rows.shape(id), Shape::Plane(_)) {
            let candidates = rows.ids().filter(|&other| self.plane_is_near(id, other, rows));
            found.extend(candidates.map(|other| (other, [0; 3])));
            return;
        }
        let bounds = self.bounds(id, rows);
        self.around(&bounds, self.grid.is_round(id), space, |other, offset| found.push((other, offset)));
        // Whether a body deals with another depends on the natures of both, and neighbours are mostly of one.
        let answer =
            |other: BodyId| (rows.dealing(id, other).is_some(), [id, other].iter().any(|&id| rows.mesh(id).is_some()));
        let mut last = (rows.nature_rank(id), answer(id));
        found.retain(|&(other, offset)| {
            let rank = rows.nature_rank(other);
            if rank != last.0 {
                last = (rank, answer(other));
            }
            let (deals, has_mesh) = last.1;
            let shift = || space.shift(offset.map(i32::from));
            other != id && deals && (!has_mesh || self.mesh_is_near(id, other, shift, rows))
        });
        let planes = self.planes.iter().filter(|&&plane| self.plane_is_near(plane, id, rows));
        found.extend(planes.map(|&plane| (plane, [0; 3])));
    }

    /// Calls `found` with every body whose domain touches `bounds`, and perhaps some that miss it narrowly, and with the periods by
    /// which that image of it is off; if `round`, the balls in the boxes are meant.
    #[inline]
    pub(super) fn around(&self, bounds: &Aabb, round: bool, space: &Space, mut found: impl FnMut(BodyId, [i8; 3])) {
        for offset in offsets(bounds, self.grid.reach(), space) {
            let shift = space.shift(offset.map(i32::from));
            let shifted = Aabb { min: bounds.min - shift, max: bounds.max - shift };
            self.grid.query(&shifted, round, |other| found(other, offset));
        }
    }

    /// Whether a triangle of a mesh could be reached from the domain of a body, of which `other` is moved by `shift`. It could
    /// if there is no mesh, and from inside a closed one: such a start is refused.
    fn mesh_is_near(&self, id: BodyId, other: BodyId, shift: impl Fn() -> DVec3, rows: &Rows) -> bool {
        let (mesh, fixed, body, shift) = match (rows.mesh(id), rows.mesh(other)) {
            (Some(mesh), _) => (mesh, id, other, shift()),
            (_, Some(mesh)) => (mesh, other, id, -shift()),
            _ => return true,
        };
        let (bounds, place) = (self.bounds(body, rows), self.rooms[fixed.index()].center);
        let (center, half) = (bounds.center() + shift - place, bounds.half());
        let slack = (bounds.center().abs() + shift.abs() + place.abs() + half) * DOMAIN_SLACK;
        mesh.is_near(&Aabb::around(center, half + slack)) || mesh.contains(center)
    }

    /// Whether a half-space could be reached from the domain of `id`. One that moves always could.
    fn plane_is_near(&self, plane: BodyId, id: BodyId, rows: &Rows) -> bool {
        let Shape::Plane(solid) = rows.shape(plane) else { return false };
        if matches!(rows.shape(id), Shape::Plane(_)) || rows.dealing(plane, id).is_none() {
            return false;
        }
        let bounds = self.bounds(id, rows);
        let offset = bounds.center() - rows.path(plane).position;
        rows.moves(plane) || solid.distance(offset) <= solid.reach_of(bounds.half()) * (1.0 + DOMAIN_SLACK)
    }
}

/// The margin, cut so that a ball is [roomy](Broadphase::is_roomy) if it then has a quarter of its radius left.
fn roomy(margin: f64, radius: f64, space: &Space) -> f64 {
    let limit = |length: f64| 0.5 * (ROOMY_CUT * length - radius);
    let limits = space.periods.iter().flatten().map(|period| limit(period.length()));
    let limit = limits.fold(f64::INFINITY, f64::min);
    if limit >= 0.25 * radius { margin.min(limit) } else { margin }
}

/// The margin, cut so that a domain is no wider than a period and meets each neighbour's next images only. A body that
/// fills the period has a quarter of it all the same, or it would leave its domain at every instant.
fn widest(margin: f64, half: DVec3, space: &Space) -> f64 {
    let rooms = space.periods.iter().zip(half.to_array());
    let limit = |length: f64, half: f64| (0.5 * length - half).max(0.25 * length);
    let limits = rooms.filter_map(|(period, half)| period.map(|period| limit(period.length(), half)));
    limits.fold(margin, f64::min)
}

/// The periods by which an image of a body may be off that touches `bounds`: −1, 0 or 1 along each axis, more only
/// for bodies that fill the period.
///
/// Every body is entered in the periodic cell and reaches at most `reach` from its centre, so only a box
/// near the cell's border has to do with the images beyond it.
pub(super) fn offsets(bounds: &Aabb, reach: f64, space: &Space) -> impl Iterator<Item = [i8; 3]> + use<> {
    let [x, y, z] = std::array::from_fn(|axis| match space.periods[axis] {
        Some(period) => {
            let low = (bounds.min[axis] - reach - period.max) / period.length();
            let high = (bounds.max[axis] + reach - period.min) / period.length();
            // Of a body that fills many periods those farther off lie within the nearer ones.
            low.ceil().max(-OFFSET_MAX) as i8..=high.floor().min(OFFSET_MAX) as i8
        }
        None => 0..=0,
    });
    x.flat_map(move |x| {
        let z = z.clone();
        y.clone().flat_map(move |y| z.clone().map(move |z| [x, y, z]))
    })
}
