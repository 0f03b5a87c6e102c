//! The quadratic equation of a pair of balls in vector lanes: |d + v t| = r₁ + r₂.

use pulp::Simd;

use crate::numeric::lane::Lane;
use crate::numeric::tolerance::GRAZING_SLACK;

/// Limit of squared distance over squared reach, and of squared speed over squared approach speed, up to which rounding
/// is far below the threshold of grazing.
pub(in crate::dynamics) const FAR: f64 = 1_099_511_627_776.0;

/// The equations a t² + 2 b t + c = 0 of some pairs.
pub(in crate::dynamics) struct Quadratic<S: Simd> {
    /// The squared distance d · d, m².
    pub(in crate::dynamics) distance: Lane<S>,
    pub(in crate::dynamics) a: Lane<S>,
    pub(in crate::dynamics) b: Lane<S>,
    pub(in crate::dynamics) c: Lane<S>,
    /// b² − a c, from the cross product, which has less rounding.
    pub(in crate::dynamics) discriminant: Lane<S>,
    /// Below this discriminant two balls graze each other.
    pub(in crate::dynamics) grazing: Lane<S>,
}

impl<S: Simd> Quadratic<S> {
    /// The equations for the distances `d`, m, the relative velocities `v`, m/s, and the squared sums of the radii, m².
    #[inline(always)]
    pub(in crate::dynamics) fn new(d: [Lane<S>; 3], v: [Lane<S>; 3], reach_squared: Lane<S>) -> Self {
        let (distance, a) = (squared(d), squared(v));
        let b = d[0] * v[0] + d[1] * v[1] + d[2] * v[2];
        let cross = [d[1] * v[2] - v[1] * d[2], d[2] * v[0] - v[2] * d[0], d[0] * v[1] - v[0] * d[1]];
        let widest = reach_squared * a;
        let grazing = Lane::splat(a.simd(), GRAZING_SLACK) * widest;
        Self { distance, a, b, c: distance - reach_squared, discriminant: widest - squared(cross), grazing }
    }
}

/// The squared length of a vector.
#[inline(always)]
pub(super) fn squared<S: Simd>(vector: [Lane<S>; 3]) -> Lane<S> {
    vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]
}

/// The numbers of `N` rows.
pub(in crate::dynamics) const fn rows<const N: usize>() -> [f64; N] {
    let (mut rows, mut row) = ([0.0; N], 0);
    while row < N {
        rows[row] = row as f64;
        row += 1;
    }
    rows
}
