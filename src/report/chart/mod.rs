//! The parts of every chart: page, frames, axes, legend, and data that is thinned to what a picture can show.

pub(super) mod axes;
pub(super) mod density;
pub(super) mod ends;
pub(super) mod frame;
pub(super) mod gaps;
pub(super) mod laid;
pub(super) mod legend;
pub(super) mod numbers;
pub(super) mod page;
pub(super) mod series;
pub(super) mod setup;
