//! Plots of a run, as SVG and PNG, from what it left behind.
//!
//! Nothing is simulated here: a picture drawn years later from the saved tables is the picture drawn when the run
//! ended, to the byte. Each kind of plot is a file of this folder that turns tables into marks on a
//! canvas; plotters then draws the marks in both formats, and is known to no other layer.

mod actors;
mod axes;
mod canvas;
mod cast;
mod clip;
mod counted;
mod curve;
mod density;
mod energy;
mod frame;
mod gas;
mod height;
mod impacts;
mod legend;
mod numbers;
mod outline;
mod page;
mod patches;
mod path;
mod rect;
mod relief;
mod scene;
mod series;
mod solids;
mod speeds;
mod style;
mod survey;
mod track;
mod view;
mod ways;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::record::read::ReadError;
use crate::scenario::{Axis, EventLog, Plane2, Plot, Scenario};
use scene::Scene;

/// Why a plot could not be drawn.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A table of the run could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A picture could not be written.
    #[error("cannot write `{}`", file.display())]
    Write {
        /// Which file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

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
                EventLog::Counted => counted::draw(scenario, folder)?,
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

/// The coordinates that run to the right and upwards.
const fn plane_axes(plane: Plane2) -> [usize; 2] {
    match plane {
        Plane2::XY => [0, 1],
        Plane2::XZ => [0, 2],
        Plane2::YZ => [1, 2],
    }
}

const fn axis_index(axis: Axis) -> usize {
    match axis {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => 2,
    }
}

const fn axis_name(axis: usize) -> &'static str {
    ["x", "y", "z"][axis]
}
