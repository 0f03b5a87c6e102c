//! The oracle: trajectories of any engine, judged against exact ones.
//!
//! A [`Scene`] of the catalogue is an ordinary scenario that other engines can run too: balls, axis-aligned boxes and planes.
//! [`neutral`] hands it to them as JSON, an engine writes a table, and [`judge()`] compares that with the exact course, which carom
//! computes: every metric is a file of `metrics/`, and each is a plain function of the exact course and the table.
//!
//! What a metric says of the exact course, seen at the times of the table, must be perfect. So nothing is held against an engine that
//! its table is too coarse to show.

mod catalogue;
mod error;
mod exact;
mod judge;
mod log;
mod metrics;
mod neutral;
mod trajectory;

pub use catalogue::closed::{ClosedForm, Quantity};
pub use catalogue::{Family, Scene, find, scenes};
pub use error::OracleError;
pub use exact::Exact;
pub use judge::{Departure, Judged, Judgement, judge};
pub use log::ToldImpact;
pub use metrics::{Finding, METRICS, Metric, Verdict};
pub use neutral::{SCHEMA_TEXT, neutral};
pub use trajectory::Trajectory;
