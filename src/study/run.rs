//! A study, and how its members are run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::ThreadPoolBuilder;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::collect::Collector;
use super::error::StudyError;
use super::folder::{BASE_FILE, Folder, SWEEP_FILE, Stored};
use super::member::{MemberResult, Status, key};
use crate::record::{keep_files, run_unrecorded};
use crate::scenario::sweep_file::{Sweep, read_sweep, unread_base};
use crate::scenario::{MeshFile, Problem, Setting, SettingError, Source, parse};

/// Most threads of a study.
pub const JOBS_MAX: usize = 512;

/// A sweep and its base scenario.
#[derive(Debug, Clone)]
pub struct Study {
    /// The factors, and the results to collect.
    pub sweep: Sweep,
    sweep_source: Source,
    base: Source,
    /// The mesh files of the first member.
    files: Vec<MeshFile>,
}

/// A part of the members: they are divided into `of` parts of nearly equal size, and this is one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// The number of this part, from 1.
    pub number: u64,
    /// The number of parts.
    pub of: u64,
}

impl Default for Shard {
    /// All members.
    fn default() -> Self {
        Self { number: 1, of: 1 }
    }
}

/// The work to be done.
#[derive(Debug, Clone, Copy, Default)]
pub struct Workload<'a> {
    /// The members.
    pub shard: Shard,
    /// The number of threads; 0 for one on each core. There are no more than members, nor than [`JOBS_MAX`].
    pub jobs: usize,
    /// Once this is true, no member is started, and those under way are given up.
    pub asked: Option<&'a AtomicBool>,
}

/// How far a study is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Members with a result, including those of earlier processes.
    pub done: u64,
    /// Members of this shard.
    pub all: u64,
    /// Members that this process has run.
    pub run: u64,
}

/// How the work on a study ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ended {
    /// Members of the shard.
    pub all: u64,
    /// Members that this process ran.
    pub run: u64,
    /// Members that had a result already.
    pub kept: u64,
    /// Members whose result was damaged, and that were run again.
    pub repaired: u64,
    /// Members that ended in a panic and have no result.
    pub lost: u64,
}

impl Ended {
    /// Whether every member of the shard has a result.
    pub const fn is_complete(&self) -> bool {
        self.run + self.kept == self.all
    }
}

impl Study {
    /// Reads a sweep file and the scenario that it names.
    ///
    /// # Errors
    /// [`StudyError`] when either cannot be read or is wrong, or when the first member is not a scenario.
    pub fn read(file: &Path) -> Result<Self, StudyError> {
        let source = Source::read(file)?;
        let place = file.parent().unwrap_or(Path::new("")).join(&read_sweep(&source)?.base);
        let base = Source::read(place).map_err(|error| {
            let problems = unread_base(&source, &error);
            if error.is_unreadable() { StudyError::Base(problems) } else { StudyError::Wrong(problems) }
        })?;
        Self::new(source, base)
    }

    /// The study whose results are in a folder, from the copies in it.
    ///
    /// # Errors
    /// [`StudyError`], as for [`read`](Self::read).
    pub(crate) fn of_folder(folder: &Folder) -> Result<Self, StudyError> {
        let file = folder.path().join(SWEEP_FILE);
        if !file.is_file() {
            return Err(StudyError::NothingThere { folder: folder.path().to_owned() });
        }
        Self::new(Source::read(&file)?, Source::read(folder.path().join(BASE_FILE))?)
    }

    /// The study of a sweep and of the scenario `base`, whatever base the sweep names.
    ///
    /// # Errors
    /// [`StudyError`] when either is wrong, or when the first member is not a scenario.
    pub fn new(sweep_source: Source, base: Source) -> Result<Self, StudyError> {
        let sweep = read_sweep(&sweep_source)?;
        let first = sweep.scenario(&base, 0)?;
        let scenario = parse(&first)?.scenario;
        sweep.check(&sweep_source, &first, &scenario)?;
        for member in sweep.probes() {
            if let Err(problems) = parse(&sweep.scenario(&base, member)?)
                && problems.is_misread()
            {
                return Err(problems.into());
            }
        }
        // The copy has another name than the file, so it says the title that is the name of the file.
        let title = Setting::new("title", "title", &format!("{:?}", sweep.title))?;
        let sweep_source = if sweep.is_titled { sweep_source } else { sweep_source.with(&[title])? };
        Ok(Self { sweep, sweep_source, base, files: scenario.files })
    }

    /// The number of members.
    pub fn count(&self) -> u64 {
        self.sweep.count().unwrap_or(u64::MAX)
    }

    /// The text of the sweep file.
    #[doc(hidden)]
    pub fn text(&self) -> &str {
        &self.sweep_source.text
    }

    /// The text of the base scenario.
    pub(crate) fn base_text(&self) -> &str {
        &self.base.text
    }

