//! Motion: where a body is at an instant, and nothing of what shape it has.

pub mod path;
pub mod time;

pub use path::{Path, Relative};
pub use time::SimTime;
