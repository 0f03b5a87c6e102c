//! An error for display on a terminal: the same words, with escapes for characters that a terminal would obey.

use std::fmt;

use miette::{Diagnostic, LabeledSpan, Severity, SourceCode};

use crate::scenario::text::printable::{printable, printable_lines};

/// Characters of a line, without the margin before it.
const COLUMNS: usize = 90;

/// The words of an error and of all its parts, ready to be rendered.
#[derive(Debug)]
pub(super) struct Shown<'a> {
    text: String,
    severity: Option<Severity>,
    help: Option<String>,
    labels: Vec<LabeledSpan>,
    cause: Option<Box<Cause>>,
    related: Vec<Shown<'a>>,
    /// Sources return their text in printable form.
    source_code: Source<'a>,
}

/// A text that an error refers to.
struct Source<'a>(Option<&'a dyn SourceCode>);

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }
}

/// The cause of an error.
#[derive(Debug)]
struct Cause {
    text: String,
    cause: Option<Box<Cause>>,
}

impl<'a> Shown<'a> {
    pub(super) fn of(error: &'a dyn Diagnostic) -> Self {
        let text = |text: &dyn fmt::Display| wrapped(&printable(&text.to_string()));
        let label =
            |label: LabeledSpan| LabeledSpan::new_with_span(label.label().map(|words| text(&words)), *label.inner());
        Self {
            text: text(&error),
            severity: error.severity(),
            // Only a help text has lines of its own. Text quoted in it was made printable when it was inserted.
            help: error.help().map(|help| wrapped(&printable_lines(&help.to_string()))),
            labels: error.labels().into_iter().flatten().map(label).collect(),
            cause: Cause::of(error.source()),
            related: error.related().into_iter().flatten().map(Shown::of).collect(),
            source_code: Source(error.source_code()),
        }
    }
}

/// The text in lines that fit on a terminal, broken only at blanks. A path that is too long for a line stays in one
/// piece, and a command on a line of its own stays there, so that both can be copied.
fn wrapped(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut columns = 0;
        for (place, word) in line.split(' ').enumerate() {
            let width = word.chars().count();
            let fits = columns + 1 + width <= COLUMNS || line.starts_with("carom ");
            match lines.last_mut().filter(|_| place > 0 && fits) {
                Some(last) => {
                    *last = format!("{last} {word}");
                    columns += 1 + width;
                }
                None => {
                    lines.push(word.to_owned());
                    columns = width;
                }
            }
        }
    }
    lines.join("\n")
}

impl Cause {
    fn of(error: Option<&dyn std::error::Error>) -> Option<Box<Self>> {
        let error = error?;
        let text = wrapped(&printable(&error.to_string()));
        Some(Box::new(Self { text, cause: Self::of(error.source()) }))
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Cause {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().map(|cause| cause.as_ref() as _)
    }
}

impl std::error::Error for Shown<'_> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().map(|cause| cause.as_ref() as _)
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
        self.source_code.0
    }

    fn related<'b>(&'b self) -> Option<Box<dyn Iterator<Item = &'b dyn Diagnostic> + 'b>> {
        let related = self.related.iter().map(|related| related as &dyn Diagnostic);
        (!self.related.is_empty()).then(|| Box::new(related) as Box<dyn Iterator<Item = _>>)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_and_commands_do_not() {
        let word = "a-b/c".repeat(9);
        let long = [&*word; 5].join(" ");
        let rows = [
            ("", String::new()),
            ("one line", "one line".to_owned()),
            ("two\nlines", "two\nlines".to_owned()),
            (&long, format!("{word}\n{word}\n{word}\n{word}\n{word}")),
            (&long[..90], long[..90].to_owned()),
            (&long[..91], format!("{word}\n{word}")),
            (&format!("to go on:\ncarom {long}\nor not"), format!("to go on:\ncarom {long}\nor not")),
        ];
        for (text, wanted) in rows {
            assert_eq!(wrapped(text), wanted, "{text}");
        }
        assert_eq!(wrapped("ab ".repeat(60).trim_end()).lines().map(str::len).max(), Some(89));
    }
}
