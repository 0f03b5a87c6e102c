//! Runs a recorded run again for an export.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::ExportError;
use super::instants::{Part, instants};
use super::output::Output;
use super::request::{ExportFormat, ExportRequest};
use super::roster::Roster;
use super::run_paths::RunPaths;
use crate::dynamics::{EventKind, Progress};
use crate::motion::SimTime;
use crate::record::recording::{Noted, RECORDING_FILE, Reader, RecordingError, divergence};
use crate::record::replay::{ReplayError, Rerun, beginning, recorded_scenario};
use crate::record::run::job::RunProgress;
use crate::record::run::portion::{EVENTS_AT_ONCE, Go};
use crate::scenario::Scenario;
use crate::world::{RunError, World};

/// A recorded run that can be exported.
pub struct Exporter {
    file: PathBuf,
    scenario: Scenario,
    /// The last step, without its state.
    last: Noted,
}

/// What an export contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExportReport {
    /// Bodies that are written, those that come or go included.
    pub bodies: usize,
    /// The number of frames; 0 for a format without frames.
    pub frames: u64,
    /// Events that are written; 0 for a format without events.
    pub events: u64,
    /// The step of the run at which the state was compared with the recording and was the same to the bit.
    pub compared_at: Option<u64>,
}

impl Exporter {
    /// The run in `folder`.
    ///
    /// # Errors
    /// [`ExportError`] when its recording is damaged, or cannot be run.
    pub fn open(folder: &Path) -> Result<Self, ExportError> {
        let file = folder.join(RECORDING_FILE);
        let mut reader = Reader::open(&file)?;
        let header = reader.header().clone();
        let (_, scenario) = recorded_scenario(&header, &file).map_err(ReplayError::from)?;
        let mut last: Option<Noted> = None;
        while let Some(noted) = reader.next_step()? {
            last = Some(Noted { mark: None, halted: None, ..noted });
        }
        let last = last.ok_or_else(|| RecordingError::Empty { file: file.clone() })?;
        Ok(Self { file, scenario, last })
    }

    /// The scenario of the run.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Writes the export to `place`: a file, or a new folder for [`ExportFormat::Vtk`](super::ExportFormat::Vtk).
    /// `watch` receives the progress, and `halt` ends the export after the next event.
    ///
    /// # Errors
    /// [`ExportError`]; the export at `place` is then incomplete.
    pub fn export(
        &self,
        request: &ExportRequest,
        place: &Path,
        halt: Option<&AtomicBool>,
        watch: impl FnMut(RunProgress),
    ) -> Result<ExportReport, ExportError> {
        let mut part = Part::of((request.from, request.until), self.last.time)?;
        if request.format.has_one_frame() {
            part.from = part.until;
        }
        let instants = if request.format.has_one_frame() {
            vec![part.until]
        } else if request.format.has_frames() {
            instants(request, &self.scenario, part, (self.last.step, self.last.time))?
        } else {
            Vec::new()
        };
        let begin = |roster: &Roster, world: &World| Output::begin(request.format, place, roster, world, part);
        let (roster, output, report) = self.pass(request, (part, instants), begin, (halt, watch))?;
        output.finish(&roster, part.until)?;
        Ok(report)
    }

    /// All paths and impacts from the instant `from` to the instant `until`, s, or to the end of the run.
    ///
    /// # Errors
    /// [`ExportError`], as for [`export`](Self::export).
    #[doc(hidden)]
    pub fn paths(
        &self,
        (from, until): (f64, Option<f64>),
        halt: Option<&AtomicBool>,
        watch: impl FnMut(RunProgress),
    ) -> Result<RunPaths, ExportError> {
        let part = Part::of((from, until), self.last.time)?;
        let begin = |roster: &Roster, _: &World| Ok(Output::Paths(RunPaths::begin(roster, part.from, part.until)));
        let (_, output, _) =
            self.pass(&ExportRequest::all(ExportFormat::Jsonl), (part, Vec::new()), begin, (halt, watch))?;
        let Output::Paths(paths) = output else { unreachable!("a pass keeps its kind of output") };
        Ok(paths)
    }

    /// When the recorded run ended.
    #[doc(hidden)]
    pub fn reached(&self) -> SimTime {
        self.last.time
    }

