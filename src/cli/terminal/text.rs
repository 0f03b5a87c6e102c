//! Text that fits on a terminal.

use clap::builder::styling::AnsiColor;
use textwrap::core::display_width;
use textwrap::{Options, WordSeparator, WordSplitter};

use super::{BAD, GOOD, Look};
use crate::scenario::text::printable::printable_lines;

/// How much further to the right than it begins a line goes on that has no second column.
const HANG: usize = 2;

/// A line that begins this far to the right is itself the second column of a line above.
const SECOND_COLUMN: usize = 8;

/// Signs in summaries and tables, and what stands for them on a terminal without UTF-8.
const ASCII: [(&str, &str); 6] = [("→", "->"), ("≤", "<="), ("≥", ">="), ("–", "-"), ("²", "^2"), ("³", "^3")];

/// A text as it is printed: broken at the width of the terminal, and with its marks in colour.
pub(in crate::cli) fn rendered(text: &str, look: Look) -> String {
    let mut text = printable_lines(text).into_owned();
    if look.width.is_some() && !look.marks {
        text = ASCII.iter().fold(text, |text, (sign, ascii)| text.replace(sign, ascii));
    }
    let text = look.width.map_or_else(|| text.clone(), |width| wrapped(&text, width));
    let colour =
        |text: String, mark: char, colour| text.replace(mark, &look.coloured(colour, mark.encode_utf8(&mut [0; 4])));
    colour(colour(text, GOOD, AnsiColor::Green), BAD, AnsiColor::Red)
}

/// A text with lines that are at most `width` columns wide. They are broken only at blanks, so that a path or a number
/// stays whole even where it is wider. A line goes on under its second column, which stands behind two blanks or more.
/// A command of carom at the end of a line comes to a line of its own and is never broken, so that it can be copied.
pub(in crate::cli) fn wrapped(text: &str, width: usize) -> String {
    laid_out(text, width, |line| hang(line, width))
}

/// The same for a text that has a margin of its own: its lines go on where they begin.
pub(in crate::cli) fn flush(text: &str, width: usize) -> String {
    laid_out(text, width, |_| 0)
}

fn laid_out(text: &str, width: usize, hang: impl Fn(&str) -> usize) -> String {
    let fit = |line: &str| if display_width(line) <= width { line.to_owned() } else { broken(line, width, hang(line)) };
    text.split('\n').map(fit).collect::<Vec<_>>().join("\n")
}

fn broken(line: &str, width: usize, hang: usize) -> String {
    if line.starts_with("carom ") {
        return line.to_owned();
    }
    let indent = " ".repeat(hang);
    if let Some(place) = line.find(": carom ") {
        let (words, command) = line.split_at(place + 1);
        return format!("{}\n{indent}{}", broken(words, width, hang), command.trim_start());
    }
    let options = Options::new(width).subsequent_indent(&indent).break_words(false);
    let options = options.word_separator(WordSeparator::AsciiSpace).word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(line, options)
}

/// Where a line goes on below.
fn hang(line: &str, width: usize) -> usize {
    let begin = line.len() - line.trim_start().len();
    if begin > SECOND_COLUMN {
        return begin;
    }
    let gap = line[begin..].find("  ").map(|place| begin + place);
    let column = gap.map(|gap| display_width(&line[..gap]) + line[gap..].len() - line[gap..].trim_start().len());
    column.filter(|&column| column <= width / 2).unwrap_or(begin + HANG)
}

/// The beginning of a text that is too wide, with a sign that it goes on.
pub(in crate::cli) fn shortened(text: &str, width: usize) -> String {
    if display_width(text) <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for character in text.chars() {
        if display_width(&short) + display_width(character.encode_utf8(&mut [0; 4])) > width.saturating_sub(2) {
            break;
        }
        short.push(character);
    }
    short + ".."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_on_under_their_second_column() {
        let rows = [
            ("", ""),
            ("it fits\nand so does this", "it fits\nand so does this"),
            ("words that are too long for it", "words that are too\n  long for it"),
            ("  label   content that goes on", "  label   content\n          that goes\n          on"),
            ("            losses of two kinds", "            losses\n            of two\n            kinds"),
            ("  a label as wide as that  goes on", "  a label as wide as\n    that  goes on"),
            ("see a/path/that/is/longer/than/a/line", "see\n  a/path/that/is/longer/than/a/line"),
            ("halted; to go on: carom run --resume x y", "halted; to go on:\n  carom run --resume x y"),
            ("carom run --resume output/a --until 3", "carom run --resume output/a --until 3"),
            ("漢字漢字 漢字漢字 漢字漢字", "漢字漢字 漢字漢字\n  漢字漢字"),
        ];
        for (text, wanted) in rows {
            assert_eq!(wrapped(text, 20), wanted);
        }
    }

    #[test]
    fn marks_have_colours_and_nothing_else_is_obeyed() {
        let look = Look { width: Some(20), colours: true, marks: true };
        let [green, red] = ["\u{1b}[1m\u{1b}[32m✓\u{1b}[0m", "\u{1b}[1m\u{1b}[31m✗\u{1b}[0m"];
        let text = "✓ one\n✗ two \u{1b}[32m three four";
        assert_eq!(rendered(text, look), format!("{green} one\n{red} two \\u{{1b}}[32m\n  three four"));
        let plain = Look { width: None, colours: false, marks: true };
        assert_eq!(rendered(text, plain), "✓ one\n✗ two \\u{1b}[32m three four");
        assert_eq!(rendered("1 → 2 N/m²", Look { width: Some(80), marks: false, ..plain }), "1 -> 2 N/m^2");
        assert_eq!(rendered("1 → 2 N/m²", Look { marks: false, ..plain }), "1 → 2 N/m²");
    }

    #[test]
    fn a_name_is_shortened_to_the_columns_there_are() {
        assert_eq!(shortened("newtons_cradle", 14), "newtons_cradle");
        assert_eq!(shortened("newtons_cradle", 10), "newtons_..");
        assert_eq!(shortened("漢字漢字", 7), "漢字..");
    }
}
