//! Membership: which bodies begin to be advanced by time steps, and which ones leave.
//!
//! A body joins together with all bodies that it is in contact with. Its contacts become pairs of the island's list. A
//! contact lasts while it has a force or its gap is at most the rest height, or the gap that is kept if that is larger.
//! A member leaves if no other free body is near it. An island is split if it has parts that are not near each other.

use super::accounts::{end_step, log_member, log_release};
use super::island::{ListedPair, NO_CONTACT, PairList, SteppedIsland};
use super::sleep::{add_resting_contact, dismiss, stop_invisible, wake_sleepers};
use crate::dynamics::BodyId;
use crate::dynamics::contact::lifecycle::log_contact;
use crate::dynamics::contact::{Contact, Reaction};
use crate::dynamics::error::RunError;
use crate::dynamics::few::each_once;
use crate::dynamics::log::event::EventKind;
use crate::dynamics::scene::{NO_ISLAND, Scene};
use crate::dynamics::simulation::Simulation;
use crate::geometry::Aabb;
use crate::motion::Spin;
use crate::numeric::connected::{connect, root};
use crate::numeric::tolerance::{PART_FALL, UPDATES_MAX_NOW};

/// Makes an island of some free bodies, with all bodies that they are in contact with.
pub(super) fn found(sim: &mut Simulation, bodies: &[BodyId]) -> Result<(), RunError> {
    let number = sim.time_stepping.add(SteppedIsland { parted: sim.scene.now, ..SteppedIsland::default() });
    let mut island = sim.time_stepping.take(number);
    let admitted = admit_into(sim, number, &mut island, bodies);
    sim.time_stepping.put(number, island);
    admitted
}

/// Adds free bodies to an island, with all bodies that they are in contact with. Islands that they are members of
/// become part of this one.
pub(super) fn admit_into(
    sim: &mut Simulation,
    number: u32,
    island: &mut SteppedIsland,
    bodies: &[BodyId],
) -> Result<(), RunError> {
    island.slow_since = None;
    for &body in bodies {
        match sim.scene.stepped_in[body.index()] {
            NO_ISLAND => admit(sim, number, island, body),
            own if own == number => {}
            other => absorb(sim, number, island, other)?,
        }
    }
    Ok(())
}

/// Adds a body that is in no island, with all bodies that it is in contact with.
fn admit(sim: &mut Simulation, number: u32, island: &mut SteppedIsland, body: BodyId) {
    let mut left = vec![body];
    while let Some(id) = left.pop() {
        if sim.scene.stepped_in[id.index()] != NO_ISLAND {
            continue;
        }
        sim.scene.stepped_in[id.index()] = number;
        sim.scene.rows.records.mark_not_ballistic(id);
        island.insert(id);
        log_member(sim, EventKind::Join, id);
        for row in sim.scene.contacts.of(id).to_vec() {
            let contact = sim.scene.end_contact(row);
            left.extend(sim.scene.free_of(contact.pair));
            let force = island.list.forces.len() as u32;
            island.list.forces.push(contact.force);
            island.list.pairs.push(listed(sim, &contact, force));
        }
        sim.put_reaction(id, Reaction::none(sim.scene.now));
        sim.to_predict.body(id);
    }
}

/// Makes the members of another island members of this one.
fn absorb(sim: &mut Simulation, number: u32, island: &mut SteppedIsland, other: u32) -> Result<(), RunError> {
    let mut absorbed = sim.time_stepping.take(other);
    end_step(sim, &mut absorbed)?;
    for &id in &absorbed.members {
        sim.scene.stepped_in[id.index()] = number;
        island.insert(id);
        sim.to_predict.body(id);
    }
    island.target_gap = island.target_gap.max(absorbed.target_gap);
    island.list.append(&mut absorbed.list);
    sim.time_stepping.put(other, SteppedIsland::default());
    Ok(())
}

/// A contact as a pair of an island's list, with its force at the place `force`.
fn listed(sim: &mut Simulation, contact: &Contact, force: u32) -> ListedPair {
    let is_logged = contact.met.is_none_or(|met| met.again);
    if contact.met.is_some() {
        log_contact(sim, EventKind::Impact, contact);
    }
    ListedPair { pair: contact.pair, part: contact.part, ends: [0; 2], height: 0.0, force, is_logged }
}

