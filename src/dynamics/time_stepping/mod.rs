//! Time stepping: islands of many bodies in contact are advanced by time steps instead of events.
//!
//! In a heap that settles, thousands of impacts of µm/s follow each other within a millisecond, and each of them
//! affects all bodies. So islands with too many contacts, and bodies with too many contact updates, are advanced by the
//! scheme of Moreau (*Numerical aspects of the sweeping process*, Comput. Methods Appl. Mech. Eng. 177, 1999; Acary &
//! Brogliato 2008, ch. 10): the members get new velocities together at the beginning of each step and move in straight
//! lines until its end. Each island has its own clock, step length, energy check and sleep, so events elsewhere do not
//! change a single bit of its result. Impacts with bodies that are not members are events as before; such a body then
//! joins.

mod accounts;
mod energy;
pub(super) mod island;
mod list;
pub(super) mod membership;
mod pace;
mod problem;
mod relaxation;
pub(super) mod sleep;
mod solve;
pub(super) mod state;
pub(super) mod step;

use super::BodyId;
use super::body::driven::Driven;
use super::body::pair::Pair;
use super::contact::island::Island;
use super::contact::{Contact, Surface};
use super::error::RunError;
use super::scene::{NO_ISLAND, Scene};
use super::simulation::Simulation;
use crate::motion::SimTime;
use crate::numeric::tolerance::{
    CONSTRAINTS_MAX, TIME_MAX, UPDATES_FALL, UPDATES_MAX, UPDATES_MAX_FEW, UPDATES_MAX_NOW,
};
use accounts::end_step;
use membership::{admit_into, found};
use sleep::wake_sleepers;
use state::UpdateCount;
use step::time_step;

pub(super) use state::TimeSteppingState;

/// Counts a contact update of some free bodies together, or of a single body that may be wedged. Returns the largest
/// count of one of them within the time of a fall through some rest heights.
pub(super) fn count_updates(sim: &mut Simulation, bodies: &[BodyId], wedged: bool) -> u32 {
    if !sim.scene.can_step() {
        return 0;
    }
    let span = sim.scene.fall_time(UPDATES_FALL * sim.scene.settings.rest_height);
    let mut most = 0;
    for id in bodies {
        let updates = sim.time_stepping.updates.get_mut(*id);
        if sim.scene.now.since(updates.since) > span {
            *updates = UpdateCount { count: 0, since: sim.scene.now, last: None };
        }
        let together = bodies.len() > 1 && updates.last.replace(sim.scene.now) != Some(sim.scene.now);
        updates.count += u32::from(together || wedged);
        most = most.max(updates.count);
    }
    most
}

/// Marks bodies as wedged by friction: no acceptable forces keep their contacts from closing. Their next contact update
/// makes them an island that is advanced by time steps.
pub(super) fn count_as_wedged(sim: &mut Simulation, bodies: &[BodyId]) {
    for &id in bodies {
        let since = sim.scene.now;
        let updates = sim.time_stepping.updates.get_mut(id);
        (updates.count, updates.since) = (updates.count.max(UPDATES_MAX_FEW + 1), since);
    }
}

/// The island of a body that is to settle by events; `None` if its bodies are advanced by time steps from now on.
pub(super) fn island_to_settle(sim: &mut Simulation, body: BodyId) -> Result<Option<Island>, RunError> {
    if sim.scene.is_time_stepped(body) {
        return Ok(None);
    }
    let island = sim.scene.island(body);
    if !needs_time_stepping(sim, &island) {
        wake_sleepers(sim, &island.bodies[..island.free]);
        return Ok(Some(island));
    }
    found(sim, &island.bodies[..island.free])?;
    Ok(None)
}

/// Whether an island is advanced by time steps: three bodies or more that move along curved surfaces, where motion has
/// no closed form; too many contacts to be solved to rounding; or contact updates that do not come to an end.
fn needs_time_stepping(sim: &mut Simulation, island: &Island) -> bool {
    if !sim.scene.can_step() {
        return false;
    }
    let free = &island.bodies[..island.free];
    let contacts = || island.contacts.iter().map(|&row| sim.scene.contacts.get(row));
    // Impacts are resolved by events, and the motion after them is advanced by time steps.
    let is_struck = contacts().any(|contact| contact.met.is_some());
    let turning = free.len() > 2 && !is_struck && contacts().any(|contact| sim.scene.turns(contact));
    let rough = || contacts().filter(|contact| sim.scene.frictions(contact.pair).act()).count();
    let number = island.contacts.len();
    let allowed = UPDATES_MAX.max(UPDATES_MAX_FEW / number.pow(2).max(1) as u32);
    let endless = count_updates(sim, free, free.len() == 1 && rough() > 1) > allowed;
    let stands_still = free.first().is_some_and(|&id| sim.counters.updates.count(id, sim.scene.now) > UPDATES_MAX_NOW);
    turning || number > CONSTRAINTS_MAX || endless || stands_still
}

/// Free bodies have an impact with members: they join, and the present step ends here. It ends first, since no impact
/// may use velocities for a later time.
pub(super) fn admit_and_step(sim: &mut Simulation, bodies: &[BodyId]) -> Result<(), RunError> {
    let Some(&body) = bodies.iter().find(|&&id| sim.scene.is_time_stepped(id)) else { return Ok(()) };
    let number = sim.scene.stepped_in[body.index()];
    let mut island = sim.time_stepping.take(number);
    let admitted = end_step(sim, &mut island).and_then(|()| admit_into(sim, number, &mut island, bodies));
    sim.time_stepping.put(number, island);
    admitted?;
    time_step(sim, body)
}

impl Scene {
    pub(super) fn is_time_stepped(&self, id: BodyId) -> bool {
        self.stepped_in[id.index()] != NO_ISLAND
    }

    /// Whether the normal of a contact turns visibly: its bodies move along a curved surface.
    fn turns(&self, contact: &Contact) -> bool {
        let speed = || contact.pair.motion(&self.rows, &self.settings.space, self.now).velocity.length();
        contact.surface == Surface::Curved && speed() > self.held_slip()
    }

    pub(super) fn involves_time_stepped(&self, pair: Pair) -> bool {
        self.is_time_stepped(pair.a) || self.is_time_stepped(pair.b)
    }

    /// The acceleration that presses bodies against each other, m/s²: that of gravity, or without it the largest of a
    /// course.
    pub(super) fn pull(&self) -> f64 {
        let gravity = self.settings.gravity.length();
        let most = |driven: &Driven| driven.most_acceleration(SimTime::ZERO);
        let courses = || self.rows.driven.values().map(most).fold(0.0, f64::max);
        if gravity > 0.0 { gravity } else { courses() }
    }

    /// Whether there can be time steps: they need such an acceleration and a rest height, within the range of the
    /// clock.
    pub(in crate::dynamics) fn can_step(&self) -> bool {
        let span = self.fall_time(self.settings.rest_height);
        span > 0.0 && span <= TIME_MAX
    }

    /// The time of a fall through a height (m) from rest, s.
    fn fall_time(&self, height: f64) -> f64 {
        (2.0 * height / self.pull()).sqrt()
    }
}
