//! Quadratics: one coordinate of a ballistic path, and where it lies below or between bounds.
//!
//! Roots come from the form without cancellation (Press et al., *Numerical Recipes*, 3rd ed. 2007,
//! § 5.6): with `q = −(b + sgn(b) √disc)/2` they are `q/a` and `c/q`. A root of the exact polynomial at 0
//! is found as exactly 0, because then c is 0.
//!
//! Each root has its own rounding error. The order in which a parabola crosses two bounds is known in advance. If the
//! computed roots have another order, they are taken as one instant, so no crossing is lost.

use super::Intervals;

/// The polynomial c₀ + c₁ t + c₂ t².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quadratic {
    /// Value at 0.
    pub c0: f64,
    /// Slope at 0.
    pub c1: f64,
    /// Half the curvature.
    pub c2: f64,
}

/// The real roots of a quadratic, in order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Roots {
    /// The polynomial is zero everywhere.
    Everywhere,
    /// It has no real root.
    None,
    /// A straight line crosses zero, or a parabola touches it (`double`).
    One {
        /// Where.
        at: f64,
        /// Whether the sign is the same on both sides.
        double: bool,
    },
    /// A parabola crosses zero twice, the first strictly before the second.
    Two(f64, f64),
}

impl Quadratic {
    /// The polynomial that is 0.
    pub const ZERO: Self = Self { c0: 0.0, c1: 0.0, c2: 0.0 };

    /// Value at `t`.
    #[inline]
    pub fn at(&self, t: f64) -> f64 {
        self.c0 + (self.c1 + self.c2 * t) * t
    }

    /// Slope at `t`.
    #[inline]
    pub fn slope_at(&self, t: f64) -> f64 {
        self.c1 + 2.0 * self.c2 * t
    }

    /// The polynomial with `value` added.
    #[inline]
    pub fn plus(&self, value: f64) -> Self {
        Self { c0: self.c0 + value, ..*self }
    }

    /// The polynomial with the opposite sign.
    #[inline]
    pub fn negated(&self) -> Self {
        Self { c0: -self.c0, c1: -self.c1, c2: -self.c2 }
    }

    /// Where it is zero.
    #[inline]
    pub fn roots(&self) -> Roots {
        let Self { c0: c, c1: b, c2: a } = *self;
        if a == 0.0 {
            return line_roots(c, b);
        }
        let discriminant = b * b - 4.0 * a * c;
        if discriminant < 0.0 {
            return Roots::None;
        }
        if discriminant == 0.0 {
            return Roots::One { at: -b / (2.0 * a), double: true };
        }
        let root = discriminant.sqrt();
        let q = -0.5 * (b + if b < 0.0 { -root } else { root });
        ordered(q / a, c / q)
    }

    /// The times at which the polynomial is not above zero, without isolated points.
    ///
    /// A parabola that touches zero from below gives two intervals with a common end.
    #[inline]
    pub fn not_above_zero(&self) -> Intervals {
        let (before, after) = (f64::NEG_INFINITY, f64::INFINITY);
        let opens_up = self.c2 > 0.0;
        match self.roots() {
            // A separation that is always zero is touching, not overlap.
            Roots::Everywhere => Intervals::EMPTY,
            Roots::None if self.c0 < 0.0 => Intervals::ALL,
            Roots::None => Intervals::EMPTY,
            Roots::One { at, double: false } if self.c1 < 0.0 => Intervals::one(at, after),
            Roots::One { at, double: false } => Intervals::one(before, at),
            Roots::One { .. } if opens_up => Intervals::EMPTY,
            Roots::One { at, .. } => two(before, at, at, after),
            Roots::Two(first, second) if opens_up => Intervals::one(first, second),
            Roots::Two(first, second) => two(before, first, second, after),
        }
    }

    /// The times at which the polynomial lies in [−bound, bound], without isolated points.
    #[inline]
    pub fn within(&self, bound: f64) -> Intervals {
        self.between(-bound, bound)
    }

