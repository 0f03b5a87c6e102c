//! How a command ended, and how that is said.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};

/// How a command ended; of several files the gravest counts, which is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// All is well: 0.
    Success,
    /// An expectation was not met, or a run ended with an error: 1.
    Unmet,
    /// Bad input: 2.
    BadInput,
    /// A file could not be read or written: 3.
    Io,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Shows an error with its source line on stderr: in colours and curves on a terminal, in ASCII elsewhere.
pub(super) fn show(error: &dyn Diagnostic) {
    let plain = !io::stderr().is_terminal() || std::env::var_os("NO_COLOR").is_some();
    let theme = if plain { GraphicalTheme::none() } else { GraphicalTheme::unicode() };
    let mut text = String::new();
    // Rendering into memory fails only if the error's own text does.
    if GraphicalReportHandler::new_themed(theme).with_width(100).render_report(&mut text, error).is_err() {
        text = error.to_string();
    }
    let _ = writeln!(io::stderr(), "{}", text.trim_end());
}

/// Shows an error that has no source line, with all its causes.
pub(super) fn show_plain(error: &dyn std::error::Error) {
    let mut text = format!("error: {error}");
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints to stdout, and says on stderr if that cannot be.
pub(super) fn say(text: &str) -> Result<(), Exit> {
    let mut stdout = io::stdout().lock();
    heard(stdout.write_all(text.as_bytes()).and_then(|()| stdout.write_all(b"\n")).and_then(|()| stdout.flush()))
}

/// What writing to stdout came to. A closed pipe is the reader's wish to hear no more, not an error.
pub(super) fn heard(written: io::Result<()>) -> Result<(), Exit> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            show_plain(&io::Error::other(format!("cannot write to standard output: {error}")));
            Err(Exit::Io)
        }
        _ => Ok(()),
    }
}
