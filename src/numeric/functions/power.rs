//! Powers with any exponent, from the four operations alone: a number has the same power on every machine.

/// The high part of ln 2. Its last 21 bits are zero, so its product with the exponent of a number is exact.
const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);

/// ln 2 − [`LN_2_HIGH`].
const LN_2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

/// The exponent in the bits of 1.
const BIAS: i32 = 1023;

/// x to the power p, for x from 0 and p above 0. Infinite beyond the largest number, zero below the smallest normal
/// one; a smaller x counts as zero.
///
/// The relative error is at most (2 + 2 |p ln x|) 2⁻⁵².
pub(crate) fn power(x: f64, p: f64) -> f64 {
    if x < f64::MIN_POSITIVE { 0.0 } else { exponential(p * logarithm(x)) }
}

/// ln x of a normal number: x = 2ⁿ m with m between √½ and √2, and ln m = 2 artanh((m − 1) / (m + 1)).
fn logarithm(x: f64) -> f64 {
    // The last odd number whose term of artanh is not below rounding.
    const LAST: i32 = 21;
    let bits = x.to_bits();
    let fraction = f64::from_bits(bits & ((1 << 52) - 1) | 1.0_f64.to_bits());
    let is_large = fraction * fraction > 2.0;
    let mantissa = if is_large { 0.5 * fraction } else { fraction };
    let exponent = f64::from((bits >> 52) as i32 - BIAS + i32::from(is_large));
    let tangent = (mantissa - 1.0) / (mantissa + 1.0);
    let square = tangent * tangent;
    let sum = (1..=LAST).rev().step_by(2).fold(0.0, |sum, odd| sum * square + 1.0 / f64::from(odd));
    exponent * LN_2_HIGH + (2.0 * tangent * sum + exponent * LN_2_LOW)
}

/// e to the power y: y = n ln 2 + r with |r| ≤ ln 2 / 2, and Taylor's series of r.
fn exponential(y: f64) -> f64 {
    // The last term that is not below rounding.
    const LAST: i32 = 13;
    let whole = (y / (LN_2_HIGH + LN_2_LOW) + 0.5).floor();
    if whole < f64::from(1 - BIAS) {
        return 0.0;
    }
    if whole > f64::from(BIAS) {
        return f64::INFINITY;
    }
    let rest = (y - whole * LN_2_HIGH) - whole * LN_2_LOW;
    let sum = (1..=LAST).rev().fold(1.0, |sum, term| 1.0 + sum * rest / f64::from(term));
    sum * f64::from_bits(((whole as i32 + BIAS) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_those_of_whole_exponents_and_of_roots() {
        let within = |found: f64, exact: f64, size: f64, what: &str| {
            let bound = (2.0 + 2.0 * size) * f64::EPSILON;
            assert!((found / exact - 1.0).abs() <= bound, "{what}: {found:e} in place of {exact:e}");
        };
        for row in -400..400 {
            let x = (1.0 + 0.037 * f64::from(row % 27).abs()) * f64::from_bits(((row + BIAS) as u64) << 52);
            let size = logarithm(x).abs();
            within(power(x, 1.0), x, size, "x");
            within(power(x, 2.0), x * x, 2.0 * size, "square");
            within(power(x, 0.5), x.sqrt(), 0.5 * size, "root");
            let fifth = power(x, 0.2);
            // The product has five times the error of its factors, and four roundings.
            within(fifth * fifth * fifth * fifth * fifth, x, 4.0 + size, "fifth root");
        }
        assert_eq!([power(0.0, 0.2), power(1.0, 0.3), power(1e-300, 2.0)], [0.0, 1.0, 0.0]);
        assert_eq!([power(1e300, 2.0), power(0.5, f64::MAX)], [f64::INFINITY, 0.0]);
    }
}
