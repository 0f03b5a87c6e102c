//! Impacts: the instants at which velocities jump.
//!
//! All pairs that approach at one instant and share a free body are resolved together. Pairs that approach after that
//! are predicted again for the same instant. If the rebound would be too small to be seen, there is none: a contact
//! begins, which settles at the end of the instant. The laws are in [`pair_law`] and [`simultaneous`]; [`sphere_pair`]
//! is the fast path for two balls.

pub(super) mod constraint;
pub(super) mod instant;
pub(super) mod pair_law;
mod put_off;
mod reflection;
mod room;
pub(super) mod simultaneous;
pub(super) mod sphere_pair;

use glam::DVec3;

use super::body::pair::{Meeting, Pair};
use super::contact::lifecycle::{begin_contact, log_end};
use super::contact::{Contact, Met, Reaction};
use super::error::RunError;
use super::few::{Few, each_once, insert};
use super::log::Log;
use super::log::counters::RapidImpacts;
use super::log::event::{Event, EventKind};
use super::log::groups::group_of;
use super::log::limit::count_work;
use super::queue::Queue;
use super::scene::Scene;
use super::simulation::Simulation;
use super::solver::SolverBody;
use super::time_stepping::count_updates;
use super::time_stepping::sleep::wake_sleepers;
use super::{BodyId, Impacts, Settings};
use crate::geometry::gap;
use crate::motion::{Relative, SimTime, Spin};
use crate::numeric::tolerance::{CALM_SLACK, CLOSING_SLACK, UPDATES_MAX};
use crate::sweep::rates_along;
use constraint::{ImpactConstraint, ImpactContact, ImpulseResult};
use instant::add_simultaneous;
use put_off::put_off;
use room::{join_without_room, stop_without_room};

/// Resolves the impact of `pair`, together with all others of the same instant. Returns the free bodies that have an
/// impact with bodies that are advanced by time steps: time stepping then resolves it.
pub(super) fn resolve_impact(sim: &mut Simulation, queue: &Queue, pair: Pair) -> Result<Few<BodyId>, RunError> {
    let mut impacts: Few<ImpactContact> = sim.scene.impacts(pair, sim.scene.now).collect();
    match sim.scene.settings.impacts {
        Impacts::Together => add_simultaneous(sim, queue, &mut impacts),
        Impacts::Pairwise => impacts.truncate(1),
    }
    resolve_together(sim, impacts, pair)
}

/// Resolves the impacts of one instant, found with that of `pair`.
pub(super) fn resolve_together(
    sim: &mut Simulation,
    mut impacts: Few<ImpactContact>,
    pair: Pair,
) -> Result<Few<BodyId>, RunError> {
    put_off(sim, &mut impacts);
    if impacts.is_empty() {
        debug_assert!(false, "an impact of {pair:?} that is not predicted again");
        sim.to_predict.bodies.extend(sim.scene.free_of(pair));
        return Ok(Few::new());
    }
    if impacts.iter().any(|impact| sim.scene.involves_time_stepped(impact.pair)) {
        return Ok(impacts.iter().flat_map(|impact| sim.scene.free_of(impact.pair)).collect());
    }
    count_rapid_impacts(sim, &mut impacts);
    for impact in &impacts {
        count_and_record(sim, impact)?;
    }
    for impact in &impacts {
        if !sim.scene.restitution(impact.pair).is_elastic() {
            count_contact_updates(sim, impact.pair);
        }
    }
    stop_without_room(sim, &mut impacts);
    join_without_room(sim, &mut impacts);
    let groups: Few<u64> = impacts.iter().map(|impact| group_of(sim, impact.pair)).collect();
    if impacts.iter().any(|impact| impact.rebounds) {
        bounce(sim, &impacts, &groups)?;
    } else {
        impacts.iter().zip(groups).for_each(|(impact, group)| stay(sim, impact, None, group));
    }
    Ok(Few::new())
}

/// Counts the impact for both bodies, and records their overlap.
fn count_and_record(sim: &mut Simulation, impact: &ImpactContact) -> Result<(), RunError> {
    let ImpactContact { pair, meeting, .. } = *impact;
    count_impact(sim, pair.a, pair.b)?;
    count_impact(sim, pair.b, pair.a)?;
    record_depth(sim, pair, meeting.part);
    Ok(())
}

