//! Cross products without loss of digits, and exact signs of small determinants.
//!
//! A determinant is first computed with floats. If it is larger than its error bound, its sign is correct. Otherwise it
//! is summed as an expansion, an exact unevaluated sum of floats (Shewchuk, *Adaptive Precision Floating-Point
//! Arithmetic and Fast Robust Geometric Predicates*, 1997, §2 and §4.1). So the sign is exact for the given numbers, in
//! any order of the rows.
//!
//! This holds only while products are above the smallest normal float; it fails for entries of about 1e-90 and less.

use std::cmp::Ordering;

use glam::DVec3;

use crate::numeric::exact::{Expansion, product, product_difference};
use crate::numeric::tolerance::DETERMINANT_SLACK;

/// The sign of the determinant with these rows: `Less` for negative, `Equal` for zero.
#[inline]
pub(in crate::geometry) fn determinant_sign(a: DVec3, b: DVec3, c: DVec3) -> Ordering {
    let value = a.cross(b).dot(c);
    let size = permanent(a, b).dot(c.abs());
    // If all products are zero, the exact sum is not needed.
    if value.abs() > DETERMINANT_SLACK * size || size == 0.0 { sign(value) } else { sign(determinant(a, b, c)) }
}

/// The cross product; every component has the correct sign and an error of a few ulps of itself.
pub(in crate::geometry) fn cross(a: DVec3, b: DVec3) -> DVec3 {
    DVec3::new(
        product_difference([a.y, b.z], [b.y, a.z]),
        product_difference([a.z, b.x], [b.z, a.x]),
        product_difference([a.x, b.y], [b.x, a.y]),
    )
}

/// Upper bounds of the components of |a × b|: the same products added without signs.
#[inline]
fn permanent(a: DVec3, b: DVec3) -> DVec3 {
    let (a, b) = (a.abs(), b.abs());
    DVec3::new(a.y * b.z + b.y * a.z, a.z * b.x + b.z * a.x, a.x * b.y + b.x * a.y)
}

/// The determinant with these rows, with the correct sign.
fn determinant(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    let terms =
        [[a.y, b.z, c.x], [-b.y, a.z, c.x], [a.z, b.x, c.y], [-b.z, a.x, c.y], [a.x, b.y, c.z], [-b.x, a.y, c.z]];
    let mut sum = Expansion::<24>::ZERO;
    for [p, q, r] in terms {
        let (high, low) = product(p, q);
        sum.add_pair(product(high, r));
        sum.add_pair(product(low, r));
    }
    sum.value()
}

/// `Less` for negative, `Equal` for zero.
#[inline]
pub(in crate::geometry) fn sign(value: f64) -> Ordering {
    value.partial_cmp(&0.0).unwrap_or(Ordering::Less)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn signs_that_rounding_would_lose() {
        let up = 1.0f64.next_up();
        let row = DVec3::new;
        let rows = [
            (row(1.0, 0.0, 0.0), row(0.0, 1.0, 0.0), row(0.0, 0.0, 1.0), Ordering::Greater),
            (row(1.0, 2.0, 3.0), row(4.0, 5.0, 6.0), row(7.0, 8.0, 9.0), Ordering::Equal),
            // (1 + ε)² − (1 + 2ε) = ε²: the two products round to the same float.
            (row(up, 1.0, 0.0), row(up.next_up(), up, 0.0), row(0.0, 0.0, 1.0), Ordering::Greater),
            (row(0.1, 0.2, 0.3), row(0.2, 0.4, 0.6), row(1.0, 7.0, -3.0), Ordering::Equal),
            (row(0.1, 0.2, 0.3), row(0.2, 0.4, 0.6f64.next_up()), row(1.0, 7.0, -3.0), Ordering::Less),
            (
                row(0.1, 0.2, 0.3) * f64::from(1 << 30),
                row(0.2, 0.4, 0.6f64.next_up()),
                row(1.0, 7.0, -3.0),
                Ordering::Less,
            ),
            (DVec3::ZERO, DVec3::ONE, DVec3::X, Ordering::Equal),
        ];
        for (a, b, c, expected) in rows {
            for (sign, order) in [
                (expected, [a, b, c]),
                (expected, [b, c, a]),
                (expected, [c, a, b]),
                (expected.reverse(), [b, a, c]),
                (expected.reverse(), [a, c, b]),
                (expected.reverse(), [c, b, a]),
            ] {
                assert_eq!(determinant_sign(order[0], order[1], order[2]), sign, "{order:?}");
            }
        }
    }

    #[test]
    fn small_integers_against_whole_numbers() {
        let mut random = Random::from_state(1);
        for _ in 0..20_000 {
            let m = [0; 9].map(|_: i128| random.below(7) as i128 - 3);
            let exact = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
                + m[2] * (m[3] * m[7] - m[4] * m[6]);
            let [a, b, c] = [0, 3, 6].map(|k| DVec3::new(m[k] as f64, m[k + 1] as f64, m[k + 2] as f64));
            assert_eq!(determinant_sign(a, b, c), exact.cmp(&0), "{m:?}");
            assert_eq!(determinant(a, b, c), exact as f64);
            assert_eq!(cross(a, b), a.cross(b), "whole numbers lose nothing either way");
        }
    }
}
