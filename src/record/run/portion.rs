//! A run advances in portions: up to an instant, or until there are so many events.

use crate::dynamics::Progress;
use crate::motion::SimTime;
use crate::world::{RunError, World};

/// Most events of a portion. Between two portions the events are handed on, the progress is reported and the wall clock
/// is read.
pub(crate) const EVENTS_AT_ONCE: usize = 4096;

/// A way to advance a world by one portion.
pub(in crate::record) type Go = fn(&mut World, SimTime, usize) -> Result<Progress, RunError>;
