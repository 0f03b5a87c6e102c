//! The search for candidate pairs.

use glam::DVec3;

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::table::Interaction;
use crate::dynamics::broadphase::hash_grid::HashGrid;
use crate::dynamics::broadphase::hash_grid::level::cell;
use crate::dynamics::broadphase::{offsets, shifted};
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::time_stepping::island::{ListedPair, NO_CONTACT, SteppedIsland};
use crate::geometry::{Aabb, Shape};
use crate::numeric::tolerance::{BYSTANDER_REACH, DOMAIN_SLACK, GROUP_EDGE};

/// How far a member may move from its present position before its pairs are searched again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// m.
    pub(super) from_now: f64,
    /// Whether its pairs are searched now.
    pub(super) is_new: bool,
}

/// The place of each member by its id.
pub(super) struct Places {
    /// The id of the first member.
    first: usize,
    /// One entry per id, beginning at `first`; `None` for bodies that are not members.
    places: Vec<Option<u32>>,
}

impl Places {
    pub(super) fn of(members: &[BodyId]) -> Self {
        let first = members.first().map_or(0, |id| id.index());
        let mut places = vec![None; members.last().map_or(0, |last| last.index() + 1 - first)];
        for (place, id) in members.iter().enumerate() {
            places[id.index() - first] = Some(place as u32);
        }
        Self { first, places }
    }

    /// The place of a member.
    #[inline]
    pub(super) fn get(&self, id: BodyId) -> Option<usize> {
        self.places.get(id.index().checked_sub(self.first)?)?.map(|place| place as usize)
    }
}

