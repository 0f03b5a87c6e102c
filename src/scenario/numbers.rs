//! Several numbers in one value.

/// A vector.
pub(super) type Triple = [f64; 3];

/// The least and the greatest.
pub(super) type Range = [f64; 2];
