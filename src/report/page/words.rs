//! Texts and numbers as they stand on a page.

use maud::{Markup, html};

use crate::numeric::rounded;
use crate::report::chart::grouped;
use crate::scenario::text::printable::{printable, printable_lines, quoted};

/// Digits of a number on the page; the tables have all digits.
const DIGITS: usize = 7;

/// Most bytes of a text that are shown.
const TEXT_MAX: usize = 1 << 16;

/// A text from outside in one line. It does not change the direction of the text around it.
pub(super) fn outside(text: &str) -> Markup {
    html! { bdi { (printable(text)) } }
}

/// A text from outside with its line breaks, and tabs as blanks.
pub(super) fn outside_lines(text: &str) -> String {
    printable_lines(&text.replace("\r\n", "\n").replace('\t', "    ")).into_owned()
}

/// A number with its unit; the blank between them does not break.
pub(super) fn with_unit(value: f64, unit: &str) -> String {
    to_digits(value, DIGITS, unit)
}

/// The same to so many digits.
pub(super) fn to_digits(value: f64, digits: usize, unit: &str) -> String {
    let number = rounded(value, digits).replace('-', "\u{2212}");
    if unit.is_empty() { number } else { format!("{number}\u{a0}{unit}") }
}

/// A number to seven digits, with a true minus sign.
pub(super) fn number(value: f64) -> String {
    with_unit(value, "")
}

/// A whole number with separated thousands.
pub(super) fn whole(value: u64) -> String {
    grouped(value).replace(',', "\u{202f}")
}

/// The same with the word for what is counted, in the singular for one.
pub(super) fn count(value: u64, one: &str, many: &str) -> String {
    format!("{}\u{a0}{}", whole(value), if value == 1 { one } else { many })
}

/// A vector with its unit.
pub(super) fn vector(value: [f64; 3], unit: &str) -> String {
    let [x, y, z] = value.map(number);
    format!("({x}, {y}, {z})\u{a0}{unit}")
}

/// The text of a file, or its beginning if it is long; `label` describes it for screen readers.
pub(super) fn written(text: &str, label: &str) -> Markup {
    let end = (0..=TEXT_MAX.min(text.len())).rev().find(|&place| text.is_char_boundary(place));
    let shown = &text[..end.unwrap_or_default()];
    html! {
        @if shown.len() < text.len() {
            p { "The first " (whole(shown.len() as u64)) " of " (count(text.len() as u64, "byte", "bytes")) "." }
        }
        pre.code tabindex="0" role="region" aria-label=(label) { "\n" (outside_lines(shown)) }
    }
}

/// A word of a command line, quoted for shells.
pub(super) fn word(text: &str) -> Markup {
    outside(&quoted(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        let rows = [(0, "0"), (999, "999"), (1000, "1\u{202f}000"), (1_234_567, "1\u{202f}234\u{202f}567")];
        for (value, text) in rows {
            assert_eq!(whole(value), text);
        }
        assert_eq!(number(-0.125), "\u{2212}0.125");
    }

    #[test]
    fn outside_text_is_shown_and_not_obeyed() {
        let shown = outside("<b>\u{202e}\u{7}&").into_string();
        assert_eq!(shown, "<bdi>&lt;b&gt;\\u{202e}\\u{7}&amp;</bdi>");
        assert_eq!(outside_lines("a\tb\r\nc\u{200f}"), "a    b\nc\\u{200f}");
    }
}
