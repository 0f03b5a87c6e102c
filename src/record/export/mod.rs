//! Exports: a recorded run in the formats of other programs.
//!
//! The recorded scenario is run again, from the last snapshot before the first requested instant. So every instant,
//! path and event is exact, whatever the tables contain. At the end the state is compared with the recording. Each
//! format uses what it needs: frames at instants ([`ExportFormat::Xyz`], [`ExportFormat::Vtk`], ...), the beginnings of
//! paths ([`ExportFormat::Gltf`]) or events ([`ExportFormat::Jsonl`]). A film is drawn from [`RunPaths`].

mod balls;
mod error;
mod exporter;
mod gltf;
mod gsd;
mod instants;
mod output;
mod pen;
mod request;
mod roster;
mod run_paths;
mod surface;
mod text;
mod vtk;
mod xyzd;

pub use error::ExportError;
pub use exporter::{ExportReport, Exporter};
pub use request::{ExportFormat, ExportRequest};
pub use run_paths::{BodyPaths, PathImpact, RunPaths};
pub use vtk::series::is_series_file;
