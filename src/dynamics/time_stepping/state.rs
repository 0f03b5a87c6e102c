//! The state of time stepping between two steps, as it is and as plain data.
//!
//! It is part of the physical state, so snapshots have it. The thresholds for membership, for the length of a step and
//! for the gap that is kept are here too.

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::sparse_column::Column;
use crate::dynamics::body::table::BodyTable;
use crate::dynamics::settings::Settings;
use crate::dynamics::snapshot::check::{Checked, RestoreError, has_part, is_finite};
use crate::dynamics::solver::problem::ContactImpulse;
use crate::motion::SimTime;
use crate::numeric::tolerance::TIME_MAX;
use glam::DVec3;

/// The state of a [`TimeStepping`] as plain data, with the field names of the recording format. Columns have one row per
/// body, or no rows if all are at their default.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct TimeSteppingState {
    pub(in crate::dynamics) members: Vec<BodyId>,
    joining: Vec<BodyId>,
    contacts: Vec<StepContact>,
    sleep_timers: Vec<SleepTimer>,
    updates: Vec<UpdateCount>,
    velocity_until: Vec<SimTime>,
    increments: Vec<Increment>,
}

impl TimeStepping {
    /// The instant at which a member's height is counted, since its velocity already includes gravity up to then.
    pub(in crate::dynamics) fn counted_until(&self, id: BodyId, now: SimTime) -> SimTime {
        now.max(*self.velocity_until.get(id))
    }

    pub(in crate::dynamics) fn state(&self) -> TimeSteppingState {
        TimeSteppingState {
            members: self.members.clone(),
            joining: self.joining.clone(),
            contacts: self.contacts.clone(),
            sleep_timers: self.sleep_timers.rows().to_vec(),
            updates: self.updates.rows().to_vec(),
            velocity_until: self.velocity_until.rows().to_vec(),
            increments: self.increments.rows().to_vec(),
        }
    }

    pub(in crate::dynamics) fn from_state(state: &TimeSteppingState, count: usize) -> Self {
        let new = Self::with_bodies(count);
        Self {
            members: state.members.clone(),
            joining: state.joining.clone(),
            contacts: state.contacts.clone(),
            sleep_timers: new.sleep_timers.with_rows(&state.sleep_timers),
            updates: new.updates.with_rows(&state.updates),
            velocity_until: new.velocity_until.with_rows(&state.velocity_until),
            increments: new.increments.with_rows(&state.increments),
        }
    }

    /// Adds a body that is no member.
    pub(in crate::dynamics) fn push_body(&mut self) {
        self.sleep_timers.push_row();
        self.updates.push_row();
        self.velocity_until.push_row();
        self.increments.push_row();
    }
}

impl TimeSteppingState {
    /// Refuses what no time stepping of these bodies could have written.
    pub(in crate::dynamics) fn check(&self, rows: &BodyTable) -> Result<(), RestoreError> {
        let count = rows.count();
        let named = self.members.iter().chain(&self.joining);
        let free = named.clone().all(|&id| id.index() < count && rows.is_free(id));
        let sorted = self.members.windows(2).all(|two| two[0] < two[1]);
        Checked::that(free && sorted, "members of the time stepping")?;
        let contacts = |step_contact: &StepContact| {
            has_part(step_contact.pair, step_contact.part, rows)
                && is_finite(&[step_contact.push.normal], &[step_contact.push.tangential])
        };
        let sorted = self.contacts.windows(2).all(|two| two[0].key() < two[1].key());
        Checked::that(sorted && self.contacts.iter().all(contacts), "contacts of the time stepping")?;
        for (length, what) in [
            (self.sleep_timers.len(), "sleep timers"),
            (self.updates.len(), "rows of contact updates"),
            (self.velocity_until.len(), "ends of steps"),
            (self.increments.len(), "increments of steps"),
        ] {
            Checked::column(length, count, what)?;
        }
        let sleep_timers = self.sleep_timers.iter().all(SleepTimer::is_finite);
        let increments = self
            .increments
            .iter()
            .all(|increment| is_finite(&[increment.step_length], &[increment.linear, increment.angular]));
        let updates = self.updates.iter().all(|updates| updates.count < u32::MAX / 2);
        Checked::that(sleep_timers && increments && updates, "numbers of the time stepping")
    }
}

/// A step is at least as long as a fall through so many rest lengths, and at most as long as one through so many.
pub(in crate::dynamics) const FALL_LEAST: f64 = 4.0;

pub(in crate::dynamics) const FALL_MOST: f64 = 256.0;

/// In between, the fastest member moves this fraction of the smallest half extent per step.
pub(in crate::dynamics) const STRIDE: f64 = 1.0 / 16.0;

/// The gap that is kept, in rest lengths, or as a fraction of the distance that the fastest member moves per step.
pub(in crate::dynamics) const GAP: f64 = 0.5;

pub(in crate::dynamics) const GAP_MOVING: f64 = 1.0 / 32.0;

/// A frozen body stays frozen while the net contact force on it is below this fraction of its weight. In a longest step
/// it would become as fast as in a fall through the rest length.
pub(in crate::dynamics) const FROZEN_LOAD: f64 = 1.0 / 16.0;

/// Most instants, within the time of a shortest step, with a contact update of a body together with others.
pub(in crate::dynamics) const UPDATES_MAX: u32 = 64;

