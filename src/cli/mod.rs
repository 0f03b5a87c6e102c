//! The command line: arguments in, exit codes out. It knows no physics.

mod check;
mod exit;
mod list;
mod outbox;
mod plot;
mod progress;
mod run;
mod summary;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
  carom plot output/newtons_cradle               draw the plots again from the saved tables
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
    #[arg(required = true, value_name = "FILE")]
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
    /// No progress bar and no summary; errors are still shown.
    #[arg(long, short)]
    quiet: bool,
}

const RUN_EXAMPLES: &str = "\
Examples:
  carom run scenarios/bouncing_ball.ron
  carom run scenarios/gas.ron --duration 2 --timestep 0.5
  carom run a.ron b.ron --output results --quiet";

/// Runs the command line of this process and says how it went.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let exit = match arguments.command {
        Command::Run(arguments) => run::command(&arguments),
        Command::Check { files } => check::command(&files),
        Command::Plot { folder } => plot::command(&folder),
        Command::List { folder } => list::command(&folder),
    };
    exit.into()
}