/// Records the partner of a body's impact, and counts the impact.
#[inline]
pub(super) fn count_impact(sim: &mut Simulation, body: BodyId, partner: BodyId) -> Result<(), RunError> {
    let partners = &mut sim.counters.work[body.index()].partners;
    if partners[0] != partner {
        *partners = [partner, partners[0]];
    }
    count_work(sim, body, partner)
}

/// Counts impacts that follow each other within a rest height. Such bounces accumulate without end, for example between
/// three balls with a restitution below 7 − 4√3 (McNamara & Young, *Inelastic collapse and clumping in a
/// one-dimensional granular medium*, Phys. Fluids A 4, 1992). After `flurry_max` of them the impact has no rebound.
/// Only impacts that lose energy are counted.
///
/// The impacts of a body in one round do not follow one another. Where each impact is a round of its own, neither do
/// those with different partners at one instant.
pub(super) fn count_rapid_impacts(sim: &mut Simulation, impacts: &mut [ImpactContact]) {
    let Simulation { scene, counters, .. } = sim;
    let Settings { rest_height, flurry_max, impacts: law, .. } = scene.settings;
    let mut counted: Few<BodyId> = Few::new();
    for impact in impacts.iter_mut().filter(|impact| !scene.restitution(impact.pair).is_elastic()) {
        let ImpactContact { pair, speed, .. } = *impact;
        let mut longest = 0;
        for id in scene.free_of(pair) {
            let flurry = counters.flurries.get_mut(id);
            if insert(&mut counted, id) {
                let since = scene.now.since(flurry.struck);
                let again = || counters.work[id.index()].partners.contains(&pair.other(id));
                let follows = law == Impacts::Together || since > scene.rounding_at(pair, speed) || again();
                let count = if since * speed <= rest_height { flurry.count + u32::from(follows) } else { 0 };
                *flurry = RapidImpacts { struck: scene.now, count };
            }
            longest = flurry.count.max(longest);
        }
        if impact.rebounds && longest > flurry_max {
            (impact.rebounds, impact.collapse) = (false, true);
        }
    }
}

/// Counts the impacts of a pair that loses energy. After too many, the contacts of both bodies are updated at the end
/// of the instant.
pub(super) fn count_contact_updates(sim: &mut Simulation, pair: Pair) {
    let bodies: Few<BodyId> = sim.scene.free_of(pair).collect();
    if count_updates(sim, &bodies, false) > UPDATES_MAX {
        bodies.into_iter().for_each(|id| sim.settle_now(id));
    }
}

/// Records the overlap of an impact, m.
fn record_depth(sim: &mut Simulation, pair: Pair, part: u32) {
    let offset = pair.motion(&sim.scene.rows, &sim.scene.settings.space, sim.scene.now).position;
    let [a, b] = sim.scene.solids(pair, part);
    let depth = gap(a, b, offset).map_or(0.0, |gap| -gap.separation);
    sim.log.audit.deepest = sim.log.audit.deepest.max(depth);
}

/// Resolves all impacts together. An impact without rebound has restitution 0, and its bodies stay in contact.
fn bounce(sim: &mut Simulation, impacts: &[ImpactContact], groups: &[u64]) -> Result<(), RunError> {
    let bodies = each_once(impacts.iter().flat_map(|impact| [impact.pair.a, impact.pair.b]));
    let mut members: Few<SolverBody> = bodies.iter().map(|&id| sim.scene.member(id, sim.scene.now)).collect();
    let place = |id: BodyId| bodies.binary_search(&id).expect("every body of an impact is listed");
    let law = |impact: &ImpactContact| sim.scene.law(impact, [impact.pair.a, impact.pair.b].map(place));
    let laws: Few<ImpactConstraint> = impacts.iter().map(law).collect();
    let results = simultaneous::reflect(&mut members, &laws);
    for ((impact, result), &group) in impacts.iter().zip(&results).zip(groups) {
        book(sim, impact, result, group);
    }
    for row in impacts.iter().filter(|impact| impact.rebounds).filter_map(|impact| impact.row) {
        let contact = sim.scene.end_contact(row);
        log_end(sim, &contact);
    }
    for (&id, member) in bodies.iter().zip(&members) {
        if sim.scene.rows.is_free(id) {
            set_velocity_after_impact(sim, id, member)?;
        }
    }
    for ((impact, result), &group) in impacts.iter().zip(&results).zip(groups) {
        if !impact.rebounds {
            stay(sim, impact, Some(result), group);
        }
    }
    let free = bodies.into_iter().filter(|&id| sim.scene.rows.is_free(id));
    sim.to_predict.bodies.extend(free);
    Ok(())
}

