//! carom for Python: the private module `_carom` under the package `carom`.
//!
//! [`state`] is a simulation as Rust has it, [`origin`] the scenario that it is made from, [`drive`] the loop. The classes of
//! Python are thin: they lock the state, let other threads of Python run meanwhile, and turn errors into exceptions.
//! What is given in Python is written as the text of a scenario and read by the library, so that it is checked as a file is.

mod body;
mod commands;
mod construction;
mod deeds;
mod drive;
mod errors;
mod events;
mod folder;
mod origin;
mod pickle;
mod queries;
mod recordings;
mod running;
mod shapes;
mod simulation;
mod snapshots;
mod state;
mod sweeps;
mod tables;
mod text;
mod time;
mod views;

use pyo3::prelude::*;

#[pymodule]
mod _carom {
    #[pymodule_export]
    use crate::body::BodyView;
    #[pymodule_export]
    use crate::events::Event;
    #[pymodule_export]
    use crate::folder::{plot, read_table, run_scenario};
    #[pymodule_export]
    use crate::queries::Hit;
    #[pymodule_export]
    use crate::recordings::{Recorder, Recording, verify};
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
