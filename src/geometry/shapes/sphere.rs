//! The ball: all points no farther from a centre than a radius.

use crate::numeric::quantity::is_positive;
use crate::quantity;

quantity!(
    /// The radius of a ball, m; positive, finite, and of a magnitude whose square is safe.
    ///
    /// ```
    /// use carom::geometry::Radius;
    ///
    /// assert_eq!(Radius::new(2.0).unwrap().get(), 2.0);
    /// assert!(Radius::new(0.0).is_err());
    /// assert!(Radius::new(f64::INFINITY).is_err());
    /// ```
    Radius, "radius", "a positive finite number of metres, from 1e-70 to 1e70", is_positive
);
