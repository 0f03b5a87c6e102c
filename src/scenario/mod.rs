//! Scenarios: the checked content of a RON file, as plain data from which a world is made.
//!
//! [`Source`] is the text, [`parse`] makes a [`Scenario`] of it, and [`Problems`] lists everything that is wrong with
//! it at once, each with its line, the path of the field and what to do. Every entry of the file is read on its own
//! with ron and serde. Every value is checked once, and stored in a type that cannot hold an invalid value.

mod changes;
#[doc(hidden)]
pub mod error_kinds;
mod fill;
mod form;
mod grid;
mod heading;
#[doc(hidden)]
pub mod limits;
mod mesh;
mod names;
mod numbers;
mod parse;
mod places;
mod planar;
#[doc(hidden)]
pub mod plot;
mod problem;
mod region;
#[doc(hidden)]
pub mod request_types;
mod schema;
mod sections;
mod set;
#[doc(hidden)]
pub mod sweep_file;
#[doc(hidden)]
pub mod text;
mod thresholds;
#[doc(hidden)]
pub mod vessel;

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::dynamics::Settings;
use crate::motion::SimTime;
use crate::world::{Named, SetupError, Timed, World};

#[cfg(feature = "oracle")]
pub(crate) use fill::draws::Draws;
pub use limits::SCENARIO_SCHEMA;
#[cfg(feature = "record")]
pub(crate) use names::shape_noun;
pub use parse::parse;
pub use places::Parsed;
pub use problem::{Problem, Problems};
pub use request_types::{EventLog, Expectation, Format, Observation, Recording};
#[cfg(feature = "record")]
pub(crate) use sections::body::sphere_volume;
pub use sections::clock::OverrideError;
pub use sections::layers::LayerNames;
pub use sections::settings::MaterialNames;
pub use set::{Setting, SettingError};
pub use sweep_file::{Sweep, read_sweep};
pub use text::source::{ReadError, Source};
#[doc(hidden)]
pub use {
    changes::{Change, ChangeKind, changes},
    error_kinds::Fault,
    form::Form,
    parse::{Requests, read_body, read_requests},
    plot::formula::{Formula, NoFormula},
    plot::overlay::{Course, Overlay},
    plot::style::{Figure, PictureFormat, PlotStyle, Rgb, Theme, Width},
    plot::{Axis, Plane2, Plot},
    region::{RegionError, read_region},
    request_types::{Count, GasFigure, MeshFile, PackingFigure, PackingRequest},
    sections::play::Slider,
    thresholds::{Thresholds, read_thresholds},
    vessel::{Frustum, Vessel},
};

/// The validated content of a scenario file.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// One line that says what the scenario shows.
    pub title: String,
    /// Gravity, space, materials and cutoffs.
    pub settings: Settings,
    /// Length of a step, s; positive.
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
    #[doc(hidden)]
    pub files: Vec<MeshFile>,
    /// The colours that it gives bodies, by name, for plots and players.
    #[doc(hidden)]
    pub colors: BTreeMap<String, Rgb>,
    /// What is recorded during the run.
    pub record: Recording,
    /// What is measured during the run.
    pub observe: Vec<Observation>,
    /// What is drawn after the run.
    #[doc(hidden)]
    pub plots: Vec<Figure>,
    /// What must hold at the end.
    pub expect: Vec<Expectation>,
    /// The commands during the run, in the order of the file.
    pub commands: Vec<Timed>,
    /// The sliders of its playground.
    #[doc(hidden)]
    pub play: Vec<Slider>,
}

impl Scenario {
    /// The world at its beginning, with its commands scheduled.
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

    /// The bodies that are there from the beginning, and then those that commands bring, in the order of their coming.
    pub fn all_bodies(&self) -> impl Iterator<Item = &Named> {
        let spawns = self.commands.iter().filter_map(|timed| Some((timed.at, timed.command.spawned()?)));
        let mut spawns: Vec<(SimTime, &Named)> = spawns.collect();
        spawns.sort_by_key(|spawn| spawn.0);
        self.bodies.iter().chain(spawns.into_iter().map(|spawn| spawn.1))
    }

    /// The same scenario with all its bodies in one list.
    #[doc(hidden)]
    pub fn with_all_bodies(&self) -> Cow<'_, Self> {
        if self.commands.iter().all(|timed| timed.command.spawned().is_none()) {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self { bodies: self.all_bodies().cloned().collect(), ..self.clone() })
    }
}
