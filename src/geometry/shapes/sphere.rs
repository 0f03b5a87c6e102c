//! The ball: all points no farther from a centre than a radius.

use crate::numeric::quantity::is_positive;
use crate::quantity;

quantity!(
    /// The radius of a ball, m; positive, finite, and of a magnitude whose square is safe.
    Radius, "radius", "a positive finite number of metres, from 1e-70 to 1e70", is_positive
);
