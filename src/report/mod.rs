//! Plots of a run, as SVG, PNG and PDF, from what it left behind.
//!
//! Nothing is simulated here: a picture drawn years later from the saved tables is the picture drawn when the run
//! ended, to the byte. Each kind of plot is a file of this folder that turns tables into marks on a
//! canvas, which becomes files of each format; plotters and pdf-writer are known to no other layer.

mod chart;
mod coordinates;
mod drawing;
mod energy;
mod error;
mod events;
mod gas;
mod gas_theory;
mod motion;
mod solids;
mod speeds;
#[cfg(feature = "study")]
mod study;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::record::tables::read::ReadError;
use crate::scenario::{EventLog, Figure, Plot, Scenario};
use chart::axes::Span;
use chart::setup::Setup;
use coordinates::{axis_index, axis_name, plane_axes};
pub use error::ReportError;
use events::{event_counts, impacts};
use motion::scene::Scene;
use motion::{height, path};
#[cfg(feature = "study")]
pub use study::draw_study;

/// What was drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drawn {
    /// The names of the files, in the order in which they were written.
    pub files: Vec<PathBuf>,
    /// The characters in the pictures that the bundled typeface lacks, in order. In a PNG, in a PDF and in print each is drawn as
    /// a rhombus with a question mark, �; an SVG for a screen has the characters themselves, for the typefaces of its viewer.
    pub missing: BTreeSet<char>,
}

/// Draws every plot that `scenario` asks for from the tables in `folder`, into the folder `into`.
///
/// Each plot becomes a file of each format that its style has, such as `path_xz.svg` and `path_xz.png`; the second of a kind
/// is called `path_xz_2`. `into` must exist.
///
/// # Errors
/// [`ReportError`] when a table cannot be read or a picture cannot be written; some pictures may exist then.
pub fn draw(scenario: &Scenario, folder: &Path, into: &Path) -> Result<Drawn, ReportError> {
    draw_only(&stems(scenario), scenario, folder, into)
}

/// The same of the plots whose files have these `names`, without their endings.
///
/// # Errors
/// [`ReportError`], likewise.
pub fn draw_only(names: &[String], scenario: &Scenario, folder: &Path, into: &Path) -> Result<Drawn, ReportError> {
    let whole = scenario.with_all_bodies();
    let scenario = whole.as_ref();
    let mut scene = None;
    let mut drawn = Drawn::default();
    for (index, figure) in scenario.plots.iter().enumerate() {
        let stem = unique_stem(&scenario.plots, index);
        if !names.contains(&stem) {
            continue;
        }
        let setup = Setup::new(&figure.style);
        let canvas = match &figure.plot {
            Plot::Path { plane, bodies } => {
                path::draw(&shown(gathered(&mut scene, scenario, folder)?, setup), *plane, bodies, setup)?
            }
            Plot::Height { axis, bodies } => {
                height::draw(&shown(gathered(&mut scene, scenario, folder)?, setup), *axis, bodies, setup)?
            }
            Plot::Energy => energy::draw(scenario, folder, setup)?,
            Plot::Impacts => match scenario.record.events {
                EventLog::All => impacts::draw(scenario, folder, setup)?,
                EventLog::Counted => event_counts::draw(scenario, folder, setup)?,
            },
            Plot::Gas => gas::draw(scenario, folder, setup)?,
            Plot::Speeds => speeds::draw(scenario, folder, setup)?,
        };
        drawn.missing.extend(canvas.missing_characters());
        let files = canvas.write(into, &stem, figure.style.files())?;
        drawn.files.extend(files.into_iter().map(PathBuf::from));
    }
    Ok(drawn)
}

/// The names of the files of each plot of `scenario` without their endings, in order.
pub fn stems(scenario: &Scenario) -> Vec<String> {
    (0..scenario.plots.len()).map(|index| unique_stem(&scenario.plots, index)).collect()
}

/// What plots of motion share, read when the first of them asks.
fn gathered<'s, 'a>(
    scene: &'s mut Option<Scene<'a>>,
    scenario: &'a Scenario,
    folder: &'a Path,
) -> Result<&'s Scene<'a>, ReadError> {
    Ok(match scene {
        Some(scene) => scene,
        none => none.insert(Scene::gather(scenario, folder)?),
    })
}

/// The part of a run that a plot is to show.
fn shown<'s, 'a>(scene: &'s Scene<'a>, setup: Setup<'_>) -> Cow<'s, Scene<'a>> {
    match setup.asked.time {
        Some([low, high]) => Cow::Owned(scene.within(Span::new(low, high))),
        None => Cow::Borrowed(scene),
    }
}

/// The name of a plot's files: its kind, and its rank among those of its kind from the second on.
fn unique_stem(figures: &[Figure], index: usize) -> String {
    let kind = stem(&figures[index].plot);
    match figures[..index].iter().filter(|figure| stem(&figure.plot) == kind).count() {
        0 => kind,
        earlier => format!("{kind}_{}", earlier + 1),
    }
}

fn stem(plot: &Plot) -> String {
    match plot {
        Plot::Path { plane, .. } => {
            let [right, up] = plane_axes(*plane).map(axis_name);
            format!("path_{right}{up}")
        }
        Plot::Height { axis, .. } => format!("height_{}", axis_name(axis_index(*axis))),
        Plot::Energy => "energy".to_owned(),
        Plot::Impacts => "impacts".to_owned(),
        Plot::Gas => "gas".to_owned(),
        Plot::Speeds => "speeds".to_owned(),
    }
}