/// The search for the pairs of all members with a new reach.
pub(super) struct Search<'a> {
    sim: &'a Simulation,
    number: u32,
    island: &'a SteppedIsland,
    reaches: &'a [Reach],
    /// How far beyond a member's reach moving walls are included, m.
    wall_reach: f64,
    /// Position and radius of the sphere around each member, m.
    balls: Vec<(DVec3, f64)>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        sim: &'a Simulation,
        number: u32,
        island: &'a SteppedIsland,
        reaches: &'a [Reach],
        wall_reach: f64,
    ) -> Self {
        let rows = &sim.scene.rows;
        let ball = |&id: &BodyId| (rows.path(id).position_at(sim.scene.now), bounding_radius(rows.shape(id)));
        let balls = island.members.iter().map(ball).collect();
        Self { sim, number, island, reaches, wall_reach, balls }
    }

    /// All pairs of a member with a new reach that may touch while both bodies stay within their reach. A free body
    /// outside is included if its distance is less than twice the reach plus a margin.
    pub(super) fn run(&self) -> Vec<ListedPair> {
        let new: Vec<usize> = (0..self.reaches.len()).filter(|&place| self.reaches[place].is_new).collect();
        let mut found = Vec::with_capacity(4 * new.len());
        self.pair_with_members(&new, &mut found);
        self.groups(new).iter().for_each(|group| self.pair_with_others(group, &mut found));
        found
    }

    /// Adds the pairs of two members, each of them once.
    fn pair_with_members(&self, new: &[usize], found: &mut Vec<ListedPair>) {
        let Scene { rows, settings, .. } = &self.sim.scene;
        let radius = |place: usize| self.balls[place].1 + self.reaches[place].from_now;
        // A member may be far from the centre of its domain. All are at their own places in the periodic cell here, so
        // that each of two members finds the other.
        let wrapped: Vec<(DVec3, [i32; 3])> = self.balls.iter().map(|ball| settings.space.wrap(ball.0)).collect();
        // Each member is a ball here that contains it wherever it may move within its reach.
        let ball = |place: usize| Aabb::around(wrapped[place].0, DVec3::splat(radius(place)));
        let mut grid = HashGrid::with_bodies(wrapped.len());
        (0..wrapped.len()).for_each(|place| grid.place(BodyId(place as u32), ball(place), true));
        for &place in new {
            let (id, own) = (self.island.members[place], self.reaches[place]);
            let bounds = with_rounding(wrapped[place].0, DVec3::splat(radius(place)));
            for offset in offsets(&bounds, grid.reach(), &settings.space) {
                grid.query(&shifted(&bounds, offset, &settings.space), true, |BodyId(there)| {
                    let there = there as usize;
                    let (other, their) = (self.island.members[there], self.reaches[there]);
                    let is_found_there = their.is_new && (their.from_now, other) >= (own.from_now, id);
                    if !is_found_there && other != id && rows.interaction(id, other) == Some(Interaction::Collide) {
                        let periods = |axis: usize| wrapped[place].1[axis] - wrapped[there].1[axis];
                        let image = std::array::from_fn(|axis| periods(axis) + i32::from(offset[axis]));
                        self.add(place, Pair::new(id, other, image), own.from_now + their.from_now, found);
                    }
                });
            }
        }
    }

    /// Groups of members that are near each other. The bodies around each group are searched once.
    fn groups(&self, mut new: Vec<usize>) -> Vec<Vec<usize>> {
        let radius = |&place: &usize| self.balls[place].1 + self.reaches[place].from_now;
        let edge = GROUP_EDGE * new.iter().map(radius).fold(0.0, f64::max);
        let cell = |&place: &usize| cell(self.position_in_cell(place), edge);
        new.sort_by_cached_key(cell);
        new.chunk_by(|one, other| cell(one) == cell(other)).map(<[usize]>::to_vec).collect()
    }

    /// Adds the pairs of some members with bodies that are not members.
    fn pair_with_others(&self, group: &[usize], found: &mut Vec<ListedPair>) {
        let Simulation { scene: Scene { rows, settings, stepped_in, .. }, broadphase, .. } = self.sim;
        let bounds: Vec<Aabb> = group.iter().map(|&place| self.surroundings(place)).collect();
        let Some(around) = bounds.iter().copied().reduce(|all, one| all.union(&one)) else { return };
        let mut others: Vec<(BodyId, [i8; 3])> = broadphase.planes.iter().map(|&plane| (plane, [0; 3])).collect();
        broadphase.around(&around, false, &settings.space, |other, offset| {
            if stepped_in[other.index()] != self.number {
                others.push((other, offset));
            }
        });
        for (other, offset) in others {
            let is_plane = matches!(rows.shape(other), Shape::Plane(_));
            for (&place, bounds) in group.iter().zip(&bounds) {
                let id = self.island.members[place];
                let is_near =
                    is_plane || shifted(bounds, offset, &settings.space).touches(&broadphase.bounds(other, rows));
                if is_near && rows.interaction(id, other) == Some(Interaction::Collide) {
                    let most = self.reaches[place].from_now + self.reach_of_other(place, other);
                    self.add(place, broadphase.pair(id, other, offset), most, found);
                }
            }
        }
    }

    /// How far beyond the reach of a member a body that is not a member is included, m.
    fn reach_of_other(&self, place: usize, other: BodyId) -> f64 {
        let rows = &self.sim.scene.rows;
        match (rows.is_free(other), rows.moves(other)) {
            (true, _) => self.reach_of_free(place),
            (_, true) => self.wall_reach,
            _ => 0.0,
        }
    }

    fn reach_of_free(&self, place: usize) -> f64 {
        let half = self.sim.scene.rows.shape(self.island.members[place]).half_extents();
        self.reaches[place].from_now + BYSTANDER_REACH * half.max_element()
    }

    /// The box in which bodies that are not members are searched.
    fn surroundings(&self, place: usize) -> Aabb {
        let half = self.sim.scene.rows.shape(self.island.members[place]).half_extents();
        self.bounds(place, half + self.reaches[place].from_now + self.reach_of_free(place).max(self.wall_reach))
    }

    /// A box around a member, in coordinates of the periodic cell, enlarged by the rounding.
    fn bounds(&self, place: usize, half: DVec3) -> Aabb {
        with_rounding(self.position_in_cell(place), half)
    }

    /// The position of a member in coordinates of the periodic cell, m.
    fn position_in_cell(&self, place: usize) -> DVec3 {
        let images = self.sim.broadphase.images(self.island.members[place]);
        self.balls[place].0 - self.sim.scene.settings.space.shift(images)
    }

    /// Adds the parts of a pair that are less than `most` apart.
    fn add(&self, place: usize, pair: Pair, most: f64, found: &mut Vec<ListedPair>) {
        let (scene, id) = (&self.sim.scene, self.island.members[place]);
        let up = -scene.settings.gravity.normalize_or_zero();
        scene.parts_within(pair, most, |part, normal| {
            let outward = if pair.a == id { normal } else { -normal };
            let support = scene.rows.shape(id).half_extents() * outward;
            found.push(ListedPair {
                pair: pair.absolute(&scene.rows),
                part,
                ends: [0; 2],
                height: up.dot(self.balls[place].0 + support),
                force: NO_CONTACT,
                is_logged: false,
            });
        });
    }
}

/// A box, enlarged by the rounding.
fn with_rounding(position: DVec3, half: DVec3) -> Aabb {
    Aabb::around(position, half + (position.abs() + half) * DOMAIN_SLACK)
}

/// The radius of the smallest sphere around a body's centre that contains it, m.
fn bounding_radius(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere(radius) => radius.get(),
        shape => shape.half_extents().length(),
    }
}
