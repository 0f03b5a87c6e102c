//! Numbers: sign tests, polynomials and their bracketed roots, closed intervals, every tolerance.
//!
//! The lowest layer. It knows nothing of vectors or bodies. Everything here uses only `+ − × ÷ √` on
//! `f64`, so that the same inputs give the same bits on every machine.

pub mod bracket;
pub mod cubic;
pub mod exact;
pub mod interval;
pub mod lane;
pub mod quadratic;
pub mod quantity;
pub mod shown;
pub mod tolerance;
pub mod whole;

pub use interval::{Interval, Intervals};
pub use quadratic::Quadratic;
pub use quantity::OutOfRange;
pub use shown::{rounded, shown};
