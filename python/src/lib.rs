//! carom for Python: the private module `_carom` under the package `carom`.
//!
//! [`state`] is a simulation in Rust, [`origin`] the scenario from which it is made, and [`drive`] the loop. The Python
//! classes are thin: they lock the state, release the GIL for other threads, and convert errors to exceptions. Input
//! from Python is written as the text of a scenario and read by the library, so it is checked in the same way as a
//! file.

mod body;
mod commands;
mod construction;
mod course;
mod deeds;
mod drive;
mod errors;
mod events;
mod films;
mod folder;
mod foreseen;
mod grids;
mod origin;
mod pickle;
mod pictures;
mod planar;
mod plots;
mod program;
mod queries;
mod recordings;
mod requests;
mod restitution;
mod running;
mod shapes;
mod simulation;
mod snapshots;
mod state;
mod sweeps;
mod tables;
mod text;
mod time;
mod traced;
mod views;
mod words;
mod written;

use pyo3::prelude::*;

#[pymodule]
mod _carom {
    #[pymodule_export]
    use crate::body::BodyView;
    #[pymodule_export]
    use crate::events::Event;
    #[pymodule_export]
    use crate::films::{export_ending, is_ours, write_export, write_film};
    #[pymodule_export]
    use crate::folder::{is_run, read_table, report_page, run_scenario};
    #[pymodule_export]
    use crate::grids::{Heights, Tiles, Voxels};
    #[pymodule_export]
    use crate::pictures::Picture;
    #[pymodule_export]
    use crate::planar::{Arc, Disc, Polygon, Segment};
    #[pymodule_export]
    use crate::plots::draw;
    #[pymodule_export]
    use crate::program::command_line;
    #[pymodule_export]
    use crate::queries::{Hit, Slide};
    #[pymodule_export]
    use crate::recordings::{Recorder, Recording, changes, verify};
    #[pymodule_export]
    use crate::restitution::{BySpeed, Power, Viscoelastic};
    #[pymodule_export]
    use crate::shapes::{Box, Mesh, Plane, Sphere};
    #[pymodule_export]
    use crate::simulation::Simulation;
    #[pymodule_export]
    use crate::snapshots::Snapshot;
    #[pymodule_export]
    use crate::sweeps::Study;
    #[pymodule_export]
    use crate::tables::Table;
    #[pymodule_export]
    use crate::views::Energy;

    #[pymodule_export]
    const __VERSION__: &str = env!("CARGO_PKG_VERSION");
}