    /// The times at which the polynomial lies in [`low`, `high`], where `low` ≤ `high`. Points at which it only touches
    /// a bound from outside are left out. There are at most two intervals. If both bounds are equal, a crossing lasts
    /// an instant.
    #[inline]
    pub fn between(&self, low: f64, high: f64) -> Intervals {
        if self.c2 > 0.0 {
            self.bowl_between(low, high)
        } else if self.c2 < 0.0 {
            self.negated().bowl_between(-high, -low)
        } else if self.c2 == 0.0 {
            self.line_between(low, high)
        } else {
            Intervals::EMPTY
        }
    }

    /// [`between`](Self::between) for a straight line.
    #[inline]
    fn line_between(&self, low: f64, high: f64) -> Intervals {
        if self.c1 == 0.0 {
            return if low < self.c0 && self.c0 < high { Intervals::ALL } else { Intervals::EMPTY };
        }
        let [one, other] = [low, high].map(|bound| (bound - self.c0) / self.c1);
        if one < other { Intervals::one(one, other) } else { Intervals::one(other, one) }
    }

    /// [`between`](Self::between) for a parabola that opens upwards: it comes down through `high`, may pass below `low`
    /// for a while, and goes up again.
    #[inline]
    fn bowl_between(&self, low: f64, high: f64) -> Intervals {
        let Roots::Two(enter, leave) = self.plus(-high).roots() else { return Intervals::EMPTY };
        match self.plus(-low).roots() {
            Roots::Two(down, up) => two(enter, down.clamp(enter, leave), up.clamp(enter, leave), leave),
            Roots::One { at, .. } => {
                let turn = at.clamp(enter, leave);
                two(enter, turn, turn, leave)
            }
            Roots::None | Roots::Everywhere => Intervals::one(enter, leave),
        }
    }
}

fn line_roots(c: f64, b: f64) -> Roots {
    if b != 0.0 {
        Roots::One { at: -c / b, double: false }
    } else if c == 0.0 {
        Roots::Everywhere
    } else {
        Roots::None
    }
}

fn ordered(x: f64, y: f64) -> Roots {
    if x < y {
        Roots::Two(x, y)
    } else if y < x {
        Roots::Two(y, x)
    } else {
        Roots::One { at: x, double: true }
    }
}

fn two(enter: f64, leave: f64, enter_again: f64, leave_again: f64) -> Intervals {
    let mut set = Intervals::one(enter, leave);
    set.push(enter_again, leave_again);
    set
}

