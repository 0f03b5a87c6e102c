//! The parts of every chart: page, frames, axes, legend, and data that is thinned to what a picture can show.

mod axes;
mod density;
pub(super) mod ends;
mod frame;
mod gaps;
mod laid;
mod legend;
mod numbers;
mod page;
mod series;
mod setup;

pub(super) use axes::{Axis, Span, Tick};
pub(super) use density::Density;
pub(super) use frame::{Frame, words};
pub(super) use gaps::Gaps;
pub(super) use laid::Laid;
pub(super) use legend::Entry;
#[cfg(feature = "study")]
pub(super) use legend::ring;
pub(super) use numbers::{brief, counted, exact, grouped, signed, single};
pub(super) use page::{Frames, Page};
pub(super) use series::Series;
pub(super) use setup::{Setup, Shown, round};
