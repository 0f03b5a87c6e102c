//! The list of candidate pairs of an island: all pairs that may touch while no member moves farther than its reach.
//!
//! Each member has its own reach, which follows from its speed. Its pairs are searched again before it can move farther
//! (Verlet 1967, with one list per particle). Domains are only used to find the bodies: the content and the order of
//! the list depend on the physical state alone.

mod search;

use glam::DVec3;

use super::accounts::log_release;
use super::island::{ListedPair, NO_CONTACT, PairList, SteppedIsland};
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::geometry::triangle_gap::box_triangle_ahead;
use crate::geometry::{Aabb, Gap, Solid, gap};
use crate::numeric::tolerance::{OVERLAP_ALLOWED, REACH_LEAST, REACH_SPARE};
use search::{Places, Reach, Search};

/// The requirements on the list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Demand<'a> {
    /// Length of the next step, s.
    pub(super) length: f64,
    /// If a step is set up again, the smallest reach that each member needs, m; zero for members that keep their reach.
    /// New members may have no entry.
    pub(super) least: Option<&'a [f64]>,
    /// Whether fast members get a reach for longer than one step. It shows which of them have other free bodies near
    /// them.
    pub(super) is_wide: bool,
}

/// Brings the list up to date for the next step: a member that may move beyond its reach in this step gets a new reach,
/// and its pairs are searched.
pub(super) fn refresh_list(sim: &mut Simulation, number: u32, island: &mut SteppedIsland, demand: Demand<'_>) {
    let length = demand.length;
    let walls = sim.scene.speed_of_near_walls(island, length);
    let mut reaches = sim.scene.next_reaches(island, demand);
    if walls > 0.0 && demand.least.is_none() {
        reaches.iter_mut().for_each(|reach| reach.is_new = true);
    }
    if reaches.iter().any(|reach| reach.is_new) {
        look_for_pairs(sim, number, island, &reaches, REACH_SPARE * walls * length);
        island.order_list();
    }
}

/// Adds the pairs of new members at the end of the list, and returns the place of the first of them. The list has to be
/// [ordered](SteppedIsland::order_list) before the step.
pub(super) fn list_new_members(sim: &mut Simulation, number: u32, island: &mut SteppedIsland, length: f64) -> usize {
    let walls = sim.scene.speed_of_near_walls(island, length);
    let reaches = sim.scene.next_reaches(island, Demand { length, least: Some(&[]), is_wide: false });
    look_for_pairs(sim, number, island, &reaches, REACH_SPARE * walls * length)
}

impl Scene {
    /// The reaches of all members in the next step. A member keeps its reach while it suffices. A member that needs a
    /// longer reach than most gets a new one in each step, so that it does not become a candidate for all other
    /// members.
    fn next_reaches(&self, island: &SteppedIsland, demand: Demand<'_>) -> Vec<Reach> {
        let Demand { length, least, is_wide } = demand;
        let fall = self.settings.gravity * length;
        let size = |id: BodyId| self.rows.shape(id).half_extents().min_element();
        // Above this reach, the pairs of a member are searched in each step.
        let far = island.target_gap + 2.0 * REACH_LEAST * self.smallest_half(island);
        let is_first = least.is_none();
        let next = |(place, &id): (usize, &BodyId)| {
            let velocity = self.rows.path(id).velocity_at(self.now);
            let (reach, moved) = (island.list.reaches[place], island.list.moved[place]);
            let least = least.and_then(|least| least.get(place)).copied().unwrap_or(0.0);
            let from_now = reach + moved.length();
            let spare = REACH_SPARE * (velocity.length() + fall.length()) * length;
            let is_used_up = moved.length() + spare > reach || from_now > far;
            if reach == 0.0 || least > 0.0 || (is_first && is_used_up) {
                let lasting = island.target_gap + (2.0 * spare).max(REACH_LEAST * size(id));
                let from_now = if is_wide || lasting <= far { lasting } else { far.max(island.target_gap + spare) };
                return Reach { from_now: from_now.max(island.target_gap + least), is_new: true };
            }
            Reach { from_now, is_new: false }
        };
        island.members.iter().enumerate().map(next).collect()
    }
}

/// Searches the pairs of all members with a new reach and adds them at the end of the list; the other pairs stay. Logs
/// the end of contacts that are no longer listed. Returns the place of the first new pair.
fn look_for_pairs(
    sim: &mut Simulation,
    number: u32,
    island: &mut SteppedIsland,
    reaches: &[Reach],
    wall_reach: f64,
) -> usize {
    let places = Places::of(&island.members);
    let is_new = |id: BodyId| places.get(id).is_some_and(|place| reaches[place].is_new);
    let is_looked_for = |listed: &mut ListedPair| is_new(listed.pair.a) || is_new(listed.pair.b);
    let mut known: Vec<ListedPair> = island.list.pairs.extract_if(.., is_looked_for).collect();
    known.retain(|listed| listed.is_logged || listed.force != NO_CONTACT);
    known.sort_by_key(ListedPair::key);
    known.dedup_by_key(|listed| listed.key());
    let mut is_kept = vec![false; known.len()];
    let mut found = Search::new(sim, number, island, reaches, wall_reach).run();
    for listed in &mut found {
        if let Ok(row) = known.binary_search_by_key(&listed.key(), ListedPair::key) {
            (listed.force, listed.is_logged) = (known[row].force, known[row].is_logged);
            is_kept[row] = true;
        }
    }
    let first = island.list.pairs.len();
    island.list.pairs.append(&mut found);
    for (place, reach) in reaches.iter().enumerate().filter(|(_, reach)| reach.is_new) {
        (island.list.reaches[place], island.list.moved[place]) = (reach.from_now, DVec3::ZERO);
    }
    let gone = known.iter().zip(is_kept).filter(|(listed, is_kept)| listed.is_logged && !is_kept);
    gone.for_each(|(listed, _)| log_release(sim, listed));
    first
}

