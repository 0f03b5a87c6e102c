//! A fault with its place, and the list in which a reader collects them.

mod advice;
pub(super) mod check;
mod excerpt;
pub(super) mod syntax;

use std::fmt;
use std::ops::Range;

use miette::{Diagnostic, LabeledSpan, Severity, SourceCode};
use thiserror::Error;

use super::Source;
use super::error_kinds::Fault;
use super::limits::PROBLEMS_MAX;
use super::text::locate;
use excerpt::Excerpt;

/// One thing that is wrong with a scenario, and where.
///
/// Its text is `file:line:column: field: what is wrong`; columns count characters, from 1. For a value that was set
/// from outside it is `setting: what is wrong`.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{}{fault}", self.prefix())]
pub struct Problem {
    /// The file's name.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The field's path, such as `bodies[3].mass`; empty for the file as a whole.
    pub field: String,
    /// The setting that the value comes from, if it was set from outside: `--set timestep=0`.
    pub setting: Option<String>,
    /// What is wrong.
    pub fault: Fault,
    /// The places to underline, the place above first; empty for a value that was set from outside.
    labels: Vec<LabeledSpan>,
}

impl Problem {
    fn prefix(&self) -> String {
        let Self { file, line, column, field, setting, .. } = self;
        match setting {
            Some(setting) => format!("{setting}: "),
            None if field.is_empty() => format!("{file}:{line}:{column}: "),
            None => format!("{file}:{line}:{column}: {field}: "),
        }
    }
}

impl Diagnostic for Problem {
    fn severity(&self) -> Option<Severity> {
        self.fault.is_warning().then_some(Severity::Warning)
    }

    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        self.fault.help().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

/// Everything that is wrong with a scenario, in the order of the file.
#[derive(Debug, Error)]
#[error("{} has {}", source_code.name, self.count())]
pub struct Problems {
    source_code: Excerpt,
    list: Vec<Problem>,
    unlisted: usize,
}

impl Problems {
    /// The listed problems; if there are very many, only the first.
    pub fn list(&self) -> &[Problem] {
        &self.list
    }

    /// The number of problems beyond the list.
    #[doc(hidden)]
    pub const fn unlisted(&self) -> usize {
        self.unlisted
    }

    /// Whether something is written wrongly, and not only too large, too small or in the way.
    #[cfg(feature = "study")]
    pub(crate) fn is_misread(&self) -> bool {
        let is_misread = |fault: &Fault| {
            matches!(
                fault,
                Fault::Syntax { .. }
                    | Fault::EndsEarly { .. }
                    | Fault::WrongKind { .. }
                    | Fault::UnknownField { .. }
                    | Fault::UnknownWord { .. }
                    | Fault::MissingField { .. }
                    | Fault::UnknownMaterial { .. }
                    | Fault::UnknownLayer { .. }
                    | Fault::UnknownBody { .. }
            )
        };
        self.list.iter().any(|problem| is_misread(&problem.fault))
    }

    /// Whether all of them are warnings.
    fn are_warnings(&self) -> bool {
        self.list.iter().all(|problem| problem.fault.is_warning())
    }

    fn count(&self) -> String {
        let word = if self.are_warnings() { "warning" } else { "problem" };
        match (self.list.len(), self.unlisted) {
            (1, 0) => format!("1 {word}"),
            (listed, 0) => format!("{listed} {word}s"),
            (listed, unlisted) => format!("{} {word}s, of which these are the first {listed}", listed + unlisted),
        }
    }
}

impl Diagnostic for Problems {
    fn severity(&self) -> Option<Severity> {
        self.are_warnings().then_some(Severity::Warning)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source_code)
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(self.list.iter().map(|problem| problem as &dyn Diagnostic)))
    }
}

/// The value of the file that an entry is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Site<'a> {
    /// The scenario itself.
    Top,
    /// A field of the scenario.
    Field(&'static str),
    /// An item of a list of the scenario.
    Item(&'static str, usize),
    /// A field of an item of a list of the scenario.
    Part(&'static str, usize, &'static str),
    /// A key of a map of the scenario.
    Key(&'static str, &'a str),
}

impl fmt::Display for Site<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Top => Ok(()),
            Self::Field(field) => f.write_str(field),
            Self::Item(field, place) => write!(f, "{field}[{place}]"),
            Self::Part(field, place, part) => write!(f, "{field}[{place}].{part}"),
            Self::Key(field, key) => write!(f, "{field}[{key:?}]"),
        }
    }
}

/// A value that is read on its own, so that an error in it does not hide errors elsewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Entry<'a> {
    /// Where it belongs.
    pub(super) site: Site<'a>,
    /// Its text, a slice of the file's, with the comments around it.
    pub(super) text: &'a str,
}

impl<'a> Entry<'a> {
    /// The path of the field `path` of this entry, from the top.
    pub(super) fn field(&self, path: &str) -> String {
        let site = self.site.to_string();
        let dot = if site.is_empty() || path.is_empty() || path.starts_with('[') { "" } else { "." };
        format!("{site}{dot}{path}")
    }