    /// Runs the members of a shard that have no result in `folder` yet, and reports the progress to `watch`.
    ///
    /// # Errors
    /// [`StudyError`] when a result cannot be written, or when the system cannot start threads. Existing results stay.
    pub fn run(
        &self,
        folder: &Folder,
        workload: Workload<'_>,
        watch: impl Fn(Pace) + Sync,
    ) -> Result<Ended, StudyError> {
        folder.begin(self.text(), self.base_text())?;
        keep_files(&self.files, folder.path())?;
        let Shard { number, of } = workload.shard;
        let members: Vec<u64> = (number.saturating_sub(1)..self.count()).step_by(of.max(1) as usize).collect();
        let all = members.len() as u64;
        let (done, run) = (AtomicU64::new(0), AtomicU64::new(0));
        let one = |&member: &u64| {
            let is_asked = || workload.asked.is_some_and(|asked| asked.load(Ordering::Relaxed));
            let ended = if is_asked() { Ended::default() } else { self.one(folder, member, &is_asked)? };
            if ended.run + ended.kept > 0 {
                let run = run.fetch_add(ended.run, Ordering::Relaxed) + ended.run;
                watch(Pace { done: done.fetch_add(1, Ordering::Relaxed) + 1, all, run });
            }
            Ok::<_, StudyError>(ended)
        };
        let jobs = workload.jobs.min(members.len().clamp(1, JOBS_MAX));
        let pool = ThreadPoolBuilder::new().num_threads(jobs).build();
        let pool = pool.map_err(|error| StudyError::Threads { jobs, error: error.to_string() })?;
        let ended = pool.install(|| members.par_iter().with_max_len(1).map(one).try_reduce(Ended::default, joined));
        Ok(Ended { all, ..ended? })
    }

    /// Whether every member has a result in `folder`. The search ends at the first one without, so that a task of an
    /// array does not look for those of all others.
    #[doc(hidden)]
    pub fn is_complete(&self, folder: &Folder) -> bool {
        let is_whole = |member| matches!(self.stored(std::slice::from_ref(folder), member).1, Stored::Whole(_));
        (0..self.count()).all(is_whole)
    }

    /// The key of a member, and the state of its result in `folders`.
    pub(super) fn stored(&self, folders: &[Folder], member: u64) -> (String, Stored) {
        let key = self.key(&self.sweep.scenario(&self.base, member));
        let mut found = Stored::Nothing;
        for folder in folders {
            match folder.stored(&key) {
                Stored::Whole(result) => return (key, Stored::Whole(result)),
                Stored::Damaged => found = Stored::Damaged,
                Stored::Nothing => {}
            }
        }
        (key, found)
    }

    /// Runs a member unless it has a valid result, or until `stop` is true. Returns what that adds to the counts:
    /// nothing for a member that is given up.
    fn one(&self, folder: &Folder, member: u64, stop: &dyn Fn() -> bool) -> Result<Ended, StudyError> {
        let nothing = Ended::default();
        let source = self.sweep.scenario(&self.base, member);
        let key = self.key(&source);
        let before = folder.stored(&key);
        if matches!(before, Stored::Whole(_)) {
            return Ok(Ended { kept: 1, ..nothing });
        }
        let Ok(result) = catch_unwind(AssertUnwindSafe(|| self.result(&source, stop))) else {
            return Ok(Ended { lost: 1, ..nothing });
        };
        let Some(result) = result else { return Ok(nothing) };
        folder.store(&key, &result)?;
        Ok(Ended { run: 1, repaired: u64::from(before == Stored::Damaged), ..nothing })
    }

    /// The key of the member with this scenario. Every field that names a file is called `file`, so most scenarios need
    /// not be parsed. If the scenario cannot be made, the error takes the place of its text.
    fn key(&self, source: &Result<Source, SettingError>) -> String {
        let source = match source {
            Ok(source) => source,
            Err(error) => return key(&error.to_string(), &[], &self.sweep.collect),
        };
        if !source.text.contains("file") {
            return key(&source.text, &[], &self.sweep.collect);
        }
        let files = parse(source).map_or_else(|_| Vec::new(), |parsed| parsed.scenario.files);
        key(&source.text, &files, &self.sweep.collect)
    }

    /// Runs a member; `None` if `stop` was true on the way.
    fn result(&self, source: &Result<Source, SettingError>, stop: &dyn Fn() -> bool) -> Option<MemberResult> {
        let collect = &self.sweep.collect;
        let refused = |message: String| {
            let values = vec![None; collect.len()];
            Some(MemberResult { status: Status::Refused, message, values, state_hash: String::new() })
        };
        let source = match source {
            Ok(source) => source,
            Err(error) => return refused(error.wrong.clone()),
        };
        let scenario = match parse(source) {
            Ok(parsed) => parsed.scenario,
            Err(problems) => {
                let first = problems.list().first();
                let told = |first: &Problem| match &*first.field {
                    "" => first.fault.to_string(),
                    field => format!("{field}: {}", first.fault),
                };
                return refused(first.map_or_else(|| problems.to_string(), told));
            }
        };
        let mut world = match scenario.world() {
            Ok(world) => world,
            Err(error) => return refused(error.to_string()),
        };
        let mut collector = Collector::new(collect, &world);
        let (found, outcome) = run_unrecorded(&scenario, &mut world, |event| collector.see(event), stop)?;
        let unmet = found.expectations.iter().find(|verdict| !verdict.met);
        let (status, message) = match (outcome, unmet) {
            (Err(error), _) => (Status::Failed, error.to_string()),
            (Ok(()), Some(unmet)) => (Status::Unmet, format!("expected {}, found {}", unmet.expected, unmet.found)),
            (Ok(()), None) => (Status::Done, String::new()),
        };
        let values = collector.results(&world, &found);
        Some(MemberResult { status, message, values, state_hash: found.state_hash })
    }
}

/// The counts of two parts, but for `all`.
fn joined(a: Ended, b: Ended) -> Result<Ended, StudyError> {
    Ok(Ended {
        run: a.run + b.run,
        kept: a.kept + b.kept,
        repaired: a.repaired + b.repaired,
        lost: a.lost + b.lost,
        ..Ended::default()
    })
}
