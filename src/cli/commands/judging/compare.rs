//! `carom compare`: judges a run by the exact course of another run.

use std::path::{Path, PathBuf};

use super::oracle::trajectory;
use super::verdict::{read_limits, refused, tell};
use crate::cli::arguments::oracle::CompareArguments;
use crate::cli::commands::report::results;
use crate::cli::exit::{Exit, complain};
use crate::oracle::{Exact, judge};
use crate::record::file_name;
use crate::record::tables::{Events as EventTable, Table, Trajectory as TrajectoryTable};
use crate::scenario::Format;

pub(crate) fn command(arguments: &CompareArguments) -> Result<Exit, Exit> {
    let limits = read_limits(&arguments.told)?;
    let name = |folder: &Path| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let first = results(&arguments.first, name(&arguments.first))?;
    results(&arguments.second, name(&arguments.second))?;
    let exact = Exact::new(&first.scenario).map_err(|error| refused(&error))?;
    let Some(table) = table_of::<TrajectoryTable>(&arguments.second) else {
        complain(&format!("there is no trajectory in {}", arguments.second.display()));
        return Err(Exit::BadInput);
    };
    let log = table_of::<EventTable>(&arguments.second);
    let mut trajectory = trajectory(&exact, &table, log.as_deref()).map_err(|error| refused(&error))?;
    trajectory.name = name(&arguments.second);
    let judgement = judge(&exact, &[trajectory], &limits);
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
