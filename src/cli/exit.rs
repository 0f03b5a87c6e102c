//! How a command ended, and how that is said. Everything that is printed goes through here, and comes out printable.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};

use super::shown::Shown;
use crate::scenario::printable::{printable, printable_lines};

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

/// Shows an error or a warning with its source line on stderr: in colours and curves on a terminal, in ASCII elsewhere.
pub(super) fn show(error: &dyn Diagnostic) {
    let plain = !io::stderr().is_terminal() || std::env::var_os("NO_COLOR").is_some();
    let theme = if plain { GraphicalTheme::none() } else { GraphicalTheme::unicode() };
    let mut text = String::new();
    // Rendering into memory fails only if the error's own text does.
    let shown = Shown::of(error);
    if GraphicalReportHandler::new_themed(theme).with_width(100).render_report(&mut text, &shown).is_err() {
        text = shown.to_string();
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
    let _ = writeln!(io::stderr(), "{}", printable(&text));
}

/// Shows a warning that has no source line.
pub(super) fn warn(text: &str) {
    let _ = writeln!(io::stderr(), "warning: {}", printable(text));
}

/// A path as it may be printed within other text.
pub(super) fn path(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// Prints lines to stdout. A closed pipe is the reader's wish to hear no more, not an error.
pub(super) fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{}", printable_lines(text));
}

/// Shows what is wrong with the arguments, or the help that they ask for. What they hold is printed as it may be.
pub(super) fn usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if matches!(printable_lines(&text), Cow::Borrowed(_)) {
        // Nothing in it is obeyed by a terminal but what clap itself adds.
        let _ = error.print();
    } else {
        let _ = writeln!(io::stderr(), "{}", printable_lines(text.trim_end()));
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(Exit::BadInput as u8))
}
