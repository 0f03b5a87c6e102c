//! Plots of a run, as SVG, PNG and PDF, and its page, from the files that the run left.
//!
//! Nothing is simulated here: a picture drawn years later from the saved tables has the same bytes as the picture drawn
//! when the run ended. Each kind of plot is a file of this folder that turns tables into marks on a canvas, which
//! becomes files of each format. No other layer uses plotters or pdf-writer.

mod chart;
mod coordinates;
mod diagrams;
mod drawing;
mod energy;
mod error;
mod events;
mod figures;
#[doc(hidden)]
pub mod film;
mod gas;
mod gas_structure;
mod gas_theory;
mod motion;
mod oblique;
#[doc(hidden)]
pub mod page;
mod paths;
mod picture;
mod profile;
mod rows;
mod solids;
#[cfg(feature = "study")]
mod study;

pub use error::ReportError;
pub use figures::{Drawn, draw, draw_only};
#[cfg(feature = "study")]
pub use study::draw_study;
#[cfg(feature = "study")]
#[doc(hidden)]
pub use study::{draw_study_only, study_stems};
#[doc(hidden)]
pub use {
    figures::{OtherRun, draw_watched, stems},
    motion::colour_key::colors,
    picture::Picture,
};
