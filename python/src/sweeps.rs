//! Sweeps: the studies of the library, run in this process or in workers.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use carom::record::WriteError;
use carom::record::tables::{Column, Kind};
use carom::report::{self, draw_study, study_stems};
use carom::scenario::sweep_file::read_style;
use carom::scenario::{Form, Source};
use carom::study::{self, Ended, Folder, Merged, Shard, StudyError, Workload, columns, merge, values, write_tables};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{Raised, given_wrong, released, unfit_sweep};
use crate::pictures::Picture;
use crate::tables::{Rows, Table};
use crate::text::value;
use crate::written::{Place, written};

/// The interval at which the signals of Python are checked and the progress is reported.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Maximum number of members without a result that a message names.
const LOST_MAX: usize = 10;

/// A sweep and its base scenario.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Study {
    study: study::Study,
    /// The texts from which it is made.
    parts: Parts,
}

/// The name and the text of a sweep, and the name, the text and the folder of its scenario.
type Parts = (String, String, String, String, Option<PathBuf>);

#[pymethods]
impl Study {
    /// Reads a sweep file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        released(py, || {
            let sweep = Source::read(&path).map_err(Raised::raised)?;
            let base = carom::scenario::sweep_file::read_sweep(&sweep).map_err(Raised::raised)?.base;
            let base = path.parent().unwrap_or(std::path::Path::new("")).join(base);
            Self::of(sweep, Source::read(base).map_err(Raised::raised)?, Raised::raised)
        })
    }

    /// Reads the text of a sweep file and the file of a scenario.
    #[staticmethod]
    fn over(py: Python<'_>, name: String, text: String, base: PathBuf) -> PyResult<Self> {
        // The user has not seen the text: what is wrong is told in words of the call.
        let wrong = |error| match error {
            StudyError::Wrong(problems) if problems.list().iter().all(|problem| problem.setting.is_none()) => {
                given_wrong(problems.list(), str::to_owned)
            }
            error => error.raised(),
        };
        released(py, || Self::of(Source::new(name, &text), Source::read(base).map_err(Raised::raised)?, wrong))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        Ok((slf.get_type().getattr("_from_parts")?, slf.get().parts.clone()))
    }

    #[staticmethod]
    fn _from_parts(
        name: String,
        text: String,
        base_name: String,
        base: String,
        folder: Option<PathBuf>,
    ) -> PyResult<Self> {
        let base = Source::new(base_name, &base);
        let base = folder.map_or(base.clone(), |folder| base.in_folder(folder));
        Self::of(Source::new(name, &text), base, Raised::raised)
    }

    /// The text of the sweep file.
    #[getter]
    fn text(&self) -> &str {
        self.study.text()
    }

    /// A line that describes the sweep.
    #[getter]
    fn title(&self) -> &str {
        &self.study.sweep.title
    }

    /// The number of members.
    fn __len__(&self) -> usize {
        self.study.count() as usize
    }

    /// The paths that vary, and the values of each member in RON.
    fn members(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let sweep = &self.study.sweep;
        let values = |member| sweep.values(member).into_iter().map(str::to_owned).collect();
        (sweep.vary.iter().map(|factor| factor.path.clone()).collect(), (0..self.study.count()).map(values).collect())
    }

    /// Runs the members of a shard that have no result in the folder yet. Returns how many members have a result, and
    /// how many there are.
    #[pyo3(signature = (folder, *, shard = (1, 1), jobs = 0, progress = None))]
    fn run(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        shard: (u64, u64),
        jobs: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(u64, u64)> {
        let (asked, done) = (AtomicBool::new(false), AtomicU64::new(0));
        let shard = Shard { number: shard.0, of: shard.1 };
        let progress = progress.map(Bound::unbind);
        let look = || {
            Python::attach(|py| {
                py.check_signals()?;
                let told = progress
                    .as_ref()
                    .map(|progress| progress.call1(py, (done.load(Ordering::Relaxed), self.study.count())));
                told.transpose().map(|_| ())
            })
        };
        let ended = released(py, || {
            let workload = Workload { shard, jobs, asked: Some(&asked) };
            let work =
                || self.study.run(&Folder::new(folder), workload, |pace| done.store(pace.done, Ordering::Relaxed));
            watched(work, &asked, look)
        })?;
        let Ended { all, run, kept, .. } = ended.map_err(Raised::raised)?;
        Ok((run + kept, all))
    }

    /// Makes the table, the summary and the plots in the folder from the results in it, and returns the table.
    fn merge(&self, py: Python<'_>, folder: PathBuf) -> PyResult<Table> {
        released(py, || {
            let merged = self.merged(&folder)?;
            if !merged.lost.is_empty() {
                return Err(unfit_sweep(&lost(&merged)));
            }
            let sweep = &merged.study.sweep;
            let unwritten = |error: WriteError| error.raised();
            write_tables(&folder, sweep, merged.study.text(), &merged.rows).map_err(unwritten)?;
            study::Summary::of(&merged).write(&folder).map_err(unwritten)?;
            draw_study(sweep, &merged.rows, &folder).map_err(Raised::raised)?;
            table(&merged)
        })
    }

    /// The page of the results in a folder; `name` is what it calls them.
    fn page(&self, py: Python<'_>, folder: PathBuf, name: &str) -> PyResult<String> {
        released(py, || {
            let merged = self.merged(&folder)?;
            report::page::of_sweep(name, &merged).map_err(Raised::raised)
        })
    }

    /// The names of the files of the plots, without their endings.
    fn plots(&self) -> Vec<String> {
        study_stems(&self.study.sweep)
    }

    /// The plots of these names of the results in a folder, each in a style that is laid over its own.
    fn pictures(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        names: Vec<String>,
        style: &Bound<'_, PyDict>,
    ) -> PyResult<Vec<Picture>> {
        let text = written(Form::Style, style, Place::Call)?;
        let style = read_style(&Source::new("style", &text));
        let style = style.map_err(|problems| given_wrong(problems.list(), str::to_owned))?;
        released(py, || {
            let merged = self.merged(&folder)?;
            let mut sweep = merged.study.sweep.clone();
            sweep.plots.iter_mut().for_each(|plot| plot.style = style.over(&plot.style));
            let stems = study_stems(&sweep);
            let plot = |name| stems.iter().position(|stem| stem == name).map(|place| &sweep.plots[place]);
            let drawn = |plot| Picture::new(report::Picture::of_study(&sweep, plot, &merged.rows));
            names.iter().filter_map(plot).map(drawn).collect()
        })
    }

    /// A value in RON.
    #[staticmethod]
    fn value(given: &Bound<'_, PyAny>) -> PyResult<String> {
        value(given)
    }
}

