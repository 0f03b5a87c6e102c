//! Two recordings side by side: the first step that differs, and the first event.
//!
//! The steps are compared by their hashes, without running anything. To find the event, both scenarios are run again
//! from the last snapshots before that step, which the hashes show to be equal.

use std::path::Path;

use super::happenings::{first_other, happenings};
use super::names::{Names, presence};
use crate::motion::SimTime;
use crate::record::recording::{Divergence, Hash, Noted, Reader, changed, difference};
use crate::record::replay::{ReplayError, Rerun, recorded_scenario};
use crate::scenario::Change;

/// How two recordings compare.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// What is different between their scenarios.
    pub changes: Vec<Change>,
    /// How many steps both have.
    pub steps: u64,
    /// The first of these whose states differ.
    pub divergence: Option<Divergence>,
    /// The first step from there on at which both have a snapshot, if it is a later step.
    pub detail: Option<Divergence>,
    /// The number of the last step of each.
    pub last: [u64; 2],
    /// The errors with which the runs ended.
    pub errors: [Option<String>; 2],
}

impl Comparison {
    /// Whether all common steps are equal, and both runs end alike.
    pub fn is_same(&self) -> bool {
        self.divergence.is_none() && self.last[0] == self.last[1] && self.errors[0] == self.errors[1]
    }
}

/// The result of running both scenarios again to find a difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Bisection {
    /// How the recordings compare.
    pub comparison: Comparison,
    /// The instant from which both were run, if they differ.
    pub from: Option<SimTime>,
    /// The first events that differ, in words: of the first recording and of the second. `None` if all are the same.
    pub events: Option<[String; 2]>,
    /// The step in which they are; it may be later than the first that differs.
    pub step: Option<u64>,
    /// Whether each run comes here to the state in its recording.
    pub reproduced: [bool; 2],
}

impl Bisection {
    /// A comparison of recordings that were not run again.
    pub(super) fn without_runs(comparison: Comparison) -> Self {
        Self { comparison, from: None, events: None, step: None, reproduced: [false; 2] }
    }
}

/// Compares two recordings without running them.
///
/// # Errors
/// [`ReplayError`] when one of them is damaged, or their steps have different lengths.
pub fn compare(a: &Path, b: &Path) -> Result<Comparison, ReplayError> {
    Ok(Walk::over([a, b])?.comparison)
}

/// Compares two recordings, and runs both from their last snapshots before the first step that differs, up to the first
/// event that differs.
///
/// # Errors
/// [`ReplayError`] when one of them is damaged or cannot be run, or their steps have different lengths.
pub fn bisect(a: &Path, b: &Path) -> Result<Bisection, ReplayError> {
    let Walk { comparison, before, at, .. } = Walk::over([a, b])?;
    let mut bisection = Bisection::without_runs(comparison);
    let Some(at) = at else { return Ok(bisection) };
    let run = |file: &Path, noted: Option<&Noted>| -> Result<Rerun, ReplayError> {
        let scenario = recorded_scenario(Reader::open(file)?.header(), file)?.1;
        match noted {
            Some(noted) => Rerun::new(scenario, noted),
            None => Ok(Rerun::new_at_start(scenario)?),
        }
    };
    let (mut x, mut y) = (run(a, before[0].as_ref())?, run(b, before[1].as_ref())?);
    let common = x.step().max(y.step());
    // Up to there both runs are as they were recorded, and equal.
    let _ = (x.go_to(common, |_, _| ()), y.go_to(common, |_, _| ()));
    bisection.from = Some(x.world.now());
    let (part, last) = (at[0].step, bisection.comparison.last);
    for step in common..=last[0].min(last[1]).max(part) {
        let happened = [happenings(&mut x, step), happenings(&mut y, step)];
        if bisection.events.is_none() {
            bisection.events = first_other(happened, x.step_end());
            bisection.step = bisection.events.as_ref().map(|_| step);
        }
        if step == part {
            let hash = |run: &Rerun| Hash::of(&run.world.snapshot(), &mut Vec::new());
            bisection.reproduced = [hash(&x) == at[0].hash, hash(&y) == at[1].hash];
        }
        if step >= part && bisection.events.is_some() {
            break;
        }
    }
    Ok(bisection)
}

