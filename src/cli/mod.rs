//! The command line: arguments in, exit codes out. It knows no physics.

mod check;
mod exit;
mod list;
mod outbox;
mod plot;
mod progress;
mod query;
mod replay;
mod run;
mod shown;
mod summary;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgGroup, Parser, Subcommand, ValueEnum};

pub use exit::Exit;

/// Exact collisions: spheres, boxes and planes that meet at the instant they meet.
#[derive(Debug, Parser)]
#[command(name = "carom", version, about, arg_required_else_help = true, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  carom run scenarios/newtons_cradle.ron         run it; results go to output/newtons_cradle/
  carom run scenarios/*.ron --quiet              run all of them and judge by the exit code
  carom check my.ron                             validate a scenario without running it
  carom replay output/gas/recording.carom        does it run the same, to the bit, on this machine?
  carom plot output/newtons_cradle               draw the plots again from the saved tables
  carom query my.ron --at 1.5 --ray 0,0,9,0,0,-1   the first body on a ray, after 1.5 s
  carom list                                     what is in scenarios/

Exit codes: 0 all is well; 1 an expectation was not met, or a run ended with an error;
2 bad input; 3 a file could not be read or written.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Run scenarios and write trajectory, events, audit and plots.
    Run(RunArguments),
    /// Validate scenarios; runs nothing and writes nothing.
    Check {
        /// Scenario files.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Draw the plots of a run again from its saved tables, without simulating.
    Plot {
        /// Folder of a run, such as output/newtons_cradle.
        #[arg(value_name = "OUTPUT_DIR")]
        folder: PathBuf,
    },
    /// Run a recording again and compare every step with it, to the bit.
    Replay(ReplayArguments),
    /// Find the first step, and the first event, in which two recordings differ.
    Bisect {
        /// A recording.
        #[arg(value_name = "A")]
        first: PathBuf,
        /// Another one, of the same scenario or of one that should go alike.
        #[arg(value_name = "B")]
        second: PathBuf,
    },
    /// Ask what is where in a scenario, at one instant: rays, balls and boxes on their way, the nearest body, regions.
    Query(QueryArguments),
    /// List the scenarios in a folder with their titles.
    List {
        /// The folder to look into.
        #[arg(value_name = "DIR", default_value = "scenarios")]
        folder: PathBuf,
    },
}

/// What `carom run` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = RUN_EXAMPLES)]
struct RunArguments {
    /// Scenario files.
    #[arg(required_unless_present = "resume", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Folder for the results; each run gets a folder of its own in it, named after its file.
    #[arg(long, value_name = "DIR", default_value = "output")]
    output: PathBuf,
    /// Seconds between two looks at the world, in place of the scenario's. It changes no event.
    #[arg(long, value_name = "S")]
    timestep: Option<f64>,
    /// Length of the run in seconds, in place of the scenario's.
    #[arg(long, value_name = "S")]
    duration: Option<f64>,
    /// Halt at the first step at or after this instant, in seconds; --resume goes on from there.
    #[arg(long, value_name = "S")]
    until: Option<f64>,
    /// Go on with an interrupted run, by the folder that its results were to have, or with a finished one for a longer --duration.
    #[arg(long, value_name = "OUTPUT_DIR", conflicts_with_all = ["files", "output", "timestep", "format"])]
    resume: Option<PathBuf>,
    /// How tables are written, in place of what the scenario says.
    #[arg(long, value_name = "FORMAT")]
    format: Option<TableFormat>,
    /// Show where the time went.
    #[arg(long, conflicts_with = "quiet")]
    stats: bool,
    /// No progress bar and no summary; errors and warnings are still shown.
    #[arg(long, short)]
    quiet: bool,
}

/// [`Format`](crate::scenario::Format), as it is written on a command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum TableFormat {
    /// Text, a line a row.
    Csv,
    /// Apache Parquet, for tables of millions of rows.
    Parquet,
}

const RUN_EXAMPLES: &str = "\
Examples:
  carom run scenarios/bouncing_ball.ron
  carom run scenarios/gas.ron --duration 2 --timestep 0.5
  carom run a.ron b.ron --output results --quiet
  carom run scenarios/gas.ron --format parquet --stats
  carom run scenarios/gas.ron --until 1          halt after 1 s
  carom run --resume output/gas                  go on, after that or after the power went
  carom run --resume output/gas --duration 20    make a finished run longer";

/// What `carom replay` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = REPLAY_EXAMPLES)]
struct ReplayArguments {
    /// A recording, such as output/gas/recording.carom; mesh files are looked for beside it.
    #[arg(value_name = "RECORDING")]
    recording: PathBuf,
    /// Begin at the last snapshot not after this instant, in seconds.
    #[arg(long, value_name = "S", conflicts_with = "against")]
    from: Option<f64>,
    /// Run nothing; compare with another recording.
    #[arg(long, value_name = "OTHER")]
    against: Option<PathBuf>,
    /// No progress bar, and nothing to say if all is the same.
    #[arg(long, short)]
    quiet: bool,
}

const REPLAY_EXAMPLES: &str = "\
Examples:
  carom replay output/gas/recording.carom
  carom replay output/gas/recording.carom --from 1.5
  carom replay output/gas/recording.carom --against from_another_machine.carom

Exit codes: 0 all is the same; 1 something differs; 2 a recording is damaged or cannot be run;
3 a file could not be read.";

/// What `carom query` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = QUERY_EXAMPLES)]
#[command(group = ArgGroup::new("question").required(true).multiple(true).args(["ray", "nearest", "box", "polytope"]))]
struct QueryArguments {
    /// Scenario file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The instant asked about, in seconds; the scenario runs up to it.
    #[arg(long, value_name = "S", default_value_t = 0.0, allow_hyphen_values = true)]
    at: f64,
    /// A ray by its origin (m) and direction: the first body that it meets.
    #[arg(long, value_name = "OX,OY,OZ,DX,DY,DZ", allow_hyphen_values = true)]
    ray: Vec<query::Numbers<6>>,
    /// Every body that a ray meets, in order.
    #[arg(long, requires = "ray", conflicts_with_all = ["radius", "half_extents"])]
    all: bool,
    /// Send a ball of this radius (m) along each ray.
    #[arg(long, value_name = "R", requires = "ray", conflicts_with = "half_extents", allow_hyphen_values = true)]
    radius: Option<f64>,
    /// Send a box with these half edges (m) along each ray.
    #[arg(long, value_name = "HX,HY,HZ", requires = "ray", allow_hyphen_values = true)]
    half_extents: Option<query::Numbers<3>>,
    /// Where rays end, in lengths of their direction.
    #[arg(long, value_name = "T", requires = "ray", default_value_t = f64::INFINITY, allow_hyphen_values = true)]
    until: f64,
    /// A point (m): the body nearest to it.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    nearest: Vec<query::Numbers<3>>,
    /// How far the nearest body may be, m.
    #[arg(long, value_name = "M", requires = "nearest", default_value_t = f64::INFINITY, allow_hyphen_values = true)]
    within: f64,
    /// A box by two corners (m): every body inside it or cut by it.
    #[arg(long, value_name = "X,Y,Z,X,Y,Z", allow_hyphen_values = true)]
    r#box: Vec<query::Numbers<6>>,
    /// A file with a region, a box, planes or a camera's view: every body inside it or cut by it.
    #[arg(long, value_name = "FILE")]
    polytope: Vec<PathBuf>,
    /// Only bodies in these layers of the scenario.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    layers: Vec<String>,
    /// Leave out this body and all whose names begin with it and a slash.
    #[arg(long, value_name = "PATH")]
    without: Option<String>,
    /// See sensors, too.
    #[arg(long)]
    sensors: bool,
    /// Print JSON in place of a table.
    #[arg(long)]
    json: bool,
}

const QUERY_EXAMPLES: &str = "\
Examples:
  carom query scenarios/gallery.ron --ray 0,-5,1,0,1,0
  carom query scenarios/gallery.ron --at 2 --ray 0,-5,1,0,1,0 --all --json
  carom query scenarios/gallery.ron --ray 0,-5,1,0,1,0 --radius 0.1 --without gallery/rail
  carom query scenarios/gallery.ron --box -1,-1,0,1,1,2 --nearest 0,0,3

The columns: query counts the questions, rays first, then points, boxes and regions.";

/// Runs the command line of this process and says how it went.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return exit::usage(&error),
    };
    let exit = match arguments.command {
        Command::Run(arguments) => run::command(&arguments),
        Command::Check { files } => check::command(&files),
        Command::Plot { folder } => plot::command(&folder),
        Command::Replay(arguments) => replay::command(&arguments),
        Command::Bisect { first, second } => replay::bisect(&first, &second),
        Command::Query(arguments) => query::command(&arguments),
        Command::List { folder } => list::command(&folder),
    };
    exit.into()
}