impl Study {
    fn of(sweep: Source, base: Source, wrong: impl FnOnce(StudyError) -> PyErr) -> PyResult<Self> {
        let parts = (sweep.name.clone(), sweep.text.clone(), base.name.clone(), base.text.clone(), base.folder.clone());
        Ok(Self { study: study::Study::new(sweep, base).map_err(wrong)?, parts })
    }

    /// The results in a folder, which must be those of this sweep.
    fn merged(&self, folder: &Path) -> PyResult<Merged> {
        let merged = merge(&[Folder::new(folder)]).map_err(Raised::raised)?;
        if merged.study.text() != self.study.text() {
            let shown = folder.display();
            return Err(unfit_sweep(&format!("{shown} has the results of another sweep now: run this one again")));
        }
        Ok(merged)
    }
}

/// Does `work` on another thread, and calls `look` repeatedly on this one, which gets the signals. If `look` fails,
/// `asked` becomes true, at which the work ends.
pub(crate) fn watched<T: Send>(
    work: impl FnOnce() -> T + Send,
    asked: &AtomicBool,
    look: impl Fn() -> PyResult<()>,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    let mut failed = None;
    let result = thread::scope(|scope| {
        scope.spawn(move || sender.send(work()));
        loop {
            match receiver.recv_timeout(LOOK_EVERY) {
                Err(RecvTimeoutError::Timeout) if failed.is_none() => {
                    failed = look().err();
                    asked.store(failed.is_some(), Ordering::Relaxed);
                }
                Err(RecvTimeoutError::Timeout) => {}
                result => break result.ok(),
            }
        }
    });
    match (failed, result) {
        (Some(error), _) => Err(error),
        (None, Some(result)) => Ok(result),
        (None, None) => Err(unfit_sweep("the work has ended without a result")),
    }
}

fn table(merged: &Merged) -> PyResult<Table> {
    let names: Vec<(String, Kind)> = columns(&merged.study.sweep);
    let columns: Vec<Column<'_>> = names.iter().map(|(name, kind)| Column { name, kind: *kind, unit: "" }).collect();
    let mut rows = Rows::new(study::TABLE, &columns);
    for row in &merged.rows {
        rows.put(|line| values(&names, row).iter().for_each(|value| value.put(line)));
    }
    rows.finish()
}

/// The members without a result, as text.
fn lost(merged: &Merged) -> String {
    let first: Vec<String> = merged
        .lost
        .iter()
        .take(LOST_MAX)
        .map(|lost| format!("member {} ({})", lost.member, lost.values.join(", ")))
        .collect();
    let more = if merged.lost.len() > LOST_MAX { ", ..." } else { "" };
    let (lost, all) = (merged.lost.len(), merged.rows.len());
    format!("{lost} of {all} members have no result: {}{more}; run the sweep again", first.join("; "))
}