    /// Runs a part of the run again, with the bodies of a request.
    fn pass<W: FnMut(RunProgress)>(
        &self,
        request: &ExportRequest,
        (part, instants): (Part, Vec<SimTime>),
        begin: impl FnOnce(&Roster, &World) -> Result<Output, ExportError>,
        (halt, watch): (Option<&AtomicBool>, W),
    ) -> Result<(Roster, Output, ExportReport), ExportError> {
        // Begin before the first instant, so that the events of the instant itself are still to come.
        let (_, noted) = beginning(&self.file, Some(part.from.seconds().next_down()))?;
        let again = Rerun::new(self.scenario.clone(), &noted)?;
        let roster = Roster::new(&self.scenario, &again.world, request);
        let output = begin(&roster, &again.world)?;
        let report = ExportReport { bodies: output.bodies(&roster), ..ExportReport::default() };
        let mut pass = Pass { exporter: self, again, roster, output, part, instants, halt, watch, impacts: 0, report };
        pass.go()?;
        Ok((pass.roster, pass.output, pass.report))
    }
}

/// A run for an export, under way.
struct Pass<'a, W> {
    exporter: &'a Exporter,
    again: Rerun,
    roster: Roster,
    output: Output,
    part: Part,
    /// All instants; the first `report.frames` are done.
    instants: Vec<SimTime>,
    halt: Option<&'a AtomicBool>,
    watch: W,
    /// Impacts since the beginning of the pass.
    impacts: u64,
    report: ExportReport,
}

impl<W: FnMut(RunProgress)> Pass<'_, W> {
    /// Takes all steps up to the end of the exported part.
    fn go(&mut self) -> Result<(), ExportError> {
        if self.output.has_paths() {
            let ids: Vec<_> = self.roster.members.iter().map(|member| member.id).collect();
            ids.into_iter().for_each(|id| self.again.world.track(id));
        }
        self.take_notes()?;
        self.look()?;
        while self.again.step() < self.exporter.last.step && self.again.world.now() < self.part.until {
            self.again.begin_step();
            if let Err(source) = self.one_step()? {
                let known = self.exporter.last.error.as_ref() == Some(&source.cause());
                if !known {
                    return Err(ExportError::Failed { time: self.again.world.now(), source });
                }
                break;
            }
        }
        self.compare()
    }

    /// Goes to the end of a step, and writes the frame of each instant on the way.
    fn one_step(&mut self) -> Result<Result<(), RunError>, ExportError> {
        let end = self.again.step_end();
        while let Some(instant) = self.next_instant().filter(|&instant| instant < end) {
            if let Err(error) = self.go_to(instant, World::pause_until)? {
                return Ok(Err(error));
            }
        }
        self.go_to(end, World::advance_until)
    }

    fn go_to(&mut self, target: SimTime, go: Go) -> Result<Result<(), RunError>, ExportError> {
        loop {
            let is_asked = || self.halt.is_some_and(|halt| halt.load(Ordering::Relaxed));
            if is_asked() {
                return Err(ExportError::Interrupted);
            }
            let progress = go(&mut self.again.world, target, EVENTS_AT_ONCE, &is_asked);
            self.take_notes()?;
            match progress {
                Ok(Progress::BufferFull { .. }) => {}
                Ok(Progress::Reached) => return self.look().map(Ok),
                Ok(Progress::Stopped { .. }) => return Err(ExportError::Interrupted),
                // A run that ends with an error still gets the frame of its last instant.
                Err(error) => return self.look().map(|()| Err(error)),
            }
        }
    }

    fn next_instant(&self) -> Option<SimTime> {
        self.instants.get(self.report.frames as usize).copied()
    }

    /// Writes the frame of the present, if it is requested.
    fn look(&mut self) -> Result<(), ExportError> {
        if self.next_instant() == Some(self.again.world.now()) {
            self.report.frames += 1;
            self.output.frame(&self.again.world, &self.roster)?;
        }
        Ok(())
    }

    /// Writes the events and paths since the last call.
    fn take_notes(&mut self) -> Result<(), ExportError> {
        let world = &mut self.again.world;
        let (events, knots) = (world.take_events(), world.take_knots());
        for event in events.iter().filter(|event| self.part.has(event.time)) {
            self.report.events += u64::from(self.output.event(world, event)?);
        }
        for knot in knots.iter().filter(|knot| knot.path.epoch <= self.part.until) {
            self.output.knot(world, knot)?;
        }
        let until = self.part.until.seconds();
        self.impacts += events.iter().filter(|event| event.kind == EventKind::Impact).count() as u64;
        (self.watch)(RunProgress { time: world.now().seconds().min(until), duration: until, impacts: self.impacts });
        Ok(())
    }

    /// Compares the state after the last step with the recorded one, if there is one of this step.
    fn compare(&mut self) -> Result<(), ExportError> {
        let mut reader = Reader::open(&self.exporter.file)?;
        let step = self.again.step();
        while let Some(noted) = reader.next_step()?.filter(|noted| noted.step <= step) {
            if noted.step == step {
                self.report.compared_at = Some(step);
                return divergence(&noted, &self.again.world)
                    .map_or(Ok(()), |found| Err(ExportError::OtherState(Box::new(found))));
            }
        }
        Ok(())
    }
}
