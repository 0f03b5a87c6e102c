//! The command line: arguments in, exit codes out. It contains no physics.

mod arguments;
mod commands;
mod delivery;
mod exit;
mod names;
mod numbers;
mod progress;
mod shown;
mod signals;
pub mod staging;
mod summary;
mod terminal;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use arguments::{Arguments, Command};
use commands::judging::{compare, oracle};
use commands::replaying::{diff, replay};
use commands::{check, export, film, import, list, new, pages, plot, query, report, run, sweep};
pub use exit::Exit;

/// Runs the command line of this process, and returns its exit code.
pub fn main() -> ExitCode {
    run_with(std::env::args_os()).into()
}

/// Runs the command line with these words, the first of which is the name of the program.
pub fn run_with(words: impl IntoIterator<Item = OsString>) -> Exit {
    signals::outlive_file_limit();
    carry_out(words).unwrap_or_else(|exit| exit)
}

fn carry_out(words: impl IntoIterator<Item = OsString>) -> Result<Exit, Exit> {
    let arguments = terminal::help::fitted(Arguments::command()).try_get_matches_from(words).and_then(|matches| {
        Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut Arguments::command()))
    });
    match arguments {
        Ok(arguments) => arguments.command.carry_out(),
        Err(other) => exit::answer(other),
    }
}

impl Command {
    fn carry_out(self) -> Result<Exit, Exit> {
        match self {
            Self::Run(arguments) => run::command(&arguments),
            Self::Sweep(arguments) => sweep::command(&arguments),
            Self::Check { files, set, json } => check::command(&files, &set, json),
            Self::Plot(arguments) => plot::command(&arguments),
            Self::Report(arguments) => report::command(&arguments),
            Self::Export(arguments) => export::command(&arguments),
            Self::Film(arguments) => film::command(&arguments),
            Self::Import(arguments) => import::command(&arguments),
            Self::Replay(arguments) => replay::command(&arguments),
            Self::Bisect(arguments) => replay::bisect(&arguments),
            Self::Diff(arguments) => diff::command(&arguments),
            Self::Oracle(arguments) => oracle::command(&arguments),
            Self::Compare(arguments) => compare::command(&arguments),
            Self::Query(arguments) => query::command(&arguments),
            Self::List { folder } => list::command(folder.as_deref()),
            Self::New { file } => new::command(&file),
            Self::Completions { shell } => pages::completions(shell),
            Self::Man { output } => pages::man(output.as_deref()),
            // Runs the command with `--help`.
            Self::Help { command } => {
                let words = ["carom".to_owned()].into_iter().chain(command).chain(["--help".to_owned()]);
                carry_out(words.map(OsString::from))
            }
        }
    }
}