/// A walk over two recordings.
struct Walk {
    comparison: Comparison,
    /// The last step with a snapshot of each recording.
    recent: [Option<Noted>; 2],
    /// The same up to the last step that both have and that is equal. A snapshot that only one of them has after that
    /// step may be of a state that differs already.
    before: [Option<Noted>; 2],
    /// The first step that differs, in both recordings.
    at: Option<[Noted; 2]>,
}

impl Walk {
    fn over(files: [&Path; 2]) -> Result<Self, ReplayError> {
        let [mut x, mut y] = [Reader::open(files[0])?, Reader::open(files[1])?];
        let names = [Names::of(&x, files[0])?, Names::of(&y, files[1])?];
        check_steps(&x, &y)?;
        let changes = changed(x.header(), y.header());
        let comparison =
            Comparison { changes, steps: 0, divergence: None, detail: None, last: [0; 2], errors: [None, None] };
        let mut walk = Self { comparison, recent: [None, None], before: [None, None], at: None };
        let (mut a, mut b) = (x.next_step()?, y.next_step()?);
        loop {
            match (a.take(), b.take()) {
                (Some(p), Some(q)) if p.step == q.step => {
                    walk.meet(&p, &q, &names);
                    (a, b) = (walk.pass(0, p, &mut x)?, walk.pass(1, q, &mut y)?);
                    walk.keep();
                }
                (Some(p), q) if q.as_ref().is_none_or(|q| p.step < q.step) => {
                    (a, b) = (walk.pass(0, p, &mut x)?, q);
                }
                (p, Some(q)) => (a, b) = (p, walk.pass(1, q, &mut y)?),
                (_, None) => return Ok(walk),
            }
        }
    }

    /// Notes a step of one recording, and reads the next.
    fn pass(&mut self, side: usize, noted: Noted, reader: &mut Reader) -> Result<Option<Noted>, ReplayError> {
        self.comparison.last[side] = noted.step;
        self.comparison.errors[side].clone_from(&noted.error);
        if self.at.is_none() && noted.mark.is_some() {
            self.recent[side] = Some(noted);
        }
        Ok(reader.next_step()?)
    }

    /// After a step that both have: keeps the snapshots up to there, if all is equal.
    fn keep(&mut self) {
        for (before, recent) in self.before.iter_mut().zip(&mut self.recent) {
            *before = recent.take().filter(|_| self.at.is_none()).or(before.take());
        }
    }

    /// Compares a step that both recordings have.
    fn meet(&mut self, p: &Noted, q: &Noted, names: &[Names; 2]) {
        self.comparison.steps += 1;
        let is_told = self.comparison.divergence.as_ref().is_some_and(|found| found.difference.is_some());
        if p.hash == q.hash || is_told || self.comparison.detail.is_some() {
            return;
        }
        let marks = p.mark.as_ref().zip(q.mark.as_ref());
        let difference = marks.and_then(|(p, q)| {
            let (p, q) = (&p.snapshot, &q.snapshot);
            presence([p, q], names).or_else(|| difference(p, q, |id| names[0].name(id)))
        });
        let (step, time, recorded, found) = (p.step, p.time, p.hash, q.hash);
        let divergence = Divergence { step, time, recorded, found, difference };
        if self.at.is_none() {
            self.at = Some([p.clone(), q.clone()]);
            self.comparison.divergence = Some(divergence);
        } else if divergence.difference.is_some() {
            self.comparison.detail = Some(divergence);
        }
    }
}

/// Refuses recordings with steps of different lengths: steps are matched by their numbers.
fn check_steps(x: &Reader, y: &Reader) -> Result<(), ReplayError> {
    match (&x.header().script, &y.header().script) {
        (Some(x), Some(y)) if x.timestep != y.timestep => {
            Err(ReplayError::Timesteps { first: x.timestep, second: y.timestep })
        }
        _ => Ok(()),
    }
}
