//! A moving point and a ball: the times at which a quartic polynomial is not above zero.
//!
//! The squared distance of a ballistic point from the origin, over the axes that count, is a polynomial of
//! degree 4. Its derivative is a cubic; between the cubic's sign changes the distance is monotone, so it
//! crosses the radius at most once there, and the crossing is bracketed to neighbouring floats. The
//! distance is evaluated from the coordinates, never from the expanded quartic, whose coefficients
//! would cancel when the point comes from far away.

use crate::numeric::bracket::sign_change;
use crate::numeric::cubic::Cubic;
use crate::numeric::{Intervals, Quadratic};

/// A point given by its coordinates, and a ball around the origin. Coordinates that do not count are zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball {
    pub(super) point: [Quadratic; 3],
    pub(super) radius_squared: f64,
}

impl Ball {
    /// Squared distance of the point from the origin less the squared radius.
    fn excess(&self, t: f64) -> f64 {
        let [x, y, z] = self.point.map(|q| q.at(t));
        x * x + y * y + z * z - self.radius_squared
    }

    /// Half the derivative of the squared distance: the sum of q q′.
    fn slope(&self) -> Cubic {
        let mut c = [0.0; 4];
        for Quadratic { c0, c1, c2 } in self.point {
            c[0] += c0 * c1;
            c[1] += c1 * c1 + 2.0 * c0 * c2;
            c[2] += 3.0 * c1 * c2;
            c[3] += 2.0 * c2 * c2;
        }
        Cubic { c }
    }

    /// Appends to `pieces` the times in [`from`, `to`] at which the point is in the ball.
    ///
    /// `0 ≤ from < to`, and `to` is finite.
    pub(super) fn append_pieces(&self, from: f64, to: f64, pieces: &mut Intervals) {
        let turns = self.slope().sign_changes(from, to);
        let mut start = from;
        let mut excess_start = self.excess(from);
        for end in turns.as_slice().iter().copied().chain([to]) {
            let excess_end = self.excess(end);
            self.append_monotone(start, excess_start, end, excess_end, pieces);
            (start, excess_start) = (end, excess_end);
        }
    }

    fn append_monotone(&self, start: f64, excess_start: f64, end: f64, excess_end: f64, pieces: &mut Intervals) {
        // Inside at time 0: the overlap began earlier, and the exact time is not needed.
        let start = if start == 0.0 && excess_start < 0.0 { f64::NEG_INFINITY } else { start };
        match (excess_start <= 0.0, excess_end <= 0.0) {
            // Touching at the end is handled in the next stretch.
            (false, true) if excess_end < 0.0 => {
                let (_, enter) = sign_change(|t| self.excess(t), start, end);
                pieces.join(enter, end);
            }
            (true, false) if excess_start < 0.0 => {
                let (leave, _) = sign_change(|t| self.excess(t), start.max(0.0), end);
                pieces.join(start, leave);
            }
            // Zero at both ends: touching for a time as short as rounding error is no overlap.
            (true, true) if excess_start < 0.0 || excess_end < 0.0 => pieces.join(start, end),
            _ => {}
        }
    }
}
