//! Crowds: bodies that jostle so much that they advance in common ticks.
//!
//! In a heap that settles, thousands of impacts of micrometres a second follow on one another in a millisecond, and each
//! of them concerns everybody. Bodies that are looked at too often, and islands of too many contacts, therefore join
//! the crowd: its bodies get new velocities together, once a tick, and go straight in between (the time-stepping scheme
//! of Moreau, *Numerical aspects of the sweeping process*, Comput. Methods Appl. Mech. Eng. 177, 1999; Acary &
//! Brogliato 2008, ch. 10). What they must not run into is asked for as gaps at the end of the tick. The distance of
//! two convex bodies that go straight is a convex function of time, so gaps that are kept to first order are kept all
//! the way. With everybody else they meet exactly as before. Who has no company leaves, and who lies still rests.

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

/// Notes that some free bodies are looked at together, or one that may be wedged; returns how often one of them was in the
/// time of a tick.
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

/// The island of a body that is to settle by itself; none if time steps advance it, from now on or already.
pub(super) fn island_to_settle(parts: &mut Parts, body: BodyId) -> Option<Island> {
    if parts.scene.in_crowd(body) {
        return None;
    }
    let island = parts.scene.island(body);
    (!joins_crowd(parts, &island)).then_some(island)
}

/// An island that is too much to be looked at by itself joins the crowd; whether it does so now, and not with the next
/// tick.
pub(super) fn joins_crowd(parts: &mut Parts, island: &Island) -> bool {
    let free = &island.bodies[..island.free];
    let ticks = parts.scene.settings.ticks().is_some();
    // The problem of so many is no longer solved to rounding.
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

/// Bodies run into the crowd: they join it, and the tick ends here. What its bodies have been given for the rest of the
/// tick is not theirs yet, so that nothing can bounce off their velocities as they are.
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
