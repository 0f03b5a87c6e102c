//! The arguments of `carom oracle` and `carom compare`.

use std::path::PathBuf;

use clap::Subcommand;

use crate::cli::numbers;

#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(in crate::cli) struct OracleArguments {
    #[command(subcommand)]
    pub(in crate::cli) command: OracleCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum OracleCommand {
    /// List the scenes by family, with what each tests.
    List,
    /// Say what is in a scene, or print it as JSON for an engine.
    Scene {
        /// The scene.
        #[arg(value_name = "NAME")]
        name: String,
        /// Seconds between two rows that the engine is asked for, in place of the scene's.
        #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = numbers::span)]
        timestep: Option<f64>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of the scenes.
    Schema,
    /// Judge trajectories of a scene; the exit code is 1 when one of them is beyond a limit.
    Judge(JudgeArguments),
    /// Print the casts as a table for an engine, or judge its answers; the exit code is 1 when one is wrong.
    Casts {
        /// Answers to the casts, CSV or Parquet, with the columns cast,hit,fraction and, if you have them, nx,ny,nz.
        #[arg(value_name = "THEIRS")]
        answers: Option<PathBuf>,
        /// The largest error of a place that passes, in sizes.
        #[arg(long, value_name = "SIZES", default_value_t = 0.01, allow_hyphen_values = true, value_parser = numbers::length)]
        within: f64,
        /// Print JSON in place of a table.
        #[arg(long, requires = "answers")]
        json: bool,
    },
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct JudgeArguments {
    /// A scene of the list, or a scenario of your own (a file that ends in .ron).
    #[arg(value_name = "SCENE")]
    pub(in crate::cli) scene: String,
    /// Tables of the scene, CSV or Parquet, with the columns time,body,x,y,z and, if you have them, step; vx,vy,vz;
    /// wx,wy,wz. Several timesteps show the order of convergence.
    #[arg(required = true, value_name = "THEIRS")]
    pub(in crate::cli) tables: Vec<PathBuf>,
    /// Log of events, CSV or Parquet, with the columns time,kind,a,b; once for each table, in their order.
    #[arg(long, value_name = "EVENTS")]
    pub(in crate::cli) events: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) reporting: Reporting,
}

/// How a judgement is reported.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Reporting {
    /// Write a page, one HTML file that needs no network.
    #[arg(long, value_name = "FILE.html")]
    pub(in crate::cli) report: Option<PathBuf>,
    /// Limits in place of the defaults.
    #[arg(long, value_name = "FILE.ron")]
    pub(in crate::cli) thresholds: Option<PathBuf>,
    /// Print JSON in place of a table.
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = COMPARE_EXAMPLES)]
pub(in crate::cli) struct CompareArguments {
    /// The folder of a run: its scenario gives the exact course.
    #[arg(value_name = "RUN_A")]
    pub(in crate::cli) first: PathBuf,
    /// What is judged: the folder of a run, or a table of any engine, CSV or Parquet. It has the same free bodies.
    #[arg(value_name = "RUN_B|THEIRS")]
    pub(in crate::cli) second: PathBuf,
    /// Log of events, CSV or Parquet, with the columns time,kind,a,b; if it is not given, that of run B.
    #[arg(long, value_name = "EVENTS")]
    pub(in crate::cli) events: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) reporting: Reporting,
}

const EXAMPLES: &str = "\
Examples:
  carom oracle list
  carom oracle scene bounce_elastic --timestep 0.005 --json > scene.json
  carom oracle judge bounce_elastic theirs.csv
  carom oracle judge bounce_elastic theirs.csv --thresholds limits.ron --json
  carom oracle judge friction_bounce theirs.csv --events theirs_events.csv
  carom oracle judge bounce_elastic h_100.csv h_400.csv h_1600.csv --report judged.html
  carom oracle judge my_scene.ron theirs.csv
  carom oracle casts > casts.csv
  carom oracle casts theirs.csv

An engine writes a row for each free body at each time: its step number, time (s), name, position (m) and velocity (m/s).
Time over step number is the engine's timestep. Without velocities, only what follows from places is judged.";

const COMPARE_EXAMPLES: &str = "\
Examples:
  carom compare output/belt coarse/belt
  carom compare runs/a runs/b --report compared.html
  carom compare output/belt theirs.csv

For whether two runs have the same bits, see carom replay --against and carom bisect.";