/// The bodies of an impact without rebound stay in contact.
pub(super) fn stay(sim: &mut Simulation, impact: &ImpactContact, result: Option<&ImpulseResult>, group: u64) {
    let &ImpactContact { pair, meeting, speed: approach_speed, row, collapse, .. } = impact;
    let (impulse, loss) = result.map_or((0.0, 0.0), |result| (result.impulse, result.loss));
    let met = Met { approach_speed, impulse, loss, group, collapse, again: row.is_some() };
    begin_contact(sim, pair, meeting, row, met);
}

/// Adds the result of an impulse to the balance, and logs the impact if there is a rebound.
fn book(sim: &mut Simulation, impact: &ImpactContact, result: &ImpulseResult, group: u64) {
    if sim.scene.free_of(impact.pair).count() == 2 {
        let offset = impact.pair.motion(&sim.scene.rows, &sim.scene.settings.space, sim.scene.now).position;
        sim.log.book_between(impact, result, offset);
    } else {
        sim.log.audit.dissipated += result.loss;
        sim.log.audit.work += result.work;
        sim.log.add_outside_impulse(impact.pair, push(impact, result), &sim.scene.rows);
    }
    if impact.rebounds {
        let event = sim.scene.event(impact.pair, EventKind::Impact, &impact.meeting, impact.speed, result.impulse);
        sim.log.add(Event { loss: result.loss, group, ..event });
    }
}

/// Sets the velocity of a body after an impact. Its contacts are updated at the end of the instant.
pub(super) fn set_velocity_after_impact(sim: &mut Simulation, id: BodyId, member: &SolverBody) -> Result<(), RunError> {
    let touches = !sim.scene.contacts.of(id).is_empty();
    let path = sim.scene.rows.path(id);
    let (acceleration, turning) = if touches {
        (path.acceleration, sim.scene.rows.spins.get(id).acceleration)
    } else {
        (sim.scene.settings.gravity, DVec3::ZERO)
    };
    if touches {
        sim.scene.set_due(id, sim.scene.now);
    } else {
        wake_sleepers(sim, &[id]);
    }
    let was_ballistic = sim.scene.rows.records.is_ballistic_sphere(id);
    sim.begin_path(id, member.linear, acceleration, Spin { velocity: member.angular, acceleration: turning })?;
    if !touches && !was_ballistic {
        sim.put_reaction(id, Reaction::none(sim.scene.now));
    }
    for row in sim.scene.contacts.of(id).to_vec() {
        sim.scene.update_struck(row);
    }
    Ok(())
}

impl Scene {
    /// The approach speed of two bodies along the normal of a meeting at `time`, m/s, at least 0. Rounding may make the
    /// speed of a very slow approach zero or negative.
    fn speed_of(&self, pair: Pair, meeting: &Meeting, time: SimTime) -> f64 {
        let velocity = |id: BodyId| self.rows.path(id).velocity_at(time);
        let speed = (velocity(pair.a) - velocity(pair.b)).dot(meeting.normal);
        // Never −0: it is a divisor.
        if speed > 0.0 { speed } else { 0.0 }
    }

    /// An impact as input of the impact law. `a` and `b` are the places of its solver bodies.
    fn law(&self, impact: &ImpactContact, [a, b]: [usize; 2]) -> ImpactConstraint {
        let ImpactContact { pair, meeting: Meeting { normal, .. }, speed, rebounds, .. } = *impact;
        let restitution = if rebounds { self.restitution(pair).at(speed) } else { 0.0 };
        let (arms, frictions) = (self.arms([pair.a, pair.b], normal), self.frictions(pair));
        ImpactConstraint { a, b, normal, arms, restitution, frictions }
    }

    /// The impacts of a pair until `latest`: at an existing contact, or at a meeting.
    pub(super) fn impacts(&self, pair: Pair, latest: SimTime) -> impl Iterator<Item = ImpactContact> + use<> {
        let impact = |meeting: Meeting, row: Option<u32>| ImpactContact {
            pair,
            meeting,
            speed: self.speed_of(pair, &meeting, self.now),
            row,
            rebounds: true,
            collapse: false,
        };
        let at_contact = self.struck_contact(pair).map(|(_, row)| {
            let Contact { normal, part, .. } = *self.contacts.get(row);
            impact(Meeting { time: 0.0, normal, part }, Some(row))
        });
        let touches = self.contacts.between(pair, &self.rows).next().is_some();
        let meeting = if !touches || self.has_outline(pair) { self.meeting(pair, latest) } else { None };
        let in_time = meeting.filter(|meeting| pair.epoch(&self.rows).plus(meeting.time) <= latest);
        let at_meeting = in_time.map(|meeting| {
            let met = impact(meeting, None);
            let rebounds = self.rebounds(pair, self.inward(pair, &meeting), met.speed);
            ImpactContact { rebounds: rebounds && !self.is_calm(pair, met.speed), ..met }
        });
        at_contact.into_iter().chain(at_meeting)
    }

