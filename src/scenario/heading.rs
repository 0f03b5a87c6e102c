//! What a scenario and a sweep begin with: the number of the format, and the title.

use ron::value::RawValue;

use super::error_kinds::Fault;
use super::limits::SCENARIO_SCHEMA;
use super::problem::syntax;
use super::problem::{Entry, Report, Site};
use super::sections::settings::{at_least_one, field};
use super::text::locate;
use super::text::printable::printable;
use super::{Source, names};

/// The whole file, if it is of a format that this version reads and not empty; otherwise only that is reported.
pub(super) fn top<'a>(source: &'a Source, report: &mut Report<'a>) -> Option<Entry<'a>> {
    let entry = Entry { site: Site::Top, text: &source.text };
    if syntax::is_blank(&source.text) {
        return report.fail(entry, "", Fault::Empty);
    }
    let format = locate::value(&source.text, "format").and_then(|text| text.parse::<u32>().ok());
    match format {
        Some(found) if found > SCENARIO_SCHEMA => report.fail(entry, "format", Fault::NewerFormat { found }),
        _ => Some(entry),
    }
}

/// The title, and a check of the number of the format. A file without a title has its file name as the title, without
/// folders and ending.
pub(super) fn title<'a>(
    [format, title]: [Option<&'a RawValue>; 2],
    source: &Source,
    report: &mut Report<'a>,
) -> String {
    at_least_one("format", format, report);
    if let Some(entry) = field("title", title)
        && let Some(title) = syntax::read::<String>(entry, report)
    {
        report.check_name((entry, ""), "title", names::unfit_title(&title));
        return title;
    }
    let file = source.name.rsplit(['/', '\\']).next().unwrap_or_default();
    printable(file.strip_suffix(".ron").unwrap_or(file)).into_owned()
}
