//! Scenarios: what a RON file says, checked, as plain data that a world can be made from.
//!
//! [`Source`] is the text, [`parse`] makes a [`Scenario`] of it, and [`Problems`] says everything that is wrong with
//! it at once, each with its line, the field's path and what to do. Every entry of the file is read on its own
//! with ron and serde, and every value is checked once, in a type that cannot hold a wrong one.

mod fill;
pub mod limits;
mod mesh;
mod names;
mod numbers;
mod parse;
mod places;
mod plot_schema;
pub mod plot_style;
mod problem;
mod region;
pub mod request_types;
mod schema;
mod sections;
mod set;
pub mod sweep_file;
pub mod text;
mod thresholds;

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::dynamics::Settings;
use crate::motion::SimTime;
use crate::world::{Command, Named, SetupError, Timed, World};

pub use parse::{parse, read_body};
pub use places::Parsed;
use plot_style::Rgb;
pub use plot_style::{Figure, PlotStyle};
pub use problem::error_kinds::{self, Fault};
pub use problem::{Problem, Problems};
pub use region::{RegionError, read_region};
pub use request_types::{
    Axis, Count, EventLog, Expectation, Format, GasFigure, MeshFile, Observation, Plane2, Plot, Recording,
};
pub use sections::clock::OverrideError;
pub use sections::layers::LayerNames;
pub use sections::settings::MaterialNames;
pub use set::{Setting, SettingError};
pub use text::source::{ReadError, Source};
pub use thresholds::{Thresholds, read_thresholds};

/// Everything that a scenario file says, validated.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// One line that says what it shows.
    pub title: String,
    /// Gravity, space, materials and cutoffs.
    pub settings: Settings,
    /// Span between two looks at the world, s; positive.
    pub timestep: f64,
    /// Length of the run, s; positive. It need not be a multiple of the timestep.
    pub duration: f64,
    /// All bodies, those of generators included, in the order of the file.
    pub bodies: Vec<Named>,
    /// The materials of the bodies, by name.
    pub materials: MaterialNames,
    /// The layers that bodies may be in, by name.
    pub layers: LayerNames,
    /// The mesh files that its bodies are made from.
    pub files: Vec<MeshFile>,
    /// The colours that it gives bodies, by name, for plots and players.
    pub colors: BTreeMap<String, Rgb>,
    /// What is written down while it runs.
    pub record: Recording,
    /// What is measured while it runs.
    pub observe: Vec<Observation>,
    /// What is drawn afterwards.
    pub plots: Vec<Figure>,
    /// What must hold in the end.
    pub expect: Vec<Expectation>,
    /// What is done to it while it runs, in the order of the file.
    pub commands: Vec<Timed>,
}

impl Scenario {
    /// The world as it begins, with its commands scheduled.
    ///
    /// # Errors
    /// [`SetupError`] when two bodies overlap although they collide.
    pub fn world(&self) -> Result<World, SetupError> {
        let bodies = self.bodies.iter().map(|named| (named.name.clone(), named.body.clone()));
        let mut world = World::new(self.settings.clone(), bodies)?;
        let scheduled = world.schedule_all(self.commands.iter().cloned());
        debug_assert!(scheduled.is_ok(), "no command of a scenario comes before its start");
        Ok(world)
    }

    /// The bodies that are there from the beginning, and then those that come, in the order in which they do.
    pub fn all_bodies(&self) -> impl Iterator<Item = &Named> {
        let mut spawns: Vec<(SimTime, &Named)> = self.commands.iter().filter_map(spawned).collect();
        spawns.sort_by_key(|spawn| spawn.0);
        self.bodies.iter().chain(spawns.into_iter().map(|spawn| spawn.1))
    }

    /// The same scenario with all its bodies in one list.
    pub fn with_all_bodies(&self) -> Cow<'_, Self> {
        if self.commands.iter().all(|timed| spawned(timed).is_none()) {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self { bodies: self.all_bodies().cloned().collect(), ..self.clone() })
    }
}

/// The body that a command makes, and when.
fn spawned(timed: &Timed) -> Option<(SimTime, &Named)> {
    match &timed.command {
        Command::Spawn(named) => Some((timed.at, named)),
        _ => None,
    }
}
