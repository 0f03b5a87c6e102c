//! Time stepping: dense groups of bodies are advanced by common time steps instead of events.
//!
//! In a heap that settles, thousands of impacts of µm/s follow each other within a millisecond, and each of them
//! concerns all bodies. So bodies with too many contact updates, and islands of too many contacts, become members of
//! the time stepping. Members get new velocities together at the beginning of each step and move in straight lines
//! until its end (the scheme of Moreau, *Numerical aspects of the sweeping process*, Comput. Methods Appl. Mech. Eng.
//! 177, 1999; Acary & Brogliato 2008, ch. 10). The constraints of a step are gaps at its end. The distance of two
//! convex bodies in straight motion is a convex function of time, so a gap that is kept to first order is kept all the
//! time. Impacts with other bodies are events as before. A member without neighbours leaves, and members at rest fall
//! asleep.

mod accounts;
mod candidates;
mod constraints;
mod freeze;
pub(super) mod members;
mod neighbours;
pub(super) mod problem;
mod relaxation;
pub(super) mod sleep;
pub(super) mod state;
pub(super) mod step;

use super::BodyId;
use super::body::pair::Pair;
use super::contact::Surface;
use super::contact::island::Island;
use super::error::RunError;
use super::parts::Parts;
use super::scene::Scene;
use super::solver::CONSTRAINTS_MAX;
use state::{LOOKS_MAX, LOOKS_MAX_ALONE, LOOKS_MAX_HARD, LOOKS_MAX_NOW, Looks, PATIENCE};
use step::time_step;

pub(super) use state::TimeSteppingState;

/// Counts a contact update of some free bodies together, or of a single body that may be wedged. Returns the largest
/// count of one of them within the time of a shortest step.
pub(super) fn note_looks(parts: &mut Parts, bodies: &[BodyId], wedged: bool) -> u32 {
    let Some([tick, _]) = parts.scene.settings.ticks() else { return 0 };
    let mut most = 0;
    for id in bodies {
        let looks = parts.time_stepping.looks.get_mut(*id);
        if parts.scene.now.since(looks.since) > tick {
            *looks = Looks { count: 0, since: parts.scene.now, last: None };
        }
        let together = bodies.len() > 1 && looks.last.replace(parts.scene.now) != Some(parts.scene.now);
        looks.count += u32::from(together || wedged);
        most = most.max(looks.count);
    }
    most
}

/// The island of a body that is to settle by events; `None` if its bodies are members, now or from now on.
pub(super) fn island_to_settle(parts: &mut Parts, body: BodyId) -> Option<Island> {
    if parts.scene.in_crowd(body) {
        return None;
    }
    let island = parts.scene.island(body);
    (!joins_crowd(parts, &island)).then_some(island)
}

/// Makes the bodies of an island members if it needs too many contact updates. Returns whether they are members from
/// now on, and not only from the next step on.
pub(super) fn joins_crowd(parts: &mut Parts, island: &Island) -> bool {
    let free = &island.bodies[..island.free];
    let ticks = parts.scene.settings.ticks().is_some();
    // So many contacts are no longer solved to rounding.
    let many = island.contacts.len() > CONSTRAINTS_MAX && ticks;
    let touches = free.iter().any(|&id| parts.scene.in_crowd(id));
    let rubs = |row: u32| parts.scene.friction(parts.scene.contacts.get(row).pair) > 0.0;
    let is_hard = |&row: &u32| parts.scene.contacts.get(row).surface == Surface::Curved || rubs(row);
    let hard = island.contacts.iter().any(is_hard);
    let wedged = free.len() == 1 && island.contacts.iter().filter(|&&row| rubs(row)).count() > 1;
    let allowed = match (hard, free.len()) {
        (true, 1) => LOOKS_MAX_ALONE,
        (true, _) => LOOKS_MAX_HARD,
        (false, _) => LOOKS_MAX,
    };
    let looks = note_looks(parts, free, wedged);
    let stands_still =
        ticks && free.first().is_some_and(|&id| parts.counters.looks.count(id, parts.scene.now) > LOOKS_MAX_NOW);
    if !(looks > allowed || many || touches || stands_still) {
        return false;
    }
    parts.time_stepping.joining.extend(free);
    touches || wedged || stands_still || parts.time_stepping.members.is_empty() || looks > PATIENCE * allowed
}

/// Bodies that have an impact with members become members, and the present step ends here. The members' increments for
/// the rest of the step are taken back first, since no impact may use those velocities.
pub(super) fn interrupt_step(parts: &mut Parts, bodies: Vec<BodyId>) -> Result<(), RunError> {
    parts.time_stepping.joining.extend(bodies);
    time_step(parts)
}

impl Scene {
    pub(super) fn in_crowd(&self, id: BodyId) -> bool {
        self.crowded[id.index()]
    }

    pub(super) fn is_with_crowd(&self, pair: Pair) -> bool {
        self.in_crowd(pair.a) || self.in_crowd(pair.b)
    }
}
