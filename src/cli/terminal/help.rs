//! Help texts that fit on a terminal.
//!
//! clap breaks the descriptions of options itself. The examples behind them are a table of commands and what they do,
//! which it would break without a margin.

use clap::Command;
use terminal_size::{Width, terminal_size};
use textwrap::core::display_width;

use super::text::{flush, wrapped};

/// The width of a terminal that does not say it, as clap takes it.
const WIDTH: usize = 100;

/// Blanks between a command and what it does, at least.
const GAP: &str = "   ";

/// The command with the texts behind its help, and those of its commands, broken at the width that clap takes, too.
pub(in crate::cli) fn fitted(command: Command) -> Command {
    let columns = || std::env::var("COLUMNS").ok()?.parse().ok();
    let width = terminal_size().map(|(Width(columns), _)| usize::from(columns)).or_else(columns);
    at_width(command, width.unwrap_or(WIDTH))
}

fn at_width(mut command: Command, width: usize) -> Command {
    if let Some(text) = command.get_after_help().map(ToString::to_string) {
        command = command.after_help(examples(&text, width));
    }
    command.mut_subcommands(|command| at_width(command, width))
}

/// Examples, of which each is a command with what it does on the same line, if that is possible for all of them.
fn examples(text: &str, width: usize) -> String {
    if text.lines().all(|line| display_width(line) <= width) {
        return text.to_owned();
    }
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("  ").and_then(|line| line.split_once(GAP)), lines.last_mut()) {
            (Some((command, words)), _) => lines.push(format!("  {command}\n      {}", words.trim_start())),
            // The lines of a sentence become one.
            (None, Some(last)) if [last.as_str(), line].iter().all(|line| line.starts_with(|c| c != ' ')) => {
                *last = format!("{last} {line}");
            }
            (None, _) => lines.push(line.to_owned()),
        }
    }
    let fit = |line: &String| if line.starts_with(' ') { wrapped(line, width) } else { flush(line, width) };
    lines.iter().map(fit).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_does_comes_below_it_on_a_narrow_terminal() {
        let text = "Examples:\n  carom new a.ron      begin\n  carom run b.ron      run it\n\nWords that\nfill a line.";
        assert_eq!(examples(text, 60), text);
        let narrow =
            "Examples:\n  carom new a.ron\n      begin\n  carom run b.ron\n      run it\n\nWords that fill a\nline.";
        assert_eq!(examples(text, 20), narrow);
    }
}
