//! The structure of a gas and the motion of its bodies: one file for each plot.

pub(super) mod autocorrelation;
pub(super) mod displacement;
mod kinds;
mod lags;
pub(super) mod radial;
mod rows;
pub(super) mod speeds;
pub(super) mod speeds_by_kind;
