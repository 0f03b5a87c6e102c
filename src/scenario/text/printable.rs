//! Text from outside, made safe to print on a terminal or in a message.
//!
//! A terminal obeys control characters, and invisible characters can change the order of the text it shows. Names may
//! contain neither. Text that cannot be refused, such as the name of a file, is printed with escapes in their place.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a terminal obeys or hides a character instead of showing it: control characters, characters that change the
/// direction of writing, line separators, and others without a shape. The joiners that emoji and some scripts need are
/// not hidden.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{fffe}'
                | '\u{ffff}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// The rule against hidden characters, in words for messages.
pub(crate) const HIDDEN: &str =
    "must not hold control characters such as line breaks, nor others that are not shown: remove them";

/// The text with hidden characters as escapes, such as `\u{1b}` and `\n`.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// The same for text of several lines; the line breaks stay.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |character| character != '\n' && is_hidden(character))
}

/// A word of a command line, quoted for shells if it has other characters than names have.
#[cfg(feature = "plots")]
pub(crate) fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "._-/+".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) && !word.starts_with('-') {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', "'\\''")))
}

fn escaped(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        // Writing into a string cannot fail.
        let _ = match character {
            '\n' | '\r' | '\t' if is_hidden(character) => write!(shown, "{}", character.escape_default()),
            hidden if is_hidden(hidden) => write!(shown, "{}", hidden.escape_unicode()),
            plain => shown.write_char(plain),
        };
    }
    Cow::Owned(shown)
}

/// The same text with each hidden character replaced by one of the same length, so that places in it stay the same.
/// Line breaks and tabs stay.
pub(crate) fn in_place(text: &str) -> Cow<'_, str> {
    let is_hidden = |character: char| !matches!(character, '\n' | '\r' | '\t') && is_hidden(character);
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let stand_in = |character: char| match character.len_utf8() {
        _ if !is_hidden(character) => character,
        1 => '?',
        2 => '\u{bf}',
        3 => char::REPLACEMENT_CHARACTER,
        _ => '\u{1f7c5}',
    };
    Cow::Owned(text.chars().map(stand_in).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        let rows = [
            ("plain, ü, 漢字, 👩\u{200d}🔬", "plain, ü, 漢字, 👩\u{200d}🔬"),
            ("a\u{1b}[31mb", "a\\u{1b}[31mb"),
            ("a\nb\tc\r", "a\\nb\\tc\\r"),
            ("\0\u{7f}\u{9b}", "\\u{0}\\u{7f}\\u{9b}"),
            ("a\u{202e}b\u{2066}c\u{feff}", "a\\u{202e}b\\u{2066}c\\u{feff}"),
        ];
        for (text, shown) in rows {
            assert_eq!(printable(text), shown);
            assert_eq!(printable_lines(text), shown.replace("\\n", "\n"));
            assert_eq!(in_place(text).len(), text.len());
            assert!(!in_place(text).contains(['\u{1b}', '\u{202e}', '\u{9b}', '\0']));
        }
    }
}