    /// Whether an approach at `speed`, m/s, is within the rounding of the velocities, so that a rebound would change
    /// nothing but go on without end at this instant.
    fn is_calm(&self, pair: Pair, speed: f64) -> bool {
        speed
            <= if self.touches_any(pair) { self.rounding_of_speed(pair) } else { CLOSING_SLACK * self.speeds_now(pair) }
    }

    /// The rounding of the approach speed of two bodies with velocities that contacts have settled, m/s. A body that is
    /// nearly at rest has the rounding of the bodies that it touches.
    fn rounding_of_speed(&self, pair: Pair) -> f64 {
        let rows = self.free_of(pair).flat_map(|id| self.contacts.of(id));
        let touched = rows.map(|&row| self.speeds_now(self.contacts.get(row).pair)).fold(0.0, f64::max);
        CALM_SLACK * self.speeds_now(pair).max(touched)
    }

    /// The sum of the two bodies' present speeds, m/s: the scale of the rounding of their velocities.
    fn speeds_now(&self, pair: Pair) -> f64 {
        let speed = |id: BodyId| self.rows.path(id).velocity_at(self.now).abs().max_element();
        speed(pair.a) + speed(pair.b)
    }

    /// The relative acceleration that presses two bodies together, m/s²: the present one, or the one without the forces
    /// of other contacts, which the impact may end. A ball that comes onto a face within rounding of its edge is on the
    /// face, not at the edge.
    pub(super) fn inward(&self, pair: Pair, meeting: &Meeting) -> f64 {
        let motion = pair.motion(&self.rows, &self.settings.space, self.now);
        let [a, b] = self.solids(pair, meeting.part);
        let rounding = 4.0 * self.gap_rounding(pair, motion.position);
        let ahead = motion.velocity * (rounding / motion.velocity.abs().max_element().max(f64::MIN_POSITIVE));
        let here = Relative { position: motion.position + ahead, ..motion };
        let inward = |motion: &Relative| -rates_along(a, b, motion, meeting.normal).acceleration;
        if !self.touches_any(pair) {
            return inward(&here);
        }
        let fall = |id: BodyId| if self.rows.is_free(id) { self.settings.gravity } else { DVec3::ZERO };
        let falling = Relative { acceleration: fall(pair.b) - fall(pair.a), ..here };
        inward(&here).max(inward(&falling))
    }

    /// The free bodies of a pair.
    pub(super) fn free_of(&self, pair: Pair) -> impl Iterator<Item = BodyId> + Clone + use<> {
        [pair.a, pair.b].map(|id| self.rows.is_free(id).then_some(id)).into_iter().flatten()
    }

    /// Updates whether the bodies of a contact now approach so fast that they bounce.
    pub(super) fn update_struck(&mut self, row: u32) {
        let contact = *self.contacts.get(row);
        let [a, b] = [contact.pair.a, contact.pair.b].map(|id| self.rows.path(id).velocity_at(self.now));
        let speed = (a - b).dot(contact.normal);
        let bounces = speed > self.rounding_of_speed(contact.pair)
            && self.rebounds(contact.pair, self.pressing(contact.pair, contact.force.normal), speed);
        let contact = self.contacts.get_mut(row);
        contact.struck = bounces.then_some(self.now);
        // Their slip has changed, so it also ends at another instant.
        contact.slips.iter_mut().for_each(|slip| slip.ends = None);
    }
}

impl Log {
    /// Adds the result of an impulse between two free bodies to the balance. `offset` is the vector from the first to
    /// the second, m.
    #[inline]
    pub(super) fn book_between(&mut self, impact: &ImpactContact, result: &ImpulseResult, offset: DVec3) {
        self.audit.dissipated += result.loss;
        self.audit.work += result.work;
        self.audit.virial += offset * push(impact, result);
    }
}

/// The impulse of the first body on the second, N·s.
fn push(impact: &ImpactContact, result: &ImpulseResult) -> DVec3 {
    impact.meeting.normal * result.normal_impulse + result.tangential
}