/// Members without another free body near them are advanced by events again, unless they had too many contact updates.
/// Returns whether there were any.
pub(super) fn leave_without_company(sim: &mut Simulation, island: &mut SteppedIsland) -> Result<bool, RunError> {
    let free = island.members.len();
    let mut company = vec![false; free];
    for listed in &island.list.pairs {
        let is_shared = sim.scene.free_of(listed.pair).count() == 2;
        for end in listed.ends.into_iter().map(|end| end as usize).filter(|&end| end < free) {
            company[end] |= is_shared;
        }
    }
    let stays = |place: usize| {
        let id = island.members[place];
        let stands_still = sim.counters.updates.of(id, sim.scene.now) > UPDATES_MAX_NOW;
        company[place] || stands_still
    };
    let (staying, leaving): (Vec<usize>, Vec<usize>) = (0..free).partition(|&place| stays(place));
    if leaving.is_empty() {
        return Ok(false);
    }
    let mut left = island.part(&leaving);
    *island = island.part(&staying);
    // Two free bodies are far apart now, so the force between them has ended.
    let is_shared = |listed: &&mut ListedPair| sim.scene.free_of(listed.pair).count() == 2;
    left.list.pairs.iter_mut().filter(is_shared).for_each(|listed| listed.force = NO_CONTACT);
    set_free(sim, &mut left).map(|()| true)
}

/// Returns members of a former island to events. Their contacts with walls become lasting contacts. A force across a
/// gap wider than the rest height ends.
fn set_free(sim: &mut Simulation, left: &mut SteppedIsland) -> Result<(), RunError> {
    let apart = |listed: &&mut ListedPair| sim.scene.gap_now(listed) > sim.scene.settings.rest_height;
    left.list.pairs.iter_mut().filter(apart).for_each(|listed| listed.force = NO_CONTACT);
    let gravity = sim.scene.settings.gravity;
    for &id in &left.members {
        stop_invisible(sim, id, &left.list)?;
        let member = sim.scene.member(id, sim.scene.now);
        let spin = Spin { velocity: member.angular, acceleration: glam::DVec3::ZERO };
        sim.begin_path(id, member.linear, gravity, spin)?;
        sim.put_reaction(id, Reaction::none(sim.scene.now));
    }
    dismiss(sim, &left.members, EventKind::Quit);
    for listed in &left.list.pairs {
        add_resting_contact(sim, listed, left.list.force(listed));
    }
    for &id in &left.members {
        sim.scene.set_due(id, sim.scene.now);
    }
    Ok(())
}

/// Splits an island into the parts that are not near each other.
pub(super) fn split(sim: &mut Simulation, island: &mut SteppedIsland) {
    let roots = island.roots();
    if roots.iter().all(|&root| root == 0) {
        return;
    }
    for other in each_once(roots.iter().copied().filter(|&root| root != 0)) {
        let places: Vec<usize> = (0..roots.len()).filter(|&place| roots[place] == other).collect();
        let apart = island.part(&places);
        let members = apart.members.clone();
        let number = sim.time_stepping.add(apart);
        for id in members {
            sim.scene.stepped_in[id.index()] = number;
            sim.settle_now(id);
        }
    }
    let places: Vec<usize> = (0..roots.len()).filter(|&place| roots[place] == 0).collect();
    *island = island.part(&places);
}

impl Scene {
    /// Whether members without company may leave now, and whether the island may be split. This is so once in the time
    /// of a fall through some half extents of the smallest member.
    pub(super) fn may_part(&self, island: &SteppedIsland) -> bool {
        self.now.since(island.parted) >= self.fall_time(PART_FALL * self.smallest_half(island))
    }
}

impl SteppedIsland {
    /// The island of some members alone, with their pairs, between two steps.
    pub(super) fn part(&self, places: &[usize]) -> Self {
        let mut is_part = vec![false; self.members.len()];
        places.iter().for_each(|&place| is_part[place] = true);
        let is_theirs =
            |listed: &&ListedPair| listed.ends.iter().any(|&end| is_part.get(end as usize).copied().unwrap_or(false));
        let mut pairs: Vec<ListedPair> = self.list.pairs.iter().filter(is_theirs).copied().collect();
        let mut forces = Vec::new();
        for listed in pairs.iter_mut().filter(|listed| listed.force != NO_CONTACT) {
            forces.push(self.list.force(listed));
            listed.force = forces.len() as u32 - 1;
        }
        let members: Vec<BodyId> = places.iter().map(|&place| self.members[place]).collect();
        let list = PairList {
            outside: Vec::new(),
            reaches: places.iter().map(|&place| self.list.reaches[place]).collect(),
            moved: places.iter().map(|&place| self.list.moved[place]).collect(),
            pairs,
            forces,
        };
        let mut part = Self { members, list, step: None, ..*self };
        part.number_ends();
        part
    }

