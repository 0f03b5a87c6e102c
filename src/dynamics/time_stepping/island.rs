//! The state of islands that are advanced by time steps, as plain data.
//!
//! It contains everything that a later step depends on, so snapshots store it. This includes the list of candidate
//! pairs: its order is the order in which the solver goes through the contacts.

use glam::DVec3;

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::solver::SolverBody;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::motion::SimTime;

/// Free bodies that are advanced by common time steps.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct SteppedIsland {
    /// In the order of their ids.
    pub(in crate::dynamics) members: Vec<BodyId>,
    /// The present step.
    pub(in crate::dynamics) step: Option<Step>,
    /// Length of the present or last step, s.
    pub(in crate::dynamics) length: f64,
    /// The gap that is kept between bodies, m.
    pub(in crate::dynamics) target_gap: f64,
    /// Since when all members are slow.
    pub(in crate::dynamics) slow_since: Option<SimTime>,
    /// The last time at which members without company could leave and separate parts could become islands of their own.
    pub(in crate::dynamics) parted: SimTime,
    /// Counter of steps without progress: each of them adds one, and every other step halves the counter.
    pub(in crate::dynamics) blocked: u32,
    /// The energy that the last step removed, J.
    pub(in crate::dynamics) lost: f64,
    pub(in crate::dynamics) list: PairList,
}

/// The present step of an island. The members move along straight lines with the velocities for its end. Where it is
/// interrupted, or looked at, only the part of it that is over has had an effect.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct Step {
    pub(in crate::dynamics) end: SimTime,
    /// s.
    pub(in crate::dynamics) length: f64,
    /// The change of each member's velocity.
    pub(in crate::dynamics) changes: Vec<Change>,
    /// The impulse of bodies of prescribed motion on members, N·s.
    pub(in crate::dynamics) impulse: DVec3,
    /// The work of such bodies, J.
    pub(in crate::dynamics) work: f64,
    /// The visible impacts.
    pub(in crate::dynamics) impacts: Vec<StepImpact>,
}

/// A visible impact of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct StepImpact {
    pub(in crate::dynamics) pair: Pair,
    pub(in crate::dynamics) part: u32,
    /// Unit vector from a to b.
    pub(in crate::dynamics) normal: DVec3,
    /// m/s.
    pub(in crate::dynamics) approach_speed: f64,
    /// Magnitude of the impulse in the whole step, N·s.
    pub(in crate::dynamics) impulse: f64,
    /// The part of the heat of the step that is lost here.
    pub(in crate::dynamics) share: f64,
}

/// The change of a body's velocity in a step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct Change {
    /// m/s.
    pub(in crate::dynamics) linear: DVec3,
    /// rad/s.
    pub(in crate::dynamics) angular: DVec3,
}

impl Step {
    /// The part of the step that is still to come.
    pub(super) fn left(&self, now: SimTime) -> f64 {
        (self.end.since(now) / self.length).clamp(0.0, 1.0)
    }

    /// The velocity and the spin of the member at a place if a share of its change is taken off.
    fn without(&self, place: usize, [linear, angular]: [DVec3; 2], share: f64) -> [DVec3; 2] {
        let change = &self.changes[place];
        [linear - change.linear * share, angular - change.angular * share]
    }

    /// The velocity and the spin that the member at a place has if the step ends now. Those for the end of the step are
    /// given.
    pub(in crate::dynamics) fn at_present(&self, place: usize, ahead: [DVec3; 2], now: SimTime) -> [DVec3; 2] {
        self.without(place, ahead, self.left(now))
    }

    /// The member at a place, given with its velocity for the end of the step, as it was before the step.
    pub(super) fn before(&self, place: usize, ahead: &SolverBody) -> SolverBody {
        ahead.moving(self.without(place, [ahead.linear, ahead.angular], 1.0))
    }

    /// Its kinetic energy in the balance, J.
    pub(in crate::dynamics) fn kinetic_energy(&self, place: usize, ahead: &SolverBody, now: SimTime) -> f64 {
        let left = self.left(now);
        self.before(place, ahead).energy() * left + ahead.energy() * (1.0 - left)
    }
}

