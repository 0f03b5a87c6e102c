//! Plots of a run, as SVG and PNG, from what it left behind.
//!
//! Nothing is simulated here: a picture drawn years later from the saved tables is the picture drawn when the run
//! ended, to the byte. Each kind of plot is a file of this folder that turns tables into marks on a
//! canvas; plotters then draws the marks in both formats, and is known to no other layer.

mod chart;
mod coordinates;
mod drawing;
mod energy;
mod error;
mod events;
mod gas;
mod motion;
mod solids;
mod speeds;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::record::tables::read::ReadError;
use crate::scenario::{EventLog, Plot, Scenario};
use coordinates::{axis_index, axis_name, plane_axes};
pub use error::ReportError;
use events::{event_counts, impacts};
use motion::scene::Scene;
use motion::{height, path};

/// What was drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drawn {
    /// The names of the files, in the order in which they were written.
    pub files: Vec<PathBuf>,
    /// The characters in the pictures that the bundled typeface lacks, in order. In a PNG each is drawn as a rhombus with a
    /// question mark, �; an SVG has the characters themselves, for the typefaces of its viewer.
    pub missing: BTreeSet<char>,
}

/// Draws every plot that `scenario` asks for from the tables in `folder`, into the folder `into`.
///
/// Each plot becomes two files, such as `path_xz.svg` and `path_xz.png`; the second of a kind is called
/// `path_xz_2`. `into` must exist.
///
/// # Errors
/// [`ReportError`] when a table cannot be read or a picture cannot be written; some pictures may exist then.
pub fn draw(scenario: &Scenario, folder: &Path, into: &Path) -> Result<Drawn, ReportError> {
    let whole = scenario.with_all_bodies();
    let scenario = whole.as_ref();
    let mut scene = None;
    let mut drawn = Drawn::default();
    for (index, plot) in scenario.plots.iter().enumerate() {
        let canvas = match plot {
            Plot::Path { plane, bodies } => path::draw(gathered(&mut scene, scenario, folder)?, *plane, bodies)?,
            Plot::Height { axis, bodies } => height::draw(gathered(&mut scene, scenario, folder)?, *axis, bodies)?,
            Plot::Energy => energy::draw(scenario, folder)?,
            Plot::Impacts => match scenario.record.events {
                EventLog::All => impacts::draw(scenario, folder)?,
                EventLog::Counted => event_counts::draw(scenario, folder)?,
            },
            Plot::Gas => gas::draw(scenario, folder)?,
            Plot::Speeds => speeds::draw(scenario, folder)?,
        };
        drawn.missing.extend(canvas.missing_characters());
        drawn.files.extend(canvas.write(into, &unique_stem(&scenario.plots, index))?.map(PathBuf::from));
    }
    Ok(drawn)
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

/// The name of a plot's files: its kind, and its rank among those of its kind from the second on.
fn unique_stem(plots: &[Plot], index: usize) -> String {
    let kind = stem(&plots[index]);
    match plots[..index].iter().filter(|plot| stem(plot) == kind).count() {
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
