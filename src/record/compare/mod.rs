//! Two recordings or scenarios side by side: what is different between them, and where their runs part.

mod diff;
mod ends;
mod happenings;
mod names;
mod steps;

pub use diff::{Diff, Side, diff};
pub use ends::{End, Ends, ends};
pub use steps::{Bisection, Comparison, bisect, compare};