    /// The text of the field `path`, or of the whole entry when that has no such field.
    pub(super) fn value(&self, path: &str) -> &'a str {
        locate::value(self.text, path).unwrap_or_else(|| locate::trim(self.text))
    }
}

/// A field: an entry and the path within it.
pub(super) type At<'a> = (Entry<'a>, &'a str);

/// Where problems are collected.
pub(super) struct Report<'a> {
    source: &'a Source,
    list: Vec<Problem>,
    unlisted: usize,
    /// Whether the world is planar, so that a vector has two numbers.
    pub(super) is_planar: bool,
}

impl<'a> Report<'a> {
    pub(super) const fn new(source: &'a Source) -> Self {
        Self { source, list: Vec::new(), unlisted: 0, is_planar: false }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether further problems are only counted. Then it is useless to find out more about them.
    pub(super) const fn is_full(&self) -> bool {
        self.list.len() >= PROBLEMS_MAX
    }

    /// Reports a fault of the field `path` of `entry`.
    pub(super) fn add(&mut self, entry: Entry<'_>, path: &str, fault: Fault) {
        if self.has_room() {
            let range = locate::range_in(&self.source.text, entry.value(path));
            self.push(entry.field(path), &[(range, None)], fault);
        }
    }

    /// Reports that the number in the field `path` of `entry` is not as `allowed` says.
    pub(super) fn out_of_range(&mut self, entry: Entry<'_>, path: &str, allowed: &'static str) {
        if self.has_room() {
            let found = locate::one_line(entry.value(path));
            self.add(entry, path, Fault::OutOfRange { allowed, found });
        }
    }

    /// Reports a fault of the field `path` of `entry`, which then has no value.
    pub(super) fn fail<T>(&mut self, entry: Entry<'_>, path: &str, fault: Fault) -> Option<T> {
        self.add(entry, path, fault);
        None
    }

    /// The same for a number that is not as `allowed` says.
    pub(super) fn refuse<T>(&mut self, entry: Entry<'_>, path: &str, allowed: &'static str) -> Option<T> {
        self.out_of_range(entry, path, allowed);
        None
    }

    /// Reports a fault of the bytes `part` of `entry`, in the field `path`.
    pub(super) fn add_part(&mut self, entry: Entry<'_>, path: &str, part: Range<usize>, fault: Fault) {
        if self.has_room() {
            let base = locate::range_in(&self.source.text, entry.text).start;
            self.push(entry.field(path), &[(base + part.start..base + part.end, None)], fault);
        }
    }

    /// Reports that the field `path` of `entry` conflicts with the field `earlier_path` of `earlier`.
    pub(super) fn add_clash(&mut self, (entry, path): At<'_>, (earlier, earlier_path): At<'_>, fault: Fault) {
        if self.has_room() {
            let range = locate::range_in(&self.source.text, entry.value(path));
            let earlier = locate::range_in(&self.source.text, earlier.value(earlier_path));
            self.push(entry.field(path), &[(range, Some("this one")), (earlier, Some("and this one"))], fault);
        }
    }

    /// Reports that the `what` in the field `path` of `entry` breaks a rule, if it does.
    pub(super) fn check_name(&mut self, at: At<'_>, what: &'static str, broken: Option<&'static str>) {
        if let Some(must) = broken {
            self.add(at.0, at.1, Fault::UnfitName { what, must });
        }
    }

    /// What was read, if nothing is wrong.
    pub(super) fn outcome<T>(self, read: Option<T>) -> Result<T, Problems> {
        read.filter(|_| self.is_empty()).ok_or_else(|| self.finish())
    }

    pub(super) fn finish(mut self) -> Problems {
        self.list.sort_by_key(|problem| (problem.line, problem.column));
        let source_code = Excerpt::new(&self.source.name, &self.source.text);
        Problems { source_code, list: self.list, unlisted: self.unlisted }
    }

    /// Whether the list has room; if not, the problem is only counted. Each listed problem costs a pass through the
    /// file.
    fn has_room(&mut self) -> bool {
        let room = !self.is_full();
        self.unlisted += usize::from(!room);
        room
    }

    fn push(&mut self, field: String, ranges: &[(Range<usize>, Option<&str>)], fault: Fault) {
        let text = &self.source.text;
        let (line, column) = locate::line_column(text, ranges[0].0.start);
        let label = |(range, words): &(Range<usize>, Option<&str>)| {
            LabeledSpan::new_with_span(words.map(str::to_owned), locate::first_line(text, range.clone()))
        };
        let setting = self.source.setting_at(ranges[0].0.start).map(str::to_owned);
        let labels = if setting.is_some() { Vec::new() } else { ranges.iter().map(label).collect() };
        self.list.push(Problem { file: self.source.name.clone(), line, column, field, setting, fault, labels });
    }
}
