//! Plots of a run, as SVG, PNG and PDF, and its page, from what it left behind.
//!
//! Nothing is simulated here: a picture drawn years later from the saved tables is the picture drawn when the run
//! ended, to the byte. Each kind of plot is a file of this folder that turns tables into marks on a
//! canvas, which becomes files of each format; plotters and pdf-writer are known to no other layer.

mod chart;
mod coordinates;
mod diagrams;
mod drawing;
mod energy;
mod error;
mod events;
mod figures;
mod gas;
mod gas_structure;
mod gas_theory;
mod motion;
mod oblique;
pub mod page;
mod solids;
mod speeds;
#[cfg(feature = "study")]
mod study;

pub use error::ReportError;
pub use figures::{Drawn, draw, draw_only, stems};
#[cfg(feature = "study")]
pub use study::draw_study;
