//! The front: one way through the whole run, with what is to be compared, and snapshots to go back to.

use std::collections::BTreeSet;

use carom::dynamics::{Event, EventKind, Motion};
use carom::glam::DVec3;
use carom::record::recording::Hash;
use carom::record::state_hash;
use carom::scenario::Scenario;
use carom::world::{RunError, SetupError, Snapshot};

use crate::answer::Report;
use crate::clock::Clock;
use crate::walker::Walker;

/// Parts of the run in which impacts are counted.
const PARTS: usize = 4096;

/// Bytes that all snapshots may take, what a body takes in one of them (estimated), and how many there may be.
const BYTES_MAX: usize = 96 << 20;
const BYTES_PER_BODY: usize = 400;
const SNAPSHOTS: [usize; 2] = [8, 256];

/// A state to go back to.
pub(crate) struct Kept {
    /// How many steps had ended.
    pub(crate) step: u64,
    pub(crate) snapshot: Snapshot,
}

/// The way through the run.
pub(crate) struct Front {
    walker: Walker,
    clock: Clock,
    /// Steps of which the hash is asked for, and those found since the last report.
    watched: BTreeSet<u64>,
    found: Vec<(u64, String)>,
    impacts: Vec<u32>,
    counts: [u64; EventKind::ALL.len()],
    /// In the order of their instants; never empty.
    kept: Vec<Kept>,
    kept_max: usize,
    /// Steps and events since the last snapshot, and after how many there is one.
    work: u64,
    every: u64,
    reach: [DVec3; 2],
    state: State,
}

enum State {
    Running,
    Over { hash: String, error: Option<RunError> },
}

/// Whether bodies met: with a rebound, or without one, as with a restitution of 0.
pub(crate) fn is_meeting(event: &Event) -> bool {
    event.kind == EventKind::Impact || (event.kind == EventKind::Rest && event.approach_speed > 0.0)
}

impl Front {
    pub(crate) fn new(scenario: &Scenario, clock: Clock, watched: BTreeSet<u64>) -> Result<Self, SetupError> {
        let world = scenario.world()?;
        let bytes = BYTES_PER_BODY * world.count().max(1);
        let kept_max = (BYTES_MAX / bytes).clamp(SNAPSHOTS[0], SNAPSHOTS[1]);
        let kept = vec![Kept { step: 0, snapshot: world.snapshot() }];
        let mut front = Self {
            walker: Walker { world, step: 0 },
            clock,
            watched,
            found: Vec::new(),
            impacts: vec![0; PARTS],
            counts: [0; EventKind::ALL.len()],
            kept,
            kept_max,
            work: 0,
            every: 1,
            reach: [DVec3::INFINITY, DVec3::NEG_INFINITY],
            state: State::Running,
        };
        front.note_reach();
        front.note_hash();
        Ok(front)
    }

    /// The last snapshot that `fits`, and its place.
    pub(crate) fn last_kept(&self, fits: impl Fn(&Snapshot) -> bool) -> (usize, &Kept) {
        let place = self.kept.partition_point(|kept| fits(&kept.snapshot)).saturating_sub(1);
        (place, &self.kept[place])
    }

    /// The snapshot in a place.
    pub(crate) fn kept(&self, place: usize) -> &Kept {
        &self.kept[place]
    }

    /// Goes on for one slice. Returns whether there is more to do.
    pub(crate) fn slice(&mut self, events_max: usize) -> bool {
        if let State::Over { .. } = self.state {
            return false;
        }
        let step = self.walker.step;
        let (events, error) = match self.walker.go(self.clock, self.clock.last(), events_max) {
            Ok((events, _)) => (events, None),
            Err((events, error)) => (events, Some(error)),
        };
        events.iter().for_each(|event| self.count(event));
        self.work += events.len() as u64;
        if self.walker.step > step {
            self.work += 1;
            self.note_hash();
        }
        if error.is_some() || self.walker.step == self.clock.steps() {
            self.note_reach();
            self.state = State::Over { hash: state_hash(&self.walker.world), error };
            return false;
        }
        self.keep();
        true
    }

    fn count(&mut self, event: &Event) {
        self.counts[event.kind as usize] += 1;
        if is_meeting(event) {
            let part = (event.time.seconds() / self.clock.duration() * PARTS as f64) as usize;
            self.impacts[part.min(PARTS - 1)] += 1;
        }
    }

    fn note_hash(&mut self) {
        let step = self.walker.step;
        if self.watched.remove(&step) {
            let hash = Hash::of(&self.walker.world.snapshot(), &mut Vec::new());
            self.found.push((step, hash.to_string()));
        }
    }

    fn note_reach(&mut self) {
        let world = &self.walker.world;
        for id in world.ids().filter(|&id| world.body(id).motion != Motion::Fixed) {
            let place = world.state(id).position;
            self.reach = [self.reach[0].min(place), self.reach[1].max(place)];
        }
    }

    /// Keeps a snapshot when it is time for one; of too many every second one goes.
    fn keep(&mut self) {
        if self.work < self.every {
            return;
        }
        self.work = 0;
        self.note_reach();
        self.kept.push(Kept { step: self.walker.step, snapshot: self.walker.world.snapshot() });
        if self.kept.len() > self.kept_max {
            let mut stays = false;
            self.kept.retain(|_| {
                stays = !stays;
                stays
            });
            self.every *= 2;
        }
    }

    /// How far it is.
    pub(crate) fn report(&mut self) -> Report {
        let Walker { world, step } = &self.walker;
        let (hash, error) = match &self.state {
            State::Running => (None, None),
            State::Over { hash, error } => (Some(hash.clone()), error.as_ref().map(RunError::to_string)),
        };
        Report {
            time: world.now().seconds(),
            step: *step,
            events: EventKind::ALL.iter().map(|&kind| (kind.name(), self.counts[kind as usize])).collect(),
            hashes: std::mem::take(&mut self.found),
            reach: self.reach.map(|corner| corner.to_array()),
            state_hash: hash,
            error,
        }
    }

    /// The impacts so far in each of `count` parts of the run.
    pub(crate) fn impacts(&self, count: usize) -> Vec<f64> {
        let count = count.clamp(1, PARTS);
        let mut sums = vec![0.0; count];
        for (part, &impacts) in self.impacts.iter().enumerate() {
            sums[part * count / PARTS] += f64::from(impacts);
        }
        sums
    }
}