/// All pairs that may touch while no member moves farther than its reach (Verlet, *Computer "experiments" on classical
/// fluids*, Phys. Rev. 159, 1967).
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct PairList {
    /// From the lowest to the highest along gravity.
    pub(in crate::dynamics) pairs: Vec<ListedPair>,
    /// The contact forces on b in the last step, of the pairs that had one, N.
    pub(in crate::dynamics) forces: Vec<ContactImpulse>,
    /// The bodies of the pairs that are not members, by id.
    pub(in crate::dynamics) outside: Vec<BodyId>,
    /// How far each member may move before its pairs are searched again, m; zero if they must be searched now.
    pub(in crate::dynamics) reaches: Vec<f64>,
    /// The displacement of each member since the last search for its pairs, m.
    pub(in crate::dynamics) moved: Vec<DVec3>,
}

/// Two bodies that may touch.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct ListedPair {
    /// The pair, with the image counted through all periods ([`Pair::absolute`]).
    pub(in crate::dynamics) pair: Pair,
    /// The part of an outline; 0 for other bodies.
    pub(in crate::dynamics) part: u32,
    /// The places of the two bodies: members come first, then the bodies outside.
    pub(in crate::dynamics) ends: [u32; 2],
    /// Its height against gravity when the pair was found, m. The solver goes through the pairs from the lowest to the
    /// highest.
    pub(in crate::dynamics) height: f64,
    /// The place of its contact force of the last step in [`PairList::forces`]; [`NO_CONTACT`] if it had none.
    pub(in crate::dynamics) force: u32,
    /// Whether the beginning of the contact is in the log.
    pub(in crate::dynamics) is_logged: bool,
}

pub(in crate::dynamics) const NO_CONTACT: u32 = u32::MAX;

impl PairList {
    /// The contact force on b of a pair in the last step, N.
    pub(in crate::dynamics) fn force(&self, listed: &ListedPair) -> ContactImpulse {
        self.forces.get(listed.force as usize).copied().unwrap_or_default()
    }

    /// Adds the pairs of another list, with their forces.
    pub(super) fn append(&mut self, other: &mut Self) {
        let before = self.forces.len() as u32;
        self.forces.append(&mut other.forces);
        for listed in other.pairs.iter_mut().filter(|listed| listed.force != NO_CONTACT) {
            listed.force += before;
        }
        self.pairs.append(&mut other.pairs);
    }
}

impl ListedPair {
    pub(in crate::dynamics) fn key(&self) -> (Pair, u32) {
        (self.pair, self.part)
    }
}

impl SteppedIsland {
    /// The place of a member.
    pub(in crate::dynamics) fn place(&self, id: BodyId) -> Option<usize> {
        self.members.binary_search(&id).ok()
    }

    /// The present step, and the place of a member.
    pub(in crate::dynamics) fn step_of(&self, id: BodyId) -> Option<(&Step, usize)> {
        self.step.as_ref().zip(self.place(id))
    }

    /// Whether a body is a member, or in a pair with one.
    pub(super) fn names(&self, id: BodyId) -> bool {
        self.place(id).is_some() || self.list.outside.binary_search(&id).is_ok()
    }

    /// The body at a place: a member or a body outside.
    pub(in crate::dynamics) fn body(&self, place: usize) -> BodyId {
        self.members.get(place).copied().unwrap_or_else(|| self.list.outside[place - self.members.len()])
    }

    /// Makes the next step search all pairs again. The forces, and which contacts are in the log, stay the same.
    pub(super) fn discard_list(&mut self) {
        self.list.reaches.fill(0.0);
    }

    /// Adds a body between two steps. Its pairs are searched before the next step.
    pub(super) fn insert(&mut self, id: BodyId) {
        let place = self.members.partition_point(|&member| member < id);
        self.members.insert(place, id);
        self.list.reaches.insert(place, 0.0);
        self.list.moved.insert(place, DVec3::ZERO);
    }
}
