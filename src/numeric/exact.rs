//! Sums and products without rounding error, for decisions that depend on a sign.
//!
//! a b − c d loses all its digits when the products are nearly equal, which is when a determinant matters most. Here a
//! product is computed together with its rounding error (Dekker, *A floating-point technique for extending the
//! available precision*, 1971), and a sum is stored as an expansion, an exact unevaluated sum of floats (Shewchuk,
//! *Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates*, 1997, § 2). Equality of
//! products is decided with integers, for every finite input.
//!
//! All functions except [`products_equal`] are valid only while products are above the smallest normal float: for
//! factors above about 1e-140.

use smallvec::SmallVec;

use super::tolerance::REST_SLACK;

/// 2²⁷ + 1: multiplication by it splits the 53 bits of a float into halves whose products are exact.
const SPLITTER: f64 = ((1u64 << 27) + 1) as f64;

/// p₀p₁ − q₀q₁, with the correct sign and an error of a few ulps of the result.
pub fn product_difference(p: [f64; 2], q: [f64; 2]) -> f64 {
    let (plus, minus) = (p[0] * p[1], q[0] * q[1]);
    if (plus <= 0.0 && minus >= 0.0) || (plus >= 0.0 && minus <= 0.0) {
        // No cancellation.
        return plus - minus;
    }
    let mut sum = Expansion::<4>::ZERO;
    sum.add_pair(product(p[0], p[1]));
    sum.add_pair(product(-q[0], q[1]));
    sum.value()
}

/// Whether p₀p₁ = q₀q₁ exactly, for any finite numbers.
///
/// A float is an odd integer times a power of two, and so is a product. Two products are equal if both these parts are.
pub fn products_equal(p: [f64; 2], q: [f64; 2]) -> bool {
    let any_zero = |[x, y]: [f64; 2]| x == 0.0 || y == 0.0;
    if any_zero(p) || any_zero(q) {
        return any_zero(p) && any_zero(q);
    }
    let negative = |[x, y]: [f64; 2]| (x < 0.0) != (y < 0.0);
    negative(p) == negative(q) && odd_product(p) == odd_product(q)
}

