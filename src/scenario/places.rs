//! The line of the file that each body comes from, for problems that only a world can find.

use std::collections::BTreeMap;

use super::error_kinds::Fault;
use super::problem::{Entry, Problems, Report, Site};
use super::sections::play::warn_of_ranges;
use super::text::locate;
use super::{Scenario, Source};
use crate::dynamics::Coarseness;
use crate::world::{Coarse, Named, SetupError};

/// A scenario and the places of its bodies in the file.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The content of the file.
    pub scenario: Scenario,
    pub(super) places: Places,
}

/// The entries of the file that made the bodies, in order.
#[derive(Debug, Clone)]
pub(super) struct Places {
    source: Source,
    entries: Vec<Place>,
}

#[derive(Debug, Clone)]
struct Place {
    /// The list, and the index in it.
    site: (&'static str, usize),
    /// The range of bytes in the file.
    range: std::ops::Range<usize>,
    /// How many bodies there are up to and including those of this entry.
    end: usize,
}

impl Places {
    pub(super) fn new(source: &Source) -> Self {
        Self { source: source.clone(), entries: Vec::new() }
    }

    /// The next `count` bodies come from `entry`, an item of a list.
    pub(super) fn add(&mut self, entry: Entry<'_>, count: usize, whole: &str) {
        let Site::Item(list, place) = entry.site else { unreachable!("bodies stand in lists") };
        let end = self.entries.last().map_or(0, |last| last.end) + count;
        self.entries.push(Place { site: (list, place), range: locate::range_in(whole, entry.text), end });
    }

    fn entry(&self, body: usize) -> Entry<'_> {
        self.entry_at(&self.entries[self.entries.partition_point(|place| place.end <= body)])
    }

    fn entry_at(&self, place: &Place) -> Entry<'_> {
        Entry { site: Site::Item(place.site.0, place.site.1), text: &self.source.text[place.range.clone()] }
    }
}

impl Parsed {
    /// Warnings for bodies so far from the origin that numbers are coarse there, for generators that draw the same
    /// velocities, and for numbers outside of the range of their slider; a run may begin in spite of them. Each entry
    /// has at most one warning of the first kind, for the body with the coarsest numbers.
    pub fn warnings(&self) -> Option<Problems> {
        let mut report = Report::new(&self.places.source);
        let mut begin = 0;
        for place in &self.places.entries {
            let bodies = std::mem::replace(&mut begin, place.end)..place.end;
            let found = bodies.filter_map(|row| Some((row, self.scenario.bodies.get(row)?.body.coarseness()?)));
            let coarser =
                |a: (usize, Coarseness), b: (usize, Coarseness)| if b.1.is_coarser_than(&a.1) { b } else { a };
            let Some((row, found)) = found.reduce(coarser).filter(|(_, found)| found.is_coarse()) else { continue };
            warn(&mut report, self.places.entry(row), &self.scenario.bodies[row], found);
        }
        self.warn_of_spawns(&mut report);
        self.warn_of_seeds(&mut report);
        warn_of_ranges(&self.scenario.play, &self.places.source, &mut report);
        (!report.is_empty()).then(|| report.finish())
    }

    /// The same for bodies that commands bring. Beyond the list they are only counted: finding one in the text takes
    /// long.
    fn warn_of_spawns(&self, report: &mut Report<'_>) {
        for (place, timed) in self.scenario.commands.iter().enumerate() {
            let Some(named) = timed.command.spawned() else { continue };
            let Some(found) = named.body.coarseness().filter(Coarseness::is_coarse) else { continue };
            let path = format!("commands[{place}].body");
            let text = if report.is_full() { Some("") } else { locate::value(&self.places.source.text, &path) };
            let Some(text) = text else { continue };
            warn(report, Entry { site: Site::Part("commands", place, "body"), text }, named, found);
        }
    }

    /// Warns of each generator with a temperature that has the seed of an earlier one: velocities that should be
    /// independent are the same but for a factor.
    fn warn_of_seeds(&self, report: &mut Report<'_>) {
        let mut first: BTreeMap<&str, Entry<'_>> = BTreeMap::new();
        for place in self.places.entries.iter().filter(|place| place.site.0 == "fill") {
            let entry = self.places.entry_at(place);
            let temperature = locate::value(entry.text, "temperature").and_then(locate::number);
            if temperature.is_none_or(|temperature| temperature == 0.0) {
                continue;
            }
            let (path, seed) = locate::value(entry.text, "seed").map_or(("", "0"), |seed| ("seed", seed));
            if let Some(&earlier) = first.get(seed) {
                let fault = Fault::SameSeed { seed: seed.to_owned(), earlier: earlier.site.to_string() };
                report.add_clash((entry, path), (earlier, "seed"), fault);
            } else {
                first.insert(seed, entry);
            }
        }
    }

    /// The problem that no world can be made of the bodies, at their places in the file. For a body of a generator, the
    /// line of the generator is shown.
    ///
    /// # Errors
    /// The error itself, if it is about no body of this scenario.
    #[doc(hidden)]
    pub fn unmade(&self, error: SetupError) -> Result<Problems, SetupError> {
        let entry = |name: &str| {
            let row = self.scenario.bodies.iter().position(|body| body.name == name)?;
            Some(self.places.entry(row))
        };
        let mut report = Report::new(&self.places.source);
        match (error.bodies().map(entry), error) {
            ([Some(first), Some(second)], SetupError::Overlap { a, b, depth }) => {
                // The problem is shown at the later one in the file: it is the one to move.
                let in_order = first.text.as_ptr() <= second.text.as_ptr();
                let (earlier, later) = if in_order { (first, second) } else { (second, first) };
                report.add_clash((later, "name"), (earlier, "name"), Fault::Overlap { a, b, depth });
            }
            ([Some(entry), _], error) => {
                let field = if matches!(error, SetupError::TooFast { .. }) { "velocity" } else { "position" };
                let path = if locate::value(entry.text, field).is_some() { field } else { "name" };
                report.add(entry, path, Fault::Setup(error));
            }
            (_, error) => return Err(error),
        }
        Ok(report.finish())
    }
}

fn warn(report: &mut Report<'_>, entry: Entry<'_>, named: &Named, found: Coarseness) {
    let path = if locate::value(entry.text, "position").is_some() { "position" } else { "" };
    report.add(entry, path, Fault::Coarse(Coarse { body: named.name.clone(), found }));
}
