//! The end of a command, and its messages. All printed text goes through here and is made printable.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::builder::styling::AnsiColor;
use clap::error::{ContextKind, ContextValue};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};

use super::shown::Shown;
use super::terminal::Look;
use super::terminal::text::{rendered, wrapped};
use crate::scenario::text::printable::{printable, printable_lines, quoted};

/// How a command ended. For several files the most serious result counts, which is the greatest.
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
    /// Ctrl-C: 130.
    Interrupted = 130,
    /// Another process asked the program to end: 143.
    Terminated = 143,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Shows an error or a warning with its source line on stderr: in colours and curves on a terminal, in ASCII elsewhere.
/// If it consists of several, each is shown, and how many they are stands at the end, which stays on the terminal.
pub(super) fn show(error: &dyn Diagnostic) {
    let _ = writeln!(io::stderr(), "{}", report(error, Look::of_stderr()));
}

fn report(error: &dyn Diagnostic, look: Look) -> String {
    let theme = match (look.colours, look.marks) {
        (true, true) => GraphicalTheme::unicode(),
        (true, false) => GraphicalTheme::ascii(),
        (false, _) => GraphicalTheme::none(),
    };
    // `Shown` has already broken the lines.
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_wrap_lines(false);
    let render = |shown: &Shown<'_>| {
        let mut text = String::new();
        // Rendering into memory fails only if the text of the error itself fails.
        if handler.render_report(&mut text, shown).is_err() {
            text = shown.to_string();
        }
        text.trim_end().to_owned()
    };
    let all = Shown::several(error, look.width).chain([Shown::of(error, look.width)]);
    all.map(|shown| render(&shown)).collect::<Vec<_>>().join("\n\n")
}

/// Shows an error that has no source line, with all its causes.
pub(super) fn show_plain(error: &dyn std::error::Error) {
    complain(&with_causes(error));
}

/// Shows what went wrong, in words.
pub(super) fn complain(words: &str) {
    remark("error:", AnsiColor::Red, words);
}

/// Shows in words what is wrong with the input.
pub(super) fn bad(words: &str) -> Exit {
    complain(words);
    Exit::BadInput
}

/// Shows what is wrong with the input, with its source line.
pub(super) fn invalid(error: &dyn Diagnostic) -> Exit {
    refused(error, false)
}

/// Shows what is wrong with the input, or else what could not be read or written.
pub(super) fn refused(error: &dyn Diagnostic, is_io: bool) -> Exit {
    show(error);
    if is_io { Exit::Io } else { Exit::BadInput }
}

/// Shows in words what could not be read or written.
pub(super) fn failed(words: &str) -> Exit {
    complain(words);
    Exit::Io
}

/// Shows why something could not be read or written, with all causes.
pub(super) fn unwritten(error: &dyn std::error::Error) -> Exit {
    failed(&with_causes(error))
}

/// Shows a warning that has no source line.
pub(super) fn warn(words: &str) {
    remark("warning:", AnsiColor::Yellow, words);
}

fn remark(kind: &str, colour: AnsiColor, words: &str) {
    let look = Look::of_stderr();
    let line = format!("{kind} {}", printable(words));
    let line = look.width.map_or_else(|| line.clone(), |width| wrapped(&line, width));
    let _ = writeln!(io::stderr(), "{}", line.replacen(kind, &look.coloured(colour, kind), 1));
}

/// Shows a message that is not a result.
pub(super) fn note(words: &str) {
    let _ = writeln!(io::stderr(), "{}", rendered(words, Look::of_stderr()));
}

/// Whether errors appear between the results, because both are on a terminal.
pub(super) fn is_one_screen() -> bool {
    io::stdout().is_terminal() && io::stderr().is_terminal()
}

/// An error and all its causes in one line.
pub(super) fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// A path made printable within other text.
pub(super) fn path(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// A path made printable as a word of a command line.
pub(super) fn word(file: &Path) -> String {
    quoted(&path(file)).into_owned()
}

/// Prints words for a reader to stdout, in lines that fit on the terminal, and reports on stderr if that fails.
pub(super) fn say(text: &str) -> Result<(), Exit> {
    print(format!("{}\n", rendered(text, Look::of_stdout())).as_bytes())
}

/// Prints text for a program or a command line to stdout; its lines stay as they are.
pub(super) fn hand_over(text: &str) -> Result<(), Exit> {
    print(format!("{}\n", printable_lines(text)).as_bytes())
}

/// Prints bytes to stdout, and reports on stderr if that fails.
pub(super) fn print(bytes: &[u8]) -> Result<(), Exit> {
    let mut stdout = io::stdout().lock();
    heard(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// Prints the answer of clap in place of arguments: help and version to stdout, errors in the arguments to stderr. Text
/// from the arguments is made printable.
pub(super) fn answer(mut words: clap::Error) -> Result<Exit, Exit> {
    drop_advice(&mut words);
    let words = &words;
    let plain = words.render().to_string();
    let text = given(words).fold(plain.clone(), |text, word| text.replace(word, &printable(word)));
    // After this, a terminal obeys only characters that clap itself adds.
    let printed = match printable_lines(&text) {
        Cow::Borrowed(text) if text == plain => words.print(),
        text => writeln!(io::stderr(), "{}", text.trim_end()),
    };
    if words.use_stderr() {
        return Err(Exit::BadInput);
    }
    heard(printed).map(|()| Exit::Success)
}

/// Removes the advice to give an unknown option as a value after `--`: no file has such a name.
fn drop_advice(words: &mut clap::Error) {
    let is_option = |value: &ContextValue| matches!(value, ContextValue::String(text) if text.starts_with("--"));
    if words.get(ContextKind::InvalidArg).is_some_and(is_option) {
        words.remove(ContextKind::Suggested);
    }
}

/// The arguments that an error of clap quotes. Blanks alone are left out, because clap's own line breaks are blanks,
/// too.
fn given(words: &clap::Error) -> impl Iterator<Item = &String> {
    let texts = words.context().flat_map(|(_, value)| match value {
        ContextValue::String(text) => std::slice::from_ref(text),
        ContextValue::Strings(texts) => texts.as_slice(),
        _ => &[],
    });
    texts.filter(|text| !text.trim().is_empty())
}

/// The result of writing to stdout. A closed pipe is not an error: the reader needs no more.
pub(super) fn heard(written: io::Result<()>) -> Result<(), Exit> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(failed(&format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
