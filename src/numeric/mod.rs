//! Numbers: sign tests, polynomials and their bracketed roots, closed intervals, disjoint sets, every tolerance.
//!
//! This is the lowest layer; it does not use vectors or bodies. Everything here uses only `+ − × ÷ √` on `f64`, so that
//! the same inputs give the same bits on every machine.

pub mod bracket;
pub(crate) mod connected;
pub mod cubic;
pub mod exact;
pub mod functions;
pub mod interval;
pub mod lane;
pub mod quadratic;
pub mod quantity;
pub mod shown;
pub mod tolerance;
pub mod whole;

pub use interval::{Interval, Intervals};
pub use quadratic::Quadratic;
pub(crate) use quadratic::safe_time;
pub use quantity::OutOfRange;
pub use shown::{rounded, shown};
