//! The list of candidate pairs of an island: all pairs that may touch while no member moves farther than its reach.
//!
//! Each member has a reach of its own, from its own speed. Domains only serve to find the bodies; what is listed and in
//! which order is a function of the physical state.

use glam::DVec3;

use super::island::{ListedPair, PairList, SteppedIsland};
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::table::Interaction;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::geometry::{Aabb, Shape, Solid, gap};
use crate::numeric::tolerance::{BYSTANDER_REACH, DOMAIN_SLACK};

/// A pair that may touch, and a place along gravity for its order.
struct Found {
    listed: ListedPair,
    height: f64,
}

/// Makes the list of an island anew. Returns what was logged as a contact and is no longer listed.
pub(super) fn make_list(
    parts: &Parts,
    number: u32,
    island: &mut SteppedIsland,
    reaches: Vec<f64>,
    wall_reach: f64,
) -> Vec<ListedPair> {
    let mut known: Vec<ListedPair> = std::mem::take(&mut island.list.pairs);
    known.retain(|listed| listed.is_logged || listed.push != ContactImpulse::default());
    known.sort_by_key(ListedPair::key);
    known.dedup_by_key(|listed| listed.key());
    let mut found = Search::new(parts, number, island, &reaches, wall_reach).run();
    found.sort_by(|x, y| x.height.total_cmp(&y.height).then_with(|| x.listed.key().cmp(&y.listed.key())));
    let mut pairs: Vec<ListedPair> = found.into_iter().map(|found| found.listed).collect();
    let mut is_kept = vec![false; known.len()];
    for listed in &mut pairs {
        if let Ok(row) = known.binary_search_by_key(&listed.key(), ListedPair::key) {
            (listed.push, listed.is_logged) = (known[row].push, known[row].is_logged);
            is_kept[row] = true;
        }
    }
    let mut outside: Vec<BodyId> = pairs
        .iter()
        .flat_map(|listed| [listed.pair.a, listed.pair.b])
        .filter(|&id| parts.scene.stepped_in[id.index()] != number)
        .collect();
    outside.sort_unstable();
    outside.dedup();
    let moved = vec![DVec3::ZERO; island.members.len()];
    island.list = PairList { pairs, outside, reaches, moved };
    island.number_ends();
    let gone = known.into_iter().zip(is_kept).filter(|(listed, is_kept)| listed.is_logged && !is_kept);
    gone.map(|(listed, _)| listed).collect()
}

/// The search for the pairs of an island.
struct Search<'a> {
    parts: &'a Parts,
    number: u32,
    island: &'a SteppedIsland,
    reaches: &'a [f64],
    /// How far moving walls are looked for beyond that, m.
    wall_reach: f64,
    /// The place of each body that is a member.
    places: Vec<u32>,
    /// Position and radius of the sphere around each member, m.
    balls: Vec<(DVec3, f64)>,
}

impl<'a> Search<'a> {
    fn new(parts: &'a Parts, number: u32, island: &'a SteppedIsland, reaches: &'a [f64], wall_reach: f64) -> Self {
        let rows = &parts.scene.rows;
        let (first, last) = (island.members[0].index(), island.members[island.members.len() - 1].index());
        let mut places = vec![0; last + 1 - first];
        for (place, id) in island.members.iter().enumerate() {
            places[id.index() - first] = place as u32;
        }
        let ball = |&id: &BodyId| (rows.path(id).position_at(parts.scene.now), bounding_radius(rows.shape(id)));
        let balls = island.members.iter().map(ball).collect();
        Self { parts, number, island, reaches, wall_reach, places, balls }
    }

    /// All pairs that are less apart than twice the larger of their reaches. So a pair that is not found stays apart
    /// while both go no farther than their reach.
    fn run(&self) -> Vec<Found> {
        let mut found = Vec::with_capacity(8 * self.island.members.len());
        for place in 0..self.island.members.len() {
            self.look_around(place, &mut found);
        }
        found
    }

    /// Adds the pairs of a member: those with members of larger reach are found from there.
    fn look_around(&self, place: usize, found: &mut Vec<Found>) {
        let Scene { rows, settings, now, stepped_in, .. } = &self.parts.scene;
        let (id, reach) = (self.island.members[place], 2.0 * self.reaches[place]);
        let near = BYSTANDER_REACH * rows.shape(id).half_extents().max_element();
        let first = self.island.members[0].index();
        let mut offer = |other: BodyId, offset: [i8; 3]| {
            let is_member = stepped_in[other.index()] == self.number;
            let mut most = reach;
            if is_member {
                let there = self.places[other.index() - first] as usize;
                if (self.reaches[there], other) >= (self.reaches[place], id) {
                    return;
                }
                let sum = self.balls[place].1 + self.balls[there].1 + reach;
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
                let pair = self.parts.broadphase.pair(id, other, offset);
                self.add(place, pair, most, found);
            }
        };
        self.parts.broadphase.planes.iter().for_each(|&plane| offer(plane, [0; 3]));
        let seen = rows.path(id).position_at(*now) - settings.space.shift(self.parts.broadphase.images(id));
        let half = rows.shape(id).half_extents() + reach + self.wall_reach.max(near);
        let bounds = Aabb::around(seen, half + (seen.abs() + half) * DOMAIN_SLACK);
        self.parts.broadphase.around(&bounds, false, &settings.space, offer);
    }

