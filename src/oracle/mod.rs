//! The oracle judges trajectories of any engine by exact ones.
//!
//! A [`Scene`] of the catalogue is an ordinary scenario that other engines can run, too: balls, axis-aligned boxes,
//! planes and surfaces of triangles. `neutral` writes it as JSON for an engine, and the engine writes a table.
//! [`judge()`] compares the table with the exact course, which carom computes. Every metric is a file of `metrics/`,
//! and each is a plain function of the exact course and the table.
//!
//! The exact course, sampled at the times of the table, must be perfect in every metric. So an engine is not blamed for
//! something that its table is too coarse to show.
//!
//! Beside the scenes there are single `casts`: rays, balls and boxes that move to a target, over many scales.

mod casts;
mod catalogue;
mod error;
mod exact;
mod judge;
mod log;
mod metrics;
mod neutral;
mod trajectory;

pub use casts::{Cast, CastGroup, CastHit, CastJudgement, CastShape, cast_table, casts, judge_casts};
pub use catalogue::closed::{ClosedForm, Quantity};
pub use catalogue::{Family, Scene, find, scenes};
pub use error::OracleError;
pub use exact::Exact;
pub use judge::{Departure, Judged, Judgement, judge};
pub use log::ReportedImpact;
pub use metrics::{Finding, METRICS, Metric, Verdict};
pub use neutral::{SCHEMA_TEXT, neutral};
pub use trajectory::Trajectory;
