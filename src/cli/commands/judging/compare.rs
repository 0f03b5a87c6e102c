//! `carom compare`: a run judged by the exact course of another one.

use std::path::Path;

use super::verdict::{read_limits, refused, tell};
use crate::cli::arguments::oracle::CompareArguments;
use crate::cli::commands::report::results;
use crate::cli::exit::{Exit, complain};
use crate::oracle::{Exact, OracleError, Trajectory, judge};
use crate::record::file_name;
use crate::record::foreign::read_foreign;
use crate::record::tables::Trajectory as TrajectoryTable;
use crate::scenario::Format;

pub(crate) fn command(arguments: &CompareArguments) -> Result<Exit, Exit> {
    let limits = read_limits(&arguments.told)?;
    let name = |folder: &Path| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let first = results(&arguments.first, name(&arguments.first))?;
    results(&arguments.second, name(&arguments.second))?;
    let exact = Exact::new(&first.scenario).map_err(|error| refused(&error))?;
    let files =
        [Format::Csv, Format::Parquet].map(|format| arguments.second.join(file_name::<TrajectoryTable>(format)));
    let Some(file) = files.iter().find(|file| file.exists()) else {
        complain(&format!("there is no trajectory in {}", arguments.second.display()));
        return Err(Exit::BadInput);
    };
    let read = || Ok::<_, OracleError>(Trajectory::new(&read_foreign(file)?, &exact)?);
    let mut trajectory = read().map_err(|error| refused(&error))?;
    trajectory.name = name(&arguments.second);
    let judgement = judge(&exact, &[trajectory], &limits);
    tell(&format!("{} by {}", name(&arguments.second), name(&arguments.first)), &judgement, &arguments.told)
}