    /// For each member, the smallest place of all members that are connected with it by pairs, directly or through
    /// others.
    fn roots(&self) -> Vec<usize> {
        let free = self.members.len();
        let mut roots: Vec<usize> = (0..free).collect();
        for [one, other] in self.list.pairs.iter().map(|listed| listed.ends.map(|end| end as usize)) {
            if one.max(other) < free {
                connect(&mut roots, one, other);
            }
        }
        (0..free).map(|place| root(&mut roots, place)).collect()
    }
}

/// Ends the present step of an island, so that a new one begins at this instant, after a change from outside.
fn interrupt(sim: &mut Simulation, number: u32) -> Result<(), RunError> {
    let mut island = sim.time_stepping.take(number);
    end_step(sim, &mut island)?;
    island.discard_list();
    island.slow_since = None;
    for &id in &island.members {
        sim.scene.set_due(id, sim.scene.now);
        sim.to_predict.body(id);
    }
    sim.time_stepping.put(number, island);
    Ok(())
}

/// Returns all members to events, between two steps. Those that are pressed against walls have lasting contacts.
pub(super) fn dissolve(sim: &mut Simulation, island: &mut SteppedIsland) -> Result<(), RunError> {
    set_free(sim, island)?;
    *island = SteppedIsland::default();
    Ok(())
}

/// Ends the present steps of all islands.
pub(in crate::dynamics) fn interrupt_all(sim: &mut Simulation) -> Result<(), RunError> {
    sim.time_stepping.numbers().into_iter().try_for_each(|number| interrupt(sim, number))
}

/// Ends the present step of each island that has a body as a member or in a pair. If the body is not free, also of each
/// island that it may touch before the end of the step.
pub(in crate::dynamics) fn interrupt_near(sim: &mut Simulation, id: BodyId) -> Result<(), RunError> {
    for number in sim.time_stepping.numbers() {
        let island = sim.time_stepping.get(number);
        let left = island.step.as_ref().map_or(0.0, |step| step.end.since(sim.scene.now).max(0.0));
        if island.names(id) || (!sim.scene.rows.is_free(id) && sim.scene.is_near(island, id, left)) {
            interrupt(sim, number)?;
        }
    }
    Ok(())
}

/// Removes a body that is despawned from all islands, with its contacts. It sleeps no longer.
pub(in crate::dynamics) fn leave_time_stepping(sim: &mut Simulation, id: BodyId) {
    wake_sleepers(sim, &[id]);
    for number in sim.time_stepping.numbers() {
        if !sim.time_stepping.get(number).names(id) {
            continue;
        }
        let mut island = sim.time_stepping.take(number);
        let is_theirs = |listed: &mut ListedPair| listed.pair.a == id || listed.pair.b == id;
        let ended: Vec<ListedPair> = island.list.pairs.extract_if(.., is_theirs).collect();
        ended.iter().filter(|listed| listed.is_logged).for_each(|listed| log_release(sim, listed));
        if let Some(place) = island.place(id) {
            dismiss(sim, &[id], EventKind::Quit);
            island.members.remove(place);
            island.list.reaches.remove(place);
            island.list.moved.remove(place);
        }
        island.list.outside.retain(|&other| other != id);
        island.discard_list();
        sim.time_stepping.put(number, island);
    }
}

/// Ends the contacts of members with faces of a grid that are gone, and the present steps of their islands; also of
/// those that may touch a box that has become solid, m, before the end of the step.
pub(in crate::dynamics) fn leave_parts(
    sim: &mut Simulation,
    grid: BodyId,
    solid: Option<&Aabb>,
) -> Result<(), RunError> {
    for number in sim.time_stepping.numbers() {
        let island = sim.time_stepping.get(number);
        let left = island.step.as_ref().map_or(0.0, |step| step.end.since(sim.scene.now).max(0.0));
        let stands = island.list.pairs.iter().any(|listed| sim.scene.is_on_gone_part(grid, listed));
        if !stands && solid.is_none_or(|solid| !sim.scene.may_touch(island, solid, left)) {
            continue;
        }
        interrupt(sim, number)?;
        let mut island = sim.time_stepping.take(number);
        let is_gone = |listed: &mut ListedPair| sim.scene.is_on_gone_part(grid, listed);
        let gone: Vec<ListedPair> = island.list.pairs.extract_if(.., is_gone).collect();
        gone.iter().filter(|listed| listed.is_logged).for_each(|listed| log_release(sim, listed));
        sim.time_stepping.put(number, island);
    }
    Ok(())
}

impl Scene {
    /// Whether a pair is of a body and a face of a grid that is not there any more.
    fn is_on_gone_part(&self, grid: BodyId, listed: &ListedPair) -> bool {
        let is_on = listed.pair.a == grid || listed.pair.b == grid;
        is_on && !self.rows.has_part([listed.pair.a, listed.pair.b], listed.part)
    }
}

#[cfg(test)]
mod tests;
