//! Several numbers in one value.

/// A vector.
pub(super) type Triple = [f64; 3];

/// The lower and the upper end.
pub(super) type Range = [f64; 2];
