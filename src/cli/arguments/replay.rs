//! The arguments of `carom replay`, `carom bisect` and `carom diff`.

use std::path::PathBuf;

use crate::cli::numbers;

/// The arguments of `carom replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = REPLAY_EXAMPLES)]
pub(in crate::cli) struct ReplayArguments {
    /// A recording, such as output/belt/recording.carom; mesh files are looked for beside it.
    #[arg(value_name = "RECORDING")]
    pub(in crate::cli) recording: PathBuf,
    /// Begin at the last snapshot not after this instant, in seconds.
    #[arg(long, value_name = "S", conflicts_with = "against", allow_hyphen_values = true, value_parser = numbers::instant)]
    pub(in crate::cli) from: Option<f64>,
    /// Save the state into bytes after each step, and go on in another world restored from them: a test of rollback.
    #[arg(long, conflicts_with = "against")]
    pub(in crate::cli) heavy: bool,
    /// Run nothing; compare with another recording.
    #[arg(long, value_name = "OTHER")]
    pub(in crate::cli) against: Option<PathBuf>,
    /// No progress bar, and nothing to say if all is the same.
    #[arg(long, short)]
    pub(in crate::cli) quiet: bool,
    /// Print JSON in place of words.
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

const REPLAY_EXAMPLES: &str = "\
Examples:
  carom replay output/belt/recording.carom
  carom replay output/belt/recording.carom --from 1.5
  carom replay output/belt/recording.carom --heavy
  carom replay output/belt/recording.carom --against from_another_machine.carom
  carom replay output/belt/recording.carom --json

Exit codes: 0 all is the same; 1 something differs; 2 a recording is damaged or cannot be run;
3 a file could not be read.";

/// The arguments of `carom bisect`.
#[derive(Debug, clap::Args)]
#[command(after_help = BISECT_EXAMPLES)]
pub(in crate::cli) struct BisectArguments {
    /// A recording; or a trajectory of any engine, CSV or Parquet.
    #[arg(value_name = "A")]
    pub(in crate::cli) first: PathBuf,
    /// Another one, of the same scenario or of one that should give the same run.
    #[arg(value_name = "B")]
    pub(in crate::cli) second: PathBuf,
    /// For tables: numbers that are at most this far apart are the same.
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = numbers::reach)]
    pub(in crate::cli) within: Option<f64>,
    /// Print JSON in place of words.
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

const BISECT_EXAMPLES: &str = "\
Examples:
  carom bisect output/belt/recording.carom from_another_machine.carom
  carom bisect theirs.csv theirs_before.csv                 the first row that differs
  carom bisect theirs.csv theirs_before.csv --within 1e-9

Exit codes: 0 all is the same; 1 something differs; 2 a file is no recording, or no table; 3 a file could not be read.";

/// The arguments of `carom diff`.
#[derive(Debug, clap::Args)]
#[command(after_help = DIFF_EXAMPLES)]
pub(in crate::cli) struct DiffArguments {
    /// A scenario file, the folder of a run, or a recording (a file that ends in .carom).
    #[arg(value_name = "A")]
    pub(in crate::cli) first: PathBuf,
    /// What it is compared with; any of the three.
    #[arg(value_name = "B")]
    pub(in crate::cli) second: PathBuf,
    /// Print JSON in place of words.
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

const DIFF_EXAMPLES: &str = "\
Examples:
  carom diff scenarios/belt.ron output/belt            what was changed since that run?
  carom diff runs/a runs/b                             and what follows from it?
  carom diff output/belt/recording.carom from_another_machine.carom

First come the fields that differ; then, where both were recorded, the first step and the first event that differ,
and the bodies that end elsewhere.

Exit codes: 0 all is the same; 1 something differs; 2 bad input; 3 a file could not be read.";