/// The odd part of |x y| and the power of two that goes with it.
fn odd_product([x, y]: [f64; 2]) -> (u128, i32) {
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

/// A sum stored as up to `N` floats that share no bit, smallest first.
pub struct Expansion<const N: usize> {
    parts: [f64; N],
    count: usize,
}

impl<const N: usize> Expansion<N> {
    /// The empty sum.
    pub const ZERO: Self = Self { parts: [0.0; N], count: 0 };

    /// Adds two floats, given with the larger one first.
    pub fn add_pair(&mut self, (high, low): (f64, f64)) {
        self.add(low);
        self.add(high);
    }

    /// Adds one float without rounding error; parts that are 0 are left out (Shewchuk's `GROW-EXPANSION`).
    ///
    /// # Panics
    /// When the sum has `N` parts already and needs one more.
    pub fn add(&mut self, x: f64) {
        let (mut rest, mut kept) = (x, 0);
        for row in 0..self.count {
            let (high, low) = sum(rest, self.parts[row]);
            rest = high;
            if low != 0.0 {
                self.parts[kept] = low;
                kept += 1;
            }
        }
        if rest != 0.0 {
            self.parts[kept] = rest;
            kept += 1;
        }
        self.count = kept;
    }

    /// The rounded sum. The last part is larger than the sum of all others, so the sign is correct.
    pub fn value(&self) -> f64 {
        self.parts[..self.count].iter().sum()
    }
}

/// The sum of all terms, rounded once, so it does not depend on their order. The terms must be finite, and their sum
/// far from overflow.
pub fn total(terms: &[f64]) -> f64 {
    certain_total(terms).unwrap_or_else(|| total_of_parts(terms))
}

/// The same sum, if two compensated summations suffice (Ogita, Rump & Oishi, *Accurate Sum and Dot Product*, 2005): all
/// of it except a small remainder is then known exactly, and the remainder is too small to change the rounding.
#[inline]
fn certain_total(terms: &[f64]) -> Option<f64> {
    let (&first, others) = terms.split_first()?;
    // The rounding errors of `high` are added up in `low`, and those of `low` in `rest`.
    let (mut high, mut low, mut rest, mut size) = (first, 0.0, 0.0, 0.0);
    for &term in others {
        let (off, off_low);
        (high, off) = sum(high, term);
        (low, off_low) = sum(low, off);
        (rest, size) = (rest + off_low, size + off_low.abs());
    }
    if low == 0.0 && size == 0.0 {
        return Some(high);
    }
    (high, low) = sum(high, low);
    let (rounded, left) = sum(high, low + rest);
    // Rounding of the sums of `rest` and of `low + rest`.
    let slack = REST_SLACK * (terms.len() as f64 * size + (low + rest).abs());
    (rounded + (left - slack) == rounded && rounded + (left + slack) == rounded).then_some(rounded)
}

/// The same sum for any terms.
///
/// The exact sum is stored as floats that share no bit (Shewchuk 1997, §2.4), and rounded once at the end. If it lies
/// half-way between two floats, the next smaller part decides the direction (Python's `math.fsum`, R. Hettinger, 2005).
fn total_of_parts(terms: &[f64]) -> f64 {
    let mut parts: SmallVec<[f64; 8]> = SmallVec::new();
    for &term in terms {
        let (mut term, mut kept) = (term, 0);
        for row in 0..parts.len() {
            let (high, low) = sum(term, parts[row]);
            if low != 0.0 {
                parts[kept] = low;
                kept += 1;
            }
            term = high;
        }
        parts.truncate(kept);
        parts.push(term);
    }
    let Some(mut high) = parts.pop() else { return 0.0 };
    while let Some(part) = parts.pop() {
        let low;
        (high, low) = sum(high, part);
        if low != 0.0 {
            let (beyond, off) = sum(high, 2.0 * low);
            let next = parts.last().copied().unwrap_or(0.0);
            // Half-way between two floats: the next part decides.
            let is_half_way = off == 0.0 && ((low < 0.0 && next < 0.0) || (low > 0.0 && next > 0.0));
            return if is_half_way { beyond } else { high };
        }
    }
    high
}

/// a + b as the rounded sum and the remainder that rounding took away (Knuth's `TWO-SUM`).
#[inline]
pub fn sum(a: f64, b: f64) -> (f64, f64) {
    let high = a + b;
    let b_part = high - a;
    (high, (a - (high - b_part)) + (b - b_part))
}

/// a b as the rounded product and the remainder that rounding took away (Dekker & Veltkamp's `TWO-PRODUCT`).
#[inline]
pub fn product(a: f64, b: f64) -> (f64, f64) {
    let high = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    (high, a_low * b_low - (((high - a_high * b_high) - a_low * b_high) - a_high * b_low))
}

/// The upper and the lower half of the bits of `a`.
#[inline]
fn split(a: f64) -> (f64, f64) {
    let scaled = SPLITTER * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

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
            // As floats, 0.3 is not 3 × 0.1, and 0.9 is not 3 × 0.3.
            (0.1, 0.9, 0.3, 0.3, false),
            // Both products round to 1, or underflow to 0.
            (1.0 + f64::EPSILON, 1.0 - f64::EPSILON, 1.0, 1.0, false),
            (tiny, tiny, tiny, 2.0 * tiny, false),
            (tiny, 4.0 * tiny, 2.0 * tiny, 2.0 * tiny, true),
            (1e300, 1e300, 1e300, 1e299, false),
            (tiny, 1.0, f64::MIN_POSITIVE, f64::EPSILON, true),
        ];
        for (a, b, c, d, expected) in rows {
            assert_eq!(products_equal([a, b], [c, d]), expected, "{a} {b} {c} {d}");
            assert_eq!(products_equal([d, c], [b, a]), expected, "{a} {b} {c} {d}");
        }
    }

    #[test]
    fn a_total_does_not_depend_on_the_order_of_its_terms() {
        let rows: [(&[f64], f64); 5] = [
            (&[], 0.0),
            (&[1e100, 1.0, -1e100], 1.0),
            (&[0.1; 10], 1.0),
            (&[1.0, f64::EPSILON / 2.0, 1e-300], 1.0 + f64::EPSILON),
            (&[3.0, -7e-17, 0.3, -3.0, 7e-17, -0.3], 0.0),
        ];
        for (terms, expected) in rows {
            for turn in 0..terms.len().max(1) {
                let turned: Vec<f64> = terms.iter().cycle().skip(turn).take(terms.len()).copied().collect();
                assert_eq!(total(&turned), expected, "{terms:?} {turn}");
                let back: Vec<f64> = terms.iter().rev().cycle().skip(turn).take(terms.len()).copied().collect();
                assert_eq!(total(&back), expected, "{terms:?} {turn}");
            }
        }
    }

    /// Terms of similar size, of many sizes, terms that cancel, sums half-way between two floats, and remainders of
    /// sums.
    #[test]
    fn a_certain_total_is_that_of_all_parts() {
        let mut random = Random::from_state(20_261_126);
        let (mut certain, mut uncertain) = (0, 0);
        for round in 0..60_000_usize {
            let span = [0, 8, 60, 110, 200][round % 5];
            let power = |random: &mut Random| 2.0_f64.powi(-(random.below(span + 1) as i32));
            let mut terms: Vec<f64> =
                (0..1 + random.below(40)).map(|_| (random.unit() - 0.5) * power(&mut random)).collect();
            match round / 5 % 4 {
                0 => {}
                1 => terms.extend(terms.clone().iter().skip(1).map(|term| -term)),
                2 => terms = vec![1.0, 0.5 * f64::EPSILON, (random.unit() - 0.5) * power(&mut random) * f64::EPSILON],
                _ => terms.push(-total_of_parts(&terms)),
            }
            let expected = total_of_parts(&terms);
            match certain_total(&terms) {
                Some(found) => {
                    assert_eq!(found.to_bits(), expected.to_bits(), "{round}: {terms:?}");
                    certain += 1;
                }
                None => uncertain += 1,
            }
            assert_eq!(total(&terms).to_bits(), expected.to_bits(), "{round}");
        }
        assert!(certain > 40_000 && uncertain > 400, "{certain} {uncertain}");
    }

    /// Whole numbers of 50 bits whose products differ in the last few of 100 bits.
    #[test]
    fn differences_of_nearly_equal_products() {
        let base = 0x3_ffff_ffff_ffd3_i64;
        for row in 1..200_i64 {
            let (a, b, c, d) = (base - 3 * row, base + 7 * row, base + 2 * row, base + 2 * row - row % 5);
            let exact = i128::from(a) * i128::from(b) - i128::from(c) * i128::from(d);
            let found = product_difference([a as f64, b as f64], [c as f64, d as f64]);
            assert!(
                (found - exact as f64).abs() <= 2.0 * f64::EPSILON * (exact as f64).abs(),
                "{row}: {found} {exact}"
            );
            assert_eq!(products_equal([a as f64, b as f64], [c as f64, d as f64]), exact == 0, "{row}");
        }
    }

    #[test]
    fn cancelled_products_keep_their_digits() {
        let up = 1.0f64.next_up();
        let grain = f64::EPSILON;
        assert_eq!(product_difference([up, up], [1.0, up.next_up()]), grain * grain);
        assert_eq!(product_difference([0.1, 0.3], [0.3, 0.1]), 0.0);
    }
}
