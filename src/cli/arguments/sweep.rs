//! The arguments of `carom sweep`.

use std::path::PathBuf;

use clap::Subcommand;

use crate::study::{JOBS_MAX, Shard};

/// The arguments of `carom sweep`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, disable_help_subcommand = true, after_help = SWEEP_EXAMPLES)]
pub(in crate::cli) struct SweepArguments {
    /// Sweep file.
    #[arg(required = true, value_name = "FILE")]
    pub(in crate::cli) file: Option<PathBuf>,
    /// Folder for the results; one named after the file, in the folder output, if it is not given. Results that are
    /// there already are kept.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// How many members are run at a time, at most 512; one on each core, if it is not given.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = jobs)]
    pub(in crate::cli) jobs: Option<usize>,
    /// Run only part I of N of the members; I is from 1 to N.
    #[arg(long, value_name = "I/N", allow_hyphen_values = true, value_parser = shard)]
    pub(in crate::cli) shard: Option<Shard>,
    /// No progress bar and no summary; errors are still shown.
    #[arg(long, short)]
    pub(in crate::cli) quiet: bool,
    #[command(subcommand)]
    pub(in crate::cli) action: Option<SweepAction>,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum SweepAction {
    /// Make table, summary and plots of results that are there; runs nothing.
    Merge {
        /// Folders of one sweep.
        #[arg(required = true, value_name = "DIR")]
        folders: Vec<PathBuf>,
        /// Where to write; the first folder, if it is not given.
        #[arg(long, value_name = "DIR")]
        output: Option<PathBuf>,
        /// Write rows also for members that have no result, with the status `lost`.
        #[arg(long)]
        partial: bool,
    },
}

const SWEEP_EXAMPLES: &str = "\
Examples:
  carom sweep scenarios/studies/rest_time.ron            all members, on all cores
  carom sweep study.ron --shard 3/100 --output results   one of a hundred tasks of an array
  carom sweep merge results                              the table, when all tasks are done
  carom sweep merge results --partial                    the same of the members that there are
  carom sweep merge from_here from_there --output all    of results from two machines

The same command again goes on with an interrupted sweep; what has a result is not run again.

Exit codes: 0 all members of this part have a result; 1 members are lost; 2 bad input;
3 a file could not be read or written; 130 interrupted by Ctrl-C; 143 by another process.";

/// A number of threads.
fn jobs(text: &str) -> Result<usize, String> {
    let jobs = text.trim().parse().ok().filter(|jobs| (1..=JOBS_MAX).contains(jobs));
    jobs.ok_or_else(|| format!("it is a whole number from 1 to {JOBS_MAX}"))
}

/// Part I of N.
fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
        _ => Err("it is written I/N, with I from 1 to N, such as 3/100".to_owned()),
    }
}
