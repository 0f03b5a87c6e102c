//! Motion: where a body is at an instant, and nothing of what shape it has.

pub mod path;
pub mod spin;
pub mod time;

pub use path::{Path, Relative};
pub use spin::Spin;
pub use time::SimTime;