/// When `value` + `slope` t − ½ `bend` t² is 0; infinite if never. A function with this value and slope, and a second
/// derivative of at most `bend` in size, is not below zero before.
pub(crate) fn safe_time(value: f64, slope: f64, bend: f64) -> f64 {
    let wide = (slope * slope + 2.0 * bend * value).sqrt();
    if slope < 0.0 {
        2.0 * value / (wide - slope)
    } else if bend > 0.0 {
        (slope + wide) / bend
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INF: f64 = f64::INFINITY;

    /// Coefficients, and the ends of the expected intervals.
    type Row<'a> = ((f64, f64, f64), &'a [(f64, f64)]);

    fn quadratic(c0: f64, c1: f64, c2: f64) -> Quadratic {
        Quadratic { c0, c1, c2 }
    }

    #[test]
    fn roots_of_every_kind() {
        let rows = [
            ((0.0, 0.0, 0.0), Roots::Everywhere),
            ((1.0, 0.0, 0.0), Roots::None),
            ((1.0, 2.0, 0.0), Roots::One { at: -0.5, double: false }),
            ((1.0, 0.0, 1.0), Roots::None),
            ((1.0, -2.0, 1.0), Roots::One { at: 1.0, double: true }),
            ((0.0, 3.0, -1.0), Roots::Two(0.0, 3.0)),
            ((0.0, 0.0, -1.0), Roots::One { at: 0.0, double: true }),
            ((-1.0, 0.0, 1.0), Roots::Two(-1.0, 1.0)),
            // Naive formulas lose the small root of this one: x ≈ c/b.
            ((1.0, -1e9, 1.0), Roots::Two(1e-9, 1e9)),
            // A negligible leading coefficient still gives the root of the line.
            ((-1.0, 1.0, 1e-300), Roots::Two(-9.999999999999999e299, 1.0)),
        ];
        for ((c0, c1, c2), expected) in rows {
            assert_eq!(quadratic(c0, c1, c2).roots(), expected, "{c0} + {c1} t + {c2} t²");
        }
    }

    #[test]
    fn where_a_quadratic_is_not_above_zero() {
        let rows: [Row; 9] = [
            ((0.0, 0.0, 0.0), &[]),
            ((-1.0, 0.0, 0.0), &[(-INF, INF)]),
            ((1.0, -1.0, 0.0), &[(1.0, INF)]),
            ((1.0, 1.0, 0.0), &[(-INF, -1.0)]),
            ((1.0, -2.0, 1.0), &[]),
            ((-1.0, 2.0, -1.0), &[(-INF, 1.0), (1.0, INF)]),
            ((-1.0, 0.0, 1.0), &[(-1.0, 1.0)]),
            ((0.0, 3.0, -1.0), &[(-INF, 0.0), (3.0, INF)]),
            ((-1.0, 0.0, -1.0), &[(-INF, INF)]),
        ];
        for ((c0, c1, c2), expected) in rows {
            let found = quadratic(c0, c1, c2).not_above_zero();
            let found: Vec<_> = found.as_slice().iter().map(|i| (i.enter, i.leave)).collect();
            assert_eq!(found, expected, "{c0} + {c1} t + {c2} t²");
        }
    }

    #[test]
    fn between_two_bounds() {
        let rows: [Row; 6] = [
            ((-3.0, 1.0, 0.0), &[(2.0, 4.0)]),
            ((3.0, -1.0, 0.0), &[(2.0, 4.0)]),
            ((1.0, 0.0, 0.0), &[]),
            ((0.5, 0.0, 0.0), &[(-INF, INF)]),
            // t² − 5 is within 1 of zero twice.
            ((-5.0, 0.0, 1.0), &[(-2.449489742783178, -2.0), (2.0, 2.4494897427831783)]),
            // 1.25 − t²/4 comes from below, through −1 at 3 and through 1 at 1.
            ((1.25, 0.0, -0.25), &[(-3.0, -1.0), (1.0, 3.0)]),
        ];
        for ((c0, c1, c2), expected) in rows {
            let found = quadratic(c0, c1, c2).within(1.0);
            let found: Vec<_> = found.as_slice().iter().map(|i| (i.enter, i.leave)).collect();
            assert_eq!(found, expected, "{c0} + {c1} t + {c2} t²");
        }
    }

    #[test]
    fn what_is_crossed_is_never_lost() {
        // Bounds closer together than the resolution of the roots, for a line and for parabolas that open to either
        // side.
        for c2 in [0.0, 0.3, -0.3, 1e-9] {
            for step in 0..1000 {
                let c0 = -20.0 - 0.013 * f64::from(step);
                let crossing = quadratic(c0, 9.7, c2);
                for bound in [1e-300, 1e-17, 1e-15, 1e-14] {
                    let pieces = crossing.within(bound);
                    let ahead = pieces.as_slice().iter().filter(|piece| piece.leave > 0.0).count();
                    // A parabola that opens downwards crosses the bounds twice, or does not reach them.
                    let wanted = if c2 < 0.0 { if 9.7 * 9.7 > 4.0 * c2 * c0 { 2 } else { 0 } } else { 1 };
                    assert_eq!(ahead, wanted, "{c0} + 9.7 t + {c2} t² within {bound}");
                }
            }
        }
    }
}
