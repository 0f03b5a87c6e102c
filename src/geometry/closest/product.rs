//! Differences of two products without cancellation, and whether two products are equal.
//!
//! a b − c d loses all its digits when the products are nearly equal, which is when a cross product or a determinant
//! matters most. Here the rounding error of either product is computed as well (Dekker, *A floating-point technique for
//! extending the available precision*, 1971) and added to the difference (Jeannerod, *A radix-independent error
//! analysis of the Cornea–Harrison–Tang method*, 2016): the result is right to some two grains of itself. Equality is
//! decided on whole numbers, for every finite input.

use glam::DVec3;

/// 2²⁷ + 1: multiplying by it cuts the 53 bits of a float into halves whose products are exact.
const SPLITTER: f64 = ((1u64 << 27) + 1) as f64;

/// a b − c d, right to some two grains of itself.
///
/// Products from 1e-270 to 1e290 of factors up to 1e290; smaller ones as in plain arithmetic.
#[inline]
pub(in crate::geometry) fn difference(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let (first, first_error) = product(a, b);
    let (second, second_error) = product(c, d);
    (first - second) + (first_error - second_error)
}

/// a × b, each component right to some two grains of itself.
#[inline]
pub(in crate::geometry) fn cross(a: DVec3, b: DVec3) -> DVec3 {
    DVec3::new(difference(a.y, b.z, a.z, b.y), difference(a.z, b.x, a.x, b.z), difference(a.x, b.y, a.y, b.x))
}

/// Whether a b = c d exactly, for any finite numbers.
///
/// A float is an odd number times a power of two; so is a product, and both parts have to agree.
pub(in crate::geometry) fn equal(a: f64, b: f64, c: f64, d: f64) -> bool {
    let any_zero = |x: f64, y: f64| x == 0.0 || y == 0.0;
    if any_zero(a, b) || any_zero(c, d) {
        return any_zero(a, b) && any_zero(c, d);
    }
    let negative = |x: f64, y: f64| (x < 0.0) != (y < 0.0);
    negative(a, b) == negative(c, d) && odd_product(a, b) == odd_product(c, d)
}

/// The product as rounded, and what rounding took from it.
#[inline]
fn product(a: f64, b: f64) -> (f64, f64) {
    let rounded = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    (rounded, a_low * b_low - (((rounded - a_high * b_high) - a_low * b_high) - a_high * b_low))
}

/// Two numbers of at most 26 bits whose sum is `x`.
#[inline]
fn halves(x: f64) -> (f64, f64) {
    let wide = SPLITTER * x;
    let high = wide - (wide - x);
    (high, x - high)
}

/// The odd part of |x y| and the power of two that goes with it.
fn odd_product(x: f64, y: f64) -> (u128, i32) {
    let ((x_odd, x_power), (y_odd, y_power)) = (odd(x), odd(y));
    (u128::from(x_odd) * u128::from(y_odd), x_power + y_power)
}

/// The odd part of |x|, which is not 0, and the power of two that goes with it.
fn odd(x: f64) -> (u64, i32) {
    let (exponent, fraction) = ((x.to_bits() >> 52 & 0x7ff) as i32, x.to_bits() & ((1 << 52) - 1));
    let whole = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let zeros = whole.trailing_zeros();
    (whole >> zeros, exponent.max(1) + zeros as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_products() {
        let tiny = f64::from_bits(1);
        let rows = [
            (3.0, 4.0, 2.0, 6.0, true),
            (3.0, -4.0, 2.0, 6.0, false),
            (-3.0, -4.0, 2.0, 6.0, true),
            (0.0, 5.0, -7.0, -0.0, true),
            (0.0, 5.0, 1.0, 1.0, false),
            (0.1, 0.6, 0.3, 0.2, true),
            // 0.3 is not three times 0.1, nor 0.9 of 0.3.
            (0.1, 0.9, 0.3, 0.3, false),
            // Both round to 1, or vanish.
            (1.0 + f64::EPSILON, 1.0 - f64::EPSILON, 1.0, 1.0, false),
            (tiny, tiny, tiny, 2.0 * tiny, false),
            (tiny, 4.0 * tiny, 2.0 * tiny, 2.0 * tiny, true),
            (1e300, 1e300, 1e300, 1e299, false),
            (tiny, 1.0, f64::MIN_POSITIVE, f64::EPSILON, true),
        ];
        for (a, b, c, d, expected) in rows {
            assert_eq!(equal(a, b, c, d), expected, "{a} {b} {c} {d}");
            assert_eq!(equal(d, c, b, a), expected, "{a} {b} {c} {d}");
        }
    }

    /// Whole numbers of 50 bits whose products differ in the last few of 100 bits.
    #[test]
    fn differences_of_nearly_equal_products() {
        let base = 0x3_ffff_ffff_ffd3_i64;
        for row in 1..200_i64 {
            let (a, b, c, d) = (base - 3 * row, base + 7 * row, base + 2 * row, base + 2 * row - row % 5);
            let exact = i128::from(a) * i128::from(b) - i128::from(c) * i128::from(d);
            let found = difference(a as f64, b as f64, c as f64, d as f64);
            assert!(
                (found - exact as f64).abs() <= 2.0 * f64::EPSILON * (exact as f64).abs(),
                "{row}: {found} {exact}"
            );
            assert_eq!(equal(a as f64, b as f64, c as f64, d as f64), exact == 0, "{row}");
        }
        assert_eq!(cross(DVec3::X, DVec3::Y), DVec3::Z);
        assert_eq!(cross(DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, 5.0, 6.0)), DVec3::new(-3.0, 6.0, -3.0));
    }
}
