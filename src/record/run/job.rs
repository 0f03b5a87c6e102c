//! A job: what is to be run, where to, how far, and how it comes out.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::checkpoint::Checkpoint;
use super::stepping::Run;
use crate::motion::SimTime;
use crate::record::recording::{Header, RECORDING_FILE, Recorder};
use crate::record::summary::Summary;
use crate::record::tables::SCENARIO_FILE;
use crate::record::tables::write::{WriteError, keep, write_file};
use crate::scenario::{Scenario, Source};
use crate::world::World;

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glimpse {
    /// Simulated time, s.
    pub time: f64,
    /// Length of the run, s.
    pub duration: f64,
    /// Impacts so far.
    pub impacts: u64,
}

/// What is to be run, and where to.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// What.
    pub scenario: &'a Scenario,
    /// The text that it was read from.
    pub source: &'a Source,
    /// Where the results go.
    pub folder: &'a Path,
    /// What may halt it before its end.
    pub halt: Halt<'a>,
}

/// What halts a run before its end; nothing, unless it is said.
#[derive(Debug, Clone, Copy, Default)]
pub struct Halt<'a> {
    /// The first step at or after this instant, s.
    pub until: Option<f64>,
    /// The end of the step during which this becomes true.
    pub asked: Option<&'a AtomicBool>,
}

impl Halt<'_> {
    /// Whether a run that has come to `now` is to halt there.
    pub(crate) fn is_due(&self, now: SimTime) -> bool {
        self.until.is_some_and(|until| now.seconds() >= until)
            || self.asked.is_some_and(|asked| asked.load(Ordering::Relaxed))
    }
}

/// How a job came out.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The run is over. The summary is the caller's to [`write`](Summary::write), who may have more to say of the time.
    Finished(Box<Summary>),
    /// The run was halted, and can be gone on with: [`Unfinished`](crate::record::Unfinished).
    Halted {
        /// Simulated time, s.
        time: f64,
    },
}

/// Runs `world`, made from `scenario`, to its end, and writes tables, a recording, a copy of `text` and the mesh files that it
/// names into `folder`. The summary is the caller's to [`write`](Summary::write), who may have more to say of the time.
///
/// `watch` is told every now and then how far the run is. A run that ends with an error has its tables up to there,
/// and the error in its summary.
///
/// # Errors
/// [`WriteError`] when a file cannot be written.
pub fn run(
    scenario: &Scenario,
    text: &str,
    world: World,
    folder: &Path,
    watch: impl FnMut(Glimpse),
) -> Result<Summary, WriteError> {
    let source = Source::new(SCENARIO_FILE, text);
    let mut run = Job { scenario, source: &source, folder, halt: Halt::default() }.begin(world, watch)?;
    let stop = run.all_steps(Halt::default())?;
    run.finish(stop)
}

impl<'a> Job<'a> {
    /// Runs `world`, made from the scenario, as [`run()`] does.
    ///
    /// # Errors
    /// [`WriteError`] when a file cannot be written.
    pub fn run(&self, world: World, watch: impl FnMut(Glimpse)) -> Result<Outcome, WriteError> {
        self.begin(world, watch)?.into_outcome(self.halt)
    }

    /// Goes on with `world`, which is where `step` led to, with a recording and tables that have all up to there.
    pub(crate) fn go_on(
        &self,
        world: World,
        recorder: Recorder,
        (step, checkpoint): (u64, &Checkpoint),
        watch: impl FnMut(Glimpse),
    ) -> Result<Outcome, WriteError> {
        let mut run = Run::new(self, world, recorder, Some(&checkpoint.sheets), watch)?;
        run.take_up(step, &checkpoint.watchers);
        run.into_outcome(self.halt)
    }

    fn begin<W: FnMut(Glimpse)>(&self, world: World, watch: W) -> Result<Run<'a, W>, WriteError> {
        write_file(&self.folder.join(SCENARIO_FILE), self.source.text.as_bytes())?;
        for file in &self.scenario.files {
            keep(file, self.folder)?;
        }
        let recorder = Recorder::begin(&self.folder.join(RECORDING_FILE), &Header::of(self.scenario, self.source))?;
        Run::new(self, world, recorder, None, watch)
    }
}
