//! An error for display on a terminal: the same words, with escapes for characters that a terminal would obey.

use std::fmt;

use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, Severity, SourceCode, SourceSpan, SpanContents,
};
use thiserror::Error;

use super::terminal::text::flush;
use crate::scenario::text::printable::{printable, printable_lines};

/// Most columns of a line, without the margin before it.
const COLUMNS: usize = 90;

/// Columns of the widest margin.
const MARGIN: usize = 10;

/// Least columns of a line; a terminal that is narrower breaks it.
const COLUMNS_LEAST: usize = 20;

/// The words of an error and of all its parts, ready to be rendered.
#[derive(Debug, Error)]
#[error("{text}")]
pub(super) struct Shown<'a> {
    text: String,
    severity: Option<Severity>,
    help: Option<String>,
    labels: Vec<LabeledSpan>,
    #[source]
    cause: Option<Box<Cause>>,
    source_code: Option<Source<'a>>,
}

/// A text that an error refers to. It returns its text in printable form.
struct Source<'a> {
    text: &'a dyn SourceCode,
    /// Columns of a line; longer ones are cut.
    columns: usize,
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }
}

/// The cause of an error.
#[derive(Debug, Error)]
#[error("{text}")]
struct Cause {
    text: String,
    #[source]
    cause: Option<Box<Cause>>,
}

impl<'a> Shown<'a> {
    /// An error without those it consists of, for a terminal that is `width` columns wide.
    pub(super) fn of(error: &'a dyn Diagnostic, width: Option<usize>) -> Self {
        Self::within(error, error.source_code(), width)
    }

    /// The errors of which one consists.
    pub(super) fn several(error: &'a dyn Diagnostic, width: Option<usize>) -> impl Iterator<Item = Self> {
        let source = error.source_code();
        error.related().into_iter().flatten().map(move |part| Self::within(part, part.source_code().or(source), width))
    }

    fn within(error: &'a dyn Diagnostic, source: Option<&'a dyn SourceCode>, width: Option<usize>) -> Self {
        let room = width.map_or(COLUMNS, |width| width.saturating_sub(MARGIN).clamp(COLUMNS_LEAST, COLUMNS));
        let text = |text: &dyn fmt::Display| flush(&printable(&text.to_string()), room);
        let label = |label: LabeledSpan| {
            let (words, span) = (label.label().map(|words| text(&words)), *label.inner());
            let shown = source.filter(|_| width.is_some()).and_then(|source| beginning(source, span, room / 2));
            LabeledSpan::new_with_span(words, (span.offset(), shown.unwrap_or(span.len())))
        };
        let columns = width.map_or(usize::MAX, |width| width.saturating_sub(MARGIN).max(COLUMNS_LEAST));
        Self {
            text: text(&error),
            severity: error.severity(),
            // Only a help text has lines of its own. Text quoted in it was made printable when it was inserted.
            help: error.help().map(|help| flush(&printable_lines(&help.to_string()), room)),
            labels: error.labels().into_iter().flatten().map(label).collect(),
            cause: Cause::of(error.source(), room),
            source_code: source.map(|text| Source { text, columns }),
        }
    }
}

impl SourceCode for Source<'_> {
    /// The lines around a place; if one of them is too long, only the line of the place, cut around it.
    fn read_span<'b>(
        &'b self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'b> + 'b>, MietteError> {
        let whole = self.text.read_span(span, lines_before, lines_after)?;
        let Ok(text) = std::str::from_utf8(whole.data()) else { return Ok(whole) };
        if text.lines().all(|line| line.chars().count() <= self.columns) {
            return Ok(whole);
        }
        let begin = span.offset() - whole.span().offset();
        // Places on two lines get a picture each.
        let place = text.get(begin..begin + span.len()).filter(|place| !place.contains('\n'));
        let Some(place) = place else { return Err(MietteError::OutOfBounds) };
        let (from, to) = around(text, begin, place.chars().count(), self.columns);
        let (line, column) = match text[..from].rsplit_once('\n') {
            Some((above, before)) => (whole.line() + above.matches('\n').count() + 1, before.chars().count()),
            None => (whole.line(), whole.column() + text[..from].chars().count()),
        };
        let name = whole.name().unwrap_or_default().to_owned();
        let cut = SourceSpan::from((whole.span().offset() + from, to - from));
        Ok(Box::new(MietteSpanContents::new_named(name, &whole.data()[from..to], cut, line, column, 1)))
    }
}

/// The length in bytes of the first `columns` characters of a place, or of all if they are fewer.
fn beginning(source: &dyn SourceCode, place: SourceSpan, columns: usize) -> Option<usize> {
    let contents = source.read_span(&place, 0, 0).ok()?;
    let text = std::str::from_utf8(contents.data()).ok()?;
    Some(text.char_indices().nth(columns).map_or(text.len(), |(end, _)| end))
}

/// The part of a line of `text` that has `columns` characters at most, `count` of which begin at the byte `begin`. It
/// shows what is before them if there is room, up to a third.
fn around(text: &str, begin: usize, count: usize, columns: usize) -> (usize, usize) {
    let start = text[..begin].rfind('\n').map_or(0, |place| place + 1);
    let end = text[begin..].find('\n').map_or(text.len(), |place| begin + place);
    let behind = text[begin..end].chars().count();
    let before = columns.saturating_sub(behind.max(count)).max(columns / 3);
    let from = text[start..begin].char_indices().rev().take(before).last().map_or(begin, |(place, _)| start + place);
    let to = text[from..end].char_indices().nth(columns).map_or(end, |(place, _)| from + place);
    (from, to)
}

impl Cause {
    fn of(error: Option<&dyn std::error::Error>, room: usize) -> Option<Box<Self>> {
        let error = error?;
        let text = flush(&printable(&error.to_string()), room);
        Some(Box::new(Self { text, cause: Self::of(error.source(), room) }))
    }
}

impl Diagnostic for Shown<'_> {
    fn severity(&self) -> Option<Severity> {
        self.severity
    }

    fn help<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty()).then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = _>>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source_code.as_ref().map(|source| source as &dyn SourceCode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines shown around a place, and the line and the column at which they begin.
    fn seen(text: &str, place: (usize, usize), columns: usize) -> (String, usize, usize) {
        let text = text.to_owned();
        let source = Source { text: &text, columns };
        let contents = source.read_span(&SourceSpan::from(place), 1, 1).unwrap();
        (String::from_utf8(contents.data().to_vec()).unwrap(), contents.line(), contents.column())
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_around_its_place() {
        let text = "one\ntwo\nthree and four and five and six\nseven";
        assert_eq!(seen(text, (8, 5), 31), ("two\nthree and four and five and six\nseven".to_owned(), 1, 0));
        let rows = [
            ("three", "three and four and f", 0),
            ("four", "e and four and five ", 4),
            ("five", "our and five and six", 11),
            ("six", "our and five and six", 11),
        ];
        for (word, wanted, column) in rows {
            let (found, line, at) = seen(text, (text.find(word).unwrap(), word.len()), 20);
            assert!(found.contains(word) && found.chars().count() <= 20, "{word}: {found}");
            assert_eq!((found.as_str(), line, at), (wanted, 2, column), "{word}");
        }
        assert_eq!(beginning(&text.to_owned(), (8, 5).into(), 3), Some(3));
        assert_eq!(beginning(&"äöü".to_owned(), (2, 4).into(), 9), Some(4));
        let source = Source { text: &text.to_owned(), columns: 20 };
        assert!(source.read_span(&SourceSpan::from((0, 10)), 1, 1).is_err(), "places on two lines get a picture each");
    }
}
