//! Real roots of a cubic in a range, by bracketing between the roots of its derivative.
//!
//! No closed formula is used: it needs cube roots and cosines, which differ between machines. Between two neighbouring
//! roots of the derivative the cubic is monotone, so it changes sign there at most once.

use super::bracket::sign_change;
use super::quadratic::{Quadratic, Roots};

/// The polynomial c₀ + c₁ t + c₂ t² + c₃ t³.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cubic {
    /// Coefficients, that of t⁰ first.
    pub c: [f64; 4],
}

/// Up to three points of a range, in ascending order.
#[derive(Debug, Clone, Copy)]
pub struct Points {
    items: [f64; 3],
    count: usize,
}

impl Points {
    const EMPTY: Self = Self { items: [0.0; 3], count: 0 };

    /// The points in ascending order.
    pub fn as_slice(&self) -> &[f64] {
        &self.items[..self.count]
    }

    fn push(&mut self, point: f64) {
        self.items[self.count] = point;
        self.count += 1;
    }
}

impl Cubic {
    /// Value at `t`.
    pub fn at(&self, t: f64) -> f64 {
        let [c0, c1, c2, c3] = self.c;
        c0 + (c1 + (c2 + c3 * t) * t) * t
    }

    /// Where the sign changes strictly inside (`low`, `high`), ascending. Zero counts as negative, so a
    /// root at which the sign does not change is left out or found as two neighbours.
    pub fn sign_changes(&self, low: f64, high: f64) -> Points {
        let mut found = Points::EMPTY;
        let mut start = low;
        let turns = self.turning_points();
        for end in turns.into_iter().filter(|&turn| low < turn && turn < high).chain([high]) {
            if start < end && (self.at(start) <= 0.0) != (self.at(end) <= 0.0) {
                found.push(sign_change(|t| self.at(t), start, end).1);
            }
            start = end;
        }
        found
    }

    /// Where the derivative is zero; NaN where there is no such point, so that every comparison with it fails.
    fn turning_points(&self) -> [f64; 2] {
        let [_, c1, c2, c3] = self.c;
        match (Quadratic { c0: c1, c1: 2.0 * c2, c2: 3.0 * c3 }).roots() {
            Roots::Two(first, second) => [first, second],
            Roots::One { at, .. } => [at, f64::NAN],
            Roots::None | Roots::Everywhere => [f64::NAN; 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_changes_are_found_once_each() {
        let rows: [([f64; 4], &[f64]); 7] = [
            ([-6.0, 11.0, -6.0, 1.0], &[1.0, 2.0, 3.0]),
            ([-1.0, 0.0, 0.0, 1.0], &[1.0]),
            ([1.0, 0.0, 0.0, 1.0], &[]),
            ([2.0, -3.0, 1.0, 0.0], &[1.0, 2.0]),
            ([-5.0, 1.0, 0.0, 0.0], &[5.0]),
            ([4.0, 0.0, 0.0, 0.0], &[]),
            ([0.0, 0.0, 0.0, 0.0], &[]),
        ];
        for (c, expected) in rows {
            let found = Cubic { c }.sign_changes(0.0, 10.0);
            let found = found.as_slice();
            assert_eq!(found.len(), expected.len(), "{c:?}: {found:?}");
            for (x, y) in found.iter().zip(expected) {
                // Three roots at distance 1: a coefficient's rounding moves none by more than 1e-14.
                assert!((x - y).abs() < 1e-14, "{c:?}: {found:?}");
            }
        }
    }
}
