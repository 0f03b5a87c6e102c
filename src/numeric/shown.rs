//! Numbers as people write them: `3.2` and `0.0005`, but `1e300` and `5e-12`.
//!
//! [`shown`] never loses digits: its output reads back to the same number.

/// Smallest magnitude that is written without an exponent.
const PLAIN_FROM: f64 = 0.0001;

/// Largest magnitude that is written without an exponent.
const PLAIN_UNTIL: f64 = 10_000_000.0;

/// A number in its fewest digits, with an exponent where it is below 1e-4 or above 1e7.
pub fn shown(value: f64) -> String {
    let size = value.abs();
    let is_plain = size == 0.0 || (PLAIN_FROM..=PLAIN_UNTIL).contains(&size) || !value.is_finite();
    if is_plain { value.to_string() } else { format!("{value:e}") }
}

/// The same for the number rounded to `digits` significant digits, at least one.
pub fn rounded(value: f64, digits: usize) -> String {
    let text = format!("{value:.*e}", digits.saturating_sub(1));
    shown(text.parse().unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_do() {
        let rows = [
            (0.0, "0"),
            (3.2, "3.2"),
            (-2.5, "-2.5"),
            (0.0001, "0.0001"),
            (0.00005, "5e-5"),
            (1e7, "10000000"),
            (12_345_678.0, "1.2345678e7"),
            (1e300, "1e300"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in rows {
            assert_eq!(shown(value), text);
        }
    }

    #[test]
    fn rounding_leaves_so_many_digits() {
        let rows = [
            (1.0 / 3.0, 5, "0.33333"),
            (3.2, 7, "3.2"),
            (999_999.6, 6, "1000000"),
            (2.220446049250313e-16, 6, "2.22045e-16"),
            (-1234.5, 2, "-1200"),
            (0.0, 3, "0"),
            (f64::INFINITY, 3, "inf"),
        ];
        for (value, digits, text) in rows {
            assert_eq!(rounded(value, digits), text);
        }
    }
}
