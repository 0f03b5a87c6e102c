//! The state of time stepping between two steps, as it is and as plain data.

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

/// The state of a [`TimeStepping`] as plain data. Columns have one row per body, or no rows if all are at their
/// default.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct TimeSteppingState {
    pub(in crate::dynamics) members: Vec<BodyId>,
    joining: Vec<BodyId>,
    touches: Vec<StepContact>,
    calm: Vec<SleepTimer>,
    looks: Vec<Looks>,
    paid: Vec<SimTime>,
    given: Vec<Given>,
}

impl TimeStepping {
    /// The instant at which a member's height is counted, since its velocity already includes gravity up to then.
    pub(in crate::dynamics) fn counted_until(&self, id: BodyId, now: SimTime) -> SimTime {
        now.max(*self.paid.get(id))
    }

    pub(in crate::dynamics) fn state(&self) -> TimeSteppingState {
        TimeSteppingState {
            members: self.members.clone(),
            joining: self.joining.clone(),
            touches: self.touches.clone(),
            calm: self.calm.rows().to_vec(),
            looks: self.looks.rows().to_vec(),
            paid: self.paid.rows().to_vec(),
            given: self.given.rows().to_vec(),
        }
    }

    pub(in crate::dynamics) fn from_state(state: &TimeSteppingState, count: usize) -> Self {
        let new = Self::with_bodies(count);
        Self {
            members: state.members.clone(),
            joining: state.joining.clone(),
            touches: state.touches.clone(),
            calm: new.calm.with_rows(&state.calm),
            looks: new.looks.with_rows(&state.looks),
            paid: new.paid.with_rows(&state.paid),
            given: new.given.with_rows(&state.given),
        }
    }

    /// Adds a body that is no member.
    pub(in crate::dynamics) fn push_body(&mut self) {
        self.calm.push_row();
        self.looks.push_row();
        self.paid.push_row();
        self.given.push_row();
    }
}

impl TimeSteppingState {
    /// Refuses what no time stepping of these bodies could have written.
    pub(in crate::dynamics) fn check(&self, rows: &BodyTable) -> Result<(), RestoreError> {
        let count = rows.count();
        let named = self.members.iter().chain(&self.joining);
        let free = named.clone().all(|&id| id.index() < count && rows.is_free(id));
        let sorted = self.members.windows(2).all(|two| two[0] < two[1]);
        Checked::that(free && sorted, "members of the crowd")?;
        let touches = |touch: &StepContact| {
            has_part(touch.pair, touch.part, rows) && is_finite(&[touch.push.normal], &[touch.push.tangential])
        };
        let sorted = self.touches.windows(2).all(|two| two[0].key() < two[1].key());
        Checked::that(sorted && self.touches.iter().all(touches), "touches of the crowd")?;
        for (length, what) in [
            (self.calm.len(), "rows of calm"),
            (self.looks.len(), "rows of looks"),
            (self.paid.len(), "rows of what is paid"),
            (self.given.len(), "rows of what was given"),
        ] {
            Checked::column(length, count, what)?;
        }
        let calm = self.calm.iter().all(SleepTimer::is_finite);
        let given = self.given.iter().all(|given| is_finite(&[given.tick], &[given.linear, given.angular]));
        let looks = self.looks.iter().all(|looks| looks.count < u32::MAX / 2);
        Checked::that(calm && given && looks, "numbers of the crowd")
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
pub(in crate::dynamics) const HELD: f64 = 1.0 / 16.0;

/// Most instants, within the time of a shortest step, with a contact update of a body together with others.
pub(in crate::dynamics) const LOOKS_MAX: u32 = 64;

/// The same on curved surfaces or with friction, where motion has no closed form.
pub(in crate::dynamics) const LOOKS_MAX_HARD: u32 = 8;

/// Factor on these numbers above which the bodies become members at once and not with the next step: alternating stick
/// and slip may need an update every few nanoseconds.
pub(in crate::dynamics) const PATIENCE: u32 = 4;

/// Most contact updates within that time of a single body with friction at walls only. Between two walls friction may
/// wedge it: slip that ends at one then begins at the other, every few picoseconds.
pub(in crate::dynamics) const LOOKS_MAX_ALONE: u32 = PATIENCE * LOOKS_MAX_HARD;

/// Most contact updates of a body at one instant. Beyond them slip ends and begins in turn, and time does not advance.
pub(in crate::dynamics) const LOOKS_MAX_NOW: u32 = 32;

/// The members of the time stepping, and their state between steps.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct TimeStepping {
    /// In the order of their ids.
    pub(in crate::dynamics) members: Vec<BodyId>,
    /// Bodies that become members at the next step.
    pub(in crate::dynamics) joining: Vec<BodyId>,
    /// The contacts of the last step, in the order of their keys.
    pub(in crate::dynamics) touches: Vec<StepContact>,
    /// For how long each body has been slow.
    pub(in crate::dynamics) calm: Column<SleepTimer>,
    pub(in crate::dynamics) looks: Column<Looks>,
    /// The end of each member's step: its velocity includes gravity and contact forces up to then.
    pub(in crate::dynamics) paid: Column<SimTime>,
    /// The change of velocity of each member in the present step.
    pub(in crate::dynamics) given: Column<Given>,
}

/// Number of a body's contact updates together with others.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct Looks {
    /// Number of instants.
    pub(in crate::dynamics) count: u32,
    pub(in crate::dynamics) since: SimTime,
    /// The last of these instants.
    pub(in crate::dynamics) last: Option<SimTime>,
}

impl Looks {
    pub(in crate::dynamics) const NONE: Self = Self { count: 0, since: SimTime::ZERO, last: None };
}

/// The change of a body's velocity in a step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct Given {
    /// m/s.
    pub(in crate::dynamics) linear: DVec3,
    /// rad/s.
    pub(in crate::dynamics) angular: DVec3,
    /// Length of the step, s.
    pub(in crate::dynamics) tick: f64,
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
    pub(in crate::dynamics) told: bool,
}

impl StepContact {
    pub(in crate::dynamics) fn key(&self) -> (Pair, u32) {
        (self.pair, self.part)
    }

    /// The contact of this key. The slice is in the order of the keys.
    pub(in crate::dynamics) fn find(touches: &[Self], key: (Pair, u32)) -> Option<&Self> {
        touches.binary_search_by_key(&key, Self::key).ok().map(|row| &touches[row])
    }
}

impl Settings {
    /// Shortest and longest time step, s; `None` without gravity or rest length, or beyond the range of the clock.
    pub(in crate::dynamics) fn ticks(&self) -> Option<[f64; 2]> {
        let fall = 2.0 * self.rest_length / self.gravity.length();
        let ticks = [FALL_LEAST, FALL_MOST].map(|lengths| (lengths * fall).sqrt());
        (ticks[0] > 0.0 && ticks[1] <= TIME_MAX).then_some(ticks)
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
            touches: Vec::new(),
            calm: Column::new(SleepTimer::from(SimTime::ZERO, 0.0), count),
            looks: Column::new(Looks::NONE, count),
            paid: Column::new(SimTime::ZERO, count),
            given: Column::new(Given::default(), count),
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
