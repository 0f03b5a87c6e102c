//! An error as it may be shown on a terminal: the same words, with escapes for what a terminal would obey.

use std::fmt;

use miette::{Diagnostic, LabeledSpan, Severity, SourceCode};

use crate::scenario::text::printable::printable;

/// The words of an error and of all that belongs to it, ready to be rendered.
#[derive(Debug)]
pub(super) struct Shown<'a> {
    text: String,
    severity: Option<Severity>,
    help: Option<String>,
    labels: Vec<LabeledSpan>,
    cause: Option<Box<Cause>>,
    related: Vec<Shown<'a>>,
    /// Sources of text give it as it may be shown.
    source_code: Source<'a>,
}

/// A text that an error refers to.
struct Source<'a>(Option<&'a dyn SourceCode>);

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }
}

/// What lies behind an error.
#[derive(Debug)]
struct Cause {
    text: String,
    cause: Option<Box<Cause>>,
}

impl<'a> Shown<'a> {
    pub(super) fn of(error: &'a dyn Diagnostic) -> Self {
        let text = |text: &dyn fmt::Display| printable(&text.to_string()).into_owned();
        let label =
            |label: LabeledSpan| LabeledSpan::new_with_span(label.label().map(|words| text(&words)), *label.inner());
        Self {
            text: text(&error),
            severity: error.severity(),
            help: error.help().map(|help| text(&help)),
            labels: error.labels().into_iter().flatten().map(label).collect(),
            cause: Cause::of(error.source()),
            related: error.related().into_iter().flatten().map(Shown::of).collect(),
            source_code: Source(error.source_code()),
        }
    }
}

impl Cause {
    fn of(error: Option<&dyn std::error::Error>) -> Option<Box<Self>> {
        let error = error?;
        let text = printable(&error.to_string()).into_owned();
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
