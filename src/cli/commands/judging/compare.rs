//! `carom compare`: judges a run by the exact course of another run.

use std::path::{Path, PathBuf};

use super::oracle::trajectory;
use super::verdict::{read_limits, refused, tell};
use crate::cli::arguments::oracle::CompareArguments;
use crate::cli::commands::report::results;
use crate::cli::exit::{Exit, complain};
use crate::cli::progress::while_busy;
use crate::oracle::{Exact, judge};
use crate::record::file_name;
use crate::record::tables::{Events as EventTable, Table, Trajectory as TrajectoryTable};
use crate::scenario::Format;

pub(crate) fn command(arguments: &CompareArguments) -> Result<Exit, Exit> {
    let limits = read_limits(&arguments.told)?;
    let name = |folder: &Path| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let first = results(&arguments.first, name(&arguments.first))?;
    results(&arguments.second, name(&arguments.second))?;
    let Some(table) = table_of::<TrajectoryTable>(&arguments.second) else {
        complain(&format!("there is no trajectory in {}", arguments.second.display()));
        return Err(Exit::BadInput);
    };
    let log = table_of::<EventTable>(&arguments.second);
    let judgement = while_busy((&name(&arguments.second), false), "judging", || {
        let exact = Exact::new(&first.scenario)?;
        let mut trajectory = trajectory(&exact, &table, log.as_deref())?;
        trajectory.name = name(&arguments.second);
        Ok(judge(&exact, &[trajectory], &limits))
    });
    let judgement = judgement.map_err(|error| refused(&error))?;
    let heading = format!("{} by {}", arguments.second.display(), arguments.first.display());
    tell(&heading, &judgement, &arguments.told)
}

/// The file of a table in the folder of a run, if it was recorded.
fn table_of<T: Table>(folder: &Path) -> Option<PathBuf> {
    [Format::Csv, Format::Parquet]
        .map(|format| folder.join(file_name::<T>(format)))
        .into_iter()
        .find(|file| file.exists())
}
