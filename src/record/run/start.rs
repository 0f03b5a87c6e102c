//! How a run begins, and how it continues.

use std::path::Path;

use super::job::{Halt, Job, Outcome, RunProgress};
use super::stepping::Run;
use crate::record::files::{WriteError, keep_files, remove_abandoned, write_file};
use crate::record::recording::checkpoint::Checkpoint;
use crate::record::recording::{Header, RECORDING_FILE, Recorder};
use crate::record::summary::Summary;
use crate::record::tables::SCENARIO_FILE;
use crate::scenario::{Scenario, Source};
use crate::world::World;

/// Runs `world`, made from `scenario`, to its end, and writes tables, a recording, a copy of `text` and the mesh files
/// that it names into `folder`. The caller [writes](Summary::write) the summary, and may add to its times.
///
/// `watch` receives the progress from time to time. If a run ends with an error, its tables are complete up to there,
/// and the summary has the error.
///
/// # Errors
/// [`WriteError`] when a file cannot be written.
pub fn run(
    scenario: &Scenario,
    text: &str,
    world: World,
    folder: &Path,
    watch: impl FnMut(RunProgress),
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
    pub fn run(&self, world: World, watch: impl FnMut(RunProgress)) -> Result<Outcome, WriteError> {
        self.begin(world, watch)?.into_outcome(self.halt)
    }

    /// Continues with `world` after the given step; the recording and the tables are complete up to there.
    pub(crate) fn go_on(
        &self,
        world: World,
        recorder: Recorder,
        (step, checkpoint): (u64, &Checkpoint),
        watch: impl FnMut(RunProgress),
    ) -> Result<Outcome, WriteError> {
        let mut run = Run::new(self, world, recorder, Some(&checkpoint.sheets), watch)?;
        run.take_up(step, &checkpoint.watchers);
        run.into_outcome(self.halt)
    }

    fn begin<W: FnMut(RunProgress)>(&self, world: World, watch: W) -> Result<Run<'a, W>, WriteError> {
        remove_abandoned(self.folder);
        write_file(&self.folder.join(SCENARIO_FILE), self.source.text.as_bytes())?;
        keep_files(&self.scenario.files, self.folder)?;
        let recorder = Recorder::begin(&self.folder.join(RECORDING_FILE), &Header::of(self.scenario, self.source))?;
        Run::new(self, world, recorder, None, watch)
    }
}
