//! `carom compare`: judges a run, or the table of any engine, by the exact course of a run.

use std::path::{Path, PathBuf};

use super::oracle::trajectory;
use super::verdict::{read_limits, refused, tell};
use crate::cli::arguments::oracle::CompareArguments;
use crate::cli::commands::report::results;
use crate::cli::exit::{Exit, bad};
use crate::cli::progress::while_busy;
use crate::oracle::{Exact, judge};
use crate::record::file_name;
use crate::record::tables::{Events as EventTable, Table, Trajectory as TrajectoryTable};
use crate::scenario::Format;

pub(crate) fn command(arguments: &CompareArguments) -> Result<Exit, Exit> {
    let CompareArguments { first: by, second, events, reporting } = arguments;
    let limits = read_limits(reporting)?;
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let first = results(by, name(by))?;
    let (table, log) = if second.is_dir() { of_run(second)? } else { (second.clone(), None) };
    let log = events.clone().or(log);
    let judgement = while_busy((&name(second), false), "judging", || {
        let exact = Exact::new(&first.scenario)?;
        let mut trajectory = trajectory(&exact, &table, log.as_deref())?;
        trajectory.name = name(second);
        Ok(judge(&exact, &[trajectory], &limits))
    });
    let judgement = judgement.map_err(|error| refused(&error))?;
    let heading = format!("{} by {}", second.display(), by.display());
    tell(&heading, &judgement, reporting)
}

/// The trajectory of a run, and its events if they were recorded.
fn of_run(folder: &Path) -> Result<(PathBuf, Option<PathBuf>), Exit> {
    results(folder, String::new())?;
    let Some(table) = table_of::<TrajectoryTable>(folder) else {
        return Err(bad(&format!("there is no trajectory in {}", folder.display())));
    };
    Ok((table, table_of::<EventTable>(folder)))
}

/// The file of a table in the folder of a run, if it was recorded.
fn table_of<T: Table>(folder: &Path) -> Option<PathBuf> {
    [Format::Csv, Format::Parquet]
        .map(|format| folder.join(file_name::<T>(format)))
        .into_iter()
        .find(|file| file.exists())
}
