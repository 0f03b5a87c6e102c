//! Motion: the position of a body as a function of time, independent of its shape.

pub mod course;
pub mod path;
pub mod spin;
pub mod time;

pub use course::Course;
pub use path::{Path, Relative};
pub use spin::Spin;
pub use time::SimTime;
