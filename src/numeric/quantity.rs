//! Numbers that cannot hold a wrong value.
//!
//! A quantity is checked once, where it is created. Code that holds a `Radius` does not check again whether it is
//! positive and finite, so the inner layers cannot fail. The bounds on magnitude keep every square in the simulator
//! finite, and every product of two squares (a discriminant): 1e70⁴ = 1e280.

use thiserror::Error;

use super::shown::shown;

/// Largest magnitude of any length, speed or acceleration, in SI units. Its fourth power is finite.
pub const MAGNITUDE_MAX: f64 = 1e70;

/// Smallest length or mass, in SI units. Its fourth power and its reciprocal are normal numbers.
pub const MAGNITUDE_MIN: f64 = 1e-70;

/// A number outside the range its quantity allows.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("{quantity} must be {allowed}, found {}", shown(*found))]
pub struct OutOfRange {
    /// Name of the quantity, such as `radius`.
    pub quantity: &'static str,
    /// The allowed values in words, such as `positive and finite`.
    pub allowed: &'static str,
    /// What was given.
    pub found: f64,
}

/// Declares a newtype over `f64` whose constructor checks `$test`.
#[macro_export]
macro_rules! quantity {
    ($(#[$meta:meta])* $name:ident, $label:literal, $allowed:literal, $test:expr) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize, serde::Deserialize),
            serde(try_from = "f64", into = "f64")
        )]
        pub struct $name(f64);

        impl $name {
            /// Checks `value` and wraps it.
            ///
            /// # Errors
            /// [`OutOfRange`](crate::numeric::OutOfRange) when the value is not allowed; NaN never is.
            pub fn new(value: f64) -> Result<Self, $crate::numeric::OutOfRange> {
                let test: fn(f64) -> bool = $test;
                if test(value) {
                    Ok(Self(value))
                } else {
                    Err($crate::numeric::OutOfRange { quantity: $label, allowed: $allowed, found: value })
                }
            }

            /// The plain number.
            pub const fn get(self) -> f64 {
                self.0
            }
        }

        impl From<$name> for f64 {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl TryFrom<f64> for $name {
            type Error = $crate::numeric::OutOfRange;

            fn try_from(value: f64) -> Result<Self, Self::Error> {
                Self::new(value)
            }
        }
    };
}

/// Whether `value` is positive and of a magnitude whose square and reciprocal are safe.
pub fn is_positive(value: f64) -> bool {
    (MAGNITUDE_MIN..=MAGNITUDE_MAX).contains(&value)
}

/// Whether `value` is finite and its square is safe.
pub fn is_moderate(value: f64) -> bool {
    value.abs() <= MAGNITUDE_MAX
}
