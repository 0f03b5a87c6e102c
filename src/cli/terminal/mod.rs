//! What the program knows of the terminal it writes to: how wide it is, and whether it shows colours and all
//! characters.
//!
//! A text is laid out by functions of a [`Look`] alone, so that tests need no terminal. Elsewhere than on a terminal
//! lines stay whole and plain.

pub(super) mod columns;
pub(super) mod help;
pub(super) mod text;

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use clap::builder::styling::AnsiColor;
use supports_unicode::Stream;
use terminal_size::{Height, Width, terminal_size_of};

/// The mark of what is as it should be.
pub(super) const GOOD: char = '✓';
/// The mark of what is not.
pub(super) const BAD: char = '✗';

/// How text is shown on one output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    /// The columns of the terminal; `None` elsewhere.
    pub(super) width: Option<usize>,
    /// Whether colours are shown.
    pub(super) colours: bool,
    /// Whether verdicts have marks; elsewhere they are words.
    pub(super) marks: bool,
}

/// What is known of an output.
#[derive(Debug, Clone, Copy)]
struct Output {
    is_terminal: bool,
    width: Option<usize>,
    is_utf8: bool,
}

impl Look {
    /// The look of standard output.
    pub(super) fn of_stdout() -> Self {
        Self::of(io::stdout().is_terminal(), terminal_size_of(io::stdout()), Stream::Stdout)
    }

    /// The look of standard error.
    pub(super) fn of_stderr() -> Self {
        Self::of(io::stderr().is_terminal(), terminal_size_of(io::stderr()), Stream::Stderr)
    }

    fn of(is_terminal: bool, size: Option<(Width, Height)>, stream: Stream) -> Self {
        let width = size.map(|(Width(columns), _)| usize::from(columns));
        Self::new(Output { is_terminal, width, is_utf8: supports_unicode::on(stream) }, |name| std::env::var_os(name))
    }

    /// The environment says whether colours are wanted: `NO_COLOR` forbids them, and `CLICOLOR_FORCE` asks for them
    /// elsewhere than on a terminal, too.
    fn new(output: Output, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let Output { is_terminal, width, is_utf8 } = output;
        let is_forced = variable("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0");
        let is_simple = variable("TERM").is_some_and(|terminal| terminal == "dumb") && !is_forced;
        let is_rich = (is_terminal || is_forced) && !is_simple;
        Self { width, colours: is_rich && variable("NO_COLOR").is_none(), marks: is_rich && is_utf8 }
    }

    /// A verdict: with its mark, or else with a word.
    pub(super) fn verdict(self, is_good: bool, words: &str) -> String {
        match (self.marks, is_good) {
            (true, _) => self.marked(is_good, words),
            (false, true) => format!("ok: {words}"),
            (false, false) => format!("FAILED: {words}"),
        }
    }

    /// Words that say the verdict themselves, with its mark where there are marks.
    pub(super) fn marked(self, is_good: bool, words: &str) -> String {
        if self.marks { format!("{} {words}", if is_good { GOOD } else { BAD }) } else { words.to_owned() }
    }

    /// Words in a colour.
    pub(super) fn coloured(self, colour: AnsiColor, words: &str) -> String {
        if !self.colours {
            return words.to_owned();
        }
        let style = colour.on_default().bold();
        format!("{style}{words}{style:#}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_that_know_them() {
        let rows = [
            (true, "TERM=xterm-256color", true, true),
            (true, "", true, true),
            (true, "TERM=dumb", false, false),
            (true, "TERM=xterm NO_COLOR=", false, true),
            (false, "TERM=xterm", false, false),
            (false, "", false, false),
            (false, "CLICOLOR_FORCE=1", true, true),
            (false, "CLICOLOR_FORCE=1 TERM=dumb", true, true),
            (false, "CLICOLOR_FORCE=1 NO_COLOR=1", false, true),
            (false, "CLICOLOR_FORCE=0", false, false),
            (true, "CLICOLOR_FORCE=0", true, true),
        ];
        for (is_terminal, variables, colours, marks) in rows {
            let variable = |name: &str| {
                let mut set = variables.split(' ').filter_map(|variable| variable.split_once('='));
                set.find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
            };
            for is_utf8 in [true, false] {
                let look = Look::new(Output { is_terminal, width: Some(80), is_utf8 }, variable);
                assert_eq!((look.colours, look.marks), (colours, marks && is_utf8), "{is_terminal} {variables:?}");
            }
        }
    }

    #[test]
    fn a_verdict_is_a_mark_or_a_word() {
        let plain = Look { width: None, colours: false, marks: false };
        let marked = Look { marks: true, ..plain };
        assert_eq!(
            [true, false].map(|is_good| plain.verdict(is_good, "a: 1 of 2")),
            ["ok: a: 1 of 2", "FAILED: a: 1 of 2"]
        );
        assert_eq!([true, false].map(|is_good| marked.verdict(is_good, "a: 1 of 2")), ["✓ a: 1 of 2", "✗ a: 1 of 2"]);
        assert_eq!([plain, marked].map(|look| look.marked(true, "a: ok")), ["a: ok", "✓ a: ok"]);
        assert_eq!(plain.coloured(AnsiColor::Red, "error:"), "error:");
        let red = Look { colours: true, ..plain }.coloured(AnsiColor::Red, "error:");
        assert_eq!(red, "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m");
    }
}
