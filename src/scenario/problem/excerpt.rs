//! The part of a file that is shown around a problem.
//!
//! miette requests the lines around the underlined text. Its own reader counts columns in bytes and shows a whole line,
//! even one of many megabytes. This reader counts characters, as everything here does, and cuts long lines.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::scenario::text::locate;
use crate::scenario::text::printable::{in_place, printable};

/// Most bytes shown before long lines are cut, about a screen.
const WINDOW_BYTES_MAX: usize = 4096;

/// Characters kept on both sides of the underlined text in a line that is cut.
const MARGIN: usize = 60;

/// A file's name and text, without hidden characters.
#[derive(Debug)]
pub(crate) struct Excerpt {
    pub(crate) name: String,
    text: String,
}

impl Excerpt {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        Self { name: printable(name).into_owned(), text: in_place(text).into_owned() }
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        let (before, after) = self.text.split_at_checked(start).ok_or(MietteError::OutOfBounds)?;
        let rest = after.get(span.len()..).ok_or(MietteError::OutOfBounds)?;
        let (from, to) = if lines_before + lines_after == 0 {
            (start, end)
        } else {
            let from = before.rmatch_indices('\n').nth(lines_before).map_or(0, |(place, _)| place + 1);
            let to = rest.match_indices('\n').nth(lines_after).map_or(self.text.len(), |(place, _)| end + place + 1);
            if to - from <= WINDOW_BYTES_MAX { (from, to) } else { self.cut(before, rest) }
        };
        let (line, column) = locate::line_column(&self.text, from);
        let data = &self.text[from..to];
        let lines = data.lines().count();
        let span = SourceSpan::from((from, to - from));
        let contents =
            MietteSpanContents::new_named(self.name.clone(), data.as_bytes(), span, line - 1, column - 1, lines);
        Ok(Box::new(contents))
    }
}

impl Excerpt {
    /// The bytes from shortly before to shortly after the underlined text, within its own lines.
    fn cut(&self, before: &str, rest: &str) -> (usize, usize) {
        let on_line = |&(_, character): &(usize, char)| character != '\n';
        let from = before.char_indices().rev().take_while(on_line).take(MARGIN).last();
        let to = rest.char_indices().take_while(on_line).take(MARGIN).last();
        let end = self.text.len() - rest.len();
        (
            from.map_or(before.len(), |(place, _)| place),
            to.map_or(end, |(place, character)| end + place + character.len_utf8()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, span: (usize, usize), context: usize) -> (String, usize, usize) {
        let excerpt = Excerpt::new("x", text);
        let contents = excerpt.read_span(&SourceSpan::from(span), context, context).unwrap();
        let data = String::from_utf8(contents.data().to_vec()).unwrap();
        (data, contents.line(), contents.column())
    }

    #[test]
    fn lines_around_are_shown_and_columns_count_characters() {
        let text = "one\ntwo\nü three\nfour\nfive";
        assert_eq!(shown(text, (11, 5), 0), ("three".to_owned(), 2, 2));
        assert_eq!(shown(text, (11, 5), 1), ("two\nü three\nfour\n".to_owned(), 1, 0));
        assert_eq!(shown(text, (0, 3), 1), ("one\ntwo\n".to_owned(), 0, 0));
        assert_eq!(shown(text, (text.len(), 0), 1), ("four\nfive".to_owned(), 3, 0));
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides() {
        let text = "ü".repeat(10_000);
        let (data, line, column) = shown(&text, (8_000, 4), 1);
        assert_eq!((data.len(), line, column), (4 * MARGIN + 4, 0, 4_000 - MARGIN));
    }
}
