//! The search for candidate pairs.

use glam::DVec3;

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::table::Interaction;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::dynamics::time_stepping::island::{ListedPair, SteppedIsland};
use crate::geometry::{Aabb, Shape};
use crate::numeric::tolerance::{BYSTANDER_REACH, DOMAIN_SLACK};

/// How far a member may go from where it is before its pairs are looked for again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// m.
    pub(super) from_now: f64,
    /// Whether its pairs are looked for now.
    pub(super) is_new: bool,
}

/// The place of each member by its id.
pub(super) struct Places {
    /// The id of the first member.
    first: usize,
    /// By id from there on; [`NO_PLACE`] for bodies that are no members.
    places: Vec<u32>,
}

const NO_PLACE: u32 = u32::MAX;

impl Places {
    pub(super) fn of(members: &[BodyId]) -> Self {
        let (first, last) = match members {
            [first, .., last] => (first.index(), last.index()),
            [one] => (one.index(), one.index()),
            [] => return Self { first: 0, places: Vec::new() },
        };
        let mut places = vec![NO_PLACE; last + 1 - first];
        for (place, id) in members.iter().enumerate() {
            places[id.index() - first] = place as u32;
        }
        Self { first, places }
    }

    /// The place of a member.
    #[inline]
    pub(super) fn get(&self, id: BodyId) -> Option<usize> {
        let place = *self.places.get(id.index().checked_sub(self.first)?)?;
        (place != NO_PLACE).then_some(place as usize)
    }
}

/// The search for the pairs of the members of new reach.
pub(super) struct Search<'a> {
    parts: &'a Parts,
    number: u32,
    island: &'a SteppedIsland,
    places: &'a Places,
    reaches: &'a [Reach],
    /// The farthest that a member goes that keeps its reach, m.
    farthest_kept: f64,
    /// How far moving walls are looked for beyond a member's reach, m.
    wall_reach: f64,
    /// Position and radius of the sphere around each member, m.
    balls: Vec<(DVec3, f64)>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        parts: &'a Parts,
        number: u32,
        island: &'a SteppedIsland,
        places: &'a Places,
        reaches: &'a [Reach],
        wall_reach: f64,
    ) -> Self {
        let rows = &parts.scene.rows;
        let ball = |&id: &BodyId| (rows.path(id).position_at(parts.scene.now), bounding_radius(rows.shape(id)));
        let balls = island.members.iter().map(ball).collect();
        let kept = reaches.iter().filter(|reach| !reach.is_new).map(|reach| reach.from_now);
        let farthest_kept = kept.fold(0.0, f64::max);
        Self { parts, number, island, places, reaches, farthest_kept, wall_reach, balls }
    }

    /// All pairs of a member of new reach that may touch while both go no farther than their reach; with a free body
    /// outside, those that are less apart than twice the reach and a bit more.
    pub(super) fn run(&self) -> Vec<ListedPair> {
        let mut found = Vec::with_capacity(8 * self.island.members.len());
        for place in 0..self.island.members.len() {
            if self.reaches[place].is_new {
                self.look_around(place, &mut found);
            }
        }
        found
    }

    /// Adds the pairs of a member: those with members of new and larger reach are found from there.
    fn look_around(&self, place: usize, found: &mut Vec<ListedPair>) {
        let Scene { rows, settings, now, stepped_in, .. } = &self.parts.scene;
        let (id, reach) = (self.island.members[place], self.reaches[place].from_now);
        let near = reach + BYSTANDER_REACH * rows.shape(id).half_extents().max_element();
        let mut offer = |other: BodyId, offset: [i8; 3]| {
            let mut most = reach;
            if stepped_in[other.index()] == self.number {
                let there = self.places.get(other).expect("the number is that of this island");
                let their = self.reaches[there];
                if their.is_new && (their.from_now, other) >= (reach, id) {
                    return;
                }
                most += their.from_now;
                let sum = self.balls[place].1 + self.balls[there].1 + most;
                let is_far = || self.balls[place].0.distance_squared(self.balls[there].0) > sum * sum;
                if self.parts.broadphase.pair(id, other, offset).image == [0; 3] && is_far() {
                    return;
                }
            } else if rows.is_free(other) {
                most += near;
            } else if rows.moves(other) {
                most += self.wall_reach;
            }
            if other != id && rows.interaction(id, other) == Some(Interaction::Collide) {
                self.add(place, self.parts.broadphase.pair(id, other, offset), most, found);
            }
        };
        self.parts.broadphase.planes.iter().for_each(|&plane| offer(plane, [0; 3]));
        let seen = rows.path(id).position_at(*now) - settings.space.shift(self.parts.broadphase.images(id));
        let most = reach + self.farthest_kept.max(near).max(self.wall_reach);
        let half = rows.shape(id).half_extents() + most;
        let bounds = Aabb::around(seen, half + (seen.abs() + half) * DOMAIN_SLACK);
        self.parts.broadphase.around(&bounds, false, &settings.space, offer);
    }

    /// Adds the parts of a pair that are less than `most` apart.
    fn add(&self, place: usize, pair: Pair, most: f64, found: &mut Vec<ListedPair>) {
        let (scene, id) = (&self.parts.scene, self.island.members[place]);
        let up = -scene.settings.gravity.normalize_or_zero();
        scene.parts_within(pair, most, |part, normal| {
            let outward = if pair.a == id { normal } else { -normal };
            let support = match scene.rows.shape(id) {
                Shape::Sphere(radius) => outward * radius.get(),
                shape => shape.half_extents() * outward,
            };
            found.push(ListedPair {
                pair: pair.absolute(&scene.rows),
                part,
                ends: [0; 2],
                height: up.dot(self.balls[place].0 + support),
                push: ContactImpulse::default(),
                is_logged: false,
            });
        });
    }
}

/// The radius of the smallest sphere around a body's centre that contains it, m.
fn bounding_radius(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere(radius) => radius.get(),
        shape => shape.half_extents().length(),
    }
}
