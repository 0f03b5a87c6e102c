//! A run advances in portions: up to an instant, or until there are so many events or it is to stop.

use crate::dynamics::Progress;
use crate::motion::SimTime;
use crate::world::{RunError, World};

/// Most events of a portion. Between two portions the events are handed on, the progress is reported and the wall clock
/// is read.
pub(crate) const EVENTS_AT_ONCE: usize = 4096;

/// A way to advance a world by one portion, or until the last argument is true.
pub(in crate::record) type Go = fn(&mut World, SimTime, usize, &dyn Fn() -> bool) -> Result<Progress, RunError>;