/// The same on curved surfaces or with friction, where motion has no closed form.
pub(in crate::dynamics) const UPDATES_MAX_HARD: u32 = 8;

/// Factor on these numbers above which the bodies become members at once and not with the next step: alternating stick
/// and slip may need an update every few nanoseconds.
pub(in crate::dynamics) const PATIENCE: u32 = 4;

/// Most contact updates within that time of a single body with friction at walls only. Between two walls friction may
/// wedge it: slip that ends at one then begins at the other, every few picoseconds.
pub(in crate::dynamics) const UPDATES_MAX_ALONE: u32 = PATIENCE * UPDATES_MAX_HARD;

/// Most contact updates of a body at one instant. Beyond them slip ends and begins in turn, and time does not advance.
pub(in crate::dynamics) const UPDATES_MAX_NOW: u32 = 32;

/// The members of the time stepping, and their state between steps.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct TimeStepping {
    /// In the order of their ids.
    pub(in crate::dynamics) members: Vec<BodyId>,
    /// Bodies that become members at the next step.
    pub(in crate::dynamics) joining: Vec<BodyId>,
    /// The contacts of the last step, in the order of their keys.
    pub(in crate::dynamics) contacts: Vec<StepContact>,
    /// For how long each body has been slow.
    pub(in crate::dynamics) sleep_timers: Column<SleepTimer>,
    pub(in crate::dynamics) updates: Column<UpdateCount>,
    /// The end of each member's step: its velocity includes gravity and contact forces up to then.
    pub(in crate::dynamics) velocity_until: Column<SimTime>,
    /// The change of velocity of each member in the present step.
    pub(in crate::dynamics) increments: Column<Increment>,
}

/// Number of a body's contact updates together with others.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct UpdateCount {
    /// Number of instants.
    pub(in crate::dynamics) count: u32,
    pub(in crate::dynamics) since: SimTime,
    /// The last of these instants.
    pub(in crate::dynamics) last: Option<SimTime>,
}

impl UpdateCount {
    pub(in crate::dynamics) const NONE: Self = Self { count: 0, since: SimTime::ZERO, last: None };
}

/// The change of a body's velocity in a step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct Increment {
    /// m/s.
    pub(in crate::dynamics) linear: DVec3,
    /// rad/s.
    pub(in crate::dynamics) angular: DVec3,
    /// Length of the step, s.
    pub(in crate::dynamics) step_length: f64,
}

/// Two bodies in contact, at least one of which is a member.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct StepContact {
    /// The pair, with the image counted through all periods ([`Pair::absolute`]).
    pub(in crate::dynamics) pair: Pair,
    pub(in crate::dynamics) part: u32,
    /// Contact force on b in the last step, N.
    pub(in crate::dynamics) push: ContactImpulse,
    /// Whether the beginning of the contact is in the log.
    pub(in crate::dynamics) is_logged: bool,
}

impl StepContact {
    pub(in crate::dynamics) fn key(&self) -> (Pair, u32) {
        (self.pair, self.part)
    }

    /// The contact of this key. The slice is in the order of the keys.
    pub(in crate::dynamics) fn find(contacts: &[Self], key: (Pair, u32)) -> Option<&Self> {
        contacts.binary_search_by_key(&key, Self::key).ok().map(|row| &contacts[row])
    }
}

impl Settings {
    /// Shortest and longest time step, s; `None` without gravity or rest length, or beyond the range of the clock.
    pub(in crate::dynamics) fn step_lengths(&self) -> Option<[f64; 2]> {
        let fall = 2.0 * self.rest_length / self.gravity.length();
        let step_lengths = [FALL_LEAST, FALL_MOST].map(|lengths| (lengths * fall).sqrt());
        (step_lengths[0] > 0.0 && step_lengths[1] <= TIME_MAX).then_some(step_lengths)
    }

    /// The speed of a fall through the rest length, m/s: slower rebounds are not visible.
    pub(in crate::dynamics) fn slowest_visible(&self) -> f64 {
        (2.0 * self.gravity.length() * self.rest_length).sqrt()
    }
}

impl TimeStepping {
    pub(in crate::dynamics) fn with_bodies(count: usize) -> Self {
        Self {
            members: Vec::new(),
            joining: Vec::new(),
            contacts: Vec::new(),
            sleep_timers: Column::new(SleepTimer::from(SimTime::ZERO, 0.0), count),
            updates: Column::new(UpdateCount::NONE, count),
            velocity_until: Column::new(SimTime::ZERO, count),
            increments: Column::new(Increment::default(), count),
        }
    }
}

/// For how long a body has been slow.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct SleepTimer {
    /// Since when it has been slow and not accelerating.
    pub(in crate::dynamics) since: SimTime,
    /// Its speed then, m/s.
    pub(in crate::dynamics) speed: f64,
    /// When it was last stopped, or began to be slow.
    pub(in crate::dynamics) stopped: SimTime,
}

impl SleepTimer {
    /// A timer that starts at `now` with a speed of `speed`, m/s.
    pub(in crate::dynamics) fn from(now: SimTime, speed: f64) -> Self {
        Self { since: now, speed, stopped: now }
    }

    pub(in crate::dynamics) fn is_finite(&self) -> bool {
        self.speed.is_finite()
    }
}