impl SteppedIsland {
    /// Puts the pairs in order along gravity.
    pub(super) fn order_list(&mut self) {
        self.list.pairs.sort_by(|x, y| x.height.total_cmp(&y.height).then_with(|| x.key().cmp(&y.key())));
        self.number_ends();
    }

    /// Finds the bodies outside, and sets the places of the bodies of all pairs.
    pub(super) fn number_ends(&mut self) {
        let places = Places::of(&self.members);
        let PairList { pairs, outside, .. } = &mut self.list;
        outside.clear();
        for listed in pairs.iter() {
            outside.extend([listed.pair.a, listed.pair.b].into_iter().filter(|&id| places.get(id).is_none()));
        }
        outside.sort_unstable();
        outside.dedup();
        let free = self.members.len();
        let place =
            |id: BodyId| places.get(id).unwrap_or_else(|| free + outside.partition_point(|&other| other < id)) as u32;
        for listed in pairs {
            listed.ends = [place(listed.pair.a), place(listed.pair.b)];
        }
    }
}

impl Scene {
    /// Calls `found` with the parts of two bodies that are less than `reach` apart, with the normal.
    fn parts_within(&self, pair: Pair, reach: f64, mut found: impl FnMut(u32, DVec3)) {
        let motion = pair.motion(&self.rows, &self.settings.space, self.now);
        let mut offer = |part: u32| {
            let [a, b] = self.solids(pair, part);
            if let Some(gap) = gap(a, b, motion.position).filter(|gap| gap.separation < reach) {
                found(part, gap.normal);
            }
        };
        let rows = &self.rows;
        let (outline, body, place) = match (rows.outline(pair.a), rows.outline(pair.b)) {
            (Some(outline), _) => (outline, pair.b, motion.position),
            (_, Some(outline)) => (outline, pair.a, -motion.position),
            _ => return offer(0),
        };
        let bounds = Aabb::around(place, rows.shape(body).half_extents() + reach);
        outline.touching(&bounds, offer);
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
            [Solid::Sphere(radius), b @ (Solid::Triangle(_) | Solid::Patch { .. })] => {
                self.gap_of_ball(pair.b, part, radius, -offset, b)
            }
            [a @ (Solid::Triangle(_) | Solid::Patch { .. }), Solid::Sphere(radius)] => {
                self.gap_of_ball(pair.a, part, radius, offset, a).map(|(gap, normal)| (gap, -normal))
            }
            [Solid::Box(a), Solid::Patch { center, half }] => Some(facing(a + half, offset + center, displacement)),
            [Solid::Patch { center, half }, Solid::Box(b)] => Some(facing(half + b, offset - center, displacement)),
            [Solid::Box(a), Solid::Triangle(b)] => {
                let Gap { separation, normal } =
                    box_triangle_ahead(a, b, offset, displacement, OVERLAP_ALLOWED * a.min_element());
                Some((separation, normal))
            }
            [Solid::Triangle(a), Solid::Box(b)] => {
                let Gap { separation, normal } =
                    box_triangle_ahead(b, a, -offset, -displacement, OVERLAP_ALLOWED * b.min_element());
                Some((separation, -normal))
            }
            [a, b] => gap(a, b, offset).map(|gap| (gap.separation, gap.normal)),
        }
    }

    /// How fast an arc that a body is inside of comes towards one that moves along it, per square of its way, 1/m; 0
    /// for all other pairs.
    pub(super) fn bend(&self, pair: Pair, offset: DVec3) -> f64 {
        let ([Solid::Arc(arc), _] | [_, Solid::Arc(arc)]) = self.solids(pair, 0) else { return 0.0 };
        let from_middle = offset.length();
        if from_middle > 0.0 && from_middle < arc.radius() { 0.5 / from_middle } else { 0.0 }
    }

    /// The gap of a ball at `center` from a part of an outline, and its normal, into the outline. A border where the
    /// facet goes on does not count: the part that goes on does.
    fn gap_of_ball(&self, id: BodyId, part: u32, radius: f64, center: DVec3, solid: Solid<'_>) -> Option<(f64, DVec3)> {
        let own = || gap(Solid::Sphere(radius), solid, -center).map(|gap| (gap.separation, gap.normal));
        let outline = self.rows.outline(id)?;
        let is_inside = outline.near_point(part, center).1;
        let over = if is_inside { None } else { outline.part_over(part, center) };
        let Some(over) = over else { return own() };
        let facet = outline.facet(part);
        let height = facet.distance(center);
        let normal = if height < 0.0 { facet.normal } else { -facet.normal };
        (over == part).then_some((height.abs() - radius, normal))
    }
}

/// The gap of two boxes along the axis that will separate them best, and its normal.
///
/// `reach` is the sum of the half extents, m; `displacement` is that of b in the step, m.
fn facing(reach: DVec3, offset: DVec3, displacement: DVec3) -> (f64, DVec3) {
    let gaps = offset.abs() - reach;
    let side = |axis: usize| if offset[axis] < 0.0 { -1.0 } else { 1.0 };
    let after = |axis: usize| gaps[axis] + side(axis) * displacement[axis];
    let least = gaps.max_element().min(0.0) - OVERLAP_ALLOWED * reach.min_element();
    let apart = |axis: &usize| gaps[*axis] >= least;
    let axis = (0..3).filter(apart).max_by(|&x, &y| after(x).total_cmp(&after(y)).then(y.cmp(&x))).unwrap_or(0);
    (gaps[axis], DVec3::AXES[axis] * side(axis))
}

#[cfg(test)]
mod tests;