    /// Adds the parts of a pair that are less than `most` apart.
    fn add(&self, place: usize, pair: Pair, most: f64, found: &mut Vec<Found>) {
        let (scene, id) = (&self.parts.scene, self.island.members[place]);
        let up = -scene.settings.gravity.normalize_or_zero();
        scene.parts_within(pair, most, |part, normal| {
            let outward = if pair.a == id { normal } else { -normal };
            let support = match scene.rows.shape(id) {
                Shape::Sphere(radius) => outward * radius.get(),
                shape => shape.half_extents() * outward,
            };
            let height = up.dot(self.balls[place].0 + support);
            let listed = ListedPair {
                pair: pair.absolute(&scene.rows),
                part,
                ends: [0; 2],
                push: ContactImpulse::default(),
                is_logged: false,
            };
            found.push(Found { listed, height });
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

impl SteppedIsland {
    /// Sets the places of the bodies of all pairs.
    pub(super) fn number_ends(&mut self) {
        let (members, outside) = (&self.members, &self.list.outside);
        let place = |id: BodyId| match members.binary_search(&id) {
            Ok(place) => place as u32,
            Err(_) => (members.len() + outside.partition_point(|&other| other < id)) as u32,
        };
        for listed in &mut self.list.pairs {
            listed.ends = [place(listed.pair.a), place(listed.pair.b)];
        }
    }
}

impl Scene {
    /// Calls `found` with the parts of two bodies that are less than `reach` apart, with the normal.
    fn parts_within(&self, pair: Pair, reach: f64, mut found: impl FnMut(u32, DVec3)) {
        let motion = pair.motion(&self.rows, &self.settings.space, self.now);
        let mut offer = |part: u32| {
            if let Some((gap, normal)) = self.gap_of(pair, part, motion.position, DVec3::ZERO)
                && gap < reach
            {
                found(part, normal);
            }
        };
        let rows = &self.rows;
        let (mesh, body, place) = match (rows.mesh(pair.a), rows.mesh(pair.b)) {
            (Some(mesh), _) => (mesh, pair.b, motion.position),
            (_, Some(mesh)) => (mesh, pair.a, -motion.position),
            _ => return offer(0),
        };
        let bounds = Aabb::around(place, rows.shape(body).half_extents() + reach);
        mesh.tree().touching(&bounds, offer);
    }

    /// The gap of a listed pair at the present, m.
    pub(super) fn gap_now(&self, listed: &ListedPair) -> f64 {
        let pair = listed.pair.as_seen_from_path(&self.rows);
        let offset = pair.motion(&self.rows, &self.settings.space, self.now).position;
        self.gap_of(pair, listed.part, offset, DVec3::ZERO).map_or(f64::INFINITY, |(gap, _)| gap)
    }

    /// The gap of two parts and its normal, with b at `offset` from a and moving by `displacement` relative to it.
    #[inline]
    pub(super) fn gap_of(&self, pair: Pair, part: u32, offset: DVec3, displacement: DVec3) -> Option<(f64, DVec3)> {
        match self.solids(pair, part) {
            [Solid::Box(a), Solid::Box(b)] => Some(facing(a + b, offset, displacement)),
            [a, b] => gap(a, b, offset).map(|gap| (gap.separation, gap.normal)),
        }
    }
}

/// The gap of two boxes along the axis that will separate them best, and its normal.
///
/// `reach` is the sum of the half extents, m; `displacement` is that of b in the step, m.
fn facing(reach: DVec3, offset: DVec3, displacement: DVec3) -> (f64, DVec3) {
    let gaps = offset.abs() - reach;
    let side = |axis: usize| if offset[axis] < 0.0 { -1.0 } else { 1.0 };
    let after = |axis: usize| gaps[axis] + side(axis) * displacement[axis];
    let apart = |axis: &usize| gaps[*axis] >= gaps.max_element().min(0.0);
    let axis = (0..3).filter(apart).max_by(|&x, &y| after(x).total_cmp(&after(y)).then(y.cmp(&x))).unwrap_or(0);
    (gaps[axis], DVec3::AXES[axis] * side(axis))
}

#[cfg(test)]
mod tests;
