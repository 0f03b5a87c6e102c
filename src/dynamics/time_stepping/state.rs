//! What a crowd is between two ticks, to be kept and taken up again.

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

/// A [`TimeStepping`] as plain data. Columns have a row for each body, or none where none has anything to say.
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
    /// The instant to which the height of one of its bodies belongs if its velocity is that of `now`.
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

    /// One more body, which is not in it.
    pub(in crate::dynamics) fn push_body(&mut self) {
        self.calm.push_row();
        self.looks.push_row();
        self.paid.push_row();
        self.given.push_row();
    }
}

impl TimeSteppingState {
    /// Refuses what no crowd of these bodies could be.
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

/// A tick takes at least as long as a fall through so many rest lengths, and at most as one through so many.
pub(in crate::dynamics) const FALL_LEAST: f64 = 4.0;

pub(in crate::dynamics) const FALL_MOST: f64 = 256.0;

/// In between, the fastest body goes this part of the smallest half extent in a tick.
pub(in crate::dynamics) const STRIDE: f64 = 1.0 / 16.0;

/// The gap that bodies of a crowd keep, in rest lengths, or as a part of what the fastest of them goes in a tick.
pub(in crate::dynamics) const GAP: f64 = 0.5;

pub(in crate::dynamics) const GAP_MOVING: f64 = 1.0 / 32.0;

/// The part of its weight up to which pushes leave a body still that is held: in a longest tick they would make it as fast
/// as a fall through the rest length.
pub(in crate::dynamics) const HELD: f64 = 1.0 / 16.0;

/// At how many instants in the time of a shortest tick a body may be looked at together with others.
pub(in crate::dynamics) const LOOKS_MAX: u32 = 64;

/// The same where one of them goes round another or rubs: such ways have no closed form.
pub(in crate::dynamics) const LOOKS_MAX_HARD: u32 = 8;

/// Times these numbers at which it no longer waits for the next tick: friction that sticks and slips in turn may ask for a
/// look every few nanoseconds.
pub(in crate::dynamics) const PATIENCE: u32 = 4;

/// How often a body that rubs against nothing but walls may be looked at in that time. Between two of them friction may
/// wedge it: then slip that ends at one begins at the other, every few picoseconds.
pub(in crate::dynamics) const LOOKS_MAX_ALONE: u32 = PATIENCE * LOOKS_MAX_HARD;

/// How often a body may be looked at at one instant: then slips end and begin in turn, and time stands still.
pub(in crate::dynamics) const LOOKS_MAX_NOW: u32 = 32;

/// Who is in the crowd, and what holds between ticks.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct TimeStepping {
    /// In the order of their ids.
    pub(in crate::dynamics) members: Vec<BodyId>,
    /// Who is in it from the next tick on.
    pub(in crate::dynamics) joining: Vec<BodyId>,
    /// Who pushed whom in the last tick, in the order of the pairs.
    pub(in crate::dynamics) touches: Vec<StepContact>,
    /// For how long each body has been slow.
    pub(in crate::dynamics) calm: Column<SleepTimer>,
    pub(in crate::dynamics) looks: Column<Looks>,
    /// Up to when gravity and pushes have given each member its motion.
    pub(in crate::dynamics) paid: Column<SimTime>,
    /// What they gave it for the present tick.
    pub(in crate::dynamics) given: Column<Given>,
}

/// How often a body was looked at together with others.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct Looks {
    /// Instants.
    pub(in crate::dynamics) count: u32,
    pub(in crate::dynamics) since: SimTime,
    /// The last of them.
    pub(in crate::dynamics) last: Option<SimTime>,
}

impl Looks {
    pub(in crate::dynamics) const NONE: Self = Self { count: 0, since: SimTime::ZERO, last: None };
}

/// What a tick has added to a body's motion.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct Given {
    /// m/s.
    pub(in crate::dynamics) linear: DVec3,
    /// rad/s.
    pub(in crate::dynamics) angular: DVec3,
    /// Length of the tick, s.
    pub(in crate::dynamics) tick: f64,
}

/// Two bodies of which at least one is in the crowd, and that touch.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct StepContact {
    /// With the image counted through all periods ([`Pair::absolute`]).
    pub(in crate::dynamics) pair: Pair,
    pub(in crate::dynamics) part: u32,
    /// On b in the last tick, N.
    pub(in crate::dynamics) push: ContactImpulse,
    /// Whether the log knows that they touch.
    pub(in crate::dynamics) told: bool,
}

impl StepContact {
    pub(in crate::dynamics) fn key(&self) -> (Pair, u32) {
        (self.pair, self.part)
    }

    /// The one of this key among `touches`, which are in the order of their keys.
    pub(in crate::dynamics) fn find(touches: &[Self], key: (Pair, u32)) -> Option<&Self> {
        touches.binary_search_by_key(&key, Self::key).ok().map(|row| &touches[row])
    }
}

impl Settings {
    /// How long a tick of a crowd is at least and at most, s; none where nothing settles, or not in the time of the clock.
    pub(in crate::dynamics) fn ticks(&self) -> Option<[f64; 2]> {
        let fall = 2.0 * self.rest_length / self.gravity.length();
        let ticks = [FALL_LEAST, FALL_MOST].map(|lengths| (lengths * fall).sqrt());
        (ticks[0] > 0.0 && ticks[1] <= TIME_MAX).then_some(ticks)
    }

    /// The speed of a fall through the rest length: rebounds that are no faster are not seen, m/s.
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
    /// Since when it was slow and became no faster.
    pub(in crate::dynamics) since: SimTime,
    /// How fast it was then, m/s.
    pub(in crate::dynamics) speed: f64,
    /// When it was last stopped, or began to be slow.
    pub(in crate::dynamics) stopped: SimTime,
}

impl SleepTimer {
    /// From `now` on a body is no faster than `speed`, m/s.
    pub(in crate::dynamics) fn from(now: SimTime, speed: f64) -> Self {
        Self { since: now, speed, stopped: now }
    }

    pub(in crate::dynamics) fn is_finite(&self) -> bool {
        self.speed.is_finite()
    }
}
